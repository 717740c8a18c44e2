"""Defects planted in each place where a piece of a report is made: the piece is missing, and nothing else is."""

from __future__ import annotations

import ast
import inspect
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from flake8_jax import rules
from flake8_jax.analysis import interpretation
from flake8_jax.analysis.calls import dispatch, transforms
from flake8_jax.analysis.checks import concrete, context, instead
from flake8_jax.analysis.checks.advice import printing
from flake8_jax.analysis.checks.keys import remedies
from flake8_jax.analysis.interpreter import INTERPRETER
from flake8_jax.analysis.modules import callers, reachability
from flake8_jax.analysis.program import NEVER, Program
from flake8_jax.analysis.summaries import application
from flake8_jax.driver.cli.main import main
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
from tests.support.commands import HAS_FORK, Check, checking
from tests.support.expectations import FIXTURES
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
"""All rules, of whatever status: some are off."""

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
        into_rule("JAX201", "check"), lost=("ops.py JAX201",) * 3,
        said={"ops.py": (X, "a finding of JAX201 and 2 more")},
    ),
    "a fix of a rule": Case(
        into_rule("JAX203", "fix"), changed=("alone.py JAX203: message, fix",),
        said={"alone.py": (MEAN, "the fix of JAX203")},
    ),
    "a fix in libcst": Case(
        into(trees, "edit_of", lambda change, *rest: change.op.anchor.line == TOTAL),
        changed=("ops.py JAX201: message, fix",), said={"ops.py": (TOTAL, "the fix of JAX201")},
    ),
    "an advice in words": Case(
        into(remedies, "_plan"),
        changed=("ops.py JAX101: message", "ops.py JAX101: message", "train.py JAX101: message"),
        said={
            "ops.py": (DRAW + 2, "the advice of a finding and 1 more"),
            "train.py": (AGAIN + 1, "the advice of a finding"),
        },
    ),
    "an advice with changes": Case(
        into(instead, "_bound"), changed=("ops.py JAX201: message, fix",) * 3,
        said={"ops.py": (X, "the advice of a finding and 2 more")},
    ),
    "the changes alone": Case(
        into(printing, "_shown"), changed=("alone.py JAX301: message, fix", "ops.py JAX301: fix"),
        said={"alone.py": (SHOWN, "the advice of a finding"), "ops.py": (LAST, "the advice of a finding")},
    ),
    "a note": Case(
        into(context, "Note", lambda path, line, text: "uses it there" in text), changed=("train.py JAX101: notes",),
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
        into(application, "substitute", lambda site, *rest: site.frame.function.name == "step"),
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
        lost=("ops.py JAX201",), said={"ops.py": (TOTAL, "a statement")},
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
        into(callers, "_follow", lambda search, *rest: search.home.path.endswith("ops.py")), lost=("ops.py JAX401",),
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
        what: Case(into(interpretation, name), said=dict.fromkeys(NAMES, (1, what)))
        for what, name in {
            "the count of calls": "repeated", "the check of stale reads": "stale_reads",
            "the check of what is presumed": "presumptions", "the check of untraced functions": "breaking",
            "the comparison of findings": "without_repeated_attribute_uses",
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
        "ops.py": ["JAX401", "JAX101", "JAX201", "JAX101", "JAX901", "JAX201", "JAX201", "JAX301"],
        "train.py": ["JAX101"],
    }


@cache
def with_defect(name: str) -> dict[str, Report]:
    """What is said of the project with the defect of a case: the same wherever a test has laid it."""
    with planted(CASES[name].plant):
        return reports()


@pytest.mark.parametrize("name", CASES)
def test_a_defect_costs_its_piece_and_nothing_else(name: str, project: Path, normal: Files) -> None:
    case, found = CASES[name], with_defect(name)
    assert apart(normal, findings(found)) == (list(case.lost), list(case.changed), [])
    start, end = "judged in part: a defect of flake8-jax dropped", f"({case.error}); please report it"
    said = {file: [f"{line}: {start} {what} {end}"] for file, (line, what) in case.said.items()}
    assert in_part(found) == said


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_what_is_said_does_not_depend_on_the_order_of_the_files(name: str, project: Path) -> None:
    """A function that was dropped for one file is dropped for all, whoever asked for it first."""
    found = with_defect(name)
    with planted(CASES[name].plant):
        others = reports(EVERYTHING, None, *reversed(NAMES))
        alone = {name: reports(EVERYTHING, None, name)[name] for name in NAMES}
    assert found == others == alone


@pytest.mark.slow
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


def check_at_rest(projects: Projects, name: str = "ops.py") -> None:
    """Is nothing running, and does nothing hold only for as long as something runs?"""
    program: Program = projects.linked(projects.read(name)).program
    assert (program.running, program.provisional, program.bound) == ({}, {}, {})
    assert (program.members, program.lowest, program.nesting, program.depth) == ([], NEVER, 0, 0)


def test_a_function_that_is_nested_too_deeply_costs_itself_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter's own bound, met where there is little room left."""

    @contextmanager
    def shallow() -> Iterator[None]:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(len(inspect.stack(0)) + 196)
        try:
            yield
        finally:
            sys.setrecursionlimit(before)

    deep = f"\n\ndef deep(x):\n    return {' + '.join(['x'] * 150)}\n\ndef on(key, x):\n    return deep(x), deep(x)\n"
    text = FILES["ops.py"] + deep
    tree(project, {"ops.py": text})
    known = reports()
    assert not known["ops.py"].faults
    monkeypatch.setattr(interpretation, "deep_recursion", shallow)
    projects = Projects(EVERYTHING, NAMES)
    found = reports(EVERYTHING, projects)
    assert findings(found) == findings(known)
    (fault,) = found["ops.py"].faults
    assert (fault.what, fault.error[:15]) == ("`deep`", "RecursionError:")
    check_at_rest(projects)


def test_what_ends_the_run_is_not_contained(project: Path) -> None:
    for error in (KeyboardInterrupt, SystemExit):
        with planted(into_op(ops.Operate, of("draw"), error)), pytest.raises(error):
            reports()


def test_where_memory_is_out_the_file_is_given_up(project: Path, normal: Files) -> None:
    with planted(into_op(ops.Operate, of("draw"), MemoryError)):
        found = reports()
    assert (found["ops.py"].given_up, found["ops.py"].faults) == ("out of memory", ())
    assert findings(found) == {**normal, "ops.py": []}


# What users see of it.


@pytest.mark.parametrize("jobs", [1, 3])
def test_one_warning_says_what_was_dropped(
    jobs: int, project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if jobs > 1 and not HAS_FORK:
        pytest.skip("processes that are not forked have no defect")
    into_op(ops.Operate, lambda frame, op: frame.function.name in ("draw", "again"))(monkeypatch)
    check = checking(capfd)
    for options, shown in ([], 0), (["--quiet"], 0), (["--debug"], 3), (["--select=JAX2", "--debug"], 3):
        run = check(f"--jobs={jobs}", "--strict", *options)
        assert run.status == 1
        (warning,) = [line for line in run.errors.splitlines() if "warning:" in line]
        assert warning == (
            f"flake8-jax: warning: a defect of flake8-jax dropped parts of 2 files, first `draw` at ./ops.py:{DRAW} "
            "(PlantedError: planted); all else was judged; please report it, with what `flake8-jax check --debug` shows"
        )
        assert [place.removesuffix(" JAX000") for place in run.places if "JAX000" in place] == [
            f"ops.py:{DRAW}:1:",
            f"train.py:{AGAIN}:1:",
        ]
        assert run.errors.count("Traceback (most recent call last):") == shown
        assert run.errors.count('in planted\n    raise error("planted")\n') == shown, "it shows where the defect is"
        assert run.errors.count(f"flake8-jax: ./ops.py:{DRAW}: `draw`:\nTraceback") == bool(shown)
        closing = "; 2 files could be judged in part only"
        assert (closing in run.errors.splitlines()[-1]) != ("--quiet" in options)


def test_a_defect_in_a_fix_is_told_where_nothing_else_is_found(project: Path, check: Check) -> None:
    """The status is explained by a line: a run that ends with 1 never prints nothing."""
    with planted(into_rule("JAX203", "fix")):
        assert check("--enable=JAX203", "--select=JAX107", "alone.py").places == [f"alone.py:{MEAN}:1: JAX000"]
        assert check("--enable=JAX203", "--select=JAX107", "alone.py").status == 1
        left_out = check("--enable=JAX203", "--select=JAX107", "--extend-ignore=JAX000", "alone.py")
    assert (left_out.status, left_out.places) == (0, [])
    assert (
        "warning: a defect of flake8-jax dropped parts of 1 file, first the fix of JAX203 at alone.py:"
        in left_out.errors
    )


def test_no_comment_hides_that_a_part_was_not_judged(project: Path, check: Check) -> None:
    text = FILES["ops.py"].replace("def draw(key):", "def draw(key):  # noqa  # jax: ignore[JAX000] it is so")
    tree(project, {"ops.py": text})
    with planted(into_op(ops.Operate, of("draw"))):
        assert f"ops.py:{DRAW}:1: JAX000" in check("ops.py").places


def test_no_comment_is_known_to_be_unused_where_a_finding_was_dropped(project: Path, check: Check) -> None:
    tree(project, {"ops.py": FILES["ops.py"].replace("x[0] = 1.0", "x[0] = 1.0  # jax: ignore[JAX201] it is meant")})
    with planted(into_rule("JAX201", "check")):
        assert not [row for row in check("--strict", "ops.py").rows if "JAX002" in row]


@pytest.mark.parametrize("name", ["a fix of a rule", "an op of a function that others call", "a caller"])
def test_such_a_report_is_never_remembered(
    name: str, project: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    real = interpretation.interpret

    def interpret(file: Any) -> Any:
        judged.append(Path(file.path).name)
        return real(file)

    monkeypatch.setattr(interpretation, "interpret", interpret)
    options = "--tests", "--strict", "--enable=JAX"
    with planted(CASES[name].plant):
        broken = check(*options)
    judged.clear()
    found = check(*options)
    assert sorted(judged) == sorted(CASES[name].said), "all else is remembered"
    assert "JAX000" in broken.output
    assert "JAX000" not in found.output + found.errors
    assert (found.output, found.status) == (check(*options, "--no-store").output, 1)
    with planted(CASES[name].plant):
        assert check(*options).output == found.output, "what is remembered needs no analysis"


def test_fix_warns_too_and_repairs_the_rest(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    into(trees, "edit_of", lambda change, *rest: change.op.anchor.line == TOTAL)(monkeypatch)
    assert main(["fix", "ops.py"]) == 1
    said = capsys.readouterr()
    assert said.err.count("warning:") == 1
    assert f"dropped parts of 1 file, first the fix of JAX201 at ops.py:{TOTAL} (PlantedError: planted)" in said.err
    text = (project / "ops.py").read_text()
    assert "x = x.at[0].set(1.0)" in text, "it is repaired"
    assert "row = row.at[1].set(1.0)" in text, "it is repaired"
    assert "\ntotal[0] = 2.0\n" in text, "it has no fix"


def test_windows_say_what_was_dropped(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    into_op(ops.Operate, of("draw"))(monkeypatch)
    assert main(["explain", f"ops.py:{X}"]) == 0
    explained = capsys.readouterr().out
    assert "JAX201 `x[0]` is assigned" in explained
    assert f"dropped by a defect of flake8-jax:\n  `draw`, line {DRAW} of ops.py: PlantedError: planted\n" in explained
    assert main(["show", "--events", "ops.py"]) == 0
    assert f"warning: a defect of flake8-jax dropped `draw` at ops.py:{DRAW}" in capsys.readouterr().err


FLAKE8 = """
import sys
from flake8.main.cli import main
from flake8_jax.analysis.interpreter import INTERPRETER
from flake8_jax.ir import ops
real = INTERPRETER.evaluators[ops.Operate]
def planted(frame, op):
    if frame.function.name == "draw":
        raise TypeError("planted")
    return real(frame, op)
INTERPRETER.evaluators[ops.Operate] = planted
sys.exit(main(["--isolated", "--select", "JAX", *sys.argv[1:], "."]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["-j1", "-j3"])
def test_flake8_says_it_too(jobs: str, project: Path) -> None:
    run = anew([sys.executable, "-c", FLAKE8, jobs], project)
    assert run.returncode == 1
    assert (
        f"./ops.py:{DRAW}:1: JAX000 judged in part: a defect of flake8-jax dropped `draw` (TypeError: planted)"
        in run.stdout
    )
    assert (
        run.stderr.count("flake8: warning: a defect of flake8-jax dropped parts of 1 file, first `draw` at ./ops.py:")
        == 1
    )
    assert "Traceback" not in run.stdout + run.stderr


def anew(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def test_reports_with_faults_are_handed_from_process_to_process(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not HAS_FORK:
        pytest.skip("processes that are not forked have no defect")
    into_op(ops.Operate, of("draw"))(monkeypatch)
    paths = [str(project / name) for name in NAMES]
    alone = list(check_files(paths, EVERYTHING, 1))
    assert any(report.faults for report in alone)
    assert list(check_files(paths, EVERYTHING, 3)) == alone


# A defect at any op.

LAID = ("jax103_key_not_advanced", "jax201_item_assignment", "jax301_print_in_traced")
ERRORS = (PlantedError, RecursionError, AssertionError, KeyError)
DRAWN = 2
"""At how many ops of each file a defect is planted."""


class Ops:
    """Counts the ops that are evaluated and run, and raises at one of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, last: int, error: type[Exception]) -> None:
        self.count, self.last, self.error = 0, last, error
        tables: tuple[Any, ...] = (INTERPRETER.evaluators, INTERPRETER.runners)
        for table in tables:
            for kind, real in table.items():
                monkeypatch.setitem(table, kind, self._counting(real))

    def _counting(self, real: Any) -> Any:
        def counting(frame: Any, op: Any) -> Any:
            self.count += 1
            if self.count == self.last:
                raise self.error("planted")
            return real(frame, op)

        return counting


def related(text: str, lines: set[int]) -> set[int]:
    """The lines of all statements of a file that share names with those on some lines, however many others between."""
    body = ast.parse(text).body
    uses = [{node.id for node in ast.walk(one) if isinstance(node, ast.Name)} for one in body]
    binds = [
        {node.id for node in ast.walk(one) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        if not isinstance(one, (ast.FunctionDef, ast.ClassDef)) else {one.name}
        for one in body
    ]  # fmt: skip
    starts = [min([one.lineno, *(each.lineno for each in getattr(one, "decorator_list", ()))]) for one in body]
    spans = [range(start, (one.end_lineno or start) + 1) for start, one in zip(starts, body)]
    shared = set().union(*binds)
    words = [(used | bound) & shared for used, bound in zip(uses, binds)]
    found = {number for number, span in enumerate(spans) if lines & set(span)}
    while True:
        names = set[str]().union(*(words[number] for number in found))
        more = found | {number for number, held in enumerate(words) if held & names}
        if more == found:
            return {line for number in found for line in spans[number]}
        found = more


@pytest.mark.slow
@pytest.mark.parametrize("name", LAID)
def test_a_defect_at_any_op(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost is what has to do with the function or statement in which it is; the next run of the program is clean."""
    text = (FIXTURES / name / "bad.py").read_text(encoding="utf-8")
    tree(tmp_path, {"pyproject.toml": "", "bad.py": text})
    monkeypatch.chdir(tmp_path)
    with pytest.MonkeyPatch.context() as patched:
        every = Ops(patched, 0, PlantedError)
        normal = reports(EVERYTHING, None, "bad.py")["bad.py"]
    assert len(normal.diagnostics) > 10
    assert not normal.faults
    known = facts(normal)
    for number, last in enumerate(random.Random(name).sample(range(1, every.count + 1), DRAWN)):
        projects = Projects(EVERYTHING, ["bad.py"])
        with pytest.MonkeyPatch.context() as patched:
            raised = Ops(patched, last, ERRORS[number % len(ERRORS)])
            broken = reports(EVERYTHING, projects, "bad.py")["bad.py"]
        check_at_rest(projects, "bad.py")
        where = f"at op {last} of {every.count}: {broken.faults}"
        assert raised.count >= last
        assert broken.given_up is None, where
        assert len(broken.faults) == 1, where
        (fault,) = broken.faults
        assert fault.trace == "", "it is shown where it is met"
        touched = related(text, {fault.line})
        assert len(touched) < text.count("\n") / 2, "most of the file has nothing to do with it"
        again = reports(EVERYTHING, projects, "bad.py")["bad.py"]
        for found in (facts(broken), facts(again)):
            differing = {line for line, *_ in found ^ known if line not in touched}
            assert not differing, where
            new = {(line, code) for line, code, *_ in found} - {(line, code) for line, code, *_ in known}
            assert not new, f"said of what is not known: {where}"
        projects.forget(projects.read("bad.py"))
        assert reports(EVERYTHING, projects, "bad.py")["bad.py"] == normal


def facts(report: Report) -> set[tuple[int, str, str, int, object]]:
    """All that is said of a file, but that a part of it was not judged, and without remedies: where a part was dropped,
    no trial of them is like the file.
    """
    return {
        (one.span.line, one.code, one.message.partition("; ")[0], len(one.notes), one.fix)
        for one in report.diagnostics
        if one.code != "JAX000"
    }
