"""Arrays that are arguments, or small; the first functions are twins of those in `bad.py`."""

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
    return x @ table


def a_global():
    return _looked_up(jnp.ones(20), TABLE)


@jax.jit
def _by_numpy(x, host):
    return host @ x


def numpy_array():
    return _by_numpy(jnp.ones(20), HOST)


@jax.jit
def _of_dict(x, params):
    size = PARAMS["w"].shape[0]
    y = x @ params["w"]
    return y / size


def item():
    return _of_dict(jnp.ones(20), PARAMS)


def closure():
    weights = jnp.ones((20, 20))

    @jax.jit
    def apply(x, given):
        y = given @ x
        return y

    return apply(jnp.ones(20), weights)


class Layer:
    def __init__(self):
        self.weight = jnp.ones((20, 20))

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x, weight):
        y = x @ weight
        return y + 1.0


def attribute():
    layer = Layer()
    return layer(jnp.ones(20), layer.weight)


@jax.jit
def _scanned(xs, table):
    def step(carry, x):
        carry = carry + table @ x
        return carry, None

    return lax.scan(step, jnp.zeros(20), xs)


def in_scan():
    return _scanned(jnp.ones((2, 20)), TABLE)


@jax.jit
def _inner(x, table):
    y = table * x
    return y.sum()


@jax.jit
def _outer(x, table):
    return _inner(x, table) + 1.0


def nested():
    return _outer(1.0, TABLE)


def _loss(x, table):
    y = x @ table
    return jnp.sum(y * y)


def gradient():
    return jax.jit(jax.grad(_loss))(jnp.ones(20), TABLE)


@jax.jit
def _branched(x, table):
    return lax.cond(
        x.sum() > 0,
        lambda x: table @ x,
        lambda x: x,
        x,
    )


def in_branch():
    return _branched(jnp.ones(20), TABLE)


@jax.jit
def _built(x, grid):
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
    y = model.weight @ x
    return y


def global_model():
    return _run(jnp.ones(20), MODEL)


def _batched(x, table):
    y = table @ x
    return y


def under_vmap():
    return jax.vmap(jax.jit(_batched), in_axes=(0, None))(jnp.ones((2, 20)), TABLE)


@jax.jit
def _large(x, weights):
    weights = jnp.asarray(weights)
    return x + weights


def a_megabyte():
    return _large(1.0, np.ones(250_000, np.float32))


# Innocents.


@jax.jit
def _made_by_jax(x):
    return x + jnp.ones((600, 600)) + jnp.arange(600)


def made_by_jax():
    return _made_by_jax(1.0)


@jax.jit
def _small(x):
    return x + PARAMS["b"] + np.arange(3)


def small():
    return _small(1.0)


def _uncompiled(x):
    return jnp.sum(TABLE @ x)


def operation_by_operation():
    return jax.grad(_uncompiled)(jnp.ones(20)), jax.vmap(_uncompiled)(jnp.ones((2, 20)))


@jax.jit
def _by_shape(x):
    return x * TABLE.shape[0] + HOST.size + len(HOST)


def shape_alone():
    return _by_shape(1.0)


@eqx.filter_jit
def _applied(model, x):
    return model(x)


def module_argument():
    return _applied(MODEL, jnp.ones(20))
