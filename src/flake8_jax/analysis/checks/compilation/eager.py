"""What holds only where code runs eagerly, call after call and turn after turn.

def fit(xs):
    for x in xs:                        each turn makes a function of its own, and compiles it: if `fit` is not traced
        jax.jit(lambda v: v * 2)(x)     itself, for then the loop runs once, while JAX traces it

So such an event is presumed, and any trace that runs its code refutes it, however many calls lead there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from flake8_jax.analysis.checks.keys.repetition import is_of_one_turn, may_run_once
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave, presume
from flake8_jax.domain.effects import (
    ByAnnotation,
    CallSite,
    Event,
    EventKey,
    LatentEvidence,
    OutcomeAtCall,
    PresumedEvent,
    Room,
    UntracedCode,
)
from flake8_jax.domain.staging import certain
from flake8_jax.ir.ops import Op


@dataclass(frozen=True, slots=True)
class RunsEagerly(LatentEvidence):
    """Code of which an event is presumed that holds only where no trace runs it."""

    room: ClassVar[Room] = "event"
    paths: ClassVar[int] = 1
    is_told: ClassVar[bool] = False
    key: EventKey

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """The callers are asked the same, up to one that is traced."""
        if certain(site.ambient) is None:
            yield self

    def refuted(self, site: CallSite) -> tuple[EventKey | ByAnnotation, ...]:
        """A trace runs it."""
        return (self.key,) if certain(site.ambient) is not None else ()

    def told(self) -> tuple[str, str]:
        """For `explain`."""
        return "what costs something in each call", "a call that no trace makes"


def report_eager(frame: Frame, key: EventKey, make: Callable[[], Event]) -> None:
    """Report an event of this code, unless a trace runs it here or by any call that leads here."""
    if certain(frame.ambient) is None:
        presume(frame, key, make, UntracedCode())
        leave(frame, RunsEagerly(key[1], key))


def eager(key: EventKey, make: Callable[[], Event]) -> Iterator[OutcomeAtCall]:
    """The same as what comes of evidence at a call (`LatentEvidence.at`) that no trace makes."""
    yield PresumedEvent(key, make, UntracedCode())
    yield RunsEagerly(key[1], key)


def loops_around(frame: Frame, op: Op) -> tuple[Op, ...]:
    """The loops around an op in which it runs on each turn, outermost first."""
    return tuple(
        loop
        for loop, _ in frame.iterations
        if not may_run_once(frame.function, op, loop) and not is_of_one_turn(op, loop)
    )
