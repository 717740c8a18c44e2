"""Abstract values: kind, dependences, known parts, shape and dtype.

The kinds form a flat lattice with one chain in it, for the operands of arithmetic:

    NUMBER <= COMPUTED <= INPUT        ARRAY <= COMPUTED        everything <= UNKNOWN

ARRAY is certainly a JAX array; COMPUTED is the result of operators on inputs (an array if one of them is); INPUT is an
argument or a part of one, and may as well be a container.  A value is an *identity*: two reads of one name give the
same object, two calls give two, so that facts about a value (used up, tested) need no names.  Like ops, values are
slotted and not frozen: they are made by the thousand.  Nothing changes one after it is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from flake8_jax.domain.shape import Shape, join_shape
from flake8_jax.domain.staging import NONE, Dependences, unite


class Kind(Enum):
    """The kind of a value.  Hashed by identity: sets of kinds are queried for every op."""

    __hash__ = object.__hash__

    UNKNOWN = "unknown"
    INPUT = "input"
    COMPUTED = "computed"
    ARRAY = "array"
    KEY = "key"
    KEYS = "keys"
    NUMPY = "numpy"
    REF = "ref"
    NUMBER = "number"
    STATIC = "static"
    LIST = "list"
    TUPLE = "tuple"
    DICT = "dict"
    SET = "set"
    FUNCTION = "function"
    PARTIAL = "partial"
    API = "api"
    METHOD = "method"
    CLASS = "class"
    INSTANCE = "instance"
    OBJECT = "object"
    MODULE = "module"
    IMPORTED = "imported"


class NotConstant:
    """The type of `OPEN`, a constant that is not known."""

    def __repr__(self) -> str:
        return "OPEN"


OPEN = NotConstant()


class Slice:
    """The type of `SLICE`, which represents any slice."""

    def __repr__(self) -> str:
        return "SLICE"


SLICE = Slice()


@dataclass(slots=True, eq=False)
class Value:
    """An abstract value.

    `data` belongs to the kind: UNKNOWN its reason, INPUT its `Input` (None where several meet), NUMBER and STATIC the
    constant or `OPEN`, API and OBJECT a canonical name, MODULE a path, IMPORTED the target of an import that was not
    followed yet, FUNCTION, PARTIAL, METHOD, CLASS and INSTANCE their description.  `parts`: the known parts of a
    container (tuple for LIST and TUPLE, dict for DICT), None where they are not known.  `made_by`: the op that made it.
    `stands_for`: of an argument as a transformed function gets it, the caller's value.
    """

    kind: Kind
    dependences: Dependences = NONE
    data: Any = None
    parts: Any = None
    made_by: Any = None
    shape: Shape = None
    dtype: str | None = None
    stands_for: Value | None = None

    @property
    def original(self) -> Value:
        """The value itself, or the caller's value outside of all transforms."""
        value = self
        while value.stands_for is not None:
            value = value.stands_for
        return value


UNKNOWN, INPUT, COMPUTED, ARRAY = Kind.UNKNOWN, Kind.INPUT, Kind.COMPUTED, Kind.ARRAY
KEY, KEYS, NUMPY, REF = Kind.KEY, Kind.KEYS, Kind.NUMPY, Kind.REF
NUMBER, STATIC = Kind.NUMBER, Kind.STATIC
LIST, TUPLE, DICT, SET = Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.SET
FUNCTION, PARTIAL, API, METHOD = Kind.FUNCTION, Kind.PARTIAL, Kind.API, Kind.METHOD
CLASS, INSTANCE, OBJECT = Kind.CLASS, Kind.INSTANCE, Kind.OBJECT
MODULE, IMPORTED = Kind.MODULE, Kind.IMPORTED

ARITHMETIC = frozenset((NUMBER, ARRAY, COMPUTED, INPUT))
SCALAR = frozenset((STATIC, ARRAY, COMPUTED))
SEQUENCES = frozenset((LIST, TUPLE))
CONTAINERS = frozenset((LIST, TUPLE, DICT, SET))
MUTABLE = frozenset((UNKNOWN, INPUT, LIST, DICT, SET, INSTANCE, OBJECT, REF, NUMPY))
DESCRIBED = frozenset((FUNCTION, PARTIAL, API, METHOD, CLASS, INSTANCE, OBJECT, MODULE, IMPORTED))
MAXIMUM_DEPTH = 4


def unknown(reason: str, made_by: Any = None) -> Value:
    """A value of which nothing is known, with the reason."""
    return Value(UNKNOWN, NONE, reason, None, made_by)


def constant(value: object, made_by: Any = None) -> Value:
    """A known value of the host."""
    kind = NUMBER if type(value) in (int, float, complex) else STATIC
    return Value(kind, NONE, value, None, made_by)


def join(first: Value, second: Value, depth: int = 0) -> Value:
    """The least upper bound of two values; one of them itself where it covers both."""
    if first is second:
        return first
    if first.kind is second.kind:
        return _join_alike(first, second, depth)
    kinds = {first.kind, second.kind}
    if kinds <= ARITHMETIC:
        kind = INPUT if INPUT in kinds else COMPUTED
        return Value(kind, unite(first.dependences, second.dependences))
    if STATIC in kinds and kinds <= SCALAR and (_is_bool(first) or _is_bool(second)):
        return Value(COMPUTED, unite(first.dependences, second.dependences))
    if kinds == {NUMBER, STATIC}:
        return Value(STATIC, unite(first.dependences, second.dependences), OPEN)
    if UNKNOWN in kinds:
        return unknown(first.data if first.kind is UNKNOWN else second.data, first.made_by)
    return unknown("kinds differ", first.made_by)


def _is_bool(value: Value) -> bool:
    return value.kind is STATIC and isinstance(value.data, bool)


def _join_alike(first: Value, second: Value, depth: int) -> Value:
    kind = first.kind
    data, parts = first.data, None
    if kind is NUMBER or kind is STATIC:
        data = first.data if _same_constant(first.data, second.data) else OPEN
    elif kind is INPUT:
        data = first.data if first.data is second.data else None
    elif kind is UNKNOWN:
        data = min(first.data, second.data)
    elif kind in CONTAINERS:
        parts = _join_parts(first.parts, second.parts, depth)
        data = first.data if first.data == second.data else None
    elif data is not second.data and data != second.data:
        if kind in DESCRIBED:
            return unknown("kinds differ", first.made_by)
        data = None
    dependences = unite(first.dependences, second.dependences)
    shape = join_shape(first.shape, second.shape)
    dtype = first.dtype if first.dtype == second.dtype else None
    made_by = first.made_by if first.made_by is second.made_by else None
    return Value(kind, dependences, data, parts, made_by, shape, dtype)


def _same_constant(first: object, second: object) -> bool:
    return type(first) is type(second) and (first is second or bool(first == second))


def _join_parts(first: Any, second: Any, depth: int) -> Any:
    if first is None or second is None or depth >= MAXIMUM_DEPTH:
        return None
    if isinstance(first, tuple):
        if not isinstance(second, tuple) or len(first) != len(second):
            return None
        return tuple(join(a, b, depth + 1) for a, b in zip(first, second, strict=True))
    if not isinstance(second, dict) or first.keys() != second.keys():
        return None
    return {key: join(part, second[key], depth + 1) for key, part in first.items()}


def dependences_of(value: Value, depth: int = 0) -> Dependences:
    """The dependences of a value and of its known parts."""
    found = value.dependences
    if value.parts and depth < MAXIMUM_DEPTH:
        parts = value.parts.values() if isinstance(value.parts, dict) else value.parts
        for part in parts:
            found = unite(found, dependences_of(part, depth + 1))
    return found
