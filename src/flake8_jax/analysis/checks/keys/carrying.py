"""Keys that are used up in a loop and come back to it: by a name or by the carry.

for ...: key, sub = split(key); normal(key)         the next iteration splits a used key
for ...: _, sub = split(key); normal(sub)           the fresh key is thrown away
scan(lambda key, _: (key, normal(key)), key0, xs)   the carry is the key that was used up
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import InstanceOf, underlying
from flake8_jax.analysis.checks.keys.advancing import report, report_used
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.domain.kinds import INPUT, MAY_BE_INSTANCE
from flake8_jax.domain.payload import Step
from flake8_jax.domain.provenance import Certainty, Use
from flake8_jax.domain.resources import KeyDestination, Used
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import statements_in
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_DEPTH = 3
CARRIED = "carried to the next iteration"


def report_carried(frame: Frame, value: Value, earlier: Used, now: Used, certainty: Certainty) -> None:
    """Report a key that one iteration uses up and another one uses in place of a fresh key."""
    goes_on = Use(now.use.path, now.use.line, "carried to the next iteration, which uses it")
    report_used(frame, value, earlier, goes_on, certainty)


def report_thrown_away(frame: Frame, value: Value, used: Used, loop: Op, certainty: Certainty) -> None:
    """Report a split of the same key on each iteration whose key to go on with is thrown away."""
    goes_on = Use(frame.namespace.path, loop.anchor.line, "used again on each iteration of the loop")
    report_used(frame, value, used, goes_on, certainty)


def throws_away(loop: Op, op: Op) -> bool:
    """Is the first key of a split thrown away in a loop, as in `_, sub = split(key)`?"""
    return type(loop) is ops.Loop and any(_is_unused_half(store, op) for store in statements_in(loop.body))


def _is_unused_half(store: Op, op: Op) -> bool:
    target = store.targets[0] if type(store) is ops.Store and store.value is op else None
    if type(target) is not ops.Unpack or not target.parts:
        return False
    first = target.parts[0]
    return type(first) is ops.Name and first.name.startswith("_")


def check_carry(
    frame: Frame, op: Op, function: Value, initial: Value, carried: Value, moment: int, ran: list[Summary]
) -> None:
    """Report keys in the carry of a body that uses them up and returns them, since the `moment` before it ran.

    `ran` holds the summaries of the body, one for each callable that it may be.
    """
    for value, uses in frame.live().used.since(moment):
        if uses[-1].op is not op:
            continue
        for steps in _paths(initial.original, value, 0):
            if any(_is_replaced(summary, steps) for summary in ran):
                continue
            found = _at(frame, carried, steps, op)
            handed_back = _handed_back(frame, found, op)
            if handed_back is not None:
                report(frame, replace(handed_back, goes_on=_returned(frame, function, op)))
                return
            if found is value:
                report_used(frame, value, _in_body(uses[-1]), _returned(frame, function, op))
                return


def _is_replaced(summary: Summary, steps: tuple[Step, ...]) -> bool:
    """Does a body store something into its carry where a key was?  What it captures is no part of that."""
    own = {source for value in summary.inputs.values() for source in value.dependences}
    stored = [(target, (*target.steps, step)) for target, step in summary.writes.parts]
    stored += [(target, target.steps) for target in summary.writes.invalidated]
    return any(target.root in own and steps[: len(place)] == place for target, place in stored)


def _handed_back(frame: Frame, value: Value | None, op: Op) -> KeyDestination | None:
    """The use of a key that the body hands back, if it was told of one."""
    uses = frame.live().used.get(value) if value is not None else ()
    return next((use.kept for use in uses if use.op is op and use.kept is not None), None)


def _paths(base: Value, value: Value, depth: int) -> Iterator[tuple[Step, ...]]:
    """The access steps from a value to a part of it."""
    if base is value:
        yield ()
        return
    source, steps = value.input, []
    while source is not None and base.input is not None and source.parent is not None and source.step is not None:
        steps.append(source.step)
        source = source.parent
        if source == base.input:
            yield tuple(reversed(steps))
            return
    for step, part in _held(base) if depth < MAXIMUM_DEPTH else ():
        for rest in _paths(part.original, value, depth + 1):
            yield (step, *rest)


def _held(base: Value) -> Iterator[tuple[Step, Value]]:
    if base.elements is not None:
        for place, part in enumerate(base.elements):
            yield ("[]", place), part
    if base.entries is not None:
        for name, part in base.entries.items():
            yield ("[]", name), part
    if type(base.payload) is InstanceOf and base.payload.parts is not None:
        for field, part in base.payload.parts.items():
            yield (".", field), part


def _at(frame: Frame, value: Value, steps: tuple[Step, ...], op: Op) -> Value | None:
    for step in steps:
        if value.kind not in MAY_BE_INSTANCE and not value.parts:
            return None
        value = access.read(frame, value.original if value.kind is INPUT else value, step, op)
    return value.original


def _in_body(used: Used) -> Used:
    """A use by the call of a body as that in the text of the body."""
    draw, within = used.draw, used.use.within
    if draw is None or not draw.inner or within is None:
        return used
    inner = draw.inner[0]
    return replace(used, op=inner.op, use=within, draw=inner, place=inner.place)


def _returned(frame: Frame, function: Value, op: Op) -> Use:
    """Where the body returns its carry."""
    found = underlying(function)
    if found is None:
        return Use(frame.namespace.path, op.anchor.line, CARRIED)
    path = found.frame.namespace.path
    returns = [inner for inner in found.function.body if type(inner) is ops.Leave]
    line = returns[-1].anchor.line if returns else op.anchor.line
    return Use(path, line, CARRIED)
