"""Draws of a function from keys that it makes of seeds.

With the same seed they give the same numbers each time.
"""

from __future__ import annotations

from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.resources import SeedDraw
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CountedSeed:
    """The numbers of a loop: the same ones each time that the loop is run."""


@dataclass(frozen=True, slots=True)
class SeededDraw:
    """The draws on one path from a key that the function makes of a `seed`, by the call `op`.

    The seed is a constant, the numbers of a loop, or an input.  The first of the `draws` whose result is read counts:
    whoever needs to know which that is asks, since most never do.
    """

    op: Op
    seed: int | CountedSeed | Value
    draws: tuple[SeedDraw, ...]
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()
