"""All pages of the site as Markdown, by their path there: from `docs/`, the top of the repository and the rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cache

from flake8_jax.driver.cli.main import parsers
from flake8_jax.driver.cli.rules import cards
from flake8_jax.driver.cli.settings import DEFAULT
from flake8_jax.model.config import OPTIONS, UNDONE, Option
from website import rules
from website.evidence import ROOT
from website.texts import MOVED, page_of

SECTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Learn",
        (
            ("The rules of JAX", "rules-of-jax"),
            ("Why is it slow?", "slow"),
            ("Why is it silent?", "silence"),
            ("Real bugs", "gallery"),
        ),
    ),
    (
        "Use it",
        (
            ("Adoption", "adoption"),
            ("pre-commit", "precommit"),
            ("CI", "ci"),
            ("Editors", "editors"),
            ("Notebooks", "notebooks"),
            ("Options", "options"),
            ("Output", "output"),
            ("ruff", "ruff"),
            ("Upgrades", "stability"),
        ),
    ),
    (
        "How it works",
        (
            ("Architecture", "architecture"),
            ("How often it is right", "precision"),
            ("Proof", "verify"),
            ("Proof by your tests", "confirm"),
            ("Measured facts", "measured"),
            ("Real code", "corpus"),
            ("Decisions", "decisions"),
            ("Glossary", "glossary"),
            ("Contributing", "contributing"),
            ("This site", "site"),
            ("Changelog", "changelog"),
        ),
    ),
)
"""The chapters of the site: titles and names of pages.  A page of `docs/` that none names stands in the last one."""

HOME = """---
hide: [navigation]
title: flake8-jax
---
"""
CARDS = """
## Where to go

<div class="grid cards" markdown>

- **[The rules of JAX](rules-of-jax.md)**

    What is different from NumPy, on one page, for those who begin.

- **[All rules](rules/index.md)**

    With filters: silent or loud, on or strict, what `fix` repairs.

- **[Real bugs](gallery.md)**

    What was found in published code, and how it is put right.

- **[Why is it slow?](slow.md)**

    From what you see to the rule that finds its cause.

- **[Adoption](adoption.md)**

    Hundreds of findings? Gate what is new today.

- **[How often it is right](precision.md)**

    Judged on code that nobody had looked at, rule by rule.

</div>
"""


@cache
def texts() -> dict[str, str]:
    """The Markdown of each page of the site, with links among them."""
    raw = dict(_raw())
    known, codes = frozenset(target for target, _ in raw.values()), frozenset(card.code for card in cards())
    return {target: page_of(text, source, target, known, codes) for source, (target, text) in raw.items()}


def navigation() -> list[dict[str, object]]:
    """The chapters with the pages that there are."""
    pages = texts()
    named = {name for _, chapter in SECTIONS for _, name in chapter}
    more = sorted(path.removesuffix(".md") for path in pages if "/" not in path and path != "index.md")
    found: list[dict[str, object]] = [{"Home": "index.md"}]
    for title, chapter in SECTIONS:
        entries: list[dict[str, str]] = [{text: f"{name}.md"} for text, name in chapter if f"{name}.md" in pages]
        if title == SECTIONS[-1][0]:
            entries += [{name.capitalize(): f"{name}.md"} for name in more if name not in named]
        found.append({title: entries})
    families: list[object] = [{"All rules": "rules/index.md"}]
    for family, title in rules.families().items():
        entries = [{f"{card.code} {card.name}": f"rules/{card.code}.md"} for card in cards() if card.code[:4] == family]
        families.append({f"{family} {title}": entries})
    found.insert(2, {"Rules": families})
    return found


def _raw() -> Iterator[tuple[str, tuple[str, str]]]:
    """Where each page stands in the repository, or would, and where on the site; its text there."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        yield f"docs/{path.name}", (path.name, path.read_text(encoding="utf-8"))
    for name, target in MOVED.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        yield name, (target, HOME + text.partition("\n## Licence")[0] + CARDS if name == "README.md" else text)
    yield "docs/options.md", ("options.md", _options())
    yield "docs/rules", ("rules/index.md", rules.index())
    for card in cards():
        yield f"docs/{card.code}", (f"rules/{card.code}.md", rules.page(card))


def _options() -> str:
    rows = "\n".join(map(_row, OPTIONS))
    helps = "\n\n".join(f"## `flake8-jax {name}`\n\n```text\n{_help(verb)}```" for name, verb in parsers()[1].items())
    return f"""# Options

In `[tool.flake8-jax]` of the `pyproject.toml` that is nearest to each file, on the command line with `--` before the
name, and under flake8, in its command line and in its files, by the name in the last column. Codes are meant in small
letters and by the names of rules, too. What a file says is undone by `--no-NAME`; `--isolated` reads no file.

| name | value | default | what it does | under flake8 |
|---|---|---|---|---|
{rows}

{helps}
"""


def _row(option: Option) -> str:
    value = getattr(DEFAULT, option.name)
    default = "-" if value in (None, ()) else str(value).lower() if isinstance(value, bool) else "see `--show-settings`"
    default = f"`{value}`" if isinstance(value, str) else default
    under = f"`{option.flake8_key}`" if option.shared else "flake8's own" if option.is_used_by_flake8 else "-"
    undone = f", `--no-{option.key}`" if option.kind in UNDONE else ""
    cells = (f"`{option.key}`{undone}", option.kind, default, option.help, under)
    return f"| {' | '.join(cells)} |"


def _help(verb: argparse.ArgumentParser) -> str:
    verb.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=110)
    return verb.format_help()
