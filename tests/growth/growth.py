"""How the cost of a family grows each time its program is doubled.

Size 0 is subtracted: what a program has around its parts, and what every file costs, would hide the growth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.growth.measuring import Measured

MOST = 2.2
"""What doubling a program may do to a count at most."""

CALLERS = 3
"""How many callers of a function that grows too fast are shown."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The costs of a family at size 0, and at n, 2n and so on; None is what did not end."""

    family: str
    size: int
    base: Measured | None
    found: Sequence[Measured | None]

    @property
    def ops(self) -> list[float] | None:
        """By how much the ops grow, for each doubling."""
        return self._ratios([one.ops if one is not None else None for one in (self.base, *self.found)])

    @property
    def calls(self) -> list[float] | None:
        """By how much the calls grow, for each doubling."""
        return self._ratios([one.calls if one is not None else None for one in (self.base, *self.found)])

    @property
    def times(self) -> list[float]:
        """By how much the CPU time grows, for each doubling; not exact, it shows what is searched without a call."""
        start = self.base.seconds if self.base is not None else 0.0
        ended = [one.seconds - start for one in self.found if one is not None]
        return [two / one if one > 0 else 0.0 for one, two in pairwise(ended)]

    @staticmethod
    def _ratios(counts: Sequence[int | None]) -> list[float] | None:
        base, *numbers = [count for count in counts if count is not None]
        if len(numbers) + 1 < len(counts):
            return None
        return [(two - base) / max(one - base, 1) for one, two in pairwise(numbers)]

    @property
    def faults(self) -> int:
        """How many files could not be judged, of which no cost is known."""
        return sum(one.faults for one in (self.base, *self.found) if one is not None)

    @property
    def is_bounded(self) -> bool:
        """Do all counts grow at most as they may, each time?  What shrinks was not measured above size 0."""
        return not self.faults and all(
            ratios is not None and min(ratios) >= 0 and max(ratios) <= MOST for ratios in (self.ops, self.calls)
        )

    def row(self) -> str:
        """One line of the table."""
        start = f"{self.family:44} {self.size:>5} "
        if self.ops is None or self.calls is None:
            sizes = [0, *(self.size << place for place in range(len(self.found)))]
            ended = [str(size) for size, one in zip(sizes, (self.base, *self.found)) if one is None]
            return f"{start}unbounded at size {', '.join(ended)}  <<<"
        last = self.found[-1]
        assert last is not None
        fault = f"  {self.faults} files were not judged" if self.faults else ""
        ops, calls = (" ".join(f"{ratio:.2f}" for ratio in ratios) for ratios in (self.ops, self.calls))
        mark = "" if self.is_bounded else "  <<<"
        time = f"{last.seconds:.1f} {self.times[-1]:.1f}x"
        return f"{start}{ops:>10} {calls:>10} {last.calls:>11} {time:>12} {last.findings:>8}{fault}{mark}"

    def culprits(self, most: int = 8) -> list[str]:
        """The functions with most calls above twice those at half the size, with the callers that account for them."""
        ended = [one for one in self.found if one is not None]
        if len(ended) < 2:
            return []
        *_, one, two = ended
        rows = _excess(one.by_function, two.by_function)[:most]
        return [
            f"+{more:<9} {two.by_function[place] / max(one.by_function.get(place, 0), 1):5.2f} x  {place}"
            + _callers(one.by_caller.get(place, {}), two.by_caller.get(place, {}))
            for more, place in rows
        ]  # fmt: skip


TITLE = f"{'family':44} {'n':>5} {'ops':>10} {'calls':>10} {'calls, last':>11} {'seconds':>12} {'findings':>8}"


def _callers(one: Mapping[str, int], two: Mapping[str, int]) -> str:
    rows = _excess(one, two)[:CALLERS]
    return "".join(f"  <- {place} +{more}" for more, place in rows)


def _excess(one: Mapping[str, int], two: Mapping[str, int]) -> list[tuple[int, str]]:
    """By how much each number is more than twice what it was, the largest first."""
    rows = ((number - 2 * one.get(place, 0), place) for place, number in two.items())
    return sorted((row for row in rows if row[0] > 0), key=lambda row: (-row[0], row[1]))
