"""Copies of objects of unknown classes: `state.replace(step=1)` keeps every field that it does not name."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, Copied
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.access import read
from flake8_jax.analysis.objects.instances import COPYING, is_record, stored
from flake8_jax.domain.kinds import BOUND_FUNCTIONS, INPUT, MAY_BE_ANYTHING, UNKNOWN
from flake8_jax.domain.staging import NONE, unite
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

STEPPING, GRADIENTS = "apply_gradients", "grads"
COUNT = "step"
MOVED = ("opt_state", "params", COUNT)
"""The fields of a training state that a step of its optimizer changes; the last one is another number each time."""


def copies(base: Value | None, name: str, arguments: Arguments) -> bool:
    """Does a call of a method make a copy, as records have it: with fields as keywords only?

    That is the convention of `TrainState.apply_gradients(grads=...)`, too, which keeps all but what an optimizer moves.
    """
    if base is None or base.kind not in MAY_BE_ANYTHING:
        return False
    is_named = name in COPYING or (name == STEPPING and (is_record(base) or GRADIENTS in arguments.keywords))
    return is_named and bool(arguments.keywords) and not arguments.positional and not arguments.is_open


def changed_by(frame: Frame, base: Value, name: str, arguments: Arguments, op: Op) -> dict[str, Value]:
    """The fields that a copying method changes: those that it is given, and what an optimizer moves.

    What was moved of an input has the structure that the input has, and is known by it.
    """
    if name != STEPPING:
        return arguments.keywords
    dependences = NONE
    for value in (base, *arguments.values()):
        dependences = unite(dependences, dependences_of(value))
    moved = {
        field: Value(INPUT, dependences, None, op)
        if base.input is None or field == COUNT
        else replace(read(frame, base, (".", field), op), made_by=op)
        for field in MOVED
    }
    return {**moved, **{field: value for field, value in arguments.keywords.items() if field != GRADIENTS}}


def copied(frame: Frame, base: Value, changed: dict[str, Value], op: Op, name: str = "replace") -> Value:
    """A copy of an object, with the fields that are known of it and those that are changed.

    A class of the project may have a method of its own of this `name`, as its callers know.
    """
    state, record = frame.live(), frame.program.record
    if base.input is not None:
        frame.summary.uses.lookups.setdefault((base.input, name), None)
    version = state.version(base)
    known = {step[1]: value for step, value in record.projections.of(version).items() if step[0] == "."}
    own = {**stored(state, version), **stored(state, base), **changed}
    fields = {name: value for name, value in {**known, **own}.items() if value.kind not in BOUND_FUNCTIONS}
    return record_of(frame, {str(name): value for name, value in fields.items()}, op, Copied(base, own))


def record_of(frame: Frame, fields: dict[str, Value], op: Op, copied: Copied | None = None) -> Value:
    """An object of no known class with some known fields."""
    made = (
        note_unknown(frame, "copy of an unknown object", op)
        if copied is None
        else Value(UNKNOWN, payload=copied, made_by=op)
    )
    state = frame.live()
    frame.program.record.projected.add(made)
    state.set_fields(made, fields)
    return made
