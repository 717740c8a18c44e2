"""Results that nobody uses; the twin of each function stands in `good.py`."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState
from jax import lax
from jax.experimental import pallas as pl


@jax.jit
def _updated(x):
    x.at[0].set(1.0)  # JAX202 dead: the updated array is dropped
    return x


def updated():
    return _updated(jnp.zeros(3))


def updated_eagerly():
    x = jnp.zeros(3)
    x.at[0].add(1.0)  # JAX202 dead: dropped
    return x


def sorted_in_place():
    x = jnp.array([3, 1, 2])
    x.sort()  # JAX202 dead: dropped
    return x


def jitted_and_dropped():
    def f(x):
        return x + 1

    jax.jit(f)  # JAX202 dead: the jitted function is dropped
    return f(1.0)


def _wave(x):
    return jnp.sin(x)


def checkpointed():
    jax.checkpoint(_wave)  # JAX202 dead: dropped
    return jax.grad(_wave)(1.0)


def _loss(x):
    lax.stop_gradient(x)  # JAX202 dead: dropped
    return x * 2.0


def stopped():
    return jax.grad(_loss)(1.0)


def applied():
    params = {"w": jnp.ones(2)}
    optax.apply_updates(params, {"w": jnp.ones(2)})  # JAX202 dead: dropped
    return params


def optimised():
    transform = optax.sgd(0.1)
    params = {"w": jnp.ones(2)}
    state = transform.init(params)
    transform.update(params, state)  # JAX202 dead: dropped
    return state


def _step(carry, x):
    carry.at[0].add(x)  # JAX202 dead: dropped
    return carry, x


@jax.jit
def _scanned(xs):
    return lax.scan(_step, jnp.zeros(2), xs)


def in_scan():
    return _scanned(jnp.ones(3))


class Counter:
    def __init__(self):
        self.counts = jnp.zeros(3)

    def count(self, i):
        self.counts.at[i].add(1)  # JAX202 dead: dropped
        return self.counts


def in_method():
    return Counter().count(1)


def _bumped(x):
    return x.at[0].add(1.0)


@functools.partial(jax.jit, static_argnames="n")
def _repeated(x, n):
    for _ in range(n):
        _bumped(x)  # JAX202 dead: the helper's result is dropped
    return x


def through_helper():
    return _repeated(jnp.zeros(2), n=2)


class Scale(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return self.weight * x


@eqx.filter_jit
def _swapped(model, x):
    eqx.tree_at(lambda m: m.weight, model, x)  # JAX202 dead: dropped
    return model(x)


def module_field():
    return _swapped(Scale(jnp.ones(3)), jnp.zeros(3))


def train_state():
    model = nn.Dense(1)
    params = model.init(jax.random.key(0), jnp.ones((1, 2)))
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
    state.apply_gradients(grads=params)  # JAX202 dead: dropped
    return state.step


def split_and_dropped():
    key = jax.random.key(0)
    jax.random.split(key)  # JAX106 dead: its result is dropped
    return jax.random.normal(key)


@jax.jit
def _folded(key):
    jax.random.fold_in(key, 1)  # JAX106 dead: dropped
    return jax.random.normal(key)


def folded():
    return _folded(jax.random.key(0))


def split_and_forgotten():
    key = jax.random.key(0)
    keys = jax.random.split(key)  # JAX106 dead: `keys` is never read
    return jax.random.normal(key)


def _add_bias(x):
    x += 1.0  # JAX210 dead: `x` is not read again


def parameter():
    x = jnp.zeros(2)
    return x, _add_bias(x)


def rows():
    grid = jnp.ones((2, 3))
    for row in grid:
        row *= 2.0  # JAX210 dead: `row` is not read again
    return grid


@jax.jit
def _normalised(params):
    for name, leaf in params.items():
        leaf = leaf / 2.0  # JAX210 dead: `leaf` is not read again
    return params


def leaves():
    return _normalised({"a": jnp.ones(2), "b": jnp.ones(3)})


def _kernel(x_ref, o_ref):
    o_ref = x_ref[...] + 1.0  # JAX210 dead: the name is rebound, nothing is stored


def kernel():
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)
    return pl.pallas_call(_kernel, out_shape=shape, interpret=True)(jnp.ones(3))
