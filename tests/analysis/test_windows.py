"""The windows into the analysis: fixtures with expected texts, and tables of values, functions and reasons."""

from __future__ import annotations

import re
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from flake8_jax.analysis.interpretation import interpret
from flake8_jax.analysis.interpreter import INTERPRETER
from flake8_jax.analysis.modules.linking import LinkedProject
from flake8_jax.analysis.windows.fields import condition_text, events_text
from flake8_jax.analysis.windows.lines import Observation, ObservedPlace, observing
from flake8_jax.analysis.windows.rows import rows_of, rows_text
from flake8_jax.analysis.windows.summaries import summaries_text
from flake8_jax.analysis.windows.values import described
from flake8_jax.api import table
from flake8_jax.domain.conditions import Fact
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.payload import SHAPE, Elements, Entries, MethodOf, Named
from flake8_jax.domain.provenance import Trace
from flake8_jax.domain.staging import Ambient, Input, Token
from flake8_jax.domain.value import Value, constant, unknown
from flake8_jax.driver.cli.main import main
from flake8_jax.driver.linter import interpreted
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile
from tests.support.commands import write
from tests.support.expectations import FIXTURES

WINDOWS = FIXTURES / "windows"
NAMES = sorted(path.stem for path in WINDOWS.glob("*.py"))
ASKED = re.compile(r"^[a-z]+\.py:\d+(?::\d+)?$", re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own that holds the fixtures."""
    for path in WINDOWS.glob("*.py"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"pyproject.toml": ""})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("window", "options"), [("ops", []), ("summaries", ["--summaries"]), ("events", ["--events"])])
def test_show_prints_what_the_fixture_expects(
    name: str, window: str, options: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", *options, f"{name}.py"]) == 0
    assert capsys.readouterr().out == (WINDOWS / f"{name}.{window}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_explain_prints_what_the_fixture_expects(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = (WINDOWS / f"{name}.explain.txt").read_text(encoding="utf-8")
    assert main(["explain", *ASKED.findall(expected)]) == 0
    assert capsys.readouterr().out == expected


X, STATE = Input("x"), Input("state")
JITTED = Token(Trace("x", "step", "jax.jit", "jitted", "a.py", 4), "staged")
GRAD = Token(Trace("x", "loss", "jax.grad", "differentiated by", "a.py", 9), "differentiated")
INDEX = Token(Trace("i", "<lambda>", "fori_loop", "the body of", "b.py", 7), "staged", True)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value(Kind.ARRAY), "array; not traced"),
        (Value(Kind.ARRAY, shape=(3, None), dtype="float32"), "array (3, None) float32; not traced"),
        (Value(Kind.ARRAY, frozenset((X, Ambient()))), "array; traced if `x` or the code around is"),
        (Value(Kind.ARRAY, frozenset((X, JITTED))), "array; traced: `step` is jitted on line 4 of `a.py`"),
        (
            Value(Kind.COMPUTED, frozenset((GRAD,))),
            (
                "computed from inputs; differentiated, which leaves it concrete: "
                "`loss` is differentiated by `jax.grad` on line 9 of `a.py`"
            ),
        ),
        (
            Value(Kind.ARRAY, frozenset((INDEX,))),
            "array; counter of a traced loop: the lambda is the body of `fori_loop` on line 7",
        ),
        (Value(Kind.INPUT, frozenset((X,)), X), "input `x`"),
        (
            Value(Kind.INPUT, frozenset((STATE.part((".", "params")).part(("[]", 0)),)), None),
            "input; traced if `state.params[0]` is",
        ),
        (Value(Kind.INPUT, frozenset((X,)), STATE.part(("[]", OPEN))), "input `state[...]`; traced if `x` is"),
        (constant(3), "number 3; on the host"),
        (constant("a"), "host value 'a'"),
        (Value(Kind.STATIC, payload=OPEN), "host value"),
        (constant("x" * 99), "host value '" + "x" * 85 + "..."),
        (unknown("no row for copy"), "unknown: no row for copy"),
        (Value(Kind.TUPLE, payload=Elements((constant(1), unknown("any")))), "tuple (number 1, unknown: any)"),
        (Value(Kind.DICT, payload=Entries({"a": Value(Kind.KEY)})), "dict {'a': random key}"),
        (Value(Kind.LIST, payload=Elements((constant(1),) * 99)), f"list ({'number 1, ' * 9}n..."),
        (Value(Kind.TUPLE, payload=SHAPE), "tuple (shape: ...)"),
        (Value(Kind.API, payload=Named("jax.numpy.sum")), "library name `jax.numpy.sum`"),
        (Value(Kind.METHOD, payload=MethodOf(Value(Kind.ARRAY), "sum")), "method `.sum` of array"),
        (Value(Kind.KEY), "random key; not traced"),
        (Value(Kind.NUMPY), "NumPy array; on the host"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_value_is_described(value: Value, text: str) -> None:
    assert described(value, "b.py") == text


FLAG = Value(Kind.INPUT, frozenset((X,)), X)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (Fact("truth", FLAG, None, True), "`x` is true"),
        (Fact("truth", FLAG, None, False), "`x` is false"),
        (Fact("==", FLAG, "fit", True), "`x == 'fit'`"),
        (Fact("==", FLAG, "fit", False), "`x != 'fit'`"),
        (Fact("is", FLAG, None, False), "`x is not None`"),
        (Fact("<", FLAG, 3, False), "`x >= 3`"),
        (Fact("in", FLAG, FLAG, False), "`x not in x`"),
        (Fact("isinstance", FLAG, ("list", "tuple"), False), "`isinstance(x, list or tuple)` is false"),
        (Fact("asked", FLAG, "hasattr", True), "`hasattr(...)` is true"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_path_condition_is_written_out(fact: Fact, text: str) -> None:
    assert condition_text((fact,)) == text


ROWS = [
    ("x = jnp.zeros((3, 4))", 1, [
        "`jnp.zeros(...)`: array of host values (3, 4) float; not traced",
        "`jnp.zeros`: library name `jax.numpy.zeros`",
        "`(3, 4)`: tuple (number 3, number 4)",
    ]),
    ("f = lambda v: v", 1, ["`lambda ...`: the lambda of line 3", "`v`: input `v`"]),
    ("for i in range(3):\n    i + 1", 2, ["`i + 1`: number; on the host", "`i`: number; on the host"]),
    ("x: int = 3", 1, ["`int`: library name `int`"]),
    ("x = 3", 1, []),
    ("def f(x):\n    return x\n    x + 1", 3, [
        "`x + 1`: not evaluated: no path arrives here",
    ]),
    ("def f():\n    return 1\n    def g(x):\n        return x", 4, ["`x`: not evaluated: `f.<locals>.g` was not run"]),
    ("def f(g):\n    return g(1)\nf(lambda v: v)", 2, [
        "`g(1)`: unknown: call of an unknown function",
        "  number 1; on the host (where `g` is the lambda of line 5)",
        "`g`: input `g`",
        "  the lambda of line 5 (where `g` is the lambda of line 5)",
    ]),
    ("def f(x):\n    x += 2\n    return x", 2, ["`x += 2`: computed from inputs; traced if `x` is", "`x`: input `x`"]),
    ("def f(x, i):\n    x[i:, 0] = [a for a in x]", 2, [
        "`x`: input `x`",
        "`i`: input `i`",
        "`[a for a in x]`: list",
        "`a`: input `x[...]`",
        "`x`: input `x`",
    ]),
    ("class A:\n    @jax.jit\n    def f(self):\n        return 1\nA().f()", 5, [
        "`A().f()`: array () weak int; not traced",
        "`A().f`: function `A.f` under `jax.jit` with 1 argument",
        "`A()`: instance of `A`",
        "`A`: class `A`",
    ]),
    ("import jax.numpy as other", 1, ["`other`: library name `jax.numpy`"]),
    ("def f():\n    import jax.numpy as other", 2, ["`import jax.numpy`: library name `jax.numpy`"]),
    ("def f(x):\n    x.y: int\n    return x", 3, ["`x`: input `x`"]),
    ("a = [jnp.sum(v) for v in range(3)]", 1, [
        "`[jnp.sum(v) for v in range(3)]`: list of array of host values ()",
        "`jnp.sum(v)`: array of host values (); not traced",
        "`jnp.sum`: library name `jax.numpy.sum`",
        "`v`: number; on the host",
        "`range(3)`: tuple (range: number 0, number 1, number 2)",
        "`range`: library name `range`",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_rows_of_a_line(text: str, line: int, expected: list[str]) -> None:
    source = SourceFile("probe.py", f"import jax\nimport jax.numpy as jnp\n{text}\n")
    observation = Observation(ObservedPlace("probe.py", line + 2), "probe.py")
    linked = LinkedProject(None, table.load())
    with observing(linked.program, observation):
        file = linked.judged(source, source.path)
        interpret(file)
        rows = rows_of(file, observation)
    assert rows_text(rows, observation) == expected


def test_observing_leaves_no_trace() -> None:
    linked, observation = LinkedProject(None, table.load()), Observation(ObservedPlace("probe.py", 2), "probe.py")
    with observing(linked.program, observation):
        assert linked.program.interpreter is not INTERPRETER
    assert linked.program.interpreter is INTERPRETER
    source = SourceFile("probe.py", "import jax\njax.jit(print)\n")
    interpret(linked.judged(source, source.path))
    assert not observation.values
    assert not observation.calls


def test_columns_are_characters() -> None:
    source = SourceFile("probe.py", "import jax\nx = jax.numpy.ones(3)\n'déjà', x.at[0].set(1); x[0] = 1\n")
    observation = Observation(ObservedPlace("probe.py", 3, 25), "probe.py")
    linked = LinkedProject(None, table.load())
    with observing(linked.program, observation):
        file = linked.judged(source, source.path)
        findings = interpret(file)
        rows = rows_of(file, observation)
    assert [row.text for row in rows] == ["x"]
    assert "ItemStored at 3:25\n" in events_text(findings.events)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transforms", "objects", "branches"])
def test_texts_are_the_same_each_time_and_under_observation(name: str) -> None:
    path, texts = str(FIXTURES / "values" / f"{name}.py"), set()
    for line in (0, 10):
        source = SourceFile.read(path)
        linked = Projects(Config(no_store=True)).linked(source)
        observation = Observation(ObservedPlace(path, line), path)
        with observing(linked.program, observation) if line else nullcontext():
            file, findings = interpreted(source, linked)
            texts.add(summaries_text(file) + events_text(findings.events))
        assert bool(observation.runs) == bool(line)
    (text,) = texts
    assert "0x" not in text
    assert "object at" not in text
