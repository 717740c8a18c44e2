"""Draws that are equal on each call, turn or lane; the twin of each function stands in `good.py`."""

from functools import partial

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import jax.random as jr
from jax import lax


# One constant key for every call of a traced function.


@jax.jit
def _noisy(x, key):
    key = jr.key(0)  # JAX104 equal_draws: the same key on every call of `_noisy`
    return x + jr.normal(key)


def constant_in_jitted_function():
    return _noisy(1.0, jr.key(1))


@partial(jax.jit, static_argnames="train")
def _dropout(x, step, train):
    seed = 3
    k1, k2 = jr.split(jr.PRNGKey(seed))  # JAX104 equal_draws: the same key on every call of `_dropout`
    return x * jr.bernoulli(k1) + jr.normal(k2) if train else x


def constant_in_a_function_called_twice():
    return _dropout(jnp.ones(2), 0, train=True), _dropout(jnp.ones(2), 1, train=True)


@jax.jit
def _defaulted(x, key=jr.PRNGKey(0)):  # JAX104 equal_draws: a default is made once
    return x + jr.normal(key)


def constant_in_a_default():
    return _defaulted(1.0), _defaulted(2.0)


def constant_under_grad_in_a_step():
    def loss(w, x, key):
        noise = jr.normal(jr.key(1), x.shape)  # JAX104 equal_draws: the same noise on every step
        return jnp.sum((w * x + noise) ** 2)

    step = jax.jit(jax.value_and_grad(loss))
    return step(1.0, jnp.ones(2), jr.key(2))


class Augment:
    """A jitted method that makes its own key."""

    def __init__(self, scale, key):
        self.scale, self.key = scale, key

    @partial(jax.jit, static_argnums=0)
    def __call__(self, image):
        rng = jr.PRNGKey(42)  # JAX104 equal_draws: the same key on every call
        return image + self.scale * jr.normal(rng, image.shape)


def constant_in_a_method():
    augment = Augment(0.1, jr.PRNGKey(0))
    return augment(jnp.ones(2))


def constant_in_a_scan_body():
    def body(total, key):
        return total + jr.normal(jr.key(7)), None  # JAX104 equal_draws: the same key on every turn

    return lax.scan(body, 0.0, jr.split(jr.key(0), 3))


def constant_in_a_helper_under_vmap():
    def mask(x, key):
        rng = jr.key(11)  # JAX104 equal_draws: the same key in every lane
        return x * jr.bernoulli(rng)

    return jax.jit(jax.vmap(lambda x, key: mask(x, key)))(jnp.ones(3), jr.split(jr.key(0), 3))


@eqx.filter_jit
def _equinox_noise(model, x, key):
    return model(x) + jr.normal(jr.key(5), (2,))  # JAX104 equal_draws: the same key on every call


def constant_beside_equinox():
    k1, k2 = jr.split(jr.key(0))
    return _equinox_noise(eqx.nn.Linear(2, 2, key=k1), jnp.ones(2), k2)


class Drop(nn.Module):
    """Draws from a key of its own in place of the one that it is given."""

    @nn.compact
    def __call__(self, x):
        return x * jr.bernoulli(jr.key(9), 0.5, x.shape)  # JAX104 equal_draws: the same mask on every call


def constant_in_linen():
    return jax.jit(Drop().apply)({}, jnp.ones(3), rngs={"dropout": jr.key(1)})


# One key for all turns of a loop.


def invariant_in_scan():
    key = jr.key(0)

    def body(total, i):
        return total + jr.normal(key), None  # JAX102 equal_draws: `key` is the same on every turn

    return lax.scan(body, 0.0, jnp.arange(3))


def invariant_in_fori_loop():
    key = jr.key(0)

    @jax.jit
    def run(x):
        return lax.fori_loop(0, 3, lambda i, x: x + jr.normal(key), x)  # JAX102 equal_draws: `key` is the same

    return run(0.0)


def invariant_in_while_carry():
    def body(state):
        key, x, n = state
        sub = key
        return key, x + jr.uniform(sub), n + 1  # JAX102 equal_draws: `key` is carried on as it is

    return lax.while_loop(lambda state: state[2] < 3, body, (jr.PRNGKey(0), 0.0, 0))


def invariant_in_python_loop():
    key, x = jr.key(0), 0.0
    for i in range(3):
        x = x + jr.normal(key)  # JAX102 equal_draws: `key` is the same on every turn
    return x


@jax.jit
def _step(x, key):
    return x + jr.normal(key)


def passed_on_each_turn():
    key, x = jr.key(0), 0.0
    for i in range(3):
        x = _step(x, key)  # JAX102 equal_draws: `key` is the same on every turn
    return x


def invariant_in_comprehension():
    key = jr.key(0)
    return [jr.normal(key, (n,)) for n in (1, 2)]  # JAX102 equal_draws: `key` is the same on every turn


def mapped_over_a_tree():
    key = jr.key(0)
    tree = {"a": jnp.ones(2), "b": jnp.ones(3)}
    return jax.tree.map(lambda x: x + jr.normal(key, x.shape), tree)  # JAX102 equal_draws: one key for all leaves


# One key for all lanes.


def closed_over_by_vmap():
    key = jr.key(0)
    return jax.vmap(lambda x: x + jr.normal(key))(jnp.ones(3))  # JAX102 equal_draws: `key` is the same in every lane


def shared_by_in_axes():
    def one(key, i):
        return jr.normal(key)  # JAX102 equal_draws: `key` is the same in every lane

    return jax.jit(jax.vmap(one, in_axes=(None, 0)))(jr.PRNGKey(1), jnp.arange(3))


def repeated_for_the_lanes():
    keys = jr.split(jr.PRNGKey(2), 3)
    return jax.vmap(jr.normal)(jnp.repeat(keys[:1], 3, axis=0))  # JAX102 equal_draws: every lane has the same key


# Derived alike.


def folded_with_a_constant():
    key = jr.key(0)

    def body(x, i):
        sub = jr.fold_in(key, 1)  # JAX105 equal_draws: the same data on every turn
        return x + jr.normal(sub), i

    return lax.scan(body, 0.0, jnp.arange(3))


def folded_alike():
    key = jr.key(0)
    a = jr.fold_in(key, 1)
    b = jr.fold_in(key, 1)  # JAX105 equal_draws: the same data for two keys
    return jr.normal(a), jr.uniform(b)


def one_seed_for_two_draws():
    a = jr.normal(jr.key(3))
    b = jr.uniform(jr.key(3))  # JAX105 equal_draws: the same seed for two keys
    return a, b


def constant_element():
    keys = jr.split(jr.key(0), 3)
    return [jr.normal(keys[0]) for i in range(3)]  # JAX105 equal_draws: always the first key
