"""Compiled loops, and short ones; the first functions are twins of those in `bad.py`."""

import jax
import jax.numpy as jnp
from jax import lax


def _updated(x):
    x = x.at[:60].set(2.0)
    return x


def updated():
    return _updated(jnp.zeros(60))


def _stepped(x):
    x = lax.fori_loop(0, 60, lambda _, x: x - 0.1 * jnp.sin(x), x)
    return x


def stepped():
    return _stepped(jnp.ones(2))


def _gathered(x):
    return x * jnp.arange(70)


def gathered():
    return _gathered(1.0 + jnp.zeros(()))


def _few(x):
    for _ in range(9): x = jnp.cos(x)
    return x


def few():
    return _few(jnp.ones(2))


def _slope(x):
    return jnp.tanh(x) * 0.5


def _by_helper(x):
    x = lax.fori_loop(0, 55, lambda _, x: _slope(x), x)
    return x


def by_helper():
    return _by_helper(jnp.ones(2))


_jitted = jax.jit(_slope)


def training():
    x = jnp.ones(2)
    for _ in range(60):
        x = _jitted(x)
    return x


@jax.jit
def _unrolled(x):
    for _ in range(60):
        x = x * 0.5
    return x


def in_a_trace():
    return _unrolled(jnp.ones(2))


def of_the_host():
    total = 0.0
    for i in range(100):
        total = total + i * 0.5
    return jnp.asarray(total)
