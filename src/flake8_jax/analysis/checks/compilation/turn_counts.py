"""The operations that the turns of a loop make, counted while one turn is run; loops in loops multiply."""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.dispatches import check_dispatches
from flake8_jax.analysis.checks.compilation.eager_loops import check_eager_loop
from flake8_jax.analysis.checks.compilation.turns import Iterated, Turns, carried_by, turns_of, turns_while
from flake8_jax.analysis.checks.compilation.unrolling import leave_unrolled
from flake8_jax.analysis.checks.compilation.work import OF_ITEM
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.staging import Dependences
from flake8_jax.domain.state import State
from flake8_jax.ir import ops
from flake8_jax.lazy_dataclasses import dataclass, field


@dataclass(slots=True)
class TurnCount:
    """One turn of a loop, and what was counted before it: `work` and `turned` of the body around, and its exits."""

    around: dict[Dependences, int]
    turned: int
    exits: int
    work: dict[Dependences, int] = field(default_factory=dict)
    inner: int = 1
    is_left: bool = False

    def has_ended(self, frame: Frame) -> None:
        """The first turn is over."""
        self.work, self.inner, self.is_left = frame.work, frame.turned, _exits(frame) > self.exits
        frame.work = {}

    def count(self, frame: Frame, loop: Iterated | None, before: State, after: State | None) -> None:
        """Add the operations of all turns to those of the body around; leave to callers whether they are unrolled."""
        frame.work, frame.turned = self.around, self.turned
        if not self.work:
            return
        turns = self._turns(frame, loop, before, after)
        many = turns.known or 1
        if loop is not None and turns != Turns():
            carried = carried_by(frame, loop.op, before, after)
            if loop.value is not None:
                check_eager_loop(frame, loop, turns, self.work, carried)
                check_dispatches(frame, loop, turns, before)
            if type(loop.source) is not ops.Call and turns.array is not None:
                self.work[turns.array.dependences] = self.work.get(turns.array.dependences, 0) + OF_ITEM
            if leave_unrolled(frame, loop, turns, self.inner, self.work, carried):
                many = 1
            else:
                frame.turned = max(self.turned, many * self.inner)
        for dependences, number in self.work.items():
            frame.work[dependences] = frame.work.get(dependences, 0) + many * number

    def _turns(self, frame: Frame, loop: Iterated | None, before: State, after: State | None) -> Turns:
        if loop is None or self.is_left:
            return Turns()
        if loop.value is None:
            return turns_while(frame, loop.source, before, after)
        return turns_of(frame, loop.source, loop.value)


def start_turn(frame: Frame) -> TurnCount:
    """Count what the next turn of a loop does."""
    count = TurnCount(frame.work, frame.turned, _exits(frame))
    frame.work, frame.turned = {}, 1
    return count


def _exits(frame: Frame) -> int:
    return len(frame.exits.breaks) + len(frame.exits.returned)
