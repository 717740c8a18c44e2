"""The dtype of what a value is as an operand, and of what operators and calls make of it."""

from __future__ import annotations

from collections.abc import Mapping

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.parameters import pairs
from flake8_jax.analysis.objects.stated import dtype_of
from flake8_jax.api.dtypes import DTYPES, WEAK, WIDE, DtypeRow
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.dtypes import Dtype, Promotion, Promotions, named_by, of_input, promoted
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    DECIDES_DTYPE,
    INPUT,
    NUMBER,
    NUMPY,
    SEQUENCES,
    STATIC,
    TREE_NODES,
)
from flake8_jax.domain.payload import Compound, Elements, Entries
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops

WEAK_TYPES: Mapping[type, str] = {int: "weak int", float: "weak float", complex: "weak complex", bool: "bool"}
SORTS = {"bool": "bool", "int": "int", "uint": "int", "float": "float", "bfloat": "float", "complex": "complex"}
ORDER = ("", "bool", "int", "float", "complex")
"""The sorts of numbers, each promoted to those behind it."""

TO_FLOATING = frozenset(("inexact", "mean"))
KEEPING = frozenset(("strong", "summed"))
"""What makes floating numbers of integers, and what leaves the sort of numbers; `real` makes floats of complex ones."""

ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**"))
MAXIMUM_DEPTH = 4
OF_DTYPE = frozenset(("dtype", "preferred_element_type", "new_dtype", "index_dtype"))
SAYING = frozenset(("new_dtype", "index_dtype"))
"""Parameters that say the dtype of the result, whatever the row says of another."""

SHAPING = frozenset((
    "axes", "axis", "dimension", "dimensions", "limit_indices", "new_sizes", "pad_width", "repeats", "reps", "shape",
    "shift", "slice_sizes", "start_indices", "strides",
))  # fmt: skip
"""Parameters that say a shape or axes, and nothing of a dtype."""

POWERS = frozenset(("jax.numpy.pow", "jax.numpy.power"))


def dtype_of_operand(value: Value) -> Dtype | None:
    """The dtype that a value has where JAX takes it for an array; None if it is not known."""
    kind = value.kind
    if kind is ARRAY or kind is COMPUTED:
        return value.dtype
    if kind is INPUT:
        source = value.input
        return value.dtype if source is None else of_input(source)
    if kind is NUMBER:
        return WEAK_TYPES.get(type(value.constant)) or value.dtype
    if kind is STATIC:
        return WEAK_TYPES.get(type(value.constant))
    return value.dtype if kind is NUMPY else None


def sort_of(value: Value) -> str:
    """The sort of numbers that a value has as an operand: "bool", "int", "float", "complex"; "" if it is not known.

    A division gives floats, of numbers and of arrays, whatever their dtype; so does arithmetic with a float.
    """
    dtype, op = dtype_of_operand(value), value.made_by
    if isinstance(dtype, str):
        return least_sort(dtype)
    if type(op) is not ops.Operate or op.operator not in ARITHMETIC or value.kind is INPUT:
        return ""
    is_float = any(type(part) is ops.Const and type(part.value) is float for part in op.operands)
    return "float" if op.operator == "/" or is_float else ""


def least_sort(dtype: Dtype | None) -> str:
    """The sort of numbers that a dtype has at least: what is promoted with a float is no integer, whatever the inputs
    are; "" if it is not known.
    """
    if isinstance(dtype, str):
        return SORTS.get(dtype.removeprefix(WEAK).rstrip("0123456789_"), "")
    if dtype is None:
        return ""
    known = [least_sort(operand) for operand in dtype.operands if isinstance(operand, (str, Promotion))]
    least = max(known, key=ORDER.index, default="")
    for word in dtype.maps:
        if word in TO_FLOATING:
            least = max(least, "float", key=ORDER.index)
        elif word not in KEEPING:
            least = min(least, "float", key=ORDER.index)
    return least


def stated_dtype(rules: Promotions, value: Value) -> Dtype | None:
    """The dtype that an argument states, as JAX makes it: a name, that of an array, or what an input is."""
    if value.input is not None:
        return named_by(value.input)
    if value.kind is STATIC and value.dtype is not None:
        return promoted(rules, (value.dtype,), ("strong",))
    name = dtype_of(value)
    if name is None:
        return None
    name = WIDE.get(name, name).rstrip("_")
    return name if name in DTYPES else None


def dtype_of_operator(frame: Frame, sign: str, *operands: Value) -> Dtype | None:
    """The dtype of the result of an operator."""
    dtypes = []
    for operand in operands:
        dtype = dtype_of_operand(operand)
        if dtype is None:
            return None
        dtypes.append(dtype)
    if sign == "**" and operands[-1].kind is NUMBER and dtypes[0] != "bool":
        sign = "*"  # a number as the exponent promotes alone: measured
    row = frame.program.table.dtype_row(f"operator {sign}")
    if row is None:
        return None
    return row.result or promoted(frame.program.table, dtypes, row.maps, row.is_not_weak)


def dtype_of_call(
    frame: Frame, function: ApiFunction, arguments: Arguments, receiver: Value | None = None
) -> Dtype | None:
    """The dtype of the array that a library's function gives, None where a call does not show it."""
    table = frame.program.table
    row = None if arguments.is_open else table.dtype_row(function.name)
    if row is None:
        return None
    if function.name in POWERS and len(arguments.positional) == 2:
        return dtype_of_operator(frame, "**", *arguments.positional)
    operands = [] if receiver is None or "self" not in row.operands else [_operand(frame, row, receiver)]
    for parameter, value, _ in pairs(function, arguments):
        name = parameter.name
        if name in SAYING:
            return stated_dtype(table, value)
        if name in OF_DTYPE:
            if value.constant is not None:
                return stated_dtype(table, value) if row.takes_dtype and name == "dtype" else None
        elif name in row.operands:
            operands.append(_operand(frame, row, value))
        elif row.result is None and value.kind in DECIDES_DTYPE and name not in row.beside and name not in SHAPING:
            return None
    if row.result is not None:
        return row.result
    return promoted(table, operands, row.maps, row.is_not_weak) if operands else None


def _operand(frame: Frame, row: DtypeRow, value: Value) -> Dtype | None:
    """The dtype that an operand has; that of a sequence of arrays or numbers is promoted from all of them."""
    if value.kind not in SEQUENCES:
        return dtype_of_operand(value)
    parts = frame.live().contents(value).elements
    maps = ("strong",) if row.has_strong_lists else ()
    return promoted(frame.program.table, [_operand(frame, row, one) for one in parts], maps) if parts else None


def without_weak(value: Value, depth: int = 0) -> Value:
    """A tree without the dtypes that are weak: what a loop starts from may be another one where it ends."""
    if isinstance(value.payload, Compound) and depth < MAXIMUM_DEPTH and value.kind in TREE_NODES:
        if value.entries is not None:
            held = {key: without_weak(part, depth + 1) for key, part in value.entries.items()}
            return Value(value.kind, value.dependences, Entries(held), value.made_by)
        parts = tuple(without_weak(part, depth + 1) for part in value.elements or ())
        return Value(value.kind, value.dependences, Elements(parts, value.form), value.made_by) if parts else value
    dtype = dtype_of_operand(value)
    if isinstance(dtype, Promotion) and value.kind in ARRAYS_OR_COMPUTED:
        strong = Promotion(frozenset((dtype,)), (), True, dtype.size)
        return Value(
            value.kind, value.dependences, value.payload, value.made_by, value.shape, strong, value.caller_value,
            value.like,
        )  # fmt: skip
    if not isinstance(dtype, str) or not dtype.startswith(WEAK):
        return value
    return Value(ARRAY, value.dependences, made_by=value.made_by, shape=() if value.kind is NUMBER else value.shape)
