"""The settings of JAX, and whether they can be made once the backend has started.

    fact("jax_enable_x64") -> "counts"                      the update is taken; what comes of it api/startup.toml says
    fact("jax_num_cpu_devices") -> "raises RuntimeError"

Each is set to the value that it has; a number to another one, and back: what minds the backend is one, and minds only
changes.
"""

from __future__ import annotations

import jax

from flake8_jax.runtime import compat
from flake8_jax.runtime.measuring.naming.watching import quiet

SECTION = "settings"


def subjects() -> dict[str, str]:
    """Every setting of `jax.config`."""
    return dict.fromkeys(compat.settings(), "startup")


def fact(name: str) -> str:
    """Whether a setting can be made late."""
    jax.devices()
    value = compat.settings()[name]
    with quiet():
        try:
            jax.config.update(name, value + 1 if type(value) is int else value)  # type: ignore[no-untyped-call]
        except Exception as error:
            return f"raises {type(error).__name__}"
        jax.config.update(name, value)  # type: ignore[no-untyped-call]
    return "counts"
