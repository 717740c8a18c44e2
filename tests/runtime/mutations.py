"""Claims broken on purpose, in four ways: the bad made good, the line shifted, the phenomenon or the code changed.

Each broken claim becomes a pair of its own that holds one case and what it reaches, every line in its old place.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from flake8_jax.runtime.claims import Case, Expectation, Fixture, Pair
from flake8_jax.runtime.loading import sliced
from flake8_jax.runtime.phenomena import discover
from flake8_jax.runtime.plan import candidates
from flake8_jax.runtime.repairs import repaired

WAYS = ("good", "shifted", "phenomenon", "code")


@dataclass(frozen=True)
class Mutant:
    """A pair with one claim, broken in one way, or as it was (`way` is then "control")."""

    pair: str
    way: str
    claim: Expectation
    case: str
    change: str

    @property
    def name(self) -> str:
        return f"{self.pair}-{self.claim.line}-{self.way}"


def ways_of(pair: Pair, claim: Expectation) -> list[str]:
    """The ways in which a claim can be broken: one at the top of its file has no repair, and some have no line near."""
    lines = dict(enumerate(pair.bad.text.splitlines(), 1))
    has = {
        "good": any(claim.line in each for each in pair.bad.definitions),
        "shifted": bool(_beside(pair.bad, claim, lines)),
    }
    return [way for way in WAYS if has.get(way, True)]


def write_mutants(
    pair: Pair, claim: Expectation, ways: Iterable[str], hazards: dict[str, str], folder: Path
) -> Iterator[Mutant]:
    """Write the pairs for one claim: as it is, and broken in some ways; dice are thrown for each claim alone."""
    dice = random.Random(f"{pair.name} {claim.line}")
    cases = _together(claim, pair.bad)
    twins = [twin for case in cases if (twin := pair.good.case(case.name))]
    own = claim.phenomenon or hazards[claim.code]
    lines = _kept(pair.bad, cases)
    named = f" {claim.phenomenon}" if claim.phenomenon else ""
    whole = f"  # {claim.code}{named}: {claim.text}"
    bare = lines[claim.line].replace(whole, "")
    for way in ("control", *ways):
        text, change = {**lines, claim.line: bare}, ""
        mark = whole
        at = claim.line
        if way == "good":
            instead = _repaired_line(pair, claim)
            assert instead is not None
            change = "the lines of the twin"
            text[claim.line] = instead + mark
        if way == "shifted":
            options = _beside(pair.bad, claim, lines)
            if not options:
                continue
            at = dice.choice(options)
            change = f"line {at}"
        if way == "phenomenon":
            other = dice.choice([n for n, p in discover().items() if n != own.partition(":")[0] and not p.in_child])
            spelt = f"{other}:{discover()[other].example}" if discover()[other].is_required else other
            mark, change = f"  # {claim.code} {spelt}: {claim.text}", spelt
        if way == "code":
            code = dice.choice([code for code in hazards if code != claim.code])
            mark, change = f"  # {code}: {claim.text}", code
        if way != "good":
            text[at] = text[at] + mark
        mutant = Mutant(pair.name, way, claim, cases[0].name, change)
        home = folder / mutant.name
        home.mkdir(parents=True)
        _write(home / "bad.py", text, pair.bad)
        _write(home / "good.py", _kept(pair.good, twins), pair.good)
        yield mutant


def _repaired_line(pair: Pair, claim: Expectation) -> str | None:
    """What stands in the twin in place of a marked line: no line, one or several; None if nothing tells."""
    found = repaired(pair, {claim.line})
    if found is None:
        assert not any(claim.line in each for each in pair.bad.definitions)
        return None
    lines = zip(found.text.splitlines(), found.numbers or ())
    return "\n".join(text for text, number in lines if number == claim.line)


def _together(claim: Expectation, fixture: Fixture) -> list[Case]:
    """The likeliest case of a claim, and every case that shows a claim in what these reach."""
    cases = candidates(claim, fixture.cases)[:1]
    for case in cases:
        cases += [c for each in case.claims for c in candidates(each, fixture.cases) if c not in cases]
    return cases


def _kept(fixture: Fixture, cases: list[Case]) -> dict[int, str]:
    """The lines of what some cases reach, by number; the comments at the head, which may say what a script requires;
    and the imports: messages and lines of twins use their names.
    """
    imports = [node for node in fixture.tree().body if isinstance(node, (ast.Import, ast.ImportFrom))]
    head = takewhile(lambda line: line.startswith("#"), fixture.text.splitlines())
    kept = {number for number, _ in enumerate(head, 1)}
    for node in [*imports, *(node for case in cases for node in sliced(fixture.tree(), case).body)]:
        first = min([node.lineno, *(found.lineno for found in getattr(node, "decorator_list", []))])
        kept.update(range(first, (node.end_lineno or first) + 1))
    return {number: line for number, line in enumerate(fixture.text.splitlines(), 1) if number in kept}


def _beside(fixture: Fixture, claim: Expectation, lines: dict[int, str]) -> list[int]:
    """Lines of code near a claim, in its definition, that carry no claim."""
    marked = {each.line for each in fixture.expectations}
    home = next((d for d in fixture.definitions if claim.line in d), ())
    near = [line for line in range(claim.line - 2, claim.line + 3) if line in home and line not in marked]
    return [
        line for line in near if lines.get(line, "").strip() and not lines[line].strip().startswith(("#", "@", "class"))
    ]


def _write(path: Path, lines: dict[int, str], fixture: Fixture) -> None:
    number = len(fixture.text.splitlines())
    path.write_text("\n".join(lines.get(line, "") for line in range(1, number + 1)) + "\n", encoding="utf-8")


__all__ = ["WAYS", "Mutant", "ways_of", "write_mutants"]
