"""Shape and dtype of an array, where they are evident.

A shape is None (nothing known) or a tuple with an int or None for each axis; a dtype is its NumPy name or None.
"""

from __future__ import annotations

from typing import TypeAlias

Shape: TypeAlias = tuple[int | None, ...] | None


def join_shape(first: Shape, second: Shape) -> Shape:
    """The common shape: the rank if equal, each axis if equal."""
    if first == second:
        return first
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second, strict=True))


def broadcast(first: Shape, second: Shape) -> Shape:
    """The shape of an elementwise result; unknown axes stay unknown."""
    if first is None or second is None:
        return None
    size = max(len(first), len(second))
    left: tuple[int | None, ...] = (1,) * (size - len(first)) + first
    right: tuple[int | None, ...] = (1,) * (size - len(second)) + second
    return tuple(b if a == 1 else a if b == 1 or a == b else None for a, b in zip(left, right, strict=True))
