"""Reporting events: at once, or deferred to the calls of a specialization that take the path.

def loop(body, x, jit):             specialized for `step`: its certain events are certain if `jit` holds
    if jit:
        return lax.while_loop(cond, body, x)
    return body(x)
loop(step, x, jit=not verbose)      a print that `step` makes only if `verbose` is above 0 is never traced
"""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.record import Record
from flake8_jax.domain.conditions import ALWAYS, Path, assume
from flake8_jax.domain.summary import Deferred, Event, EventKey, EventRecorder, Ground, Summary


def emit(frame: Frame, key: EventKey, make: Callable[[], Event], when: Path = ALWAYS) -> None:
    """Report an event that is certain on the current path and under `when`."""
    send_or_defer(frame, key, lambda record: record.emit(key, make), when)


def presume(frame: Frame, key: EventKey, make: Callable[[], Event], ground: Ground) -> None:
    """Report an event that holds on the current path, unless other code refutes it or its ground."""
    send_or_defer(frame, key, lambda record: record.presume(key, make, ground), ALWAYS)


def send_or_defer(frame: Frame, key: EventKey, send: Callable[[EventRecorder], None], when: Path) -> None:
    """Report something that is certain here, or defer it if this run is a specialization."""
    if not frame.is_specialized:
        send(frame.program.record)
        return
    holder = frame
    while holder.function.kind == "class" and holder.parent is not None:
        holder = holder.parent
    holder.summary.requires.defer(key, Deferred(send, assume(frame.path, when)))


def release(record: Record, summary: Summary) -> None:
    """Report the deferred events of a body that was never called."""
    if not summary.requires.is_applied:
        for ways in summary.requires.deferred.values():
            ways[0].send(record)
