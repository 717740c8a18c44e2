"""The result of analysing one file: diagnostics, statistics, and the dependencies of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Protocol, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.model.faults import Fault


@dataclass(slots=True)
class Costs:
    """Deterministic counts of the work done by an analysis.  They are the same for the same files in the same order, in
    one process.

    `judged` files were not said again from what is kept.  `bytes` of source text were lowered for that, of whichever
    file, `bodies` of functions run, `ops` run and evaluated in all that, and `summaries` made of functions that stand
    alone.  What was `walked` are ops passed for their labels, in addition.
    """

    judged: int = 0
    ops: int = 0
    bodies: int = 0
    summaries: int = 0
    bytes: int = 0
    walked: int = 0

    @property
    def total(self) -> int:
        """The ops that were run, evaluated or walked."""
        return self.ops + self.walked

    def add(self, more: Costs) -> None:
        """Add other costs to these."""
        for name in COSTS:
            setattr(self, name, getattr(self, name) + getattr(more, name))

    def since(self, before: Costs) -> Costs:
        """The difference from earlier costs."""
        return Costs(*[getattr(self, name) - getattr(before, name) for name in COSTS])

    def __str__(self) -> str:
        return f"{self.judged} judged again, " + ", ".join(f"{getattr(self, name)} {name}" for name in COSTS[1:])


COSTS = tuple(field.name for field in fields(Costs))


@dataclass(slots=True)
class Statistics:
    """Counts of what was analysed and what was given up, with reasons, for one or many files.

    `others` counts what has no op, `unknowns` why values are not known, `reached` the kinds of what traced code hands
    to library functions.  `costs` tell how this was found out and not what: a report that was kept has none.
    """

    files: int = 0
    analysed: int = 0
    others: Counter[str] = field(default_factory=Counter)
    unknowns: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    costs: Costs = field(default_factory=Costs, compare=False, kw_only=True)

    def add(self, more: Statistics) -> None:
        """Add another file's statistics to these."""
        self.files += more.files
        self.analysed += more.analysed
        self.others += more.others
        self.unknowns += more.unknowns
        self.reached += more.reached
        self.given_up += more.given_up
        self.costs.add(more.costs)


@dataclass(frozen=True, slots=True)
class Report:
    """The result for one file: sorted diagnostics, the reason if analysis was given up, and statistics.

    `faults` are the pieces that were dropped, because a defect of ours raised while they were made: the report is not
    remembered.
    """

    diagnostics: tuple[Diagnostic, ...]
    given_up: str | None
    statistics: Statistics
    faults: tuple[Fault, ...] = ()


WordsFound: TypeAlias = "tuple[tuple[tuple[str, frozenset[str]], ...], bytes]"
"""Words that were looked for in a file, by pattern, and a digest of where they stand (`syntax/holding.py`)."""

PlainArguments: TypeAlias = "tuple[tuple[str, tuple[object, ...], tuple[object, ...]], ...]"
"""The arguments for which a function is run again, as plain data: parameters, the steps from there to a part of each,
and what is known of that (`analysis/summaries/arguments_told.py`).
"""

ToldFound: TypeAlias = "tuple[int, PlainArguments, bytes]"
"""Questions for what functions of a file tell, as bits, the arguments they are run for, and the digests."""

FunctionPlace: TypeAlias = "tuple[int, str, int]"
"""A function of a file, by the number of its statement, its qualified name, and how many of this name stand before it
in the statement."""


EXACT, UNBOUNDED = -1, 1 << 40
"""How much callers may weigh more: not even less, or as much as may be."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The inputs of a report: what was asked of files, targets of their imports, and importers of some of them.

    `files` are the questions by file, as bits (`syntax/questions.py`), `searched` the files whose importers were asked
    for, `submodules` the names looked up below packages, `words` what was looked for in files: one entry for the report
    itself, one for the search for callers where that was not repeated.
    `truncates`: whether the project asks for types of 64 bits that nothing in it enables; None if that was not asked.
    `shown` are the statements and gaps of files of which it names lines, with digests of their texts
    (`syntax/moving.py`): where these are alike, it holds for the lines where they stand.  `told` are the questions for
    what functions tell by their summaries, with the arguments they are run for and with their digests: one entry for
    all general ones as in `words`.  The callers that were
    searched for may weigh `room` more before the search takes another course; `EXACT`: they have to weigh the same.
    """

    files: Mapping[str, int]
    searched: frozenset[str] = frozenset()
    submodules: frozenset[tuple[str, str]] = frozenset()
    truncates: bool | None = None
    words: Mapping[str, tuple[WordsFound, ...]] = field(default_factory=dict)
    shown: Mapping[str, tuple[tuple[int, bytes], ...]] = field(default_factory=dict)
    told: Mapping[str, tuple[ToldFound, ...]] = field(default_factory=dict)
    room: int = UNBOUNDED

    def __or__(self, other: Dependencies) -> Dependencies:
        """All that this and another depend on."""
        truncates = other.truncates if self.truncates is None else self.truncates
        files = {path: self.files.get(path, 0) | other.files.get(path, 0) for path in (*self.files, *other.files)}
        words = {
            path: tuple(dict.fromkeys((*self.words.get(path, ()), *other.words.get(path, ()))))
            for path in (*self.words, *other.words)
        }
        told = {
            path: tuple(dict.fromkeys((*self.told.get(path, ()), *other.told.get(path, ()))))
            for path in (*self.told, *other.told)
        }
        shown = {**self.shown, **other.shown}
        searched, submodules = self.searched | other.searched, self.submodules | other.submodules
        return Dependencies(files, searched, submodules, truncates, words, shown, told, min(self.room, other.room))


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """A search for the callers of a file that showed nothing there.

    It takes the same course where `within` lines are no more than may be asked for, and `beyond` lines are, which is -1
    if there was no need to ask.  `traced` are the functions of the file that it saw traced.  `is_unstaged`: it saw
    calls where JAX stages nothing.
    """

    within: int
    beyond: int
    is_exhausted: bool
    traced: tuple[FunctionPlace, ...] = ()
    is_unstaged: bool = False


class SearchMemory(Protocol):
    """Searches for callers that are kept, by the file and the names of it that were searched for."""

    def find(self, path: str, carried: Collection[str]) -> tuple[KeptSearch, Dependencies] | None:
        """The search for the callers of a file that holds, with what it asked."""

    def keep(self, path: str, carried: Collection[str], kept: KeptSearch, on: Dependencies) -> None:
        """Keep a search."""
