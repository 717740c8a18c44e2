"""The same programs with a key for each draw, and programs that only look as if their draws were equal."""

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
    return x + jr.normal(key)


def constant_in_jitted_function():
    return _noisy(1.0, jr.key(1))


@partial(jax.jit, static_argnames="train")
def _dropout(x, step, train):
    seed = 3
    k1, k2 = jr.split(jr.PRNGKey(seed + step))
    return x * jr.bernoulli(k1) + jr.normal(k2) if train else x


def constant_in_a_function_called_twice():
    return _dropout(jnp.ones(2), 0, train=True), _dropout(jnp.ones(2), 1, train=True)


@jax.jit
def _defaulted(x, seed=0):
    key = jr.PRNGKey(jnp.int32(seed + x))
    return x + jr.normal(key)


def constant_in_a_default():
    return _defaulted(1.0), _defaulted(2.0)


def constant_under_grad_in_a_step():
    def loss(w, x, key):
        noise = jr.normal(key, x.shape)
        return jnp.sum((w * x + noise) ** 2)

    step = jax.jit(jax.value_and_grad(loss))
    return step(1.0, jnp.ones(2), jr.key(2))


class Augment:
    """A jitted method that makes its own key."""

    def __init__(self, scale, key):
        self.scale, self.key = scale, key

    @partial(jax.jit, static_argnums=0)
    def __call__(self, image):
        rng = self.key
        return image + self.scale * jr.normal(rng, image.shape)


def constant_in_a_method():
    augment = Augment(0.1, jr.PRNGKey(0))
    return augment(jnp.ones(2))


def constant_in_a_scan_body():
    def body(total, key):
        return total + jr.normal(key), None

    return lax.scan(body, 0.0, jr.split(jr.key(0), 3))


def constant_in_a_helper_under_vmap():
    def mask(x, key):
        rng = jr.fold_in(key, 0)
        return x * jr.bernoulli(rng)

    return jax.jit(jax.vmap(lambda x, key: mask(x, key)))(jnp.ones(3), jr.split(jr.key(0), 3))


@eqx.filter_jit
def _equinox_noise(model, x, key):
    return model(x) + jr.normal(key, (2,))


def constant_beside_equinox():
    k1, k2 = jr.split(jr.key(0))
    return _equinox_noise(eqx.nn.Linear(2, 2, key=k1), jnp.ones(2), k2)


class Drop(nn.Module):
    """Draws from a key of its own in place of the one that it is given."""

    @nn.compact
    def __call__(self, x):
        return x * jr.bernoulli(self.make_rng("dropout"), 0.5, x.shape)


def constant_in_linen():
    return jax.jit(Drop().apply)({}, jnp.ones(3), rngs={"dropout": jr.key(1)})


# One key for all turns of a loop.


def invariant_in_scan():
    key = jr.key(0)

    def body(total, i):
        return total + jr.normal(jr.fold_in(key, i)), None

    return lax.scan(body, 0.0, jnp.arange(3))


def invariant_in_fori_loop():
    key = jr.key(0)

    @jax.jit
    def run(x):
        return lax.fori_loop(0, 3, lambda i, x: x + jr.normal(jr.fold_in(key, i)), x)

    return run(0.0)


def invariant_in_while_carry():
    def body(state):
        key, x, n = state
        sub = key
        key, sub = jr.split(key)
        return key, x + jr.uniform(jr.fold_in(sub, n)), n + 1

    return lax.while_loop(lambda state: state[2] < 3, body, (jr.PRNGKey(0), 0.0, 0))


def invariant_in_python_loop():
    key, x = jr.key(0), 0.0
    for i in range(3):
        key, sub = jr.split(key)
        x = x + jr.normal(sub)
    return x


@jax.jit
def _step(x, key):
    return x + jr.normal(key)


def passed_on_each_turn():
    key, x = jr.key(0), 0.0
    for i in range(3):
        x = _step(x, jr.fold_in(key, i))
    return x


def invariant_in_comprehension():
    key = jr.key(0)
    return [jr.normal(jr.fold_in(key, n), (n,)) for n in (1, 2)]


def mapped_over_a_tree():
    key = jr.key(0)
    tree = {"a": jnp.ones(2), "b": jnp.ones(3)}
    keys = dict(zip(tree, jr.split(key)))
    return jax.tree.map(lambda x, k: x + jr.normal(k, x.shape), tree, keys)


# One key for all lanes.


def closed_over_by_vmap():
    key = jr.key(0)
    return jax.vmap(lambda x, k: x + jr.normal(k))(jnp.ones(3), jr.split(key, 3))


def shared_by_in_axes():
    def one(key, i):
        return jr.normal(jr.fold_in(key, i))

    return jax.jit(jax.vmap(one, in_axes=(None, 0)))(jr.PRNGKey(1), jnp.arange(3))


def repeated_for_the_lanes():
    keys = jr.split(jr.PRNGKey(2), 3)
    return jax.vmap(jr.normal)(keys)


# Derived alike.


def folded_with_a_constant():
    key = jr.key(0)

    def body(x, i):
        sub = jr.fold_in(key, i)
        return x + jr.normal(sub), i

    return lax.scan(body, 0.0, jnp.arange(3))


def folded_alike():
    key = jr.key(0)
    a = jr.fold_in(key, 1)
    b = jr.fold_in(key, 2)
    return jr.normal(a), jr.uniform(b)


def one_seed_for_two_draws():
    a = jr.normal(jr.key(3))
    b = jr.uniform(jr.key(4))
    return a, b


def constant_element():
    keys = jr.split(jr.key(0), 3)
    return [jr.normal(keys[i]) for i in range(3)]


# Innocents.


def closed_over_by_a_loss():
    key = jr.key(0)

    def loss(w):
        return jnp.sum((w * jr.normal(key, (2,))) ** 2)

    return jax.grad(loss)(jnp.ones(2))


def closed_over_by_jit_in_a_loop():
    out = []
    for key in jr.split(jr.key(0), 2):
        step = jax.jit(lambda x, key=key: x + jr.normal(key))
        out.append(step(1.0))
    return out


def made_from_a_seed_that_is_given():
    @partial(jax.jit, static_argnames="seed")
    def noise(x, seed):
        return x + jr.normal(jr.key(seed))

    return noise(1.0, seed=0), noise(1.0, seed=1)


def made_from_one_seed_that_is_given():
    return jax.jit(lambda x, seed: x + jr.normal(jr.PRNGKey(seed)))(1.0, 7)


def folded_with_the_step():
    base = jr.key(0)

    @jax.jit
    def step(x, i):
        return x + jr.normal(jr.fold_in(base, i))

    return step(0.0, 3)


def initialised_without_inputs():
    init = jax.jit(lambda: {"w": jr.normal(jr.key(0), (2,))})
    return init()


def mapped_over_split_keys():
    return jax.vmap(lambda k: jr.normal(k) + jr.uniform(jr.fold_in(k, 1)))(jr.split(jr.key(0), 3))


def ended_lanes():
    def one(key):
        def body(state):
            key, _ = state
            key, sub = jr.split(key)
            return key, jr.uniform(sub)

        return lax.while_loop(lambda state: state[1] < 0.7, body, (key, 0.0))[1]

    return jax.vmap(one)(jr.split(jr.key(0), 4))


def branches_of_lanes():
    def one(flag, key):
        return lax.cond(flag, jr.normal, jr.uniform, key)

    return jax.vmap(one)(jnp.array([True, False]), jr.split(jr.key(0)))


def key_in_an_object():
    class Sampler:
        def __init__(self, key):
            self.key = key

        def draw(self, x):
            return jax.jit(lambda x: x + jr.normal(self.key))(x)

    return Sampler(jr.key(0)).draw(1.0)


def two_uses_of_one_key():
    key = jr.key(0)
    a = jr.normal(key)
    return a, jr.uniform(key)


def shapes_alone():
    return jax.eval_shape(lambda x: x + jr.normal(jr.key(0)), 1.0), jax.make_jaxpr(lambda k: jr.normal(k))(jr.key(0))


def equinox_dropout():
    drop = eqx.nn.Dropout(0.5)
    return jax.vmap(lambda x, k: drop(x, key=k))(jnp.ones((2, 3)), jr.split(jr.key(0)))


def seed_from_the_turn():
    def body(total, i):
        return total + jr.normal(jr.key(i)), None

    return jax.lax.scan(body, 0.0, jnp.arange(3))


def seeds_in_an_array():
    @jax.jit
    def draw(seeds):
        return jax.vmap(lambda seed: jr.normal(jr.key(seed)))(seeds)

    return draw(jnp.arange(3))
