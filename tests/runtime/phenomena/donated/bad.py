"""Arrays that are asked for after their buffers were donated."""

import jax
import jax.numpy as jnp
import numpy as np

_step = jax.jit(lambda x, y: x + y, donate_argnums=0)


def added():
    x = jnp.ones(3)
    y = _step(x, 1.0)
    return x + y  # JAX506 donated: `x` was donated


def to_numpy():
    x = jnp.ones(3)
    y = _step(x, 1.0)
    return y, np.asarray(x)  # JAX506 donated: `x` was donated


def compiled():
    x = jnp.ones(3)
    y = _step(x, 1.0)
    return y, _step(x, 2.0)  # JAX506 donated: `x` was donated


def turns():
    x = jnp.ones(3)
    for turn in range(2):
        y = _step(x, turn)  # JAX506 donated: `x` is donated again


def twice():
    x = jnp.ones(3)
    return _step(x, x)  # JAX506 donated: `x` is donated and passed
