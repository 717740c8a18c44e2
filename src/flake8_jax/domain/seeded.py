"""Seeds that are no constants: with the same seed, a key gives the same numbers each time."""

from __future__ import annotations

from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CountedSeed:
    """The numbers of a loop: the same ones each time that the loop is run."""
