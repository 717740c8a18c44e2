"""Descriptions of values: their structure and, for each leaf, shape, dtype and whether it was traced.

Values of a trace must not outlive it, so they are described when they arrive and compared by description.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import numpy as np

from flake8_jax.runtime.foreign import Foreign

LEAF = "PyTreeDef(*)"
PLAIN = (bool, int, float, complex, str, bytes, type(None))


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf of a value. An array has a shape and a dtype; of anything else `thing` says which value or type it is.

    `weak` is the weak type of an array, by which two arguments can be told apart that must be of one shape."""

    shape: tuple[int, ...] | None = None
    dtype: str = ""
    traced: bool = False
    ref: bool = False
    abstract: bool = False
    thing: str = ""
    weak: bool = False

    def is_array(self) -> bool:
        """Is this an array or a tracer, neither abstract nor a reference?"""
        return self.shape is not None and not self.ref and not self.abstract

    def is_like(self, other: Leaf) -> bool:
        """Have both the same shape and dtype, or are they the same object?"""
        return (self.shape, self.dtype, self.thing) == (other.shape, other.dtype, other.thing)


@dataclass(frozen=True, slots=True)
class DescribedValue:
    """A described value: the structure of its containers, its leaves, and the parts of the outermost container."""

    structure: str
    leaves: tuple[Leaf, ...]
    parts: tuple[DescribedValue, ...] | None = None

    def is_leaf(self) -> bool:
        """Is this a leaf, not a container?"""
        return self.structure == LEAF and len(self.leaves) == 1

    def has_arrays(self) -> bool:
        """Is any leaf an array?"""
        return any(leaf.is_array() for leaf in self.leaves)

    def is_like(self, other: DescribedValue) -> bool:
        """Have both the same structure, with similar leaves?"""
        if self.structure != other.structure or len(self.leaves) != len(other.leaves):
            return False
        return all(mine.is_like(theirs) for mine, theirs in zip(self.leaves, other.leaves))


def described(value: Foreign) -> DescribedValue:
    """Describe the present state of a value."""
    leaves, structure = jax.tree_util.tree_flatten(value)
    if callable(value) and not leaves:
        return DescribedValue(LEAF, (Leaf(thing="a function without arrays"),))
    parts = tuple(described(part) for part in value) if type(value) in (tuple, list) else None
    return DescribedValue(str(structure), tuple(leaf_of(leaf) for leaf in leaves), parts)


def leaf_of(value: Foreign) -> Leaf:
    """One leaf, described."""
    if is_ref(value):
        inner = getattr(getattr(value, "aval", value), "inner_aval", value)
        return Leaf(getattr(inner, "shape", None), str(getattr(inner, "dtype", "")), True, ref=True)
    if isinstance(value, (jax.Array, np.ndarray, np.generic)):
        weak = bool(getattr(getattr(value, "aval", None), "weak_type", False))
        return Leaf(tuple(value.shape), str(value.dtype), isinstance(value, jax.core.Tracer), weak=weak)
    if isinstance(value, jax.ShapeDtypeStruct):
        return Leaf(tuple(value.shape), str(value.dtype), abstract=True)
    if isinstance(value, PLAIN):
        return Leaf(thing=repr(value))
    kind = "function" if callable(value) else "thing"
    return Leaf(thing=f"a {kind} {type(value).__module__}.{type(value).__qualname__}")


def is_ref(value: Foreign) -> bool:
    """Is this a mutable reference?"""
    names = {type(value).__name__, type(getattr(value, "aval", None)).__name__}
    return any("Ref" in name for name in names)
