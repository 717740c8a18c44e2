"""Indices outside of arrays; the twin of each function stands in `good.py`."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

ROWS = 3


def read():
    x = jnp.arange(5)
    return x[10]  # JAX204 out_of_bounds: clamped


def read_below():
    x = jnp.arange(5)
    return x[-7]  # JAX204 out_of_bounds: negative beyond the length


@jax.jit
def _last(x):
    return x[ROWS]  # JAX204 out_of_bounds: one beyond, from a constant


def jitted():
    return _last(jnp.zeros(3))


def update():
    x = jnp.zeros(4)
    x = x.at[4].set(9.0)  # JAX204 out_of_bounds: dropped
    return x.sum()


@jax.jit
def _added(x, i):
    return x.at[:, i].add(1.0)  # JAX204 out_of_bounds: a traced index


def second_axis():
    return _added(jnp.zeros((2, 3)), 3)


def got():
    x = jnp.arange(3.0)
    return x.at[jnp.array([0, 5])].get()  # JAX204 out_of_bounds: an array of indices


def promised():
    x = jnp.arange(3.0)
    y = x.at[3].get(mode="promise_in_bounds")  # JAX204 out_of_bounds: a promise that is broken
    return y


def taken():
    x = jnp.arange(5.0)
    y = jnp.take(x, 10)  # JAX204 out_of_bounds: filled with NaN
    return x.take(jnp.array([0, 4])), y


def taken_by_method():
    x = jnp.arange(6.0).reshape(2, 3)
    return x.take(3, axis=1)  # JAX204 out_of_bounds: beyond axis 1


def taken_along():
    x = jnp.arange(5.0)
    y = jnp.take_along_axis(x, jnp.array([10]), 0)  # JAX204 out_of_bounds: filled
    return y


@jax.jit
def _window(x, start):
    window = lax.dynamic_slice(x, (start,), (3,))  # JAX204 out_of_bounds: the start is moved
    return window


def window():
    return _window(jnp.arange(5), 4)


def stored_window():
    x = jnp.zeros((2, 5))
    x = lax.dynamic_update_slice(x, jnp.ones((1, 3)), (0, 3))  # JAX204 out_of_bounds: moved
    return x


def in_dim():
    x = jnp.arange(6)
    a = lax.dynamic_slice_in_dim(x, 5, 2)  # JAX204 out_of_bounds: moved
    b = lax.dynamic_index_in_dim(x, 6, keepdims=False)  # JAX204 out_of_bounds: clamped
    c = lax.dynamic_update_index_in_dim(x, 1, 7, axis=0)  # JAX204 out_of_bounds: clamped
    return a, b, c


def branch():
    branches = [lambda x: x, lambda x: -x]
    return lax.switch(2, branches, 1.0)  # JAX204 out_of_bounds: two branches, index 2


@jax.jit
def _shifted(xs):
    def body(i, total):
        return total + xs[i + 1]  # JAX204 out_of_bounds: on the last turn

    return lax.fori_loop(0, 3, body, 0.0)


def in_loop():
    return _shifted(jnp.ones(3))


def _pick(row, i):
    return row[i]  # JAX204 out_of_bounds: in one lane


def in_lane():
    return jax.vmap(_pick)(jnp.ones((2, 3)), jnp.array([0, 3]))


def _energy(x):
    return x[0] * x[3]  # JAX204 out_of_bounds: under a gradient


def gradient():
    return jax.jit(jax.grad(_energy))(jnp.ones(3))


class Buffer:
    def __init__(self, size):
        self.data = jnp.zeros(size)

    @functools.partial(jax.jit, static_argnums=0)
    def push(self, value):
        return self.data.at[len(self.data)].set(value)  # JAX204 out_of_bounds: one beyond


def in_method():
    return Buffer(3).push(1.0)


def keys():
    ks = jax.random.split(jax.random.key(0), 2)
    return jax.random.normal(ks[2])  # JAX204 out_of_bounds: the second key again
