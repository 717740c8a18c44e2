"""Callbacks that give other arrays than their shapes say.

spec = jax.ShapeDtypeStruct((), jnp.float32)
jax.pure_callback(lambda x: (x.mean(), x.std()), spec, x)       one array is described, and two come
jax.pure_callback(lambda x: int(x[0]), spec, x)                 a float is described, and an integer comes

How lists and tuples are nested is no matter: their leaves are counted.  A float64 comes as float32 where 64 bits are
not enabled.
"""

from __future__ import annotations

from collections.abc import Sequence

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.alike import SeenResult, name_of
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.structure import (
    are_distinct,
    are_other_shapes,
    array_text,
    entries_of,
    node_of,
    shape_of_leaf,
)
from flake8_jax.analysis.checks.contracts.written_out import returned_tree
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.dtypes import dtype_of_operand, stated_dtype
from flake8_jax.analysis.objects.stated import sizes_of
from flake8_jax.domain.kinds import ARRAY, OBJECT, SHAPED
from flake8_jax.domain.payload import Named
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

DESCRIPTION = "jax.ShapeDtypeStruct"
MAXIMUM_DEPTH = 3


def description(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """What `jax.ShapeDtypeStruct` makes: an object that has the shape and the dtype of an array."""
    dtype = arguments.get(1, "dtype")
    known = stated_dtype(frame.program.table, dtype) if dtype is not None else None
    return Value(OBJECT, NONE, Named(DESCRIPTION), op, sizes_of(arguments.get(0, "shape")), known)


def check_called_back(frame: Frame, op: Op, seen: Sequence[SeenResult], described: Value, place: Op | None) -> None:
    """Compare what a callback gives with what is said of it."""
    declared, is_declared = _leaves(frame, described)
    for _, function, result in seen if is_declared else ():
        given, is_known = _leaves(frame, returned_tree(frame, function, result))
        name = f"`{name_of(function)}`" if name_of(function) else "the function"
        if len(given) > len(declared) or (is_known and len(given) < len(declared)):
            said = f"{name} gives {_arrays(len(given))}, and `result_shape_dtypes` describes {_arrays(len(declared))}"
            words = "describe each array that comes, in a tuple if there are several"
            report(frame, breaking(place or op, said, words))
            return
        for one, other in zip(given, declared, strict=False) if is_known else ():
            if _differ(one, other):
                said = f"{name} gives {array_text(one)}, and `result_shape_dtypes` describes {array_text(other)}"
                report(frame, breaking(place or op, said, "describe what comes, or convert it in the function"))
                return


def _differ(given: Value, declared: Value) -> bool:
    """Have two arrays certainly other shapes, or other dtypes?"""
    if are_other_shapes(shape_of_leaf(given), declared.shape):
        return True
    return are_distinct(dtype_of_operand(given), dtype_of_operand(declared))


def _leaves(frame: Frame, value: Value, depth: int = 0) -> tuple[list[Value], bool]:
    """The arrays of a tree, in order, and are these all of them?  What is not known in a tree is one or more."""
    if value.name == DESCRIPTION:
        return [Value(ARRAY, NONE, None, value.made_by, value.shape, value.dtype)], True
    value = value if value.kind in SHAPED else frame.live().contents(value)
    node = node_of(value)
    if node == "leaf" or value.kind in SHAPED:
        return [value], True
    if node == "none":
        return [], True
    entries = entries_of(value) if node in ("dict", "record") else None
    parts = (*entries.values(),) if entries is not None else value.elements if node in ("list", "tuple") else None
    if parts is None or depth > MAXIMUM_DEPTH:
        return [value] * (depth > 0 and type(value.made_by) in (ops.Call, ops.Operate)), False
    held = [_leaves(frame, part, depth + 1) for part in parts]
    return [one for leaves, _ in held for one in leaves], all(is_known for _, is_known in held)


def _arrays(count: int) -> str:
    return f"{count} array{'s' * (count != 1)}" if count else "nothing"
