"""Properties of arrays: the kind of their values under a trace, and whether they can be read there."""

from __future__ import annotations

import contextlib
from functools import cache

import jax.numpy as jnp

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.kinds import kind_of
from flake8_jax.runtime.measuring.probe import in_trace

SECTION = "functions"
BLOCK = "Array.properties"


def subjects() -> dict[str, str]:
    """Public attributes of `jax.Array` that are not methods."""
    return {f"{BLOCK}.{name}": "jax" for name in _names()}


def fact(name: str) -> str | None:
    """The row of one property."""
    last = name.rpartition(".")[2]
    found = _seen(last, traced=True)
    kind = found or _seen(last, traced=False)
    if kind is None:
        return None
    row = last if kind == "array" else f"{last} -> {kind}"
    return row if found else f"{row}; eager"


def _seen(name: str, *, traced: bool) -> str | None:
    """The kind of what the property holds; of `x.at`, of what it gives for an index."""
    seen: list[str] = []

    def look(array: Foreign) -> None:
        value = getattr(array, name)
        kind = kind_of(value[0].get() if name == "at" else value)
        seen.append("static" if kind in ("mixed", "none") and not traced else kind)

    with contextlib.suppress(Exception):
        if traced:
            in_trace(look, jnp.ones((2, 2)))
        else:
            look(jnp.ones((2, 2)))
    return seen[0] if seen else None


@cache
def _names() -> tuple[str, ...]:
    array, names = jnp.ones((2, 2)), []
    for name in dir(array):
        with contextlib.suppress(AttributeError, NotImplementedError):
            if not name.startswith("_") and not callable(getattr(array, name)):
                names.append(name)
    return tuple(names)
