"""The pages of the rules, and their index, from the rule files, their pairs, the evidence and the numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

from flake8_jax.driver.cli.rules import Card, cards
from flake8_jax.rules import discover
from flake8_jax.rules.precision import Verdicts, section_of, sights
from flake8_jax.rules.rule import Rule
from website.evidence import ROOT, Proof, proofs

_FAMILY = re.compile(r"^\| (JAX\d) \| ([^:;|]+)", re.MULTILINE)
STATUS = {
    "on": "on by default",
    "strict": "on with `--strict`",
    "off": "off; `--enable {code}` turns it on",
}
MOST_LINES = 90
"""So many lines of each file of a pair are shown."""


@cache
def families() -> dict[str, str]:
    """The title of each family of rules, by the table of the README."""
    rows = _FAMILY.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    return {family: title[:1].upper() + title[1:].rstrip() for family, title in rows}


def rule_of(code: str) -> Rule | None:
    """The card that a rule file has; JAX000 has none."""
    return next((each.rule for each in discover() if each.rule.code == code), None)


def sound(card: Card) -> str:
    """Is a hazard silent or loud, by its page; a word about files and comments is neither."""
    found = re.search(r"^## Why it is bad\n\n(Silent|Loud)\.", card.page, re.MULTILINE)
    return found[1].lower() if found is not None and card.group != "tool" else "-"


def page(card: Card) -> str:
    """The page of a rule, before its links are made those of the site."""
    rule = rule_of(card.code)
    parts = [f"# {card.code} {card.name}", _badges(card, rule)]
    summary, _, body = card.page.strip().partition("\n\n")
    parts.append(" ".join(summary.split()) + "\n{ .summary }")
    if rule is not None:
        parts.append(" ".join([f"In short: {rule.fix}.", *_fix(card)]))
    parts.append(body)
    parts += ["## Precision", *_bars(card.code), section_of(card.code, card.status)]
    shown = proofs(card.code)
    if shown:
        parts += ["## Proved", *_proved(rule, shown), *_pair(card.code)]
    return "\n\n".join(parts) + "\n"


def _badges(card: Card, rule: Rule | None) -> str:
    said = [(card.status, STATUS[card.status].format(code=card.code)), (card.group, "group")]
    if sound(card) != "-":
        meant = "nothing fails, numbers are wrong" if sound(card) == "silent" else "JAX raises an error"
        said.append((sound(card), meant))
    said += [("fixable", "`flake8-jax fix` repairs some findings")] if card.fixable else []
    said += [("not in tests", "silent in test files, unless `--tests` is given")] if rule and not rule.in_tests else []
    said += [(f"since {rule.since}", "the version that had it first")] if rule is not None else []
    return " ".join(
        f'<span class="badge badge--{label.split()[0]}" title="{escape(title.replace("`", ""))}">{label}</span>'
        for label, title in said
    )


def _fix(card: Card) -> Iterator[str]:
    if card.fixable:
        yield (
            "`flake8-jax fix` makes the repair where it can, `flake8-jax check --diff` only shows it; "
            "what changes a program that runs is made with `--unsafe-fixes` only."
        )


def _bars(code: str) -> Iterator[str]:
    seen = sights().rules.get(code)
    if seen is None:
        return
    rows = [("at first sight", seen.first), ("said still, after repairs", seen.still)]
    for title, verdicts in rows if seen.first.judged else ():
        said = f"{title}: {verdicts}"
        yield f'<div class="bar" role="img" aria-label="{said}">{_bar(verdicts)}<small>{said}</small></div>'


def _bar(verdicts: Verdicts) -> str:
    counts = (("true", verdicts.true), ("harmless", verdicts.harmless), ("false", verdicts.false))
    return "<span>" + "".join(f'<i class="{name}" style="flex:{n}"></i>' for name, n in counts if n) + "</span>"


def _proved(rule: Rule | None, shown: list[Proof]) -> Iterator[str]:
    if all(proof.inspected and not proof.hazards for proof in shown):
        yield "The claims of this rule are about the text of a file: they were read, as running shows nothing of them."
        yield "\n".join(_rows(shown, is_run=False))
        return
    kind = f" (`{rule.hazard}`)" if rule is not None else ""
    yield (
        f"Each marked line of the pair below was run under JAX, and the hazard{kind} was observed on that very line; "
        "each twin without the fault was run, too, and showed none ([how](verify.md))."
    )
    yield "\n".join(_rows(shown, is_run=True))
    differing = sorted({why for proof in shown for why in proof.differing})
    if differing:
        yield "Versions differ: " + "; ".join(differing) + "."


def _rows(shown: list[Proof], is_run: bool) -> Iterator[str]:
    counted = ("hazards observed", "twins clean", "run on") if is_run else ("claims", "read on")
    heads = ("JAX", "devices", *counted)
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for proof in shown:
        counts = (proof.hazards, proof.clean) if is_run else (proof.inspected,)
        cells = [proof.jax, proof.where, *map(str, counts), proof.date]
        yield f"| {' | '.join(cells)} |"


def _pair(code: str) -> Iterator[str]:
    """The two files of a pair, their first lines; the repository has all of them."""
    folder = next(iter((ROOT / "fixtures").glob(f"{code.lower()}_*")), None)
    for name, title in (("bad.py", "hazards"), ("good.py", "twins and innocents")):
        path = folder / name if folder is not None else Path()
        if folder is not None and path.is_file():
            yield _excerpt(path, f"{title}: fixtures/{folder.name}/{name}")


def _excerpt(path: Path, title: str) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    blank = [number for number, line in enumerate(lines[:MOST_LINES]) if not line.strip()]
    shown = lines[: blank[-1]] if len(lines) > MOST_LINES and blank else lines
    more = [f"# ... {len(lines) - len(shown)} more lines"] if len(shown) < len(lines) else []
    code = "\n".join(f"    {line}".rstrip() for line in ["```python", *shown, *more, "```"])
    return f'??? example "{title}"\n\n{code}'


def index() -> str:
    """The index of the rules, which a script filters; without one, all are shown."""
    found = cards()
    filters = (
        ("status", ("on", "strict", "off")),
        ("sound", ("silent", "loud")),
        ("fixable", ("fixable",)),
        ("family", tuple(families())),
    )
    buttons = "".join(
        f'<button type="button" data-filter="{key}" data-value="{value}" aria-pressed="false">{_label(value)}</button>'
        for key, values in filters
        for value in values
    )
    heads = "".join(f"<th>{head}</th>" for head in ("Rule", "What it finds", "Status", "Sound", "Fix"))
    rows = "".join(_row(card) for card in found)
    return f"""# Rules

{len(found)} rules. *Silent* hazards give wrong numbers and no error; *loud* ones raise when JAX gets there. On by
default are those that were right often enough on code that nobody had looked at ([how often](precision.md)).

<div class="filters" markdown="0">
<input type="search" id="rule-search" placeholder="Search codes, names and words" aria-label="Search rules">
{buttons}<output id="rule-count"></output>
</div>
<div class="rules" markdown="0">
<table id="rule-table" class="rule-table"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>
</div>

In a terminal, `flake8-jax rules` lists them (`--status strict`, `--fixable`, `--format json`), and
`flake8-jax explain JAX101` prints a page.
"""


def _label(value: str) -> str:
    groups = Counter(card.group for card in cards() if card.code[:4] == value)
    return f"{value} {groups.most_common(1)[0][0]}" if groups else value


def _row(card: Card) -> str:
    fixable, heard = "fixable" if card.fixable else "", sound(card).strip("-")
    code = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(card.summary, quote=False))
    return (
        f'<tr data-status="{card.status}" data-sound="{sound(card)}" data-fixable="{fixable}" '
        f'data-family="{card.code[:4]}">'
        f'<td><a href="{card.code}.html">{card.code}</a><br><small>{card.name}</small></td><td>{code}</td>'
        f'<td><span class="badge badge--{card.status}">{card.status}</span></td><td>{heard}</td>'
        f"<td>{fixable}</td></tr>"
    )
