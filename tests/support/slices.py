"""Which cases of a long list a run takes: those that gate, those whose turn it is today, or all of them.

Variants of a catalogue, broken claims, random programs, files of other people: such cases are many and say much the
same.  Each has *aspects*: the rule that it is about, the way it was made, the file it comes from.

- `pytest` runs the slice that *gates*, the most telling one: the case with the most aspects that no chosen one has,
  again and again until each aspect of any case is had by one that is chosen, and then up to the number asked for.  Of
  equals, the one is taken whose aspects were taken least often, so that rules and ways mix.  The choice depends on the
  cases alone: two runs over the same files take the same ones.
- `pytest -m rotating` runs a slice of the others, another one each day, until each had its turn.  It gates nothing.
- `pytest -m full` runs all.

Of the cases (rule 1, way a), (rule 1, way b), (rule 2, way a) and (rule 2, way b), the first and the last gate.
"""

from __future__ import annotations

import keyword
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from enum import Enum
from functools import cache
from heapq import heapify, heappop, heapreplace
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
F = TypeVar("F", bound="Callable[..., object]")
DAY = int(os.environ.get("FLAKE8_JAX_DAY", date.today().toordinal()))
"""The day whose slice rotates: its number, so that a run of another day can be repeated."""


class Slice(Enum):
    """What a run takes of each list."""

    GATING = ""
    ROTATING = "rotating"
    FULL = "full"


_asked = [Slice.GATING]


def ask(expression: str) -> None:
    """Take what an expression of `-m` names, without a `not` before it."""
    named = [one for one in (Slice.FULL, Slice.ROTATING) if re.search(rf"(?<!not )\b{one.value}\b", expression)]
    _asked[:] = [*named, Slice.GATING][:1]


def asked() -> Slice:
    """What this run takes."""
    return _asked[0]


def taken(
    cases: Iterable[T],
    aspects: Callable[[T], Iterable[object]],
    least: int = 0,
    daily: int = 20,
    most: int = sys.maxsize,
) -> list[T]:
    """The cases that this run takes: at least and at most so many that gate, about so many of the others on one day."""
    every = list(cases)
    if asked() is Slice.FULL:
        return every
    return chosen(every, telling([set(aspects(case)) for case in every], least, most), daily)


def chosen(every: Sequence[T], gating: Iterable[int], daily: int = 20) -> list[T]:
    """The cases that this run takes where the numbers of those that gate are known."""
    if asked() is Slice.FULL:
        return [*every]
    if asked() is Slice.GATING:
        return [every[number] for number in gating]
    others = [every[number] for number in sorted({*range(len(every))} - {*gating})]
    return turn(others, daily, DAY)


def telling(aspects: Sequence[set[object]], least: int, most: int = sys.maxsize) -> list[int]:
    """The numbers of the cases that gate, in order; if they may not have all aspects, the most telling ones."""
    missing, uses = set().union(*aspects), Counter[object]()

    def rank(number: int) -> tuple[int, int, int]:
        return -len(aspects[number] & missing), sum(uses[aspect] for aspect in aspects[number]), number

    # A rank only grows while cases are chosen: who stands first with the rank of now is the first.
    waiting = [rank(number) for number in range(len(aspects))]
    heapify(waiting)
    chosen: list[int] = []
    while waiting and len(chosen) < most and (missing or len(chosen) < least):
        number = waiting[0][2]
        if (now := rank(number)) != waiting[0]:
            heapreplace(waiting, now)
            continue
        heappop(waiting)
        chosen.append(number)
        missing -= aspects[number]
        uses.update(aspects[number])
    return sorted(chosen)


def turn(others: Sequence[T], daily: int, day: int) -> list[T]:
    """Those of the others whose turn it is on a day."""
    days = max(1, -(-len(others) // daily))
    return list(others[day % days :: days])


def each(
    names: str,
    cases: Iterable[T],
    aspects: Callable[[T], Iterable[object]],
    least: int = 0,
    daily: int = 20,
    ids: Callable[[T], str] = str,
) -> pytest.MarkDecorator:
    """Parametrize a test with the cases that this run takes, one of several names as a tuple."""
    some = taken(cases, aspects, least, daily)
    values = [case if isinstance(case, tuple) and "," in names else (case,) for case in some]
    params = [pytest.param(*value, id=ids(case), marks=_marks()) for case, value in zip(some, values)]
    return pytest.mark.parametrize([name.strip() for name in names.split(",")], params)


def sliced(test: F) -> F:
    """Mark a test that takes a slice as a whole, by `taken`."""
    for mark in _marks():
        test = mark(test)
    return test


STATEMENT = re.compile(r"\n *(?:async )?([a-z]+)\b")
"""What begins with a letter of its own is looked for in less time than what begins at the start of a line."""
SIGNS = re.compile(r"[-:*/<>=.@%^~|]+\w?")
OPERATOR = re.compile(r":=|->|\*\*|//|<<|>>|\.\.\.|\*(?=\w)|[@%^~|]")
WORDS = {word: re.compile(rf"\b{word}\b") for word in ("lambda", "await", "yield from")}
WORDS |= {word: re.compile(rf"\b{word}") for word in ("f'", 'f"')}


@cache
def grammar(path: Path) -> frozenset[str]:
    """The aspects of a file of Python, as far as its text shows them: its statements and its rarer operators."""
    text = path.read_text(encoding="utf-8", errors="replace")
    found = {*STATEMENT.findall(f"\n{text}")} & {*keyword.kwlist, "match", "case", "type"}
    found |= {word for word, written in WORDS.items() if word in text and written.search(text)}
    return frozenset(found.union(*(OPERATOR.findall(signs) for signs in {*SIGNS.findall(text)})))


def _marks() -> list[pytest.MarkDecorator]:
    return [getattr(pytest.mark, asked().value)] if asked().value else []
