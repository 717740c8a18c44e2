"""The order of the tests, which of them one process runs, which are slow, and which slice of the long lists is taken.

Those that start JAX in this process come last, since a process that has may not fork; no other test may.  What
the linter remembers is kept in a folder of each test's own, since files of the same content share it wherever they lie.
What raises in the analysis costs users a piece; here it costs the file, so that no test passes over a defect.
"""

from __future__ import annotations

import atexit
import gc
import itertools
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path, PurePath
from typing import Any

import hypothesis
import pytest

from flake8_jax import lazy_dataclasses

lazy_dataclasses.IS_GUARDED = True  # before a class is made: in all tests it raises to assign to a frozen object

from flake8_jax.api import measured  # noqa: E402
from flake8_jax.model import faults  # noqa: E402
from tests.support import slices  # noqa: E402

STORE = tempfile.mkdtemp(prefix="flake8-jax-tests-")
os.environ["FLAKE8_JAX_STORE"] = STORE
atexit.register(shutil.rmtree, STORE, ignore_errors=True)
STORES = itertools.count()
# Programs that run once are compiled in less time if XLA does not optimize them, and without the emitters of fusions,
# which take a third of it: what these releases can be told, others refuse.
FLAGS = ["--xla_backend_optimization_level=0", "--xla_llvm_disable_expensive_passes=true"]
if (measured.installed() or "").startswith(("0.6.", "0.7.", "0.8.", "0.9.", "0.10.")):
    FLAGS.append("--xla_cpu_use_fusion_emitters=false")
os.environ.setdefault("XLA_FLAGS", " ".join(FLAGS))

# Trees and ops are many and short-lived, hardly any of them in circles: to look for those that are takes a twelfth of
# the time at Python's own thresholds.
gc.set_threshold(200_000, 20, 50)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in what a shell starts beside itself, and all that it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("the same each time", derandomize=True, deadline=None)
hypothesis.settings.load_profile("the same each time")

# The tests of each of these have something in common that is dear: they come first, and one process runs them all.
PREPARED = (
    "runtime/test_phenomena", "runtime/test_verify", "runtime/test_mutants", "runtime/test_measured",
    "rules/test_programs", "project/test_corpus",
)  # fmt: skip
STARTS_JAX = (
    "runtime/test_ledger", "runtime/test_measured_keys", "runtime/test_measured_names", "runtime/test_measured_host",
    "runtime/test_measured_transforms", "runtime/test_effects", "runtime/test_jaxprs", "runtime/test_compat",
    "runtime/test_unreached",
    "fuzzing/test_referee", "api/test_contracts", "api/test_demands", "api/test_derivatives", "api/test_optimizers",
    "api/test_pieces", "rules/test_key_signatures", "fixes/test_control_flow", "fixes/test_remedies",
    "rules/test_facts", "rules/test_facts_of_time", "api/test_behaviours", "api/test_shapes",
)  # fmt: skip
FRONT_ENDS_AND_STORES = (
    "driver/test_notebooks", "driver/test_live", "driver/test_hooks", "driver/test_ends", "driver/test_kept_searches",
    "driver/test_faults", "driver/test_cli_gate", "formats/test_sarif", "fixes/test_cli_fix", "cache/test_six_ways",
    "cache/test_told", "cache/test_copies", "cache/test_reports", "cache/test_store_failing", "analysis/test_budget",
    "analysis/test_robust", "project/test_added_cost", "project/test_readers",
)  # fmt: skip
"""What judges one project again and again, through one front end or store after another."""
# What starts JAX or many processes, or analyses much code; some tests of other files are marked where they stand.
OF_ALL_MODULES = (
    "project/test_architecture", "project/test_honest", "project/test_layers", "project/test_style",
    "project/test_words",
)  # fmt: skip
"""Rules about this repository: they read and parse all modules of the package, once."""
SLOW = {
    *FRONT_ENDS_AND_STORES, *OF_ALL_MODULES, "domain/test_domain", "ir/test_positions", "api/test_table_rows",
    *PREPARED, *STARTS_JAX, "runtime/test_measured_versions", "runtime/test_startup", "runtime/test_evidence",
    "effects/test_effects", "runtime/test_confirm",
    "stores/test_stores", "concreteness/test_concreteness", "project/test_precommit", "project/test_ci",
    "project/test_corpus_rows", "rules/test_variants", "driver/test_other_systems", "driver/test_interrupt",
    "driver/test_many_files",
    "driver/test_processes", "driver/test_option_names", "driver/test_reduce", "driver/test_gate", "fixes/test_pairs",
    "fixes/test_statement_forms", "growth/test_growth",
}  # fmt: skip
WHOLE = {
    *PREPARED, *(f"runtime/test_measured_{part}" for part in ("keys", "names", "host")), "project/test_precommit",
    "project/test_ci", "runtime/test_confirm",
    "effects/test_effects", "stores/test_stores", "concreteness/test_concreteness", "contracts/test_contracts",
    "fixes/test_statement_forms",
}  # fmt: skip
LOOKS_AT_ALL_PAIRS = {
    "test_every_expectation_is_met_and_nothing_else_is_said", "test_good_is_silent_under_all_rules",
    "test_what_to_write_is_python", "test_messages_follow_the_convention",
    "test_every_finding_of_the_fixtures_has_a_fingerprint_of_its_own", "test_other_pairs_have_no_fixes",
    "test_every_fixture_can_be_silenced", "test_the_fixed_function_is_its_twin",
    "test_a_second_run_changes_nothing",
}  # fmt: skip
"""What is said of a pair is found out once, for all of these, and what becomes of it when it is fixed."""
PLANTS_DEFECTS = {
    "test_a_defect_costs_its_piece_and_nothing_else", "test_what_is_said_does_not_depend_on_the_order_of_the_files",
}  # fmt: skip
"""So is what is said with a defect."""
READS_PAIRS = {"runtime/test_verify", "runtime/test_mutants", "runtime/test_evidence"}
"""The pairs of the fixtures are read once for all of these, which takes seconds."""
GROUPS = {"all pairs": LOOKS_AT_ALL_PAIRS, "defects": PLANTS_DEFECTS}

FREEZE = gc.freeze
STARTED = pytest.StashKey[bool]()
KEPT = pytest.StashKey[str]()
ORDER = {name: number for number, name in enumerate((*PREPARED, "", *STARTS_JAX), -len(PREPARED))}


def name_of(path: PurePath) -> str:
    """A file of tests as it is named above: its folder and its name."""
    return f"{path.parent.name}/{path.stem}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what the quick loop leaves out, much of which imports JAX, nor, for what gates nothing, files
    that take no slice.
    """
    if config.option.markexpr == "not slow":
        return True if name_of(collection_path) in SLOW else None
    if slices.asked() is not slices.Slice.GATING and collection_path.suffix == ".py":
        return None if "slices." in collection_path.read_text(encoding="utf-8") else True
    return None


def pytest_configure(config: pytest.Config) -> None:
    """Take the slice that is asked for."""
    slices.ask(config.option.markexpr)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Have an interrupt end the slice that rotates behind the case that runs, so that what was run is summed up.

    Raised inside of one it has pytest write down the arguments of all calls, which are whole programs: that takes
    minutes.  A second one is raised.
    """
    if slices.asked() is not slices.Slice.ROTATING or session.config.getoption("dist", "no") != "no":
        return

    def stop(*_: object) -> None:
        session.shouldstop = "the others wait for another time"
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, stop)


def pytest_report_header() -> str:
    """The slice, and the day, by which a run can be repeated."""
    shown = {slices.Slice.GATING: "that gates", slices.Slice.FULL: "that is all"}
    return f"slice: the one {shown.get(slices.asked(), f'that rotates, FLAKE8_JAX_DAY={slices.DAY}')}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in order, leave the order within each as it is, and mark those that are slow.

    Where the day's cases are stopped after a while, those come first that start no JAX.
    """
    if slices.asked() is slices.Slice.ROTATING:
        items.sort(key=lambda item: name_of(item.path) in SLOW)
    else:
        items.sort(key=lambda item: ORDER.get(name_of(item.path), 0))
    for item in items:
        if name_of(item.path) in SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Have the collector pass over what was collected: thousands of tests that stay, and are no garbage.

    What is tested thaws what it froze, and with that these: each of its collections would take a second.
    """
    gc.collect()
    gc.freeze()
    gc.freeze = gc.unfreeze = lambda: None


@pytest.fixture
def only_new_is_collected() -> None:
    """Have the collector pass over what earlier tests left, too, for tests that collect many times."""
    gc.collect()
    FREEZE()


def is_jax_started() -> bool:
    """Has JAX been started in this process?"""
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bridge is not None and bridge.backends_are_initialized()


@pytest.fixture(autouse=True)
def nothing_is_contained(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what raises go on, but in tests that ask for `contained`."""
    if "contained" not in request.fixturenames:
        monkeypatch.setattr(faults, "is_contained", lambda error: False)


@pytest.fixture
def contained() -> None:
    """Keep what raises small, as it is for users."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give the test a store of its own, and note whether JAX was started before it."""
    item.stash[KEPT] = os.environ["FLAKE8_JAX_STORE"] = f"{STORE}/{next(STORES)}"
    item.stash[STARTED] = is_jax_started()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Refuse a test that starts JAX, if its file is not named: later tests that fork would fail in its place."""
    shutil.rmtree(item.stash[KEPT], ignore_errors=True)
    if is_jax_started() and not item.stash[STARTED] and name_of(item.path) not in STARTS_JAX:
        pytest.fail(f"JAX was started in this process: name {name_of(item.path)} in STARTS_JAX")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal out tests in order: a function's together, what runs JAX one by one, and some files as a whole."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
        """What goes to one process together."""

        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            name = name_of(PurePath(file))
            if name in OF_ALL_MODULES:
                return "modules"
            if name in READS_PAIRS:
                return "pairs"
            function = nodeid.partition("[")[0]
            for title, together in GROUPS.items():
                if name not in WHOLE and function.rpartition("::")[2] in together:
                    return title
            return file if name in WHOLE else nodeid if name in STARTS_JAX else function

    config.option.loadscopereorder = False
    return Scheduling(config, log)
