"""Repairs some marked lines of a bad fixture, so that the code after them can be reached.

    x[0] = 1.0  # JAX201: ...      repaired by the twin:  x = x.at[0].set(1.0)      still line 1
    x[1] = 2.0  # JAX201: ...      kept: raises now                                 still line 2

Twins differ on the marked lines and on lines added beside them only, so the lines that take a marked line's place can
be read off by matching the twin's text against the bad one's, with a gap for each run of marked lines.  Lines of one
run are told apart if the twin has as many.  The twin of an assignment at module level is the one to the same names.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby

from flake8_jax.runtime.claims import DIRECTIVE, Definition, Fixture, Pair

MOST_SHOWN = 3


def repaired(pair: Pair, lines: Collection[int]) -> Fixture | None:
    """The bad fixture with these marked lines replaced by the good one's; None if they cannot be matched."""
    twins = {found.name: found for found in (*pair.good.assignments, *pair.good.definitions)}
    marked = {claim.line for claim in pair.bad.expectations}
    instead: dict[int, str] = {}
    for definition in (*pair.bad.definitions, *pair.bad.assignments):
        if any(line in definition for line in lines):
            found = _gaps(definition, twins.get(definition.name), marked)
            if found is None:
                return None
            for gap, replacement in found:
                instead |= _apart(gap, replacement, lines) or {}
    if not instead.keys() >= set(lines):
        return None
    numbered = list(_lines(pair.bad.text, instead))
    text = "".join(line for _, line in numbered)
    return replace(pair.bad, text=text, numbers=tuple(number for number, _ in numbered)) if _is_python(text) else None


def is_twin(bad: Definition, good: Definition | None, marked: Collection[int]) -> bool:
    """Do both definitions agree on all lines that are not marked?"""
    return _gaps(bad, good, marked) is not None


def other_differences(bad: Definition, good: Definition, marked: Set[int]) -> str:
    """Where a definition differs from its twin though it is not marked there, with the texts of both."""
    ours, theirs = [_plain(line) for line in bad.lines], [_plain(line) for line in good.lines]
    found: list[str] = []
    for tag, start, end, there, last in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        old = list(enumerate(ours[start:end], bad.first + start))
        new = list(enumerate(theirs[there:last], good.first + there))
        beside = {bad.first + start - 1, bad.first + end}
        if tag == "insert" and not marked & beside:
            found.append(f"only good.py has {_shown(new)}, and not beside a marked line")
        if len(old) == len(new):  # line by line
            new = [theirs for ours, theirs in zip(old, new) if ours[0] not in marked]
        old = [each for each in old if each[0] not in marked]
        if tag != "equal" and old:
            found.append(f"{_shown(old)}, in good.py {_shown(new) or 'missing'}")
    return "; ".join(found[:MOST_SHOWN]) + (f"; and {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else "")


def _shown(numbered: Iterable[tuple[int, str]]) -> str:
    return " and ".join(f"line {line} `{text.strip()}`" for line, text in numbered)


def _apart(gap: Sequence[int], replacement: Sequence[str], lines: Collection[int]) -> dict[int, str] | None:
    """What takes the place of each of a gap's lines: the whole of it, or line by line if their numbers agree."""
    asked = [line for line in gap if line in lines]
    if len(asked) == len(gap):
        return {line: "".join(replacement) if line == gap[0] else "" for line in gap}
    return {line: replacement[gap.index(line)] for line in asked} if len(gap) == len(replacement) else None


def _gaps(
    bad: Definition, good: Definition | None, marked: Collection[int]
) -> list[tuple[tuple[int, ...], tuple[str, ...]]] | None:
    """Each run of marked lines with the twin's lines in its place; None if the rest differs.

    What stands between the runs is looked for from above, the last of it from below, as in matching `a*b*c`.
    """
    if good is None:
        return None
    theirs = [_plain(line) + "\n" for line in good.lines]
    runs = [
        (is_marked, list(each))
        for is_marked, each in groupby(enumerate(bad.lines, bad.first), key=lambda each: each[0] in marked)
    ]
    found: list[tuple[tuple[int, ...], tuple[str, ...]]] = []
    gap: tuple[int, ...] | None = None
    at = 0
    for index, (is_marked, numbered) in enumerate(runs):
        if is_marked:
            gap = tuple(number for number, _ in numbered)
            continue
        block = [_plain(line) + "\n" for _, line in numbered]
        place = _find(block, theirs, at, is_first=gap is None, is_last=index == len(runs) - 1)
        if place is None:
            return None
        if gap is not None:
            found.append((gap, tuple(theirs[at:place])))
        gap, at = None, place + len(block)
    if gap is not None:
        found.append((gap, tuple(theirs[at:])))
    return found


def _find(block: list[str], lines: list[str], at: int, *, is_first: bool, is_last: bool) -> int | None:
    """Where a block stands in lines from a place on: right there if it is the first, at the end if it is the last."""
    last = len(lines) - len(block)
    if is_first and is_last:
        places: Iterable[int] = [0] if last == 0 else []
    elif is_first or is_last:
        places = [at if is_first else last]
    else:
        places = range(at, last + 1)
    return next((p for p in places if at <= p <= last and lines[p : p + len(block)] == block), None)


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _plain(line: str) -> str:
    """A line without what it says to `verify`."""
    return DIRECTIVE.sub("", line).rstrip()


def _lines(text: str, instead: dict[int, str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        for each in instead.get(number, line).splitlines(keepends=True):
            yield number, each
