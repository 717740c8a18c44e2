"""Runs code without output, warnings or changes of the global random state."""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Suppress output and warnings, and restore the global random states afterwards."""
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
