"""Compares the linter with the referee on many programs, by form, origin, entry and depth."""

from __future__ import annotations

from collections.abc import Iterable

from tests.concreteness.grammar import FORMS
from tests.concreteness.referee import raising
from tests.concreteness.writing import Program, Site, program
from tests.support.expectations import lint_text
from tests.support.tallies import Tally

FAMILY = "JAX4"
ELSEWHERE = "JAX409"
"""What it says of code that runs here is about who may trace it elsewhere: no run of the program can tell."""


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
    reported = [(found.span.line, found.code) for found in lint_text(made.text)]
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
            tally.miss(f"{site.form} of {site.origin} in {site.entry}", seed)
    for line, code in said:
        if line not in raised:
            where = sites.get(line)
            sort = (
                f"{code} {where.form} of {where.origin} in {where.entry}" if where is not None else f"{code} elsewhere"
            )
            tally.alarm(sort, seed)
