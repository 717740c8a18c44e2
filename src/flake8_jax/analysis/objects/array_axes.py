"""Indices of arrays: which part of an index takes which axis, and the shape of what is taken.

x of shape (4, 5, 6)
x[0, 5]             0 takes axis 0 of size 4, 5 takes axis 1 of size 5; what is left has shape (6,)
x[..., 2:4, None]   the slice takes the last axis; shape (4, 5, 2, 1)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flake8_jax.domain.constants import NOTHING, Constant
from flake8_jax.domain.kinds import ARRAY, NUMBER, TUPLE
from flake8_jax.domain.payload import AT, Elements, SliceOf
from flake8_jax.domain.shape import Shape, Size, sliced
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import dataclass

ELLIPSIS = Constant(...)


@dataclass(frozen=True, slots=True)
class AxisTaken:
    """A part of an index, its place there, and the axis that it takes.

    The axis counts from the end if negative."""

    part: Value
    place: int
    axis: int


def parts_of_index(index: Value) -> tuple[Value, ...]:
    """The indices in a subscript."""
    payload = index.payload
    return payload.parts or () if index.kind is TUPLE and type(payload) is Elements else (index,)


def axes_taken(index: Value) -> Iterator[AxisTaken]:
    """The axes that the parts of an index take, as far as they are certain: a mask may take several."""
    parts = parts_of_index(index)
    for place, axis, part in _in_order(parts):
        yield AxisTaken(part, place, axis)
    else:
        ellipses = [place for place, part in enumerate(parts) if part.payload == ELLIPSIS]
        if len(ellipses) == 1:
            for place, axis, part in _in_order(parts[: ellipses[0] : -1]):
                yield AxisTaken(part, len(parts) - 1 - place, -1 - axis)


def _in_order(parts: tuple[Value, ...]) -> Iterator[tuple[int, int, Value]]:
    axis = 0
    for place, part in enumerate(parts):
        if part.payload == NOTHING:
            continue
        if not takes_one_axis(part):
            return
        yield place, axis, part
        axis += 1


def takes_one_axis(part: Value) -> bool:
    """Does an index take one axis, whatever it holds: a number, a slice, an array that is no mask?"""
    if part.kind is NUMBER or type(part.payload) is SliceOf:
        return True
    return part.kind is ARRAY and part.shape is not None and part.dtype != "bool" and part.payload is not AT


def shape_of_item(base: Value, index: Value) -> Shape:
    """The shape of `base[index]`, where that is known."""
    if base.shape is None:
        return None
    if base.payload is AT:  # a view of the whole
        return base.shape
    parts = parts_of_index(index)
    taken = {axis.place: axis.axis for axis in axes_taken(index)}
    rank = len(base.shape)
    sizes: list[Size] = []
    is_open = any(part.payload == ELLIPSIS for part in parts)
    if len(taken) > rank or sum(part.kind is ARRAY for part in parts) > 1:
        return None
    is_spread = any(part.kind is ARRAY for part in parts) and any(part.kind is NUMBER for part in parts)
    if is_spread:  # NumPy moves the axes of such
        return None
    for place, part in enumerate(parts):
        if part.payload == ELLIPSIS:
            sizes.extend(_between(base.shape, taken, place))
        elif part.payload == NOTHING:
            sizes.append(1)
        elif place not in taken:
            return None
        else:
            sizes.extend(_left_of(base.shape[taken[place]], part))
    return tuple(sizes) if is_open else (*sizes, *base.shape[len(taken) :])


def shape_of_taken(operands: tuple[Value, ...], given: Mapping[str, Value]) -> Shape:
    """The shape of an item, as a rule of its base and its index."""
    return shape_of_item(operands[0], given["index"])


def _between(shape: tuple[Size, ...], taken: dict[int, int], ellipsis: int) -> tuple[Size, ...]:
    before = sum(place < ellipsis for place in taken)
    return shape[before : len(shape) - (len(taken) - before)]


def _left_of(size: Size, part: Value) -> tuple[Size, ...]:
    """What is left of an axis."""
    payload = part.payload
    if type(payload) is SliceOf:
        bounds = [bound.constant for bound in payload.bounds]
        known = [bound for bound in bounds if bound is None or type(bound) is int]
        if len(known) < len(bounds):
            return (None,)
        return (sliced(size, *known),)
    return part.shape or () if part.kind is ARRAY else ()
