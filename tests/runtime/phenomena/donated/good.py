"""The results, or copies, in place of what was donated."""

import jax
import jax.numpy as jnp
import numpy as np

_step = jax.jit(lambda x, y: x + y, donate_argnums=0)


def added():
    x = jnp.ones(3)
    y = _step(x, 1.0)
    return y + y


def to_numpy():
    x = jnp.ones(3)
    y = _step(x, 1.0)
    return y, np.asarray(y)


def compiled():
    x = jnp.ones(3)
    y = _step(x, 1.0)
    return y, _step(y.copy(), 1.0)


def turns():
    x = jnp.ones(3)
    for turn in range(2):
        x = _step(x, turn)


def twice():
    x = jnp.ones(3)
    return _step(x, x.copy())


def shapes():
    x = jnp.ones(3)
    y = _step(x, 1.0)
    return y, x.shape, jnp.zeros_like(x)


def unusable():
    x = jnp.ones(3)
    total = jax.jit(lambda x: x.sum(), donate_argnums=0)(x)
    return total + x
