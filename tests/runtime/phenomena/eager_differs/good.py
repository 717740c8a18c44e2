"""The same programs asking for what a trace knows too, and tests that decide nothing."""

import functools
import numbers
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax import lax

ARRAY = type(jnp.ones(1))


@jax.jit
def _doubled(x):
    if isinstance(x, (float, jax.Array)):
        return x * 2
    return x


def float_test():
    return _doubled(1.5)


@jax.jit
def _typed(x):
    if isinstance(x, (ARRAY, jax.Array)):
        return x * 2
    return x


def type_is():
    return _typed(jnp.ones(2))


@jax.jit
def _flagged(x, flag):
    y = x + 1
    return jnp.where(flag, y * 2, y)


def is_true():
    return _flagged(1.0, True)


def numpy_array():
    def total(x):
        y = jnp.sum(x)
        if isinstance(x, (np.ndarray, jax.Array)):
            y = y / x.size
        return y

    step = jax.jit(total)
    return step(np.ones(3))


def both_operands():
    @jax.jit
    def step(x, y):
        if isinstance(x, (int, float, jax.Array)) and x is not y:
            return y - x
        return y + x

    return step(1.0, 2.0)


class Scaler:
    def __init__(self):
        self.scale = 3.0

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        gain = self.scale if jnp.ndim(x) == 0 else 1.0
        return x * gain


def method():
    return Scaler().apply(2.0)


def _is_scalar(x):
    if jnp.ndim(x) == 0:
        return True
    return False


def helper_test():
    return jax.jit(lambda x: x * 10 if _is_scalar(x) else x)(1)


def in_scan():
    def body(carry, x):
        return carry + x, None

    @jax.jit
    def run(x, steps):
        start = 5.0 if jnp.ndim(x) == 0 else 0.0
        return lax.scan(body, start, steps)[0] + x

    return run(1.0, jnp.ones(3))


def branch_of_cond():
    def positive(x):
        if not isinstance(x, str):
            return x * 2.0
        return x * 1.0

    return lax.cond(jnp.array(True), positive, lambda x: x * 1.0, 3.0)


def match_statement():
    @jax.jit
    def step(x):
        match x:
            case float() | jax.Array():
                return x * 2
            case _:
                return x

    return step(1.5)


@jax.jit
def _by_table(x):
    gain = {0: 2.0}.get(jnp.ndim(x), 1.0)
    return x * gain


def table_of_types():
    return _by_table(1.5)


@jax.jit
def _arithmetic(x):
    return x * (1 + isinstance(x, (float, jax.Array)))


def test_as_a_number():
    return _arithmetic(1.5)


def attempt():
    @jax.jit
    def step(x):
        try:
            return x * len(range(4))
        except TypeError:
            return x

    return step(4)


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, training):
        if training is None:
            return x
        return x * 0.5


def linen_flag():
    return jax.jit(Layer().apply)({}, jnp.ones(2), False)


@nnx.jit
def _by_nnx_type(x, mode):
    if isinstance(mode, (int, jax.Array)):
        return x * 2
    return x


def by_nnx():
    return _by_nnx_type(jnp.ones(2), 1)


@jax.jit
def _dispatched(x):
    return _double(jnp.asarray(x))


@functools.singledispatch
def _double(x):
    return x + x


@_double.register
def _(x: float):
    return x * 3


def dispatched():
    return _dispatched(1.5)


# Innocents.


@partial(jax.jit, static_argnames="n")
def _static(x, n):
    if isinstance(n, int) and n > 2:
        return x * n
    return x


def static_argument():
    return _static(1.0, n=3)


@jax.jit
def _shapes(x):
    if x.ndim == 0 and x.dtype == jnp.float32:
        return x * 2
    return x


def shapes_of_a_number():
    return _shapes(1.5)


@jax.jit
def _containers(tree):
    if isinstance(tree, dict) and tree.get("bias") is None:
        return tree["w"]
    return tree["w"] + tree["bias"]


def containers():
    return _containers({"w": jnp.ones(2)}), _containers({"w": jnp.ones(2), "bias": jnp.ones(2)})


@jax.jit
def _indifferent(x):
    if isinstance(x, jax.core.Tracer):
        name = "traced"
    else:
        name = "plain"
    return x * len(name[:0] + "ab")


def test_that_decides_nothing():
    return _indifferent(1.0)


@jax.jit
def _rounded(x):
    y = jnp.sin(x) * 1e4 + jnp.exp(x)
    return jnp.sum(y) / 3.0, jnp.linalg.norm(x)


def rounding():
    return _rounded(jnp.linspace(0.0, 3.0, 50))


def random_numbers():
    @jax.jit
    def draw(key):
        a, b = jax.random.split(key)
        return jax.random.normal(a, (3,)), jax.random.key_data(b)

    return draw(jax.random.key(0))


def loops():
    def body(carry, x):
        carry = jnp.where(x > 0, carry + x, carry)
        return carry, carry * 2

    def run(x):
        total, rows = lax.scan(body, 0.0, x)
        turns = lax.fori_loop(0, 3, lambda i, v: v + i, 0)
        return total, rows, turns, lax.while_loop(lambda v: v < 10.0, lambda v: v * 2, total + 1.0)

    return jax.jit(run)(jnp.arange(3.0)), jax.vmap(jax.grad(lambda v: v**2))(jnp.ones(3))


def not_a_number():
    return jax.jit(lambda x: (x / 0.0, jnp.log(-x)))(jnp.ones(2))


def empty_and_none():
    return jax.jit(lambda x: (None, x[:0], {"a": ()}))(jnp.ones(2))


class Counter(nnx.Module):
    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))

    def __call__(self, x):
        return x * self.weight.value


def nnx_module():
    return nnx.jit(lambda model, x: model(x))(Counter(), 2.0)
