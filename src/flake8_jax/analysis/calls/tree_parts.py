"""Parts of pytrees that a transform hands to its function: a leaf, an element along the leading axis, all arguments."""

from __future__ import annotations

from flake8_jax.analysis.evaluate.iteration import element
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.payload import Elements, Entries
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, INSTANCE, KEY, NUMPY, REF, TUPLE, Value, join, unknown
from flake8_jax.ir.ops import Op


def spread(value: Value | None) -> list[Value]:
    """The arguments in a tuple that is passed on as `*tuple`."""
    return list(value.elements or ()) if value is not None else []


def leaf_of(frame: Frame, value: Value, op: Op) -> Value:
    """A leaf of a pytree: the join of all known leaves, an array if the tree is an input."""
    if value.kind is INPUT:
        return Value(COMPUTED, value.dependences, None, op)
    leaves = [leaf_of(frame, part, op) for part in value.parts] if value.kind is not INSTANCE else []
    if not leaves:
        return value if value.kind in (ARRAY, COMPUTED, KEY, NUMPY) else unknown("leaf of a tree")
    found = leaves[0]
    for leaf in leaves[1:]:
        found = join(found, leaf)
    return found


def each_of(frame: Frame, value: Value, op: Op) -> Value:
    """An element along the leading axis of a pytree of arrays."""
    if value.elements is not None:
        return Value(TUPLE, NONE, Elements(tuple(each_of(frame, part, op) for part in value.elements)), op)
    if value.entries is not None:
        parts = {name: each_of(frame, part, op) for name, part in value.entries.items()}
        return Value(value.kind, NONE, Entries(parts), op)
    if value.constant is None or value.kind is REF:  # a row of a reference is a reference
        return value
    if value.kind is INPUT and value.payload is None:
        return value
    return element(frame, value, op)
