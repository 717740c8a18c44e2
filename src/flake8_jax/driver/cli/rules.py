"""`flake8-jax rules`, and the cards of the rules for other subcommands."""

from __future__ import annotations

import argparse

from flake8_jax.driver.cli.output import CLEAN, write


def rules(options: argparse.Namespace) -> int:
    """List the rules: code, name, status, precision at first sight, what each says."""
    from flake8_jax.rules.precision import number_of

    rows = [(code, name, state, number_of(code), summary) for code, name, state, summary, _ in cards()]
    widths = [max(map(len, cells)) for cells in zip(*rows)]
    for *cells, summary in rows:
        write("  ".join([*(f"{cell:{width}}" for cell, width in zip(cells, widths)), summary]) + "\n")
    return CLEAN


def cards() -> list[tuple[str, str, str, str, str]]:
    """Code, name, status, first sentence and page of every rule."""
    from flake8_jax.driver import gave_up
    from flake8_jax.rules import discover

    found = [(gave_up.CODE, gave_up.NAME, "on", gave_up.__doc__ or "")]
    found += [(each.rule.code, each.rule.name, each.rule.status, each.page) for each in discover()]
    return [(code, name, status, _summary(page), page) for code, name, status, page in found]


def _summary(page: str) -> str:
    return " ".join(page.partition("\n\n")[0].split())
