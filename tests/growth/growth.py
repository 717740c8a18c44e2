"""How the cost of a family grows from one size to twice that size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.growth.measuring import Measured

MOST = 2.2
"""What doubling a program may do to a count at most."""

CALLERS = 3
"""How many callers of a function that grows too fast are shown."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The costs of a family at size 0, n and 2n; None is what did not end."""

    family: str
    size: int
    base: Measured | None
    one: Measured | None
    two: Measured | None

    @property
    def ops(self) -> float | None:
        """By how much the ops grow."""
        if self.base is None or self.one is None or self.two is None:
            return None
        return _ratio(self.base.ops, self.one.ops, self.two.ops)

    @property
    def calls(self) -> float | None:
        """By how much the calls grow."""
        if self.base is None or self.one is None or self.two is None:
            return None
        return _ratio(self.base.calls, self.one.calls, self.two.calls)

    @property
    def is_bounded(self) -> bool:
        """Do all counts grow at most as they may?"""
        return self.ops is not None and self.ops <= MOST and self.calls is not None and self.calls <= MOST

    def culprits(self, most: int = 8) -> list[str]:
        """The functions with most calls at 2n above twice those at n, with the callers that account for them."""
        if self.one is None or self.two is None:
            return []
        rows = _excess(self.one.by_function, self.two.by_function)[:most]
        return [
            f"+{more:<9} {self.two.by_function[place] / max(self.one.by_function.get(place, 0), 1):5.2f} x  {place}"
            + _callers(self.one.by_caller.get(place, {}), self.two.by_caller.get(place, {}))
            for more, place in rows
        ]  # fmt: skip


def _callers(one: Mapping[str, int], two: Mapping[str, int]) -> str:
    rows = _excess(one, two)[:CALLERS]
    return "".join(f"  <- {place} +{more}" for more, place in rows)


def _excess(one: Mapping[str, int], two: Mapping[str, int]) -> list[tuple[int, str]]:
    """By how much each number is more than twice what it was, the largest first."""
    rows = ((number - 2 * one.get(place, 0), place) for place, number in two.items())
    return sorted((row for row in rows if row[0] > 0), key=lambda row: (-row[0], row[1]))


def _ratio(base: int, one: int, two: int) -> float:
    return (two - base) / max(one - base, 1)
