"""64 bits that are asked for in vain; the twin of each function stands in `good.py`."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

WIDE = jnp.float64


def zeros():
    return jnp.zeros(2, dtype=jnp.float64)  # JAX206 truncated: float32 comes back


def converted():
    x = jnp.arange(2)
    return x.astype("float64")  # JAX206 truncated: by name


def by_numpy_type():
    x = jnp.array([1, 2], dtype=np.int64)  # JAX206 truncated: NumPy's type
    return x


def unsigned():
    return jnp.asarray([1, 2], np.dtype("uint64"))  # JAX206 truncated: a dtype object


def complex_numbers():
    x = jnp.ones(2)
    return x.astype(jnp.complex128)  # JAX206 truncated: complex64 comes back


def scalar():
    return jnp.float64(1.5)  # JAX206 truncated: a scalar's constructor


def full_like():
    x = jnp.ones(3)
    y = jnp.full_like(x, 2.0, dtype=WIDE)  # JAX206 truncated: the type has another name
    return y


@jax.jit
def _accumulated(x):
    total = jnp.sum(x, dtype=jnp.float64)  # JAX206 truncated: under jit
    return total


def under_jit():
    return _accumulated(jnp.ones(3))


def _grid(n, dtype):
    return jnp.linspace(0.0, 1.0, n, dtype=dtype)  # JAX206 truncated: asked for by the caller


def through_helper():
    return _grid(3, jnp.float64)


@functools.partial(jax.jit, static_argnames="dtype")
def _cast(x, dtype):
    return jax.lax.convert_element_type(x, dtype)  # JAX206 truncated: a static argument


def static_type():
    return _cast(jnp.ones(2), dtype=np.float64)


def drawn():
    key = jax.random.key(0)
    return jax.random.uniform(key, (2,), dtype=jnp.float64)  # JAX206 truncated: of a sampler


def handed_in():
    host = np.zeros(3, dtype=np.float64)
    host = host + 1.0
    return jnp.asarray(host)  # JAX206 truncated: JAX does not warn


def _half(x):
    return x / 2


def into_jit():
    host = np.ones(3).astype("float64")
    return jax.jit(_half)(host)  # JAX206 truncated: the argument loses half of its bits


def mixed():
    x = jnp.ones(3)
    step = np.float64(0.1)
    return x * step  # JAX206 truncated: the result is float32


def too_large():
    stamps = np.array([2**40, 2**40 + 1])
    return jnp.asarray(stamps)  # JAX206 truncated: other numbers come back


class Ruler:
    dtype = np.float64

    def marks(self):
        return jnp.arange(3, dtype=self.dtype)  # JAX206 truncated: an attribute


def in_method():
    return Ruler().marks()
