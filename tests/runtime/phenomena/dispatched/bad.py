"""Loops that call compiled code of a few operations, again and again; the twin of each function stands in `good.py`."""

import jax
import jax.numpy as jnp


@jax.jit
def _step(x):
    return x - 0.1 * jnp.sin(x)


def _many(x):
    for _ in range(1000): x = _step(x)  # JAX703 dispatched: 1000 calls of a small program
    return x


def many():
    return _many(jnp.ones(3))


def _fewer(x):
    for _ in range(20): x = _step(x)  # JAX703 dispatched:20: another number
    return x


def fewer():
    return _fewer(jnp.ones(3))


def _gathered(x):
    return [_step(x) for _ in range(1000)]  # JAX703 dispatched: of a comprehension


def gathered():
    return _gathered(jnp.ones(3))


def _until(x):
    n = 0
    while n < 1000: n += 1; x = _step(x)  # JAX703 dispatched: a loop that counts itself
    return x


def until():
    return _until(jnp.ones(3))


def _handed(f, x):
    for _ in range(1000): x = f(x)  # JAX703 dispatched: a function that is handed in
    return x


def handed():
    return _handed(_step, jnp.ones(3))
