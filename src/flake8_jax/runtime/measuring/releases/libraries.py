"""The libraries whose releases are read, and from which release on."""

from __future__ import annotations

from typing import NamedTuple


class Library(NamedTuple):
    """A library: its package, what it is called where it is required, the first release that is read, and the first of
    which more is told than what was dropped."""

    root: str
    project: str
    first: str
    since: str


LIBRARIES = (
    Library("chex", "chex", "0.1.0", "0.1.84"),
    Library("equinox", "equinox", "0.10.0", "0.11.0"),
    Library("flax", "flax", "0.5.0", "0.7.5"),
    Library("haiku", "dm-haiku", "0.0.7", "0.0.10"),
    Library("jax", "jax", "0.2.0", "0.3.25"),
    Library("numpyro", "numpyro", "0.10.0", "0.13.2"),
    Library("optax", "optax", "0.1.0", "0.1.7"),
    Library("orbax", "orbax-checkpoint", "0.2.0", "0.4.1"),
)
"""The last three years before November 2026, and for JAX all since 0.3.25; of what was dropped before, the names."""
