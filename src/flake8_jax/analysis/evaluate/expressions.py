"""Evaluation of expression ops, and the preconditions of Python's operators.

`evaluate` dispatches on the op's type.  `and`, `or`, `not`, chained comparisons and `in` need the truth of an operand;
arithmetic between an array and a list is refused by JAX.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial

from flake8_jax.analysis.checks.at_views import need_no_view
from flake8_jax.analysis.checks.bounds import need_inside, note_view
from flake8_jax.analysis.checks.compilation.constants import may_be_large, note_constant
from flake8_jax.analysis.checks.compilation.donated_reads import check_read
from flake8_jax.analysis.checks.compilation.work import OF_ITEM, note_work
from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.contracts.setup_fields import check_read as check_read_of_setup
from flake8_jax.analysis.checks.contracts.together import JOINING, check_together
from flake8_jax.analysis.checks.contracts.unpacked import check_attribute, check_whole
from flake8_jax.analysis.checks.contracts.variables import note_taken
from flake8_jax.analysis.checks.derivatives.infinite_products import check_infinite
from flake8_jax.analysis.checks.derivatives.nan_gradients import check_masked, check_picked, check_root, may_be_mask
from flake8_jax.analysis.checks.effects.frozen_reads import note_field, note_member
from flake8_jax.analysis.checks.effects.host_calls import ENVIRONMENT, note_environment
from flake8_jax.analysis.checks.host.clocks import note_yielded
from flake8_jax.analysis.checks.indexing import need_known_index
from flake8_jax.analysis.checks.keys.counters import note_affine
from flake8_jax.analysis.checks.numpy_only import need_member
from flake8_jax.analysis.checks.references import need_no_reference
from flake8_jax.analysis.checks.sequences import need_no_list, refuse_sequence
from flake8_jax.analysis.checks.startup.reaching import note_imported
from flake8_jax.analysis.checks.type_tests import need_host_constant, need_host_type
from flake8_jax.analysis.evaluate.arithmetic import Operation, binary, is_real, unary, with_array, with_input
from flake8_jax.analysis.evaluate.membership import membership
from flake8_jax.analysis.evaluator import OpEvaluator, evaluate, evaluate_within, question_around
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.annotations import subscripted
from flake8_jax.analysis.objects.array_axes import shape_of_item, shape_of_taken
from flake8_jax.analysis.objects.array_evidence import indexes_array, note_array
from flake8_jax.analysis.objects.host_views import part_of_view
from flake8_jax.analysis.objects.invalidation import invalidate_everything
from flake8_jax.analysis.objects.iteration import may_be_a_name
from flake8_jax.analysis.objects.key_items import key_slice, span_of
from flake8_jax.analysis.objects.names import follow, read_name
from flake8_jax.analysis.objects.narrowing import Narrowed, facts_of, handed_to, is_type_test, narrow, widen
from flake8_jax.analysis.objects.operators import overloaded, special
from flake8_jax.analysis.objects.steps import index_step
from flake8_jax.domain.conditions import Path, assume, is_left_out, on_path
from flake8_jax.domain.constants import NOTHING, OPEN, Constant
from flake8_jax.domain.folding import fold, folded
from flake8_jax.domain.kinds import (
    API,
    ARITHMETIC,
    ARRAY,
    ARRAYS_OR_COMPUTED,
    CLASS,
    COMPUTED,
    CONTAINERS,
    HOST_CONSTANTS,
    INPUT,
    INSTANCE,
    LIST,
    MAY_BE_ARRAY,
    MAY_BE_INSTANCE,
    MODULE,
    NUMBER,
    NUMPY,
    REF,
    SEQUENCES,
    STATIC,
    TUPLE,
    UNKNOWN,
)
from flake8_jax.domain.payload import AT, OR_REFERENCE, SLICE, Elements, SliceOf, elements, without_parts
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value, constant, join_on_paths, shape_of_operands
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import replace

COMPUTED_ATTRIBUTES = frozenset(("T", "mT", "real", "imag", "at"))

IDENTITY = frozenset(("is", "is not", "in", "not in"))
ORDERING = frozenset(("<", "<=", ">", ">="))
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def _const(frame: Frame, op: ops.Const) -> Value:
    constants = frame.program.constants
    found = constants.get(op)
    if found is None:
        found = constants[op] = constant(op.value, op)
    return found


def _attr(frame: Frame, op: ops.Attr) -> Value:
    base = evaluate(frame, op.base)
    need_member(frame, base, op)
    if base.kind is MODULE and frame.parent is not None:
        note_member(frame, op, base)
    elif base.kind is ARRAY and op.name in COMPUTED_ATTRIBUTES and may_be_large(op.base, base):
        note_constant(frame, op.base, base)
    if base.kind is TUPLE:
        check_attribute(frame, base, op)
    found = access.attribute(frame, base, op.name, op)
    if (base.kind is INSTANCE or base.kind is CLASS) and frame.parent is not None:
        note_field(frame, op, base, found)
    if base.kind is INSTANCE:
        check_read_of_setup(frame, op, base)
    return found


def _item(frame: Frame, op: ops.Item) -> Value:
    base_op = op.base
    context = frame.context
    if type(base_op) is ops.Call and type(op.index) in (ops.Const, ops.Name):
        taken = evaluate(frame, op.index)
        if taken.kind in ARITHMETIC:
            frame.context = replace(context, element=taken.constant if type(taken.constant) is int else taken)
    base, frame.context = evaluate(frame, base_op), context
    index = evaluate(frame, op.index)
    if base.kind is ARRAY:
        check_read(frame, base_op, base)
    if base.kind in ARRAYS_OR_COMPUTED and may_be_mask(op.index, index):
        check_picked(frame, op)
    return item(frame, base, index, op)


def item(frame: Frame, base: Value, index: Value, op: Op) -> Value:
    """The value of `base[index]`; a slice of a container or array is a new one of the same kind."""
    if base.name == "sys.modules" and index.name == "__name__":
        return frame.program.linked.module_value(frame.namespace.file.path)
    if base.name == "sys.modules" and isinstance(index.constant, str):
        return follow(frame, frame.namespace.file.imported(0, index.constant))
    if base.kind is API or base.kind is CLASS:
        if base.name == ENVIRONMENT:
            note_environment(frame, op, base.name)
        return subscripted(frame, base, index)
    if base.kind in MAY_BE_INSTANCE and (found := special(frame, op, base, "__getitem__", index)) is not None:
        return found
    need_known_index(frame, base, index, op)
    if type(op) is ops.Item:
        need_no_list(frame, base, index, op)
    need_inside(frame, op, base, index)
    if type(op) is ops.Item and index.kind in MAY_BE_ARRAY and may_be_large(op.base, base):
        note_constant(frame, op.base, base)
    found = _part(frame, base, index, op)
    if frame.program.variables:
        note_taken(frame, op, base, index)
    if base.shape is not None and found.kind is ARRAY:
        found = Value(ARRAY, found.dependences, found.payload, op, shape_of_item(base, index), found.dtype)
    elif base.kind in MAY_BE_ARRAY and base.payload is not AT and _is_of_array(found, index):
        known = shape_of_operands(shape_of_taken, (base,), {"index": index})
        found = Value(found.kind, found.dependences, found.payload, op, None, found.dtype, like=known)
    if base.payload is AT:
        note_view(frame, base, index, found)
        return found
    made = note_work(frame, found, OF_ITEM) if found.kind is ARRAY or found.kind is COMPUTED else found
    return access.read_before(frame, base, index.constant, made)


def _is_of_array(found: Value, index: Value) -> bool:
    return found.kind in ARRAYS_OR_COMPUTED or (
        found.kind is INPUT and (indexes_array(index) or index.payload == NOTHING)
    )


def _part(frame: Frame, base: Value, index: Value, op: Op) -> Value:
    if type(index.payload) is SliceOf:
        return _sliced(frame, base, index.payload, op)
    if base.kind is INPUT and indexes_array(index):
        note_array(frame, base)
    if base.kind is INPUT and index.constant is ...:  # all of an array, or what a reference holds
        return access.read(frame, base, ("[]", SLICE), op)
    return access.read(frame, base, index_step(index), op)


def _sliced(frame: Frame, base: Value, index: SliceOf, op: Op) -> Value:
    base = frame.live().contents(base)
    payload = base.payload
    if type(payload) is Elements and payload.parts is not None:
        bounds = [None if bound.payload is None else bound.constant for bound in index.bounds]
        known = [bound for bound in bounds if bound is None or type(bound) is int]
        if len(known) == len(bounds):
            parts = fold(lambda parts, *cut: parts[slice(*cut)], payload.parts, *known)
            held = elements(parts if isinstance(parts, tuple) else None, payload.form)
            return Value(base.kind, base.dependences, held, op)
    if base.kind.value == "keys":
        return key_slice(base, span_of(index.bounds), op)
    if base.kind is NUMPY:
        return part_of_view(base, op, is_from_start=index.bounds[0].constant is None)
    if base.kind in (LIST, TUPLE, ARRAY, COMPUTED):
        kept = (
            without_parts(payload)
            if base.kind is TUPLE
            else payload
            if payload is AT or payload is OR_REFERENCE
            else None
        )
        return Value(base.kind, base.dependences, kept, op, dtype=base.dtype)
    if base.kind is REF:
        read = access.read(frame, base, ("[]", OPEN), op)
        return Value(read.kind, read.dependences, OR_REFERENCE, op) if payload is OR_REFERENCE else read
    if base.kind is INPUT:
        source = base.input
        if source is None:
            return Value(INPUT, base.dependences, None, op, dtype=base.dtype)
        return Value(INPUT, base.dependences, source.part(("[]", SLICE)), op)
    return (
        note_unknown(frame, "slice of an unknown value", op) if base.kind is not STATIC else Value(STATIC, payload=OPEN)
    )


def _star(frame: Frame, op: ops.Star) -> Value:
    return evaluate(frame, op.value)


def _operate(frame: Frame, op: ops.Operate) -> Value:
    if op.operator == "not":
        question = question_around(frame, op)
        value = evaluate_within(frame, op.operands[0], question)
        need_concrete(frame, value, op.operands[0], "not", op, question)
        negated = Constant(not value.payload.value) if type(value.payload) is Constant else OPEN
        return Value(STATIC, NONE, negated, op, caller_value=value)
    values = [on_path(frame.path, evaluate(frame, operand)) for operand in op.operands]
    for value, operand in zip(values, op.operands, strict=True):
        need_no_view(frame, value, operand, "value", op)
        check_read(frame, operand, value)
        if not (op.operator == "+" and any(one.kind in SEQUENCES for one in values)):  # what is put together are tuples
            need_no_reference(frame, operand, value, "operand", op.operator)
    if len(values) == 1:
        return note_work(frame, unary(frame, op, op.operator, values[0]))
    left, right = values
    is_of_tuple = left.kind is TUPLE or right.kind is TUPLE
    if is_of_tuple and op.operator != "+" and any(map(partial(check_whole, frame), op.operands, values)):
        return note_unknown(frame, "operator of a tuple", op)
    _note_operands(frame, op, values)
    if op.operator == "*":
        check_infinite(frame, op, values)
        if any(map(may_be_mask, op.operands, values)):
            check_masked(frame, op)
    elif op.operator == "**":
        check_root(frame, op, left, right)
    if op.operator in JOINING:
        check_together(frame, op, (left, right))
    return note_work(frame, note_affine(frame, op, left, right, binary(frame, op, op.operator, left, right)))


def _note_operands(frame: Frame, op: ops.Operate, values: list[Value]) -> None:
    """Note operands beside a possible tracer that are large arrays of no trace."""
    if any(one.kind in MAY_BE_ARRAY for one in values):
        for value, operand in zip(values, op.operands, strict=True):
            if may_be_large(operand, value):
                note_constant(frame, operand, value)


def _compare(frame: Frame, op: ops.Compare) -> Value:
    question = question_around(frame, op)
    values = [on_path(frame.path, evaluate(frame, operand)) for operand in op.operands]
    for value, operand in zip(values, op.operands, strict=True):
        need_no_view(frame, value, operand, "value", op)
        if op.operators[0] not in IDENTITY:
            if value.kind is ARRAY:
                check_read(frame, operand, value)
            need_no_reference(frame, operand, value, "operand", op.operators[0])
    result = values[0]
    for place, sign in enumerate(op.operators):
        if place:
            need_concrete(frame, result, op, "chain", op, question)
        result = comparison(
            frame, op, question, sign, values[place], values[place + 1], *op.operands[place : place + 2]
        )
    return note_work(frame, result)


def comparison(
    frame: Frame, op: Operation, question: Op, sign: str, left: Value, right: Value, left_op: Op, right_op: Op
) -> Value:
    """The value of `left sign right`, for a sign that compares."""
    typed = handed_to(left_op, "type")
    if typed is not None and sign in ("is", "is not", "==", "!="):
        need_host_type(frame, evaluate(frame, typed), typed, (right_op,), op)
    if sign == "is" or sign == "is not":
        if type(right.constant) is bool:
            need_host_constant(frame, left, left_op, op)
        return Value(STATIC, NONE, OPEN, op)
    is_object = left.kind in MAY_BE_INSTANCE or right.kind in MAY_BE_INSTANCE
    if is_object and (made := overloaded(frame, op, sign, left, right)) is not None:
        return made
    if (sign == "in" or sign == "not in") and type(op) is ops.Compare:
        return membership(frame, op, question, left, right)
    first, second = left.kind, right.kind
    if sign in ORDERING and first is not second:
        check_whole(frame, left_op, left)
        check_whole(frame, right_op, right)
    if first is ARRAY or second is ARRAY:
        if STATIC in (first, second):
            return Value(STATIC, NONE, OPEN, op)
        for side, source in ((left, left_op), (right, right_op)):
            if side.kind in SEQUENCES and sign in ORDERING:
                refuse_sequence(frame, source, side, sign, "", op)
        result = with_array(frame, op, "==", left, right)
        return Value(ARRAY, result.dependences, result.payload, op, result.shape, "bool", like=result.like)
    if first in MAY_BE_ARRAY or second in MAY_BE_ARRAY:
        if first is INPUT and isinstance(right.constant, str):
            need_concrete(frame, left, op, "text", op, question)
        if sign in ("==", "!=") and UNKNOWN in (first, second) and (may_be_a_name(left) or may_be_a_name(right)):
            return Value(STATIC, NONE, OPEN, op)
        if STATIC in (first, second) or {first, second} & CONTAINERS:
            return Value(STATIC, NONE, OPEN, op)
        compared = with_input(frame, op, sign, left, right)
        compared.dtype = "bool" if compared.kind is COMPUTED else None
        return compared
    if first is NUMBER and second is NUMBER and sign in COMPARISONS:
        one, two = left.constant, right.constant
        known = folded(COMPARISONS[sign], one, two) if is_real(one) and is_real(two) else OPEN
        return Value(STATIC, NONE, known, op)
    if first is NUMPY or second is NUMPY:
        return (
            note_unknown(frame, "comparison with numpy", op) if UNKNOWN in (first, second) else Value(NUMPY, made_by=op)
        )
    return Value(STATIC, NONE, OPEN, op)


def _logic(frame: Frame, op: ops.Logic) -> Value:
    state = frame.live()
    before, question = state.path, question_around(frame, op)
    result: Value | None = None
    last = len(op.operands) - 1
    narrowed: Narrowed = []
    stayed: Path | None = None
    went: Path | None = None
    for place, operand in enumerate(op.operands):
        used, was_over = state.used.copy() if place else state.used, state.is_over
        context = frame.context
        is_of_type = place < last and is_type_test(operand)
        if is_of_type and (op.operator == "and" or _asks_of_arrays(operand, op.operands[place + 1 :])):
            frame.context = replace(context, is_guard=True)
        value = evaluate_within(frame, operand, question)
        frame.context = context
        if place and state.is_over and not was_over:  # where it is evaluated, the path ends
            state.used, state.is_over = used, False
            frame.summary.run.checks[question] = None
            continue
        host = result is None or result.kind in HOST_CONSTANTS
        if result is not None and result.kind is INPUT and op.operator == "or" and _is_empty(operand):
            continue  # what is handed in, or nothing
        if result is not None and is_left_out(frame.live().path):
            continue  # `DEBUG and x.sum() > 0`, where `DEBUG` is False
        paths = (stayed, went) if last == 1 else (None, None)
        result = value if host or result is None else join_on_paths((result, value), paths)
        if place < last:
            need_concrete(frame, value, operand, op.operator, op, question)
            now = frame.live()
            facts = facts_of(frame, operand, op.operator == "and")
            stayed, went = facts_of(frame, operand, op.operator != "and") or None, facts or None
            now.path = assume(now.path, facts)
            narrowed += narrow(frame, operand, op.operator == "and", facts)
    frame.live().path = before
    widen(frame.live(), narrowed[::-1])
    assert result is not None
    if result.kind in HOST_CONSTANTS and last:
        return Value(result.kind, result.dependences, OPEN, op)
    if result.kind is UNKNOWN and result is not value:
        return Value(UNKNOWN, NONE, result.payload, op)
    return result


def _asks_of_arrays(test: Op, others: Sequence[Op]) -> bool:
    """Does a test of the type have arrays asked for behind it: `isinstance(n, int) or n.shape == ()`?"""
    asked = phrase(test.args[0]) if type(test) is ops.Call and test.args else ""
    shapes = {f"{asked}.{name}" for name in ("shape", "ndim", "dtype")}
    return any(type(one) is ops.Attr and phrase(one) in shapes for other in others for one in within(other))


def _is_empty(op: Op) -> bool:
    """Is it the display of an empty dict?"""
    return type(op) is ops.BuildDict and not op.items


def _suspend(frame: Frame, op: ops.Suspend) -> Value:
    if op.value is not None:
        evaluate(frame, op.value)
    invalidate_everything(frame, is_paused=op.kind == "yield")
    note_yielded(frame, op)
    return note_unknown(frame, f"result of {op.kind}", op)


def _other(frame: Frame, op: ops.Other) -> Value:
    for part in op.parts:
        evaluate(frame, part)
    return note_unknown(frame, f"other: {op.reason}", op)


def _imported(frame: Frame, op: ops.Imported) -> Value:
    note_imported(frame, op)
    return frame.namespace.file.imported(op.level, op.qualified)


def _unpack(frame: Frame, op: ops.Unpack) -> Value:
    return note_unknown(frame, "unpacking target read", op)


EVALUATES: dict[type[Op], OpEvaluator] = {
    ops.Const: _const, ops.Name: read_name, ops.Attr: _attr, ops.Item: _item, ops.Star: _star,
    ops.Operate: _operate, ops.Compare: _compare, ops.Logic: _logic, ops.Suspend: _suspend,
    ops.Imported: _imported, ops.Other: _other, ops.Unpack: _unpack,
}  # fmt: skip
