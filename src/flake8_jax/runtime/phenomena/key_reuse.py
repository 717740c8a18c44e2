"""Phenomenon: a key is used twice, by two draws or by a draw and a split.  The ledger of keys really drawn finds the
equal bytes.

The reuse is seen on the line on which the second use parts from the first (`reuse`).  Where the parts of one call or
display hand out one key twice, they part only in what is called, at an innocent draw.  Then the second of them is given
another key and the case runs again: if the reuse is gone, it is seen where the key was handed out.

What is seen only since no lane asked for it is left out (`lanes`).  JAX's own checker is asked too; its word is
evidence.
"""

from __future__ import annotations

from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.checker import second_witness
from flake8_jax.runtime.watching.handed import handed_twice, identity
from flake8_jax.runtime.watching.lanes import is_masked, lane_by_lane
from flake8_jax.runtime.watching.ledger import KeyLedger
from flake8_jax.runtime.watching.reuse import Reuse, reuses


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case with a ledger; report each reuse on its line."""
    found = Sightings()
    ledger = KeyLedger(trial.path)
    with trial.run(ledger) as run:
        seen = reuses(ledger.draws())
        masked = seen and is_masked(run)
        elsewhere = handed_twice(trial, seen)
        for reuse in seen:
            line = elsewhere.get(identity(reuse))
            for each in reuse.lines if line is None else (line,):
                _note(found, each, reuse)
        if not seen:
            found.refuting = {"draws": len(ledger.draws())}
    if masked:
        real = {line for reuse in lane_by_lane(trial) for line in reuse.lines}
        found.by_line = {line: evidence for line, evidence in found.by_line.items() if line in real}
    if found:
        word = second_witness(trial)
        for evidence in found.by_line.values():
            evidence.update(word)
    return found


def _note(found: Sightings, line: int | None, reuse: Reuse) -> None:
    found.see(line, pairs=[], operations=[], draws=0)
    evidence = found.by_line[line]
    pairs, operations = evidence["pairs"], evidence["operations"]
    assert isinstance(pairs, list)
    assert isinstance(operations, list)
    if list(reuse.pair) not in pairs:
        pairs.append(list(reuse.pair))
    operations += [each for each in (reuse.first.operation, reuse.second.operation) if each not in operations]
    evidence["draws"] = max(2, len(pairs) + 1)


PHENOMENON = Phenomenon(
    name="key_reuse",
    summary="a key is drawn twice",
    observe=observe,
    bad="""\
import jax
import jax.random as jr

@jax.jit
def f(key):
    return jr.normal(key)

def case():
    key = jr.key(0)
    return f(key), jr.uniform(key)  # here
""",
    good="""\
import jax
import jax.random as jr

@jax.jit
def f(key):
    return jr.normal(key)

def case():
    key, other = jr.split(jr.key(0))
    return f(key), jr.uniform(other)
""",
)
