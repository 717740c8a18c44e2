"""Loops: a body is run a second time from where its first turn ended.

    for i in range(n):              turn 1 from the state before the loop: x = normal(key) uses key
        x = normal(key)             turn 2 from the state after turn 1: key is used again, across turns

Two turns are enough to see what a turn does to the next; behind the loop none, one or two turns may have run. The
second turn is left out where it cannot differ: no key was used and every name holds the same kind of thing as before.
Inner loops are turned twice only in the last turn of the outer one, so that the work grows with depth, not with its
power.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flake8_jax.analysis.checks.demands import demand_bool
from flake8_jax.analysis.evaluate.control import assign
from flake8_jax.analysis.evaluate.iteration import element
from flake8_jax.analysis.evaluate.narrowing import facts_of, narrow
from flake8_jax.analysis.evaluator import Runner, evaluate, run
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.invalidation import forget_everything
from flake8_jax.domain.conditions import assume
from flake8_jax.domain.state import State, join_states
from flake8_jax.domain.value import LIST, STATIC, TUPLE, Value
from flake8_jax.ir import ops


def run_loop(frame: Frame, op: ops.Loop) -> None:
    """Run a `for` or `while` statement."""
    if op.kind == "for":
        source = evaluate(frame, op.source)
        turn = _for_turn(frame, op, source)
        may_skip = not (source.kind in (LIST, TUPLE) and source.parts)
    else:
        turn = _while_turn(frame, op)
        may_skip = not _is_endless(op)
    waiting, frame.breaks = frame.breaks, []
    before, turned = repeat(frame, op, turn)
    left, frame.breaks = frame.breaks, waiting
    frame.state = None if _is_endless(op) else _meet([before, *turned] if may_skip else turned)
    run(frame, op.orelse)
    for state in left:
        frame.state = join_states(frame.state, state)


def repeat(frame: Frame, op: Any, turn: Callable[[], None]) -> tuple[State, list[State | None]]:
    """Turn a body once or twice: the state before it, and the states after each turn."""
    before = frame.live()
    outer = frame.turns
    after: list[State | None] = []
    frame.state = before.copy()
    frame.turns = (*outer, (op, 1))
    frame.once += 1
    turn()
    frame.once -= 1
    after.append(frame.state)
    if frame.state is not None and frame.once == 0 and _may_differ(before, frame.state):
        frame.state = frame.state.copy()
        frame.turns = (*outer, (op, 2))
        turn()
        after.append(frame.state)
    frame.turns = outer
    return before, after


def _may_differ(before: State, after: State) -> bool:
    if len(before.used) != len(after.used) or before.used != after.used:
        return True
    if before.held.keys() != after.held.keys():
        return True
    for name in before.names.differing(after.names):
        value, now = before.names.get(name), after.names.get(name)
        if value is None or now is value:
            continue
        if now is None or now.kind is not value.kind or now.dependences != value.dependences:
            return True
        if now.kind is STATIC and now.data is not value.data:
            return True
    return False


def _for_turn(frame: Frame, op: ops.Loop, source: Value) -> Callable[[], None]:
    def turn() -> None:
        if op.is_async:
            forget_everything(frame)
        assign(frame, op.target, element(frame, source, op), op)
        _body(frame, op)

    return turn


def _while_turn(frame: Frame, op: ops.Loop) -> Callable[[], None]:
    def turn() -> None:
        value = evaluate(frame, op.source)
        demand_bool(frame, value, op.source, "while", op)
        state = frame.live()
        state.path = assume(state.path, facts_of(frame, op.source, True))
        narrow(frame, op.source, True)
        _body(frame, op)

    return turn


def _body(frame: Frame, op: ops.Loop) -> None:
    waiting, frame.continues = frame.continues, []
    run(frame, op.body)
    for state in frame.continues:
        frame.state = join_states(frame.state, state)
    frame.continues = waiting


def _is_endless(op: ops.Loop) -> bool:
    return op.kind == "while" and type(op.source) is ops.Const and bool(op.source.value)


def _meet(states: list[State | None]) -> State | None:
    met: State | None = None
    for state in states:
        met = join_states(met, state)
    return met


RUNS: dict[type, Runner] = {ops.Loop: run_loop}
