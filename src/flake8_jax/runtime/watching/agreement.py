"""Compares two results, with the tolerance of two ways to compute them.

Structures are compared exactly, numbers within a tolerance that depends on the coarser of the two types and on the
device: what a compiler fuses, it rounds differently.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from flake8_jax.runtime.foreign import Foreign

TOLERANCES: Mapping[str, float] = {
    "float64": 1e-9,
    "complex128": 1e-9,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float16": 1e-2,
    "bfloat16": 5e-2,
}
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""Where a function lies, which is another place in each run."""

COARSE = 0.3
ON_ACCELERATORS = 30.0


def difference(one: Foreign, other: Foreign) -> str | None:
    """The first difference between two trees of arrays, None if they agree; leaves that are no numbers are not
    compared."""
    import jax

    mine, shape = jax.tree_util.tree_flatten(one)
    theirs, their_shape = jax.tree_util.tree_flatten(other)
    if ADDRESS.sub("", str(shape)) != ADDRESS.sub("", str(their_shape)):
        return f"structure {shape} against {their_shape}"[:200]
    for this, that in zip(mine, theirs):
        if (found := _of_leaves(this, that)) is not None:
            return found
    return None


def _of_leaves(this: Foreign, that: Foreign) -> str | None:
    import numpy as np

    a, b = _numbers(this), _numbers(that)
    if a is None or b is None:
        return None
    if a.shape != b.shape:
        return f"shape {a.shape} against {b.shape}"
    kinds = {str(getattr(each, "dtype", "float64")) for each in (this, that)}
    tolerance = max(map(_tolerance, kinds))
    wide = np.complex128 if "c" in a.dtype.kind + b.dtype.kind else np.float64
    if tolerance == 0:
        same = bool(np.array_equal(a, b))
    else:
        a, b = a.astype(wide), b.astype(wide)
        finite = np.abs(b[np.isfinite(b)])
        scale = max(1.0, float(finite.max())) if finite.size else 1.0
        same = bool(np.allclose(a, b, rtol=tolerance, atol=tolerance * scale, equal_nan=True))
    return None if same else f"{_shown(a)} against {_shown(b)}"


def _numbers(leaf: Foreign) -> Foreign:
    """A leaf as a NumPy array, None if it holds no numbers; a key as its data."""
    import jax
    import numpy as np

    if isinstance(leaf, jax.core.Tracer):
        return None
    if isinstance(leaf, jax.Array) and jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    if not isinstance(leaf, (jax.Array, np.ndarray, np.generic, bool, int, float, complex)):
        return None
    if isinstance(leaf, jax.Array) and leaf.is_deleted():
        return None
    found = np.asarray(leaf)
    return found if found.dtype.kind in "biufcV" and not found.dtype.hasobject else None


def _tolerance(name: str) -> float:
    import jax

    loose = 1.0 if jax.default_backend() == "cpu" else ON_ACCELERATORS
    if name in TOLERANCES:
        return TOLERANCES[name] * loose
    return COARSE if name.startswith("float8") else 0.0


def _shown(array: Foreign) -> str:
    import numpy as np

    return np.array2string(array, threshold=8, separator=", ").replace("\n", "")[:80]
