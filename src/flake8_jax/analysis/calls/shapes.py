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
from flake8_jax.domain.folding import fold
from flake8_jax.domain.shape import Shape, broadcast, count, inserted, joined, reduced, reshaped
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import ARRAY, NUMBER, NUMPY, SEQUENCES, ShapeOf, Value, common_likeness, shape_of_operands

OperandsByName: TypeAlias = Mapping[str, Value]
Operands: TypeAlias = "tuple[Value, ...]"
DIVIDING = frozenset(("jax.numpy.split", "jax.numpy.array_split"))
MAXIMUM_PIECES = 32
FULL = 50
"""How many numbers `linspace` gives unless it is told."""


ELEMENTWISE = frozenset(("first", "both", "along"))
"""What has the shape of its operands, without options."""

OF_FIRST = frozenset((
    "first", "like", "along", "reduced", "stacked", "joined", "widened", "squeezed", "encoded", "flat",
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
    if not operands and given:
        operands = (next(iter(given.values())),)
    return tuple(frame.live().contents(one) if one.kind in SEQUENCES else one for one in operands), given


def shape_of_operand(value: Value | None) -> Shape:
    """The shape of what a function takes for an array: an array, a number, a display of such."""
    if value is None:
        return None
    if value.kind is NUMBER or type(value.constant) is bool:
        return ()
    if value.kind is ARRAY or value.kind is NUMPY:
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
    return shape_of_operand(operands[0])


def _second(operands: Operands, given: OperandsByName) -> Shape:
    del given
    return shape_of_operand(operands[1]) if len(operands) > 1 else None


def _like(operands: Operands, given: OperandsByName) -> Shape:
    return _first(operands, given) if _is_absent(given.get("shape")) else sizes_of(given["shape"])


def _along(operands: Operands, given: OperandsByName) -> Shape:
    """Of what flattens its operand unless it is given an axis."""
    shape = _first(operands, given)
    if not _is_absent(given.get("axis")) or (shape is not None and len(shape) == 1):
        return shape or (None if shape is None else (1,))
    return (count(shape),)


def _both(operands: Operands, given: OperandsByName) -> Shape:
    shapes = [shape_of_operand(one) for one in operands]
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
    numbers = [one.constant for one in operands[:3]]
    known = [one for one in numbers if type(one) is int or type(one) is float]
    if not known or len(known) != len(numbers) or known[2:] == [0]:
        return (None,)
    start, stop = (0, known[0]) if len(known) == 1 else known[:2]
    size = fold(math.ceil, (stop - start) / (known[2] if len(known) > 2 else 1))
    return (max(size, 0) if type(size) is int else None,)


def _spaced(operands: Operands, given: OperandsByName) -> Shape:
    if "axis" in given or "retstep" in given or any(one.kind is not NUMBER for one in operands[:2]):
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
    "said": _said, "drawn": _drawn, "reshaped": _reshaped, "flat": _flat, "counted": _counted, "spaced": _spaced,
    "square": _square, "stacked": _stacked, "joined": _joined, "turned": _turned, "widened": _widened,
    "squeezed": _squeezed, "encoded": _encoded,
}  # fmt: skip
