"""Phenomenon: an array is asked for whose buffer a compiled call was given to write its results into.

    y = step(x)         `x` is donated
    x + y               seen: "Array has been deleted", or "Buffer has been deleted or donated"

Seen on the innermost line of the fixture that an exception with such words leaves, whatever its class is: that differs
between versions of JAX, and between Python's reads and those of a compiled call.  What other platforms than this one do
with a buffer that no result fits is not seen.
"""

from __future__ import annotations

import re

from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings, first_line
from flake8_jax.runtime.trial import Trial

WORDS = re.compile(r"\b(?:deleted|donated?)\b")


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the line that asks for a donated array."""
    found = Sightings()
    with trial.run() as run:
        error = run.error
        if error is not None and WORDS.search(str(error)):
            found.see(run.chain[-1] if run.chain else None, message=first_line(error))
        elif error is not None:
            found.refuting = {"message": first_line(error)}
    return found


PHENOMENON = Phenomenon(
    name="donated",
    summary="an array is asked for whose buffer was donated",
    observe=observe,
    bad="""\
import jax
import jax.numpy as jnp

def case():
    step, x = jax.jit(lambda x: x + 1, donate_argnums=0), jnp.ones(3)
    y = step(x)
    return x + y  # here
""",
    good="""\
import jax
import jax.numpy as jnp

def case():
    step, x = jax.jit(lambda x: x + 1, donate_argnums=0), jnp.ones(3)
    y = step(x)
    return jnp.zeros(x.shape) + y
""",
)
