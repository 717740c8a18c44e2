"""Buffers of NumPy, put where XLA can share their memory.

np.zeros(1 << 20)    its address is 16 modulo 64, most times: JAX copies it, and not always before it is written again
inside `aligned`     its address is a multiple of 64, as by chance: JAX shares it, so the same is seen in each run
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager

from flake8_jax.runtime import frames
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign

ALIGNMENT = 64
CREATING = (
    "arange",
    "array",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
)


@contextmanager
def aligned(path: str) -> Iterator[None]:
    """Let NumPy's creation functions give the fixture buffers that XLA can share."""
    import numpy as np

    with changed(np, **{name: _aligning(getattr(np, name), path) for name in CREATING}):
        yield


def _aligning(real: Foreign, path: str) -> Foreign:
    import numpy as np

    empty = np.empty

    @functools.wraps(real)
    def create(*arguments: Foreign, **keywords: Foreign) -> Foreign:
        found = real(*arguments, **keywords)
        if type(found) is not np.ndarray or found.dtype.hasobject or frames.own_line(path) is None:
            return found
        raw = empty(found.nbytes + ALIGNMENT, np.uint8)
        offset = -raw.ctypes.data % ALIGNMENT
        placed = raw[offset : offset + found.nbytes].view(found.dtype).reshape(found.shape)
        placed[...] = found
        return placed

    return create
