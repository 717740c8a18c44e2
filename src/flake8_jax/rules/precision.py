"""The precision of each rule at first sight, and what a rule needs to be on.

`precision.json` beside it is written by `python -m tests.corpus.first_sight --write`, of what people said of findings
in code that nobody had looked at while the rules were built.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from textwrap import fill

NUMBERS = Path(__file__).with_name("precision.json")
TOOL = "tool"
"""The group of rules about comments: what they say is a statement about the file itself, to which no share applies."""
MISSION = ("JAX101", "JAX201", "JAX203", "JAX301", "JAX401")
"""The rules that this project was begun for: they stay on, and must earn it by saying less, on firmer evidence."""

ENOUGH, MOST_TRUE, MOST_FOUND = 20, 0.95, 0.9
MOST = 3
"""So many findings of one pattern in one project count."""
NORMAL = 1.959964
"""The quantile of the normal distribution for 95 %."""


@dataclass(frozen=True, slots=True)
class FirstSight:
    """How many findings of a rule were judged at first sight, how many are true, and where.

    At most three findings a pattern and project count.  `variants` of known hazards were generated, and of them
    `found` is how many the rule finds.
    """

    envelope: str
    version: str
    judged: int = 0
    true: int = 0
    variants: int = 0
    found: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share of true findings; all there is where none was judged."""
        if not self.judged:
            return 0.0, 1.0
        share, square = self.true / self.judged, NORMAL**2 / self.judged
        middle, half = share + square / 2, NORMAL * sqrt((share * (1 - share) + square / 4) / self.judged)
        return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))

    @property
    def is_earned(self) -> bool:
        """May the rule be on?

        It needs 95 % true of 20 or more; of fewer, at least one, all of them true and 90 % of the variants found.
        """
        if self.judged >= ENOUGH:
            return self.true >= MOST_TRUE * self.judged
        return 0 < self.judged == self.true and 0 < MOST_FOUND * self.variants <= self.found

    def __str__(self) -> str:
        low, high = self.interval
        share = f"{self.true / self.judged:.0%} [{low:.0%}, {high:.0%}]" if self.judged else "none"
        return f"{share} of {self.judged}, {self.envelope} at {self.version}"


@cache
def first_sights() -> Mapping[str, FirstSight]:
    """The number of each rule to which one applies, by code."""
    return read_numbers(NUMBERS.read_text(encoding="utf-8"))


def read_numbers(text: str) -> dict[str, FirstSight]:
    """The numbers that a text of JSON holds."""
    data = json.loads(text)
    where = {field: data[field] for field in ("envelope", "version")}
    return {code: FirstSight(**where, **counts) for code, counts in data["rules"].items()}


def write_numbers(numbers: Mapping[str, FirstSight]) -> str:
    """Numbers as JSON, a line for each rule."""
    (where,) = {(one.envelope, one.version) for one in numbers.values()}
    fields = ("judged", "true", "variants", "found")
    rows = [
        f"    {json.dumps(code)}: {json.dumps({field: getattr(one, field) for field in fields})}"
        for code, one in sorted(numbers.items())
    ]
    head = f'{{\n  "envelope": {json.dumps(where[0])},\n  "version": {json.dumps(where[1])},\n  "rules": {{\n'
    return head + ",\n".join(rows) + "\n  }\n}\n"


def number_of(code: str) -> str:
    """The number of a rule in one short cell."""
    sight = first_sights().get(code)
    return "no share applies" if sight is None else str(sight)


def section_of(code: str, status: str) -> str:
    """What a rule's page says of its precision, and whether it meets what a rule that is on needs."""
    sight = first_sights().get(code)
    if sight is None:
        return (
            "No share of true findings applies: it says what stands in the file itself, which is so or a defect here."
        )
    low, high = sight.interval
    said = (
        f"{sight.true} of {sight.judged} findings are true, {sight.true / sight.judged:.1%} "
        f"(95 % Wilson interval {low:.1%} to {high:.1%})"
        if sight.judged
        else "Nothing was found"
    )
    words = [
        f"{said}: what version {sight.version} said of the projects of `{sight.envelope}` when they were first judged,",
        f"judged by people, at most {MOST} findings a pattern and project.",
        f"Of {sight.variants} generated variants of known hazards, {sight.found} are found.",
        _verdict(code, status, sight),
    ]
    return fill(" ".join(words), 112)


def _verdict(code: str, status: str, sight: FirstSight) -> str:
    needed = "95 % true of 20 findings or more; of fewer, all and 90 % of the variants"
    if sight.is_earned:
        return f"That is what a rule needs to be on ({needed})."
    kept = "it is on all the same, as one of the five rules that this project was begun for"
    why = kept if status == "on" and code in MISSION else "so it is not on by default"
    return f"That is less than a rule needs to be on ({needed}): {why}."
