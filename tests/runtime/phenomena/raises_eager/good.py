"""The same without the mistakes."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import struct


def stored():
    x = jnp.zeros(3)
    x = x.at[0].set(1.0)
    return x


def added():
    x = jnp.arange(3)
    x = x.at[1].add(2)
    return x


@struct.dataclass
class State:
    position: jax.Array


def stored_in_attribute():
    state = State(position=jnp.ones(3))
    state = state.replace(position=state.position.at[0].set(2.0))
    return state


class Grid:
    def __init__(self):
        self.cells = jnp.zeros((2, 2))

    def fill(self, value):
        for row in range(2):
            self.cells = self.cells.at[row, 0].set(value)
        return self.cells


def stored_in_method():
    return Grid().fill(1.0)


def swapped():
    x = jnp.arange(3)
    x = x.at[:2].set(x[1::-1])
    return x


def summed_list():
    return jnp.sum(jnp.array([1.0, 2.0]))


def _mean(values):
    return jnp.mean(jnp.stack(values))


def grown_list():
    losses = []
    for step in range(2):
        losses.append(jnp.float32(step))
    return _mean(losses)


@functools.partial(jax.jit, donate_argnums=0)
def _step(state):
    return state + 1


def donated():
    state = jnp.zeros(3)
    after = _step(state)
    return after


_advance = jax.jit(lambda tree: jax.tree.map(jnp.sin, tree), donate_argnames="tree")


def donated_tree():
    tree = {"weight": jnp.ones(3)}
    after = _advance(tree)
    return after["weight"]


def undivided():
    keys = jax.random.split(jax.random.key(0))
    return jax.random.normal(keys[0])


def no_key():
    return jax.random.uniform(jax.random.key(0), (3,))


def key_arithmetic():
    key = jax.random.key(0)
    return jax.random.fold_in(key, 1)


def truth_of_array():
    x = jnp.arange(3)
    return [0] if (x > 1).all() else [1]


def no_method():
    x = jnp.zeros(3)
    x = jnp.full_like(x, 1.0)
    return x


class Layer(eqx.Module):
    weight: jax.Array


def stored_in_module():
    layer = Layer(jnp.ones(2))
    layer = eqx.tree_at(lambda it: it.weight, layer, layer.weight.at[0].set(0.0))
    return layer


def callback():
    def host(x):
        total = np.zeros(2)
        return total + np.asarray(x)

    y = jax.pure_callback(host, jax.ShapeDtypeStruct((2,), jnp.float32), jnp.ones(2), vmap_method="sequential")
    y = y.at[0].set(1.0)
    return y


def numpy_store():
    x = np.zeros(3)
    x[0] = 1.0
    return jnp.asarray(x)


def caught():
    x = jnp.zeros(3)
    try:
        x[0] = 1.0
    except TypeError:
        x = x.at[0].set(1.0)
    return x


def donated_and_rebound():
    state = jnp.zeros(3)
    for _ in range(2):
        state = _step(state)
    return state


def list_of_keys():
    return [jax.random.normal(key) for key in jax.random.split(jax.random.key(0))]
