"""The context of an event in words: the trace, the transform and the call chain.

All texts are the user's own spelling, shortened; they carry no backquotes.
"""

from __future__ import annotations

from flake8_jax.analysis.isolation import NOTES, advising
from flake8_jax.domain.effects import Event
from flake8_jax.domain.provenance import Context, Hop, Trace, Use
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.model.diagnostic import Note, Remedy

__all__ = [
    "Context",
    "Event",
    "Hop",
    "Trace",
    "Use",
    "advised",
    "chain_notes",
    "ending",
    "explain",
    "inner_notes",
    "made",
    "place",
    "role",
]

ROLES = {"jitted": "jitted"}

MOST_NOTES = 8
"""So many steps from a finding to its cause are shown."""


def explain(event: Event) -> str:
    """Why a value is traced, with at most one call; the notes have more of them.

    Files are named where one of them differs from that of the event:

        `t` is traced: `step` is the body of `lax.scan` on line 88, `step` calls `relu` on line 12
    """
    trace = event.context.trace
    is_named = trace is not None and trace.value
    subject = f"`{trace.value}` is traced" if trace is not None and is_named else "it is computed in traced code"
    return f"{subject}: {role(event)}"


def role(event: Event) -> str:
    """The role of the traced function under its transform, and the call from there, or the number of calls.

    For example: `step` is jitted on line 3, `step` calls `relu` on line 9, both in `a.py`
    """
    trace, home, chain = event.context.trace, event.op.anchor.origin.shown, event.context.chain
    assert trace is not None
    if len(chain) == 1 and _is_call_of_traced(trace, chain[0]):
        chain = ()
    if len(chain) != 1:
        calls = f", {len(chain)} calls away" if chain else ""
        return f"{_traced(trace)} {place(trace.path, trace.line, trace.path != home)}{calls}"
    (hop,) = chain
    both = f", both in `{hop.path}`" if hop.path == trace.path != home else ""
    several = not both and {hop.path, trace.path} != {home}
    call = f"{hop.text} {place(hop.path, hop.line, several)}"
    return f"{_traced(trace)} {place(trace.path, trace.line, several)}, {call}{both}"


def _is_call_of_traced(trace: Trace, hop: Hop) -> bool:
    """Is it the call that traces the function, as in `jax.vmap(f)(x)`, of which the transform says enough?"""
    is_there = (hop.path, hop.line) == (trace.path, trace.line)
    name = trace.function.rpartition(".")[2]
    return is_there and hop.text.endswith(" calls a lambda" if "<lambda>" in name else f" calls `{name}`")


def _traced(trace: Trace) -> str:
    function = "the lambda" if "<lambda>" in trace.function else f"`{trace.function}`"
    function = "a function" if "<function>" in trace.function else function
    return f"{function} is {ROLES.get(trace.role, f'{trace.role} `{trace.shown}`')}"


@advising(NOTES, ())
def chain_notes(event: Event) -> tuple[Note, ...]:
    """What makes an event certain, step by step: the trace, then each call from there to the op."""
    trace, chain = event.context.trace, event.context.chain
    traced = (Note(trace.path, trace.line, _traced(trace)),) if trace is not None else ()
    shown = chain if len(chain) <= MOST_NOTES else (*chain[: MOST_NOTES - 1], chain[-1])
    return traced + tuple(Note(hop.path, hop.line, hop.text) for hop in shown)


@advising(NOTES, ())
def inner_notes(use: Use) -> tuple[Note, ...]:
    """Where the functions that are called at a use use it, from the outside in: the first ones, and the last."""
    found = (*use.inner[: MOST_NOTES - 1], *use.inner[MOST_NOTES - 1 :][-1:])
    return tuple(Note(one.path, one.line, f"`{one.by}` uses it there") for one in found)


@advising(NOTES, ("", ()))
def made(event: Event, origin: Hop | None, subject: str) -> tuple[str, tuple[Note, ...]]:
    """The origin of a value in words, and as a note of the message; nothing if that is not known."""
    if origin is None:
        return "", ()
    is_foreign = origin.path != event.op.anchor.origin.shown
    text = f"{origin.text} {place(origin.path, origin.line, is_foreign)}"
    return text, (Note(origin.path, origin.line, f"`{subject}` is {origin.text}"),)


def advised(instead: str, rewrite: Rewrite | None, words: str, beside: str = "") -> Remedy:
    """The remedy of an event whose fix is a rewrite: in code where that is known, else in words.

    `beside` is what else may be done in its place.
    """
    if rewrite is None or any("..." in change.text for change in rewrite.changes):
        said = instead if rewrite is None else words
        return Remedy("", f"{said}{beside}" if said else "")
    return Remedy(f"{instead}{beside}", f"{words}{beside}")


def ending(instead: str) -> str:
    """The end of a message: what to write instead."""
    return f"; {instead}" if instead else ""


def place(path: str, line: int, named: bool) -> str:
    """A line, with its file where that is not evident.

    >>> place("src/a.py", 3, True)
    'on line 3 of `src/a.py`'
    """
    return f"on line {line} of `{path}`" if named else f"on line {line}"
