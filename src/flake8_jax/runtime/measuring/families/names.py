"""The public names of JAX's modules, of its arrays and of `x.at[i]`.

    fact("jax.ops") -> ["segment_max", "segment_min", "segment_prod", "segment_sum"]

Names that are answered only with a warning or an explanation stand in the section `deprecated`.
"""

from __future__ import annotations

import jax.numpy as jnp

from flake8_jax.runtime.measuring.naming.modules import modules_of_jax, public_names

SECTION = "names"


def subjects() -> dict[str, str]:
    """Every public module that can be imported on a CPU, `Array` and `Array.at`."""
    return dict.fromkeys(("Array", "Array.at", *modules_of_jax()), "names")


def fact(name: str) -> list[str]:
    """The public names of a module or class, in alphabetical order."""
    if name in ("Array", "Array.at"):
        array = jnp.ones(3)
        return [member for member in dir(array if name == "Array" else array.at[:2]) if not member.startswith("_")]
    return public_names(modules_of_jax()[name])
