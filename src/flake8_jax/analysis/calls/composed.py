"""Objects of libraries that are made of functions of the project, and run them.

tx = optax.chain(clip_by_own_rule(), optax.adam(1e-3))
tx.update(grads, state, params)         runs what `clip_by_own_rule` gave `optax.GradientTransformation`
net = eqx.nn.Sequential([eqx.nn.Linear(2, 3, key=key), eqx.nn.Lambda(squash)])
net(x)                                  runs `squash`

The states of the parts are not known, and each part gets updates of the same structure; each layer gets an array.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, InstanceOf, Wrapped, underlying
from flake8_jax.analysis.calls.results import all_dependences
from flake8_jax.analysis.checks.contracts.optimizers import MAXIMUM_DEPTH, UPDATE
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.contracts import INNER, LAYERED
from flake8_jax.domain.kinds import ARRAY, CONTAINERS, FUNCTIONS, INSTANCE
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir.ops import Op

STATE = "state"


def note_composed(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Note the updates of the project's optimizers of which a call makes another one, and the functions among layers.

    Nothing, if other runs of the call are given others; what a run for certain arguments finds does not count, so that
    it does not matter who asks first.
    """
    if frame.is_specialized:
        return
    if name in LAYERED:
        layers = (layer for value in arguments.values() for layer in _layers(value))
        found = (*{_as_run(layer): layer for layer in layers}.values(),)
    elif INNER in (frame.program.table.update_needs(name) or ()):
        found = tuple(update for value in arguments.values() for update in _updates(frame, value))
    else:
        return
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


def run_layers(frame: Frame, op: Op, network: Value, arguments: Arguments) -> None:
    """Run the functions among the layers of a network, as a call of it does."""
    for layer in _composed(frame, network):
        given = Value(ARRAY, all_dependences(frame, arguments) | frame.ambient, made_by=op)
        call(frame, op, layer, Arguments((given,)))


def _layers(value: Value) -> Iterator[Value]:
    """The functions of the project that a value is or holds."""
    for one in value.parts if value.kind in CONTAINERS else (value,):
        if one.kind in FUNCTIONS and underlying(one) is not None:
            yield one


def _as_run(layer: Value) -> tuple[str, int]:
    """What layers that run the same have in common: one activation between all layers is run once."""
    payload = layer.payload
    if isinstance(payload, Wrapped):
        return payload.applied.transform.name, id(payload.callee.payload)
    return "", id(payload)


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
