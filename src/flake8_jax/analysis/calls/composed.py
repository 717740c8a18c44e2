"""Optimizers that are made of those of the project: an update of the whole runs the updates of its parts.

tx = optax.chain(clip_by_own_rule(), optax.adam(1e-3))
tx.update(grads, state, params)         runs what `clip_by_own_rule` gave `optax.GradientTransformation`

The states of the parts are not known, and each part gets updates of the same structure.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, InstanceOf
from flake8_jax.analysis.checks.contracts.optimizers import MAXIMUM_DEPTH, UPDATE
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.contracts import INNER
from flake8_jax.domain.kinds import FUNCTIONS, INSTANCE
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir.ops import Op

STATE = "state"


def note_composed(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Note the updates of the project's optimizers of which a call makes another one.

    Nothing, if other runs of the call are given others; what a run for certain arguments finds does not count, so that
    it does not matter who asks first.
    """
    if frame.is_specialized or INNER not in (frame.program.table.update_needs(name) or ()):
        return
    found = tuple(update for value in arguments.values() for update in _updates(frame, value))
    composed = frame.program.composed
    known = composed.get(op, found)
    is_same = [update.payload for update in known] == [update.payload for update in found]
    composed[op] = found if is_same else ()


def run_composed(frame: Frame, op: Op, optimizer: Value, arguments: Arguments) -> None:
    """Run the updates of the parts, as an update of the whole does."""
    updates = _composed(frame, optimizer)
    if arguments.is_open or not updates:
        return
    positional, keywords = [*arguments.positional], {**arguments.keywords}
    if len(positional) > 1:
        positional[1] = unknown("state of a part", op)
    elif STATE in keywords:
        keywords[STATE] = unknown("state of a part", op)
    for update in updates:
        call(frame, op, update, Arguments(tuple(positional), keywords, False, arguments.ops, arguments.keyword_ops))


def _composed(frame: Frame, optimizer: Value) -> tuple[Value, ...]:
    return frame.program.composed.get(optimizer.made_by, ()) if optimizer.made_by is not None else ()


def _updates(frame: Frame, value: Value, depth: int = 0) -> Iterator[Value]:
    """The functions that update, of the optimizers that a value is or holds."""
    payload = value.payload
    if value.kind is INSTANCE and isinstance(payload, InstanceOf):
        update = (payload.parts or {}).get(UPDATE)
        if update is not None and update.kind in FUNCTIONS:
            yield update
        return
    yield from _composed(frame, value)
    if depth < MAXIMUM_DEPTH:
        for part in value.parts:
            yield from _updates(frame, part, depth + 1)
