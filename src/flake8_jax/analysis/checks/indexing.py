"""Subscripts of which the index must be known: of lists, of NumPy arrays, slices, and boolean masks.

names[i]        a list takes no tracer for an index
x[:n]           an array takes none for the bound of a slice
x[x > 0]        the shape of the result depends on values
"""

from __future__ import annotations

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks.concrete import DISCRETE, ValueForm, need_concrete, need_index_of
from flake8_jax.analysis.checks.effects.outer_writes import makes_container
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    DICT,
    INPUT,
    MAY_BE_ANY_ARRAY,
    MAY_BE_ARRAY,
    NUMPY,
    SEQUENCES,
    TUPLE,
)
from flake8_jax.domain.payload import EVERY, SliceOf
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LOOPS, chains_of
from flake8_jax.ir.ops import Op

INTEGERS = DISCRETE - {"bool"}
LOGICAL = frozenset(("~", "&", "|"))


def need_known_index(frame: Frame, base: Value, index: Value, op: Op) -> None:
    """Require that an index is concrete, where what is indexed takes no tracer there."""
    source = op.index if type(op) is ops.Item else op
    if type(index.payload) is SliceOf:
        _need_bounds(frame, base, index, source, op)
    elif index.kind is TUPLE and base.kind in MAY_BE_ANY_ARRAY:
        places = source.parts if type(source) is ops.Build else (source,) * len(index.parts)
        for part, place in zip(index.parts, places, strict=False):
            if type(part.payload) is SliceOf:
                _need_bounds(frame, base, part, place, op)
            else:
                _need_no_mask(frame, base, part, place, op)
    elif (base.kind in SEQUENCES or isinstance(base.constant, str)) and index.kind in MAY_BE_ARRAY:
        need_concrete(frame, index, source, "index", op)
    elif base.kind is DICT and index.kind is ARRAY and _may_be_key(index):
        return
    elif base.kind is DICT and index.kind in MAY_BE_ARRAY:
        is_numbered = any(type(key) is int for key in base.entries or ())
        need_concrete(frame, index, source, "index" if index.kind in ARRAYS_OR_COMPUTED or is_numbered else "text", op)
    elif base.kind is NUMPY and index.kind in MAY_BE_ARRAY:
        need_concrete(frame, index, source, "numpy index", op)
    elif base.kind is INPUT and base.input is not None and index.kind in ARRAYS_OR_COMPUTED and index.dtype in INTEGERS:
        need_index_of(frame, base, index, source, op)
    elif base.kind is INPUT and index.kind is INPUT and type(op) is ops.Item and _is_called(frame, op):
        if _is_container(frame, op.base):
            need_concrete(frame, index, source, "index", op)
        elif base.input is not None:
            need_index_of(frame, base, index, source, op)
    else:
        _need_no_mask(frame, base, index, source, op)


def _is_called(frame: Frame, op: ops.Item) -> bool:
    """Is the item called, as no item of an array is: `layers[i](x)`?"""
    around = chains_of(frame.function).parents.get(op)
    return type(around) is ops.Call and around.func is op


def _is_container(frame: Frame, op: Op) -> bool:
    """Does the constructor of an object put a list there?"""
    owner = peek(frame, op.base) if type(op) is ops.Attr else None
    held = owner.payload if owner is not None else None
    return type(op) is ops.Attr and type(held) is InstanceOf and makes_container(frame, held, op.name)


def _need_bounds(frame: Frame, base: Value, index: Value, source: Op, op: Op) -> None:
    is_of_host = base.kind in SEQUENCES or isinstance(base.constant, str)
    if base.kind not in MAY_BE_ANY_ARRAY and not is_of_host:
        return
    form: ValueForm = "slice" if is_of_host else "bound"
    assert type(index.payload) is SliceOf
    for bound, place in zip(index.payload.bounds, _bound_places(index, source), strict=True):
        need_concrete(frame, bound, place, form, op, op)


def _bound_places(index: Value, source: Op) -> tuple[Op, ...]:
    """Where the bounds of a slice stand: between the brackets, in a call of `slice`, else where it is used."""
    if type(source) is ops.Build:
        return source.parts
    if type(source) is ops.Call and source is index.made_by and not source.keywords:
        places = (source, *source.args) if len(source.args) == 1 else source.args
        return (*places, source)[:3]
    return (source, source, source)


def _need_no_mask(frame: Frame, base: Value, index: Value, source: Op, op: Op) -> None:
    if base.kind not in MAY_BE_ARRAY:
        return
    if index.kind in ARRAYS_OR_COMPUTED and index.dtype == "bool":
        need_concrete(frame, index, source, "mask", op)
    elif (mask := _mask_behind(frame, index)) is not None:
        need_concrete(frame, mask, source, "mask", op, receiver=base if base.kind is INPUT else None)


def _mask_behind(frame: Frame, index: Value) -> Value | None:
    """The input that an index is a mask by, if that is a mask: itself, or an operand of `~`, `&` or `|`."""
    made_by = index.made_by
    if index.kind is COMPUTED and type(made_by) is ops.Operate and made_by.operator in LOGICAL:
        operands = (peek(frame, operand) for operand in made_by.operands)
        return next(
            (operand for operand in operands if operand is not None and operand.kind is INPUT and operand.input), None
        )
    return _alone(index) if index.kind is INPUT and index.input is not None else None


def _alone(index: Value) -> Value:
    """A part of an input without the index that chose it, which may be a mask or made of one."""
    assert index.input is not None
    return Value(INPUT, index.input.alone, index.payload, index.made_by, index.shape, index.dtype)


def need_host_item(frame: Frame, target: ops.Item, base: Value, index: Value, value: Value, op: Op) -> None:
    """Require that what an array of NumPy stores is concrete, and the key of what a dict keeps."""
    if base.kind is NUMPY:
        source = (op.value if type(op) is ops.Store else None) or target
        need_concrete(frame, value, source, "numpy item", target, op)
        need_known_index(frame, base, index, target)
    elif base.kind is DICT:
        need_hash(frame, index, target.index, op)


def need_hash(frame: Frame, value: Value, source: Op, op: Op) -> None:
    """Require that a key of a dict is concrete, or an element of a set.

    What a loop over an input gives may be a key of a dict already.
    """
    if not _may_be_key(value):
        need_concrete(frame, value, source, "hash", op, op)


def _may_be_key(value: Value) -> bool:
    """Is it what a loop gives of an input, which may be a dict, or of what an annotation alone calls an array?

    No item of an array is a key, whether it is traced or not: who looks one up knows better than the annotation.
    """
    step = value.input.step if value.input is not None else None
    if step is not None:
        return step[1] is EVERY
    is_of_loop = value.kind is ARRAY and type(value.made_by) in LOOPS
    return is_of_loop and all(type(one) is Input and one.is_declared for one in value.dependences)
