"""JAX's own checker of key reuse as a second witness.  It follows keys through programs, the ledger follows their
bytes.

The checker is blind to raw keys, so `PRNGKey` returns typed ones while it is asked; code that takes a key for an array
breaks then, and is `unsupported`.  It knows nothing of equal seeds and equal `fold_in`, and it objects to some programs
that draw no key twice (`ks[0].ndim` and then a draw), so it is a witness and no judge: its word is shown beside a
sighting. It costs another run, and is asked only where the ledger has seen something.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.sightings import Evidence, first_line
from flake8_jax.runtime.trial import Trial


def second_witness(trial: Trial) -> Evidence:
    """The checker's answer for one run in which the ledger found a reuse.

    `checker` is "agrees", "silent" or "unsupported"; `line` is where it objects, `why` its words or what hindered it.
    """
    import jax

    word = _word(trial)
    if word["checker"] == "silent":
        # Older JAX asks no checker about functions that it has compiled before; another setting makes them new to it.
        word = _word(trial, jax.numpy_rank_promotion("warn"))
    return word


def _word(trial: Trial, *settings: AbstractContextManager[Foreign]) -> Evidence:
    import jax

    before = len(trial.errors)
    with trial.run(jax.enable_custom_prng(True), jax.debug_key_reuse(True), *settings) as run:
        error, chain = run.error, run.chain
    del trial.errors[before:]
    line = chain[-1] if chain else None
    if error is None:
        return {"checker": "silent", "line": None, "why": "the run ended without an objection"}
    text = first_line(error)
    if isinstance(error, jax.errors.KeyReuseError):
        return {"checker": "agrees", "line": line, "why": text}
    return {"checker": "unsupported", "line": line, "why": f"{type(error).__name__}: {text}"}
