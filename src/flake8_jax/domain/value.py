"""Abstract values: kind, dependences, known parts, shape and dtype.

The kinds form a flat lattice with one chain in it, for the operands of arithmetic:

    NUMBER <= COMPUTED <= INPUT        ARRAY <= COMPUTED        everything <= UNKNOWN

ARRAY is certainly a JAX array; COMPUTED is the result of operators on inputs (an array if one of them is); INPUT is an
argument or a part of one, and may as well be a container.  A value is an *identity*: two reads of one name give the
same object, two calls give two, so that facts about a value (used up, tested) need no names.  Like ops, values are
slotted and not frozen: they are made by the thousand.  Nothing changes one after it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.domain.constants import OPEN, Constant, Facts, NotConstant
from flake8_jax.domain.dtypes import Dtype
from flake8_jax.domain.flags import flag_of
from flake8_jax.domain.key_parts import KeyMix, keys_on_either_path
from flake8_jax.domain.kinds import (
    ARITHMETIC,
    ARRAYS_OR_COMPUTED,
    CALLABLES_OR_UNKNOWN,
    CERTAIN_ARRAYS,
    COMPUTED,
    CONTAINERS,
    DESCRIBED,
    DICT,
    DICT_OR_INPUT,
    HOST_CONSTANTS,
    INPUT,
    KEY,
    KEYS,
    KIND_NOUNS,
    MAY_BE_KEY,
    NUMBER,
    RANDOM_KEYS,
    RENEWED_BY_LOOPS,
    SCALARS_AND_ARRAYS,
    SEQUENCES,
    STATIC,
    TOLD_BY_PAYLOAD,
    UNKNOWN,
    Kind,
)
from flake8_jax.domain.payload import (
    Alternatives,
    ArrayDoubt,
    Compound,
    Each,
    Elements,
    Entries,
    Extended,
    Key,
    Named,
    Payload,
    Reason,
    SequenceForm,
    elements,
    reason,
)
from flake8_jax.domain.shape import Shape, broadcast, join_shape
from flake8_jax.domain.staging import NONE, Dependences, Input, unite
from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.ir.ops import Op
    from flake8_jax.ir.parts import Host


@dataclass(slots=True, eq=False)
class Value:
    """An abstract value.

    `payload` belongs to the kind: UNKNOWN has its reason, INPUT its `Input` (None where several meet), NUMBER and
    STATIC the constant or `OPEN`, ARRAY and REF an `ArrayDoubt` or nothing, containers their known parts, API and
    OBJECT a canonical name, FUNCTION, PARTIAL, METHOD, CLASS and INSTANCE their description.  `made_by`: the op that
    made it.
    `caller_value`: of an argument as a transformed function gets it, the caller's value.  `like`: of a result whose
    shape is not known here, the input that has the same, or how it follows from operands that inputs decide.  `ways`:
    of data that is another one on each of several paths, those with the facts of their paths.
    """

    kind: Kind
    dependences: Dependences = NONE
    payload: Payload | None = None
    made_by: Op | None = None
    shape: Shape = None
    dtype: Dtype | None = None
    caller_value: Value | None = None
    like: Input | ShapeOf | None = None
    ways: tuple[tuple[Value, Facts], ...] = ()

    @property
    def alike(self) -> Input | None:
        """The input that has the same shape, which may be the value itself."""
        return self.like if isinstance(self.like, Input) else self.input if self.like is None else None

    @property
    def original(self) -> Value:
        """The value itself, or the caller's value outside of all transforms."""
        value = self
        while value.caller_value is not None:
            value = value.caller_value
        return value

    def text(self) -> str:
        """A short spelling, for people: kind, payload, shape and dtype."""
        payload, noun = self.payload, KIND_NOUNS.get(self.kind, self.kind.value)
        parts = [] if payload is not None and self.kind in TOLD_BY_PAYLOAD else [noun]
        parts += [payload.text()] if payload is not None and payload is not OPEN else []
        parts += [str(self.shape)] if self.shape is not None else []
        return " ".join([*parts, self.dtype] if isinstance(self.dtype, str) else parts)

    @property
    def constant(self) -> Host | NotConstant:
        """The constant of a number or static value; `OPEN` if it is not known."""
        payload = self.payload
        return payload.value if type(payload) is Constant else OPEN

    @property
    def name(self) -> str:
        """The canonical name of what a library defines or makes, else ""."""
        payload = self.payload
        return payload.name if type(payload) is Named else ""

    @property
    def input(self) -> Input | None:
        """The input that a value is, if it is one."""
        payload = self.payload
        return payload if type(payload) is Input else None

    @property
    def form(self) -> SequenceForm:
        """The form of a sequence, beside its parts."""
        payload = self.payload
        return payload.form if type(payload) is Elements or type(payload) is Each else ""

    @property
    def elements(self) -> tuple[Value, ...] | None:
        """The known parts of a list or tuple."""
        payload = self.payload
        return payload.parts if type(payload) is Elements else None

    @property
    def entries(self) -> dict[Key, Value] | None:
        """The known parts of a dict."""
        payload = self.payload
        return payload.parts if type(payload) is Entries else None

    @property
    def parts(self) -> Collection[Value]:
        """The known parts of a container or instance, in order."""
        payload = self.payload
        return payload.held() if isinstance(payload, Compound) else ()


ShapeRule: TypeAlias = "Callable[[tuple[Value, ...], Mapping[str, Value]], Shape]"


@dataclass(frozen=True, slots=True, eq=False)
class ShapeOf:
    """The shape of a result whose operands are known only as inputs: the rule, the operands, and named arguments."""

    rule: ShapeRule
    operands: tuple[Value, ...]
    given: Mapping[str, Value]
    depth: int


DEEPEST_SHAPE = 3
"""Of how many operations at most, one of another, a shape is known in terms of inputs."""

MOST_TERMS = 6
"""How many terms of one elementwise result count as one operation."""


def shape_of_operands(rule: ShapeRule, operands: tuple[Value, ...], given: Mapping[str, Value]) -> ShapeOf | None:
    """The symbolic shape of a result, to be computed once the inputs are known; None if operands do not decide it."""
    terms = _terms(operands) if rule is shape_of_broadcast else operands
    depths = [_shape_depth(operand) for operand in terms]
    known = [depth for depth in depths if depth is not None]
    deepest = max(known, default=DEEPEST_SHAPE)
    is_known = len(known) == len(depths) and deepest < DEEPEST_SHAPE
    return ShapeOf(rule, terms, given, deepest + 1) if is_known else None


def _terms(operands: tuple[Value, ...]) -> tuple[Value, ...]:
    """What is broadcast together in `a * x + b`: of operands that are broadcast themselves their operands."""
    found: dict[Value, None] = {}
    for operand in operands:
        like = operand.like if operand.shape is None else None
        is_broadcast = isinstance(like, ShapeOf) and like.rule is shape_of_broadcast
        found |= dict.fromkeys(like.operands if is_broadcast and isinstance(like, ShapeOf) else (operand,))
    return tuple(found) if len(found) <= MOST_TERMS else operands


def _shape_depth(operand: Value) -> int | None:
    """How deep the shape of an operand is known in terms of inputs; None if nothing says it."""
    if operand.kind in SEQUENCES and operand.elements:
        depths = [_shape_depth(part) for part in operand.elements]
        known = [depth for depth in depths if depth is not None]
        return max(known) if len(known) == len(depths) else None
    if operand.shape is not None or operand.kind in HOST_CONSTANTS or operand.alike is not None:
        return 0
    return operand.like.depth if isinstance(operand.like, ShapeOf) else None


def shape_of_broadcast(operands: tuple[Value, ...], given: Mapping[str, Value]) -> Shape:
    """The shape of arrays that are broadcast against each other."""
    del given
    return reduce(broadcast, map(_shape_beside_others, operands))


def shape_of_leaves(operands: tuple[Value, ...], given: Mapping[str, Value]) -> Shape:
    """The shape of what a map over the leaves of a tree gives, if that is an array: any."""
    del operands, given
    return None


def least_shape(value: Value) -> Shape:
    """A shape that is surely a part of that of a value: of what is broadcast, that of the operands which are known."""
    if value.shape is not None or not isinstance(value.like, ShapeOf) or value.like.rule is not shape_of_broadcast:
        return value.shape
    known: list[Shape] = [shape for shape in map(_shape_beside_others, value.like.operands) if shape is not None]
    return reduce(broadcast, known) if known else None


def _shape_beside_others(operand: Value) -> Shape:
    return () if operand.kind is NUMBER else operand.shape if operand.kind in CERTAIN_ARRAYS else None


MAXIMUM_DEPTH = 4
MAXIMUM_CALLED = 12
"""How many callables are known of which a value may be one."""


def unknown(why: str, made_by: Op | None = None) -> Value:
    """A value of which nothing is known, with the reason."""
    return Value(UNKNOWN, NONE, reason(why), made_by)


def constant(value: Host, made_by: Op | None = None) -> Value:
    """A known value of the host."""
    kind = NUMBER if type(value) in (int, float, complex) else STATIC
    return Value(kind, NONE, Constant(value), made_by)


def join(first: Value, second: Value, depth: int = 0) -> Value:
    """The least upper bound of two values; one of them itself where it covers both."""
    if first is second:
        return first
    if first.kind is second.kind:
        return _join_alike(first, second, depth)
    kinds = {first.kind, second.kind}
    if kinds == DICT_OR_INPUT and (extended := _join_extended(_below(first), _below(second))) is not None:
        return Value(DICT, NONE, extended, first.made_by)
    if kinds <= ARITHMETIC:
        kind = INPUT if INPUT in kinds else COMPUTED
        dtype = first.dtype if first.dtype == second.dtype else None
        return Value(kind, unite(first.dependences, second.dependences), dtype=dtype)
    if STATIC in kinds and kinds <= SCALARS_AND_ARRAYS and (_is_bool(first) or _is_bool(second)):
        return Value(COMPUTED, unite(first.dependences, second.dependences))
    if kinds == HOST_CONSTANTS:
        return Value(STATIC, unite(first.dependences, second.dependences), OPEN)
    if kinds <= CALLABLES_OR_UNKNOWN and (found := one_of((first, second))) is not None:
        return found
    if UNKNOWN in kinds:
        payload = first.payload if first.kind is UNKNOWN else second.payload
        return Value(UNKNOWN, NONE, payload if type(payload) is Reason else reason("kinds differ"), first.made_by)
    return unknown("kinds differ", first.made_by)


def _below(value: Value) -> Payload | None:
    """An input as a dict of what it holds, with nothing above; any other value by what is known of it."""
    return Extended(value, {}) if value.input is not None else value.payload


def _join_extended(first: Payload | None, second: Payload | None, depth: int = 0) -> Extended | None:
    """What is known of two dicts of what one input holds: what lies above in one of them alone may be replaced."""
    if type(first) is not Extended or type(second) is not Extended or first.below.input is not second.below.input:
        return None
    if depth >= MAXIMUM_DEPTH:
        return None
    above = {name: unknown("replaced on one path only") for name in (*first.above, *second.above)}
    shared = ((name, part) for name, part in first.above.items() if name in second.above)
    both = {name: join(part, second.above[name], depth + 1) for name, part in shared}
    return Extended(first.below, {**above, **both})


def one_of(values: Collection[Value], paths: Collection[Facts | None] = ()) -> Value | None:
    """The value that is one of some callables, each on a path; None for too many, or if one is no callable.

    Without paths it is not known when which of them is chosen.
    """
    found: dict[tuple[Value, Facts | None], None] = {}
    for value, path in zip(values, paths or [None] * len(values), strict=True):
        payload = value.payload
        for one, when in payload.ways() if type(payload) is Alternatives else ((value, ()),):
            found[one, None if path is None or when is None else (*path, *when)] = None
    callables = tuple(one for one, _ in found)
    if len(found) > MAXIMUM_CALLED or any(
        one.kind not in CALLABLES_OR_UNKNOWN or one.kind is UNKNOWN for one in callables
    ):
        return None
    if len(set(callables)) == 1:
        return callables[0]
    return Value(UNKNOWN, payload=Alternatives(callables, tuple(when for _, when in found)))


def join_on_paths(values: Sequence[Value], paths: Sequence[Facts | None], depth: int = 0) -> Value:
    """The least upper bound of the values of some paths, by which callables and flags are told apart."""
    joined = reduce(join, values)
    if any(joined is value for value in values):
        return joined
    payload = joined.payload
    is_open = joined.kind is INPUT or (joined.kind is UNKNOWN and type(payload) is not Alternatives)
    if is_open or joined.kind in ARRAYS_OR_COMPUTED or joined.kind in RANDOM_KEYS:
        joined.ways = _ways(values, paths)
        return joined
    if joined.kind in HOST_CONSTANTS and joined.constant is OPEN:
        payload = flag_of(zip((value.payload for value in values), paths, strict=True)) or payload
    elif type(payload) is Alternatives:
        return one_of(values, paths) or joined
    elif type(payload) is Elements and joined.elements and depth < MAXIMUM_DEPTH:
        rows = zip(*(value.elements or () for value in values), strict=True)
        parts = tuple(join_on_paths(row, paths, depth + 1) for row in rows)
        payload = elements(parts, payload.form)
    if payload is joined.payload:
        return joined
    return Value(joined.kind, joined.dependences, payload, joined.made_by, joined.shape, joined.dtype)


def _ways(values: Sequence[Value], paths: Sequence[Facts | None]) -> tuple[tuple[Value, Facts], ...]:
    """The values of some paths with the facts of each; none if those of one are not known.

    What each of many tests may replace holds those before it no further than some of them back.
    """
    is_deep = any(_is_deep(value, MAXIMUM_DEPTH) for value in values)
    known = [(value, path) for value, path in zip(values, paths, strict=True) if path is not None]
    return tuple(known) if len(known) == len(values) and not is_deep else ()


def _is_deep(value: Value, levels: int) -> bool:
    """Has a value ways, of which one has ways, and so on, for so many levels?"""
    return bool(value.ways) and (levels <= 1 or any(_is_deep(one, levels - 1) for one, _ in value.ways))


def value_after_loop(earlier: Value, later: Value, depth: int = 0) -> Value:
    """The value of a name that a loop binds, after the loop, if the body runs at least once.

    Of keys and objects it is the later one.
    What tests can decide is joined: an empty loop is no evidence for a test either.
    """
    if later.kind in RENEWED_BY_LOOPS and (earlier.kind is later.kind or earlier.kind in MAY_BE_KEY):
        return later
    joined = join(earlier, later, depth)
    if joined is later or earlier.kind is not later.kind or depth >= MAXIMUM_DEPTH:
        return joined
    payload = joined.payload
    if type(payload) is Elements and payload.parts and earlier.elements and later.elements:
        pairs = zip(earlier.elements, later.elements, strict=True)
        payload = elements(tuple(value_after_loop(one, two, depth + 1) for one, two in pairs), payload.form)
    elif type(payload) is Entries and earlier.entries and later.entries:
        entries = later.entries
        payload = Entries(
            {name: value_after_loop(part, entries[name], depth + 1) for name, part in earlier.entries.items()}
        )
    return Value(joined.kind, joined.dependences, payload, joined.made_by, joined.shape, joined.dtype)


def _is_bool(value: Value) -> bool:
    return value.kind is STATIC and isinstance(value.constant, bool)


def _join_alike(first: Value, second: Value, depth: int) -> Value:
    kind, payload = first.kind, first.payload
    if kind is KEY or kind is KEYS:
        payload = keys_on_either_path(first, second)
    elif payload is not second.payload or isinstance(payload, Compound):
        payload = _join_payloads(kind, payload, second.payload, depth)
        if payload is None and kind in DESCRIBED:
            return (one_of((first, second)) if kind in CALLABLES_OR_UNKNOWN else None) or unknown(
                "kinds differ", first.made_by
            )
    dependences = unite(first.dependences, second.dependences)
    shape = join_shape(first.shape, second.shape)
    dtype = first.dtype if first.dtype == second.dtype else None
    made_by = first.made_by if first.made_by is second.made_by else None
    like = first.like if first.like is not None and first.like is second.like else None
    return Value(kind, dependences, payload, made_by, shape, dtype, like=like)


def _join_payloads(kind: Kind, first: Payload | None, second: Payload | None, depth: int) -> Payload | None:
    """The common payload of two values of one kind."""
    if kind is NUMBER or kind is STATIC:
        return first if _is_same_constant(first, second) else OPEN
    if kind is UNKNOWN:
        if type(first) is Alternatives and type(second) is Alternatives:
            both = tuple(dict.fromkeys((*first.values, *second.values)))
            known = len(both) <= MAXIMUM_CALLED
            return Alternatives(both, (None,) * len(both)) if known else reason("kinds differ")
        if type(first) is Alternatives or type(second) is Alternatives:
            return second if type(first) is Alternatives else first
        if type(first) is not Reason or type(second) is not Reason:
            return first if first == second else reason("kinds differ")
        return first if _why(first) <= _why(second) else second
    if kind in CONTAINERS:
        return _join_containers(first, second, depth)
    if type(first) is ArrayDoubt or type(second) is ArrayDoubt:
        return first if type(first) is ArrayDoubt else second
    if isinstance(first, Compound) and second is not None:
        return first.met(second, partial(join, depth=depth + 1)) if depth < MAXIMUM_DEPTH else None
    return first if first == second else None


def _is_same_constant(first: Payload | None, second: Payload | None) -> bool:
    if type(first) is not Constant or type(second) is not Constant:
        return False
    one, two = first.value, second.value
    return type(one) is type(two) and (one is two or bool(one == two))


def _why(payload: Payload | None) -> str:
    return payload.reason if type(payload) is Reason else ""


def _join_containers(first: Payload | None, second: Payload | None, depth: int) -> Payload | None:
    if type(first) is Elements and type(second) is Elements:
        parts = _join_elements(first.parts, second.parts, depth)
        return elements(parts, first.form if first.form == second.form else "")
    if type(first) is Entries and type(second) is Entries:
        return _join_entries(first.parts, second.parts, depth)
    if type(first) is Extended and type(second) is Extended and first != second:
        return _join_extended(first, second, depth)
    return first if first == second else None


def _join_elements(
    first: tuple[Value, ...] | None, second: tuple[Value, ...] | None, depth: int
) -> tuple[Value, ...] | None:
    if first is None or second is None or depth >= MAXIMUM_DEPTH or len(first) != len(second):
        return None
    return tuple(join(a, b, depth + 1) for a, b in zip(first, second, strict=True))


def _join_entries(first: dict[Key, Value], second: dict[Key, Value], depth: int) -> Entries | None:
    if depth >= MAXIMUM_DEPTH or first.keys() != second.keys():
        return None
    return Entries({key: join(part, second[key], depth + 1) for key, part in first.items()})


def steps_to(base: Value, part: Value, depth: int = 0) -> tuple[Key, ...] | None:
    """The indices that lead from a container to a value that it is known to hold; none for the container itself."""
    if base is part or depth >= MAXIMUM_DEPTH:
        return () if base is part else None
    entries = base.entries or dict(enumerate(base.elements or ()))
    for index, one in entries.items():
        below = steps_to(one, part, depth + 1)
        if below is not None:
            return (index, *below)
    return None


def dependences_of(value: Value, depth: int = 0) -> Dependences:
    """The dependences of a value and of its known parts."""
    found = value.dependences
    payload = value.payload
    if isinstance(payload, Compound) and depth < MAXIMUM_DEPTH:
        for part in payload.held():
            found = unite(found, dependences_of(part, depth + 1))
    return found


def common_likeness(operands: Collection[Value]) -> Input | ShapeOf | None:
    """What says the shape of an elementwise result: the same of all operands, but for numbers."""
    arrays = [operand for operand in operands if operand.kind is not NUMBER]
    found = {operand.alike for operand in arrays}
    known = found.pop() if len(found) == 1 else None
    if known is not None or not arrays or not isinstance(arrays[0].like, ShapeOf):
        return known
    like = arrays[0].like
    return like if all(operand.like is like for operand in arrays) else None


def input_of(value: Value) -> Input | None:
    """The single input that a value is, if it is one; a key of one path or another is more than that."""
    if len(value.dependences) == 1 and type(value.payload) is not KeyMix:
        (only,) = value.dependences
        return only if isinstance(only, Input) else None
    return None
