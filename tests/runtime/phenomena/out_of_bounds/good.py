"""Indices inside of arrays, or outside on purpose; the first functions are twins of those in `bad.py`."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

ROWS = 3


def read():
    x = jnp.arange(5)
    return x[4]


def read_below():
    x = jnp.arange(5)
    return x[-5]


@jax.jit
def _last(x):
    return x[ROWS - 1]


def jitted():
    return _last(jnp.zeros(3))


def update():
    x = jnp.zeros(4)
    x = x.at[3].set(9.0)
    return x.sum()


@jax.jit
def _added(x, i):
    return x.at[:, i - 1].add(1.0)


def second_axis():
    return _added(jnp.zeros((2, 3)), 3)


def got():
    x = jnp.arange(3.0)
    return x.at[jnp.array([0, 5])].get(mode="fill", fill_value=0.0)


def promised():
    x = jnp.arange(3.0)
    y = x.at[2].get(mode="promise_in_bounds")
    return y


def taken():
    x = jnp.arange(5.0)
    y = jnp.take(x, 10, mode="clip")
    return x.take(jnp.array([0, 4])), y


def taken_by_method():
    x = jnp.arange(6.0).reshape(2, 3)
    return x.take(2, axis=1)


def taken_along():
    x = jnp.arange(5.0)
    y = jnp.take_along_axis(x, jnp.array([4]), 0)
    return y


@jax.jit
def _window(x, start):
    window = lax.dynamic_slice(x, (start - 2,), (3,))
    return window


def window():
    return _window(jnp.arange(5), 4)


def stored_window():
    x = jnp.zeros((2, 5))
    x = lax.dynamic_update_slice(x, jnp.ones((1, 3)), (0, 2))
    return x


def in_dim():
    x = jnp.arange(6)
    a = lax.dynamic_slice_in_dim(x, 4, 2)
    b = lax.dynamic_index_in_dim(x, 5, keepdims=False)
    c = lax.dynamic_update_index_in_dim(x, 1, -1, axis=0)
    return a, b, c


def branch():
    branches = [lambda x: x, lambda x: -x]
    return lax.switch(1, branches, 1.0)


@jax.jit
def _shifted(xs):
    def body(i, total):
        return total + xs[i]

    return lax.fori_loop(0, 3, body, 0.0)


def in_loop():
    return _shifted(jnp.ones(3))


def _pick(row, i):
    return row[jnp.minimum(i, 2)]


def in_lane():
    return jax.vmap(_pick)(jnp.ones((2, 3)), jnp.array([0, 3]))


def _energy(x):
    return x[0] * x[2]


def gradient():
    return jax.jit(jax.grad(_energy))(jnp.ones(3))


class Buffer:
    def __init__(self, size):
        self.data = jnp.zeros(size)

    @functools.partial(jax.jit, static_argnums=0)
    def push(self, value):
        return self.data.at[len(self.data) - 1].set(value)


def in_method():
    return Buffer(3).push(1.0)


def keys():
    ks = jax.random.split(jax.random.key(0), 2)
    return jax.random.normal(ks[1])


# Innocents.


def slices():
    x = jnp.arange(5)
    return x[:10], x[3:99], x[-20:2], x[7:9]


def chosen():
    x = jnp.zeros(3)
    x = x.at[7].set(1.0, mode="drop").at[8].add(1.0, mode="clip")
    options = {"mode": "fill"}
    return x.at[9].get(**options), jnp.take(x, 5, mode="fill"), x.take(-9, mode="wrap")


def masks():
    x = jnp.arange(4)
    return x[jnp.array([True, False, True, False])], x[None, ...], x[x > 5], x[jnp.array([], int)]


def containers():
    table = {"a": [1, 2], 7: jnp.ones(2)}
    return table["a"][1], table[7][-2], np.arange(3)[2], [jnp.zeros(1)][0]


@jax.jit
def _guarded(x, i):
    return lax.cond(i < 3, lambda: x[i], lambda: 0.0)


def guarded():
    return _guarded(jnp.ones(3), 5), jax.vmap(_guarded, in_axes=(None, 0))(jnp.ones(3), jnp.array([1, 4]))


@jax.jit
def _backwards(xs):
    return lax.fori_loop(0, 3, lambda i, total: total + xs[-1 - i], 0.0)


def from_the_end():
    return _backwards(jnp.ones(3))


def last_window():
    x = jnp.arange(5)
    return lax.dynamic_slice(x, (-3,), (3,)), lax.dynamic_slice_in_dim(x, 2, 3), x[jnp.array([[0, 4], [-5, 1]])]
