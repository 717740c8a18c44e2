"""Phenomenon: an exception of this class leaves a line that is not traced. It is a mistake even without jit.

Whether a transform is tracing is asked in the very moment in which the exception passes the fixture's frame, through
Python's trace function; a traceback alone cannot tell, since a call of a jitted function (which refuses a donated
array, say) is not yet the inside of one:

    state = jax.jit(step, donate_argnums=0)(state_0)
    step(state_0)                                        RuntimeError here, and nothing is traced

The class is compared by name, as in `raises`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from flake8_jax.runtime import compat
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomena.raises import is_called
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Evidence, Sightings, first_line
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.stepping import TraceFunction, traced_by


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report its exception on the innermost line of the fixture, if that is not traced."""
    found = Sightings()
    traced: dict[int, bool] = {}
    with trial.run(_watching_exceptions(trial.path, traced)) as run:
        error = run.error
        if error is None:
            return found
        line = run.chain[-1] if run.chain else None
        is_traced = line is not None and traced.get(line, False)
        evidence: Evidence = {"class": type(error).__name__, "message": first_line(error), "traced": is_traced}
        if is_called(error, parameter) and not is_traced:
            found.see(line, **evidence)
        else:
            found.refuting = evidence
    return found


@contextmanager
def _watching_exceptions(path: str, traced: dict[int, bool]) -> Iterator[None]:
    """Note for each line of the fixture that an exception passes whether a transform was tracing, at the last one."""
    compat.is_tracing()  # raises `Unsupported` here, not in a trace function

    def entered(frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        if frame.f_code.co_filename != path:
            return None
        frame.f_trace_lines = False
        return passed

    def passed(frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        if event == "exception":
            traced[frame.f_lineno] = compat.is_tracing()
        return passed

    with traced_by(entered):
        yield


PHENOMENON = Phenomenon(
    name="raises_eager",
    summary="an exception of this class leaves the line, and nothing is traced there",
    observe=observe,
    parameter="the exception's class",
    is_required=True,
    example="TypeError",
    bad="""\
import jax.numpy as jnp

def case():
    x = jnp.zeros(3)
    x[0] = 1.0  # here
    return x
""",
    good="""\
import jax
import jax.numpy as jnp

@jax.jit
def stored(x):
    x[0] = 1.0
    return x

def case():
    return stored(jnp.zeros(3))
""",
)
