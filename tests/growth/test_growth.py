"""Judging a program twice as long takes at most 2.2 times the work, in ops and in the interpreter's count of calls.

The slice that always runs has every family of generated programs at a small size; `python -m tests.growth` has larger
ones, and those that are made of the fixtures.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from flake8_jax.model.config import Config
from flake8_jax.model.report import Report, Statistics
from tests.growth import measuring
from tests.growth.families import FAMILIES
from tests.growth.family import FILE, written
from tests.growth.growth import TITLE, Growth
from tests.growth.measuring import Measured, measured
from tests.growth.worker import Job, Worker, grown
from tests.support import slices

SECONDS = 20
"""CPU time of one measurement of the slice; it takes less than one second."""

SMALL = {one.name: one.small for one in FAMILIES.values() if one.small is not None}


WORD = re.compile(r"[\w.]+|[-+*/@<>=]+")


def aspects(family: str) -> set[object]:
    """The words and operators of a family's programs, names of its own apart."""
    texts = FAMILIES[family].write(2).values()
    return {word for text in texts for word in WORD.findall(text) if not any(map(str.isdigit, word))}


@pytest.mark.slow
@slices.sliced
def test_no_family_grows_faster_than_its_programs() -> None:
    sizes = {name: SMALL[name] for name in slices.taken(SMALL, aspects, daily=10, most=16)}
    fast = [growth for growth in grown(sizes, 2, SECONDS, is_detailed=False) if not growth.is_bounded]
    names = ",".join(growth.family for growth in fast)
    rows = [TITLE, *(growth.row() for growth in fast), f"python -m tests.growth --small --families {names}"]
    assert not fast, "\n".join([f"{len(fast)} of {len(sizes)} families", *rows, "shows who calls whom"])


def test_counts_are_the_same_in_every_run() -> None:
    names = ("chain_of_names", "equinox_layers", "files_in_layers")
    runs: list[dict[str, Measured | None]] = []
    for order in (names, names[::-1]):
        worker = Worker()
        runs.append({name: worker.measure(Job(name, 6, SECONDS)) for name in order})
        worker.close()
    assert "\n".join(line for name in names for line in _differences(name, *(run[name] for run in runs))) == ""


def test_calls_are_the_same_number_with_and_without_details() -> None:
    files = FAMILIES["files_in_a_chain"].write(3)
    measured(files)  # reads modules and tables
    detailed, plain = measured(files), measured(files, is_detailed=False)
    assert plain.calls == detailed.calls == sum(detailed.by_function.values())


def _differences(name: str, one: Measured | None, other: Measured | None) -> Iterator[str]:
    """The ops are the same; of calls one in a thousand may differ, as a set has no order, and what is asked of one ends
    where the answer is found.
    """
    assert one is not None
    assert other is not None
    assert one.calls > 1000
    if one.ops != other.ops:
        yield f"{name}: {one.ops} and {other.ops} ops"
    if abs(one.calls - other.calls) * 1000 > one.calls:
        yield f"{name}: {one.calls} and {other.calls} calls"


def walked(lines: list[str]) -> int:
    """A search in vain."""
    return sum(1 for one in lines for line in lines if searched(line))


def searched(line: str) -> bool:
    return line.startswith("x")


def test_a_search_that_counts_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(path: str, config: Config, projects: object) -> Report:
        with open(path, encoding="utf-8") as file:
            walked(file.readlines())
        return Report((), None, Statistics())

    monkeypatch.setattr(measuring, "check_file", checked)
    growth = Growth("planted", 20, measured({FILE: ""}), [measured({FILE: "y\n" * many}) for many in (20, 40)])
    assert growth.ops == [0.0]
    assert growth.calls is not None
    assert growth.calls[0] > 3.5
    assert not growth.is_bounded
    assert any(":searched" in line.replace(" ", ":") and "<genexpr>" in line for line in growth.culprits())


def test_what_does_not_end_or_is_not_judged_is_not_bounded() -> None:
    fine = Measured(ops=10, calls=10)
    assert Growth("fine", 1, Measured(), [fine, Measured(ops=22, calls=22)]).is_bounded
    assert not Growth("ops", 1, Measured(), [fine, Measured(ops=23, calls=20)]).is_bounded
    assert not Growth("calls", 1, Measured(), [fine, Measured(ops=20, calls=23)]).is_bounded
    assert not Growth("later", 1, Measured(), [fine, Measured(ops=20, calls=20), Measured(ops=40, calls=50)]).is_bounded
    assert not Growth("less", 1, Measured(calls=15), [fine, Measured(ops=20, calls=20)]).is_bounded
    assert not Growth("faults", 1, Measured(), [fine, Measured(ops=20, calls=20, faults=1)]).is_bounded
    endless = Growth("endless", 1, Measured(), [fine, None])
    assert not endless.is_bounded
    assert endless.row().split()[2:6] == ["unbounded", "at", "size", "2"]


def test_a_measurement_that_takes_too_long_is_given_up() -> None:
    worker = Worker()
    assert worker.measure(Job("long_module", 100_000, 1)) is None
    assert worker.measure(Job("long_module", 2, SECONDS)) is not None
    worker.close()


def test_what_is_marked_stands_there_once_for_each_part() -> None:
    text = "def f(${p$i, }last):\n    pass\n    | x$j = x$i\n    | y = $(i+2%n)\n    return x$n, $(n-1)\n"
    assert written("import a\n", text, 2) == {
        FILE: "import a\ndef f(p0, p1, last):\n    pass\n"
        "    x1 = x0\n    y = 0\n    x2 = x1\n    y = 1\n    return x2, 1\n"
    }  # fmt: skip
    assert written("import a\n", "-- a/b.py\n-- a$(i/2)/c$i.py\nx = $i\n", 3) == {
        "a/b.py": "", "a0/c0.py": "import a\nx = 0\n", "a0/c1.py": "import a\nx = 1\n", "a1/c2.py": "import a\nx = 2\n",
    }  # fmt: skip
    with pytest.raises(ValueError, match="outside of a part"):
        written("", "x = $i\n", 2)


def test_programs_are_python_at_every_size() -> None:
    wrong = []
    for name, small in SMALL.items():
        for size in (0, 1, small):
            for path, text in FAMILIES[name].write(size).items():
                try:
                    ast.parse(text)
                except SyntaxError as error:
                    wrong.append(f"{name} at {size}, {path}:{error.lineno}: {error.msg}")
    assert not wrong, "\n".join(wrong)


def test_the_command_has_programs_as_long_as_real_ones() -> None:
    def largest(name: str) -> list[str]:
        family = FAMILIES[name]
        return list(family.write(4 * family.large).values())

    assert largest("long_module")[0].count("\n") >= 12_000
    assert largest("long_function")[0].count("\n") >= 2_000
    packages = [name for name in SMALL if len(FAMILIES[name].write(3)) > 1]
    assert len(packages) > 15
    assert {name for name in packages if len(largest(name)) < 2_000} == set()
