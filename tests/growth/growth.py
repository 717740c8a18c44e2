"""How the cost of a family grows from one size to twice that size."""

from __future__ import annotations

from dataclasses import dataclass

from tests.growth.measuring import Measured

MOST = 2.2
"""What doubling a program may do to a count at most."""

TELLING = 0.01
"""The share of all calls from which on a function is shown as one that grows."""


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
        """The functions whose calls grow most, of those that count."""
        if self.one is None or self.two is None:
            return []
        floor = self.two.calls * TELLING
        rows = [
            (number / max(self.one.by_function.get(place, 0), 1), number, place)
            for place, number in self.two.by_function.items() if number >= floor
        ]  # fmt: skip
        return [f"{growth:5.2f} x  {number:>10}  {place}" for growth, number, place in sorted(rows, reverse=True)[:most]]


def _ratio(base: int, one: int, two: int) -> float:
    return (two - base) / max(one - base, 1)
