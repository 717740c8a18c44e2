"""How often each rule was right on code that nobody had looked at, and what that means for its status.

People judged what was said of repositories that nobody here had opened: *true* (who knows JAX would want the line
changed), *harmless* (so, but not worth a change), *false* (not so).  What was false was repaired afterwards, class by
class, so two counts stand side by side: what was said at first sight, and what of it is said still.  The first was
measured on unseen code; the second on code that was looked at since, and is only that.

`precision.json` beside this file is written by `python -m tests.corpus.first_sight --write`, `docs/precision.md` too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from math import sqrt
from pathlib import Path
from textwrap import fill
from types import MappingProxyType
from typing import Literal, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.codes import UNJUDGED

NUMBERS = Path(__file__).with_name("precision.json")
TOOL = "tool"
"""The group of rules about comments: what they say is a statement about the file itself, to which no share applies."""

Grade: TypeAlias = Literal["very-high", "high", "medium", "low"]

MOST_FALSE, MOST_WASTED = 0.1, 0.4
"""Of what a rule that is on says, at most so much is false, and so much not worth a change (the false included)."""
MOST_FALSE_GRADED = 0.3
"""Of what a rule says that is not right often, more than so much is false."""
RARE = 2e-6
"""A rule that says less than this for each line, and nothing false, is on as well: twice in a million lines."""
MOST = 3
"""So many findings of one pattern in one project count."""
NORMAL = 1.959964
"""The quantile of the normal distribution for 95 %."""

DECIDED: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(
        ("JAX101", "JAX201", "JAX203", "JAX301", "JAX302", "JAX303", "JAX401"),
        "it is one of the hazards that this project was begun for",
    )
    | dict.fromkeys(("JAX206", "JAX304", "JAX410", "JAX411", "JAX501"), "the tutorials teach what it finds")
    | dict.fromkeys(("JAX801", "JAX802"), "what each release has, or warns of, was read from its package")
    | dict.fromkeys(("JAX404", "JAX405", "JAX504", "JAX605", "JAX611"), "one wrong finding among so few says little")
)
"""Rules that are on whatever the numbers say, and why; they must earn it by saying less, on firmer evidence."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How many findings were judged to be what; of one pattern in one project at most three count."""

    true: int = 0
    harmless: int = 0
    false: int = 0

    @property
    def judged(self) -> int:
        """All findings that count."""
        return self.true + self.harmless + self.false

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share of true findings; all there is where none was judged."""
        if not self.judged:
            return 0.0, 1.0
        share, square = self.true / self.judged, NORMAL**2 / self.judged
        middle, half = share + square / 2, NORMAL * sqrt((share * (1 - share) + square / 4) / self.judged)
        return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))

    def suffice(self, lines: int) -> bool:
        """Do these verdicts on `lines` lines of code allow a rule to be on?"""
        if not self.false and self.judged < RARE * lines:
            return True
        return self.are_few_wasted

    @property
    def are_few_wasted(self) -> bool:
        """Are few findings false, and not many without worth?"""
        wasted = self.harmless + self.false
        return self.false <= MOST_FALSE * self.judged and wasted <= MOST_WASTED * self.judged

    def __str__(self) -> str:
        return f"{self.true} true, {self.harmless} harmless, {self.false} false"


@dataclass(frozen=True, slots=True)
class Precision:
    """Of a rule: what was said at first sight, what of it is `still` said; how many generated variants it finds."""

    first: Verdicts
    still: Verdicts
    variants: int = 0
    found: int = 0


@dataclass(frozen=True, slots=True)
class Sights:
    """When and on how much code the rules were first seen at work, and the numbers of each."""

    when: str
    projects: int
    lines: int
    rules: Mapping[str, Precision]

    def is_earned(self, code: str) -> bool:
        """May a rule be on, by the numbers of first sight, or by what is left of them since the repairs?"""
        one = self.rules[code]
        return one.first.suffice(self.lines) or one.still.suffice(self.lines)

    @property
    def where(self) -> str:
        """Where rules were first seen, in words."""
        return f"{self.when} in {self.projects} repositories ({self.lines / 1e6:.1f} million lines)"


@cache
def sights() -> Sights:
    """The numbers that are shipped."""
    return read_numbers(NUMBERS.read_text(encoding="utf-8"))


def read_numbers(text: str) -> Sights:
    """The numbers that a text of JSON holds."""
    data = json.loads(text)
    rules = {
        code: Precision(Verdicts(*row["first"]), Verdicts(*row["still"]), row["variants"], row["found"])
        for code, row in data["rules"].items()
    }
    return Sights(data["when"], data["projects"], data["lines"], rules)


def write_numbers(numbers: Sights) -> str:
    """Numbers as JSON, a line for each rule."""
    rows = [f"    {json.dumps(code)}: {json.dumps(_cells(one))}" for code, one in sorted(numbers.rules.items())]
    head = {"when": numbers.when, "projects": numbers.projects, "lines": numbers.lines}
    fields = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
    return "{\n" + fields + '  "rules": {\n' + ",\n".join(rows) + "\n  }\n}\n"


def _cells(one: Precision) -> dict[str, object]:
    first, still = ([said.true, said.harmless, said.false] for said in (one.first, one.still))
    return {"first": first, "still": still, "variants": one.variants, "found": one.found}


def section_of(code: str, status: str) -> str:
    """What a rule's page says of its precision, and of why it has its status."""
    seen = sights()
    one = seen.rules.get(code)
    if one is None:
        of = "what could not be analysed" if code == UNJUDGED else "comments in the file itself"
        return f"It speaks of {of}: no share of true findings applies."
    low, high = one.first.interval
    said = f"First seen in {seen.where}: " + (
        f"{one.first} of {one.first.judged} findings that count ({low:.0%} to {high:.0%} true, 95 % interval)."
        if one.first.judged
        else "nothing was found."
    )
    if one.still != one.first:
        said += f" After the repairs since then it says of the same code: {one.still}."
    if one.variants:
        said += f" Of {one.variants} generated variants of known hazards it finds {one.found}."
    return fill(f"{said} {_verdict(code, status, seen)}".strip(), 112)


def _verdict(code: str, status: str, seen: Sights) -> str:
    if status == "on" and code in DECIDED and not seen.is_earned(code):
        return f"These numbers alone would not suffice to be on: it is on because {DECIDED[code]}."
    return ""


def grade(code: str) -> Grade:
    """How often a rule is right, in GitHub's words, by what it says still of the code that was judged.

    `high` is what a rule needs to be on; `medium` is also what was found in none of that code.
    """
    seen = sights().rules.get(code)
    if seen is None:
        return "very-high"
    one = seen.still
    if one.false > MOST_FALSE_GRADED * one.judged:
        return "low"
    return "high" if one.judged and one.are_few_wasted else "medium"


def table(statuses: Iterable[tuple[str, str, str]]) -> str:
    """The table of `docs/precision.md`: of each code, name and status its numbers."""
    rows = [
        "| rule | status | first seen: true / harmless / false | said still | true at first sight | variants |",
        "|---|---|---|---|---|---|",
    ]
    for code, name, status in statuses:
        one = sights().rules.get(code)
        if one is not None:
            low, high = one.first.interval
            share = f"{low:.0%} to {high:.0%}" if one.first.judged else "-"
            first, still = (f"{said.true} / {said.harmless} / {said.false}" for said in (one.first, one.still))
            rows.append(f"| {code} {name} | {status} | {first} | {still} | {share} | {one.found} of {one.variants} |")
    return "\n".join(rows) + "\n"
