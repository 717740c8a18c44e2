"""What is known of an operand where a transform meets it, leaf by leaf.

(jnp.ones(3), ys)       an array of 3 rows, and whatever the caller passes for `ys`
n / 2                   a float
x > 0                   as many truths as the caller's `x` has elements
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from flake8_jax.analysis.checks.contracts.nouns import CONTAINERS, noun_of_function, noun_of_text
from flake8_jax.analysis.checks.contracts.structure import Contents
from flake8_jax.analysis.objects.dtypes import sort_of
from flake8_jax.domain.kinds import ARRAY, INPUT, KEY, KEYS, NUMBER, SHAPED, STATIC
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.lazy_dataclasses import dataclass

MAXIMUM_DEPTH = 4
MAXIMUM_LEAVES = 24


@dataclass(frozen=True, slots=True)
class SeenLeaf:
    """What is known of one leaf of an operand.

    `noun`: what it is instead of an array or number ("None", "a string", "a function"), or the container that an empty
    leaf or an unknown rest stands for; `sort` is the type of a number or array ("bool", "int", "float", "complex");
    `number` its constant. `depth` 0: it is the operand itself. `container` is what holds it.
    """

    noun: str = ""
    shape: Shape = None
    sort: str = ""
    number: int | None = None
    depth: int = 0
    container: str = ""


DemandedOperands: TypeAlias = tuple[tuple[str, tuple[SeenLeaf, ...]], ...]
"""The parameters that a demand is about, each with its leaves."""

ABSENT = SeenLeaf("None")


def leaves_of(
    value: Value, contents: Contents | None = None, depth: int = 0, container: str = ""
) -> Iterator[SeenLeaf]:
    """The leaves of a value, as far as they are known; None and an empty container are leaves here, too."""
    if value.kind in CONTAINERS:
        noun = CONTAINERS[value.kind]
        held = contents(value) if contents is not None else value
        parts = held.elements if held.elements is not None else None
        parts = tuple(held.entries.values()) if held.entries is not None else parts
        if parts is None or depth >= MAXIMUM_DEPTH or len(parts) > MAXIMUM_LEAVES:
            yield SeenLeaf(f"{noun}?", depth=depth, container=container or noun)
            return
        if not parts:
            yield SeenLeaf(noun, depth=depth, container=container or noun)
        for part in parts:
            yield from leaves_of(part, contents, depth + 1, container or noun)
        return
    yield _leaf(value, depth, container)


def _leaf(value: Value, depth: int, container: str) -> SeenLeaf:
    kind = value.kind
    if kind is NUMBER:
        return SeenLeaf("", (), sort_of(value), _whole(value.constant), depth, container)
    if kind in SHAPED:
        written = _written(value)
        shape = () if written is not None and value.shape is None else value.shape
        return SeenLeaf("", shape, sort_of(value), _whole(written) if kind is ARRAY else None, depth, container)
    if kind is STATIC and type(value.constant) is bool:
        return SeenLeaf("", (), "bool", None, depth, container)
    return SeenLeaf(_noun(value), depth=depth, container=container)


def _noun(value: Value) -> str:
    """What a leaf is instead of an array or a number; "" if that is not known."""
    kind = value.kind
    if kind is STATIC:
        return "None" if value.constant is None else noun_of_text(value)
    if kind is KEY or kind is KEYS:
        return "a random key"
    return "" if kind is INPUT else noun_of_function(value)


def _written(value: Value) -> int | float | None:
    """The constant that was passed to a traced parameter."""
    op, sign = value.made_by, 1
    if type(op) is ops.Operate and op.operator == "-" and len(op.operands) == 1:
        op, sign = op.operands[0], -1
    known = op.value if type(op) is ops.Const else None
    return sign * known if type(known) is int or type(known) is float else None


def _whole(known: object) -> int | None:
    return known if type(known) is int else None


def seen_in(names: tuple[str, ...], values: tuple[Value | None, ...], contents: Contents) -> DemandedOperands:
    """What is known of each operand; one that is not given is absent."""
    seen = [(ABSENT,) if value is None else tuple(leaves_of(value, contents)) for value in values]
    return tuple(zip(names, seen, strict=True))
