"""Compares the linter with the referee on many programs, by form, origin, entry, block and depth."""

from __future__ import annotations

from collections.abc import Iterable

from tests.stores.grammar import FORMS
from tests.stores.referee import hazards
from tests.stores.writing import Program, Site, program
from tests.support.expectations import lint_text
from tests.support.tallies import Tally

FAMILY = "JAX2"
RELATED = ("JAX2", "JAX4")
"""Under which codes a hazard is found: where the value is traced, it may be one of the other family."""


def constructs(site: Site) -> tuple[str, ...]:
    """What a site counts under."""
    return (
        "all", f"code {FORMS[site.form].code}", f"form {site.form}", f"origin {site.origin}", f"entry {site.entry}",
        f"block {site.block}", f"depth {site.depth}",
    )  # fmt: skip


def counted(seeds: Iterable[int]) -> Tally:
    """The tally of the programs of these seeds."""
    tally = Tally()
    for seed in seeds:
        made = program(seed)
        _compare(tally, seed, made, *hazards(made))
    return tally


def _compare(tally: Tally, seed: int, made: Program, due: set[int], broken: set[int]) -> None:
    said = [(found.span.line, found.code) for found in lint_text(made.text)]
    tally.programs += 1
    tally.sites += len(made.sites)
    sites = {site.line: site for site in made.sites}
    for line in sorted(due):
        site = sites[line]
        codes = {code for at, code in said if at == line and code[:4] in RELATED}
        tally.due.update(constructs(site))
        if codes:
            tally.found.update(constructs(site))
            if FORMS[site.form].code not in codes:
                tally.other_code[f"{site.form}: {', '.join(sorted(codes))}"] += 1
        else:
            tally.miss(_sort(site), seed)
    for line, code in said:
        if line not in due | broken and code[:4] == FAMILY:
            tally.alarm(f"{code} {_sort(sites[line]) if line in sites else 'elsewhere'}", seed)


def _sort(site: Site) -> str:
    return f"{site.form} of {site.origin} in {site.entry}"
