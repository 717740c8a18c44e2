"""What is known of an operand where a transform meets it: leaf by leaf, and the input that decides the rest.

(jnp.ones(3), ys)       an array of 3 rows, and whatever the caller passes for `ys`
n / 2                   a float
x > 0                   as many truths as the caller's `x` has elements
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.contracts.nouns import CONTAINERS, noun_of_function, noun_of_text
from flake8_jax.analysis.checks.contracts.places import input_behind
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.api.dtypes import WEAK
from flake8_jax.domain.dtypes import Dtype
from flake8_jax.domain.effects import CallSite
from flake8_jax.domain.kinds import ARRAY, KEY, KEYS, NUMBER, SHAPED, STATIC
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.staging import Input
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.lazy_dataclasses import dataclass, replace

SORTS = {"bool": "bool", "int": "int", "uint": "int", "float": "float", "bfloat": "float", "complex": "complex"}
ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**"))
MAXIMUM_DEPTH = 4
MAXIMUM_LEAVES = 24


@dataclass(frozen=True, slots=True)
class SeenLeaf:
    """What is known of one leaf of an operand.

    `noun`: what it is instead of an array or number ("None", "a string", "a function"), or the container that an empty
    leaf or an unknown rest stands for; `sort` is the type of a number or array ("bool", "int", "float", "complex");
    `number` its constant. `depth` 0: it is the operand itself. `source` decides what is not known; `is_like`: only the
    shape. `container` is what holds it.
    """

    noun: str = ""
    shape: Shape = None
    sort: str = ""
    number: int | None = None
    depth: int = 0
    source: Input | None = None
    is_like: bool = False
    container: str = ""


ABSENT = SeenLeaf("None")


def leaves_of(value: Value, state: State | None = None, depth: int = 0, container: str = "") -> Iterator[SeenLeaf]:
    """The leaves of a value, as far as they are known; None and an empty container are leaves here, too."""
    if value.kind in CONTAINERS:
        noun = CONTAINERS[value.kind]
        held = state.contents(value) if state is not None else value
        parts = held.elements if held.elements is not None else None
        parts = tuple(held.entries.values()) if held.entries is not None else parts
        if parts is None or depth >= MAXIMUM_DEPTH or len(parts) > MAXIMUM_LEAVES:
            yield SeenLeaf(f"{noun}?", depth=depth, container=container or noun)
            return
        if not parts:
            yield SeenLeaf(noun, depth=depth, container=container or noun)
        for part in parts:
            yield from leaves_of(part, state, depth + 1, container or noun)
        return
    yield replace(_leaf(value), depth=depth, container=container)


def _leaf(value: Value) -> SeenLeaf:
    kind = value.kind
    if kind is STATIC:
        if value.constant is None:
            return SeenLeaf("None")
        return SeenLeaf("", (), "bool") if type(value.constant) is bool else SeenLeaf(noun_of_text(value))
    if kind is NUMBER:
        return SeenLeaf("", (), sort_of(dtype_of_operand(value)) or _sort_of_result(value), _whole(value))
    if kind in SHAPED:
        written = _written(value)
        sort = sort_of(dtype_of_operand(value)) or _sort_of_result(value) or _sort_of_constant(written)
        shape = () if written is not None and value.shape is None else value.shape
        number = written if type(written) is int and kind is ARRAY else None
        return SeenLeaf("", shape, sort, number, source=value.alike if shape is None else None, is_like=True)
    if kind is KEY or kind is KEYS:
        return SeenLeaf("a random key")
    source = input_behind(value)
    if source is not None:
        return SeenLeaf(source=source)
    return SeenLeaf(noun_of_function(value))


def sort_of(dtype: Dtype | None) -> str:
    """The sort of numbers of a dtype."""
    return SORTS.get(dtype.removeprefix(WEAK).rstrip("0123456789_"), "") if isinstance(dtype, str) else ""


def _written(value: Value) -> int | float | None:
    """The constant that was passed to a traced parameter."""
    op = value.made_by
    sign = 1
    if type(op) is ops.Operate and op.operator == "-" and len(op.operands) == 1:
        op, sign = op.operands[0], -1
    known = op.value if type(op) is ops.Const else None
    return sign * known if type(known) is int or type(known) is float else None


def _whole(value: Value) -> int | None:
    known = value.constant
    return known if type(known) is int else None


def _sort_of_constant(known: object) -> str:
    return SORTS.get(type(known).__name__, "") if known is not None else ""


def _sort_of_result(value: Value) -> str:
    """The kind of number that an operator gives: a division, or arithmetic with a float, gives floats."""
    op = value.made_by
    if type(op) is not ops.Operate or op.operator not in ARITHMETIC:
        return ""
    is_float = any(type(part) is ops.Const and type(part.value) is float for part in op.operands)
    return "float" if op.operator == "/" or is_float else ""


def resolved(site: CallSite, seen: tuple[SeenLeaf, ...]) -> tuple[SeenLeaf, ...]:
    """The same operand at a call, with what the arguments add to it."""
    found: list[SeenLeaf] = []
    for one in seen:
        actual = site.resolve(one.source) if one.source is not None else None
        if one.source is None or (actual is None and not site.is_owned(one.source)):
            found.append(one)
        elif actual is None:
            found.append(replace(one, source=None))
        elif one.is_like:
            shape = actual.shape if actual.kind in SHAPED else None
            found.append(replace(one, shape=shape, source=actual.alike if shape is None else None))
        else:
            found += leaves_of(actual, None, one.depth, one.container)
    return tuple(found)


def inputs_in(operands: tuple[tuple[str, tuple[SeenLeaf, ...]], ...]) -> list[Input]:
    """The inputs of the function that decide what is not known of some operands."""
    return [one.source for _, seen in operands for one in seen if one.source is not None]
