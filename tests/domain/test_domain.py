"""The laws of the domain: values and states join as a lattice, paths exclude each other, the forgotten is fresh."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flake8_jax.domain.conditions import MAXIMUM_FACTS, Fact, assume, common_facts, contradict, decide, exclude
from flake8_jax.domain.constants import OPEN, Constant, NotConstant
from flake8_jax.domain.key_parts import KeyMix, KeyPart
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.layered import Layered
from flake8_jax.domain.payload import (
    AT,
    SHAPE,
    SLICE,
    Alternatives,
    Each,
    Elements,
    Entries,
    MethodOf,
    ModuleAt,
    Named,
    Reason,
    Series,
    SliceOf,
    elements,
    keyed,
    reason,
)
from flake8_jax.domain.provenance import Trace, Use
from flake8_jax.domain.resources import Used, crosses_iterations, is_compatible, unite_uses
from flake8_jax.domain.shape import broadcast, join_shape
from flake8_jax.domain.staging import Ambient, Input, Token, certain, unite
from flake8_jax.domain.state import State, join_states
from flake8_jax.domain.value import Value, constant, dependences_of, join, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.lower.files import lower
from flake8_jax.syntax.source import SourceFile

INPUTS = [Input("x"), Input("y")]
TOKENS = [Token(Trace("x", "step", "jax.jit", "jitted", "a.py", line), "staged") for line in (3, 9)]
AMBIENT = Ambient()
DESCRIPTIONS = [Named("a"), Named("b")]
PLAIN = [Kind.COMPUTED, Kind.ARRAY, Kind.KEY, Kind.KEYS, Kind.NUMPY, Kind.REF]
DESCRIBED = [Kind.FUNCTION, Kind.PARTIAL, Kind.API, Kind.CLASS, Kind.INSTANCE, Kind.OBJECT]

dependences: st.SearchStrategy[Any] = st.frozensets(st.sampled_from([*INPUTS, *TOKENS, AMBIENT]), max_size=3)
shapes = st.none() | st.lists(st.none() | st.integers(1, 3), max_size=3).map(tuple)
constants = st.sampled_from([0, 1, 2.5, True, False, None, "a", OPEN])


@st.composite
def plain(draw: st.DrawFn) -> Value:
    """A value of a kind without parts."""
    what = draw(st.sampled_from(["plain", "described", "constant", "input", "unknown"]))
    if what == "constant":
        data = draw(constants)
        host = draw(st.sampled_from([Kind.NUMBER, Kind.STATIC]))
        return Value(host, payload=OPEN) if isinstance(data, NotConstant) else constant(data)
    if what == "unknown":
        return unknown(draw(st.sampled_from(["first", "second"])))
    if what == "input":
        source = draw(st.sampled_from(INPUTS))
        return Value(Kind.INPUT, frozenset((source,)), source)
    if what == "described":
        return Value(draw(st.sampled_from(DESCRIBED)), payload=draw(st.sampled_from(DESCRIPTIONS)))
    dtype = draw(st.sampled_from([None, "float32", "int32"]))
    return Value(draw(st.sampled_from(PLAIN)), draw(dependences), shape=draw(shapes), dtype=dtype)


def containers(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    sequences = st.builds(
        lambda kind, parts: Value(kind, payload=elements(parts)),
        st.sampled_from([Kind.LIST, Kind.TUPLE]),
        st.none() | st.lists(inner, max_size=2).map(tuple),
    )
    dicts = st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2).map(
        lambda parts: Value(Kind.DICT, payload=Entries(keyed(parts)))
    )
    return sequences | dicts


values = st.recursive(plain(), containers, max_leaves=4)


def described(value: Value) -> Any:
    """All that is known of a value, but which of two keys it is; why one is unknown is a note, not knowledge."""
    said: Any = value.payload
    if isinstance(said, KeyMix):
        each = {described(source) for source in said.sources}
        said = (said.mix, frozenset(each)) if len(each) > 1 else next(iter(each))[2]
    if isinstance(said, Constant):
        said = type(said.value).__name__, said.value
    elif isinstance(said, Elements):
        said = said.form, said.parts and tuple(described(part) for part in said.parts)
    elif isinstance(said, Entries):
        said = {name: described(part) for name, part in said.parts.items()}
    elif isinstance(said, Alternatives):
        said = frozenset(described(each) for each in said.values)
    elif isinstance(said, Reason):
        said = None
    return value.kind, value.dependences, said, value.shape, value.dtype


def copied(value: Value) -> Value:
    return Value(value.kind, value.dependences, value.payload, None, value.shape, value.dtype)


@given(values, values)
def test_join_of_values_is_commutative(first: Value, second: Value) -> None:
    assert described(join(first, second)) == described(join(second, first))


@given(values, values, values)
def test_join_of_values_is_associative(first: Value, second: Value, third: Value) -> None:
    left = join(join(first, second), third)
    assert described(left) == described(join(first, join(second, third)))


@given(values)
def test_join_of_values_is_idempotent(value: Value) -> None:
    assert join(value, value) is value
    assert described(join(value, copied(value))) == described(value)


@given(values, values)
def test_a_join_is_above_both(first: Value, second: Value) -> None:
    joined = join(first, second)
    assert described(join(joined, first)) == described(joined)


@given(values, values)
def test_a_join_claims_no_more_than_either(first: Value, second: Value) -> None:
    joined = join(first, second)
    if joined.kind is Kind.ARRAY:
        assert first.kind is second.kind is Kind.ARRAY
    assert joined.kind is Kind.UNKNOWN or joined.dependences >= first.dependences | second.dependences
    assert dependences_of(joined) >= joined.dependences


TEXTS: list[tuple[Value, str]] = [
    (Value(Kind.NUMBER, payload=Constant(3)), "number 3"),
    (Value(Kind.NUMBER, payload=Constant(10**30)), "number ..."),
    (Value(Kind.NUMBER, payload=OPEN), "number"),
    (Value(Kind.STATIC, payload=Constant("a")), "host value 'a'"),
    (Value(Kind.STATIC, payload=SliceOf((constant(1), constant(None), constant(None)))), "host value slice"),
    (Value(Kind.UNKNOWN, payload=reason("recursion")), "unknown: recursion"),
    (Value(Kind.API, payload=Named("jax.numpy.sum")), "library name `jax.numpy.sum`"),
    (Value(Kind.MODULE, payload=ModuleAt("/nowhere/ops.py")), "module `ops`"),
    (Value(Kind.MODULE, payload=ModuleAt("/nowhere/ops/__init__.py")), "module `ops`"),
    (Value(Kind.METHOD, payload=MethodOf(Value(Kind.LIST), "append")), "method `.append` of list"),
    (Value(Kind.KEY, payload=KeyPart(Value(Kind.KEYS))), "random key of several"),
    (Value(Kind.ARRAY, payload=AT), "array with `.at`"),
    (Value(Kind.ARRAY, shape=(3, None), dtype="float32"), "array (3, None) float32"),
    (Value(Kind.LIST), "list"),
    (Value(Kind.LIST, payload=Elements((constant(1), Value(Kind.ARRAY)))), "list (number 1, array)"),
    (Value(Kind.TUPLE, payload=SHAPE), "tuple (shape: ...)"),
    (Value(Kind.DICT, payload=Entries({"a": constant(1)})), "dict {'a': number 1}"),
    (Value(Kind.DICT, payload=Entries({(10**5000,): constant(1)})), "dict {...: number 1}"),
    (Value(Kind.LIST, payload=Each(Value(Kind.ARRAY))), "list of array"),
    (Value(Kind.LIST, payload=Series((Value(Kind.NUMBER), Value(Kind.KEY)))), "list of (number, random key)"),
    (Value(Kind.INPUT), "input"),
    (Value(Kind.INPUT, payload=INPUTS[0].part((".", "field")).part(("[]", 0))), "input `x.field[0]`"),
    (Value(Kind.INPUT, payload=INPUTS[0].part(("[]", OPEN)).part(("[]", SLICE))), "input `x[...][:]`"),
    (Value(Kind.INPUT, payload=INPUTS[0].part(("[]", "a")).part(("[]", constant(1)))), "input `x['a'][...]`"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_values_have_a_spelling(value: Value, text: str) -> None:
    assert value.text() == text


@given(shapes, shapes, shapes)
def test_shapes_join_as_a_lattice(first: Any, second: Any, third: Any) -> None:
    assert join_shape(first, second) == join_shape(second, first)
    assert join_shape(first, first) == first
    assert join_shape(join_shape(first, second), third) == join_shape(first, join_shape(second, third))


@given(shapes, shapes)
def test_broadcasting_is_symmetric_in_what_it_knows(first: Any, second: Any) -> None:
    left, right = broadcast(first, second), broadcast(second, first)
    assert (left is None) == (right is None)
    if left is not None and right is not None:
        assert len(left) == len(right) == max(len(first), len(second))


@given(dependences, dependences)
def test_dependences_unite_and_a_trace_in_them_is_certain(first: Any, second: Any) -> None:
    both = unite(first, second)
    assert both == first | second
    assert (certain(both) is None) == (not any(isinstance(one, Token) for one in both))


SUBJECTS = [Value(Kind.INPUT, payload=source) for source in INPUTS]
facts = st.builds(
    Fact,
    st.sampled_from(["truth", "==", "is", "isinstance", "<"]),
    st.sampled_from(SUBJECTS),
    st.sampled_from([None, 0, 1, "train", "eval"]),
    st.booleans(),
)
paths = st.lists(facts, max_size=4).map(tuple)


@given(facts, facts)
def test_contradiction_is_symmetric_and_needs_one_subject(first: Fact, second: Fact) -> None:
    assert contradict(first, second) == contradict(second, first)
    assert not contradict(first, first)
    if first.subject is not second.subject:
        assert not contradict(first, second)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("truth", None, False), (">", 0, True), True),
        (("truth", None, False), ("<", 1, False), True),
        (("truth", None, False), (">", -1, True), False),
        (("truth", None, True), ("<", 0, True), False),
        (("is", False, True), (">", 0, True), True),
        (("is", False, True), ("==", 0, False), True),
        (("is", True, True), ("==", 1, True), False),
        (("is", True, True), ("is", 1, True), True),
        (("truth", None, False), ("==", 0, False), False),  # None, for one
    ],
)
def test_tests_of_one_number_contradict_each_other(first: Any, second: Any, expected: bool) -> None:
    one, other = (Fact(test, SUBJECTS[0], against, holds) for test, against, holds in (first, second))
    assert contradict(one, other) is expected
    assert contradict(other, one) is expected


@given(facts)
def test_a_fact_and_its_opposite_exclude_each_other(fact: Fact) -> None:
    opposite = Fact(fact.test, fact.subject, fact.other, not fact.holds)
    assert exclude((fact,), (opposite,))


@given(paths, paths)
def test_exclusion_is_symmetric_and_grows_with_the_path(first: Any, second: Any) -> None:
    assert exclude(first, second) == exclude(second, first)
    if exclude(first, second):
        assert exclude(first, (*second, *first[:1]))
    assert set(common_facts(first, second)) == set(first) & set(second)


@given(st.lists(facts, min_size=MAXIMUM_FACTS, max_size=MAXIMUM_FACTS + 8))
def test_a_path_keeps_its_latest_facts(many: list[Fact]) -> None:
    path: Any = ()
    for fact in many:
        path = assume(path, (fact,))
    assert path == tuple(many[-MAXIMUM_FACTS:])


@pytest.mark.parametrize(
    ("fact", "actual", "expected"),
    [
        (Fact("truth", SUBJECTS[0], None, True), constant(True), True),
        (Fact("truth", SUBJECTS[0], None, True), constant(0), False),
        (Fact("==", SUBJECTS[0], "train", True), constant("eval"), False),
        (Fact("is", SUBJECTS[0], None, True), Value(Kind.ARRAY), False),
        (Fact("is", SUBJECTS[0], None, False), constant(None), False),
        (Fact("truth", SUBJECTS[0], None, True), unknown("any"), None),
        (Fact("<", SUBJECTS[0], 3, True), constant(2), True),
        (Fact(">", SUBJECTS[0], 3, False), constant(5), False),
        (Fact("<", SUBJECTS[0], 3, True), constant("2"), None),
    ],
)
def test_a_fact_is_decided_by_a_known_value(fact: Fact, actual: Value, expected: bool | None) -> None:
    assert decide(fact, actual) is expected


LOWERED = lower(SourceFile("a.py", "for key in keys: key\n")).top.body
LOOP = next(op for op in LOWERED if isinstance(op, ops.Loop))
OP = LOOP.source


def use(line: int, turns: Any = (), path: Any = ()) -> Used:
    return Used(OP, Use("a.py", line, "normal"), path, turns)


used = st.lists(st.integers(1, 4).map(use), max_size=3, unique_by=lambda one: one.use.line).map(tuple)


@given(used, used)
def test_uses_unite_as_sets(first: Any, second: Any) -> None:
    assert set(unite_uses(first, second)) == set(first) | set(second)
    assert unite_uses(first, first) == first


def test_uses_of_other_turns_and_excluded_paths() -> None:
    train = Fact("truth", SUBJECTS[0], None, True)
    evaluating = Fact("truth", SUBJECTS[0], None, False)
    assert crosses_iterations(use(1, ((LOOP, 1),)), ((LOOP, 2),))
    assert not crosses_iterations(use(1, ((LOOP, 1),)), ((LOOP, 1),))
    assert not crosses_iterations(use(1, ((LOOP, 1),)), ())
    assert not is_compatible(use(1, (), (train,)), (evaluating,))
    assert is_compatible(use(1, (), (train,)), (train,))


def state(**names: Value) -> State:
    return State(Layered(dict(names)))


@given(values, values)
def test_states_join_names_and_keep_aliases(first: Value, second: Value) -> None:
    left, right = state(a=first, b=first), state(a=second, b=second)
    joined = join_states(left, right)
    assert joined is not None
    assert joined.names["a"] is joined.names["b"]
    assert described(joined.names["a"]) == described(join(first, second))


@given(values, values)
def test_a_joined_key_is_used_up_if_either_was(first: Value, second: Value) -> None:
    left, right = state(key=first), state(key=second)
    left.used.add(first, (use(1),))
    joined = join_states(left, right)
    assert joined is not None
    assert use(1) in joined.used.get(joined.names["key"])


def test_a_path_that_does_not_arrive_is_neutral() -> None:
    arriving = state(x=constant(1))
    assert join_states(None, arriving) is arriving
    assert join_states(arriving, None) is arriving
    assert join_states(None, None) is None


def test_invalidating_gives_an_object_a_new_version() -> None:
    holder, other = Value(Kind.INSTANCE), Value(Kind.INSTANCE)
    now = state()
    now.set_part(holder, (".", "key"), constant(1))
    now.set_part(other, (".", "key"), constant(2))
    apart = now.copy()
    now.invalidate(holder)
    assert now.version(holder) is not holder
    assert (holder, (".", "key")) not in now.heap
    assert now.heap[(other, (".", "key"))].constant == 2
    assert apart.version(holder) is holder


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 3)), max_size=120))
def test_layers_hold_what_a_dict_would(steps: list[tuple[str, int]]) -> None:
    held = [constant(number) for number in range(3)]
    layered = Layered()
    plainly: dict[str, Value] = {}
    for name, number in steps:
        if number == 3:
            layered = layered.copy()
            layered.unbind(name)
            plainly.pop(name, None)
        else:
            layered[name] = plainly[name] = held[number]
    assert dict(layered.items()) == plainly
    assert list(layered.copy().values()) == list(layered.values())


NAMES = [f"n{number}" for number in range(80)]


@given(*[st.lists(st.sampled_from(NAMES), max_size=200)] * 3)
def test_layers_that_were_one_differ_in_what_was_bound_since(
    before: list[str], here: list[str], there: list[str]
) -> None:
    def bound(layered: Layered, names: list[str]) -> Layered:
        for name in names:
            layered[name] = unknown("another")
            layered = layered.copy()
        return layered

    common = bound(Layered(), before)
    one, other = bound(common.copy(), here), bound(common.copy(), there)
    assert set(one.differing(other)) == {*here, *there}
    assert set(one.differing(Layered(dict(other.items())))) == {*before, *here, *there}
