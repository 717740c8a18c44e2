"""Many mutants, judged in some processes, and what was counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from tests.mutants.judging import FIXED_ALL, Problem, Verdict, decoded, judge
from tests.mutants.making import mutant
from tests.mutants.material import FOLDERS, Material

CHUNK = 250
DIED = "the process died"
Judge: TypeAlias = "Callable[[Iterable[int]], Tally]"
LARGEST = 5
"""So many of the mutants that took the most ops for their size are kept."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A problem of a mutant, with its number."""

    number: int
    problem: Problem


@dataclass(slots=True)
class Tally:
    """What was counted: mutants, those that Python parses and those that were interpreted, each by kinds, too."""

    made: int = 0
    undecodable: int = 0
    parsed: int = 0
    reached: int = 0
    findings: int = 0
    with_fixes: int = 0
    ops: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    parsed_kinds: Counter[str] = field(default_factory=Counter)
    reached_kinds: Counter[str] = field(default_factory=Counter)
    dearest: list[tuple[float, int]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    digests: dict[int, str] = field(default_factory=dict)

    def count(self, number: int, kinds: Iterable[str], verdict: Verdict) -> None:
        """Add a mutant."""
        for kind in set(kinds):
            self.kinds[kind] += 1
            self.parsed_kinds[kind] += verdict.is_parsed
            self.reached_kinds[kind] += verdict.is_reached
        self.made += 1
        self.parsed += verdict.is_parsed
        self.reached += verdict.is_parsed and verdict.is_reached
        self.findings += verdict.findings
        self.with_fixes += bool(verdict.fixes)
        self.ops += verdict.ops
        self.digests[number] = verdict.digest
        self._keep([(verdict.factor, number)] if verdict.factor else [])
        self.failures += [Failure(number, problem) for problem in verdict.problems]

    def add(self, other: Tally) -> None:
        """Add what another process counted."""
        for name in ("made", "undecodable", "parsed", "reached", "findings", "with_fixes", "ops"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("kinds", "parsed_kinds", "reached_kinds", "digests"):
            getattr(self, name).update(getattr(other, name))
        self._keep(other.dearest)
        self.failures += other.failures

    def _keep(self, dear: Iterable[tuple[float, int]]) -> None:
        self.dearest = sorted({*self.dearest, *dear}, reverse=True)[:LARGEST]

    def sorts(self) -> Mapping[str, list[Failure]]:
        """The failures by the sorts of their problems, the most frequent first."""
        found: dict[str, list[Failure]] = {}
        for failure in self.failures:
            found.setdefault(failure.problem.sort, []).append(failure)
        return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def counted(numbers: Iterable[int], folders: Iterable[Path] = FOLDERS) -> Tally:
    """Judge the mutants of some numbers."""
    tally, material = Tally(), Material(folders)
    for number in numbers:
        made = mutant(number, material)
        texts = decoded(made.files)
        tally.undecodable += len(texts) < len(made.files)
        verdict = judge(texts, are_all_fixed=number % FIXED_ALL == 0)
        tally.count(number, made.kinds, verdict)
    return tally


def campaign(first: int, count: int, processes: int, judge_all: Judge = counted) -> Iterator[Tally]:
    """Judge many mutants, each chunk in a process that may die: the mutant that did it is named."""
    numbers = range(first, first + count)
    chunks = [numbers[start : start + CHUNK] for start in range(0, count, CHUNK)]
    while chunks:
        done = 0
        try:
            with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
                for tally in pool.map(judge_all, chunks):
                    done += 1
                    yield tally
            return
        except BrokenProcessPool:
            yield from _one_by_one(chunks[done], judge_all)
            chunks = chunks[done + 1 :]


def _one_by_one(numbers: range, judge_all: Judge) -> Iterator[Tally]:
    """The mutants of a chunk in a process of each one's own."""
    for number in numbers:
        try:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                yield pool.submit(judge_all, [number]).result()
        except BrokenProcessPool:
            yield Tally(made=1, failures=[Failure(number, Problem(DIED))])
