"""A text with room between its parts, so that an edit of one leaves the lines of the others as they are.

    1  import jax                1  import jax               1  import jax
                                                             ...
    3  def f(x):               18  def f(x):                18  def f(x):
    4      return x            19      return x             19      y = x
                                                            20      return y
    6  def g(x): ...           36  def g(x): ...            36  def g(x): ...

What is kept of a file between edits names its lines: of `g` it stays true.  A part begins below an empty line where
something stands at the margin, and holds more than comments; it is placed by its first line that is none, so that what
is said above a function moves nothing, either.  What is found in the spaced text is told by the lines of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.code import code_of

ROOM = 16
"""So many lines are free below each part, for more of it or for comments above the next."""


@dataclass(frozen=True, slots=True)
class SpacedText:
    """A text, the same with room in it, and the first lines of its parts in both; `anchors` are those by which parts
    are placed.
    """

    original: str
    text: str
    firsts: tuple[int, ...]
    starts: tuple[int, ...]
    anchors: tuple[int, ...]

    def line_of(self, line: int) -> int:
        """The line of the text for one of the spaced text; for one that is free, where the next part begins."""
        part = max(bisect_right(self.starts, line) - 1, 0)
        found = self.firsts[part] + max(line - self.starts[part], 0)
        return min(found, self.firsts[part + 1]) if part + 1 < len(self.firsts) else found


def spaced(text: str, before: SpacedText | None = None) -> SpacedText | None:
    """A text with room in it, its parts where they were before if they fit there; None where lines count as they are,
    since comments in it say something.
    """
    code = code_of(text)
    if not code.is_apart:
        return None
    lines = text.split("\n")
    firsts = [1, *_firsts(lines, code.inside)]
    parts = [lines[first - 1 : last - 1] for first, last in zip(firsts, [*firsts[1:], len(lines) + 1])]
    anchors = before.anchors if before is not None and len(before.anchors) == len(parts) else None
    starts = _starts(parts, anchors) if anchors is not None else None
    if starts is None or anchors is None:
        starts = _starts_anew(parts)
        anchors = tuple(start + _above(part) for start, part in zip(starts, parts))
    made = list[str]()
    for start, part in zip(starts, parts):
        made += [""] * (start - 1 - len(made))
        made += part
    return SpacedText(text, "\n".join(made), tuple(firsts), tuple(starts), tuple(anchors))


def _firsts(lines: Sequence[str], inside: frozenset[int]) -> Iterator[int]:
    """The first line of each part but the first."""
    has_code = False
    for number, line in enumerate(lines, 1):
        begins = line[:1].strip() and line[0] not in ")]}" and number not in inside
        if begins and has_code and not lines[number - 2].strip():
            has_code = False
            yield number
        has_code = has_code or _is_code(line)


def _is_code(line: str) -> bool:
    return bool(line.strip()) and line[0] != "#"


def _above(part: Sequence[str]) -> int:
    """How many lines of a part are comments above the rest of it; none if it has no rest."""
    return next((number for number, line in enumerate(part) if _is_code(line)), 0)


def _starts(parts: Sequence[Sequence[str]], anchors: Sequence[int]) -> list[int] | None:
    """Where parts begin that are placed as before; None if one does not fit."""
    starts = [anchor - _above(part) for anchor, part in zip(anchors, parts)]
    ends = [1, *(start + len(part) for start, part in zip(starts, parts))]
    return starts if starts[0] == 1 and all(end <= start for end, start in zip(ends, starts)) else None


def _starts_anew(parts: Sequence[Sequence[str]]) -> list[int]:
    """Where parts begin that have room below them."""
    starts = [1]
    for part in parts[:-1]:
        starts.append(starts[-1] + len(part) + ROOM)
    return starts
