"""Diagnostics with their notes, fixes and source positions.

Lines count from 1; columns count characters from 0 on the line, as editors show them.
"""

from __future__ import annotations

from typing import Literal

from flake8_jax.lazy_dataclasses import dataclass, field

Applicability = Literal["safe", "unsafe", "display"]


def printable(text: str) -> str:
    """A message as one line that can be read: what it spells of a file may hold any character."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of source text: first line and column, last line and column (exclusive)."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Note:
    """One step of the explanation of a diagnostic: a place and what happens there."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement for the text of a span."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A titled set of edits, which do not overlap.

    `safe`: what ran and was right gives the same values; `unsafe`: it changes a program that runs; `display` is only
    shown.
    """

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Remedy:
    """What to write instead of what was found, as the end of a message.

    `code` says it with code, which the `edits` write into the file; the message has it only if it was tried there and
    held.  Without edits it is what the fix of the finding writes.  Else the message ends in `words`.  `by_callers`: the
    finding is made certain in other files, so it is tried with these.
    """

    code: str
    words: str
    edits: tuple[Edit, ...] = ()
    by_callers: bool = False

    @property
    def remedy(self) -> Remedy:
        """It is its own remedy, where that of an event is asked."""
        return self


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: the code and name of its rule, its place, its message and the notes that explain it.

    `remedy` is what was tried and held, in the run that found it.
    """

    code: str
    name: str
    path: str
    span: Span
    message: str
    notes: tuple[Note, ...] = ()
    fix: Fix | None = field(default=None, compare=False)
    remedy: Remedy | None = field(default=None, compare=False, repr=False)

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """The order of findings in every output: path, line, column, code, message."""
        return (self.path, self.span.line, self.span.column, self.code, self.message)
