"""Compares the linter with JAX on many programs, by transform, fault, form and place."""

from __future__ import annotations

from collections.abc import Iterable

from tests.contracts.referee import raised
from tests.contracts.writing import ContractProgram, ContractSite, program
from tests.support.expectations import lint_text
from tests.support.tallies import Tally

FAMILY = "JAX6"
SILENT = frozenset(("order of parameters",))
"""The faults of which JAX may say nothing, though what it runs is wrong: to tell them is no false alarm."""


def constructs(site: ContractSite) -> tuple[str, ...]:
    """What a site counts under."""
    fault = site.fault or "a type that drifts"
    return (
        "all", f"transform {site.transform}", f"fault {fault}", f"form {site.form}", f"place {site.place}",
        f"both {site.transform}: {fault}",
    )  # fmt: skip


def counted(seeds: Iterable[int]) -> Tally:
    """The tally of the programs of these seeds."""
    tally = Tally()
    for seed in seeds:
        made = program(seed)
        _compare(tally, seed, made, raised(made))
    return tally


def _compare(tally: Tally, seed: int, made: ContractProgram, errors: dict[int, str]) -> None:
    every = lint_text(made.text)
    said = [(found.span.line, found.code) for found in every if found.code.startswith(FAMILY)]
    tally.programs += 1
    tally.sites += len(made.sites)
    right: set[int] = set()
    for site in made.sites:
        if site.fault in SILENT:
            right |= {*site.lines}
        if not errors[site.number]:
            continue
        right |= {*site.lines}
        tally.due.update(constructs(site))
        if any(line in site.lines for line, _ in said):
            tally.found.update(constructs(site))
            continue
        others = {found.code for found in every if found.span.line in site.lines}
        sort = f"{site.transform}: {site.fault or 'a type that drifts'}"
        tally.miss(sort, seed)
        if others:
            tally.other_code[f"{sort}: {', '.join(sorted(others))}"] += 1
    for line, code in said:
        if line not in right:
            sorts = [f"{site.transform}: {site.fault or 'right'}" for site in made.sites if line in site.lines]
            tally.alarm(f"{code} {sorts[0] if sorts else 'elsewhere'}", seed)
