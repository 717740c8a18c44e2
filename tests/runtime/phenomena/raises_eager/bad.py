"""Mistakes that raise with nothing traced."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import struct


def stored():
    x = jnp.zeros(3)
    x[0] = 1.0  # JAX201 raises_eager:TypeError: `x` is a JAX array
    return x


def added():
    x = jnp.arange(3)
    x[1] += 2  # JAX201 raises_eager:TypeError: `x` is a JAX array
    return x


@struct.dataclass
class State:
    position: jax.Array


def stored_in_attribute():
    state = State(position=jnp.ones(3))
    state.position[0] = 2.0  # JAX201 raises_eager:TypeError: `state.position` is a JAX array
    return state


class Grid:
    def __init__(self):
        self.cells = jnp.zeros((2, 2))

    def fill(self, value):
        for row in range(2):
            self.cells[row, 0] = value  # JAX201 raises_eager:TypeError: `self.cells` is a JAX array
        return self.cells


def stored_in_method():
    return Grid().fill(1.0)


def swapped():
    x = jnp.arange(3)
    x[0], x[1] = x[1], x[0]  # JAX201 raises_eager:TypeError: `x` is a JAX array
    return x


def summed_list():
    return jnp.sum([1.0, 2.0])  # JAX203 raises_eager:TypeError: a list


def _mean(values):
    return jnp.mean(values)  # JAX203 raises_eager:TypeError: `values` is a list


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
    return after + state  # JAX506 raises_eager:RuntimeError: `state` was donated


_advance = jax.jit(lambda tree: jax.tree.map(jnp.sin, tree), donate_argnames="tree")


def donated_tree():
    tree = {"weight": jnp.ones(3)}
    after = _advance(tree)
    return after["weight"] - tree["weight"]  # JAX506 raises_eager:RuntimeError: `tree` was donated


def undivided():
    keys = jax.random.split(jax.random.key(0))
    return jax.random.normal(keys)  # JAX107 raises_eager:ValueError: `keys` are two


def no_key():
    return jax.random.uniform(0, (3,))  # JAX107 raises_eager:TypeError: an int is no key


def key_arithmetic():
    key = jax.random.key(0)
    return key + 1  # JAX107 raises_eager:TypeError: arithmetic on a key


def truth_of_array():
    x = jnp.arange(3)
    return [0] if x > 1 else [1]  # JAX209 raises_eager:ValueError: an array has no single truth value


def no_method():
    x = jnp.zeros(3)
    x.fill(1.0)  # JAX205 raises_eager:AttributeError: arrays have no fill
    return x


class Layer(eqx.Module):
    weight: jax.Array


def stored_in_module():
    layer = Layer(jnp.ones(2))
    layer.weight[0] = 0.0  # JAX201 raises_eager:TypeError: `layer.weight` is a JAX array
    return layer


def callback():
    def host(x):
        total = np.zeros(2)
        return total + np.asarray(x)

    y = jax.pure_callback(host, jax.ShapeDtypeStruct((2,), jnp.float32), jnp.ones(2), vmap_method="sequential")
    y[0] = 1.0  # JAX201 raises_eager:TypeError: `y` is a JAX array
    return y
