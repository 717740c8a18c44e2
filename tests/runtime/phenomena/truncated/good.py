"""Types that come back as asked for; the first functions are twins of those in `bad.py`."""

import contextlib
import functools

import jax
import jax.numpy as jnp
import numpy as np

WIDE = jnp.float64


@contextlib.contextmanager
def enable_x64():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        yield
    finally:
        jax.config.update("jax_enable_x64", before)


def zeros():
    return jnp.zeros(2, dtype=jnp.float32)


def converted():
    x = jnp.arange(2)
    return x.astype("float32")


def by_numpy_type():
    x = jnp.array([1, 2], dtype=np.int32)
    return x


def unsigned():
    return jnp.asarray([1, 2], np.dtype("uint32"))


def complex_numbers():
    x = jnp.ones(2)
    return x.astype(jnp.complex64)


def scalar():
    return jnp.float32(1.5)


def full_like():
    x = jnp.ones(3)
    with enable_x64():
        y = jnp.full_like(x, 2.0, dtype=WIDE)
    return y


@jax.jit
def _accumulated(x):
    total = jnp.sum(x, dtype=jnp.float32)
    return total


def under_jit():
    return _accumulated(jnp.ones(3))


def _grid(n, dtype):
    dtype = jax.dtypes.canonicalize_dtype(dtype)
    return jnp.linspace(0.0, 1.0, n, dtype=dtype)


def through_helper():
    return _grid(3, jnp.float64)


@functools.partial(jax.jit, static_argnames="dtype")
def _cast(x, dtype):
    return jax.lax.convert_element_type(x, np.float32)


def static_type():
    return _cast(jnp.ones(2), dtype=np.float64)


def drawn():
    key = jax.random.key(0)
    return jax.random.uniform(key, (2,), dtype=jnp.float32)


def handed_in():
    host = np.zeros(3, dtype=np.float64)
    host = host + 1.0
    return jnp.asarray(host, dtype=jnp.float32)


def _half(x):
    return x / 2


def into_jit():
    host = np.ones(3).astype("float64")
    return jax.jit(_half)(host.astype(np.float32))


def mixed():
    x = jnp.ones(3)
    step = np.float64(0.1)
    return x * float(step)


def too_large():
    stamps = np.array([2**40, 2**40 + 1])
    return jnp.asarray(stamps - 2**40)


class Ruler:
    dtype = np.float64

    def marks(self):
        with enable_x64():
            return jnp.arange(3, dtype=self.dtype)


def in_method():
    return Ruler().marks()


# Innocents.


def defaults():
    return jnp.zeros(3), jnp.arange(3), jnp.array([1.5, 2.5]), jnp.zeros(2, dtype=float), jnp.ones(2, int)


def numpy_defaults():
    host = np.random.rand(3)
    return jnp.asarray(host), jnp.array(np.arange(3)), jnp.ones(3) + np.arange(3), jax.device_put(np.ones(2))


def on_the_host():
    total = np.zeros(3, dtype=np.float64)
    total += np.asarray(jnp.ones(3), dtype=np.float64)
    return total.sum(), np.float64(2.0) * 3.0, np.int64(4)


def shapes():
    n = np.int64(3)
    return jnp.zeros(int(n)), jax.ShapeDtypeStruct((3,), np.float64), jnp.finfo(jnp.float32).eps


def enabled():
    with enable_x64():
        x = jnp.zeros(3, jnp.float64)
        y = jnp.asarray(np.array([2**40]))
        return x.astype("complex128"), y


def narrow_on_purpose():
    host = np.linspace(0.0, 1.0, 3, dtype=np.float64)
    return jnp.float32(host[1]), jnp.asarray(host.astype(np.float32)), jnp.asarray(host, "float32")
