"""What a function does with keys, for calls to repeat: it uses them up, hands used ones back, and draws from seeds.

def sample(key, n):                     used up: the input `key`
    return normal(key), key             handed back: the key, which is used already
def drawn(n): return normal(key(n))     drawn from a seed: the input `n`
"""

from __future__ import annotations

from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.evidence import LatentEvidence
from flake8_jax.domain.effects import ROOM, Room
from flake8_jax.domain.payload import Step
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import DrawSite, KeyDestination, SeedDraw
from flake8_jax.domain.seeded import CountedSeed
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EachKept(LatentEvidence):
    """What callers judge all of together that is of the same key or seed."""

    paths: ClassVar[int] = ROOM["use"]
    is_each_kept: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Sink(EachKept):
    """A use of a key that is an input of the function (`Input`) or captured (`Value`).

    `place` is the argument that is the key, if that is written there.
    """

    identified_by: ClassVar = attrgetter("target")
    room: ClassVar[Room] = "use"
    target: Input | Value
    use: Use
    draw: DrawSite | None = None
    place: Op | None = None


@dataclass(frozen=True, slots=True)
class KeyHandedBack(EachKept):
    """A key in the result of a function that the function itself has used up, or that it stores into an input (`into`).

    `step` is the field or entry there that it stands in, `is_named` whether the text puts it there: a copy keeps what
    it does not name.
    """

    identified_by: ClassVar = attrgetter("into", "value")
    room: ClassVar[Room] = "return"
    value: Value
    step: Step | None
    kept: KeyDestination
    draw: DrawSite
    is_named: bool = True
    into: Input | None = None


@dataclass(frozen=True, slots=True)
class SeededDraw(EachKept):
    """The draws on one path from a key that the function makes of a `seed`, by the call `op`.

    The seed is a constant, the numbers of a loop, or an input.  The first of the `draws` whose result is read counts:
    whoever needs to know which that is asks, since most never do.
    """

    identified_by: ClassVar = attrgetter("op", "seed")
    room: ClassVar[Room] = "seed"
    seed: int | CountedSeed | Value
    draws: tuple[SeedDraw, ...]
