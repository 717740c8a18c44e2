"""Classifies values in the words of the tables."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign


def kind_of(value: Foreign) -> str:
    """The word for a value inside or outside of a trace; "mixed" if no word describes it."""
    if value is None:
        return "none"
    if _is_ref(value):
        return "ref"
    if isinstance(value, jax.Array):
        return _kind_of_array(value)
    if isinstance(value, np.ndarray):
        return "numpy"
    if isinstance(value, (list, tuple)) and len(value) and all(isinstance(part, jax.Array) for part in value):
        return "list" if isinstance(value, list) else "tuple"
    is_function = callable(value) and not isinstance(value, type)
    holds_arrays = any(isinstance(leaf, jax.Array) for leaf in jax.tree_util.tree_leaves(value))
    return "mixed" if is_function or holds_arrays else "static"


def _is_ref(value: Foreign) -> bool:
    return "Ref" in type(getattr(value, "aval", None)).__name__


def _kind_of_array(array: jax.Array) -> str:
    is_key = jnp.issubdtype(array.dtype, jax.dtypes.prng_key)
    is_raw_key = array.dtype == jnp.uint32 and array.shape == (2,)
    return "array" if not (is_key or is_raw_key) else "keys" if is_key and array.ndim else "key"
