"""`flake8-jax explain`: the pages of rules, and what is known of lines of files."""

from __future__ import annotations

import argparse
import os
import re

from flake8_jax.driver.cli.files import selection
from flake8_jax.driver.cli.output import CLEAN, FAILED, failed, write
from flake8_jax.driver.cli.rendering import add_colour_option, is_coloured
from flake8_jax.driver.cli.rules import cards
from flake8_jax.driver.reporters.pages import inline, styled
from flake8_jax.driver.reporters.style import Style
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.codes import nearest_code
from flake8_jax.model.config import OPTIONS, ConfigError
from flake8_jax.model.configurations import Configurations
from flake8_jax.syntax.notebooks import SUFFIX

OPTION = compiled(r"`--([a-z0-9-]+)")
PLACE = compiled(r"(?P<path>.+?)(?::cell (?P<cell>\d+))?:(?P<line>\d+)(?::(?P<column>\d+))?:?", re.ASCII)


def explain(options: argparse.Namespace) -> int:
    """Print the pages of rules, or what is known of lines and why nothing is reported there."""
    status, style = CLEAN, _style(options)
    for number, what in enumerate(options.what):
        found = PLACE.fullmatch(what)
        write("\n" * (number > 0))
        status = max(status, _page(what, style) if found is None else _line(found, style))
        if status == FAILED:
            break
    return status


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax explain` to a parser."""
    what = "a code, a name, or a line: FILE:LINE[:COLUMN], NOTEBOOK:cell N:LINE"
    verb.add_argument("what", nargs="+", metavar="RULE|FILE:LINE", help=what)
    add_colour_option(verb)


def _style(options: argparse.Namespace) -> Style:
    """How a page is shown: where it may have links, the configuration says where these lead."""
    if not is_coloured(options):
        return Style()
    try:
        return Style(True, Configurations().run.docs_url)
    except ConfigError:
        return Style(True)  # pages of rules are there, whatever a file says


def _page(name: str, style: Style) -> int:
    from flake8_jax.rules.precision import section_of

    pages = {card.code: card for card in cards()}
    codes = {card.name: card.code for card in cards()}
    code = codes.get(name.lower(), name.upper())
    if code not in pages and os.path.exists(name):
        return failed(f"{name} is no rule; a line of it is asked about as {_example(name)}")
    if code not in pages:
        near, family = nearest_code(name), [each for each in sorted(pages) if each.startswith(code)]
        meant = f"did you mean {near}?" if near in pages else f"there are {', '.join(sorted(pages))}"
        meant = f"so begin {', '.join(family)}" if family else meant
        return failed(f"there is no rule {name}; {meant}")
    card = pages[code]
    title, names = f"{code} {card.name} ({card.status})", _under_flake8(card.page)
    text = f"# {title}\n\n{card.page.strip()}\n\n## Precision\n\n{section_of(code, card.status)}\n{names}"
    write(styled(text, style))
    if style.is_coloured and (address := style.address(code)):
        write(f"\n{style.link(address, address)}\n")
    return CLEAN


def _example(path: str) -> str:
    """How a line of a file is named, or of one in a folder."""
    if os.path.isdir(path):
        return f"{os.path.join(path, 'FILE')}:LINE"
    return f"{path}:cell CELL:LINE" if path.endswith(SUFFIX) else f"{path}:LINE"


def _under_flake8(page: str) -> str:
    """How flake8 calls the options of the command that a page names; empty if it names none."""
    named = set(OPTION.findall(page))
    other = [f"`--{each.key}` is `--{each.flake8_key}`" for each in OPTIONS if each.shared and each.key in named]
    return f"\nUnder flake8, {', '.join(other)}.\n" if other else ""


def _line(found: re.Match[str], style: Style) -> int:
    from flake8_jax.driver.explaining import NotExplained, SourcePlace, explained

    column, configurations = found["column"], Configurations()
    cell = int(found["cell"]) if found["cell"] else None
    place = SourcePlace(found["path"], int(found["line"]), int(column) if column else None, cell)
    try:
        is_excluded = selection([place.path], configurations).is_excluded(place.path)
        lines = explained(place, configurations.of(place.path), is_excluded)
    except NotExplained as error:
        return failed(str(error))
    shown = [style("path", line) if line.endswith(":") and line[:1].strip() else inline(line, style) for line in lines]
    write("\n".join([style("path", place.text), *shown]) + "\n")
    return CLEAN
