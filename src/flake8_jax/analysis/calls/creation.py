"""Shape and dtype of new arrays, as far as the call shows them.

For example: `jnp.zeros((3, 4))`, `jnp.arange(5)`, `jnp.array([1, 2])`.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.value import API, NUMBER, Value

SHAPED = frozenset(f"jax.numpy.{name}" for name in ("zeros", "ones", "full", "empty"))
LISTED = frozenset(("jax.numpy.array", "jax.numpy.asarray"))
TESTS = frozenset(
    f"jax.numpy.{name}" for name in (
        "isnan", "isfinite", "isinf", "isneginf", "isposinf", "isin", "isclose", "iscomplex", "isreal", "signbit",
        "logical_and", "logical_or", "logical_not", "logical_xor", "equal", "not_equal", "less", "less_equal",
        "greater", "greater_equal",
    )
) | {"jax.random.bernoulli"}  # fmt: skip
"""What gives arrays of booleans."""

PLACES = frozenset(
    f"{module}.{name}" for module in ("jax.numpy", "Array")
    for name in ("argmax", "argmin", "argsort", "searchsorted", "count_nonzero", "digitize", "argpartition")
)  # fmt: skip
"""What gives integers, whatever it is given."""

RANGED = frozenset(("jax.numpy.arange",))


def shape_and_dtype(name: str, arguments: Arguments) -> tuple[Shape, str | None]:
    """The shape and dtype of the result of a call of `name`, None where unknown."""
    if name in TESTS:
        return None, "bool"
    if name in PLACES:
        return None, "int32"
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
    parts = value.elements
    return None if parts is None else tuple(_size(part) for part in parts)


def _of_display(value: Value) -> Shape:
    if value.kind is NUMBER:
        return ()
    parts = value.elements
    return (len(parts),) if parts and all(part.kind is NUMBER for part in parts) else None


def _size(value: Value) -> int | None:
    size = value.constant
    return size if type(size) is int else None


def _dtype(value: Value | None) -> str | None:
    if value is None:
        return None
    if value.kind is API:
        return value.name.rpartition(".")[2]
    return value.constant if isinstance(value.constant, str) else None
