"""Compares the linter with the referee on many programs, by form, origin, entry and depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from tests.concreteness.grammar import FORMS
from tests.concreteness.referee import raising
from tests.concreteness.writing import Program, Site, program
from tests.support.expectations import lint_text

FAMILY = "JAX4"
ELSEWHERE = "JAX409"
"""What it says of code that runs here is about who may trace it elsewhere: no run of the program can tell."""

CHUNK = 50
KEPT = 3


@dataclass(slots=True)
class Tally:
    """What was compared: uses that raise, those found, under which code, and false alarms, with some seeds of each."""

    programs: int = 0
    sites: int = 0
    due: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    other_code: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    missed: dict[str, list[int]] = field(default_factory=dict)
    alarmed: dict[str, list[int]] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.programs += other.programs
        self.sites += other.sites
        for mine, its in (
            (self.due, other.due), (self.found, other.found), (self.other_code, other.other_code),
            (self.alarms, other.alarms),
        ):  # fmt: skip
            mine.update(its)
        for kept, more in ((self.missed, other.missed), (self.alarmed, other.alarmed)):
            for sort, seeds in more.items():
                kept[sort] = [*kept.get(sort, []), *seeds][:KEPT]

    def share(self, of: str) -> float:
        """The share of what was due that was found."""
        return self.found[of] / self.due[of] if self.due[of] else 1.0


def constructs(site: Site) -> tuple[str, ...]:
    """What a site counts under."""
    return ("all", f"form {site.form}", f"origin {site.origin}", f"entry {site.entry}", f"depth {site.depth}")


def counted(seeds: Iterable[int]) -> Tally:
    """The tally of the programs of these seeds."""
    tally = Tally()
    for seed in seeds:
        made = program(seed)
        _compare(tally, seed, made, raising(made))
    return tally


def _compare(tally: Tally, seed: int, made: Program, raised: dict[int, str]) -> None:
    reported = [(found.span.line, found.code) for found in lint_text(made.text, likely=True)]
    said = [(line, code) for line, code in reported if code[:4] == FAMILY and code != ELSEWHERE]
    tally.programs += 1
    tally.sites += len(made.sites)
    sites = {site.line: site for site in made.sites}
    for line in raised:
        site = sites[line]
        codes = {code for at, code in said if at == line}
        tally.due.update(constructs(site))
        if codes:
            tally.found.update(constructs(site))
            if FORMS[site.form].code not in codes:
                tally.other_code[f"{site.form}: {', '.join(sorted(codes))}"] += 1
        else:
            tally.missed.setdefault(f"{site.form} of {site.origin} in {site.entry}", []).append(seed)
    for line, code in said:
        if line not in raised:
            where = sites.get(line)
            sort = (
                f"{code} {where.form} of {where.origin} in {where.entry}" if where is not None else f"{code} elsewhere"
            )
            tally.alarms[sort] += 1
            tally.alarmed.setdefault(sort, []).append(seed)


def campaign(first: int, count: int, processes: int = 1) -> Tally:
    """The tally of `count` programs from a seed on."""
    chunks = [range(seed, min(seed + CHUNK, first + count)) for seed in range(first, first + count, CHUNK)]
    tally = Tally()
    if processes <= 1:
        tally.add(counted(range(first, first + count)))
        return tally
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for part in pool.map(counted, chunks):
            tally.add(part)
    return tally
