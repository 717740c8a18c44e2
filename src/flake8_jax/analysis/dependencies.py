"""Which files results depend on: bits of one number, united over all results that each was made from.

A result is a `Dependent`; it notes the files that were read for it and the results that it used, in which there may be
cycles.  The dependencies of used results are computed once, by Tarjan's strongly connected components: all results of a
component depend on the same files.  By then their notes are final.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field


class Dependent(Protocol):
    """A result, with the files that were read for it and the results that it used."""

    files: int
    submodules: set[tuple[str, str]]

    @property
    def uses(self) -> Iterable[Dependent]:
        """The results that it used."""


Files: TypeAlias = "tuple[int, frozenset[tuple[str, str]]]"
"""Files as bits, and the names that were looked up below packages."""

NONE: Files = (0, frozenset())


@dataclass(slots=True, eq=False)
class DependencyGraph:
    """The bit of each file, and the transitive dependencies of used records."""

    _bits: dict[str, int] = field(default_factory=dict)
    _closed: dict[Dependent, Files] = field(default_factory=dict)

    def bit(self, path: str) -> int:
        """The number of a file, one bit."""
        found = self._bits.get(path)
        if found is None:
            found = self._bits[path] = 1 << len(self._bits)
        return found

    def of(self, records: Iterable[Dependent]) -> tuple[list[str], frozenset[tuple[str, str]]]:
        """The files that records depend on, and the names that were looked up below packages."""
        files, submodules = NONE
        for record in records:
            more, names = self._closed.get(record) or self._close(record)
            files, submodules = files | more, submodules | names if names else submodules
        return [path for path, digit in zip(self._bits, reversed(f"{files:b}")) if digit == "1"], submodules

    def depending_on(self, path: str) -> Callable[[Dependent], bool]:
        """Tells whether a record depends on a file; the notes of all records are final."""
        self._closed.clear()
        digit = self.bit(path)
        return lambda record: bool((self._closed.get(record) or self._close(record))[0] & digit)

    def forget(self) -> None:
        """Forget what records depend on: of some, more will be noted."""
        self._closed.clear()

    def _close(self, record: Dependent) -> Files:
        """Compute the dependencies of a record, and of all that it uses."""
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
                    self._close_component(stack, current)
        return closed[record]

    def _close_component(self, stack: list[Dependent], last: Dependent) -> None:
        component = [stack.pop()]
        while component[-1] is not last:
            component.append(stack.pop())
        files = NONE
        for record in component:
            files = _united(files, record, (self._closed.get(used, NONE) for used in record.uses))
        for record in component:
            self._closed[record] = files


def _united(files: Files, record: Dependent, others: Iterator[Files]) -> Files:
    bits, submodules = files[0] | record.files, files[1] | record.submodules
    for more, names in others:
        bits |= more
        if names:
            submodules |= names
    return bits, submodules
