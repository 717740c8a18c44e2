"""Where lines of a text stand once only its comments and empty lines have changed.

    1  # a note              1  # a note, and more
    2                        2  # of it
    3  x[0] = 1              3  x[0] = 1  # why
    4  y = f(x)              4
                             5  y = f(x)

A text is divided into its statements at the top and the gaps between them, numbered in order: the gap above the first
statement is 0, that statement 1, the gap below it 2.  What is found in a statement moves with it, if the texts of all
that was looked at, comments among it, are what they were.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.index import Index, digest_of_lines

_CODE_OR_LINES = compiled(r"`[^`]*`|\b(?P<word>lines?) (?P<numbers>\d+(?:(?:, | and )\d+)*)(?: of `(?P<file>[^`]*)`)?")
_BOTH_ELSEWHERE = compiled(r", both in `([^`]*)`")
_NUMBER = compiled(r"\d+")


@dataclass(frozen=True, slots=True)
class LinesSaid:
    """Where a message names lines: of which file, "" for its own, the word before the numbers, and these as written."""

    file: str
    word: str
    written: str
    start: int
    end: int

    @property
    def numbers(self) -> list[int]:
        """The numbers of the lines."""
        return [int(number) for number in _NUMBER.findall(self.written)]

    def said(self, number: Callable[[int], str]) -> str:
        """The same with each number said in another way."""
        return _NUMBER.sub(lambda found: number(int(found[0])), self.written)


def lines_said(message: str) -> Iterator[LinesSaid]:
    """Where a message names lines, in order."""
    both = _BOTH_ELSEWHERE.search(message)
    for found in _CODE_OR_LINES.finditer(message):
        if found["word"] is not None:
            is_both = both is not None and found.start() < both.start() and found["file"] is None
            file = both[1] if both is not None and is_both else found["file"] or ""
            yield LinesSaid(file, found["word"], found["numbers"], found.start("word"), found.end("numbers"))


def with_lines_said(message: str, said: Callable[[LinesSaid], str | None]) -> str:
    """A message in which each mention of lines is said in another way; None leaves it as it is."""
    parts, last = list[str](), 0
    for each in lines_said(message):
        other = said(each)
        if other is not None:
            parts += [message[last : each.start], other]
            last = each.end
    return "".join([*parts, message[last:]])


def with_lines_moved(message: str, moved: Mapping[str, Callable[[int], int]]) -> str:
    """A message of which the lines of some files have moved, by their names, which is "" for its own."""

    def said(each: LinesSaid) -> str | None:
        to = moved.get(each.file)
        return f"{each.word} {each.said(lambda number: str(to(number)))}" if to is not None else None

    return with_lines_said(message, said)


def stretch_of(index: Index, line: int) -> int:
    """The statement or gap that a line is in."""
    number = bisect_right(index.statements, line, key=lambda statement: statement.line)
    is_inside = number > 0 and line <= index.statements[number - 1].end_line
    return 2 * number - 1 if is_inside else 2 * number


def digests_of(index: Index, lines: Sequence[str], stretches: Iterable[int]) -> list[tuple[int, bytes]]:
    """The digests of the texts of some statements and gaps, with their numbers."""
    found = list[tuple[int, bytes]]()
    for number in sorted(set(stretches)):
        first, last = _bounds(index, number, len(lines))
        found.append((number, digest_of_lines(lines[first:last])))
    return found


def moving(before: Index, now: Index) -> Callable[[int], int]:
    """Where the lines of a text stand now, if the statements or gaps that they are in are the same."""

    def moved(line: int) -> int:
        number = stretch_of(before, line)
        return line - _bounds(before, number, line)[0] + _bounds(now, number, line)[0]

    return moved


def _bounds(index: Index, number: int, length: int) -> tuple[int, int]:
    """The first line of a statement or gap, from 0, and the one below it, in a text of so many lines."""
    at, is_statement = divmod(number, 2)
    statements = index.statements
    if is_statement:
        return statements[at].line - 1, statements[at].end_line
    return statements[at - 1].end_line if at else 0, statements[at].line - 1 if at < len(statements) else length
