"""Evaluation of expression ops, and the preconditions of Python's operators.

`evaluate` dispatches on the op's type.  `and`, `or`, `not`, chained comparisons and `in` need the truth of an operand;
arithmetic between an array and a list is refused by JAX.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, TypeGuard

from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.counters import note_affine
from flake8_jax.analysis.checks.not_keys import OF_KEYS, refuse_arithmetic
from flake8_jax.analysis.checks.sequences import need_array, need_no_array, refuse_sequence
from flake8_jax.analysis.evaluate.displays import shown
from flake8_jax.analysis.evaluate.iteration import may_be_a_name
from flake8_jax.analysis.evaluate.names import read_name
from flake8_jax.analysis.evaluate.narrowing import Narrowed, facts_of, narrow, widen
from flake8_jax.analysis.evaluator import OpEvaluator, evaluate, evaluate_within, question_around
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.annotations import TYPES, subscripted, united
from flake8_jax.analysis.objects.array_evidence import indexes_array, note_array, stage_of_result
from flake8_jax.analysis.objects.invalidation import invalidate_everything
from flake8_jax.analysis.objects.key_items import key_slice, span_of
from flake8_jax.analysis.objects.steps import index_step
from flake8_jax.domain.conditions import assume
from flake8_jax.domain.folding import bounded, fold, folded
from flake8_jax.domain.payload import (
    AT,
    HELD,
    OPEN,
    SLICE,
    Constant,
    Doubt,
    Elements,
    NotConstant,
    Payload,
    SequenceForm,
    SliceOf,
    bare,
    elements,
    entries,
)
from flake8_jax.domain.shape import broadcast
from flake8_jax.domain.staging import NONE, unite
from flake8_jax.domain.value import (
    API,
    ARRAY,
    CLASS,
    COMPUTED,
    CONTAINERS,
    DICT,
    INPUT,
    LIST,
    NUMBER,
    NUMPY,
    REF,
    SEQUENCES,
    STATIC,
    TUPLE,
    UNKNOWN,
    Value,
    constant,
    join,
)
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.parts import Host

Operation: TypeAlias = ops.Operate | ops.Compare

LIKE_ARRAYS = frozenset((ARRAY, COMPUTED, INPUT))
NUMERIC = frozenset(("-", "/", "//", "**", "<", "<=", ">", ">="))
REFUSING = frozenset(("+", "-", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"))
INDICES = frozenset((ARRAY, COMPUTED, INPUT, NUMBER))
FORMATTING = frozenset(("%", "+"))
REPEATING = frozenset((LIST, TUPLE, NUMBER))
ORDERING = frozenset(("<", "<=", ">", ">="))
FOLD: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
}  # fmt: skip
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
    if base.kind is API:
        return access.api(frame, f"{base.name}.{op.name}")
    return access.read(frame, base, (".", op.name), op)


def _item(frame: Frame, op: ops.Item) -> Value:
    base_op = op.base
    context = frame.context
    if type(base_op) is ops.Call and type(op.index) in (ops.Const, ops.Name):
        taken = evaluate(frame, op.index)
        if taken.kind in INDICES:
            frame.context = replace(context, element=taken.constant if type(taken.constant) is int else taken)
    base, frame.context = evaluate(frame, base_op), context
    index = evaluate(frame, op.index)
    return item(frame, base, index, op)


def item(frame: Frame, base: Value, index: Value, op: Op) -> Value:
    """The value of `base[index]`; a slice of a container or array is a new one of the same kind."""
    if base.kind is API or base.kind is CLASS:
        return subscripted(frame, base, index)
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
    if base.kind in (LIST, TUPLE, ARRAY, COMPUTED, NUMPY):
        kept = bare(payload) if base.kind is TUPLE else payload if payload is AT or payload is HELD else None
        return Value(base.kind, base.dependences, kept, op, dtype=base.dtype)
    if base.kind is REF:
        read = access.read(frame, base, ("[]", OPEN), op)
        return Value(read.kind, read.dependences, HELD, op) if payload is HELD else read
    if base.kind is INPUT:
        source = base.input
        if source is None:
            return Value(INPUT, base.dependences, None, op)
        return Value(INPUT, base.dependences, source.part(("[]", SLICE)), op)
    return lost(frame, "slice of an unknown value", op) if base.kind is not STATIC else Value(STATIC, payload=OPEN)


def _star(frame: Frame, op: ops.Star) -> Value:
    return evaluate(frame, op.value)


def _operate(frame: Frame, op: ops.Operate) -> Value:
    if op.operator == "not":
        question = question_around(frame, op)
        value = evaluate_within(frame, op.operands[0], question)
        need_concrete(frame, value, op.operands[0], "not", op, question)
        negated = Constant(not value.payload.value) if type(value.payload) is Constant else OPEN
        return Value(STATIC, NONE, negated, op, caller_value=value)
    if len(op.operands) == 1:
        return _unary(frame, op, evaluate(frame, op.operands[0]))
    left, right = evaluate(frame, op.operands[0]), evaluate(frame, op.operands[1])
    return note_affine(frame, op, left, right, binary(frame, op, op.operator, left, right))


def _unary(frame: Frame, op: ops.Operate, value: Value) -> Value:
    if value.kind is NUMBER:
        known = value.constant
        return Value(NUMBER, NONE, folded(operator.neg, known) if op.operator == "-" and _is_real(known) else OPEN, op)
    if value.kind is ARRAY:
        held = unite(value.dependences, stage_of_result(frame, value))
        return Value(ARRAY, held, None, op, value.shape, value.dtype)
    if value.kind in (COMPUTED, INPUT):
        return Value(COMPUTED, value.dependences, None, op)
    return value if value.kind is NUMPY else lost(frame, "operator on an unknown value", op)


def binary(frame: Frame, op: Operation, sign: str, left: Value, right: Value) -> Value:
    """The value of `left sign right`."""
    first, second = left.kind, right.kind
    if sign == "|" and {first, second} <= TYPES and {first, second} != {STATIC}:
        return united(frame, (left, right))
    if first is CLASS or second is CLASS:
        return lost(frame, "operator on a class", op)
    if sign in FORMATTING and isinstance(left.constant, str):
        return Value(STATIC, unite(left.dependences, shown(right)), OPEN, op)
    if first is NUMBER and second is NUMBER:
        return Value(NUMBER, NONE, _fold(sign, left.constant, right.constant), op)
    if first in OF_KEYS or second in OF_KEYS:
        refuse_arithmetic(frame, op, sign, left, right)
    if first is ARRAY or second is ARRAY:
        return _with_array(frame, op, sign, left, right)
    if first in LIKE_ARRAYS or second in LIKE_ARRAYS:
        return _with_input(frame, op, sign, left, right)
    if first is STATIC and sign in FORMATTING:
        return Value(STATIC, unite(left.dependences, shown(right)), OPEN, op)
    if (first in SEQUENCES or second in SEQUENCES) and {first, second} <= REPEATING:
        return _with_sequence(sign, frame.live().contents(left), frame.live().contents(right), op)
    if first is NUMPY or second is NUMPY:
        known = {first, second} <= {NUMPY, NUMBER, LIST, TUPLE}
        return Value(NUMPY, made_by=op) if known else lost(frame, "operator on numpy", op)
    if first is STATIC and second is STATIC:
        return Value(STATIC, NONE, OPEN, op)
    if first is second is DICT and sign == "|":
        return _united(frame.live().contents(left), frame.live().contents(right), op)
    return lost(frame, "operator on an unknown value", op)


def _is_real(constant: Host | NotConstant) -> TypeGuard[int | float]:
    return type(constant) is int or type(constant) is float


def _fold(sign: str, left: Host | NotConstant, right: Host | NotConstant) -> Payload:
    return folded(FOLD[sign], left, right) if type(left) is int and type(right) is int and sign in FOLD else OPEN


def _with_array(frame: Frame, op: Operation, sign: str, left: Value, right: Value) -> Value:
    other = right if left.kind is ARRAY else left
    if other.kind in SEQUENCES and _refuses(op, sign, left, other, right if other is left else left):
        which, array = (op.operands[1], left) if other is right else (op.operands[0], right)
        if type(array.payload) is Doubt:  # the annotation contradicts the code: callers decide
            need_no_array(frame, which, other, array, sign)
        else:
            refuse_sequence(frame, which, other, sign, "", op)
    if other.kind is INPUT and sign in REFUSING and isinstance(op, ops.Operate):
        need_array(frame, op.operands[1 if other is right else 0], other, sign, "", op)
    dependences = unite(left.dependences, right.dependences if right.kind in LIKE_ARRAYS else NONE)
    if left.kind not in LIKE_ARRAYS:
        dependences = right.dependences
    dependences = unite(dependences, stage_of_result(frame, left, right))
    shape = broadcast(left.shape, right.shape) if sign != "@" and left.kind is right.kind else None
    if other.kind is NUMBER and sign != "@":
        shape = left.shape if left.kind is ARRAY else right.shape
    return Value(ARRAY, dependences, None, op, shape)


def _refuses(op: Operation, sign: str, left: Value, sequence: Value, array: Value) -> bool:
    """Does an operator refuse a sequence beside an array?  `xs += array` extends a list, `[0] * n` repeats it."""
    if sign == "*":
        return any(type(part.constant) is float for part in sequence.parts) or bool(array.shape)
    if sign == "+" and left is sequence and type(op) is ops.Operate and op.in_place:
        return False
    return sign in REFUSING


def _with_input(frame: Frame, op: Operation, sign: str, left: Value, right: Value) -> Value:
    kinds = {left.kind, right.kind}
    if kinds & SEQUENCES and sign in REFUSING and not (type(op) is ops.Operate and op.in_place):
        first = left.kind in SEQUENCES
        sequence, other = (left, right) if first else (right, left)
        need_no_array(frame, op.operands[0 if first else 1], sequence, other, sign)
    if kinds & CONTAINERS or STATIC in kinds:
        return lost(frame, "operator on an input and a container", op)
    if kinds <= {INPUT, UNKNOWN} and sign in ("+", "|"):
        return Value(INPUT, unite(left.dependences, right.dependences), None, op)
    dependences = NONE
    if sign in NUMERIC and NUMBER in kinds:
        note_array(frame, left if left.kind is not NUMBER else right)
    for side in (left, right):
        if side.kind in LIKE_ARRAYS:
            dependences = unite(dependences, side.dependences)
    return Value(COMPUTED, dependences, None, op)


def _with_sequence(sign: str, left: Value, right: Value, op: Op) -> Value:
    kind = left.kind if left.kind in SEQUENCES else right.kind
    parts = None
    if sign == "+" and left.kind is right.kind and left.elements is not None and right.elements is not None:
        parts = bounded(left.elements + right.elements)
    form: SequenceForm = "shape" if left.form == "shape" or right.form == "shape" else ""
    return Value(kind, NONE, elements(parts, form), op)


def _united(left: Value, right: Value, op: Op) -> Value:
    first, second = left.entries, right.entries
    known = {**first, **second} if first is not None and second is not None else None
    return Value(DICT, NONE, entries(bounded(known)) if known is not None else None, op)


def _compare(frame: Frame, op: ops.Compare) -> Value:
    question = question_around(frame, op)
    values = [evaluate(frame, operand) for operand in op.operands]
    result = values[0]
    for place, sign in enumerate(op.operators):
        if place:
            need_concrete(frame, result, op, "chain", op, question)
        result = _comparison(
            frame, op, question, sign, values[place], values[place + 1], *op.operands[place : place + 2]
        )
    return result


def _comparison(
    frame: Frame, op: ops.Compare, question: Op, sign: str, left: Value, right: Value, left_op: Op, right_op: Op
) -> Value:
    if sign == "is" or sign == "is not":
        return Value(STATIC, NONE, OPEN, op)
    if sign == "in" or sign == "not in":
        return _membership(frame, op, question, left, right)
    first, second = left.kind, right.kind
    if first is ARRAY or second is ARRAY:
        if STATIC in (first, second):
            return Value(STATIC, NONE, OPEN, op)
        for side, source in ((left, left_op), (right, right_op)):
            if side.kind in SEQUENCES and sign in ORDERING:
                refuse_sequence(frame, source, side, sign, "", op)
        result = _with_array(frame, op, "==", left, right)
        return Value(ARRAY, result.dependences, None, op, result.shape, "bool")
    if first in LIKE_ARRAYS or second in LIKE_ARRAYS:
        if sign in ("==", "!=") and UNKNOWN in (first, second) and (may_be_a_name(left) or may_be_a_name(right)):
            return Value(STATIC, NONE, OPEN, op)
        if STATIC in (first, second) or {first, second} & CONTAINERS:
            return Value(STATIC, NONE, OPEN, op)
        return _with_input(frame, op, sign, left, right)
    if first is NUMBER and second is NUMBER and sign in COMPARISONS:
        one, two = left.constant, right.constant
        known = folded(COMPARISONS[sign], one, two) if _is_real(one) and _is_real(two) else OPEN
        return Value(STATIC, NONE, known, op)
    if first is NUMPY or second is NUMPY:
        return lost(frame, "comparison with numpy", op) if UNKNOWN in (first, second) else Value(NUMPY, made_by=op)
    return Value(STATIC, NONE, OPEN, op)


def _membership(frame: Frame, op: ops.Compare, question: Op, left: Value, right: Value) -> Value:
    if right.kind in (ARRAY, COMPUTED):
        need_concrete(frame, right, op, "in", op, question)
    elif left.kind in (ARRAY, COMPUTED) and right.kind in SEQUENCES and not _is_of_words(right):
        need_concrete(frame, left, op, "in", op, question)
    return Value(STATIC, NONE, OPEN, op)


def _is_of_words(sequence: Value) -> bool:
    """Is every element None or a string?

    An array equals none of these; its truth is not needed.
    """
    return bool(sequence.parts) and all(part.kind is STATIC for part in sequence.parts)


def _logic(frame: Frame, op: ops.Logic) -> Value:
    state = frame.live()
    before, question = state.path, question_around(frame, op)
    result: Value | None = None
    last = len(op.operands) - 1
    narrowed: Narrowed = []
    for place, operand in enumerate(op.operands):
        used, was_over = state.used.copy() if place else state.used, state.is_over
        value = evaluate_within(frame, operand, question)
        if place and state.is_over and not was_over:  # where it is evaluated, the path ends
            state.used, state.is_over = used, False
            continue
        host = result is None or result.kind in (STATIC, NUMBER)
        result = value if host or result is None else join(result, value)
        if place < last:
            need_concrete(frame, value, operand, op.operator, op, question)
            now = frame.live()
            now.path = assume(now.path, facts_of(frame, operand, op.operator == "and"))
            narrowed += narrow(frame, operand, op.operator == "and")
    frame.live().path = before
    widen(frame.live(), narrowed[::-1])
    assert result is not None
    if result.kind in (STATIC, NUMBER) and last:
        return Value(result.kind, result.dependences, OPEN, op)
    return result


def _suspend(frame: Frame, op: ops.Suspend) -> Value:
    if op.value is not None:
        evaluate(frame, op.value)
    invalidate_everything(frame)
    return lost(frame, f"result of {op.kind}", op)


def _other(frame: Frame, op: ops.Other) -> Value:
    for part in op.parts:
        evaluate(frame, part)
    return lost(frame, f"other: {op.reason}", op)


def _imported(frame: Frame, op: ops.Imported) -> Value:
    return frame.namespace.file.imported(op.level, op.qualified)


def _unpack(frame: Frame, op: ops.Unpack) -> Value:
    return lost(frame, "unpacking target read", op)


EVALUATES: dict[type[Op], OpEvaluator] = {
    ops.Const: _const, ops.Name: read_name, ops.Attr: _attr, ops.Item: _item, ops.Star: _star,
    ops.Operate: _operate, ops.Compare: _compare, ops.Logic: _logic, ops.Suspend: _suspend,
    ops.Imported: _imported, ops.Other: _other, ops.Unpack: _unpack,
}  # fmt: skip
