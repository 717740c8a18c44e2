"""Texts of an editor: places as the protocol counts them, changes taken in, and the edits between two texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

from lsprotocol import types

from flake8_jax.model.diagnostic import Span
from flake8_jax.syntax.source import NEWLINE

ContentChange: TypeAlias = types.TextDocumentContentChangeEvent

_BYTES = {types.PositionEncodingKind.Utf16: ("utf-16-le", 2), types.PositionEncodingKind.Utf8: ("utf-8", 1)}
"""How a text is encoded whose units a client counts, and the bytes of a unit; else it counts characters."""


class TextPlaces:
    """The places of a text, as a client counts them: lines from 0, columns in units of `encoding`."""

    __slots__ = ("_encoding", "_is_plain", "_starts", "text")

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self._encoding = encoding
        self._is_plain = text.isascii() or encoding == types.PositionEncodingKind.Utf32
        self._starts = [0, *(match.end() for match in NEWLINE.finditer(text))]

    def offset(self, position: types.Position) -> int:
        """The number of characters before a position; one that is not there is meant to be the nearest before."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        if self._is_plain:
            return min(start + position.character, self._end(position.line))
        line = self.text[start : self._end(position.line)]
        encoding, width = _BYTES[types.PositionEncodingKind(self._encoding)]
        before = line.encode(encoding, "surrogatepass")[: position.character * width]
        return start + len(before.decode(encoding, "ignore"))

    def position(self, offset: int) -> types.Position:
        """The position of a character."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        if self._is_plain:
            return types.Position(line, offset - start)
        encoding, width = _BYTES[types.PositionEncodingKind(self._encoding)]
        return types.Position(line, len(self.text[start:offset].encode(encoding, "surrogatepass")) // width)

    def range(self, span: Span) -> types.Range:
        """A span as a range."""
        return types.Range(
            self.position(self._at(span.line, span.column)), self.position(self._at(span.end_line, span.end_column))
        )

    def line(self, number: int) -> types.Range:
        """What stands on a line, without the white space around it."""
        if number > len(self._starts):
            return self.range(Span(number, 0, number, 0))
        text = self.text[self._starts[number - 1] : self._end(number - 1)]
        begin = len(text) - len(text.lstrip())
        return self.range(Span(number, begin, number, max(len(text.rstrip()), begin)))

    def place(self, position: types.Position) -> tuple[int, int]:
        """The line of a position, from 1, and its column in characters, from 0."""
        offset = self.offset(position)
        line = bisect_right(self._starts, offset) - 1
        return line + 1, offset - self._starts[line]

    def _at(self, line: int, column: int) -> int:
        if line > len(self._starts):
            return len(self.text)
        return min(self._starts[line - 1] + column, self._end(line - 1))

    def _end(self, line: int) -> int:
        """Where a line ends, before what ends it."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        while end > self._starts[line] and self.text[end - 1] in "\r\n":
            end -= 1
        return end


def changed(text: str, changes: Iterable[ContentChange], encoding: str) -> str:
    """A text after changes, one after the other."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            places = TextPlaces(text, encoding)
            begin, end = places.offset(change.range.start), places.offset(change.range.end)
            text = text[:begin] + change.text + text[max(begin, end) :]
        else:
            text = change.text
    return text


def edits_between(old: str, new: str, encoding: str) -> list[types.TextEdit]:
    """What makes one text the other, line by line."""
    before, after = _lines(old), _lines(new)
    first, last = common_ends(before, after)
    middle, other = before[first : len(before) - last], after[first : len(after) - last]
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    places = TextPlaces(old, encoding)
    return [
        types.TextEdit(
            types.Range(places.position(starts[first + begin]), places.position(starts[first + end])),
            "".join(other[start:stop]),
        )
        for what, begin, end, start, stop in SequenceMatcher(None, middle, other, autojunk=False).get_opcodes()
        if what != "equal"
    ]


def common_ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines two texts have in common at their beginning, and then at their end."""
    shorter = min(len(before), len(after))
    first = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    rest = shorter - first
    last = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    return first, last


def moved_to(span: Span, before: Sequence[str], after: Sequence[str]) -> Span | None:
    """Where a span of a text of these lines stands in another; None if it is about lines that were changed."""
    first, last = common_ends(before, after)
    if span.end_line <= first:
        return span
    if span.line > len(before) - last:
        more = len(after) - len(before)
        return Span(span.line + more, span.column, span.end_line + more, span.end_column)
    return None


def _lines(text: str) -> list[str]:
    """The lines of a text with what ends them."""
    ends = [match.end() for match in NEWLINE.finditer(text)]
    return [text[begin:end] for begin, end in zip([0, *ends], [*ends, len(text)]) if begin < end]
