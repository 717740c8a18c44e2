"""The hooks of the suite: which files a run reads, their order and marks, who runs what, with what a test starts."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from flake8_jax.model import faults
from tests import conftest
from tests.support import slices
from tests.support.slices import Slice
from tests.support.sources import ROOT

TESTS = ROOT / "tests"
NAMED = (
    *conftest.PREPARED, *conftest.STARTS_JAX, *conftest.SLOW, *conftest.WHOLE, *conftest.OF_ALL_MODULES,
)  # fmt: skip
SEEN: list[str] = []


@pytest.fixture
def slice_asked() -> Iterator[Callable[[Slice], None]]:
    before = slices.asked()
    yield lambda which: slices.ask(which.value)
    slices.ask(before.value)


def item(name: str) -> pytest.Item:
    """A test of a file, as far as the hooks look at it."""
    markers: list[str] = []
    made = SimpleNamespace(
        path=TESTS / f"{name}.py", markers=markers, stash=pytest.Stash(), name=name,
        add_marker=lambda mark: markers.append(mark.name),
    )  # fmt: skip
    return cast(pytest.Item, made)


def config(expression: str = "") -> pytest.Config:
    option = SimpleNamespace(markexpr=expression, loadscopereorder=True)
    return cast(pytest.Config, SimpleNamespace(option=option, getvalue=lambda name: ["popen"]))


def test_what_is_named_is_there() -> None:
    files = {f"{path.parent.name}/{path.stem}" for path in TESTS.rglob("test_*.py")}
    found = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")}
    functions = {name for together in conftest.GROUPS.values() for name in together}
    begun = {name for name in NAMED if not any(file.startswith(name) for file in files)}
    assert not begun, "files that are named in `conftest.py` and are not there"
    assert not {name for name in functions if not any(f"def {name}(" in text for text in found.values())}


def test_the_quick_loop_does_not_read_what_is_slow() -> None:
    quick, whole = config("not slow"), config()
    assert conftest.pytest_ignore_collect(TESTS / "growth/test_growth.py", quick) is True
    assert conftest.pytest_ignore_collect(TESTS / "project/test_slices.py", quick) is None
    assert conftest.pytest_ignore_collect(TESTS / "growth/test_growth.py", whole) is None


@pytest.mark.parametrize("which", [Slice.ROTATING, Slice.FULL])
def test_what_gates_nothing_reads_files_with_slices_alone(slice_asked: Callable[[Slice], None], which: Slice) -> None:
    slice_asked(which)
    asked = {
        path: conftest.pytest_ignore_collect(path, config(which.value)) is None for path in TESTS.rglob("test_*.py")
    }
    with_slices = {path for path in asked if "slices." in path.read_text(encoding="utf-8")}
    assert {path for path, is_read in asked.items() if is_read} == with_slices
    assert conftest.pytest_ignore_collect(TESTS / "growth", config(which.value)) is None, "a folder is gone into"


def test_prepared_files_come_first_and_those_that_start_jax_last(slice_asked: Callable[[Slice], None]) -> None:
    slice_asked(Slice.GATING)
    first, last, between = "rules/test_programs", "rules/test_facts", ["model/test_config", "growth/test_growth"]
    items = [item(name) for name in (last, *between, first, "model/test_call_room")]
    conftest.pytest_collection_modifyitems(items)
    assert [each.name for each in items] == [first, *between, "model/test_call_room", last]
    marked = {each.name for each in items if "slow" in vars(each)["markers"]}
    assert marked == {first, "growth/test_growth", last}


def test_the_slice_of_a_day_begins_with_what_starts_no_jax(slice_asked: Callable[[Slice], None]) -> None:
    slice_asked(Slice.ROTATING)
    items = [item(name) for name in ("rules/test_programs", "model/test_config", "rules/test_facts")]
    conftest.pytest_collection_modifyitems(items)
    assert [each.name for each in items] == ["model/test_config", "rules/test_programs", "rules/test_facts"]
    assert f"FLAKE8_JAX_DAY={slices.DAY}" in conftest.pytest_report_header()


def test_a_test_that_starts_jax_is_refused_where_its_file_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(name: str, *, before: bool, after: bool) -> None:
        one = item(name)
        monkeypatch.setattr(conftest, "is_jax_started", lambda: before)
        with monkeypatch.context() as patch:
            patch.setenv("FLAKE8_JAX_STORE", "")
            conftest.pytest_runtest_setup(one)
        monkeypatch.setattr(conftest, "is_jax_started", lambda: after)
        conftest.pytest_runtest_teardown(one)

    run("model/test_config", before=False, after=False)
    run("model/test_config", before=True, after=True)
    run("rules/test_facts", before=False, after=True)
    with pytest.raises(pytest.fail.Exception, match="name model/test_config in STARTS_JAX"):
        run("model/test_config", before=False, after=True)


@pytest.mark.parametrize("turn", range(2))
def test_each_test_has_a_store_of_its_own(turn: int) -> None:
    store = Path(os.environ["FLAKE8_JAX_STORE"])
    assert store.is_relative_to(conftest.STORE)
    assert not store.exists()
    assert str(store) not in SEEN
    SEEN.append(str(store))
    store.mkdir()
    assert not any(Path(earlier).exists() for earlier in SEEN[:-1]), "what an earlier test kept is gone"


def test_what_raises_goes_on() -> None:
    assert not faults.is_contained(ValueError())


@pytest.mark.usefixtures("contained")
def test_what_raises_is_contained_where_a_test_asks_for_it() -> None:
    assert faults.is_contained(ValueError())


def test_an_interrupt_ends_the_slice_of_a_day_behind_its_case(
    slice_asked: Callable[[Slice], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to: list[object] = []
    monkeypatch.setattr(signal, "signal", lambda number, handler: set_to.append(handler))
    options = SimpleNamespace(getoption=lambda name, default: default)
    session = SimpleNamespace(config=options, shouldstop=False)
    conftest.pytest_sessionstart(cast(pytest.Session, session))
    assert not set_to, "what gates is interrupted as always"
    slice_asked(Slice.ROTATING)
    conftest.pytest_sessionstart(cast(pytest.Session, session))
    (stop,) = set_to
    assert callable(stop)
    stop(signal.SIGINT, None)
    assert session.shouldstop == "the others wait for another time"
    assert set_to[1:] == [signal.default_int_handler], "a second interrupt is raised"


def test_the_collector_passes_over_what_was_collected() -> None:
    assert gc.freeze is gc.unfreeze, "what is tested freezes and thaws nothing"
    gc.freeze()
    assert conftest.FREEZE is not gc.freeze
    assert gc.get_threshold()[0] == 200_000


def test_what_goes_to_one_process() -> None:
    pytest.importorskip("xdist")
    scheduling = conftest.pytest_xdist_make_scheduler(config(), None)

    def scope(file: str, test: str) -> str:
        return cast(str, scheduling._split_scope(f"tests/{file}.py::{test}"))

    assert scope("project/test_style", "test_a") == scope("project/test_words", "test_b[1]")
    assert scope("rules/test_programs", "test_a") == scope("rules/test_programs", "test_b"), "a file as a whole"
    assert scope("model/test_config", "test_a[1]") == scope("model/test_config", "test_a[2]"), "a function's together"
    assert scope("model/test_config", "test_a") != scope("model/test_config", "test_b")
    assert scope("rules/test_facts", "test_a[1]") != scope("rules/test_facts", "test_a[2]"), "what runs JAX one by one"
    (one, *others) = sorted(conftest.LOOKS_AT_ALL_PAIRS)
    together = {scope("rules/test_fixtures", one), *(scope("rules/test_messages", each) for each in others)}
    assert together == {"all pairs"}
