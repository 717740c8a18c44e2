"""Library functions that take indices: which argument is the array, which the index, and what happens outside.

jnp.take(x, 9)                          `fill`: NaN
lax.dynamic_slice(x, (4,), (3,))        `windows`: moved to fit
lax.switch(5, branches)                 the last branch

It is stated, in `[bounds]` of stated.toml: a word, and the parameters that it is about.
"""

from __future__ import annotations

from collections.abc import Mapping

from flake8_jax.analysis.calls.shapes import shape_of_operand
from flake8_jax.analysis.checks.bounds import need_branch_of, need_reaches_inside, reach_of, sizes_along
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.stated import sizes_of, whole_number
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.kinds import ARRAY, NUMBER
from flake8_jax.domain.shape import Shape, count
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

IndexedArguments = Mapping[str, Value]
MODE = "mode"
BRANCHES = "branches"


def need_bounds(frame: Frame, op: Op, stated: str, given: IndexedArguments) -> None:
    """Report a call of which an index is outside, unless its mode says what is meant."""
    word, *names = stated.split()
    mode = given.get(MODE)
    operands = [given[name] for name in names if name in given]
    if len(operands) < len(names) or (mode is not None and mode.constant is not None):
        return
    array, index, *widths = operands
    axis = _axis(given)
    if word == "fill":
        _need_items(frame, op, array, index, given)
    elif word == "windows":
        _need_windows(frame, op, array, index, widths[0])
    elif axis is not None:
        width = _width(widths[0], axis) if widths else 1
        reach = reach_of(frame, index, axis, None, width, array) if width is not None else None
        if reach is not None:
            need_reaches_inside(frame, op, "window" if widths else "read", array, sizes_along(array), [reach])


def _need_items(frame: Frame, op: Op, array: Value, index: Value, given: IndexedArguments) -> None:
    """Of an array that is taken from without an axis, the elements are counted."""
    axis = given.get("axis")
    sizes = sizes_along(array) if array.kind is ARRAY else None
    if axis is None or axis.constant is None:
        sizes = (count(sizes),)
        place: int | None = 0
        if array.input is not None:  # of how many axes it has, nothing is known
            return
    else:
        place = whole_number(axis)
    whole = None if axis is None or axis.constant is None else array
    reach = reach_of(frame, index, place, None, base=whole) if place is not None else None
    if reach is not None:
        need_reaches_inside(frame, op, "fill", array, sizes, [reach])


def _need_windows(frame: Frame, op: Op, array: Value, starts: Value, extents: Value) -> None:
    widths: Shape = shape_of_operand(extents) if extents.kind is ARRAY else sizes_of(extents)
    reaches = []
    for axis, (start, width) in enumerate(zip(starts.elements or (), widths or (), strict=False)):
        found = reach_of(frame, start, axis, None, width, array) if width is not None else None
        if found is not None:
            reaches.append(found)
    need_reaches_inside(frame, op, "window", array, sizes_along(array), reaches)


def _axis(given: IndexedArguments) -> int | None:
    return whole_number(given["axis"]) if "axis" in given else 0


def _width(extent: Value, axis: int) -> int | None:
    """The size of a window along an axis: a number, or that of an array."""
    if extent.kind is NUMBER:
        return whole_number(extent)
    shape = extent.shape if extent.kind is ARRAY else None
    return shape[axis] if shape is not None and -len(shape) <= axis < len(shape) else None


def need_branch(frame: Frame, op: Op, transform: Transform, given: IndexedArguments) -> None:
    """Report the choice of a branch that is none of those given."""
    if not transform.exclusive:
        return
    branches, index = given.get(BRANCHES), given.get("index")
    parts = frame.live().contents(branches).elements if branches is not None else None
    if not parts or index is None or branches is None:
        return
    need_branch_of(frame, op, index, len(parts))
    reach = reach_of(frame, index, 0, None)
    if reach is None:
        return
    need_reaches_inside(frame, op, "branch", branches, (len(parts),), [replace(reach, wraps=False)])
