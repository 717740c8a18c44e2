"""Phenomenon: an exception of exactly this class leaves a line, the fixture's innermost in its traceback.

The class is compared by name, without its bases: a claim that says TypeError is not met by a subclass, which would say
something else to the reader; a name that jax.errors gives to a class is one of its names.  The evidence tells whether
the line ran under a trace.

Where no marked line raises, each is put to the test of an experiment: if the case runs to its end once this line alone
is as in the twin, and raises again as it was, the line is the cause.

    def body(i, x):
        x + i  # JAX... raises:TypeError       seen: raised on line 4, and not when this line alone is repaired
    def case():
        return lax.fori_loop(0, 3, body, 0)    line 4 raises

So an exception is of one line: of the one that raises it, if that is marked.
"""

from __future__ import annotations

from dataclasses import replace

from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Evidence, Sightings, first_line
from flake8_jax.runtime.trial import Run, Trial
from flake8_jax.runtime.watching.alignment import aligned


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report its exception on the innermost line of the fixture."""
    found = Sightings()
    with trial.run(aligned(trial.path)) as run:
        error = run.error
        if error is not None:
            evidence: Evidence = {"class": type(error).__name__, "message": first_line(error), "traced": is_traced(run)}
            if is_called(error, parameter):
                found.see(run.chain[-1] if run.chain else None, **evidence)
            else:
                found.refuting = evidence
    if found:
        _see_causes(trial, found)
    return found


def _see_causes(trial: Trial, found: Sightings) -> None:
    """See the marked lines without which the exception goes, unless it leaves a marked line by itself."""
    ((raising, evidence),) = found.by_line.items()
    marked = dict.fromkeys(claim.line for claim in trial.case.claims)
    if raising is None or raising in marked:
        return
    for line in marked:
        without = trial.repaired(line)
        if without is not None and not _is_raising(without) and _is_raising(replace(trial, errors=[])):
            cause = f"raised on line {raising}, and not when this line alone is repaired"
            found.see(line, **evidence, cause=cause)


def _is_raising(trial: Trial) -> bool:
    with trial.run(aligned(trial.path)) as run:
        return run.error is not None


def is_traced(run: Run) -> bool:
    """Did the run's exception pass through a transformed function?"""
    return any(call.error is run.error for call in run.calls)


def is_called(error: BaseException, name: str) -> bool:
    """Is this a name of the exception's own class?

    A donated buffer is refused with RuntimeError where Python dispatches, and with ValueError on the compiled path that
    later calls take: the latter goes by both names.
    """
    import jax

    if isinstance(error, ValueError) and "deleted or donated" in str(error):
        return name in ("RuntimeError", "ValueError")
    return type(error).__name__ == name or getattr(jax.errors, name, None) is type(error)


PHENOMENON = Phenomenon(
    name="raises",
    summary="an exception of this class leaves the line, or goes when the line alone is repaired",
    observe=observe,
    parameter="the exception's class",
    is_required=True,
    example="TracerBoolConversionError",
    bad="""\
import jax

@jax.jit
def f(x):
    if x > 0:  # here
        return x
    return -x

def case():
    return f(1.0)
""",
    good="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return jnp.where(x > 0, x, -x)

def case():
    return f(1.0)
""",
)
