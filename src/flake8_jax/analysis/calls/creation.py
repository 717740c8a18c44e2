"""The type of 64 bits that a call names, as in `jnp.dtype("int64")`."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.widths import wide_type
from flake8_jax.domain.constants import OPEN, Constant, NotConstant

TYPES = frozenset(("numpy.dtype", "jax.numpy.dtype"))


def type_object(name: str, arguments: Arguments) -> Constant | NotConstant:
    """The type of 64 bits that a call of `name` names, as a constant."""
    wide = wide_type(arguments.positional[0]) if name in TYPES and arguments.positional else ""
    return Constant(wide) if wide else OPEN
