"""Running what may print, warn or draw random numbers, without a trace of it afterwards."""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Nothing is printed, nobody is warned, and the global random states are as before afterwards."""
    legacy, plain = np.random.get_state(), random.getstate()
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        np.random.seed(0)
        random.seed(0)
        try:
            yield
        finally:
            np.random.set_state(legacy)
            random.setstate(plain)
