"""The same lines without a warning."""

import functools
import logging
import warnings

import jax
import jax.numpy as jnp
import numpy as np


def cast():
    x = jnp.ones(3)
    return x.astype("float32")


def zeros():
    return jnp.zeros(3, dtype=jnp.float32)


def summed():
    x = jnp.ones(3)
    return jnp.sum(x, dtype="float32")


@jax.jit
def _precise(x):
    return jnp.asarray(x, dtype=float) * 2


def cast_in_a_trace():
    return _precise(1.0)


def cast_in_a_loop():
    def body(total, x):
        total = total + x.astype(jnp.float32).sum()
        return total.astype("float32"), None

    return jax.lax.scan(body, jnp.float32(0.0), jnp.ones((2, 3)))[0]


def counter():
    steps = np.arange(3)
    return jnp.array(steps) + 1


class Schedule:
    dtype = "float64"

    def rates(self):
        return jnp.linspace(0.0, 1.0, 3)


def dtype_by_attribute():
    return Schedule().rates()


@functools.partial(jax.jit, donate_argnums=0)
def _total(x):
    return x.sum()


def donated_in_vain():
    x = jnp.ones(3)
    return jax.jit(jnp.sum)(x)


def donated_to_a_slice():
    head = jax.jit(lambda x: x[:2], donate_argnums=0)
    counts = jnp.arange(3)
    return counts[:2], head


def store_of_another_type():
    counts = jnp.zeros(3, dtype=jnp.int32)
    return counts.at[0].set(int(1.5))


def complex_to_real():
    wave = jnp.ones(3) * 1j
    return wave.real.astype("float32")


def backend_of_jit():
    step = jax.jit(jnp.sin)
    return step(1.0)


def shard_map():
    shard_map = getattr(jax, "shard_map", None)

    return shard_map


def pjit():
    from jax.experimental import pjit

    return jax.jit(lambda x: x + 1)(1.0), pjit


def numpys_own():
    x = jnp.zeros(3)
    return jnp.log(x)


def hushed():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return jnp.zeros(3, dtype="float64")


def other_warnings():
    warnings.warn("something else", stacklevel=2)
    logging.getLogger("jax").info("float64, only a note")
    logging.getLogger(__name__).warning("float64, not of JAX")


def precise_on_the_host():
    return np.zeros(3, dtype="float64").sum()


def donated_well():
    step = jax.jit(lambda x: x * 0.5, donate_argnums=0)
    return step(jnp.ones(3))
