"""The same programs with a key for each draw, and programs whose one draw is easily seen twice."""

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
    b = _noise(k2, 2.0)
    return a, b


def second_call_inside_of_a_trace():
    @jax.jit
    def both(k1, k2):
        a = _noise(k1, 1.0)
        b = _noise(k2, 2.0)
        return a + b

    return both(*jr.split(jr.PRNGKey(0)))


def one_body_for_two_scans():
    def body(key, x):
        key, sub = jr.split(key)
        return key, x + jr.normal(sub)

    @jax.jit
    def both(k1, k2):
        _, a = lax.scan(body, k1, jnp.zeros(2))
        _, b = lax.scan(body, k2, jnp.zeros(2))
        return a + b

    return both(*jr.split(jr.key(0)))


# Under transforms.


def in_one_branch():
    def noisy(key):
        a = jr.normal(key)
        b = jr.uniform(jr.fold_in(key, 1))
        return a + b

    return jax.jit(lambda flag, key: lax.cond(flag, noisy, jr.normal, key))(True, jr.key(0))


def in_one_branch_of_some_lanes():
    def noisy(key):
        a = jr.normal(key)
        b = jr.uniform(jr.fold_in(key, 1))
        return a + b

    def one(flag, key):
        return lax.cond(flag, noisy, jr.normal, key)

    return jax.vmap(one)(jnp.array([True, False]), jr.split(jr.key(0)))


def in_a_checkpoint_under_grad():
    @jax.checkpoint
    def layer(w, key):
        kept = jr.bernoulli(key)
        return jnp.sin(w) * kept + jr.normal(jr.fold_in(key, 1))

    return jax.jit(jax.grad(layer))(1.0, jr.key(0))


def in_a_backward_function():
    @jax.custom_vjp
    def drop(x, key):
        return x * jr.bernoulli(key)

    def forward(x, key):
        return drop(x, key), key

    def backward(key, g):
        return g * jr.bernoulli(key), None

    drop.defvjp(forward, backward)
    return jax.grad(drop)(1.0, jr.key(0))


def on_each_device():
    mesh = Mesh(np.array(jax.devices()), ("x",))

    def local(key, x):
        a = x + jr.normal(key)
        return a * jr.uniform(jr.fold_in(key, 1))

    if hasattr(jax, "shard_map"):
        shard_map = jax.shard_map
    else:
        from jax.experimental.shard_map import shard_map
    whole = PartitionSpec()
    return jax.jit(shard_map(local, mesh=mesh, in_specs=(whole, whole), out_specs=whole))(jr.key(0), jnp.ones(2))


def in_pmap():
    def local(key):
        return jr.normal(key) + jr.gumbel(jr.fold_in(key, 1))

    return jax.pmap(local)(jr.split(jr.PRNGKey(0), jax.local_device_count()))


# Kinds of keys and of uses.


def another_kind_of_key():
    key = jr.key(0, impl="rbg")
    k1, k2 = jr.split(key)
    x = jr.normal(k1)
    return x, jr.normal(k2)


def raw_and_typed():
    key = jr.PRNGKey(4)
    a = jr.normal(key)
    b = jr.normal(jr.wrap_key_data(key + jnp.uint32(1)))
    return a, b


def one_element_of_the_lanes():
    keys = jr.split(jr.key(0), 3)
    xs = jax.vmap(jr.normal)(keys)
    return xs + jr.normal(jr.fold_in(keys[2], 1))


def drawn_after_its_clone_was():
    key = jr.key(0)
    a = jr.normal(jr.clone(key))
    b = jr.normal(key)
    c = jr.normal(jr.clone(key))
    return a, b, c


# In libraries.


def parameters_of_two_networks():
    k1, k2 = jr.split(jr.key(0))
    x = jnp.ones((1, 2))
    actor = nn.Dense(2).init(k1, x)
    critic = nn.Dense(3).init(k2, x)
    return actor, critic


def streams_of_one_seed():
    k1, k2 = jr.split(jr.key(0))
    first = nnx.Linear(2, 2, rngs=nnx.Rngs(k1))
    second = nnx.Linear(2, 2, rngs=nnx.Rngs(k2))
    return first, second


def layer_and_noise_under_filter_jit():
    @eqx.filter_jit
    def build(k1, k2):
        layer = eqx.nn.Linear(2, 2, key=k1)
        return layer(jr.normal(k2, (2,)))

    return build(*jr.split(jr.key(0)))


def handed_out_twice_on_the_way():
    def apply(rngs, x):
        return x * jr.bernoulli(rngs["dropout"]) + jr.normal(rngs["noise"])

    k1, k2 = jr.split(jr.key(0))
    rngs = {
        "noise": k1,
        "dropout": k2,
    }
    return jax.jit(apply)(rngs, 1.0)


# Innocents: one use, seen twice by a careless observer.


def replayed_by_a_checkpoint():
    def loss(w, keys):
        @jax.checkpoint
        def body(x, key):
            return jnp.sin(x * jr.normal(key)), None

        return lax.scan(body, w, keys)[0]

    return jax.grad(loss)(1.0, jr.split(jr.key(0), 2)), jax.jit(jax.grad(loss))(1.0, jr.split(jr.key(1), 2))


def replayed_by_a_remat_of_a_library():
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            return nn.remat(nn.Dropout)(0.5, deterministic=False)(x)

    def loss(x, key):
        return Net().apply({}, x, rngs={"dropout": key}).sum()

    return jax.grad(loss)(jnp.ones(3), jr.key(0))


def differentiated_twice():
    key = jr.key(0)
    return jax.hessian(lambda w: jnp.sum(jnp.sin(w * jr.normal(key, (2,)))))(jnp.ones(2))


def lanes_that_have_ended():
    def one(key):
        def body(state):
            key, sub = jr.split(state[0])
            return key, jr.uniform(sub)

        return lax.while_loop(lambda state: state[1] < 0.8, body, (key, 0.0))[1]

    return jax.vmap(one)(jr.split(jr.key(0), 4))


def branches_of_lanes():
    def one(which, key):
        return lax.switch(which, [jr.normal, jr.uniform, jr.gumbel], key)

    return jax.jit(jax.vmap(one))(jnp.arange(3), jr.split(jr.key(0), 3))


def replicated_over_devices():
    key = jr.key(0)
    return jax.pmap(lambda x: x + jr.normal(key))(jnp.ones(jax.local_device_count()))


def shapes_before_values():
    init = lambda key: {"w": jr.normal(key, (2,))}
    key = jr.key(0)
    return jax.eval_shape(init, key), jax.make_jaxpr(init)(key), init(key), jax.jit(init).lower(key).as_text()


def halves_of_equal_splits():
    key = jr.key(0)
    return jr.normal(jr.split(key)[0]), jr.normal(jr.split(key)[1])


def clones_for_each_use():
    key = jr.key(0)
    return jr.normal(jr.clone(key)), jr.uniform(jr.clone(key)), jr.gumbel(key)


def one_branch_after_the_other():
    f = jax.jit(lambda flag, key: lax.cond(flag, jr.normal, jr.uniform, key) * lax.cond(flag, jnp.sin, jnp.cos, 1.0))
    k1, k2 = jr.split(jr.key(0))
    return f(True, k1), f(False, k2)


def samplers_that_call_samplers():
    keys = jr.split(jr.key(0), 4)
    return (
        jr.choice(keys[0], jnp.arange(3), replace=False),
        jr.multivariate_normal(keys[1], jnp.zeros(2), jnp.eye(2)),
        jr.dirichlet(keys[2], jnp.ones(2)),
        jr.truncated_normal(keys[3], -1.0, 1.0),
    )


def shapes_of_elements():
    keys = jr.split(jr.key(0), 2)
    return keys[0].ndim, keys[0].shape, jr.normal(keys[0]), jr.key_data(keys[0]), jr.fold_in(keys[0], 0)
