"""Keys that are drawn twice, in ways that are hard to observe; the twin of each function stands in `good.py`."""

from functools import partial

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from flax import nnx
from jax import lax
from jax.sharding import Mesh, PartitionSpec

# Across calls of compiled functions.


@jax.jit
def _noise(key, x):
    return x + jr.normal(key)


def second_call_of_a_compiled_function():
    k1, k2 = jr.split(jr.key(0))
    a = _noise(k1, 1.0)
    b = _noise(k1, 2.0)  # JAX101 key_reuse: `k1` is used again by `_noise`
    return a, b


def second_call_inside_of_a_trace():
    @jax.jit
    def both(k1, k2):
        a = _noise(k1, 1.0)
        b = _noise(k1, 2.0)  # JAX101 key_reuse: `k1` is used again by `_noise`
        return a + b

    return both(*jr.split(jr.PRNGKey(0)))


def one_body_for_two_scans():
    def body(key, x):
        key, sub = jr.split(key)
        return key, x + jr.normal(sub)

    @jax.jit
    def both(k1, k2):
        _, a = lax.scan(body, k1, jnp.zeros(2))
        _, b = lax.scan(body, k1, jnp.zeros(2))  # JAX101 key_reuse: `k1` is used again
        return a + b

    return both(*jr.split(jr.key(0)))


# Under transforms.


def in_one_branch():
    def noisy(key):
        a = jr.normal(key)
        b = jr.uniform(key)  # JAX101 key_reuse: `key` is used again
        return a + b

    return jax.jit(lambda flag, key: lax.cond(flag, noisy, jr.normal, key))(True, jr.key(0))


def in_one_branch_of_some_lanes():
    def noisy(key):
        a = jr.normal(key)
        b = jr.uniform(key)  # JAX101 key_reuse: `key` is used again
        return a + b

    def one(flag, key):
        return lax.cond(flag, noisy, jr.normal, key)

    return jax.vmap(one)(jnp.array([True, False]), jr.split(jr.key(0)))


def in_a_checkpoint_under_grad():
    @jax.checkpoint
    def layer(w, key):
        kept = jr.bernoulli(key)
        return jnp.sin(w) * kept + jr.normal(key)  # JAX101 key_reuse: `key` is used again

    return jax.jit(jax.grad(layer))(1.0, jr.key(0))


def in_a_backward_function():
    @jax.custom_vjp
    def drop(x, key):
        return x * jr.bernoulli(key)

    def forward(x, key):
        return drop(x, key), key

    def backward(key, g):
        return g * jr.normal(key), None  # JAX101 key_reuse: another draw with the forward function's key

    drop.defvjp(forward, backward)
    return jax.grad(drop)(1.0, jr.key(0))


def on_each_device():
    mesh = Mesh(np.array(jax.devices()), ("x",))

    def local(key, x):
        a = x + jr.normal(key)
        return a * jr.uniform(key)  # JAX101 key_reuse: `key` is used again

    if hasattr(jax, "shard_map"):
        shard_map = jax.shard_map
    else:
        from jax.experimental.shard_map import shard_map
    whole = PartitionSpec()
    return jax.jit(shard_map(local, mesh=mesh, in_specs=(whole, whole), out_specs=whole))(jr.key(0), jnp.ones(2))


def in_pmap():
    def local(key):
        return jr.normal(key) + jr.gumbel(key)  # JAX101 key_reuse: `key` is used again

    return jax.pmap(local)(jr.split(jr.PRNGKey(0), jax.local_device_count()))


# Kinds of keys and of uses.


def another_kind_of_key():
    key = jr.key(0, impl="rbg")
    k1, k2 = jr.split(key)
    x = jr.normal(key)  # JAX101 key_reuse: `key` is used again
    return x, jr.normal(k2)


def raw_and_typed():
    key = jr.PRNGKey(4)
    a = jr.normal(key)
    b = jr.normal(jr.wrap_key_data(key))  # JAX101 key_reuse: the same key with a type
    return a, b


def one_element_of_the_lanes():
    keys = jr.split(jr.key(0), 3)
    xs = jax.vmap(jr.normal)(keys)
    return xs + jr.normal(keys[2])  # JAX101 key_reuse: `keys[2]` is one of `keys`


def drawn_after_its_clone_was():
    key = jr.key(0)
    a = jr.normal(jr.clone(key))
    b = jr.normal(key)
    c = jr.normal(key)  # JAX101 key_reuse: `key` is used again, without another clone
    return a, b, c


# In libraries.


def parameters_of_two_networks():
    k1, k2 = jr.split(jr.key(0))
    x = jnp.ones((1, 2))
    actor = nn.Dense(2).init(k1, x)
    critic = nn.Dense(3).init(k1, x)  # JAX101 key_reuse: `k1` is used again
    return actor, critic


def streams_of_one_seed():
    k1, k2 = jr.split(jr.key(0))
    first = nnx.Linear(2, 2, rngs=nnx.Rngs(k1))
    second = nnx.Linear(2, 2, rngs=nnx.Rngs(k1))  # JAX101 key_reuse: `k1` is used again
    return first, second


def layer_and_noise_under_filter_jit():
    @eqx.filter_jit
    def build(k1, k2):
        layer = eqx.nn.Linear(2, 2, key=k1)
        return layer(jr.normal(k1, (2,)))  # JAX101 key_reuse: `k1` is used again

    return build(*jr.split(jr.key(0)))


def handed_out_twice_on_the_way():
    def apply(rngs, x):
        return x * jr.bernoulli(rngs["dropout"]) + jr.normal(rngs["noise"])

    k1, k2 = jr.split(jr.key(0))
    rngs = {
        "noise": k1,
        "dropout": k1,  # JAX101 key_reuse: `k1` stands twice in one dict
    }
    return jax.jit(apply)(rngs, 1.0)
