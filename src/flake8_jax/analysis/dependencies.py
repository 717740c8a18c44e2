"""What results depend on: questions, united over all results that each was made from.

A question was asked of a file (`syntax/questions.py`), and has a number.  A result is a `Dependent`; it notes the few
questions that were asked for it, and the results that it used, in which there may be cycles; the many that are united
are the bits of one number.  The dependencies of used results are computed once, by Tarjan's strongly connected
components: all results of a component depend on the same questions.  By then their notes are final.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Protocol, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.report import PlainArguments
from flake8_jax.syntax.questions import FIRST, TEXT

GENERAL, BODY = 0, -1
"""The numbers of the run of a function for any arguments, and of one for arguments that cannot be told."""

MOST = 20_000
"""So many questions are told apart; of statements asked for after these, each stands for all of its file."""


Sought: TypeAlias = "tuple[str, str, frozenset[str]]"
"""A question which statements of a file hold one of some words, and have a pattern."""


class Dependent(Protocol):
    """A result, with what was asked of files for it and the results that it used."""

    submodules: frozenset[tuple[str, str]]
    sought: frozenset[Sought]

    @property
    def asked(self) -> Collection[int]:
        """The numbers of the questions that were asked for it."""

    @property
    def uses(self) -> Iterable[Dependent]:
        """The results that it used."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions as bits, the names that were looked up below packages, and the words that were looked for."""

    bits: int = 0
    submodules: frozenset[tuple[str, str]] = frozenset()
    sought: frozenset[Sought] = frozenset()


NONE, MARKED = Asked(), Asked(1)


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions by file, as bits; apart from these what functions tell that are run for some arguments, with these."""

    files: dict[str, int] = field(default_factory=dict)
    told: dict[str, list[tuple[int, PlainArguments]]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class DependencyGraph:
    """The number of each question, and the transitive dependencies of used records, as the bits that count now."""

    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)
    _asked: list[tuple[str, int, int]] = field(default_factory=list)
    _arguments: dict[PlainArguments, int] = field(default_factory=lambda: {(): GENERAL})
    _closed: dict[Dependent, Asked] = field(default_factory=dict)
    _once: dict[Asked, Asked] = field(default_factory=dict)
    _marks: Callable[[Dependent], bool] | None = None

    def number(self, path: str, asked: int = TEXT, beyond: int = TEXT, arguments: int = GENERAL) -> int:
        """The number of a question that is asked of a file, or of a run for arguments with a number; `beyond` once too
        many are told apart.
        """
        found = self._numbers.get((path, asked, arguments))
        if found is None:
            if asked >= FIRST and len(self._asked) >= MOST:
                return self.number(path, beyond)
            found = self._numbers[(path, asked, arguments)] = len(self._asked)
            self._asked.append((path, asked, arguments))
        return found

    def number_of(self, arguments: PlainArguments | None) -> int:
        """The number of the arguments for which a function is run, if they can be told."""
        return BODY if arguments is None else self._arguments.setdefault(arguments, len(self._arguments))

    def of(self, record: Dependent) -> tuple[Questions, Asked]:
        """What a record depends on that nothing uses: questions asked of files, and all of them as they were noted."""
        used = (self._closed.get(each) or self._close(each) for each in record.uses)
        asked = _united(self._own(record), used)
        found, digits, arguments = Questions(), f"{asked.bits:b}"[::-1], list(self._arguments)
        number = digits.find("1")
        while number >= 0:
            path, question, given = self._asked[number]
            if given:
                found.told.setdefault(path, []).append((question, arguments[given]))
            else:
                found.files[path] = found.files.get(path, 0) | question
            number = digits.find("1", number + 1)
        return found, asked

    def depending_on(
        self, is_asked: Callable[[str, int], bool], is_sought: Callable[[Sought], bool]
    ) -> Callable[[Dependent], bool]:
        """Tells whether a record depends on some questions, until `forget`; the notes of all records are final."""
        self.forget()
        numbers = {number for number, (path, question, _) in enumerate(self._asked) if is_asked(path, question)}
        self._marks = lambda record: not numbers.isdisjoint(record.asked) or any(map(is_sought, record.sought))
        return lambda record: bool((self._closed.get(record) or self._close(record)).bits)

    def forget(self) -> None:
        """Forget what records depend on: of some, more will be noted."""
        self._closed.clear()
        self._once.clear()
        self._marks = None

    def _own(self, record: Dependent) -> Asked:
        """What was asked for a record itself; while it counts only whether something was, one bit for that."""
        if self._marks is not None:
            return MARKED if self._marks(record) else NONE
        return Asked(sum([1 << number for number in record.asked]), record.submodules, record.sought)

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
            asked = _united(asked, (self._own(record), *(self._closed.get(used, NONE) for used in record.uses)))
        asked = self._once.setdefault(asked, asked)
        for record in component:
            self._closed[record] = asked


def _united(asked: Asked, others: Iterable[Asked]) -> Asked:
    bits, submodules, sought = asked.bits, asked.submodules, asked.sought
    for more in others:
        bits |= more.bits
        if more.submodules:
            submodules |= more.submodules
        if more.sought:
            sought |= more.sought
    return Asked(bits, submodules, sought)
