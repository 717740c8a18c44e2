"""Evidence that an input is an array: its uses in the code, and its declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from flake8_jax.analysis.evidence import CallSite, Need, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.effects import ByAnnotation, EventKey
from flake8_jax.domain.kinds import ARRAY, COMPUTED, INPUT, NOT_AN_ARRAY, TUPLE, UNKNOWN
from flake8_jax.domain.payload import OR_ANNOTATED, ArrayDoubt, SliceOf, word
from flake8_jax.domain.staging import NONE, Dependences, Input, Presumed, certain, in_order, leaves_traced, presumed
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Call
from flake8_jax.lazy_dataclasses import dataclass, replace

DECLARED, PROVEN = "declared", "proven"


def indexes_array(index: Value) -> bool:
    """Does an index fit arrays only: a slice, or several indices without a string?"""
    if index.kind is TUPLE:
        return all(word(part.payload) is None for part in index.parts)
    return type(index.payload) is SliceOf


def note_array(frame: Frame, value: Value) -> None:
    """Record a use of an input that only an array allows.

    What a call makes of one, such as a leaf of a tree, says nothing of it.
    """
    if value.input is not None:
        frame.summary.uses.arrays[value.input] = None
    elif value.kind is COMPUTED and len(value.dependences) == 1 and type(value.made_by) is not Call:
        frame.summary.uses.arrays |= dict.fromkeys(in_order(value.dependences))


def stage_of_result(frame: Frame, *operands: Value) -> Dependences:
    """What a new array depends on beside its operands: the ambient stage, presumed if annotations alone promise arrays.

    The operands are those of an operator, of which at least one is an array.
    """
    found: set[Input] = set()
    for operand in operands:
        sources = presumed(operand.dependences) if operand.kind is ARRAY else ()
        if operand.kind is ARRAY and not sources:
            return frame.ambient
        found.update(sources)
    return frozenset(Presumed(source, stage) for source in found for stage in frame.ambient)


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
    places = frame.program.record.projections.holding(item)
    return next((owner for owner, step in places if step[0] == "[]"), None)


def _is_declared(frame: Frame, value: Value, source: Input) -> bool:
    return source.is_declared if source.parent is not None else frame.live().heap.get((value, DECLARED)) is value


def refuting(
    site: CallSite, key: EventKey, of: Dependences, is_other: Callable[[Value], bool]
) -> Iterator[EventKey | ByAnnotation]:
    """What arguments refute of an event that rests on annotations: by something else the event, its ground by what
    nobody knows.
    """
    for _, actual in arguments_at(site, of):
        if is_other(actual):
            yield key
        elif actual.kind is UNKNOWN:
            yield ByAnnotation(key)


def array_argument(site: CallSite, dependences: Dependences, is_plain_input: bool) -> Value | None:
    """The first argument that is certainly an array.

    `is_plain_input`: the value at issue is an input as it was passed, so that it is an array if traced only where the
    callee uses it as one.
    """
    for source in in_order(dependences):
        actual = site.resolve(source)
        if actual is not None and (_is_array(actual) or is_tracer(site, source, is_plain_input)):
            return actual
    return None


def _is_array(actual: Value) -> bool:
    return actual.kind is ARRAY and type(actual.payload) is not ArrayDoubt


def whole_of(site: CallSite, part: Input) -> Dependences:
    """The dependences of the traced object of which an unknown value is a part.

    A trace that leaves values of the host what they are may leave a part that is not declared, too.
    """
    source, actual = part.parent, None
    while source is not None:
        actual = site.resolve(source)
        if actual is None or actual.kind is not UNKNOWN or not source.is_child:
            break
        source = source.parent
    if actual is None or actual.kind is not INPUT or actual.payload is not None:
        return NONE
    return actual.dependences if part.is_declared else leaves_traced(actual.dependences)


def open_inputs(site: CallSite, dependences: Dependences, is_plain_input: bool) -> tuple[Dependences, bool]:
    """The undecided inputs of the caller, and whether the value is one of them as passed."""
    of_arrays, of_inputs = site.dependences(dependences, is_plain_input)
    return frozenset(d for d in of_arrays | of_inputs if isinstance(d, Input)), not of_arrays


@dataclass(frozen=True, slots=True)
class NeedOfValue(Need):
    """A precondition on one value; `is_plain_input`: it is an unmodified input, so that it may be any object."""

    is_plain_input: bool


ValueNeed = TypeVar("ValueNeed", bound=NeedOfValue)


def undecided(site: CallSite, needed: ValueNeed) -> Iterator[ValueNeed]:
    """The precondition on the undecided inputs of the caller, if there are any."""
    rest, is_plain_input = open_inputs(site, needed.dependences, needed.is_plain_input)
    if rest:
        yield replace(needed, dependences=rest, is_plain_input=is_plain_input)


def is_tracer(site: CallSite, source: Input, is_plain_input: bool) -> bool:
    """Is an argument certainly traced, and an array then?"""
    if is_plain_input and not site.summary.uses.show_array(source):
        return False
    return certain(site.dependences(frozenset((source,)), False)[0]) is not None


def is_no_array(value: Value, actual: Value) -> bool:
    """Is an argument known to be something else than the array that an annotation says?"""
    return type(value.payload) is ArrayDoubt and value.payload is not OR_ANNOTATED and actual.kind in NOT_AN_ARRAY
