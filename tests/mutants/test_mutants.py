"""Mutants of the fixtures, and derived programs, are judged without a defect; and what judges them sees defects."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest

from flake8_jax.driver import linter
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Edit, Fix, Note, Span
from flake8_jax.model.faults import Fault
from flake8_jax.model.report import Costs, Report, Statistics
from flake8_jax.syntax.source import SourceFile, parsed
from tests.mutants import judging
from tests.mutants.__main__ import show
from tests.mutants.campaign import DIED, Tally, campaign, counted
from tests.mutants.grammar import all_forms, derived, filled, program
from tests.mutants.judging import Verdict, judge
from tests.mutants.making import CUT_IN_TWO, DERIVED, KINDS, MAIN, MUTATIONS, mutant
from tests.mutants.material import ROOT, Material
from tests.mutants.shrinking import shrunk
from tests.mutants.texts import Text
from tests.support import slices
from tests.support.slices import Slice

FEW, GATING, MANY, PROGRAMS = 100, 1000, 2000, 600
SHARE = 0.6
"""The share of all mutants that must be parsed and interpreted."""

FLOORS = {
    "literals": 0.8, "names beyond ASCII": 0.6, "names swapped": 0.8, "line ends and comments": 0.55,
    "statements dropped": 0.8, "statements doubled": 0.8, "statements moved": 0.8, "statements of another program": 0.8,
    "statements derived": 0.8, "statements in blocks": 0.75, "statements in another form": 0.65, "nested deeper": 0.7,
    "decorators": 0.8, "expressions replaced": 0.8, "expressions derived": 0.75, "expressions in others": 0.75,
    "arguments": 0.65, "parameters": 0.7, "targets": 0.75, DERIVED: 0.8, CUT_IN_TWO: 0.95,
}  # fmt: skip
"""The share of each kind that must be parsed; what changes bytes, tokens, keywords or depths mostly is no Python."""


def _check(tally: Tally) -> None:
    assert tally.failures == [], "shrink them: python -m tests.mutants --count 1 --seed NUMBER"
    assert tally.reached >= SHARE * tally.made


@pytest.mark.slow
@slices.sliced
def test_many_mutants_are_judged(capsys: pytest.CaptureFixture[str]) -> None:
    """No mutant tells more than another before it is judged."""
    tally = counted(slices.chosen(range(MANY), range(GATING), daily=100))
    show(tally, 0)
    _check(tally)
    assert "interpreted" in capsys.readouterr().out
    if slices.asked() is not Slice.ROTATING:
        assert {kind for kind in KINDS if not tally.kinds[kind]} == set()
        shares = {kind: tally.parsed_kinds[kind] / tally.kinds[kind] for kind in FLOORS}
        assert {kind: share for kind, share in shares.items() if share < FLOORS[kind]} == {}


@pytest.mark.slow
def test_another_process_finds_the_same() -> None:
    """Sets of texts are in another order there."""
    code = f"import json\nfrom tests.mutants.campaign import counted\nprint(json.dumps(counted(range({FEW})).digests))"
    variables = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=variables, capture_output=True, text=True, check=True
    )
    there = {int(number): digest for number, digest in json.loads(done.stdout).items()}
    here = counted(range(FEW)).digests
    assert {number for number in range(FEW) if here[number] != there[number]} == set()


@pytest.mark.slow
def test_a_number_makes_one_mutant() -> None:
    material = Material()
    assert [mutant(number, material) for number in range(30)] == [mutant(number, Material()) for number in range(30)]
    assert len({str(mutant(number, material).files) for number in range(30)}) == 30


@pytest.mark.slow
@pytest.mark.parametrize("kind", MUTATIONS)
def test_each_kind_of_mutation_changes_programs(kind: str) -> None:
    material, mutate = Material(), MUTATIONS[kind][0]
    found = 0
    for number in range(30):
        text = Text(material.program(Random(number)))
        new = mutate(text, Random(number), material)
        found += new is not None and new not in (text.text, text.text.encode())
        assert mutate(Text(text.text), Random(number), material) == new
    assert found >= 5


# The grammar

FORMER_NODES = {
    "Num", "Str", "Bytes", "NameConstant", "Ellipsis", "AugLoad", "AugStore", "Param", "Suite", "Index", "ExtSlice",
    "Interactive", "Expression", "FunctionType", "TypeIgnore",
}  # fmt: skip
"""Classes that Python's parser makes no more, or not of a file."""


def _leaves(kind: type[ast.AST]) -> Iterable[str]:
    below = [kind for kind in kind.__subclasses__() if kind.__module__ in ("ast", "_ast")]
    yield from [name for each in below for name in _leaves(each)] or [kind.__name__]


@pytest.mark.slow
def test_every_node_of_this_python_is_derived() -> None:
    trees = [tree for number in range(PROGRAMS) if (tree := parsed(program(Random(number)))) is not None]
    assert (
        set(_leaves(ast.AST)) - {type(node).__name__ for tree in trees for node in ast.walk(tree)} - FORMER_NODES
        == set()
    )
    assert len(trees) > 0.9 * PROGRAMS


FRAMES = {
    "e": "({})", "s": "{}", "p": "match x:\n    case {}: pass", "x": "class A:\n    {}", "a": "f({})",
    "f": "def f({}): pass",
    "r": "class A[{}]: pass", "d": "@{}\ndef f(): pass", "t": "for {} in x: pass", "i": "x[{}]", "u": "del {}",
    "c": "({})(x)",
    "y": "{}",
}  # fmt: skip


@pytest.mark.slow
def test_every_form_is_mostly_python() -> None:
    wrong: Counter[str] = Counter()
    for sort, form in all_forms():
        for number in range(10):
            text = filled(form, Random(number), 2).replace("\n", "\n    " if sort == "x" else "\n")
            wrong[form.text] += parsed(FRAMES[sort].format("{}").replace("{}", text)) is None
    assert {text for text, count in wrong.items() if count > 5} == set()


def test_a_body_is_indented() -> None:
    text = filled(next(form for _, form in all_forms() if form.text == "while True:\n    <b>"), Random(3))
    assert all(line.startswith("    ") or "'''" in text for line in text.split("\n")[1:])
    assert derived("o", Random(0)) in ["+", "-", "*", "/", "//", "%", "@", "**", "<<", ">>", "&", "|", "^"]


# What judges them


Lint = Callable[[SourceFile, Config, "Projects | None"], Report]


def _planted(monkeypatch: pytest.MonkeyPatch, lint: Lint) -> Callable[[str], Verdict]:
    monkeypatch.setattr(judging, "lint", lint)
    return lambda text: judge({MAIN: text})


def _sorts(verdict: Verdict) -> list[str]:
    return [each.sort for each in verdict.problems]


PLAIN = "import jax\n\n\n@jax.jit\ndef f(x):\n    y = jax.numpy.sum(x)\n    return y\n"
FOUND = Diagnostic("JAX101", "name", "-", Span(6, 4, 6, 5), "message")


def test_a_plain_program_has_no_problem() -> None:
    verdict = judge({MAIN: PLAIN})
    assert verdict.problems == ()
    assert (verdict.is_parsed, verdict.is_reached) == (True, True)
    verdict = judge({MAIN: "import jax\nx = = 1\n"})
    assert (verdict.is_parsed, verdict.is_reached, verdict.problems) == (False, False, ())


def test_a_defect_is_told_with_its_place_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    real = linter.interpreted

    def raising(source: SourceFile, *words: object) -> object:
        if "sum" in source.text:
            raise KeyError("planted")
        return real(source, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(linter, "interpreted", raising)
    (problem,) = judge({MAIN: PLAIN}).problems
    assert problem.sort == "a defect: KeyError in driver/linter._judged"
    assert "planted" in problem.details
    text = shrunk({MAIN: PLAIN}, problem.sort)[MAIN]
    assert "sum" in text
    assert len(text) < 30, text


REPORTS: dict[str, Report] = {
    "a place outside of the file: JAX101": Report((replace(FOUND, span=Span(6, 4, 6, 99)),), None, Statistics(1, 1)),
    "a note outside of the file: JAX101": Report(
        (replace(FOUND, notes=(Note("-", 99, "text"),)),), None, Statistics(1, 1)
    ),
    "a message that is no line: JAX101": Report((replace(FOUND, message="a\nb"),), None, Statistics(1, 1)),
    "a fix that breaks the syntax: JAX101": Report(
        (replace(FOUND, fix=Fix("title", "safe", (Edit(Span(6, 4, 6, 5), "y ="),))),), None, Statistics(1, 1)
    ),
    "a fix that cannot be compiled: JAX101": Report(
        (replace(FOUND, fix=Fix("title", "safe", (Edit(Span(6, 4, 6, 5), "global x; y"),))),), None, Statistics(1, 1)
    ),
    "too many ops": Report((), None, Statistics(1, 1, costs=Costs(1, 1_000_000))),
    "a dropped piece": Report((), None, Statistics(1, 1), (Fault("the fix of JAX101", "-", 1, "ValueError"),)),
}


@pytest.mark.parametrize("sort", REPORTS)
def test_what_is_wrong_with_a_report_is_seen(sort: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _sorts(_planted(monkeypatch, lambda *_: REPORTS[sort])(PLAIN)) == [sort]


def test_other_findings_in_a_second_run_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []

    def turning(source: SourceFile, config: Config, projects: Projects | None) -> Report:
        runs.append(1)
        return Report((FOUND,) * (len(runs) % 2), None, Statistics(1, 1))

    assert _sorts(_planted(monkeypatch, turning)(PLAIN)) == ["other findings in a second run"]


def test_other_findings_in_another_order_of_files_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    first: dict[int, str] = {}

    def first_alone(source: SourceFile, config: Config, projects: Projects | None) -> Report:
        is_first = first.setdefault(id(projects), source.path) == source.path
        kept.append(projects)
        return Report((FOUND,) * is_first, None, Statistics(1, 1))

    kept: list[Projects | None] = []
    monkeypatch.setattr(judging, "lint", first_alone)
    assert _sorts(judge({"aid.py": PLAIN, MAIN: PLAIN})) == ["other findings in another order of files"]


@pytest.mark.skipif(sys.platform == "win32", reason="no timer of the processor")
def test_what_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(source: SourceFile, config: Config, projects: Projects | None) -> Report:
        while True:
            pass

    monkeypatch.setattr(judging, "SECONDS", 0.2)
    assert _sorts(_planted(monkeypatch, endless)(PLAIN)) == ["no end"]


def _dying(numbers: Iterable[int]) -> Tally:
    """What judges mutants, but number 5 ends the process."""
    tally = Tally()
    for number in numbers:
        if number == 5:
            os._exit(3)
        tally.made += 1
    return tally


@pytest.mark.slow
def test_a_process_that_dies_costs_one_mutant() -> None:
    total = Tally()
    for tally in campaign(0, 8, 1, _dying):
        total.add(tally)
    assert total.made == 8
    assert [(one.number, one.problem.sort) for one in total.failures] == [(5, DIED)]
