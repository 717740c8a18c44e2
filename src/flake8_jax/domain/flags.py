"""Flags: host values that are set on each of several paths, so that a test of them tells the path.

if mode == "jit":
    wrap, level = jax.jit, 0            level: 0 where mode == "jit"
else:
    wrap, level = identity, 2           level: 2 where mode != "jit"
if level > 1: ...                       never with `jax.jit`
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.domain.constants import Constant, Facts, Texts
from flake8_jax.lazy_dataclasses import dataclass

MAXIMUM_SET = 8


@dataclass(frozen=True, slots=True)
class Flag:
    """What a host value was set to on each path (None: not known), and the facts of that path."""

    ways: tuple[tuple[Constant | None, Facts], ...]

    def text(self) -> str:
        """A short spelling, for people."""
        return " or ".join("any" if one is None else one.text() for one, _ in self.ways)


def flag_of(given: Iterable[tuple[object, Facts | None]]) -> Flag | None:
    """The host value that was set on one of some paths; None if it tells nothing of them."""
    ways: dict[tuple[Constant | None, Facts], None] = {}
    for payload, facts in given:
        held = payload.ways if type(payload) is Flag else ((payload if type(payload) is Constant else None, ()),)
        for one, when in held:
            ways[one, (*(facts or ()), *when)] = None
    telling = any(one is not None and facts for one, facts in ways)
    return Flag(tuple(ways)) if telling and len(ways) <= MAXIMUM_SET else None


def texts_of(payload: object) -> list[tuple[str, Facts]]:
    """The texts that a host value may be, each with its path; none if it may be something else."""
    if type(payload) is Texts:
        return [(value, ()) for value in payload.values]
    ways = payload.ways if type(payload) is Flag else ((payload, ()),)
    found = [(one.value, facts) for one, facts in ways if type(one) is Constant and isinstance(one.value, str)]
    return found if len(found) == len(ways) else []


def facts_on_all(ways: list[Facts]) -> Facts:
    """The facts that hold on each of some paths."""
    return tuple(fact for fact in ways[0] if all(fact in way for way in ways[1:])) if ways else ()
