"""Arrays that are made of values of the host alone: tracers in traced code, although nothing of them was traced.

k = jnp.sqrt(x.shape[0])        of host values
k * 2, k.astype(int)            of host values, too
k * x                           an array like others
jnp.sqrt(n)                     `n` is an input: of host values where a caller hands in one
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.kinds import ARRAY, HOST_OPERANDS, SEQUENCES, SYMBOLIC
from flake8_jax.domain.payload import OF_HOST, Untraced
from flake8_jax.domain.staging import Dependences, Input
from flake8_jax.domain.value import Value

COMPUTING = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.scipy.", "Array.")


def made_by(function: ApiFunction, values: Iterable[Value]) -> Untraced | None:
    """The payload of the array that a function makes of these values."""
    if not function.name.startswith(COMPUTING) or any(
        parameter.name == "axis_name" for parameter in function.parameters
    ):
        return None
    return made_of(values)


def made_of(values: Iterable[Value]) -> Untraced | None:
    """The payload of an array that is made of these values, and of nothing else."""
    found = tuple(values)
    return OF_HOST if found and all(map(is_of_host, found)) else None


def is_of_host(value: Value) -> bool:
    """Is a value one of the host, made of such, or an input that may be one?"""
    kind = value.kind
    if kind is ARRAY:
        return value.payload is OF_HOST
    if kind in SEQUENCES:
        return value.form == "shape" or (value.elements is not None and all(map(is_of_host, value.elements)))
    return kind in HOST_OPERANDS or (kind in SYMBOLIC and _is_open(value.dependences))


def _is_open(dependences: Dependences) -> bool:
    """May a value with these dependences be a host value: does it depend on nothing, or on an input?"""
    return not dependences or Input in set(map(type, dependences))  # all of them: a set has no order


def is_certain(value: Value) -> bool:
    """Is a value that may be made of host values alone certainly so: a static argument, and not another input?"""
    if value.kind in SYMBOLIC and (value.dependences or value.caller_value is None):
        return False
    return Input not in set(map(type, value.dependences))
