"""The context of an event in words: the trace, the transform and the call chain.

All texts are the user's own spelling, shortened; they carry no backquotes.
"""

from __future__ import annotations

from flake8_jax.domain.provenance import Context, Hop, Trace, Use
from flake8_jax.domain.summary import Event

__all__ = ["Context", "Event", "Hop", "Trace", "Use", "explain", "place", "role"]

ROLES = {"jitted": "jitted"}


def explain(event: Event) -> str:
    """Why a value is traced, hop by hop, outermost first.

    Files are named where one of them differs from that of the event:

        `t` is traced: `step` is the body of `lax.scan` on line 88, `step` calls `relu` on line 12
    """
    trace = event.context.trace
    subject = f"`{trace.value}` is traced" if trace is not None and trace.value else "arrays made here are traced"
    return f"{subject}: {role(event)}"


def role(event: Event) -> str:
    """The role of the traced function under its transform, and the calls from there on.

    For example: `step` is jitted on line 3 of `a.py`, `step` calls `relu` on line 9 of `a.py`
    """
    trace, home = event.context.trace, event.op.anchor.origin.shown
    assert trace is not None
    several = any(path != home for path in (trace.path, *(hop.path for hop in event.context.chain)))
    function = "the lambda" if "<lambda>" in trace.function else f"`{trace.function}`"
    stands = ROLES.get(trace.role, f"{trace.role} `{trace.transform}`")
    calls = "".join(f", {hop.text} {place(hop.path, hop.line, several)}" for hop in event.context.chain)
    return f"{function} is {stands} {place(trace.path, trace.line, several)}{calls}"


def place(path: str, line: int, named: bool) -> str:
    """A line, with its file where that is not evident.

    >>> place("src/a.py", 3, True)
    'on line 3 of `src/a.py`'
    """
    return f"on line {line} of `{path}`" if named else f"on line {line}"
