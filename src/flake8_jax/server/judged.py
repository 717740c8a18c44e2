"""A text and what is found in it; and what is said of it at once after an edit.

That is what the file shows as it is now, and what was known of its callers before.  Most of what an edit costs is the
search for callers in other files, which show hazards here and refute others.  Until they are asked again, what they
made of the text before is taken over:

    said at once  =  found here now  -  what they refuted before  +  what they showed before

Findings are the same if they have the same code and stand at the same place; on lines that were edited, nothing is
known from before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.server.texts import moved_to
from flake8_jax.syntax.source import NEWLINE


@dataclass(frozen=True, slots=True)
class NotePlace:
    """A step of a chain in a file of the disk."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A text, what is found in it, and for each finding where the steps of its chain stand.

    `is_python`: it could be read; what is found in one that could not says so.  `docs_url` is where the pages of rules
    stand, if anywhere.  `is_complete`: callers in other files were asked what they do with it as it is now.
    """

    path: str
    text: str
    found: tuple[Diagnostic, ...]
    notes: tuple[tuple[NotePlace, ...], ...]
    is_python: bool
    docs_url: str | None
    is_complete: bool = True


CodeAndSpan: TypeAlias = tuple[str, Span]
WithNotes: TypeAlias = tuple[Diagnostic, tuple[NotePlace, ...]]


@dataclass(frozen=True, slots=True)
class JudgedTwice:
    """A text as it was judged alone and with its callers."""

    alone: JudgedText
    full: JudgedText


def at_once(before: JudgedTwice, now: JudgedText) -> JudgedText:
    """What can be said of a text that was judged alone, by what was found before it was edited."""
    lines, new = NEWLINE.split(before.full.text), NEWLINE.split(now.text)
    alone, full = (dict(_moved(each, lines, new)) for each in (before.alone, before.full))
    said: dict[CodeAndSpan, WithNotes] = {}
    for found, notes in zip(now.found, now.notes):
        at = found.code, found.span
        if at not in alone or (at in full and full[at][0].message == alone[at][0].message):
            said[at] = found, notes
        elif at in full:
            said[at] = full[at]  # callers gave it another reason
    said = {**{at: one for at, one in full.items() if at not in alone}, **said}
    ordered = sorted(said.values(), key=lambda each: each[0].sort_key())
    return replace(
        now, found=tuple(found for found, _ in ordered), notes=tuple(notes for _, notes in ordered), is_complete=False
    )


def _moved(judged: JudgedText, lines: Sequence[str], new: Sequence[str]) -> Iterator[tuple[CodeAndSpan, WithNotes]]:
    """What was found on lines that are still there, at its place now."""
    for found, notes in zip(judged.found, judged.notes):
        place = moved_to(found.span, lines, new)
        if place is not None:
            yield (found.code, place), (replace(found, span=place, fix=None, remedy=None), notes)
