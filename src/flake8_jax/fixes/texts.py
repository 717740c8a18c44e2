"""Edits of a text: applied, compared, chosen so that none overlaps another."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from flake8_jax.model.diagnostic import Edit, Span, printable
from flake8_jax.syntax.source import NEWLINE, parsed

EditKey: TypeAlias = "tuple[int, int, str]"
"""Where an edit begins and ends, and its text."""

MOST_DESCRIBED, LONGEST = 3, 80
"""How many edits of a fix are described, and in how many characters each text."""


def is_python(text: str) -> bool:
    """Can Python parse a text?"""
    return parsed(text) is not None


class Offsets:
    """Where the lines of a text begin."""

    __slots__ = ("_starts", "length")

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in NEWLINE.finditer(text))]
        self.length = len(text)

    def of(self, span: Span) -> tuple[int, int]:
        """Where a span begins and ends."""
        return self._at(span.line, span.column), self._at(span.end_line, span.end_column)

    def _at(self, line: int, column: int) -> int:
        return min(self._starts[line - 1] + column, self.length) if line <= len(self._starts) else self.length

    def line_of(self, offset: int) -> int:
        """The line of a place."""
        return bisect_right(self._starts, offset)

    def span(self, begin: int, end: int) -> Span:
        """The span between two places."""
        first, last = self.line_of(begin), self.line_of(end)
        return Span(first, begin - self._starts[first - 1], last, end - self._starts[last - 1])

    def key(self, edit: Edit) -> EditKey:
        """Where an edit begins and ends, and its text: the same edit twice is one."""
        begin, end = self.of(edit.span)
        return begin, end, edit.text


@lru_cache(maxsize=2)
def offsets_of(text: str) -> Offsets:
    """Where the lines of a text begin; each finding of a file asks."""
    return Offsets(text)


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits applied that do not overlap; the same edit twice is one."""
    offsets, newline = offsets_of(text), newline_of(text)
    for begin, end, new in sorted({offsets.key(edit) for edit in edits}, reverse=True):
        is_behind_the_end = begin == len(text) > 0 and text[-1] not in "\r\n" and new.endswith("\n")
        new = f"\n{new.removesuffix(chr(10))}" if is_behind_the_end else new
        text = text[:begin] + NEWLINE.sub(newline, new) + text[end:]
    return text


def described(text: str, edits: Iterable[Edit]) -> str:
    """What edits of a text do, in words: `old` becomes `new`."""
    offsets = offsets_of(text)
    keys = sorted({offsets.key(edit) for edit in edits})
    said = [_change(text[begin:end], new) for begin, end, new in keys[:MOST_DESCRIBED]]
    more = len(keys) - len(said)
    return "; ".join([*said, *([f"{more} more change{'s' * (more > 1)}"] if more else [])])


def _change(old: str, new: str) -> str:
    before, after = _shortened(old), _shortened(new)
    if not before:
        return f"insert `{after}`"
    return f"`{before}` becomes `{after}`" if after else f"delete `{before}`"


def _shortened(code: str) -> str:
    words = printable(" ".join(code.split()))
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 4]} ..."


def newline_of(text: str) -> str:
    """How most lines of a text end."""
    found = [match[0] for match in NEWLINE.finditer(text)]
    return max(("\n", "\r\n", "\r"), key=found.count)


def places(text: str, edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where the new texts of edits stand once all of them are applied."""
    offsets, newline = offsets_of(text), newline_of(text)
    ordered = sorted({offsets.key(edit) for edit in edits})
    lengths = [len(NEWLINE.sub(newline, new)) for _, _, new in ordered]
    shifts = [0, *accumulate(length - (end - begin) for length, (begin, end, _) in zip(lengths, ordered))]
    found = {each: (each[0] + shift, each[0] + shift + n) for each, shift, n in zip(ordered, shifts, lengths)}
    return [found[offsets.key(edit)] for edit in edits]


def moved(text: str, edits: Sequence[Edit], offset: int) -> int:
    """Where a place of a text is once edits are applied that stand before or behind it."""
    offsets, newline = offsets_of(text), newline_of(text)
    before = [key for key in {offsets.key(edit) for edit in edits} if key[1] <= offset]
    return offset + sum(len(NEWLINE.sub(newline, new)) - (end - begin) for begin, end, new in before)


def applicable_together(text: str, groups: Iterable[Sequence[Edit]]) -> list[bool]:
    """Which groups of edits can be applied at once: those that overlap none of an earlier group that can."""
    offsets = offsets_of(text)
    taken = TakenPlaces(_meet)
    chosen = []
    for group in groups:
        edits = {offsets.key(edit) for edit in group}
        is_free = not any(map(taken.are_met_by, edits))
        chosen.append(is_free)
        taken.add(edits if is_free else ())
    return chosen


class TakenPlaces:
    """The places of edits that can all be made at once, in order: neither their beginnings nor their ends go back.

    Two of which one ends before the other begins never `meet`.
    """

    __slots__ = ("_all", "_meet", "_places")

    def __init__(self, meet: Callable[[EditKey, EditKey], bool]) -> None:
        self._meet = meet
        self._places: list[EditKey] = []
        self._all: set[EditKey] = set()

    def are_met_by(self, one: EditKey) -> bool:
        """Can an edit not be made beside them?"""
        place = bisect_left(self._places, (one[1] + 1, -1, ""))
        while place and self._places[place - 1][1] >= one[0]:
            place -= 1
            if self._meet(one, self._places[place]):
                return True
        return False

    def add(self, keys: Iterable[EditKey]) -> None:
        """Add the places of further edits."""
        for key in keys:
            if key not in self._all:
                self._all.add(key)
                insort(self._places, key)


def _meet(one: EditKey, other: EditKey) -> bool:
    if one == other and one[0] == one[1]:
        return False  # the same line is inserted once
    return one[0] <= other[1] and other[0] <= one[1] and (one[0] < other[1] or other[0] < one[1] or one[0] == other[0])
