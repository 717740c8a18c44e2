"""Phenomenon: JAX starts its backend while the fixture is imported, by a computation at import.

The fixture is imported, and its case run, in a child process that has no backend yet.  Before each line of the fixture
JAX is asked whether a backend has started; when the answer changes, it was the line that ran last:

    import jax.numpy as jnp
    TABLE = jnp.arange(3)          seen: not started before it, started after it

Where such a line calls functions, the line that runs at import is seen, not the one in the function that it calls: it
may well be called later.  A line of the case itself is seen where it starts the backend and no import has.  The first
start is the only one that there is, so a case shows one line at most; where a case is not about import time (named
`module_...`) only the import counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from types import FrameType

from flake8_jax.runtime import children, compat, frames
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.stepping import TraceFunction, traced_by

SECONDS = 120


@dataclass(frozen=True, slots=True)
class StartPlace:
    """Where the fixture was before an event: the responsible line, and the lines of all its frames."""

    line: int
    chain: tuple[int, ...]
    is_import: bool


INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>")  # frames of their own before Python 3.12


def observe(trial: Trial, parameter: str) -> Sightings:
    """Import the fixture and run the case in a child process; report the line that starts the backend."""

    def look() -> tuple[Sightings, list[children.Error]]:
        places: list[StartPlace | None] = []
        with trial.run(_watching_start(trial.path, places)):
            pass
        found = Sightings()
        for place in places:
            if place is None:
                found.see(None)
            elif place.is_import or trial.case.at_import:
                found.see(place.line, lines=list(place.chain))
        return found, children.portable(trial.errors)

    found, errors = children.in_child(look, seconds=SECONDS)
    trial.errors.extend(errors)
    return found


@contextmanager
def _watching_start(path: str, places: list[StartPlace | None]) -> Iterator[None]:
    """Append the place at which the backend starts, None for an unknown one."""
    last: list[StartPlace | None] = [None]

    def look(frame: FrameType | None) -> None:
        if not places and compat.backend_is_started():
            places.append(last[0])
        last[0] = _place(path, frame)

    def entered(frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        if frame.f_code.co_filename != path:
            return None
        look(frame)
        return passed

    def passed(frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        look(frame.f_back if event == "return" else frame)
        return passed

    with traced_by(entered):
        yield


def _place(path: str, frame: FrameType | None) -> StartPlace | None:
    """The line that runs at import, module or class body, and calls the rest; the innermost if none does."""
    stack = frames.stack(path, frame) if frame is not None else ()
    if not stack:
        return None
    codes = [each.f_code for each in stack]
    functions = [at for at, code in enumerate(codes) if code.co_flags & CO_OPTIMIZED and code.co_name not in INLINED]
    first = functions[0] if functions else len(stack)
    answers = stack[first - 1] if first else stack[-1]
    return StartPlace(answers.f_lineno, tuple(each.f_lineno for each in stack), first > 0)


PHENOMENON = Phenomenon(
    name="backend_started",
    summary="JAX's backend starts on the line, at import",
    observe=observe,
    in_child=True,
    bad="""\
import jax.numpy as jnp

TABLE = jnp.arange(3)  # here

def case():
    return TABLE.shape
""",
    good="""\
import numpy as np
import jax.numpy as jnp

TABLE = np.arange(3)
KIND = jnp.float32

def case():
    return TABLE.astype(KIND)
""",
)
