"""What is said of one file: its diagnostics, what was counted, and what all that depends on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from flake8_jax.diagnostic import Diagnostic


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
class Dependencies:
    """What a report depends on: the files that were read and where their imports lead, who imports some of them.

    `searched` are the files whose importers were asked for, `submodules` the names looked up below packages.
    """

    files: frozenset[str]
    searched: frozenset[str] = frozenset()
    submodules: frozenset[tuple[str, str]] = frozenset()

    def __or__(self, other: Dependencies) -> Dependencies:
        """All that this and another depend on."""
        return Dependencies(
            self.files | other.files, self.searched | other.searched, self.submodules | other.submodules
        )
