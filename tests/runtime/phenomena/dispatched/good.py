"""Loops in compiled code, and short ones; the first functions are twins of those in `bad.py`."""

import jax
import jax.numpy as jnp


@jax.jit
def _step(x):
    return x - 0.1 * jnp.sin(x)


def _many(x):
    x = jax.lax.fori_loop(0, 1000, lambda _, y: _step(y), x)
    return x


def many():
    return _many(jnp.ones(3))


def _fewer(x):
    for _ in range(19): x = _step(x)
    return x


def fewer():
    return _fewer(jnp.ones(3))


def _gathered(x):
    return [_step(x) for _ in range(10)]


def gathered():
    return _gathered(jnp.ones(3))


def _until(x):
    n = 0
    while n < 10: n += 1; x = _step(x)
    return x


def until():
    return _until(jnp.ones(3))


def _handed(f, x):
    for _ in range(10): x = f(x)
    return x


def handed():
    return _handed(_step, jnp.ones(3))


@jax.jit
def _long(x):
    return jax.lax.fori_loop(0, 50, lambda _, y: jnp.sin(y), x)


def of_programs_that_have_more_to_do():
    x = jnp.ones(3)
    for _ in range(1000): x = _long(x)
    return x
