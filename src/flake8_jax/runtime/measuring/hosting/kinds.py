"""Maps values to the words of the tables, and sets of results to the word of a return."""

from __future__ import annotations

import jax
import numpy as np

from flake8_jax.runtime.foreign import Foreign

PLAIN = (bool, int, float, complex, str, bytes, type, range, slice, type(...), np.dtype, np.finfo, np.iinfo)

EMPTY = "empty"  # the empty tuple: a shape, or what comes of no arguments


def kind_of(value: Foreign) -> str:
    """The kind of a value. NumPy's scalars count as its arrays, a tuple of plain values as one."""
    if isinstance(value, jax.core.Tracer):
        return "array"
    if isinstance(value, (np.ndarray, np.generic)):
        return "numpy"
    if value is None:
        return "none"
    if type(value) is tuple and not value:
        return EMPTY
    if isinstance(value, PLAIN):
        return "static"
    if isinstance(value, (list, tuple)) and value:
        kinds = {kind_of(part) for part in value}
        if kinds <= {"numpy", "array"}:
            return "list" if isinstance(value, list) else "tuple"
        if isinstance(value, tuple) and kinds <= {"static", "none", EMPTY}:
            return "static"
    return "unknown"
