"""Lines of which JAX warns."""

import functools
import logging
import warnings

import jax
import jax.numpy as jnp
import numpy as np


def cast():
    x = jnp.ones(3)
    return x.astype("float64")  # JAX206 warns:requested_dtype_float64: truncated to float32


def zeros():
    return jnp.zeros(3, dtype=jnp.float64)  # JAX206 warns:float64: truncated to float32


def summed():
    x = jnp.ones(3)
    return jnp.sum(x, dtype="float64")  # JAX206 warns:dtype_float64: truncated, said when first traced


@jax.jit
def _precise(x):
    return jnp.asarray(x, dtype="float64") * 2  # JAX206 warns:float64: truncated to float32


def cast_in_a_trace():
    return _precise(1.0)


def cast_in_a_loop():
    def body(total, x):
        total = total + x.astype(jnp.float64).sum()  # JAX206 warns:float64: truncated to float32
        return total.astype("float32"), None

    return jax.lax.scan(body, jnp.float32(0.0), jnp.ones((2, 3)))[0]


def counter():
    steps = np.arange(3)
    return jnp.array(steps, dtype="int64") + 1  # JAX206 warns:int64: truncated to int32


class Schedule:
    dtype = "float64"

    def rates(self):
        return jnp.linspace(0.0, 1.0, 3, dtype=self.dtype)  # JAX206 warns:float64: truncated to float32


def dtype_by_attribute():
    return Schedule().rates()


@functools.partial(jax.jit, donate_argnums=0)
def _total(x):
    return x.sum()


def donated_in_vain():
    x = jnp.ones(3)
    return _total(x)  # JAX506 warns:donated_buffers_were_not_usable: no result has the shape of `x`


def donated_to_a_slice():
    head = jax.jit(lambda x: x[:2], donate_argnums=0)
    counts = jnp.arange(3)
    return head(counts)  # JAX506 warns:donated: no result has the shape of `counts`


def store_of_another_type():
    counts = jnp.zeros(3, dtype=jnp.int32)
    return counts.at[0].set(1.5)  # JAX802 warns:scatter_inputs_have_incompatible_types: will be an error


def complex_to_real():
    wave = jnp.ones(3) * 1j
    return wave.astype("float32")  # JAX802 warns:complex_to_real: will be an error


def backend_of_jit():
    step = jax.jit(jnp.sin, backend="cpu")  # JAX802 warns:backend_and_device_argument: deprecated
    return step(1.0)


def shard_map():  # verify: since 0.8, the old name was not deprecated
    from jax.experimental.shard_map import shard_map  # JAX802 warns:shard_map_is_deprecated: it is jax.shard_map

    return shard_map


def pjit():  # verify: since 0.8, the old name was not deprecated
    from jax.experimental import pjit

    return pjit.pjit(lambda x: x + 1)(1.0)  # JAX802 warns:pjit_has_been_deprecated: it is jax.jit


def numpys_own():
    x = jnp.zeros(3)
    return np.log(x)  # JAX701 warns:divide_by_zero: NumPy on a JAX array
