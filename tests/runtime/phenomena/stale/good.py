"""The same programs reading nothing that changes, and changes that do no harm."""

import types
from functools import partial

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax import lax

SCALE = 2.0
SHIFT = 1.0
RATE = 0.5
SIZE = 1.0
POWER = 2
LEAK = 0.1
CONFIG = {"relu": False, "gain": 2.0}
OPTIONS = types.SimpleNamespace(gain=1.0)
BUFFER = np.ones(3)
LAYERS = [1.0, 2.0]


@jax.jit
def _scaled(x):
    return x * 2.0


def global_rebound():
    global SCALE
    _scaled(1.0)
    SCALE = 5.0
    return _scaled(1.0)


@jax.jit
def _shifted(x):
    return x + 1.0


def global_rebound_at_the_end():
    y = _shifted(1.0)
    globals()["SHIFT"] = 7.0
    return y


def closure_rebound():
    factor = 2.0

    @jax.jit
    def step(x):
        y = x + 1
        return y * 2.0

    first = step(1.0)
    factor = 3.0
    return first, step(1.0)


@jax.jit
def _configured(x):
    return jax.nn.relu(x)


def entry_changed():
    a = _configured(-1.0)
    CONFIG["relu"] = True
    return a, _configured(-1.0)


@partial(jax.jit, static_argnames="name")
def _looked_up(x, name):
    return x * len(name)


def entry_by_name():
    a = _looked_up(1.0, "gain")
    CONFIG["gain"] = 3.0
    return a, _looked_up(1.0, "gain")


class Model:
    def __init__(self):
        self.scale = 1.0
        self.bias = 0.0

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x + self.bias

    @property
    def gain(self):
        return 2.0


def attribute_of_self():
    model = Model()
    a = model.apply(1.0)
    model.scale = 5.0
    return a, model.apply(1.0)


def attribute_by_a_property():
    model = Model()
    step = jax.jit(lambda x: x * model.gain)
    a = step(1.0)
    model.scale = 5.0
    return a, step(1.0)


@jax.jit
def _buffered(x):
    y = x + np.ones(3)
    return y * 2


def buffer_filled():
    a = _buffered(jnp.zeros(3))
    BUFFER[:] = 4.0
    return a, _buffered(jnp.zeros(3))


def namespace_in_scan():
    def body(carry, x):
        return carry + x, None

    run = jax.jit(lambda xs: lax.scan(body, 0.0, xs))
    a = run(jnp.ones(3))
    OPTIONS.gain = 3.0
    return a, run(jnp.ones(3))


def _decay(x):
    return x * 0.5


def helper_in_grad():
    loss = jax.jit(jax.grad(lambda w: _decay(w) ** 2))
    a = loss(1.0)
    globals()["RATE"] = 0.9
    return a, loss(1.0)


def list_changed():
    def forward(x):
        for width in (1.0, 2.0):
            x = x * width
        return x

    step = jax.jit(forward)
    a = step(1.0)
    LAYERS.append(3.0)
    return a, step(1.0)


def jitted_again():
    size = 1.0

    def f(x):
        return x + 1.0

    a = jax.jit(f)(1.0)
    size = 2.0
    return a, jax.jit(f)(1.0)


def branch_of_cond():
    def big(x):
        return x * 3.0

    step = jax.jit(lambda x: lax.cond(x > 0, big, lambda x: x, x))
    a = step(1.0)
    globals()["SIZE"] = 9.0
    return a, step(1.0)


@eqx.filter_jit
def _powered(x):
    return x**2


def by_equinox():
    a = _powered(jnp.full(2, 3.0))
    globals()["POWER"] = 3
    return a, _powered(jnp.full(2, 3.0))


class Leaky(nn.Module):
    @nn.compact
    def __call__(self, x):
        w = self.param("w", nn.initializers.ones, (2,))
        return nn.leaky_relu(x * w, 0.1)


def linen_module():
    apply = jax.jit(Leaky().apply)
    a = apply({"params": {"w": jnp.ones(2)}}, -jnp.ones(2))
    globals()["LEAK"] = 0.9
    return a, apply({"params": {"w": jnp.ones(2)}}, -jnp.ones(2))


class Net(nnx.Module):
    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))


NET = Net()


@jax.jit
def _captured(x):
    return x * 1.0


def nnx_weight():
    a = _captured(1.0)
    NET.weight.value = jnp.zeros(2)
    return a, _captured(1.0)


def lanes():
    offsets = np.zeros(3)

    def one(x):
        return x + 1.0

    step = jax.jit(jax.vmap(one))
    a = step(jnp.ones(3))
    offsets += 1.0
    return a, step(jnp.ones(3))


# Innocents.


@jax.jit
def _by_argument(x, scale):
    return x * scale


def passed_as_argument():
    global SCALE
    a = _by_argument(1.0, SCALE)
    SCALE = 5.0
    return a, _by_argument(1.0, SCALE)


def jitted_after_the_change():
    rate = 1.0
    a = jax.jit(lambda x: x * rate)(1.0)
    rate = 2.0
    return a, jax.jit(lambda x: x * rate)(1.0)


def set_before_the_first_call():
    global SCALE

    @jax.jit
    def step(x):
        return x * SCALE

    SCALE = 4.0
    return step(1.0), step(2.0)


def set_to_the_same():
    global SCALE

    @jax.jit
    def step(x):
        return x * SCALE

    a = step(1.0)
    SCALE = float("2.0")
    return a, step(1.0)


COUNT = 0


@jax.jit
def _shows_count(x):
    if COUNT > 100:
        return -x
    return x + 1


def read_without_effect():
    global COUNT
    for _ in range(3):
        COUNT += 1
        _shows_count(1.0)
    return COUNT


@partial(jax.jit, static_argnames="config")
def _hashed(x, config):
    return x * config.gain


class Frozen(tuple):
    gain = property(lambda self: self[0])


def static_argument():
    return _hashed(1.0, Frozen((1.0,))), _hashed(1.0, Frozen((2.0,)))


def cleared_caches():
    factor = 2.0

    @jax.jit
    def step(x):
        return x * factor

    a = step(1.0)
    factor = 3.0
    step.clear_cache()
    return a, step(1.0)


class Tree(eqx.Module):
    scale: jax.Array

    def __call__(self, x):
        return x * self.scale


def leaves_of_a_module():
    step = eqx.filter_jit(lambda tree, x: tree(x))
    return step(Tree(jnp.ones(2)), 1.0), step(Tree(jnp.zeros(2)), 1.0)


def local_state():
    @jax.jit
    def step(x):
        table = {"n": 0}
        for _ in range(3):
            table["n"] = table["n"] + 1
        return x * table["n"]

    return step(1.0), step(2.0)


def eager_code():
    global SHIFT
    a = 1.0 + SHIFT
    SHIFT = 5.0
    return a, jnp.ones(2) + SHIFT


def array_overwritten():
    table = np.ones(3)
    step = jax.jit(lambda x: x * table.size)
    a = step(2.0)
    table[:] = 5
    return a, step(2.0)


def under_checkpoint():
    factor = 2.0

    def weigh(x):
        return x * 2.0

    step = jax.jit(jax.grad(jax.checkpoint(weigh)))
    a = step(1.0)
    factor = 3.0
    return a, step(1.0)


def under_custom_jvp():
    factor = 2.0

    @jax.custom_jvp
    def weigh(x):
        return x * 2.0

    weigh.defjvp(lambda given, tangents: (weigh(*given), tangents[0]))
    step = jax.jit(weigh)
    a = step(1.0)
    factor = 3.0
    return a, step(1.0)


def under_custom_vjp():
    factor = 2.0

    @jax.custom_vjp
    def double(x):
        return x * 2.0

    def back(_, cotangent):
        return (cotangent * 2.0,)

    double.defvjp(lambda x: (x * 2.0, None), back)
    step = jax.jit(jax.grad(double))
    a = step(1.0)
    factor = 3.0
    return a, step(1.0)
