"""What changes the state that a library keeps of a function that it runs, and what it has for the transforms of JAX."""

from __future__ import annotations

KEPT = frozenset(("haiku.get_parameter", "haiku.get_state", "haiku.set_state"))
"""What makes parameters or states where there are none yet."""

DRAWN = frozenset((
    "haiku.next_rng_key", "haiku.next_rng_keys", "numpyro.deterministic", "numpyro.factor", "numpyro.param",
    "numpyro.sample",
))  # fmt: skip
"""What changes the state of the library each time."""

RUNNING_INIT = "running_init"
"""By what a function asks haiku whether parameters are being made, so that it is prepared for that."""

OF_LIBRARY = {
    "haiku": {
        "scan": "hk.scan", "while_loop": "hk.while_loop", "fori_loop": "hk.fori_loop", "cond": "hk.cond",
        "switch": "hk.switch", "map": "hk.map", "checkpoint": "hk.remat", "remat": "hk.remat",
    },
    "numpyro": {
        "scan": "numpyro.contrib.control_flow.scan", "cond": "numpyro.contrib.control_flow.cond", "while_loop": "",
        "fori_loop": "",
    },
}  # fmt: skip
"""By library the transforms of JAX that stage their function, and what the library has instead."""

OF_MODULES = frozenset(("haiku",))
"""The libraries whose modules make their parameters when they are called first."""

OPTIMIZERS = frozenset(("optax.GradientTransformation", "optax.GradientTransformationExtraArgs"))
"""Objects of functions, which no transform of JAX takes as an argument."""

INJECTING = "optax.inject_hyperparams"
"""What puts the numbers that an optimizer is made with into its state, which is an argument."""
