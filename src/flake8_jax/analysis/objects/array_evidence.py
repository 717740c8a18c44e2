"""Evidence that an input is an array: its uses in the code, and its declarations."""

from __future__ import annotations

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.payload import SliceOf, word
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import COMPUTED, TUPLE, Value

DECLARED, PROVEN = "declared", "proven"


def indexes_array(index: Value) -> bool:
    """Does an index fit arrays only: a slice, or several indices without a string?"""
    if index.kind is TUPLE:
        return all(word(part.payload) is None for part in index.parts)
    return type(index.payload) is SliceOf


def note_array(frame: Frame, value: Value) -> None:
    """Record a use of an input that only an array allows."""
    if value.input is not None:
        frame.summary.uses.arrays[value.input] = None
    elif value.kind is COMPUTED and len(value.dependences) == 1:
        frame.summary.uses.arrays |= dict.fromkeys(d for d in value.dependences if isinstance(d, Input))


def declare_array(frame: Frame, value: Value) -> None:
    """Record that an input is declared as an array, of JAX or NumPy."""
    frame.live().set_part(value, DECLARED, value)


def prove_array(frame: Frame, value: Value) -> None:
    """Record that an input is an array of JAX, because its `at` is read.

    The same holds for the array that it is a part of.
    """
    found: Value | None = value
    while found is not None and found.input is not None:
        if _is_declared(frame, found, found.input):
            frame.live().set_part(found, PROVEN, found)
        is_part = found.input.parent in frame.summary.uses.arrays
        found = _array_around(frame, found) if is_part else None


def is_proven(frame: Frame, value: Value) -> bool:
    """Is an input known to be an array of JAX?"""
    return frame.live().heap.get((value, PROVEN)) is value


def _array_around(frame: Frame, item: Value) -> Value | None:
    projections = frame.program.record.projections
    return next((owner for (owner, step), part in projections.items() if part is item and step[0] == "[]"), None)


def _is_declared(frame: Frame, value: Value, source: Input) -> bool:
    return source.is_declared if source.parent is not None else frame.live().heap.get((value, DECLARED)) is value
