"""`flake8-jax rules`, and the cards of the rules for other subcommands."""

from __future__ import annotations

import argparse

from flake8_jax.driver.cli.output import CLEAN, write


def rules(options: argparse.Namespace) -> int:
    """List the rules: code, name, status, what each says."""
    rows = [(code, name, state, summary) for code, name, state, summary, _ in cards()]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for code, name, state, summary in rows:
        write(f"{code:{widths[0]}}  {name:{widths[1]}}  {state:{widths[2]}}  {summary}\n")
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
