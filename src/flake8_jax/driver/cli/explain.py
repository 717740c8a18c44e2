"""`flake8-jax explain`: the pages of rules, and what is known of lines of files."""

from __future__ import annotations

import argparse
import re

from flake8_jax.driver.cli.files import selection
from flake8_jax.driver.cli.output import CLEAN, FAILED, failed, write
from flake8_jax.driver.cli.rules import cards
from flake8_jax.model.codes import nearest_code
from flake8_jax.model.config import OPTIONS
from flake8_jax.model.configurations import Configurations

OPTION = re.compile(r"`--([a-z0-9-]+)")
PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?:?", re.ASCII)


def explain(options: argparse.Namespace) -> int:
    """Print the pages of rules, or what is known of lines and why nothing is reported there."""
    status = CLEAN
    for number, what in enumerate(options.what):
        found = PLACE.fullmatch(what)
        write("\n" * (number > 0))
        status = max(status, _page(what) if found is None else _line(found))
        if status == FAILED:
            break
    return status


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax explain` to a parser."""
    verb.add_argument("what", nargs="+", metavar="RULE|FILE:LINE", help="a code, a name, or a line: FILE:LINE[:COLUMN]")


def _page(name: str) -> int:
    from flake8_jax.rules.precision import section_of

    pages = {card.code: card for card in cards()}
    codes = {card.name: card.code for card in cards()}
    code = codes.get(name.lower(), name.upper())
    if code not in pages:
        near, family = nearest_code(name), [each for each in sorted(pages) if each.startswith(code)]
        meant = f"did you mean {near}?" if near in pages else f"there are {', '.join(sorted(pages))}"
        meant = f"so begin {', '.join(family)}" if family else meant
        return failed(f"there is no rule {name}; {meant}")
    card = pages[code]
    title, names = f"{code} {card.name} ({card.status})", _under_flake8(card.page)
    write(f"# {title}\n\n{card.page.strip()}\n\n## Precision\n\n{section_of(code, card.status)}\n{names}")
    return CLEAN


def _under_flake8(page: str) -> str:
    """How flake8 calls the options of the command that a page names; empty if it names none."""
    named = set(OPTION.findall(page))
    other = [f"`--{each.key}` is `--{each.flake8_key}`" for each in OPTIONS if each.shared and each.key in named]
    return f"\nUnder flake8, {', '.join(other)}.\n" if other else ""


def _line(found: re.Match[str]) -> int:
    from flake8_jax.driver.explaining import NotExplained, SourcePlace, explained

    column, configurations = found["column"], Configurations()
    place = SourcePlace(found["path"], int(found["line"]), int(column) if column else None)
    try:
        is_excluded = selection([place.path], configurations).is_excluded(place.path)
        lines = explained(place, configurations.of(place.path), is_excluded)
    except NotExplained as error:
        return failed(str(error))
    write("\n".join([place.text, *lines]) + "\n")
    return CLEAN
