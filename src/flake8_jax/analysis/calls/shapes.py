"""Shape of the results of library functions, as far as a call shows them.

jnp.zeros((3, 4))               (3, 4)
jnp.sin(x)                      that of `x`
x.sum(axis=0)                   that of `x` without its first axis

How the shape of a result follows is stated, in `[shapes]` of stated.toml: a word, of which each is a function here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import TypeAlias

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.parameters import pairs
from flake8_jax.analysis.objects.stated import sizes_of, whole_number
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.folding import fold
from flake8_jax.domain.kinds import ARRAY, NUMBER, SEQUENCES, SHAPED
from flake8_jax.domain.shape import (
    Shape,
    Size,
    along,
    broadcast,
    count,
    inserted,
    joined,
    moved,
    multiplied,
    reduced,
    reshaped,
    tiled,
)
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import ShapeOf, Value, common_likeness, shape_of_operands

OperandsByName: TypeAlias = Mapping[str, Value]
Operands: TypeAlias = "tuple[Value, ...]"
DIVIDING = frozenset(("jax.numpy.split", "jax.numpy.array_split"))
MAXIMUM_PIECES = 32
FULL = 50
"""How many numbers `linspace` gives unless it is told."""


ELEMENTWISE = frozenset(("first", "both", "along"))
"""What has the shape of its operands, without options."""

SAID = frozenset(("said", "drawn"))
"""What has the shape that an argument says, as in `zeros(x.shape)`."""

OF_FIRST = frozenset((
    "first", "like", "along", "reduced", "stacked", "joined", "widened", "squeezed", "encoded", "flat", "tiled",
    "padded", "repeated", "differed", "piled", "lined", "exchanged", "moved",
))  # fmt: skip
"""What asks nothing but the first operand for its shape."""


def likeness_of(
    frame: Frame, function: ApiFunction, arguments: Arguments, receiver: Value | None
) -> Input | ShapeOf | None:
    """The input that has the shape of the result of a call, or how it follows from what inputs decide."""
    word = frame.program.table.shape(function.name)
    if word is None or arguments.is_open:
        return None
    if not arguments.keywords and word in ELEMENTWISE:
        operands = arguments.positional if receiver is None else (receiver, *arguments.positional)
        found = common_likeness(operands)
        if found is not None:
            return found
    operands, given = _operands(frame, function, arguments, receiver)
    said = given.get("shape") if word in SAID else None
    if said is not None and said.form == "shape" and said.elements is None:
        return said.like
    return shape_of_operands(SHAPES[word], operands[:1] if word in OF_FIRST else operands, given)


def shape_of(frame: Frame, function: ApiFunction, arguments: Arguments, receiver: Value | None = None) -> Shape:
    """The shape of the result of a call, None where unknown."""
    word = frame.program.table.shape(function.name)
    if word is None or arguments.is_open:
        return None
    return SHAPES[word](*_operands(frame, function, arguments, receiver))


def _operands(
    frame: Frame, function: ApiFunction, arguments: Arguments, receiver: Value | None
) -> tuple[Operands, OperandsByName]:
    given = {parameter.name: value for parameter, value, _ in pairs(function, arguments)}
    operands = arguments.positional if receiver is None else (receiver, *arguments.positional)
    if receiver is None and arguments.keywords and frame.program.table.shape(function.name) == "both":
        operands = _in_order(function, arguments)
    if not operands and given:
        operands = (next(iter(given.values())),)
    return tuple(
        frame.live().contents(operand) if operand.kind in SEQUENCES else operand for operand in operands
    ), given


def _in_order(function: ApiFunction, arguments: Arguments) -> Operands:
    """The operands by their places, also those that are given by name: `jnp.where(c, x=x, y=y)` of an older JAX."""
    operands = [*arguments.positional]
    while (parameter := function.parameter_at(len(operands))) is not None and parameter.name in arguments.keywords:
        operands.append(arguments.keywords[parameter.name])
    return tuple(operands)


def shape_of_operand(value: Value | None) -> Shape:
    """The shape of what a function takes for an array: an array, a number, a display of such."""
    if value is None:
        return None
    if value.kind is NUMBER or type(value.constant) is bool:
        return ()
    if value.kind in SHAPED:
        return value.shape
    parts = value.elements if value.kind in SEQUENCES else None
    if not parts:
        return None
    shapes = {shape_of_operand(part) for part in parts}
    inner = next(iter(shapes))
    return (len(parts), *inner) if len(shapes) == 1 and inner is not None else None


def _is_absent(value: Value | None) -> bool:
    return value is None or value.constant is None


def _first(operands: Operands, given: OperandsByName) -> Shape:
    if not operands or "ndmin" in given or ("axis" in given and given["axis"].constant is None):
        return None
    one = operands[0]
    is_promised = one.kind is NUMBER and one.constant is OPEN and one.made_by is None  # by an annotation alone
    return None if is_promised else shape_of_operand(one)


def _second(operands: Operands, given: OperandsByName) -> Shape:
    del given
    return shape_of_operand(operands[1]) if len(operands) > 1 else None


def _like(operands: Operands, given: OperandsByName) -> Shape:
    return _first(operands, given) if _is_absent(given.get("shape")) else sizes_of(given["shape"])


def _along(operands: Operands, given: OperandsByName) -> Shape:
    """The axis and shape for a function that flattens its operand unless it is given an axis."""
    shape = _first(operands, given)
    if not _is_absent(given.get("axis")) or (shape is not None and len(shape) == 1):
        return shape or (None if shape is None else (1,))
    return (count(shape),)


def _both(operands: Operands, given: OperandsByName) -> Shape:
    shapes = [shape_of_operand(operand) for operand in operands]
    return reduce(broadcast, shapes) if shapes else None


def _reduced(operands: Operands, given: OperandsByName) -> Shape:
    axis, keeps = given.get("axis"), given.get("keepdims")
    if keeps is not None and type(keeps.constant) is not bool:
        return None
    does_keep = keeps is not None and keeps.constant is True
    if _is_absent(axis) and not does_keep:
        return ()
    if _is_absent(axis):
        return reduced(_first(operands, given), None, does_keep)
    axes = list(sizes_of(axis) or (None,))
    known = [one for one in axes if one is not None]
    return reduced(_first(operands, given), known, does_keep) if len(known) == len(axes) else None


def _said(operands: Operands, given: OperandsByName) -> Shape:
    return sizes_of(given.get("shape") or given.get("slice_sizes"))


def _drawn(operands: Operands, given: OperandsByName) -> Shape:
    return () if "shape" not in given else sizes_of(given["shape"])


def _sized(operands: Operands, given: OperandsByName) -> Shape:
    """The shape of what NumPy draws, of which an argument says the size."""
    del operands
    return sizes_of(given["size"]) if "size" in given else None


def _listed(operands: Operands, given: OperandsByName) -> Shape:
    """The shape whose sizes are the arguments themselves."""
    del given
    return _sizes_in(operands) if operands else None


def _reshaped(operands: Operands, given: OperandsByName) -> Shape:
    order = given.get("order")
    if not operands or order is not None:
        return None
    wanted = given.get("shape")
    sizes = sizes_of(wanted) if wanted is not None else _sizes_in(operands[1:])
    return reshaped(_first(operands, given), sizes) if sizes is not None else None


def _sizes_in(arguments: Operands) -> Shape:
    """The sizes in `x.reshape(3, 4)` or `x.reshape((3, 4))`."""
    if len(arguments) == 1:
        return sizes_of(arguments[0])
    return tuple(map(whole_number, arguments)) if arguments else None


def _flat(operands: Operands, given: OperandsByName) -> Shape:
    return (count(_first(operands, given)),) if operands and operands[0].kind is ARRAY else None


def _counted(operands: Operands, given: OperandsByName) -> Shape:
    if "step" in given and len(operands) < 3:
        return (None,)
    numbers = [operand.constant for operand in operands[:3]]
    known = [number for number in numbers if type(number) is int or type(number) is float]
    if not known or len(known) != len(numbers) or known[2:] == [0]:
        return (None,)
    start, stop = (0, known[0]) if len(known) == 1 else known[:2]
    size = fold(math.ceil, (stop - start) / (known[2] if len(known) > 2 else 1))
    return (max(size, 0) if type(size) is int else None,)


def _spaced(operands: Operands, given: OperandsByName) -> Shape:
    if "axis" in given or "retstep" in given or any(operand.kind is not NUMBER for operand in operands[:2]):
        return None
    return (whole_number(given["num"]) if "num" in given else FULL,)


def _square(operands: Operands, given: OperandsByName) -> Shape:
    if not operands:
        return None
    rows, columns = operands[0], given.get("M")
    size = whole_number(rows)
    return (size, size if columns is None or columns.constant is None else whole_number(columns))


def _stacked(operands: Operands, given: OperandsByName) -> Shape:
    axis = whole_number(given["axis"]) if "axis" in given else 0
    shape = shape_of_operand(operands[0]) if operands else None
    if shape is None or axis is None or operands[0].kind not in SEQUENCES:
        return None
    return inserted(shape[1:], axis, shape[0])


def _joined(operands: Operands, given: OperandsByName) -> Shape:
    stated = given.get("axis") or given.get("dimension")
    axis = whole_number(stated) if stated is not None else 0
    parts = operands[0].elements if operands and operands[0].kind in SEQUENCES else None
    return joined([shape_of_operand(part) for part in parts], axis) if parts and axis is not None else None


def _turned(operands: Operands, given: OperandsByName) -> Shape:
    shape = _first(operands, given)
    if shape is None:
        return None
    if len(operands) == 1 and "axes" not in given:
        return shape[::-1]
    axes = sizes_of(given["axes"]) if "axes" in given else _sizes_in(operands[1:])
    known = [axis for axis in axes or () if axis is not None and -len(shape) <= axis < len(shape)]
    return tuple(shape[axis] for axis in known) if len(known) == len(shape) else None


def _widened(operands: Operands, given: OperandsByName) -> Shape:
    axis = whole_number(given.get("axis"))
    return inserted(_first(operands, given), axis, 1) if axis is not None else None


def _squeezed(operands: Operands, given: OperandsByName) -> Shape:
    shape = _first(operands, given)
    if shape is None or (None in shape and _is_absent(given.get("axis"))):
        return None
    if _is_absent(given.get("axis")):
        return tuple(size for size in shape if size != 1)
    return _reduced(operands, given)


def _encoded(operands: Operands, given: OperandsByName) -> Shape:
    shape = _first(operands, given)
    return (*shape, whole_number(given.get("num_classes"))) if shape is not None and "axis" not in given else None


def _tiled(operands: Operands, given: OperandsByName) -> Shape:
    times = sizes_of(given.get("reps"))
    return tiled(_first(operands, given), times) if times is not None else None


def _padded(operands: Operands, given: OperandsByName) -> Shape:
    """The shape that `jnp.pad` gives: one number pads all ends, a pair each axis, a list of pairs each end."""
    shape, width = _first(operands, given), given.get("pad_width")
    if shape is None or width is None:
        return None
    parts = (width,) if width.kind is NUMBER else width.elements or ()
    rows = [(part,) if part.kind is NUMBER else part.elements or () for part in parts]
    if all(len(row) == 1 for row in rows) and 0 < len(rows) < 3:
        rows = [tuple(part for row in rows for part in row)]
    if len(rows) not in (1, len(shape)) or any(len(row) not in (1, 2) for row in rows):
        return None
    each = rows * len(shape) if len(rows) == 1 else rows
    ends = [[whole_number(part) for part in (*row, *row)[:2]] for row in each]
    return tuple(
        None if size is None or None in both else size + sum(one or 0 for one in both)
        for size, both in zip(shape, ends, strict=True)
    )


def _repeated(operands: Operands, given: OperandsByName) -> Shape:
    shape, times, axis = _first(operands, {}), whole_number(given.get("repeats")), given.get("axis")
    if shape is None or times is None or "total_repeat_length" in given:
        return None
    if _is_absent(axis):
        shape = (count(shape),)
    place = 0 if _is_absent(axis) else whole_number(axis)
    return along(shape, place, lambda size: size * times) if place is not None else None


def _differed(operands: Operands, given: OperandsByName) -> Shape:
    if "prepend" in given or "append" in given:
        return None
    axis = whole_number(given["axis"]) if "axis" in given else -1
    times = whole_number(given["n"]) if "n" in given else 1
    if axis is None or times is None:
        return None
    return along(_first(operands, {}), axis, lambda size: max(size - times, 0))


def _appended(operands: Operands, given: OperandsByName) -> Shape:
    if len(operands) < 2:
        return None
    shapes = [shape_of_operand(operand) for operand in operands[:2]]
    if _is_absent(given.get("axis")):
        return joined([None if shape is None else (count(shape),) for shape in shapes], 0)
    axis = whole_number(given["axis"])
    return joined(shapes, axis) if axis is not None else None


def _piled(operands: Operands, given: OperandsByName) -> Shape:
    """The shape that `vstack` gives; arrays with one axis count as rows."""
    return _joined_as(operands, lambda shape: (1, *shape) if len(shape) == 1 else shape or (1, 1), 0)


def _lined(operands: Operands, given: OperandsByName) -> Shape:
    """The shape that `hstack` gives: joined along the second axis if there is one."""
    parts = operands[0].elements if operands else None
    first = shape_of_operand(parts[0]) if parts else None
    return _joined_as(operands, lambda shape: shape or (1,), 0 if first is not None and len(first) < 2 else 1)


def _joined_as(operands: Operands, become: Callable[[tuple[Size, ...]], Shape], axis: int) -> Shape:
    parts = operands[0].elements if operands and operands[0].kind in SEQUENCES else None
    shapes = [shape_of_operand(part) for part in parts or ()]
    known = [become(shape) for shape in shapes if shape is not None]
    return joined(known, axis) if parts and len(known) == len(shapes) else None


def _exchanged(operands: Operands, given: OperandsByName) -> Shape:
    shape, places = _first(operands, {}), [whole_number(given.get(name)) for name in ("axis1", "axis2")]
    one, other = places
    if shape is None or one is None or other is None or not all(-len(shape) <= at < len(shape) for at in (one, other)):
        return None
    sizes = list(shape)
    sizes[one], sizes[other] = sizes[other], sizes[one]
    return tuple(sizes)


def _moved(operands: Operands, given: OperandsByName) -> Shape:
    start, end = whole_number(given.get("source")), whole_number(given.get("destination"))
    return moved(_first(operands, {}), start, end) if start is not None and end is not None else None


def _multiplied(operands: Operands, given: OperandsByName) -> Shape:
    return multiplied(*(shape_of_operand(operand) for operand in operands[:2])) if len(operands) > 1 else None


def _dotted(operands: Operands, given: OperandsByName) -> Shape:
    """The shape of `dot`: of up to two axes a matrix product, with a number a multiple."""
    shapes = [shape_of_operand(operand) for operand in operands[:2]]
    first, second = (*shapes, None, None)[:2]
    if first is None or second is None or len(first) > 2 or len(second) > 2:
        return None
    return multiplied(first, second) if first and second else first or second


def _number(operands: Operands, given: OperandsByName) -> Shape:
    return ()


def _einsum(operands: Operands, given: OperandsByName) -> Shape:
    """The shape that the letters behind the arrow say."""
    text = operands[0].constant if operands else None
    if not isinstance(text, str) or "." in text:
        return None
    subscripts, arrow, result = text.replace(" ", "").partition("->")
    sizes: dict[str, Size] = {}
    for letters, operand in zip(subscripts.split(","), operands[1:], strict=False):
        shape = shape_of_operand(operand)
        if shape is not None and len(shape) == len(letters):
            sizes.update(zip(letters, shape, strict=True))
    return tuple(sizes.get(letter) for letter in result) if arrow else None


def _outer(operands: Operands, given: OperandsByName) -> Shape:
    shapes = [shape_of_operand(operand) for operand in operands[:2]]
    known = [count(shape) for shape in shapes if shape is not None]
    return tuple(known) if len(known) == 2 else None


def pieces_of(frame: Frame, function: ApiFunction, arguments: Arguments) -> tuple[int, Shape] | None:
    """Into how many arrays of which shape a function divides one, where a call shows the number."""
    if function.name not in DIVIDING or arguments.is_open:
        return None
    given = {parameter.name: value for parameter, value, _ in pairs(function, arguments)}
    number = whole_number(given.get("indices_or_sections"))
    if number is None or not 0 < number <= MAXIMUM_PIECES:
        return None
    axis = whole_number(given["axis"]) if "axis" in given else 0
    shape = shape_of_operand(given.get("ary"))
    if shape is None or axis is None or not -len(shape) <= axis < len(shape):
        return number, None
    size = shape[axis]
    each = size // number if size is not None and size % number == 0 else None
    place = axis % len(shape)
    return number, (*shape[:place], each, *shape[place + 1 :])


SHAPES: dict[str, Callable[[Operands, OperandsByName], Shape]] = {
    "first": _first, "second": _second, "like": _like, "along": _along, "both": _both, "reduced": _reduced,
    "said": _said, "drawn": _drawn, "sized": _sized, "listed": _listed, "reshaped": _reshaped, "flat": _flat,
    "counted": _counted, "spaced": _spaced, "square": _square, "stacked": _stacked, "joined": _joined,
    "turned": _turned, "widened": _widened, "squeezed": _squeezed, "encoded": _encoded, "tiled": _tiled,
    "padded": _padded, "repeated": _repeated, "differed": _differed, "appended": _appended, "piled": _piled,
    "lined": _lined, "exchanged": _exchanged, "moved": _moved, "multiplied": _multiplied, "outer": _outer,
    "dotted": _dotted, "number": _number, "einsum": _einsum,
}  # fmt: skip
