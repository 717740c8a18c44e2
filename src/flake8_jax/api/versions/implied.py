"""What releases of libraries require of JAX: who pins one says by that which JAX he gets, and the other way round.

    numpyro==0.2.4                  requires jax==0.1.57, so that is the JAX of the project, which says nothing of JAX
    jax==0.4.25                     optax 0.2.3 requires jax>=0.4.27, so Optax is 0.2.2 at most

`requires.tsv` has a row for each release that requires something else than the one before it, as their packages say
(`flake8-jax measure --versions`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from flake8_jax.api.versions import DISTRIBUTIONS, ReleaseNumber, parsed
from flake8_jax.api.versions.requirements import UPPER, Bounds, Required, bounds_of

FILE = Path(__file__).parent / "requires.tsv"


@cache
def of_jax(distribution: str, release: ReleaseNumber) -> Bounds:
    """What a release of a library, or the newest one with a row before it, requires of JAX; () if that is not known."""
    rows = _rows().get(distribution, ())
    return next((bounds for version, bounds in reversed(rows) if version <= release), ())


def bounds_of_jax(required: dict[str, Required]) -> Required | None:
    """What the other libraries that a project pins require of JAX: the first that says which is the newest."""
    for name in _rows():
        wanted = required.get(name)
        pinned = _pinned(wanted) if wanted is not None else ()
        bounds = of_jax(name, pinned) if pinned else ()
        if wanted is not None and any(sign in UPPER for sign, _ in bounds):
            return Required((bounds,), f"{wanted.source}, by {name}")
    return None


def allow(library: str, releases: tuple[ReleaseNumber, ...], jax: ReleaseNumber) -> tuple[ReleaseNumber, ...]:
    """The releases of a library that can be there beside a release of JAX."""
    name = DISTRIBUTIONS.get(library, library)
    return tuple(one for one in releases if Required((of_jax(name, one),), name).allows(jax))


def _pinned(wanted: Required) -> ReleaseNumber:
    """The one release that a project allows; () for several."""
    (bounds, *others) = wanted.alternatives
    pins = [version for sign, version in bounds if sign in ("==", "===") and not version.endswith(".*")]
    return parsed(pins[0]) if not others and len(pins) == 1 else ()


@cache
def _rows() -> dict[str, tuple[tuple[ReleaseNumber, Bounds], ...]]:
    found: dict[str, list[tuple[ReleaseNumber, Bounds]]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        name, release, bounds = line.split("\t")
        found.setdefault(name, []).append((parsed(release), bounds_of(bounds)))
    return {name: tuple(rows) for name, rows in found.items()}
