"""What the interpreter knows of values and keys, line by line; it never knows more of a value it knows less of.

The fixtures in `values` state it at the ends of lines:

    x = jnp.zeros((3, n))           # value: array (3, None)        bound on this line, in the last run of it
    key                             # key: consumed                 held by the name that stands here alone
    if x > 0:                       # truth: traced via step        a tracer is asked for its truth; None if not
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flake8_jax.analysis import evaluator
from flake8_jax.analysis.callables import FunctionValue, Partial, Wrapped, class_behind
from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.evaluate import control, exceptions, matching
from flake8_jax.analysis.evaluate.arithmetic import binary
from flake8_jax.analysis.evaluate.expressions import item
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.interpreter import INTERPRETER
from flake8_jax.analysis.modules.linking import LinkedProject
from flake8_jax.analysis.objects.access import attribute
from flake8_jax.analysis.objects.names import bind_name, read_name
from flake8_jax.api import table
from flake8_jax.domain.constants import OPEN, Constant
from flake8_jax.domain.effects import Event
from flake8_jax.domain.kinds import FUNCTIONS, HOST_CONSTANTS, SEQUENCES, Kind
from flake8_jax.domain.payload import Elements, Entries, Payload, Reason, keyed
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value, constant, join, unknown
from flake8_jax.ir import ops
from flake8_jax.syntax.source import SourceFile
from tests.support.expectations import FIXTURES
from tests.support.probes import interpreted

STATED = re.compile(r"# (?P<what>value|key|truth): (?P<text>.+?)\s*$")
VALUES = sorted((FIXTURES / "values").glob("*.py"))
LOW = 1


@dataclass
class Seen:
    """What was seen of one file: values by line and name, whether keys were used up, events."""

    values: dict[int, dict[str, Value]] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)


def observe(source: SourceFile, monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Interpret a file and note every binding, and the names that stand alone in a line."""
    seen = Seen()

    def bind(frame: Frame, op: ops.Name, value: Value) -> None:
        seen.values.setdefault(op.anchor.line, {})[op.name] = value
        bind_name(frame, op, value)

    def look(frame: Frame, op: ops.Name) -> Value:
        value = read_name(frame, op)
        if frame.discarded is op:
            seen.values.setdefault(op.anchor.line, {})[op.name] = value
            used = frame.live().used.get(value.original)
            seen.keys[op.anchor.line] = "consumed" if used else "fresh"
        return value

    for module in (control, exceptions, matching):
        monkeypatch.setattr(module, "bind_name", bind)
    monkeypatch.setitem(INTERPRETER.evaluators, ops.Name, look)
    seen.events = interpreted(source, table.load()).events
    return seen


def show(value: Value) -> str:
    """A value in a few words."""
    kind, payload = value.kind.value, value.payload
    if value.kind in HOST_CONSTANTS:
        return kind if value.constant is OPEN else f"{kind} {value.constant!r}"
    if isinstance(payload, Reason):
        return f"unknown: {payload.reason}"
    if isinstance(payload, Input):
        return f"input {path_of(payload)}"
    owner = class_behind(payload)
    if owner is not None:
        return f"{kind} {owner.name}"
    if value.elements is not None:
        return f"{kind} [{', '.join(map(show, value.elements))}]"
    if value.entries is not None:
        return f"{kind} {{{', '.join(f'{name!s}: {show(part)}' for name, part in value.entries.items())}}}"
    if value.kind in FUNCTIONS:
        return f"{kind} {callable_of(payload)}"
    if value.kind is Kind.API:
        return f"{kind} {value.name}"
    shape = "" if value.shape is None else f" {value.shape}"
    return f"{kind}{shape}{f' {value.dtype}' if value.dtype else ''}"


def path_of(source: Input) -> str:
    if source.parent is None or source.step is None:
        return source.name
    around, step = path_of(source.parent), source.step
    return f"{around}.{step[1]}" if step[0] == "." else f"{around}[{step[1]!r}]"


def callable_of(payload: Payload | None) -> str:
    if isinstance(payload, FunctionValue):
        return payload.function.name
    if isinstance(payload, Wrapped):
        return f"{payload.applied.transform.name}({callable_of(payload.callee.payload)})"
    if isinstance(payload, Partial):
        return f"{callable_of(payload.callee.payload)}, {len(payload.arguments.values())} bound"
    return "nothing" if payload is None else payload.text()


def truths(events: list[Event], line: int) -> str:
    """Who is asked for its truth on a line, as which tracer, through which calls."""
    for event in events:
        if isinstance(event, TracerConcretized) and event.op.anchor.line == line:
            assert event.context.trace is not None
            hops = [hop.text.rpartition("calls ")[2].strip("`") for hop in event.context.chain]
            return f"{event.context.trace.value or 'all'} via {' '.join([event.context.trace.function, *hops])}"
    return "None"


def statements(path: Path) -> Iterator[tuple[int, str, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    for token in tokens:
        if token.type == tokenize.COMMENT and (found := STATED.match(token.string)):
            yield token.start[0], found["what"], found["text"]


def observed(seen: Seen, line: int, what: str) -> str:
    if what == "key":
        return seen.keys.get(line, "never met")
    if what == "truth":
        return truths(seen.events, line)
    return ", ".join(show(value) for value in seen.values.get(line, {}).values()) or "never met"


@pytest.mark.parametrize("path", VALUES, ids=lambda path: path.stem)
def test_every_statement_about_a_value_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = observe(SourceFile.read(str(path)), monkeypatch)
    stated = list(statements(path))
    assert stated
    wrong = [
        f"line {line}: {what}: {text}, but it is: {found}"
        for line, what, text in stated
        if (found := observed(seen, line, what)) != text
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def test_values_of_the_probe_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import jax\nkey = jax.random.key(0)\nkey\nx = jax.random.normal(key)\nkey\n"
    seen = observe(SourceFile("probe.py", text), monkeypatch)
    assert (seen.keys[LOW + 2], seen.keys[LOW + 4]) == ("fresh", "consumed")


# Monotone transfer.  `a` is below `b` if their join is `b`: what `b` says holds of `a` too.  Then the result of an
# operation on `a` has to be below its result on `b`.  Five things are deliberately not so:
#
# - less may be known of the result for `a`: what Python refuses for the kind of `a` (a number and a key, an item of a
#   number) and what no row describes is unknown there, and nothing is ever reported of it;
# - the host: where of `b` only follows that the answer is a host value (STATIC, OPEN), `a` may give a NUMBER or a TUPLE
#   (`shape` of an unknown object is a host value, of an array a tuple);
# - beside COMPUTED a truth of the host and a NumPy array count as a NUMBER;
# - methods are values that name their receiver, and so differ whenever the receivers do;
# - an operand that is unknown adds no dependences, and a part of one of several inputs depends on the whole input.

INPUTS = [Input("x"), Input("y")]
FREE = [frozenset(), frozenset(INPUTS[:1]), frozenset(INPUTS)]
REALS: list[Payload] = [*map(Constant, (0, 1, 2, -1, 2.5)), OPEN]
OTHERS: list[Payload] = [*map(Constant, (True, None, "a")), OPEN]
numbers = st.sampled_from(REALS).map(lambda one: Value(Kind.NUMBER, payload=one))
statics = st.sampled_from(OTHERS).map(lambda one: Value(Kind.STATIC, payload=one))
arrays = st.builds(
    Value, st.sampled_from([Kind.ARRAY, Kind.COMPUTED]), st.sampled_from(FREE),
    shape=st.sampled_from([None, (), (3,), (3, None)]), dtype=st.sampled_from([None, "float32"]),
)  # fmt: skip
inputs = st.sampled_from(INPUTS).map(lambda source: Value(Kind.INPUT, frozenset((source,)), source))
others = st.sampled_from([Kind.KEY, Kind.KEYS, Kind.NUMPY, Kind.REF]).map(Value)
plain = numbers | statics | arrays | inputs | others | st.just(unknown("any"))
sequences = st.builds(
    Value, st.sampled_from([Kind.LIST, Kind.TUPLE]),
    payload=st.none() | st.lists(plain, max_size=2).map(lambda parts: Elements(tuple(parts))),
)  # fmt: skip
dicts = st.builds(
    Value, st.just(Kind.DICT),
    payload=st.none() | st.dictionaries(st.just("a"), plain).map(lambda parts: Entries(keyed(parts))),
)  # fmt: skip
values = plain | sequences | dicts


def roots(value: Value) -> frozenset[object]:
    """The inputs that a value depends on, whole."""
    found = set()
    for source in value.dependences:
        while isinstance(source, Input) and source.parent is not None:
            source = source.parent
        found.add(source)
    return frozenset(found)


def known(value: Value) -> Any:
    """What a value says, as far as it is ordered, with what it depends on."""
    if value.kind is Kind.UNKNOWN:
        return "unknown", frozenset()
    said: Any = None
    if isinstance(value.payload, Elements):
        said = value.payload.parts and tuple(map(known, value.payload.parts))
    elif isinstance(value.payload, Entries):
        said = {name: known(part) for name, part in value.payload.parts.items()}
    elif value.kind in (Kind.NUMBER, Kind.STATIC, Kind.INPUT):
        said = type(value.constant), value.constant, value.input
    return (value.kind, said, value.shape, value.dtype), roots(value)


def is_below(finer: Value, coarser: Value, is_vague: bool) -> bool:
    joined, said = known(join(finer, coarser)), known(coarser)
    return bool(joined[0] == said[0] and (is_vague or joined[1] == said[1]))


def is_left_out(finer: Value, coarser: Value) -> bool:
    host = coarser.kind is Kind.STATIC and coarser.constant is OPEN
    vague = finer.kind is Kind.UNKNOWN or (finer.kind is Kind.STATIC and finer.constant is OPEN)
    truth = finer.kind is Kind.STATIC and isinstance(finer.constant, bool)
    return (
        vague
        or host
        or (truth and coarser.kind in (Kind.NUMBER, Kind.COMPUTED))
        or (finer.kind is Kind.NUMPY and coarser.kind is Kind.COMPUTED)
        or Kind.METHOD in (finer.kind, coarser.kind)
    )


def operation(text: str) -> tuple[Frame, Any]:
    """A frame to run in, and the op of an expression."""
    file = LinkedProject(None, table.load()).judged(SourceFile("probe.py", f"import jax\n{text}\n"), "probe.py")
    module = file.units[-1].module
    assert module is not None
    return file.frame(file.top()), module.top.body[-1]


def assert_monotone(operand: Value, finer: Value, coarser: Value) -> None:
    below = is_below(finer, coarser, operand.kind is Kind.UNKNOWN)
    assert is_left_out(finer, coarser) or below, f"{show(finer)} is not below {show(coarser)}"


SIGNS = st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "@", "|"])


def assert_operator_monotone(one: Value, two: Value, other: Value, sign: str, is_left: bool) -> None:
    results = []
    for value in (one, join(one, two)):
        frame, op = operation(f"a {sign} b")
        left, right = (value, other) if is_left else (other, value)
        results.append(binary(frame, op, sign, left, right))
    assert_monotone(value, *results)


@given(values, values, values, SIGNS, st.booleans())
def test_operators_are_monotone(one: Value, two: Value, other: Value, sign: str, is_left: bool) -> None:
    assert_operator_monotone(one, two, other, sign, is_left)


@pytest.mark.parametrize("other", [Value(Kind.NUMPY), unknown("any")], ids=["numpy", "unknown"])
@pytest.mark.parametrize("sign", ["-", "*", "/"])
def test_operators_beside_sequences_are_monotone(other: Value, sign: str) -> None:
    """`np.ones(2) * [1.0, 2.0]` is an array."""
    frame, op = operation(f"a {sign} b")
    result = binary(frame, op, sign, other, Value(Kind.LIST, payload=Elements((constant(1.0), constant(2.0)))))
    assert result.kind not in SEQUENCES


@given(values, values, values, st.sampled_from(["==", "<", ">=", "in", "is", "is not"]), st.booleans())
def test_comparisons_are_monotone(one: Value, two: Value, other: Value, sign: str, is_left: bool) -> None:
    results = []
    for value in (one, join(one, two)):
        frame, op = operation(f"a {sign} b")
        left, right = (value, other) if is_left else (other, value)
        frame.live().names["a"], frame.live().names["b"] = left, right
        results.append(evaluator.evaluate(frame, op))
    assert_monotone(value, *results)


def test_comparisons_with_numpy_arrays_are_monotone() -> None:
    """`x == np.ones(2)` is a JAX array if x is."""
    frame, op = operation("a == b")
    frame.live().names["a"], frame.live().names["b"] = unknown("any"), Value(Kind.NUMPY)
    assert evaluator.evaluate(frame, op).kind is not Kind.NUMPY


@given(values, values, st.sampled_from(["shape", "ndim", "dtype", "size", "T", "field"]))
def test_attributes_are_monotone(one: Value, two: Value, name: str) -> None:
    results = []
    for value in (one, join(one, two)):
        frame, op = operation(f"a.{name}")
        results.append(attribute(frame, value, name, op))
    assert_monotone(value, *results)


@given(values, values, st.sampled_from([0, 1, -1, "a", OPEN]))
def test_items_are_monotone(one: Value, two: Value, index: Any) -> None:
    place = Value(Kind.NUMBER, payload=OPEN) if index is OPEN else constant(index)
    results = []
    for value in (one, join(one, two)):
        frame, op = operation("a[b]")
        results.append(item(frame, value, place, op))
    assert_monotone(value, *results)
