"""Phenomenon: one line calls compiled code of a few operations, again and again.

    for _ in range(1000): x = step(x)       1000 programs of three equations each: calling them takes the time
    for _ in range(1000): x = train(x)      a program with a loop or a product of matrices in it has more to do

A line is seen if it makes at least `TURNS` outermost calls of one jitted function (`dispatched:N` asks for another
number), whose program has no more than `EQUATIONS` equations, none of which is a loop or a product of matrices.
"""

from __future__ import annotations

from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import RecordedCall
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching import jaxprs

TURNS, EQUATIONS = 1000, 50
LONG = frozenset(("conv_general_dilated", "dot_general", "pallas_call", "scan", "while"))


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report lines that call one small program many times."""
    enough, found = int(parameter or TURNS), Sightings()
    with trial.run() as run:
        calls: dict[tuple[int | None, int], list[RecordedCall]] = {}
        for call in run.calls:
            if call.recorded.transform in jaxprs.JITTED:
                calls.setdefault((call.line, id(call.recorded)), []).append(call)
        for (line, _), made in calls.items():
            program = jaxprs.program(run, made[0]) if len(made) >= enough else None
            names = [equation.name for equation in jaxprs.equations(trial.path, program)] if program is not None else []
            if 0 < len(names) <= EQUATIONS and LONG.isdisjoint(names):
                found.see(line, calls=len(made), equations=len(names))
    return found


PHENOMENON = Phenomenon(
    name="dispatched",
    summary="compiled code of a few operations is called, again and again",
    observe=observe,
    parameter=f"calls, {TURNS} if not said",
    bad="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return x * 0.5

def case():
    x = jnp.ones(2)
    for _ in range(1000):
        x = f(x)  # here
    return x
""",
    good="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return jax.lax.fori_loop(0, 1000, lambda _, x: x * 0.5, x)

@jax.jit
def g(x):
    return x * 0.5

def case():
    x = jnp.ones(2)
    for _ in range(3):
        x = g(x)
    return f(x)
""",
)
