"""Defects planted in each place where a piece of a report is made: the piece is missing, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from flake8_jax import rules
from flake8_jax.analysis import interpretation
from flake8_jax.analysis.calls import dispatch, transforms
from flake8_jax.analysis.checks import concrete, context, discarded, instead
from flake8_jax.analysis.checks.advice import printing
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.interpreter import INTERPRETER
from flake8_jax.analysis.modules import callers, reachability
from flake8_jax.analysis.program import NEVER, Program
from flake8_jax.analysis.summaries import application, records
from flake8_jax.domain.value import Value
from flake8_jax.driver.linter import lint
from flake8_jax.driver.processes import check_files
from flake8_jax.driver.projects import Projects
from flake8_jax.fixes import trees
from flake8_jax.ir import ops
from flake8_jax.ir.lower import files as lowering
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.model.report import Report
from flake8_jax.rules.rule import Discovered
from flake8_jax.syntax.source import SourceFile
from tests.support.commands import HAS_FORK, Check, checking
from tests.support.layouts import tree

pytestmark = pytest.mark.usefixtures("contained")

JAX = "import jax\nimport jax.numpy as jnp\n"
FILES = {
    "pyproject.toml": "",
    "ops.py": f"""{JAX}

def relu(x):
    if x > 0:
        return x
    return 0 * x

def draw(key):
    first = jax.random.normal(key)
    return first + jax.random.uniform(key)

def store(n):
    x = jnp.zeros(n)
    x[0] = 1.0
    return x

def shape(x):
    return x @ x

def shaped(key, x):
    return shape(x) + jax.random.normal(key)

def outer(x):
    def inner(y):
        return jax.random.normal(y) + jax.random.uniform(y)
    return inner

total = jnp.zeros(3)
total[0] = 2.0
count = 7 // 2
row = jnp.ones(count)
row[1] = 1.0
last = jax.jit(lambda v: print(v))
""",
    "train.py": f"""{JAX}
from ops import relu, shaped

@jax.jit
def step(params):
    return relu(params)

def again(key, x):
    return shaped(key, x) + jax.random.normal(key)
""",
    "alone.py": f"""{JAX}
from dataclasses import dataclass

class Agent:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def act(self, x):
        return x + jax.random.normal(self.key)

@jax.jit
def shown(x):
    print("x is", x)
    return x

def mean(a, b):
    return jnp.mean([a, b])
""",
}
NAMES = ("alone.py", "ops.py", "train.py")
EVERYTHING = Config(tests=True, enable=("JAX",), no_store=True)
"""All rules, of whatever status: most are in preview."""

Files = Mapping[str, list[Diagnostic]]


class PlantedError(TypeError):
    """A defect that a test has planted."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    tree(folder, FILES)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    return checking(capsys)


def reports(config: Config = EVERYTHING, projects: Projects | None = None, *names: str) -> dict[str, Report]:
    projects = projects or Projects(config, NAMES)
    return {name: lint(projects.read(name), config, projects) for name in names or NAMES}


def findings(found: Mapping[str, Report]) -> dict[str, list[Diagnostic]]:
    return {name: [one for one in report.diagnostics if one.code != "JAX000"] for name, report in found.items()}


def in_part(found: Mapping[str, Report]) -> dict[str, list[str]]:
    """What JAX000 says of each file of which not all was judged."""
    said = {name: [one for one in report.diagnostics if one.code == "JAX000"] for name, report in found.items()}
    assert all(len(rows) <= 1 and bool(rows) == bool(found[name].faults) for name, rows in said.items())
    return {name: [f"{one.span.line}: {one.message}" for one in rows] for name, rows in said.items() if rows}


# What is planted.

Plant = Callable[[pytest.MonkeyPatch], None]
Raises = Callable[..., bool]


def always(*given: object) -> bool:
    return True


def raising(real: Any, raises: Raises = always, error: type[BaseException] = PlantedError) -> Any:
    """A function that raises where it is asked to."""

    def planted(*given: Any, **named: Any) -> Any:
        if raises(*given):
            raise error("planted")
        return real(*given, **named)

    return planted


def into(module: ModuleType | type, name: str, raises: Raises = always) -> Plant:
    """A defect in a function of a module."""
    return lambda monkeypatch: monkeypatch.setattr(module, name, raising(getattr(module, name), raises))


def into_op(kind: type, raises: Raises, error: type[BaseException] = PlantedError) -> Plant:
    """A defect in what evaluates or runs an op."""
    table: Any = INTERPRETER.runners if kind in INTERPRETER.runners else INTERPRETER.evaluators
    return lambda monkeypatch: monkeypatch.setitem(table, kind, raising(table[kind], raises, error))


def into_rule(code: str, what: str) -> Plant:
    """A defect in the check of a rule, or in what it has for a fix."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        changed: tuple[Discovered, ...] = tuple(
            replace(one, **{what: raising(getattr(one, what))}) if one.rule.code == code else one
            for one in rules.discover()
        )
        monkeypatch.setattr(rules, "discover", lambda: changed)

    return plant


def of(name: str) -> Raises:
    """In the frame of a function."""
    return lambda frame, *rest: frame.function.name == name


def on(line: int, path: str = "ops.py") -> Raises:
    """At the top level of a module, on a line."""
    return lambda frame, op, *rest: (
        frame.function.name == "<module>" and op.anchor.line == line and op.anchor.origin.shown == path
    )


def line_of(text: str, name: str = "ops.py") -> int:
    return FILES[name].splitlines().index(text) + 1


@dataclass(frozen=True, slots=True)
class Case:
    """A plant; what is said of which line of each file; the findings that it costs, and what of others it changes."""

    plant: Plant
    said: Mapping[str, tuple[int, str]]
    lost: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    error: str = "PlantedError: planted"


RELU, SHAPE, DRAW = line_of("def relu(x):"), line_of("def shape(x):"), line_of("def draw(key):")
IF, X, TOTAL = line_of("    if x > 0:"), line_of("    x[0] = 1.0"), line_of("total[0] = 2.0")
COUNT, ROW, LAST = line_of("count = 7 // 2"), line_of("row[1] = 1.0"), line_of("last = jax.jit(lambda v: print(v))")
STEP, AGAIN = line_of("def step(params):", "train.py"), line_of("def again(key, x):", "train.py")
AGENT, SHOWN = line_of("class Agent:", "alone.py"), line_of('    print("x is", x)', "alone.py")
MEAN = line_of("    return jnp.mean([a, b])", "alone.py")

CASES = {
    "a check": Case(
        into_rule("JAX201", "check"), lost=("ops.py JAX201",) * 3, said={"ops.py": (X, "a finding of JAX201 and 2 more")}
    ),
    "a fix of a rule": Case(
        into_rule("JAX203", "fix"), changed=("alone.py JAX203: fix",), said={"alone.py": (MEAN, "the fix of JAX203")}
    ),
    "a fix in libcst": Case(
        into(trees, "edit_of", lambda change, *rest: change.op.anchor.line == TOTAL),
        changed=("ops.py JAX201: fix",), said={"ops.py": (TOTAL, "the fix of JAX201")},
    ),
    "an advice in words": Case(
        into(instead, "unused"),
        changed=("ops.py JAX101: message", "ops.py JAX101: message", "train.py JAX101: message"),
        said={"ops.py": (DRAW, "the advice of a finding and 2 more"), "train.py": (AGAIN, "the advice of a finding")},
    ),
    "an advice with changes": Case(
        into(instead, "_bound"), changed=("ops.py JAX201: message, fix",) * 3,
        said={"ops.py": (X, "the advice of a finding and 2 more")},
    ),
    "the changes alone": Case(
        into(printing, "_shown"), changed=("alone.py JAX301: fix", "ops.py JAX301: fix"),
        said={"alone.py": (SHOWN, "the advice of a finding"), "ops.py": (LAST, "the advice of a finding")},
    ),
    "a note": Case(
        into(context, "Note", lambda path, line, text: "there by" in text), changed=("train.py JAX101: notes",),
        said={"train.py": (AGAIN + 1, "the notes of a finding")},
    ),
    "an event": Case(
        into(concrete, "phrase"), lost=("ops.py JAX401",),
        said={"ops.py": (IF, "a finding"), "train.py": (1, f"a finding on line {IF} of ops.py")},
    ),
    "an op of a function": Case(
        into_op(ops.Operate, of("shape")),
        said={"ops.py": (SHAPE, "`shape`"), "train.py": (1, f"`shape` on line {SHAPE} of ops.py")},
    ),
    "an op of a function with findings": Case(
        into_op(ops.Operate, of("draw")), lost=("ops.py JAX101",), said={"ops.py": (DRAW, "`draw`")}
    ),
    "an op of a function that others call": Case(
        into_op(ops.Operate, of("relu")), lost=("ops.py JAX401",),
        said={"ops.py": (RELU, "`relu`"), "train.py": (1, f"`relu` on line {RELU} of ops.py")},
    ),
    "an op that is nested too deeply": Case(
        into_op(ops.Operate, of("draw"), RecursionError), lost=("ops.py JAX101",), said={"ops.py": (DRAW, "`draw`")},
        error="RecursionError: planted",
    ),
    "a function inside another": Case(
        into_op(ops.Call, of("inner")), lost=("ops.py JAX101",),
        said={"ops.py": (line_of("    def inner(y):"), "`outer.<locals>.inner`")},
    ),
    "the application of a summary": Case(
        into(dispatch, "apply_summary", lambda frame, *rest: frame.function.name == "again"),
        lost=("train.py JAX101",),
        said={"ops.py": (1, f"`again` on line {AGAIN} of train.py"), "train.py": (AGAIN, "`again`")},
    ),
    "a precondition at a call": Case(
        into(application, "_apply_precondition", lambda site, *rest: site.frame.function.name == "step"),
        lost=("ops.py JAX401",),
        said={"ops.py": (1, f"`step` on line {STEP} of train.py"), "train.py": (STEP, "`step`")},
    ),
    "a statement": Case(into_op(ops.Operate, on(COUNT)), said={"ops.py": (COUNT, "a statement")}),
    "a statement with a finding": Case(
        into_op(ops.Store, on(TOTAL)), lost=("ops.py JAX201",), said={"ops.py": (TOTAL, "a statement")}
    ),
    "a statement that makes a class": Case(
        into_op(ops.MakeClass, always), lost=("alone.py JAX103",), said={"alone.py": (AGENT, "a statement")}
    ),
    "a statement that is lowered": Case(
        into(lowering, "lower_statements", lambda nodes, lines, scope, origin, *rest: origin.line == TOTAL),
        lost=("ops.py JAX201",),
        said={"ops.py": (TOTAL, "a statement")},
    ),
    "a call from unknown code": Case(
        into(transforms, "anonymous_arguments", lambda wrapped: "lambda" in wrapped.payload.text()),
        lost=("ops.py JAX301",), said={"ops.py": (LAST, "what may call a traced function")},
    ),
    "a caller": Case(
        into(callers, "_use_all", lambda search, file, words: file.path.endswith("train.py")), lost=("ops.py JAX401",),
        said={"ops.py": (1, "a caller on line 1 of train.py")},
    ),
    "all callers": Case(
        into(callers, "_follow", lambda search: search.home.path.endswith("ops.py")), lost=("ops.py JAX401",),
        said={"ops.py": (1, "the search for callers")},
    ),
    "what leads to a statement": Case(
        into(reachability, "_gathered", lambda reach, value, *rest: "relu" in value.payload.text()),
        lost=("ops.py JAX401",), said={"ops.py": (RELU, "what leads to a statement and 1 more")},
    ),
    "the check of classes": Case(
        into(interpretation, "check_classes", lambda file, *rest: file.path.endswith("alone.py")),
        lost=("alone.py JAX103",), said={"alone.py": (1, "the check of classes")},
    ),
    **{
        what: Case(into(interpretation, name), said={file: (1, what) for file in NAMES})
        for what, name in {
            "the count of calls": "repeated", "the check of stale reads": "stale_reads",
            "the check of what is presumed": "presumptions", "the check of untraced functions": "breaking",
            "the comparison of findings": "told_once",
        }.items()
    },
}  # fmt: skip


@contextmanager
def planted(plant: Plant) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        plant(monkeypatch)
        yield


PARTS = ("message", "notes", "fix")


def apart(normal: Files, broken: Files) -> tuple[list[str], list[str], list[str]]:
    """The findings that are lost, what is changed in those that are not, and what is new."""
    lost, changed, new = list[str](), list[str](), list[str]()
    for name in NAMES:
        before = {(one.code, one.span): one for one in normal[name]}
        after = {(one.code, one.span): one for one in broken[name]}
        lost += [f"{name} {code}" for code, span in before if (code, span) not in after]
        new += [f"{name} {code}" for code, span in after if (code, span) not in before]
        for key in before.keys() & after.keys():
            parts = [part for part in PARTS if getattr(before[key], part) != getattr(after[key], part)]
            changed += [f"{name} {key[0]}: {', '.join(parts)}"] * bool(parts)
    return lost, sorted(changed), new


@pytest.fixture(scope="module")
def normal(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("normal")
    tree(folder, FILES)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        found = reports()
    assert not any(report.faults or report.given_up for report in found.values())
    return findings(found)


def test_what_is_found_without_a_defect(normal: Files) -> None:
    """The cases cost something only if there is something to lose."""
    assert {name: [one.code for one in found] for name, found in normal.items()} == {
        "alone.py": ["JAX103", "JAX301", "JAX203"],
        "ops.py": ["JAX401", "JAX101", "JAX201", "JAX101", "JAX201", "JAX201", "JAX301"],
        "train.py": ["JAX101"],
    }


@pytest.mark.parametrize("name", CASES)
def test_a_defect_costs_its_piece_and_nothing_else(name: str, project: Path, normal: Files) -> None:
    case = CASES[name]
    with planted(case.plant):
        found = reports()
    assert apart(normal, findings(found)) == (list(case.lost), list(case.changed), [])
    start, end = "judged in part: a defect of flake8-jax dropped", f"({case.error}); please report it"
    said = {file: [f"{line}: {start} {what} {end}"] for file, (line, what) in case.said.items()}
    assert in_part(found) == said


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_does_not_depend_on_the_order_of_the_files(name: str, project: Path) -> None:
    """A function that was dropped for one file is dropped for all, whoever asked for it first."""
    with planted(CASES[name].plant):
        found, others = reports(), reports(EVERYTHING, None, *reversed(NAMES))
        alone = {name: reports(EVERYTHING, None, name)[name] for name in NAMES}
    assert found == others == alone


@pytest.mark.parametrize("name", CASES)
def test_the_program_is_as_it_was(name: str, project: Path, normal: Files) -> None:
    """Nothing runs any more, and where the defect is gone, a new state of the same project knows nothing of it."""
    projects = Projects(EVERYTHING, NAMES)
    with planted(CASES[name].plant):
        first = reports(EVERYTHING, projects)
        assert reports(EVERYTHING, projects) == first, "what is remembered in the process says the same"
    check_at_rest(projects)
    for path in NAMES:
        projects.forget(projects.read(path))
    found = reports(EVERYTHING, projects)
    assert apart(normal, findings(found)) == ([], [], [])
    assert not in_part(found)


def check_at_rest(projects: Projects) -> None:
    """Is nothing running, and does nothing hold only for as long as something runs?"""
    program: Program = projects.linked(projects.read("ops.py")).program
    assert (program.running, program.recursive, program.provisional, program.bound) == ({}, set(), {}, {})
    assert (program.members, program.lowest, program.nesting, program.depth) == ([], NEVER, 0, 0)


def test_what_ends_the_run_is_not_contained(project: Path) -> None:
    for error in (KeyboardInterrupt, SystemExit):
        with planted(into_op(ops.Operate, of("draw"), error)), pytest.raises(error):
            reports()


def test_where_memory_is_out_the_file_is_given_up(project: Path, normal: Files) -> None:
    with planted(into_op(ops.Operate, of("draw"), MemoryError)):
        found = reports()
    assert (found["ops.py"].given_up, found["ops.py"].faults) == ("out of memory", ())
    assert findings(found) == {**normal, "ops.py": []}
