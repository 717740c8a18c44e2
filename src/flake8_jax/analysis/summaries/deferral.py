"""Events on their way out: at once, or, of a body that is run for what one call hands in, when its path is known.

def loop(body, x, jit):             run again for `step`: what is certain in it is certain if `jit` holds
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
from flake8_jax.domain.summary import Deferred, Event, EventKey, EventRecorder, Summary


def emit(frame: Frame, key: EventKey, make: Callable[[], Event], when: Path = ALWAYS) -> None:
    """Send an event that is certain here, on what was found out here and `when`."""
    pass_out(frame, key, lambda record: record.emit(key, make), when)


def pass_out(frame: Frame, key: EventKey, send: Callable[[EventRecorder], None], when: Path) -> None:
    """Let something out that is certain here, or hold it for the call that this body is run for."""
    if not frame.is_specialized:
        send(frame.program.record)
        return
    holder = frame
    while holder.function.kind == "class" and holder.parent is not None:
        holder = holder.parent
    holder.summary.requires.defer(key, Deferred(send, assume(frame.path, when)))


def release(record: Record, summary: Summary) -> None:
    """Let out what a body holds that nobody called."""
    if not summary.requires.is_applied:
        for ways in summary.requires.deferred.values():
            ways[0].send(record)
