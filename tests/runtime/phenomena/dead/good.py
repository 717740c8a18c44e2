"""Results that are used, or that nobody needs to use; the first functions are twins of those in `bad.py`."""

import functools
import time

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
    x = x.at[0].set(1.0)
    return x


def updated():
    return _updated(jnp.zeros(3))


def updated_eagerly():
    x = jnp.zeros(3)
    x = x.at[0].add(1.0)
    return x


def sorted_in_place():
    x = jnp.array([3, 1, 2])
    x = x.sort()
    return x


def jitted_and_dropped():
    def f(x):
        return x + 1

    f = jax.jit(f)
    return f(1.0)


def _wave(x):
    return jnp.sin(x)


def checkpointed():
    wave = jax.checkpoint(_wave)
    assert wave(1.0) == _wave(1.0)
    return jax.grad(_wave)(1.0)


def _loss(x):
    x = x + lax.stop_gradient(x)
    return x * 2.0


def stopped():
    return jax.grad(_loss)(1.0)


def applied():
    params = {"w": jnp.ones(2)}
    params = optax.apply_updates(params, {"w": jnp.ones(2)})
    return params


def optimised():
    transform = optax.sgd(0.1)
    params = {"w": jnp.ones(2)}
    state = transform.init(params)
    _, state = transform.update(params, state)
    return state


def _step(carry, x):
    carry = carry.at[0].add(x)
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
        self.counts = self.counts.at[i].add(1)
        return self.counts


def in_method():
    return Counter().count(1)


def _bumped(x):
    return x.at[0].add(1.0)


@functools.partial(jax.jit, static_argnames="n")
def _repeated(x, n):
    for _ in range(n):
        x = _bumped(x)
    return x


def through_helper():
    return _repeated(jnp.zeros(2), n=2)


class Scale(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return self.weight * x


@eqx.filter_jit
def _swapped(model, x):
    model = eqx.tree_at(lambda m: m.weight, model, x)
    return model(x)


def module_field():
    return _swapped(Scale(jnp.ones(3)), jnp.zeros(3))


def train_state():
    model = nn.Dense(1)
    params = model.init(jax.random.key(0), jnp.ones((1, 2)))
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
    state = state.apply_gradients(grads=params)
    return state.step


def split_and_dropped():
    key = jax.random.key(0)
    key, _ = jax.random.split(key)
    return jax.random.normal(key)


@jax.jit
def _folded(key):
    key = jax.random.fold_in(key, 1)
    return jax.random.normal(key)


def folded():
    return _folded(jax.random.key(0))


def split_and_forgotten():
    key = jax.random.key(0)
    keys = jax.random.split(key)
    key = keys[1]
    return jax.random.normal(key)


def _add_bias(x):
    x += 1.0
    return x


def parameter():
    x = jnp.zeros(2)
    return x, _add_bias(x)


def rows():
    grid = jnp.ones((2, 3))
    for row in grid:
        row *= 2.0
        grid = grid + row
    return grid


@jax.jit
def _normalised(params):
    for name, leaf in params.items():
        leaf = leaf / 2.0
        params = {**params, name: leaf}
    return params


def leaves():
    return _normalised({"a": jnp.ones(2), "b": jnp.ones(3)})


def _kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1.0


def kernel():
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)
    return pl.pallas_call(_kernel, out_shape=shape, interpret=True)(jnp.ones(3))


# Innocents.


@jax.jit
def _compiled(x):
    return x * 2.0


def warm_up():
    x = jnp.ones(3)
    _compiled(x)
    _compiled(x).block_until_ready()
    start = time.perf_counter()
    jax.block_until_ready(_compiled(x))
    _ = _compiled(x)
    return time.perf_counter() - start


@jax.jit
def _debugged(x):
    jax.debug.print("x = {}", x)
    jax.debug.callback(lambda x: None, x)
    return x


def debugged():
    return _debugged(jnp.ones(2))


def _noted(log, x):
    log.append(x)
    return x


def noted():
    log = []
    _noted(log, jnp.ones(2))
    log.pop()
    return log


class Model:
    def __init__(self):
        self.state = jnp.zeros(2)

    def advance(self, x):
        self.state = self.state + x
        return self.state


def advanced():
    model = Model()
    model.advance(1.0)
    return model.state


def _positive(x):
    assert x.shape
    return x


def checked():
    x = jnp.ones(2)
    _positive(x)
    return x


@functools.partial(jax.jit, static_argnames="scaled")
def _centred(x, scaled):
    mean = x.mean()
    if scaled:
        return x / mean
    return x


def read_on_another_path():
    return _centred(jnp.ones(3), scaled=False)


def _late(x):
    y = x * 2.0

    def inner():
        return y

    return inner


def read_by_a_closure():
    return _late(jnp.ones(2))()


@jax.jit
def _looped(x):
    total = x
    for _ in range(3):
        x = x + total
        total = x * 2.0
    return x


def read_on_the_next_turn():
    return _looped(jnp.ones(2))


def _squares(x):
    return x * x, x + 1.0


@jax.jit
def _half_used(x):
    square, _ = _squares(x)
    return square


def half_used():
    return _half_used(jnp.ones(2))


@jax.jit
def _gradient(x):
    value, gradient = jax.value_and_grad(lambda x: jnp.sum(x) + 3.0)(x)
    return gradient


def gradient_alone():
    return _gradient(jnp.ones(2))


def traced_for_its_message():
    jax.eval_shape(_wave, 1.0)
    jax.make_jaxpr(_wave)(1.0)
    jax.jit(_wave).lower(1.0).compile()


@jax.custom_vjp
def _clipped(x):
    return x


def _forward(x):
    return x, None


def _backward(_, g):
    return (jnp.clip(g, -1.0, 1.0),)


_clipped.defvjp(_forward, _backward)


def custom_rule():
    return jax.grad(_clipped)(1.0)
