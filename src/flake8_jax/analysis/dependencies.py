"""What results depend on: bits of one number, united over all results that each was made from.

A bit stands for a question that was asked of a file (`syntax/questions.py`).  A result is a `Dependent`; it notes the
questions that were asked for it and the results that it used, in which there may be cycles.  The dependencies of used
results are computed once, by Tarjan's strongly connected components: all results of a component depend on the same
questions.  By then their notes are final.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Protocol, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.questions import CODE, FIRST, TEXT, is_of_text

MOST = 20_000
"""So many questions are told apart; of statements asked for after these, each stands for all code of its file."""


Sought: TypeAlias = "tuple[str, str, frozenset[str]]"
"""A question which statements of a file hold one of some words, and have a pattern."""


class Dependent(Protocol):
    """A result, with what was asked of files for it and the results that it used."""

    asked: int
    submodules: frozenset[tuple[str, str]]
    sought: frozenset[Sought]

    @property
    def uses(self) -> Iterable[Dependent]:
        """The results that it used."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions as bits, the names that were looked up below packages, and the words that were looked for."""

    bits: int = 0
    submodules: frozenset[tuple[str, str]] = frozenset()
    sought: frozenset[Sought] = frozenset()


NONE = Asked()


@dataclass(slots=True, eq=False)
class DependencyGraph:
    """The bit of each question, and the transitive dependencies of used records: of these the bits that count now."""

    _bits: dict[tuple[str, int], int] = field(default_factory=dict)
    _asked: list[tuple[str, int]] = field(default_factory=list)
    _closed: dict[Dependent, Asked] = field(default_factory=dict)
    _once: dict[Asked, Asked] = field(default_factory=dict)
    _counting: int = -1

    def bit(self, path: str, asked: int = TEXT) -> int:
        """The number of a question that is asked of a file, one bit."""
        found = self._bits.get((path, asked))
        if found is None:
            if asked >= FIRST and len(self._asked) >= MOST:
                return self.bit(path, TEXT if is_of_text(asked) else CODE)
            found = self._bits[(path, asked)] = 1 << len(self._asked)
            self._asked.append((path, asked))
        return found

    def of(self, record: Dependent) -> tuple[dict[str, int], Asked]:
        """What a record depends on that nothing uses: questions asked of files, and all of them as they were noted."""
        asked = _united(NONE, record, (self._closed.get(used) or self._close(used) for used in record.uses), -1)
        found, digits = dict[str, int](), f"{asked.bits:b}"[::-1]
        number = digits.find("1")
        while number >= 0:
            path, question = self._asked[number]
            found[path] = found.get(path, 0) | question
            number = digits.find("1", number + 1)
        return found, asked

    def depending_on(self, paths: Collection[str]) -> Callable[[Dependent], bool]:
        """Tells whether a record depends on one of some files, until `forget`; the notes of all records are final."""
        self.forget()
        self._counting = sum(bit for (file, _), bit in self._bits.items() if file in paths)
        return lambda record: bool((self._closed.get(record) or self._close(record)).bits)

    def forget(self) -> None:
        """Forget what records depend on: of some, more will be noted."""
        self._closed.clear()
        self._once.clear()
        self._counting = -1

    def _close(self, record: Dependent) -> Asked:
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
        asked = NONE
        for record in component:
            asked = _united(asked, record, (self._closed.get(used, NONE) for used in record.uses), self._counting)
        asked = self._once.setdefault(asked, asked)
        for record in component:
            self._closed[record] = asked


def _united(asked: Asked, record: Dependent, others: Iterable[Asked], counting: int) -> Asked:
    bits = asked.bits | record.asked & counting
    submodules, sought = asked.submodules | record.submodules, asked.sought | record.sought
    for more in others:
        bits |= more.bits
        if more.submodules:
            submodules |= more.submodules
        if more.sought:
            sought |= more.sought
    return Asked(bits, submodules, sought)
