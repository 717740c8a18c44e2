"""The shape and type that an argument of a call states, such as those of `jnp.zeros((3, 4), "int32")`."""

from __future__ import annotations

from flake8_jax.domain.kinds import API, NUMBER, SEQUENCES
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.value import Value


def sizes_of(value: Value | None) -> Shape:
    """The shape that an argument says: a number, or a tuple of numbers."""
    if value is None:
        return None
    if value.kind is NUMBER:
        return (whole_number(value),)
    parts = value.elements if value.kind in SEQUENCES else None
    return None if parts is None else tuple(whole_number(part) for part in parts)


def whole_number(value: Value | None) -> int | None:
    """The integer that an argument is, None where that is not known."""
    known = value.constant if value is not None else None
    return known if type(known) is int else None


def dtype_of(value: Value | None) -> str | None:
    """The name of the dtype that an argument states."""
    if value is None:
        return None
    if value.kind is API:
        return value.name.rpartition(".")[2]
    return value.constant if isinstance(value.constant, str) else None
