"""Shape and dtype of an array, where they are evident.

A shape is None (nothing known) or a tuple with an int or None for each axis; a dtype is its NumPy name or None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import TypeAlias

Size: TypeAlias = int | None
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
    return tuple(map(_broadcast_size, left, right))


def _broadcast_size(first: Size, second: Size) -> Size:
    """The size of an axis that two arrays share: one of them may be 1."""
    if first == second or second == 1:
        return first
    if first == 1 or first is None:
        return second
    return first if second is None else None


def count(shape: Shape) -> Size:
    """The number of elements."""
    if shape is None or None in shape:
        return None
    return math.prod(size for size in shape if size is not None)


def reduced(shape: Shape, axes: Collection[int] | None, keeps: bool) -> Shape:
    """The shape of a reduction over some axes, over all for None; one that keeps them has size 1 there."""
    if shape is None:
        return None
    rank = len(shape)
    if axes is not None and not all(-rank <= axis < rank for axis in axes):
        return None
    gone = set(range(rank)) if axes is None else {axis % rank for axis in axes}
    kept = [(1 if place in gone else size) for place, size in enumerate(shape) if keeps or place not in gone]
    return tuple(kept)


def reshaped(shape: Shape, sizes: tuple[Size, ...]) -> Shape:
    """The shape that `reshape` gives for these sizes, one of which may be -1."""
    if -1 not in sizes:
        return sizes
    total, rest = count(shape), count(tuple(size for size in sizes if size != -1))
    missing = total // rest if total is not None and rest else None
    return tuple(missing if size == -1 else size for size in sizes)


def inserted(shape: Shape, axis: int, size: Size) -> Shape:
    """The shape with an axis more."""
    if shape is None or not -len(shape) - 1 <= axis <= len(shape):
        return None
    place = axis % (len(shape) + 1)
    return (*shape[:place], size, *shape[place:])


def tiled(shape: Shape, times: tuple[Size, ...]) -> Shape:
    """The shape of what is repeated so often along each axis."""
    if shape is None:
        return None
    rank = max(len(shape), len(times))
    counts: tuple[Size, ...] = (1,) * (rank - len(times)) + times
    sizes: tuple[Size, ...] = (1,) * (rank - len(shape)) + shape
    return tuple(None if size is None or one is None else size * one for size, one in zip(sizes, counts, strict=True))


def along(shape: Shape, axis: int, change: Callable[[int], int]) -> Shape:
    """The shape with another size along an axis, which follows from the size there."""
    if shape is None or not -len(shape) <= axis < len(shape):
        return None
    place = axis % len(shape)
    size = shape[place]
    return (*shape[:place], None if size is None else change(size), *shape[place + 1 :])


def moved(shape: Shape, start: int, end: int) -> Shape:
    """The shape with an axis at another place."""
    if shape is None or not all(-len(shape) <= axis < len(shape) for axis in (start, end)):
        return None
    place = start % len(shape)
    rest = (*shape[:place], *shape[place + 1 :])
    return (*rest[: end % len(shape)], shape[place], *rest[end % len(shape) :])


def multiplied(first: Shape, second: Shape) -> Shape:
    """The shape of a matrix product."""
    if not first or not second:
        return None
    if len(second) == 1:
        return first[:-1]
    batch = broadcast(first[:-2], second[:-2])
    return None if batch is None else (*batch, *first[-2:-1], second[-1])


def joined(shapes: Collection[Shape], axis: int) -> Shape:
    """The shape of arrays that are concatenated along an axis."""
    first = next(iter(shapes), None)
    if first is None or not -len(first) <= axis < len(first):
        return None
    place, common = axis % len(first), first
    total: Size = 0
    for shape in shapes:
        if shape is None or len(shape) != len(first):
            return None
        size = shape[place]
        total = None if total is None or size is None else total + size
        common = tuple(map(_broadcast_size, common, shape))
    return (*common[:place], total, *common[place + 1 :])


def sliced(size: Size, start: int | None, stop: int | None, step: int | None) -> Size:
    """The size of a slice of an axis; bounds outside of it are moved to its ends."""
    if size is None:
        return None
    return len(range(*slice(start, stop, step).indices(size))) if step != 0 else None
