"""Compares the linter with the referee on many programs, by form, entry, block and place."""

from __future__ import annotations

from collections.abc import Iterable

from tests.effects.forms import FORMS
from tests.effects.grammar import ENTRIES
from tests.effects.referee import Difference, differences
from tests.effects.writing import EffectProgram, EffectSite, program
from tests.support.expectations import lint_text
from tests.support.tallies import Tally

FAMILY, FORMATS, KEEPING = "JAX3", "JAX307", ("JAX303", "JAX306")


def constructs(site: EffectSite) -> tuple[str, ...]:
    """What a site counts under."""
    return (
        "all", f"code {FORMS[site.form].code}", f"form {site.form}", f"entry {site.entry}", f"block {site.block}",
        f"place {site.place}",
    )  # fmt: skip


def counted(seeds: Iterable[int]) -> Tally:
    """The tally of the programs of these seeds."""
    tally = Tally()
    for seed in seeds:
        made = program(seed)
        _compare(tally, seed, made, differences(made))
    return tally


def _compare(tally: Tally, seed: int, made: EffectProgram, differing: dict[int, Difference]) -> None:
    said = [(found.span.line, found.code) for found in lint_text(made.text) if found.code[:4] == FAMILY]
    tally.programs += 1
    tally.sites += len(made.sites)
    right: set[int] = set()
    for site in made.sites:
        if not is_due(site, differing[site.number]):
            continue
        right |= site.lines
        tally.due.update(constructs(site))
        codes = {code for line, code in said if line in site.lines}
        if codes:
            tally.found.update(constructs(site))
            if FORMS[site.form].code not in codes:
                tally.other_code[f"{site.form}: {', '.join(sorted(codes))}"] += 1
        else:
            tally.miss(_sort(site), seed)
    for line, code in said:
        if line not in right:
            sites = [_sort(site) for site in made.sites if line in site.lines]
            tally.alarm(f"{code} {sites[0] if sites else 'elsewhere'}", seed)


def is_due(site: EffectSite, difference: Difference) -> bool:
    """Is a finding wanted: do the runs of a site differ, and is that not meant?

    What is shown later shows no tracer, and what is kept holds none, under `vmap` and `grad` neither.
    """
    form = FORMS[site.form]
    is_frozen = form.code == FORMATS and difference.shows_tracer
    is_leak = form.code in KEEPING and difference.keeps_tracer
    return (bool(difference) or is_frozen or is_leak) and not form.is_meant


def _sort(site: EffectSite) -> str:
    host = ", on the host" if ENTRIES[site.entry].is_host else ""
    return f"{site.form} in {site.entry}{host}, {site.place}"
