"""Operators on numbers, arrays, inputs and sequences, and what JAX refuses of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeGuard

from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.contracts.setup_fields import check_changed
from flake8_jax.analysis.checks.formatting import need_numbers
from flake8_jax.analysis.checks.host.clocks import check_elapsed, note_started
from flake8_jax.analysis.checks.keys.not_keys import refuse_arithmetic
from flake8_jax.analysis.checks.sequences import need_array, need_no_array, refuse_sequence
from flake8_jax.analysis.evaluate.displays import is_plain_input, joined_dicts, joined_sequences, one_for_all, shown
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.annotations import united
from flake8_jax.analysis.objects.array_evidence import note_array, stage_of_result
from flake8_jax.analysis.objects.dtypes import dtype_of_operand, dtype_of_operator
from flake8_jax.analysis.objects.host_operands import made_of
from flake8_jax.analysis.objects.operators import overloaded
from flake8_jax.domain.clocks import ClockRead
from flake8_jax.domain.constants import OPEN, NotConstant
from flake8_jax.domain.folding import extended, folded, within
from flake8_jax.domain.kinds import (
    ANNOTATION_KINDS,
    ARRAY,
    CERTAIN_ARRAYS,
    CLASS,
    COMPUTED,
    CONTAINERS,
    DICT,
    INPUT,
    LIST,
    MAY_BE_ANYTHING,
    MAY_BE_ARRAY,
    MAY_BE_INSTANCE,
    NUMBER,
    NUMPY,
    OBJECT,
    RANDOM_KEYS,
    SEQUENCES,
    SEQUENCES_OR_NUMBERS,
    STATIC,
    SYMBOLIC,
    TUPLE,
)
from flake8_jax.domain.payload import ONLY_ANNOTATED, OR_NUMPY, ArrayDoubt, Payload
from flake8_jax.domain.shape import Shape, broadcast, multiplied
from flake8_jax.domain.staging import NONE, Input, unite
from flake8_jax.domain.value import ShapeOf, Value, common_likeness, shape_of_broadcast, shape_of_operands
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.parts import Host

Operation: TypeAlias = ops.Operate | ops.Compare | ops.Call
"""An operator, or a call that stands for it: `operator.add(x, y)`, `functools.reduce(operator.add, xs)`."""

NUMERIC = frozenset(("-", "/", "//", "**", "<", "<=", ">", ">="))
REFUSING = frozenset(("+", "-", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"))
FORMATTING = frozenset(("%", "+"))
PATHS = frozenset(("pathlib.Path", "pathlib.PurePath"))
LONGEST_TEXT = 1_000
LOGICAL = frozenset(("&", "|", "^"))
FOLD: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "<<": lambda left, right: left << within(right), "**": lambda left, right: left ** within(right),
}  # fmt: skip


def unary(frame: Frame, op: Op, sign: str, value: Value) -> Value:
    """The value of `-value`, or of another sign on one operand."""
    if value.kind is NUMBER:
        known = value.constant
        return Value(NUMBER, NONE, folded(operator.neg, known) if sign == "-" and is_real(known) else OPEN, op)
    if value.kind is ARRAY:
        dependences = unite(value.dependences, stage_of_result(frame, value))
        like = _likeness(sign, value, value) if value.shape is None else None
        return Value(ARRAY, dependences, made_of((value,)), op, value.shape, value.dtype, like=like)
    if value.kind in SYMBOLIC:
        kept, like = OR_NUMPY if value.payload is OR_NUMPY else None, _likeness(sign, value, value)
        return Value(COMPUTED, value.dependences, kept, op, dtype=dtype_of_operand(value), like=like)
    return value if value.kind is NUMPY else note_unknown(frame, "operator on an unknown value", op)


def binary(frame: Frame, op: Operation, sign: str, left: Value, right: Value) -> Value:
    """The value of `left sign right`."""
    first, second = left.kind, right.kind
    if type(left.payload) is ClockRead and sign == "-":
        check_elapsed(frame, op, left, right)
        return Value(NUMBER, payload=OPEN, made_by=op)
    if sign == "|" and {first, second} <= ANNOTATION_KINDS and {first, second} != {STATIC}:
        return united(frame, (left, right))
    if first is CLASS or second is CLASS:
        return note_unknown(frame, "operator on a class", op)
    if (first in MAY_BE_INSTANCE or second in MAY_BE_INSTANCE) and (
        made := overloaded(frame, op, sign, left, right)
    ) is not None:
        return made
    if sign in FORMATTING and isinstance(left.constant, str):
        if sign == "%" and type(op) is ops.Operate:
            need_numbers(frame, left.constant, right, op)
        text = _joined_text(left.constant, right.constant) if sign == "+" else OPEN
        return Value(STATIC, unite(left.dependences, shown(right)), text, op)
    if first is NUMBER and second is NUMBER:
        number = _fold(sign, left.constant, right.constant)
        dtype = dtype_of_operator(frame, sign, left, right) if number is OPEN else None
        return Value(NUMBER, NONE, number, op, dtype=dtype)
    if first in RANDOM_KEYS or second in RANDOM_KEYS:
        refuse_arithmetic(frame, op, sign, left, right)
    if sign == "*" and (first in SEQUENCES or second in SEQUENCES):
        _repeat(frame, op, left, right)
        sequence, times = (left, right) if first in SEQUENCES else (right, left)
        if times.payload is ONLY_ANNOTATED and not _refuses(op, sign, left, sequence, times):
            return note_unknown(frame, "sequence times what an annotation alone says to be an array", op)
    if first is ARRAY or second is ARRAY:
        return with_array(frame, op, sign, left, right)
    if sign == "|" and second is DICT and is_plain_input(frame, left) and right.entries is not None:
        return Value(DICT, payload=extended(left, frame.live().contents(right).entries or {}), made_by=op)
    if first in MAY_BE_ARRAY or second in MAY_BE_ARRAY:
        return with_input(frame, op, sign, left, right)
    if first is STATIC and sign in FORMATTING:
        return Value(STATIC, unite(left.dependences, shown(right)), OPEN, op)
    if (first in SEQUENCES or second in SEQUENCES) and {first, second} <= SEQUENCES_OR_NUMBERS:
        if first is LIST and second is LIST and type(op) is ops.Operate and op.in_place:
            check_changed(frame, op, op.operands[0], left)  # a tuple takes another tuple
        return joined_sequences(sign, frame.live().contents(left), frame.live().contents(right), op)
    if first is NUMPY or second is NUMPY:
        known = {first, second} <= {NUMPY, NUMBER, LIST, TUPLE}
        shape = (_product if sign == "@" else shape_of_broadcast)((left, right), {}) if known else None
        return Value(NUMPY, made_by=op, shape=shape) if known else note_unknown(frame, "operator on numpy", op)
    if first is STATIC and second is STATIC:
        return Value(STATIC, NONE, OPEN, op)
    if first is second is DICT and sign == "|":
        return joined_dicts(frame.live().contents(left), frame.live().contents(right), op)
    if sign == "/" and (left.name in PATHS or right.name in PATHS):
        return Value(OBJECT, payload=left.payload if left.name in PATHS else right.payload, made_by=op)
    return note_unknown(frame, "operator on an unknown value", op)


def _operand(op: Operation, place: int) -> Op:
    """Where an operand stands; of a call that stands for an operator it is the call."""
    return op if isinstance(op, ops.Call) else op.operands[place]


def _joined_text(left: Host | NotConstant, right: Host | NotConstant) -> Payload:
    """The text that two constants make, if it is short."""
    is_known = isinstance(left, str) and isinstance(right, str) and len(left) + len(right) <= LONGEST_TEXT
    return folded(operator.add, left, right) if is_known else OPEN


def is_real(constant: Host | NotConstant) -> TypeGuard[int | float]:
    """Is a constant a number that has an order?"""
    return type(constant) is int or type(constant) is float


def _fold(sign: str, left: Host | NotConstant, right: Host | NotConstant) -> Payload:
    return folded(FOLD[sign], left, right) if type(left) is int and type(right) is int and sign in FOLD else OPEN


def with_array(frame: Frame, op: Operation, sign: str, left: Value, right: Value) -> Value:
    """The value of an operator of which one operand is an array: an array."""
    other = right if left.kind is ARRAY else left
    if sign == "@":
        note_started(frame, op)
    if other.kind in SEQUENCES and _refuses(op, sign, left, other, right if other is left else left):
        which, array = (_operand(op, 1), left) if other is right else (_operand(op, 0), right)
        if type(array.payload) is ArrayDoubt:  # the annotation contradicts the code: callers decide
            need_no_array(frame, which, other, array, sign)
        else:
            refuse_sequence(frame, which, other, sign, "", op, shape=array.shape)
    refuses = sign in REFUSING or (sign == "*" and bool(left.shape or right.shape))
    if other.kind is INPUT and refuses and isinstance(op, ops.Operate):
        need_array(frame, op.operands[1 if other is right else 0], other, sign, "", op)
    dependences = unite(left.dependences, right.dependences if right.kind in MAY_BE_ARRAY else NONE)
    if left.kind not in MAY_BE_ARRAY:
        dependences = right.dependences
    dependences = unite(dependences, stage_of_result(frame, left, right))
    shape = None
    if {left.kind, right.kind} <= CERTAIN_ARRAYS:
        shape = multiplied(left.shape, right.shape) if sign == "@" else broadcast(left.shape, right.shape)
    if other.kind is NUMBER and sign != "@":
        shape = left.shape if left.kind is ARRAY else right.shape
    dtype = dtype_of_operator(frame, sign, left, right)
    like = _likeness(sign, left, right) if shape is None else None
    is_promised = all(one.payload is ONLY_ANNOTATED or one.kind is NUMBER for one in (left, right))
    made = ONLY_ANNOTATED if is_promised else made_of((left, right))
    return Value(ARRAY, dependences, made, op, shape, dtype, like=like)


def _likeness(sign: str, left: Value, right: Value) -> Input | ShapeOf | None:
    """The input that has the shape of the result of an operator, or how it follows from the operands."""
    if sign == "@":
        return shape_of_operands(_product, (left, right), {})
    return common_likeness((left, right)) or shape_of_operands(shape_of_broadcast, (left, right), {})


def _product(operands: tuple[Value, ...], given: Mapping[str, Value]) -> Shape:
    """The shape of a matrix product."""
    del given
    first, second = (operand.shape if operand.kind in CERTAIN_ARRAYS else None for operand in operands)
    return multiplied(first, second)


def _repeat(frame: Frame, op: Operation, left: Value, right: Value) -> None:
    """A sequence is repeated: a tracer does not say how often."""
    place = 0 if left.kind in MAY_BE_ARRAY else 1
    sequence, times = (right, left) if place == 0 else (left, right)
    if times.kind in MAY_BE_ARRAY and not (times.kind is ARRAY and _refuses(op, "*", left, sequence, times)):
        need_concrete(frame, times, _operand(op, place), "repeat", op, op)


def _refuses(op: Operation, sign: str, left: Value, sequence: Value, array: Value) -> bool:
    """Does an operator refuse a sequence beside an array?  `xs += array` extends a list, `[0] * n` repeats it."""
    if sign == "*":
        return any(type(part.constant) is float for part in sequence.parts) or bool(array.shape)
    if sign == "+" and left is sequence and type(op) is ops.Operate and op.in_place:
        return False
    return sign in REFUSING


def _filled(op: Operation, left: Value, right: Value) -> Value | None:
    """The list of `[None] * n` or `[key] * n`: of numbers, an array might be made."""
    sequence = left if left.kind in SEQUENCES else right
    parts = sequence.elements if sequence.kind in SEQUENCES else None
    if parts and all(part.constant is None for part in parts):
        return Value(sequence.kind, NONE, None, op)
    one = one_for_all(sequence)
    return Value(sequence.kind, NONE, one, op) if one is not None else None


def with_input(frame: Frame, op: Operation, sign: str, left: Value, right: Value) -> Value:
    """The value of an operator of which one operand depends on inputs."""
    kinds = {left.kind, right.kind}
    if kinds & SEQUENCES and sign in REFUSING and not (type(op) is ops.Operate and op.in_place):
        first = left.kind in SEQUENCES
        sequence, other = (left, right) if first else (right, left)
        need_no_array(frame, _operand(op, 0 if first else 1), sequence, other, sign)
    if sign == "*" and (filled := _filled(op, left, right)) is not None:
        return filled
    if kinds & CONTAINERS or STATIC in kinds:
        return note_unknown(frame, "operator on an input and a container", op)
    dtype = dtype_of_operator(frame, sign, left, right)
    if sign in LOGICAL and dtype == "bool":
        held = unite(left.dependences, right.dependences)
        return Value(COMPUTED, held, None, op, dtype=dtype, like=common_likeness((left, right)))
    if kinds <= MAY_BE_ANYTHING and sign in ("+", "|"):
        held = unite(left.dependences, right.dependences)
        return Value(INPUT, held, None, op, dtype=dtype, like=common_likeness((left, right)))
    dependences = NONE
    if sign in NUMERIC and NUMBER in kinds:
        note_array(frame, left if left.kind is not NUMBER else right)
    for side in (left, right):
        if side.kind in MAY_BE_ARRAY:
            dependences = unite(dependences, side.dependences)
    is_either = left.payload is OR_NUMPY or right.payload is OR_NUMPY
    like = _likeness(sign, left, right)
    return Value(COMPUTED, dependences, OR_NUMPY if is_either else None, op, dtype=dtype, like=like)
