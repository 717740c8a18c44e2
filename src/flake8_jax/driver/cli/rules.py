"""`flake8-jax rules`, and the cards of the rules for other subcommands."""

from __future__ import annotations

import argparse

from flake8_jax.driver.cli.output import CLEAN, write

FIXABLE = {True: "fixable", False: "-"}


def rules(options: argparse.Namespace) -> int:
    """List the rules: code, name, status, whether some findings can be fixed, what each says."""
    rows = [(code, name, state, FIXABLE[is_fixable(code)], summary) for code, name, state, summary, _ in cards()]
    widths = [max(map(len, cells)) for cells in zip(*rows)]
    for *cells, summary in rows:
        write("  ".join([*(f"{cell:{width}}" for cell, width in zip(cells, widths)), summary]) + "\n")
    return CLEAN


def is_fixable(code: str) -> bool:
    """Can `flake8-jax fix` repair findings of this code?"""
    from flake8_jax.rules import discover

    return any(each.rule.code == code and each.fix is not None for each in discover())


def cards() -> list[tuple[str, str, str, str, str]]:
    """Code, name, status, first sentence and page of every rule."""
    from flake8_jax.driver import gave_up
    from flake8_jax.rules import discover

    found = [(gave_up.CODE, gave_up.NAME, "on", gave_up.__doc__ or "")]
    found += [(each.rule.code, each.rule.name, each.rule.status, each.page) for each in discover()]
    return [(code, name, status, _summary(page), page) for code, name, status, page in found]


def _summary(page: str) -> str:
    return " ".join(page.partition("\n\n")[0].split())
