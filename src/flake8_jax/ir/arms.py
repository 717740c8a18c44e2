"""Which ops are reached whenever another one is: where they stand in branches, loops and `try`.

if slow:
    MODE = old         stands in the first arm of `slow`, like what follows
    MODE = new         reached on every path that reaches the line above

Of ops that are alike, it is noted by arm where the last one stands that nothing further decides, and where the first
one stands at all; so whether one of them goes with a given op is looked up, and not searched among them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass, field

Arm: TypeAlias = "tuple[Op, bool]"
"""A branch and whether its body is taken, or a loop or `try`."""


@dataclass(slots=True)
class ByArm:
    """Ops that are alike: the last by the innermost arm that decides whether it is reached, the first by each arm, and
    the place of the last of all.
    """

    end: int = 0
    last: dict[Arm | None, int] = field(default_factory=dict)
    first: dict[Arm | None, int] = field(default_factory=dict)

    def is_behind(self, place: int) -> bool:
        """Does one of them stand behind a place, wherever that is?"""
        return self.end > place

    def covers_behind(self, place: int, way: Sequence[Op]) -> bool:
        """Is one of them reached, behind a place, on every path that reaches the end of a way?"""
        return any(self.last.get(arm, place) > place for arm in (None, *_arms_on(way)))

    def is_covered_before(self, place: int, way: Sequence[Op]) -> bool:
        """Does one of them stand before a place, and is the end of a way reached on every path that reaches it?"""
        return self.first.get(_deciding(way), place) < place


def by_arm(alike: Iterable[tuple[int, Sequence[Op]]]) -> ByArm:
    """The index of some ops, given by their places and the ways to them."""
    found = ByArm()
    for place, way in alike:
        found.end = max(place, found.end)
        decides = _deciding(way)
        found.last[decides] = max(place, found.last.get(decides, place))
        for arm in (None, *_arms_on(way)):
            found.first[arm] = min(place, found.first.get(arm, place))
    return found


def _arms_on(way: Sequence[Op]) -> Iterator[Arm]:
    for outer, inner in pairwise(way):
        if type(outer) in (ops.Branch, ops.Loop, ops.Try):
            yield outer, type(outer) is not ops.Branch or inner in outer.body


def _deciding(way: Sequence[Op]) -> Arm | None:
    """The innermost arm on a way of which the end is not reached on every path; what is `finally` done always is."""
    for inner, outer in pairwise(reversed(way)):
        if type(outer) is ops.Branch:
            return outer, inner in outer.body
        if type(outer) is ops.Loop or (type(outer) is ops.Try and inner not in outer.final):
            return outer, True
    return None
