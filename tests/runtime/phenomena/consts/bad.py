"""Large arrays that compiled programs hold as constants; the twin of each function stands in `good.py`."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

TABLE = jnp.ones((20, 20))
HOST = np.ones((20, 20), np.float32)
PARAMS = {"w": jnp.full((20, 20), 2.0), "b": jnp.zeros(3)}


@jax.jit
def _looked_up(x, table=None):
    table = TABLE  # JAX508 consts:1000: a global array
    return x @ table


def a_global():
    return _looked_up(jnp.ones(20), TABLE)


@jax.jit
def _by_numpy(x, host):
    host = HOST  # JAX508 consts:1000: a NumPy array
    return host @ x


def numpy_array():
    return _by_numpy(jnp.ones(20), HOST)


@jax.jit
def _of_dict(x, params):
    size = PARAMS["w"].shape[0]
    y = x @ PARAMS["w"]  # JAX508 consts:1000: an item of a global
    return y / size


def item():
    return _of_dict(jnp.ones(20), PARAMS)


def closure():
    weights = jnp.ones((20, 20))

    @jax.jit
    def apply(x, given):
        y = weights @ x  # JAX508 consts:1000: a closed-over array
        return y

    return apply(jnp.ones(20), weights)


class Layer:
    def __init__(self):
        self.weight = jnp.ones((20, 20))

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x, weight):
        y = x @ self.weight  # JAX508 consts:1000: an attribute of a static `self`
        return y + 1.0


def attribute():
    layer = Layer()
    return layer(jnp.ones(20), layer.weight)


@jax.jit
def _scanned(xs, table):
    def step(carry, x):
        carry = carry + TABLE @ x  # JAX508 consts:1000: in the body of a scan
        return carry, None

    return lax.scan(step, jnp.zeros(20), xs)


def in_scan():
    return _scanned(jnp.ones((2, 20)), TABLE)


@jax.jit
def _inner(x, table):
    y = TABLE * x  # JAX508 consts:1000: in a function jitted within a jitted one
    return y.sum()


@jax.jit
def _outer(x, table):
    return _inner(x, table) + 1.0


def nested():
    return _outer(1.0, TABLE)


def _loss(x, table):
    y = x @ TABLE  # JAX508 consts:1000: under a gradient that is jitted
    return jnp.sum(y * y)


def gradient():
    return jax.jit(jax.grad(_loss))(jnp.ones(20), TABLE)


@jax.jit
def _branched(x, table):
    return lax.cond(
        x.sum() > 0,
        lambda x: TABLE @ x,  # JAX508 consts:1000: in a branch
        lambda x: x,
        x,
    )


def in_branch():
    return _branched(jnp.ones(20), TABLE)


@jax.jit
def _built(x, grid):
    grid = np.linspace(0.0, 1.0, 400, dtype=np.float32)  # JAX508 consts:1000: made by NumPy under the trace
    return x + grid


def built():
    return _built(1.0, np.linspace(0.0, 1.0, 400, dtype=np.float32))


class Model(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return self.weight @ x


MODEL = Model(jnp.ones((20, 20)))


@eqx.filter_jit
def _run(x, model):
    y = MODEL.weight @ x  # JAX508 consts:1000: a global model
    return y


def global_model():
    return _run(jnp.ones(20), MODEL)


def _batched(x, table):
    y = TABLE @ x  # JAX508 consts:1000: jitted within vmap
    return y


def under_vmap():
    return jax.vmap(jax.jit(_batched), in_axes=(0, None))(jnp.ones((2, 20)), TABLE)


@jax.jit
def _large(x, weights):
    weights = jnp.asarray(np.ones(250_000, np.float32))  # JAX508 consts: a megabyte
    return x + weights


def a_megabyte():
    return _large(1.0, np.ones(250_000, np.float32))
