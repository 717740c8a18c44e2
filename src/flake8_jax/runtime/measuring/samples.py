"""Sample values for probes, and calls that cannot be found by trying them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.api.stated import toml
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.notation import Varargs

CALLS = Path(__file__).with_name("calls.toml")


def ones(shape: int | tuple[int, ...]) -> Foreign:
    """An array of floats."""
    return np.ones(shape, np.float32)


def make_ref() -> Foreign:
    """A mutable reference, made for one call."""
    return jax.new_ref(jnp.ones(3))


F1 = np.array([0.25, 0.5, 0.75], np.float32)
F2 = np.array([[2, 0.5, 0.1], [0.5, 2, 0.1], [0.1, 0.1, 2]], np.float32)
F3 = ones((1, 3, 3))
I1 = np.array([0, 1, 2], np.int32)
B1 = np.array([True, False, True])
ARRAYS = (
    F1, I1, F2, B1, np.array([1, 1j, 2], np.complex64), np.array(0.5, np.float32), np.array([0, 1, 2], np.uint8),
    F3, np.array([[0, 1, 2]], np.int32), np.array(1, np.int32),
)  # fmt: skip
SCALARS = (1, 2, 0, True, False, 0.5, (0,), (1,), (0, 1), (3,))
KEY = jax.random.key(0)
NAMED: dict[str, Foreign] = {
    "shape": (3,), "dtype": jnp.float32, "new_dtype": jnp.float32, "key": KEY, "keys": KEY, "axis_name": "i",
}  # fmt: skip
# Values of options, tried before others and each as a form of its own.
WORDS: dict[str, tuple[Foreign, ...]] = {
    "precision": ("highest",), "order": ("C",), "kind": ("stable",), "dtype": (jnp.float32, jnp.int32, jnp.uint32),
    "mode": ("clip", "wrap", "fill", "reflect", "r", "low"), "method": ("scan", "linear", "sort", "cholesky"),
    "preferred_element_type": (jnp.float32,), "optimize": ("optimal",), "casting": ("safe",),
    "total_repeat_length": (6,), "impl": ("threefry2x32",),
}  # fmt: skip
_SCOPE = {
    "jax": jax, "jnp": jnp, "np": np, "ones": ones, "make_ref": make_ref, "Varargs": Varargs, "F1": F1, "F2": F2,
    "F3": F3, "I1": I1, "B1": B1, "KEY": KEY, "IMAGE": ones((1, 1, 5, 5)), "KERNEL": ones((1, 1, 3, 3)),
    "CONV": ("NCHW", "OIHW", "NCHW"),
}  # fmt: skip
_LAZY = {
    "GATHER": "jax.lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))",
    "SCATTER": "jax.lax.ScatterDimensionNumbers((), (0,), (0,))",
    "RAGGED": "jax.lax.RaggedDotDimensionNumbers((([1], [1]), ([], [])), [0], [0])",
}


def stated_calls(name: str) -> Iterator[dict[str, Foreign]]:
    """The arguments of each form stated in calls.toml, without parameters missing in this version of JAX."""
    texts = _calls().get(name, [])
    for text in [texts] if isinstance(texts, str) else texts:
        for word, definition in _LAZY.items():
            text = text.replace(word, definition)
        try:
            yield eval(f"dict({text})", dict(_SCOPE))
        except (AttributeError, TypeError):
            continue


@cache
def _calls() -> dict[str, str | list[str]]:
    return toml(CALLS.read_text(encoding="utf-8"))
