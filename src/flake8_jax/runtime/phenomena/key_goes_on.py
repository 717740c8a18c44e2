"""Phenomenon: a key that was used up here is used once more later.  The ledger of keys really drawn finds the equal
bytes, as for `key_reuse`; it is seen where the key was used first.

    def draw(key):
        key, sub = jr.split(key)
        return jr.normal(key), key      seen here: the key that is returned is the one that was drawn from
    a, key = draw(key)                  and here
    b, key = draw(key)

It is seen on each line that leads to the first use, from where the two uses part; not if no lane of a `vmap` asked for
both (`lanes`).
"""

from __future__ import annotations

from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.lanes import is_masked, lane_by_lane
from flake8_jax.runtime.watching.ledger import KeyLedger
from flake8_jax.runtime.watching.reuse import Reuse, in_body, reuses


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case with a ledger; report each reuse on the lines of the first use."""
    found = Sightings()
    ledger = KeyLedger(trial.path)
    with trial.run(ledger) as run:
        seen = reuses(ledger.draws())
        masked = seen and is_masked(run)
        for reuse in seen:
            for line in lines_of_first_use(reuse):
                found.see(line, operations=sorted({reuse.first.operation, reuse.second.operation}))
        if not seen:
            found.refuting = {"draws": len(ledger.draws())}
    if masked:
        real = {line for reuse in lane_by_lane(trial) for line in lines_of_first_use(reuse)}
        found.by_line = {line: evidence for line, evidence in found.by_line.items() if line in real}
    return found


def lines_of_first_use(reuse: Reuse) -> tuple[int, ...]:
    """The lines of the first use, from the innermost frame that both uses have in common."""
    common = 0
    for (frame, _, _), (other, _, _) in zip(reuse.first.places, reuse.second.places):
        if frame is not other:
            break
        common += 1
    turn = in_body(reuse.first) if common == len(reuse.first.places) else ()
    return tuple(dict.fromkeys((*reuse.first.lines[max(0, common - 1) :], *turn)))


PHENOMENON = Phenomenon(
    name="key_goes_on",
    summary="a key is used up here, and once more later",
    observe=observe,
    bad="""\
import jax
import jax.random as jr

@jax.jit
def f(key):
    key, sub = jr.split(key)
    x = jr.normal(key)  # here
    return x, key

def case():
    x, key = f(jr.key(0))
    return x, f(key)
""",
    good="""\
import jax
import jax.random as jr

@jax.jit
def f(key):
    key, sub = jr.split(key)
    x = jr.normal(sub)
    return x, key

def case():
    x, key = f(jr.key(0))
    return x, f(key)
""",
)
