"""Libraries whose modules take containers for static, and refuse data in them: which, since when, what to use."""

from __future__ import annotations

MODULES = frozenset(("flax.nnx.Module", "flax.nnx.Pytree"))
"""The classes whose attributes are looked at when they are stored."""

LIBRARY, SINCE = "flax", "0.12.0"
"""What refuses them, and since which release."""

LISTS, DICTS = "flax.nnx.List", "flax.nnx.Dict"
"""What is made in their place."""

DATA = "flax.nnx.data"
"""What says that all in a container is data, however deep."""

PREFIX, DESCRIPTION = "flax.nnx.", "flax.nnx.GraphDef"
"""Objects of the library are modules, but for its description of one."""


def as_written(name: str) -> str:
    """A name of the library as people write it: `nnx.List`."""
    return name.removeprefix(f"{LIBRARY}.")
