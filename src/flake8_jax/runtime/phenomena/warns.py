"""Phenomenon: a warning with these words in its message is issued while the line runs.

The line is the fixture's innermost one on the stack when the warning is issued, not the place that the warning names:
JAX warns of donated buffers from its compiler and of truncated dtypes from files of its own.  Every filter is off and
every `once` forgotten for the run, and what JAX says through its loggers counts as a warning too.

    x.astype("float64")          UserWarning: Explicitly requested dtype float64 requested in astype is not available
    warns:requested_dtype        `_` and spaces are the same, and so are small and capital letters

Many warnings come when a function is first traced or compiled, `jnp.sum(x, dtype="float64")` for one, and never again
in the process: the case runs with caches that know nothing.  What a module says when it is imported for the first time
is not heard; what its `__getattr__` says of a deprecated name is.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import TextIO

from flake8_jax.runtime import compat, frames
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Recorder
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial

Told = Callable[[str, str, "int | None"], None]


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the warnings that contain the parameter."""
    found = Sightings()
    words = flat(parameter)
    others: list[str] = []

    def told(kind: str, message: str, line: int | None) -> None:
        if words in flat(message):
            found.see(line, kind=kind, message=message[:200])
        elif len(others) < 5:
            others.append(f"line {line}: {kind}: {message[:100]}")

    with trial.run(compat.fresh_caches(), _hearing(trial.path, told)):
        pass
    found.refuting = {"warnings": others}
    return found


def flat(text: str) -> str:
    """A text in small letters, with one space for each `_` and for each run of spaces."""
    return " ".join(text.replace("_", " ").lower().split())


@contextmanager
def _hearing(path: str, told: Told) -> Iterator[None]:
    """Tell of every warning, with the fixture's line on the stack."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        told(category.__name__, str(message), frames.line(path, sys._getframe(1)))

    class Log(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told(f"logged by {record.name}", record.getMessage(), frames.line(path, sys._getframe(1)))

    logger, handler = logging.getLogger("jax"), Log(logging.WARNING)
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("always")
        warnings.showwarning = show
        stack.enter_context(_deprecated_names())
        logger.addHandler(handler)
        stack.callback(logger.removeHandler, handler)
        yield


@contextmanager
def _deprecated_names() -> Iterator[None]:
    """Let each module's `__getattr__` speak again: forget what it has given, take away what recorders put before it."""
    taken: list[tuple[ModuleType, str, Recorder]] = []
    for name, module in list(sys.modules.items()):
        give = getattr(module, "__dict__", {}).get("__getattr__")
        if name.split(".")[0] not in frames.LIBRARIES or give is None:
            continue
        for attribute, value in list(vars(module).items()):
            if isinstance(value, Recorder) and _is_given(give, attribute):
                taken.append((module, attribute, value))
                delattr(module, attribute)
        getattr(give, "cache_clear", lambda: None)()
    try:
        yield
    finally:
        for module, attribute, value in taken:
            setattr(module, attribute, value)


def _is_given(give: Callable[[str], object], attribute: str) -> bool:
    """Does a module's `__getattr__` know this name?"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            give(attribute)
        except Exception:
            return False
    return True


PHENOMENON = Phenomenon(
    name="warns",
    summary="a warning with these words is issued",
    observe=observe,
    parameter="words of the message, `_` for space",
    is_required=True,
    example="float64",
    bad="""\
import jax.numpy as jnp

def case():
    x = jnp.zeros(3)
    return x.astype("float64")  # here
""",
    good="""\
import jax.numpy as jnp

def case():
    x = jnp.zeros(3)
    return x.astype("float32")
""",
)
