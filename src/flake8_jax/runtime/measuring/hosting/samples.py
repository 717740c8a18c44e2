"""Sample values for host functions: a few for any parameter, and more by the parameter's name."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np

from flake8_jax.runtime.foreign import Foreign

F1 = np.array([0.25, 0.5, 0.75], np.float32)
F2 = np.array([[0.75, 0.25, 0.0], [0.25, 0.5, 0.25], [0.0, 0.25, 0.75]], np.float32)
F8 = np.array([0.5, 0.25, 0.75, 0.125, 0.375, 0.875, 0.625, 0.3125, 0.4375, 0.1875, 0.9375, 0.0625], np.float64)
I1 = np.array([0, 1, 2], np.int32)
I2 = np.array([[0, 1], [2, 1]], np.int32)
B1 = np.array([True, False, True])
F3 = np.arange(27, dtype=np.float32).reshape(3, 3, 3)
GENERAL: tuple[Foreign, ...] = (F1, F2, I1, 0.5, 2, I2, B1, F8, "a", [F1, F1], F3)
NUMERIC: tuple[Foreign, ...] = GENERAL[:6]

AXES = (0, -1)
NAMED: dict[str, tuple[Foreign, ...]] = {
    "M": (4, 8), "M1": (F2,), "N": (4,), "Nx": (8,), "UPLO": ("U",), "a": (F1, F2), "a1": (I1,), "a_max": (1.0,),
    "a_min": (0.0,), "alternative": ("less",), "append": (1.0,), "args": (), "atol": (0.001,),
    "axes": ((0, 1), (1, 0), 0), "axis": AXES, "axis1": (0,), "axis2": (1,), "b": (F1, F2, 0.5), "base": (2,),
    "bins": (3,), "bounds": ([(0.0, 1.0)] * 3,), "bracket": ((-1.0, 1.0),), "btype": ("lowpass",),
    "callable": (np.sin,), "callback": (len,), "casting": ("unsafe",), "condition": (B1,), "copy": (True,),
    "cval": (0.0,), "d": (2.0,), "ddof": (1,), "decimals": (1,), "default": (0.0,), "deg": (1,), "delta": (1.0,),
    "density": (0.5, True), "dtype": ("float32", "int32"), "dx": (1.0,), "encoding": ("utf-8",), "endpoint": (False,),
    "errors": ("strict",), "f": (np.sin,), "footprint": (np.ones((3, 3)), np.ones(3)), "format": ("csr",),
    "fs": (2.0,), "fun": (np.sum,), "func": (np.sin,), "function": (np.sin,), "high": (3, I1 + 3), "ind": (1,),
    "indexing": ("ij",), "indices_or_sections": (3, [1]), "initial": (0.0,), "k": (1,), "keepdims": (True,),
    "key": (len,), "kind": ("stable", "linear"), "left": (0.0,), "loc": (0.5, F1), "low": (0, I1), "lower": (True,),
    "m": (2,), "maxiter": (3,), "method": ("linear", "auto"), "metric": ("cityblock",),
    "mode": ("same", "constant", "clip", "r"), "n": (2,), "nan_policy": ("omit",), "ndigits": (1,), "ndim": (2,),
    "newshape": ((3,), (1, 3)), "nfft": (8,), "norm": ("ortho",), "nperseg": (4,), "num": (3,), "offset": (1,),
    "order": ("C", 1, 3), "out": (np.empty(3, np.float32), np.empty((3, 3), np.float32)), "output": ("float32",),
    "p": (2, 0.5), "pad_width": (1,), "precision": (3,), "prepend": (0.0,), "q": (0.5,), "random_state": (0,),
    "range": ((0.0, 1.0),), "rcond": (0.001,), "repeats": (2,), "reps": (2,), "right": (1.0,), "rng": (0,),
    "rtol": (0.001,), "s": (0.5, (3,)), "scale": (0.5, F1), "seed": (0,), "sep": (" ",),
    "shape": ((2, 3), (3,), (2, 2), 3), "side": ("right",), "sigma": (1.0,), "size": (3, (2, 3)), "sorter": (I1,),
    "start": (0,), "step": (1,), "stop": (3,), "structure": (np.ones((3, 3)),), "subok": (True,), "tol": (0.001,),
    "type": (2, "linear"), "wavelet": (None,), "weights": (F1, F8, F2), "where": (True, B1), "width": (8,),
    "window": ("hann",), "workers": (1,), "x0": (F1, 0.5), "xk": (F1,), "zi": (F1,),
}  # fmt: skip


class Holder:
    """An object with an attribute."""

    def __init__(self) -> None:
        self.a = 0.5


def values_for(name: str) -> Iterator[Foreign]:
    """Values that may suit a parameter of this name, the likeliest first."""
    yield from NAMED.get(name, ())
    yield from GENERAL


def fresh(value: Foreign) -> Foreign:
    """A fresh copy of the value, so that one call cannot spoil the next; functions and the like are shared."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) is dict:
        return {key: fresh(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)) and type(value).__init__ in (list.__init__, tuple.__init__):
        return type(value)(map(fresh, value)) if not hasattr(value, "_fields") else value
    if isinstance(value, set) or hasattr(value, "__next__"):
        try:
            return copy.copy(value)
        except TypeError:
            return value
    return value
