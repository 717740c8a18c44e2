"""`in` and `not in`: comparisons with the elements of an array or sequence, of which Python asks the truth."""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.truths import ArrayTruth, array_truth, elements_asked
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import note_array
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import (
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    CONTAINERS,
    DICT,
    INPUT,
    NUMBER,
    NUMERIC,
    SEQUENCES,
    SET,
    STATIC,
)
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def membership(frame: Frame, op: ops.Compare, question: Op, left: Value, right: Value) -> Value:
    """Whether an element is in something: known to the host once the truths that are asked for are."""
    if right.kind is INPUT and left.kind in NUMERIC:
        note_array(frame, right)
    if isinstance(left.constant, str):
        return Value(STATIC, NONE, OPEN, op)  # no array is asked for a text
    if right.kind in ARRAYS_OR_COMPUTED or (right.kind is INPUT and left.kind in NUMERIC):
        need_concrete(frame, right, op, "in", op, question)
    elif right.kind in SEQUENCES and is_compared(left, right):
        need_concrete(frame, compared(left, op), op, "in", op, question)
        if (count := elements_asked(left, "bool")) and not any(part is left for part in right.parts):
            emit(frame, (ArrayTruth, question, ()), array_truth(op.operands[0], "in", op, count))
    elif right.kind in (SET, DICT) and left.kind in ARRAYS_OR_COMPUTED:
        need_concrete(frame, left, op, "hash", op, question)
    elif left.kind is INPUT and right.kind in CONTAINERS:
        need_concrete(frame, left, op, "text", op, question)
    return Value(STATIC, NONE, OPEN, op)


def is_compared(element: Value, sequence: Value) -> bool:
    """Does `in` compare an array with the elements, or an input with an element that is a number?"""
    if element.kind is INPUT:
        return any(part.kind is NUMBER for part in sequence.parts)
    return element.kind in ARRAYS_OR_COMPUTED and not _is_of_words(sequence)


def compared(value: Value, op: Op) -> Value:
    """A value of which the truth of comparisons is asked: an input that is compared is a number."""
    return Value(COMPUTED, value.dependences, made_by=op) if value.kind is INPUT else value


def _is_of_words(sequence: Value) -> bool:
    """Is every element None or a string?

    An array equals none of these; its truth is not needed.
    """
    return bool(sequence.parts) and all(part.kind is STATIC for part in sequence.parts)
