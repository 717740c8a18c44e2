"""What can be used up, and by which uses it was.

A resource (a PRNG key today, a donated buffer tomorrow) is born at a source, handed on by forwards, and used up at a
sink. Where two paths meet it is used up if either used it (union); whether two uses can happen in one run is asked of
their paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from flake8_jax.domain.conditions import Path, exclude
from flake8_jax.domain.provenance import Use

Turns: TypeAlias = tuple[tuple[Any, int], ...]
MAXIMUM_USES = 6


@dataclass(frozen=True, slots=True)
class Used:
    """One use: by which op, on which path, in which turn of which loops."""

    op: Any
    use: Use
    path: Path
    turns: Turns
    signature_of_call: str = ""


def meets(earlier: Used, path: Path) -> bool:
    """Can one run reach both?  Facts are about values, and a turn of a loop has values of its own."""
    return not exclude(earlier.path, path)


def crosses_turns(earlier: Used, turns: Turns) -> bool:
    """Does the earlier use belong to an earlier turn of a loop that still runs?"""
    now = dict(turns)
    return any(now.get(loop, turn) != turn for loop, turn in earlier.turns)


def unite_uses(first: tuple[Used, ...], second: tuple[Used, ...]) -> tuple[Used, ...]:
    """The uses of either path, each once, as many as are kept."""
    if first is second or not second:
        return first
    if not first:
        return second
    return (first + tuple(used for used in second if used not in first))[:MAXIMUM_USES]
