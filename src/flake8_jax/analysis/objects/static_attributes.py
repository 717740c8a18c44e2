"""Attributes of arrays that a trace knows: sizes, types and places."""

from __future__ import annotations

from flake8_jax.analysis.objects.dtypes import WEAK_TYPES, dtype_of_operand
from flake8_jax.api.dtypes import DTYPES, NARROW, WEAK
from flake8_jax.domain.constants import OPEN, Constant
from flake8_jax.domain.kinds import INPUT, NUMBER, STATIC, TUPLE, WITH_JAX_ATTRIBUTES
from flake8_jax.domain.payload import LEAF, SHAPE, Elements, sized
from flake8_jax.domain.shape import count
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op

FIXED = frozenset(DTYPES) - NARROW.keys() - {name for name in DTYPES if name.startswith(WEAK)}
"""The dtypes that no setting decides."""

STATIC_ATTRIBUTES = frozenset(("shape", "ndim", "dtype", "size", "itemsize", "nbytes", "aval", "sharding", "weak_type"))

OF_SIZE = frozenset(("shape", "ndim", "size", "itemsize", "nbytes"))
"""Those that are numbers of an array, but may be anything of another object."""

WHOLE = WEAK_TYPES[int]
"""The dtype of a size, where JAX computes with it."""


def static_attribute(base: Value, name: str, op: Op, *, is_used_as_array: bool = False) -> Value:
    """The value of an attribute that a trace knows, of an array or of what may be one."""
    if name in OF_SIZE and not (is_used_as_array or has_shape(base)):
        return Value(STATIC, payload=OPEN, made_by=op)
    if name == "shape":
        if base.shape is None:
            return Value(TUPLE, payload=SHAPE, made_by=op, like=base.like if base.like is not None else base.input)
        parts = tuple(Value(NUMBER, payload=sized(size), dtype=WHOLE) for size in base.shape)
        return Value(TUPLE, payload=Elements(parts, "shape"), made_by=op)
    if name == "ndim":
        return Value(NUMBER, NONE, OPEN if base.shape is None else Constant(len(base.shape)), op, dtype=WHOLE)
    if name == "dtype":
        if base.dtype in FIXED:
            return Value(STATIC, payload=Constant(base.dtype), made_by=op)
        return Value(STATIC, payload=OPEN, made_by=op, dtype=dtype_of_operand(base))
    if name == "size":
        return Value(NUMBER, NONE, sized(count(base.shape)), op, dtype=WHOLE)
    return Value(NUMBER if name in ("itemsize", "nbytes") else STATIC, payload=OPEN, made_by=op)


def has_shape(base: Value) -> bool:
    """Is `base.shape` certainly a tuple of sizes?

    Of an array it is, of a leaf of a tree, and of a plain parameter without an annotation.
    """
    if base.payload is LEAF:
        return True
    if base.kind is INPUT:
        source = base.input
        return source is None or (source.parent is None and not source.is_declared)
    return base.kind in WITH_JAX_ATTRIBUTES
