"""The uses of resources on a path, and which of them may concern a further one.

A key that is used is compared with those that were used before.  Which these can be is told by what a key has in common
with them: the array that it is a part of, or how it was derived.  A *grouping* gives the marks of a value, and those
that have a mark are looked up in an index, which all copies of a state share: what a value is never changes.

    normal(ks[0])                   marks of ks[0]: (ks, 0)
    normal(ks[1])                   of ks[1]: (ks, 1), which nothing before it has
    normal(ks[0])                   (ks, 0) finds the first use
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator
from heapq import merge
from itertools import groupby, islice
from typing import TypeAlias

from flake8_jax.domain.resources import Used, unite_uses
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import dataclass, field

Grouping: TypeAlias = "Callable[[Value], Iterable[Hashable]]"
"""What gives the marks of a value."""


@dataclass(slots=True, eq=False)
class Marked:
    """The values that have a mark, by the mark, of the first `count` that were used."""

    count: int = 0
    groups: dict[Hashable, list[int]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class UseIndex:
    """All values that were used on any path, by the order of their first use, and those that have a mark.

    `log` has each value as often as uses of it were noted.
    """

    values: list[Value] = field(default_factory=list)
    known: dict[Value, int] = field(default_factory=dict)
    log: list[Value] = field(default_factory=list)
    marked: dict[Grouping, Marked] = field(default_factory=dict)

    def having(self, grouping: Grouping, marks: Iterable[Hashable], is_reverse: bool) -> Iterator[Value]:
        """The values that have any of some marks, in order of the first use, or in reverse."""
        marked = self.marked.setdefault(grouping, Marked())
        for number in range(marked.count, len(self.values)):
            for mark in grouping(self.values[number]):
                marked.groups.setdefault(mark, []).append(number)
        marked.count = len(self.values)
        found = [group for mark in marks if (group := marked.groups.get(mark)) is not None]
        groups = [reversed(group) for group in found] if is_reverse else [iter(group) for group in found]
        merged = merge(*groups, reverse=is_reverse)
        numbers = groups[0] if len(groups) == 1 else (number for number, _ in groupby(merged))
        return (self.values[number] for number in numbers)


@dataclass(slots=True)
class Uses:
    """The uses of each value on a path."""

    by_value: dict[Value, tuple[Used, ...]] = field(default_factory=dict)
    index: UseIndex = field(default_factory=UseIndex, compare=False)

    def __contains__(self, value: Value) -> bool:
        return value in self.by_value

    def __len__(self) -> int:
        return len(self.by_value)

    def get(self, value: Value) -> tuple[Used, ...]:
        """The uses of a value."""
        return self.by_value.get(value, ())

    def items(self) -> ItemsView[Value, tuple[Used, ...]]:
        """All values that were used, with their uses."""
        return self.by_value.items()

    def having(
        self, grouping: Grouping, marks: Iterable[Hashable], most: int | None = None
    ) -> list[tuple[Value, tuple[Used, ...]]]:
        """The values that were used and have any of some marks, with their uses, in order of the first use.

        The first of them up to a bound, or the last up to a negative one.
        """
        is_last = most is not None and most < 0
        known = self.index.having(grouping, marks, is_last) if self.by_value else ()
        here = ((value, self.by_value[value]) for value in known if value in self.by_value)
        found = list(islice(here, most if most is None else abs(most)))
        return found[::-1] if is_last else found

    def add(self, value: Value, uses: tuple[Used, ...]) -> None:
        """Add uses of a value."""
        mine = self.by_value.get(value, ())
        both = unite_uses(mine, uses)
        if both is not mine:
            self.set(value, both)

    def set(self, value: Value, uses: tuple[Used, ...]) -> None:
        """Replace the uses of a value."""
        self.by_value[value] = uses
        index = self.index
        index.log.append(value)
        if value not in index.known:
            index.known[value] = len(index.values)
            index.values.append(value)

    @property
    def moment(self) -> int:
        """The present moment, to be passed to `since`."""
        return len(self.index.log)

    def since(self, moment: int) -> list[tuple[Value, tuple[Used, ...]]]:
        """The values of which uses were noted since a moment, with all their uses, in order of the first use."""
        found = sorted(set(self.index.log[moment:]), key=self.index.known.__getitem__)
        return [(value, self.by_value[value]) for value in found if value in self.by_value]

    def forget(self, value: Value) -> None:
        """Forget the uses of a value."""
        self.by_value.pop(value, None)

    def copy(self) -> Uses:
        """An independent copy, with the same index."""
        return Uses(self.by_value.copy(), self.index)

    def joined(self, other: Uses) -> Uses:
        """The uses on either path."""
        mine, others = self.by_value, other.by_value
        if len(mine) < len(others) and self.index is other.index:  # what is on one path only stays as it is
            joined = other.copy()
            for value in [one for one, uses in mine.items() if one not in others or others[one] is not uses]:
                joined.set(value, unite_uses(mine[value], others.get(value, ())))
            return joined
        joined = self.copy()
        for value in [one for one, uses in others.items() if one not in mine or mine[one] is not uses]:
            joined.add(value, others[value])
        return joined
