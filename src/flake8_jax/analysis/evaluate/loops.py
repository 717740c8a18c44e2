"""Loops: a body is run a second time from the state after its first iteration.

    for i in range(n):              iteration 1 from the state before the loop: x = normal(key) uses key
        x = normal(key)             iteration 2 from the state after iteration 1: key is used again, across iterations

Two iterations show every effect of one iteration on the next; after the loop one or two have run.  Where a test tells
the first turn from the others (`first_turns.py`), two of these follow it.  That none has is no evidence: a key that the
body binds anew is not the one from before the loop (`state_after_loop`).
The second iteration is left out where it cannot differ: no key was used and every name has a value of the same kind as
before.  Inner loops run twice only in the last iteration of the outer one, so that the work grows with depth, not with
its power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flake8_jax.analysis.checks.compilation.donated_reads import check_read, of_kept
from flake8_jax.analysis.checks.compilation.turn_counts import start_turn
from flake8_jax.analysis.checks.compilation.turns import Iterated
from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.effects.iterators import note_iterated
from flake8_jax.analysis.evaluate.control import assign
from flake8_jax.analysis.evaluator import OpRunner, evaluate, run
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.invalidation import invalidate_everything
from flake8_jax.analysis.objects.iteration import element
from flake8_jax.analysis.objects.narrowing import facts_of, narrow
from flake8_jax.domain.conditions import assume
from flake8_jax.domain.kinds import ARRAY, ARRAYS_AND_NUMBERS, NUMBER, STATIC, TUPLE, WIDENED_ARRAYS, Kind
from flake8_jax.domain.payload import Compound
from flake8_jax.domain.state import State, join_states, state_after_loop
from flake8_jax.domain.value import MAXIMUM_DEPTH, Value, join
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace


def run_loop(frame: Frame, op: ops.Loop) -> None:
    """Run a `for` or `while` statement."""
    if op.kind == "for":
        source = evaluate(frame, op.source)
        note_iterated(frame, source, op.source, "for")
        if source.kind is ARRAY:
            check_read(frame, op.source, source)
        if _is_empty(source):
            run(frame, op.orelse)
            return
        iteration = _for_iteration(frame, op, source)
        may_skip, is_single = not source.elements, turns_once(op.source, source)
        iterated = Iterated(op, op.source, source)
    else:
        iteration = _while_iteration(frame, op)
        may_skip, is_single, iterated = not _is_endless(op), False, Iterated(op, op.source, None)
    waiting, frame.exits.breaks = frame.exits.breaks, []
    before, turned = repeat(frame, op, iteration, is_single, iterated)
    left, frame.exits.breaks = frame.exits.breaks, waiting
    met = _meet(turned)
    frame.state = None if _is_endless(op) else state_after_loop(before, met) if may_skip else met
    run(frame, op.orelse)
    for state in left:
        if not is_single:
            _widen(before, state, ARRAYS_AND_NUMBERS)
        frame.state = join_states(frame.state, state)


def repeat(
    frame: Frame, op: Op, iteration: Callable[[], None], is_single: bool = False, iterated: Iterated | None = None
) -> tuple[State, list[State | None]]:
    """Run a body once or twice; returns the state before it, and the states after each iteration.

    One that `is_single` is run once by all that can be seen.
    """
    before = frame.live()
    outer = frame.iterations
    after: list[State | None] = []
    frame.state = before.copy()
    frame.iterations = outer if is_single else (*outer, (op, 1))
    context, frame.context = frame.context, replace(frame.context, is_inner=True)
    count = start_turn(frame)
    iteration()
    frame.context = context
    count.has_ended(frame)
    after.append(_arriving(frame))
    later = 2 if op in frame.parted else 1
    for turn in range(2, 2 + later):
        if frame.state is None or is_single or not (later == 2 or _is_repeated(before, frame.state, context.is_inner)):
            break
        frame.state = frame.state.copy()
        _widen(before, frame.state, WIDENED_ARRAYS)
        frame.iterations = (*outer, (op, turn))
        iteration()
        after.append(_arriving(frame))
    frame.iterations = outer
    count.count(frame, iterated, before, after[0])
    if not is_single:
        for state in after:
            _widen(before, state, ARRAYS_AND_NUMBERS)
    return before, after


def _is_repeated(before: State, after: State, is_inner: bool) -> bool:
    """May a second iteration differ?  Of an inner loop that is asked for arrays that grow alone."""
    return (not is_inner and _may_differ(before, after)) or any(_changing(before, after, WIDENED_ARRAYS))


def _changing(before: State, after: State, kinds: frozenset[Kind]) -> Iterator[tuple[str, Value]]:
    """The names whose number or shape differs after an iteration, each with a value that covers all iterations."""
    for name in before.names.differing(after.names):
        value, now = before.names.get(name), after.names.get(name)
        if value is None or now is None or value is now or now.kind is not value.kind or value.kind not in kinds:
            continue
        if now.shape != value.shape or (value.kind is NUMBER and now.constant != value.constant):
            yield name, join(value, now)


def _widen(before: State, after: State | None, kinds: frozenset[Kind]) -> None:
    """Replace the values of names that iterations change by ones that hold after any number of iterations."""
    if after is not None:
        for name, value in list(_changing(before, after, kinds)):
            after.names[name] = value


def _arriving(frame: Frame) -> State | None:
    """The state in which an iteration ends and the next one may begin; None if no path gets there."""
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
        if now is None or _is_other(value, now):
            return True
        if now.kind is STATIC and now.constant is not value.constant:
            return True
    return False


def _is_other(value: Value, now: Value, depth: int = 0) -> bool:
    """Is a value of another kind, or made of something else, after an iteration; or something that it holds?"""
    if value is now:
        return False
    if now.kind is not value.kind or now.dependences != value.dependences:
        return True
    held, holds = value.payload, now.payload
    if not isinstance(held, Compound) or not isinstance(holds, Compound) or depth >= MAXIMUM_DEPTH:
        return False
    before, after = tuple(held.held()), tuple(holds.held())
    return len(before) == len(after) and any(_is_other(one, other, depth + 1) for one, other in zip(before, after))


def _for_iteration(frame: Frame, op: ops.Loop, source: Value) -> Callable[[], None]:
    target = op.target
    assert target is not None

    def iteration() -> None:
        if op.is_async:
            invalidate_everything(frame)
        assign(frame, target, of_kept(frame, op.source, source, element(frame, source, op)), op)
        _body(frame, op)

    return iteration


def _while_iteration(frame: Frame, op: ops.Loop) -> Callable[[], None]:
    def iteration() -> None:
        value = evaluate(frame, op.source)
        need_concrete(frame, value, op.source, "while", op)
        state = frame.live()
        facts = facts_of(frame, op.source, True)
        state.path = assume(state.path, facts)
        narrow(frame, op.source, True, facts)
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
