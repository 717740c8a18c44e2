"""How many operations on arrays a body makes: what a trace would put into the program.

def step(x):
    return jnp.sin(x) * x[0]        4: a sine, a product, and two that read an item
def run(x):
    return step(step(x))            8: those of what it calls

It is counted while the body is run, by the dependences of what the operations give: callers decide whether these are
tracers.  Callers are told about how many there are, so that one more in a long body is seldom news to them.
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.record import record_of
from flake8_jax.domain.kinds import ARRAY, COMPUTED, INPUT, MAY_HOLD_ARRAYS, UNKNOWN
from flake8_jax.domain.staging import NONE, Dependences, staged, unite
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value, dependences_of

OF_ITEM = 2
"""The operations that read an item of an array, a slice and one axis less; an update takes as many."""

EXACT_BITS = 4
"""To so many binary digits callers are told how many operations a body makes."""


def note_work(frame: Frame, value: Value, many: int = 1) -> Value:
    """Count operations that give an array; returns it."""
    dependences = value.dependences
    if value.kind is ARRAY or (
        dependences and (value.kind is COMPUTED or (value.kind is INPUT and value.payload is None))
    ):
        frame.work[dependences] = frame.work.get(dependences, 0) + many
    return value


def note_work_of_call(frame: Frame, summary: Summary, result: Value, given: Iterable[Value]) -> int:
    """Count the operations of a function that is called; returns how many those are, if it calls no compiled code."""
    record = record_of(summary)
    many = record.work.get(summary, 0) if record is not None else 0
    if record is None or not many:
        return 0
    inside = record.compiled.get(summary)
    if inside is not None:
        frame.work.setdefault(inside, 0)
    dependences = dependences_of(result)
    if not dependences and result.kind is UNKNOWN:
        dependences = _of_all(value for value in given if value.kind in MAY_HOLD_ARRAYS)
    if dependences or result.kind is ARRAY:
        frame.work[dependences] = frame.work.get(dependences, 0) + many
    return many if inside is None else 0


def keep_work(frame: Frame) -> None:
    """Keep for callers how many operations a body makes."""
    record = record_of(frame.summary)
    if not frame.work or record is None:
        return
    record.work[frame.summary] = _about(sum(frame.work.values()))
    inside = next((held for held in frame.work if staged(held) is not None), None)
    if inside is not None:
        record.compiled[frame.summary] = inside


def _about(number: int) -> int:
    """A number, rounded to a few digits."""
    step = 1 << max(0, number.bit_length() - EXACT_BITS)
    return (number + step // 2) // step * step


def _of_all(values: Iterable[Value]) -> Dependences:
    found = NONE
    for value in values:
        found = unite(found, dependences_of(value))
    return found
