"""Loops: a body is run a second time from the state after its first iteration.

    for i in range(n):              iteration 1 from the state before the loop: x = normal(key) uses key
        x = normal(key)             iteration 2 from the state after iteration 1: key is used again, across iterations

Two iterations show every effect of one iteration on the next; after the loop one or two have run.  That none has is no
evidence: a key that the body binds anew is not the one from before the loop (`overtake`).
The second iteration is left out where it cannot differ: no key was used and every name has a value of the same kind as
before.  Inner loops run twice only in the last iteration of the outer one, so that the work grows with depth, not with
its power.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.evaluate.control import assign
from flake8_jax.analysis.evaluate.iteration import element
from flake8_jax.analysis.evaluate.narrowing import facts_of, narrow
from flake8_jax.analysis.evaluator import OpRunner, evaluate, run
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.invalidation import invalidate_everything
from flake8_jax.domain.conditions import assume
from flake8_jax.domain.state import State, join_states, overtake
from flake8_jax.domain.value import STATIC, TUPLE, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def run_loop(frame: Frame, op: ops.Loop) -> None:
    """Run a `for` or `while` statement."""
    if op.kind == "for":
        source = evaluate(frame, op.source)
        if _is_empty(source):
            run(frame, op.orelse)
            return
        iteration = _for_iteration(frame, op, source)
        may_skip, is_single = not source.elements, turns_once(op.source, source)
    else:
        iteration = _while_iteration(frame, op)
        may_skip, is_single = not _is_endless(op), False
    waiting, frame.exits.breaks = frame.exits.breaks, []
    before, turned = repeat(frame, op, iteration, is_single)
    left, frame.exits.breaks = frame.exits.breaks, waiting
    met = _meet(turned)
    frame.state = None if _is_endless(op) else overtake(before, met) if may_skip else met
    run(frame, op.orelse)
    for state in left:
        frame.state = join_states(frame.state, state)


def repeat(
    frame: Frame, op: Op, iteration: Callable[[], None], is_single: bool = False
) -> tuple[State, list[State | None]]:
    """Run a body once or twice; returns the state before it, and the states after each iteration.

    One that `is_single` is run once by all that can be seen.
    """
    before = frame.live()
    outer = frame.iterations
    after: list[State | None] = []
    frame.state = before.copy()
    frame.iterations = (*outer, (op, 1))
    context, frame.context = frame.context, replace(frame.context, is_inner=True)
    iteration()
    frame.context = context
    after.append(_arriving(frame))
    if frame.state is not None and not (is_single or context.is_inner) and _may_differ(before, frame.state):
        frame.state = frame.state.copy()
        frame.iterations = (*outer, (op, 2))
        iteration()
        after.append(_arriving(frame))
    frame.iterations = outer
    return before, after


def _arriving(frame: Frame) -> State | None:
    """The state at the end of an iteration, if a path arrives there."""
    if frame.state is not None and frame.state.is_over:
        frame.state = None
    return frame.state


def _may_differ(before: State, after: State) -> bool:
    if len(before.used) != len(after.used) or before.used != after.used:
        return True
    if before.heap.keys() != after.heap.keys():
        return True
    for name in before.names.differing(after.names):
        value, now = before.names.get(name), after.names.get(name)
        if value is None or now is value:
            continue
        if now is None or now.kind is not value.kind or now.dependences != value.dependences:
            return True
        if now.kind is STATIC and now.constant is not value.constant:
            return True
    return False


def _for_iteration(frame: Frame, op: ops.Loop, source: Value) -> Callable[[], None]:
    target = op.target
    assert target is not None

    def iteration() -> None:
        if op.is_async:
            invalidate_everything(frame)
        assign(frame, target, element(frame, source, op), op)
        _body(frame, op)

    return iteration


def _while_iteration(frame: Frame, op: ops.Loop) -> Callable[[], None]:
    def iteration() -> None:
        value = evaluate(frame, op.source)
        need_concrete(frame, value, op.source, "while", op)
        state = frame.live()
        state.path = assume(state.path, facts_of(frame, op.source, True))
        narrow(frame, op.source, True)
        _body(frame, op)

    return iteration


def _body(frame: Frame, op: ops.Loop) -> None:
    waiting, frame.exits.continues = frame.exits.continues, []
    run(frame, op.body)
    for state in frame.exits.continues:
        frame.state = join_states(frame.state, state)
    frame.exits.continues = waiting


def _is_empty(source: Value) -> bool:
    """Is it evidently empty: `()`, `range(0)`?  A list may have grown."""
    return source.kind is TUPLE and source.elements == ()


def turns_once(op: Op, source: Value) -> bool:
    """Is there evidently one iteration: over `range(1)`, or a display of one element?"""
    if type(op) is ops.Build:
        return len(op.parts) == 1 and type(op.parts[0]) is not ops.Star
    return source.kind is TUPLE and source.elements is not None and len(source.elements) == 1


def _is_endless(op: ops.Loop) -> bool:
    return op.kind == "while" and type(op.source) is ops.Const and bool(op.source.value)


def _meet(states: list[State | None]) -> State | None:
    met: State | None = None
    for state in states:
        met = join_states(met, state)
    return met


RUNS: dict[type[Op], OpRunner] = {ops.Loop: run_loop}
