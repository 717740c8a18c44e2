"""Where the lines of a notebook's text stand in its cells.

The text says so itself, by a comment before each cell, so that it can be changed and still be taken apart:

    # %% _ipython_ 3           the third cell of the notebook, of whatever kind, begins on the next line
    x[0] = 1.0
    # %% _ipython_ 0           what no cell has

nbQA writes such comments, too, into the file that it makes of a notebook, but without numbers, and not for each cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.diagnostic import Span
from flake8_jax.syntax.broken import BROKEN
from flake8_jax.syntax.magics import MARK, TIMING_CELLS, original_column, original_line
from flake8_jax.syntax.moving import LinesSaid, with_lines_said

_HEAD = compiled(rf"# %% (?P<mark>{MARK}+) (?P<cell>\d+)(?P<tags>(?: (?:[\w.:-]+|{BROKEN}))*)")
_OF_NBQA = compiled(r"# %%NBQA-CELL-SEP[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A place in a cell: the number of the cell and the line from 1, the column in characters from 0."""

    cell: int
    line: int
    column: int


class Cells:
    """The cells of a text."""

    __slots__ = ("_are_numbered", "_firsts", "_lines", "_numbers", "_tags", "mark")

    def __init__(
        self, lines: Sequence[str], mark: str, heads: Sequence[tuple[int, int, tuple[str, ...]]],
        are_numbered: bool = True,
    ) -> None:  # fmt: skip
        self.mark = mark
        self._are_numbered = are_numbered
        self._lines = lines
        self._firsts = [line + 1 for line, _, _ in heads]
        self._numbers = [number for _, number, _ in heads]
        self._tags = [tags for _, _, tags in heads]

    def place(self, line: int, column: int = 0) -> CellPlace | None:
        """The place in a cell of a place in the text; None if there is no cell.

        What stands in no cell is said of the end of the one before.
        """
        at = bisect_right(self._firsts, line) - 1
        while at >= 0 and not self._numbers[at]:
            at -= 1
        if at < 0:
            at, line = next((at for at, number in enumerate(self._numbers) if number), -1), 0
        if at < 0:
            return None
        first, last = self._firsts[at], self._last(at)
        text = self._lines[line - 1] if first <= line <= last else ""
        line = min(max(line, first), last)
        return CellPlace(self._numbers[at], line - first + 1, original_column(text, column, self.mark))

    def span(self, span: Span) -> tuple[int, Span] | None:
        """The cell of a span, and the span there."""
        start = self.place(span.line, span.column)
        if start is None:
            return None
        end_line = start.line + span.end_line - span.line
        text = self._lines[span.end_line - 1] if span.end_line <= len(self._lines) else ""
        end_column = original_column(text, span.end_column, self.mark)
        return start.cell, Span(start.line, start.column, end_line, end_column)

    def line_of(self, cell: int, line: int) -> int | None:
        """The line of the text where a line of a cell stands."""
        if cell not in self._numbers or not cell:
            return None
        at = self._numbers.index(cell)
        found = self._firsts[at] + line - 1
        return found if self._firsts[at] <= found <= self._last(at) else None

    def is_in_cell(self, line: int) -> bool:
        """Does a line of the text stand in a cell, rather than beside all of them?"""
        at = bisect_right(self._firsts, line) - 1
        return at >= 0 and bool(self._numbers[at])

    @property
    def first_line(self) -> int:
        """The line of the text where the first cell begins, below the magics that rule it as a whole."""
        at = next((at for at, number in enumerate(self._numbers) if number), 0)
        line = self._firsts[at] if self._firsts else 1
        while line < self._last(at) and self.shown(line).lstrip().startswith("%%"):
            line += 1
        return line

    def tags(self, line: int) -> tuple[str, ...]:
        """The tags of the cell around a line."""
        at = bisect_right(self._firsts, line) - 1
        return self._tags[at] if at >= 0 else ()

    def broken(self) -> Iterator[tuple[int, int, str]]:
        """The cells that were left out, as they are not Python: number, the line where each begins, and its text."""
        for at, (number, first) in enumerate(zip(self._numbers, self._firsts)):
            if BROKEN in self._tags[at]:
                yield number, first, "\n".join(map(self.shown, range(first, self._last(at) + 1)))

    def shown(self, line: int) -> str:
        """A line of the text as it stands in its cell."""
        return original_line(self._lines[line - 1], self.mark)

    def told(self, message: str, line: int) -> str:
        """A message about a line of the text, whose numbers of lines count in cells: of another than its own cell they
        are said with it.
        """
        own = self.place(line)
        message = _timing(self.mark).sub(lambda found: f"`{found[1] or self._timer(line)}`", message)

        def placed(lines: LinesSaid) -> str | None:
            known = {number: place for number in lines.numbers if (place := self.place(number)) is not None}
            if lines.file or len(known) != len({*lines.numbers}):
                return None
            cells = {place.cell for place in known.values()}
            if len(cells) == 1:
                first = known[lines.numbers[0]]
                where = "" if own is not None and cells == {own.cell} else f" of {self._name(first, own)}"
                return f"{lines.word} {lines.said(lambda number: str(known[number].line))}{where}"
            return lines.said(lambda number: f"line {known[number].line} of {self._name(known[number], own)}")

        return with_lines_said(message, placed)

    def _timer(self, line: int) -> str:
        """The magic that takes the time of the cell around a line, or of the one before it."""
        place = self.place(line)
        at = self._numbers.index(place.cell) if place is not None else 0
        words = (self.shown(each).partition(" ")[0].strip() for each in range(self._firsts[at], self._last(at) + 1))
        return next((word for word in words if word[:2] == "%%" and word[2:] in TIMING_CELLS), "%%time")

    def _name(self, place: CellPlace, own: CellPlace | None) -> str:
        """A cell in words."""
        if self._are_numbered:
            return f"cell {place.cell}"
        return "an earlier cell" if own is not None and place.cell < own.cell else "a later cell"

    def _last(self, at: int) -> int:
        """The last line of a stretch."""
        return self._firsts[at + 1] - 2 if at + 1 < len(self._firsts) else max(len(self._lines) - 1, self._firsts[at])


@lru_cache(maxsize=8)
def _timing(mark: str) -> re.Pattern[str]:
    """What a message calls the clock of a magic, with its line."""
    return re.compile(rf"`{mark}(?:\(\"[^%\"]*(%\w+)[^`]*\"\)|clock\(\))`(?: on line \d+)?")


def cells_of(lines: Sequence[str]) -> Cells | None:
    """The cells of a text; None if it was not made of a notebook."""
    head = _HEAD.fullmatch(lines[0]) if lines else None
    return Cells(lines, head["mark"], _heads(lines, head["mark"])) if head is not None else None


def cells_of_nbqa(lines: Sequence[str]) -> Cells | None:
    """The cells of a text that nbQA made; None if it did not."""
    first = lines[0] if lines else ""
    if _OF_NBQA.fullmatch(first) is None:
        return None
    heads = [number for number, line in enumerate(lines, 1) if line == first]
    return Cells(lines, MARK, [(line, number, ()) for number, line in enumerate(heads, 1)], are_numbered=False)


def _heads(lines: Sequence[str], mark: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """The lines before cells, with the number and the tags of the cell."""
    start = f"# %% {mark} "
    found = [(number, _HEAD.fullmatch(line)) for number, line in enumerate(lines, 1) if line.startswith(start)]
    return [(number, int(head["cell"]), tuple(head["tags"].split())) for number, head in found if head is not None]
