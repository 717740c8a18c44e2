"""Raising demands: at once where the value is certain, latent in the summary where it depends on an input."""

from __future__ import annotations

from typing import Any

from flake8_jax.analysis.checks.events import Context, Demanded, Stored
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.payload import AT, SliceOf, word
from flake8_jax.domain.staging import NONE, Dependences, Input, Token, certain
from flake8_jax.domain.summary import Demand
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, LIST, TUPLE, Value
from flake8_jax.ir import ops
from flake8_jax.ir.phrase import index_phrase, phrase

ASKED = frozenset((ARRAY, COMPUTED, INPUT))
DECLARED, PROVEN = "declared", "proven"


def concrete_stages(dependences: Dependences) -> Token | None:
    """The trace under which Python cannot have the truth of a value: bare differentiation leaves it concrete."""
    return certain(frozenset(d for d in dependences if type(d) is not Token or d.stage in ("staged", "mapped")))


def indexes_array(index: Value) -> bool:
    """Is an index one that only arrays take: a slice, or several at once, none of them a name?"""
    if index.kind is TUPLE:
        return all(word(part.payload) is None for part in index.parts)
    return type(index.payload) is SliceOf


def note_array(frame: Frame, value: Value) -> None:
    """The code here treats an input as only an array can be treated."""
    if value.input is not None:
        frame.summary.arrays[value.input] = None
    elif value.kind is COMPUTED and len(value.dependences) == 1:
        frame.summary.arrays |= dict.fromkeys(d for d in value.dependences if isinstance(d, Input))


def declare_array(frame: Frame, value: Value) -> None:
    """An input is declared as an array, of whichever library."""
    frame.live().set_part(value, DECLARED, value)


def prove_array(frame: Frame, value: Value) -> None:
    """Its `at` is read, which only arrays of JAX have: it is one from here on, and so is the array that it is a part
    of.
    """
    found: Value | None = value
    while found is not None and found.input is not None:
        if _is_declared(frame, found, found.input):
            frame.live().set_part(found, PROVEN, found)
        is_part = found.input.parent in frame.summary.arrays
        found = _array_around(frame, found) if is_part else None


def _array_around(frame: Frame, item: Value) -> Value | None:
    projections = frame.program.record.projections
    return next((owner for (owner, step), part in projections.items() if part is item and step[0] == "[]"), None)


def _is_declared(frame: Frame, value: Value, source: Input) -> bool:
    return source.is_declared if source.parent is not None else frame.live().heap.get((value, DECLARED)) is value


def demand_bool(frame: Frame, value: Value, op: Any, form: str, place: Any = None) -> None:
    """Python asks for the truth of a value: `form` is the construct that asks."""
    if value.kind not in ASKED or value.dependences is NONE or frame.prepared:
        return
    is_bare = value.kind is INPUT
    token = None if is_bare else concrete_stages(value.dependences)
    if token is not None:
        report_bool(frame, op, form, Context(token.trace))
    else:
        frame.summary.demand(Demand("bool", op, value.dependences, is_bare, (form,), None, frame.path))


def report_bool(frame: Frame, op: Any, form: str, context: Context, when: Path = ALWAYS) -> None:
    """Send the event that the truth of a tracer is asked for, once an op."""
    emit(frame, ("bool", op), lambda: Demanded(op, "bool", form, phrase(op), "", "", "", context), when)


GIVEN = {ops.Gather: "comprehension", ops.Attr: "shape"}


def refuse_sequence(frame: Frame, op: Any, value: Value, callee: str, parameter: str, call: Any) -> None:
    """A list or tuple stands where JAX takes arrays only."""
    report_sequence(frame, op, describe(op, value), callee, parameter, call, origin(value, op), Context())


def report_sequence(
    frame: Frame, op: Any, given: str, callee: str, parameter: str, call: Any, whence: str, context: Context,
    when: Path = ALWAYS,
) -> None:  # fmt: skip
    """Send the event that a sequence is refused, once an op."""
    if frame.prepared:
        return
    emit(
        frame,
        ("array", op),
        lambda: Demanded(op, "array", callee_text(call, callee), phrase(op), given, parameter, whence, context),
        when,
    )


def callee_text(op: Any, name: str) -> str:
    """The user's spelling of a callee, or its name where the call is not written out."""
    func = getattr(op, "func", None)
    if func is None:
        return name
    text = phrase(func)
    return text if "(" not in text else name


def demand_array(frame: Frame, op: Any, value: Value, callee: str, parameter: str, call: Any) -> None:
    """JAX takes no sequence here: refuse one that is known, leave the rest to the callers."""
    if is_sequence(value):
        refuse_sequence(frame, op, value, callee, parameter, call)
    elif value.input is not None:
        note_array(frame, value)
        details = (callee, parameter)
        frame.summary.demand(Demand("array", op, value.dependences, True, details, call, frame.path))


def demand_no_array(frame: Frame, op: Any, sequence: Value, other: Value, sign: str) -> None:
    """A list or tuple stands beside an input in an operation that arrays refuse."""
    details = (sign, describe(op, sequence), origin(sequence, op))
    frame.summary.demand(Demand("beside", op, other.dependences, other.kind is INPUT, details, None, frame.path))


def is_sequence(value: Value) -> bool:
    """Is it a list or tuple for certain?"""
    return value.kind is LIST or value.kind is TUPLE


def describe(op: Any, value: Value) -> str:
    """What kind of sequence a value is, for a message."""
    if value.form == "shape" or value.form == "generator":
        return value.form
    if type(value.made_by) is ops.Gather:
        return "comprehension"
    return value.kind.value


def origin(value: Value, op: Any) -> str:
    """Where a value was made, if that is not the op itself."""
    made_by = value.made_by
    if made_by is None or made_by is op:
        return ""
    if type(made_by) is ops.Call:
        return f"made by `{phrase(made_by.func)}` {line_of(made_by, op)}"
    return f"made {line_of(made_by, op)}"


def line_of(op: Any, reader: Any) -> str:
    """The line that an op stands on, with its file if that is another than the one of the op that is spoken of."""
    place = op.anchor.origin
    is_foreign = place.path != reader.anchor.origin.path
    return f"on line {op.anchor.line} of `{place.shown}`" if is_foreign else f"on line {op.anchor.line}"


def demand_mutable(frame: Frame, op: Any, base: Value, manner: str, sign: str = "") -> None:
    """An item of `base` is stored into or deleted, in the `manner` that the event will say."""
    if base.payload is AT or frame.prepared:
        return
    if base.kind is ARRAY or (base.kind is COMPUTED and certain(base.dependences)):
        report_store(frame, op, (manner, sign), origin(base, op), Context())
    elif base.kind is INPUT and frame.live().heap.get((base, PROVEN)) is base:
        report_store(frame, op, (manner, sign), "", Context())
    elif base.kind in (COMPUTED, INPUT) and base.dependences is not NONE:
        frame.summary.demand(
            Demand("mutable", op, base.dependences, base.kind is INPUT, (manner, sign), None, frame.path)
        )


def report_store(
    frame: Frame, op: Any, details: tuple[str, ...], whence: str, context: Context, when: Path = ALWAYS
) -> None:
    """Send the event that an item of an array is assigned, once an op."""
    manner, sign = details
    emit(
        frame,
        ("store", op),
        lambda: Stored(op, phrase(op.base), index_phrase(op.index), manner, sign, whence, context),  # type: ignore[arg-type]
        when,
    )
