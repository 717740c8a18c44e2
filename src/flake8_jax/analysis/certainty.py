"""How sure an event is: which of two at one op is kept, and what an argument that may be left out makes of one.

    def spread(x, n=None):
        if n is None: n = int(x.max())      certain in a trace, of calls that leave `n` out: assumed

Whoever makes an event says how sure it is, in its context (`Certainty`): certain, likely or assumed; of a tracer, its
token does.  What other code decides is a `Finding` with a ground, or one by the number of calls, and no event before
the end of the file (`modules/presumptions.py`, `repeated` in `summaries/records.py`); from then on it is as sure as it
says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import is_dataclass
from typing import TypeVar

from flake8_jax.domain.effects import Event
from flake8_jax.domain.provenance import ASSUMED, BY_CONVENTION, CERTAIN, USUALLY
from flake8_jax.lazy_dataclasses import replace

AnyEvent = TypeVar("AnyEvent", bound=Event)
Into = TypeVar("Into")


def stronger(held: Event | None, other: Event) -> Event:
    """The first of two events at one op, unless the other is surer, or certain and tells more."""
    if held is None or other.context.certainty < held.context.certainty:
        return other
    return other if _is_unexplained(held) and not may_give_way(other) else held


def may_give_way(held: Event) -> bool:
    """May another event at its op be kept in place of one: is it less than certain, or may it tell more?"""
    return not _is_certain(held) or _is_unexplained(held)


def certain(events: Iterable[Event]) -> Iterator[Event]:
    """The events that hold whatever calls pass, and are not meant: what they say, others need not say again."""
    return filter(_is_certain, events)


def of_certain(judge: Callable[[AnyEvent, Into], None]) -> Callable[[AnyEvent, Into], None]:
    """The check of a rule that says nothing of an event that is less than certain."""

    def judge_certain(event: AnyEvent, into: Into) -> None:
        if _is_certain(event):
            judge(event, into)

    return judge_certain


def is_assumed(event: Event) -> bool:
    """May there be no event, because every call leaves out the argument that it is about?"""
    return event.context.certainty is ASSUMED


def as_assumed(make: Callable[[], Event]) -> Event:
    """A copy of an event that says that it holds only if calls pass, or leave out, a certain argument."""
    event = make()
    if event.context.trace is None or not is_dataclass(event):
        return event
    assumed: Event = replace(event, context=replace(event.context, certainty=ASSUMED))
    return assumed


def _is_certain(event: Event) -> bool:
    return event.context.certainty is CERTAIN


def _is_unexplained(event: Event) -> bool:
    """Is it an event about a tracer that may still turn out to be an argument of the host?"""
    return not getattr(event, "flag", True)


def is_by_convention(event: Event) -> bool:
    """Does an event rest on a convention alone, by which a framework's users trace a method?"""
    trace = event.context.trace
    return trace is not None and trace.role in (USUALLY, BY_CONVENTION)
