"""Many programs, compared in some processes, and what was counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from tests.fuzzing.grammar import program
from tests.fuzzing.judging import Disagreement, compare
from tests.fuzzing.shadow import Hazard
from tests.fuzzing.surface import Invalid
from tests.fuzzing.writing import AID, Program

CHUNK = 100
KEPT = 200
"""So many disagreements of each process's share are kept with their seeds."""

CODES = {
    "again": "JAX101", "turn": "JAX102", "carried": "JAX103", "constant": "JAX104", "alike": "JAX105", "hash": "JAX105",
    "discarded": "JAX106", "loud": "JAX107",
}  # fmt: skip
"""The code that a kind of hazard is due under; another of the family is right, too."""


@dataclass(slots=True)
class Tally:
    """What was counted: programs by what they are, hazards and those found by kind and by fragment, false alarms."""

    programs: Counter[str] = field(default_factory=Counter)
    due: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    under: Counter[tuple[str, str]] = field(default_factory=Counter)
    due_in: Counter[str] = field(default_factory=Counter)
    found_in: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    kept: list[tuple[int, Disagreement]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another process counted."""
        for name in ("programs", "due", "found", "under", "due_in", "found_in", "alarms"):
            getattr(self, name).update(getattr(other, name))
        self.kept += other.kept

    def share(self, kind: str) -> float:
        """The share of the hazards of a kind that were found."""
        return self.found[kind] / self.due[kind] if self.due[kind] else 1.0


def counted(seeds: Iterable[int]) -> Tally:
    """Compare the programs of some seeds."""
    tally = Tally()
    for seed in seeds:
        _count(tally, program(seed))
    tally.kept = [*_of("false alarm", tally), *_of("missed", tally)[:KEPT]]
    return tally


def _of(outcome: str, tally: Tally) -> list[tuple[int, Disagreement]]:
    return [(seed, one) for seed, one in tally.kept if one.outcome == outcome]


def _count(tally: Tally, made: Program) -> None:
    tally.programs["all"] += 1
    try:
        result = compare({name: made.text(name) for name in made.files})
    except Invalid:
        tally.programs["without a verdict"] += 1
        return
    tally.programs["in two files"] += AID in made.files
    tally.programs["clean"] += not result.found
    tally.programs["paths"] += result.verdict.paths
    for hazard, codes in result.found:
        tally.due[hazard.kind] += 1
        tally.found[hazard.kind] += bool(codes)
        tally.under.update((hazard.kind, code) for code in codes)
        for feature in _features(made, hazard):
            tally.due_in[feature] += 1
            tally.found_in[feature] += bool(codes)
    for one in result.disagreements:
        tally.kept.append((made.seed, one))
        if one.outcome == "false alarm":
            tally.alarms[one.sort] += 1


def _features(made: Program, hazard: Hazard) -> set[str]:
    return {made.feature(*place) for place in hazard.lines} - {"frame"}


def campaign(first: int, programs: int, processes: int) -> Tally:
    """Compare many programs."""
    chunks = [range(start, min(start + CHUNK, first + programs)) for start in range(first, first + programs, CHUNK)]
    total = Tally()
    for one in _counted_apart(chunks, processes):
        total.add(one)
    return total


def _counted_apart(chunks: list[range], processes: int) -> Iterator[Tally]:
    if processes == 1:
        yield from map(counted, chunks)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(counted, chunks)
