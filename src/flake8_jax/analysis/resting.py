"""What records rest on: files and their statements, as bits of one number, gathered through all that was used.

    ops.py          bits 0 to 3: it was looked at; it counts what else it binds; its two statements
    train.py        bits 16 to 19 ...               (each file begins with a byte of its own)

A run asks for what thousands of records rest on, each of which uses dozens of others.  A union of numbers costs little,
and what a record rests on that others use is found out once: what they took of it does not change any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flake8_jax.analysis.program import Record

FIRST = 2
"""For how many bytes a file gets room at first; one that needs more gets more, apart from these."""

Rest = tuple[int, frozenset[tuple[str, str]]]


@dataclass(slots=True, eq=False)
class Rests:
    """Which bits stand for which file, and what is known of records that others use."""

    _spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    _all: list[tuple[str, int, int]] = field(default_factory=list)
    _top: int = 0
    _closed: dict[Record, Rest] = field(default_factory=dict)

    def of(self, path: str, bits: int = 0) -> int:
        """The number that stands for a file, with some of its statements."""
        found = 2 * bits + 1
        base, width = self._spans.get(path, (0, 0))
        if 8 * width < found.bit_length():
            base, width = self._top, max(FIRST, found.bit_length() // 4)
            self._spans[path] = base, width
            self._all.append((path, base, width))
            self._top += width
        return found << 8 * base

    def grounds(self, records: Iterable[Record]) -> tuple[dict[str, int], set[tuple[str, str]]]:
        """The files that records rest on, with the statements of each as bits, and the names below packages."""
        rests = 0
        asked: set[tuple[str, str]] = set()
        uses: set[Record] = set()
        for record in records:
            rests |= record.rests
            asked |= record.asked
            uses |= record.uses
        for used in uses:
            more, names = self.closed(used)
            rests |= more
            asked |= names
        return self.parts(rests), asked

    def closed(self, record: Record) -> Rest:
        """What a record rests on that others use, with all that it uses."""
        return self._closed.get(record) or self._close(record)

    def parts(self, rests: int) -> dict[str, int]:
        """The files in a number, with the statements of each as bits."""
        found: dict[str, int] = {}
        data = rests.to_bytes(self._top, "little")
        for path, base, width in self._all:
            if data[base] & 1:
                found[path] = found.get(path, 0) | int.from_bytes(data[base : base + width], "little") >> 1
        return found

    def _close(self, record: Record) -> Rest:
        """What a record rests on with all that it uses, by Tarjan's way: those that use each other rest on the same."""
        closed, order, lowest = self._closed, {record: 0}, {record: 0}
        stack, path = [record], [(record, iter(record.uses))]
        while path:
            current, waiting = path[-1]
            for used in waiting:
                if used in closed:
                    continue
                if used not in order:
                    order[used] = lowest[used] = len(order)
                    stack.append(used)
                    path.append((used, iter(used.uses)))
                    break
                lowest[current] = min(lowest[current], order[used])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[current])
                if lowest[current] == order[current]:
                    self._close_together(stack, current)
        return closed[record]

    def _close_together(self, stack: list[Record], last: Record) -> None:
        circle = [stack.pop()]
        while circle[-1] is not last:
            circle.append(stack.pop())
        rests = 0
        asked: frozenset[tuple[str, str]] = frozenset()
        for record in circle:
            rests |= record.rests
            asked |= record.asked
            for used in record.uses:
                more, names = self._closed.get(used, (0, asked))
                rests |= more
                asked = asked | names if names else asked
        for record in circle:
            self._closed[record] = rests, asked
