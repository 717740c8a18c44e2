"""Reuses of keys that no lane asked for.

Under `vmap`, both branches of a `cond` run, and a `while_loop` goes on for lanes that have ended.  What is seen in such
a case must be seen with the lanes one by one as well.
"""

from __future__ import annotations

from flake8_jax.runtime.recorders import Mode
from flake8_jax.runtime.sightings import Unsupported
from flake8_jax.runtime.trial import Run, Trial
from flake8_jax.runtime.watching.ledger import KeyLedger
from flake8_jax.runtime.watching.reuse import Reuse, reuses

LANES = {"jax.vmap", "equinox.filter_vmap", "flax.nnx.vmap"}
MASKED = {"jax.lax.cond", "jax.lax.switch", "jax.lax.while_loop", "jax.lax.fori_loop", "jax.lax.map"}


def is_masked(run: Run) -> bool:
    """May code have run under vmap that no lane asked for?"""
    made = {recorded.transform for recorded in run.session.made}
    return bool(made & LANES and made & MASKED)


def lane_by_lane(trial: Trial) -> list[Reuse]:
    """The reuses when loops and lanes run as plain Python."""
    ledger = KeyLedger(trial.path)
    with trial.run(ledger, mode=Mode.EAGER) as run:
        if run.error is not None:
            raise Unsupported(f"the case under vmap does not run lane by lane: {run.error!r}"[:200])
        return reuses(ledger.draws())
