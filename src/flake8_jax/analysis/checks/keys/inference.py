"""Runs of inference: fits of models, and predictions of what was fitted, each of which is read by itself.

MCMC(NUTS(one)).run(key, x)
MCMC(NUTS(other)).run(key, x)                   two models compared from one key
Predictive(model, samples)(key, x_test)         what one of them predicts: of posterior samples, not of the key alone
normal(key)                                     a draw of one's own is no such run
"""

from __future__ import annotations

from flake8_jax.analysis.checks.keys.independence import leaves
from flake8_jax.api.inference import RUNS
from flake8_jax.domain.resources import Used


def are_inferences(earlier: Used, now: Used) -> bool:
    """Are both uses runs of inference, whose results nobody takes for independent samples?"""
    draws = [draw for draw in (earlier.draw, now.draw) if draw is not None]
    return len(draws) == 2 and all(leaf.by in RUNS for draw in draws for leaf in leaves(draw))
