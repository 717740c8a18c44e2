"""`flake8-jax rules`, and the cards of the rules for other subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from flake8_jax.driver.cli.output import CLEAN, WrongUse, write
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.codes import code_of, nearest_code

FIXABLE = {True: "fixable", False: "-"}
STATUSES = ("on", "strict", "off")
FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class Card:
    """What is said of a rule: code, name, status, group, whether `fix` repairs findings of it, first sentence, page."""

    code: str
    name: str
    status: str
    group: str
    fixable: bool
    summary: str
    page: str = field(repr=False)


def rules(options: argparse.Namespace) -> int:
    """List the rules: code, name, status, whether some findings can be fixed, what each says."""
    import json

    found = list(_chosen(options))
    if options.output_format == "json":
        write(json.dumps([asdict(card) for card in found], indent=2, ensure_ascii=False) + "\n")
        return CLEAN
    rows = [(each.code, each.name, each.status, FIXABLE[each.fixable], each.summary) for each in found]
    widths = [max(map(len, cells)) for cells in zip(*rows)]
    lines = ("  ".join([*(f"{cell:{width}}" for cell, width in zip(row[:-1], widths)), row[-1]]) for row in rows)
    write("".join(f"{line}\n" for line in lines))
    return CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax rules` to a parser."""
    verb.add_argument("rules", nargs="*", metavar="RULE", help="codes, their beginnings, names; default: all")
    verb.add_argument("--status", choices=STATUSES, help="those that are on, strict or off")
    verb.add_argument("--group", metavar="GROUP", help="those of a group, such as keys or retrace")
    verb.add_argument("--fixable", action="store_true", help="those of which `flake8-jax fix` repairs findings")
    verb.add_argument(
        "--output-format", "--format", choices=FORMATS, default=FORMATS[0], help="default: text; json has the pages"
    )


def is_fixable(code: str) -> bool:
    """Can `flake8-jax fix` repair findings of this code?"""
    return any(card.code == code and card.fixable for card in cards())


def cards() -> list[Card]:
    """What is said of every rule, by code."""
    from flake8_jax.driver import gave_up
    from flake8_jax.rules import discover

    page = gave_up.__doc__ or ""
    found = [Card(gave_up.CODE, gave_up.NAME, "on", "analysis", False, _summary(page), page)]
    for each in discover():
        rule = each.rule
        is_fixed = each.fix is not None
        found.append(Card(rule.code, rule.name, rule.status, rule.group, is_fixed, _summary(each.page), each.page))
    return found


def _chosen(options: argparse.Namespace) -> Iterator[Card]:
    """The cards that are asked for."""
    begun = tuple(_meant(word) for word in options.rules)
    groups = sorted({card.group for card in cards()})
    if options.group is not None and options.group not in groups:
        raise WrongUse(f"--group: there is no group {options.group}; there are {', '.join(groups)}")
    for card in cards():
        is_named = not begun or card.code.startswith(begun)
        is_of = options.status in (None, card.status) and options.group in (None, card.group)
        if is_named and is_of and (card.fixable or not options.fixable):
            yield card


def _meant(word: str) -> str:
    code = code_of(word)
    if code is None:
        near = nearest_code(word)
        raise WrongUse(f"there is no rule {word}; " + (f"did you mean {near}?" if near else "`rules` lists them"))
    return code


def _summary(page: str) -> str:
    return " ".join(page.partition("\n\n")[0].split())
