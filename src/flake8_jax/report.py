"""What is said of one file: its diagnostics, what was counted, and what all that rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from flake8_jax.diagnostic import Diagnostic

EVERY = 1
"""The bit that says that it counts which other names a file binds; the bits above are its statements, in order."""


def bit_of(number: int) -> int:
    """The bit of a file's statement."""
    return 2 << number


@dataclass(slots=True)
class Statistics:
    """What was analysed, and what was given up and why, of one file or of many.

    `others` counts what has no op, `unknowns` why values are not known, `reached` the kinds of what traced code hands
    to library functions.
    """

    files: int = 0
    analysed: int = 0
    others: Counter[str] = field(default_factory=Counter)
    unknowns: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)

    def add(self, more: Statistics) -> None:
        """Count another file's statistics in."""
        self.files += more.files
        self.analysed += more.analysed
        self.others += more.others
        self.unknowns += more.unknowns
        self.reached += more.reached
        self.given_up += more.given_up


@dataclass(frozen=True, slots=True)
class Report:
    """What one file yields: its diagnostics in order, why it was given up if it was, and the statistics."""

    diagnostics: tuple[Diagnostic, ...]
    given_up: str | None
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Ground:
    """What a report rests on.

    `files` were looked at, and what their imports lead to; `parts` are the statements that were run of each, as bits,
    with `EVERY` where it counts what else the file binds; of a file that is not among them all text counts.
    `importers` are, for each file that carries what the judged file binds, the files that import it.  `asked` are the
    names below packages that were asked for.  In the files `searched` it counts which statements hold any of the
    `words`.
    """

    files: frozenset[str]
    importers: Mapping[str, tuple[str, ...]]
    asked: frozenset[tuple[str, str]] = frozenset()
    parts: Mapping[str, int] = field(default_factory=dict)
    searched: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    def beside(self, other: Ground) -> Ground:
        """This, and another one for which all text counts."""
        files, importers = self.files | other.files, {**self.importers, **other.importers}
        parts = {path: numbers for path, numbers in self.parts.items() if path not in other.files}
        return replace(self, files=files, importers=importers, parts=parts)
