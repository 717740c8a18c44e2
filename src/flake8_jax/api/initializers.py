"""Initializers: functions of a key that are made by others, some of which ignore it.

initializers.constant(0.5)(key, (3,))       as `zeros(key, (3,))`: nothing is drawn
initializers.orthogonal()(key, (3,))        uses up `key`

Each is taken for a function with nothing bound, so that one of several is told by the path on which it was chosen.
"""

from __future__ import annotations

INITIALIZERS = "jax.nn.initializers."
CONSTANT, DRAWING = f"{INITIALIZERS}zeros", f"{INITIALIZERS}Initializer.__call__"
MAKING_CONSTANTS = frozenset(("constant", "zeros_init", "ones_init"))
MAKING_DRAWS = frozenset((
    "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "kaiming_normal",
    "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "orthogonal", "truncated_normal", "uniform",
    "variance_scaling", "xavier_normal", "xavier_uniform",
))  # fmt: skip
MODULES = ("jax.nn.initializers", "flax.linen.initializers", "flax.nnx.initializers", "flax.linen")


def initializer_made_by(name: str) -> str | None:
    """The function that stands for what a function of a library makes, if that is an initializer."""
    module, _, last = name.rpartition(".")
    if module not in MODULES:
        return None
    if last in MAKING_CONSTANTS:
        return CONSTANT
    return DRAWING if last in MAKING_DRAWS else None


def is_constant(name: str) -> bool:
    """Is it an initializer of a library that ignores its key?"""
    module, _, last = name.rpartition(".")
    return module in MODULES and last in ("ones", "zeros")
