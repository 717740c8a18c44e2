"""Shape and dtype of new arrays, as far as the call shows them.

For example: `jnp.zeros((3, 4))`, `jnp.arange(5)`, `jnp.array([1, 2])`.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.value import API, NUMBER, SEQUENCES, STATIC, Value

SHAPED = frozenset(f"jax.numpy.{name}" for name in ("zeros", "ones", "full", "empty"))
LISTED = frozenset(("jax.numpy.array", "jax.numpy.asarray"))
RANGED = frozenset(("jax.numpy.arange",))


def shape_and_dtype(name: str, arguments: Arguments) -> tuple[Shape, str | None]:
    """The shape and dtype of the result of a call of `name`, None where unknown."""
    if not name.startswith("jax.numpy."):
        return None, None
    dtype = _dtype(arguments.keywords.get("dtype"))
    first = arguments.get(0, "shape")
    if name in SHAPED:
        return (_of_argument(first) if first is not None else None), dtype
    if name in LISTED and arguments.positional:
        return _of_display(arguments.positional[0]), dtype
    if name in RANGED and len(arguments.positional) == 1:
        return ((_size(arguments.positional[0]),), dtype)
    return None, dtype


def _of_argument(value: Value) -> Shape:
    if value.kind is NUMBER:
        return (_size(value),)
    if value.kind in SEQUENCES and value.parts is not None:
        return tuple(_size(part) for part in value.parts)
    return None


def _of_display(value: Value) -> Shape:
    if value.kind is NUMBER:
        return ()
    if value.kind in SEQUENCES and value.parts and all(part.kind is NUMBER for part in value.parts):
        return (len(value.parts),)
    return None


def _size(value: Value) -> int | None:
    return value.data if value.kind is NUMBER and type(value.data) is int else None


def _dtype(value: Value | None) -> str | None:
    if value is None:
        return None
    if value.kind is API:
        return str(value.data).rpartition(".")[2]
    return value.data if value.kind is STATIC and isinstance(value.data, str) else None
