"""Programs that ask what they were given, and take another way under a trace; the twins stand in `good.py`."""

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
    if isinstance(x, float):  # JAX407 eager_differs: a tracer is no float
        return x * 2
    return x


def float_test():
    return _doubled(1.5)


@jax.jit
def _typed(x):
    if type(x) is ARRAY:  # JAX407 eager_differs: a tracer has another type
        return x * 2
    return x


def type_is():
    return _typed(jnp.ones(2))


@jax.jit
def _flagged(x, flag):
    y = x + 1
    return y * 2 if flag is True else y  # JAX407 eager_differs: a tracer is not True


def is_true():
    return _flagged(1.0, True)


def numpy_array():
    def total(x):
        y = jnp.sum(x)
        if isinstance(x, np.ndarray):  # JAX407 eager_differs: a tracer is no NumPy array
            y = y / x.size
        return y

    step = jax.jit(total)
    return step(np.ones(3))


def both_operands():
    @jax.jit
    def step(x, y):
        if isinstance(x, (int, float)) and x is not y:  # JAX407 eager_differs: a tracer is no number
            return y - x
        return y + x

    return step(1.0, 2.0)


class Scaler:
    def __init__(self):
        self.scale = 3.0

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        gain = self.scale if isinstance(x, numbers.Number) else 1.0  # JAX407 eager_differs: a tracer is no number
        return x * gain


def method():
    return Scaler().apply(2.0)


def _is_scalar(x):
    if type(x) in (int, float):  # JAX407 eager_differs: a tracer has another type
        return True
    return False


def helper_test():
    return jax.jit(lambda x: x * 10 if _is_scalar(x) else x)(1)


def in_scan():
    def body(carry, x):
        return carry + x, None

    @jax.jit
    def run(x, steps):
        start = 5.0 if isinstance(x, float) else 0.0  # JAX407 eager_differs: a tracer is no float
        return lax.scan(body, start, steps)[0] + x

    return run(1.0, jnp.ones(3))


def branch_of_cond():
    def positive(x):
        if not isinstance(x, jax.core.Tracer):  # JAX407 eager_differs: tracing is asked for
            return x * 2.0
        return x * 1.0

    return lax.cond(jnp.array(True), positive, lambda x: x * 1.0, 3.0)


def match_statement():
    @jax.jit
    def step(x):
        match x:
            case float():  # JAX407 eager_differs: a tracer is no float
                return x * 2
            case _:
                return x

    return step(1.5)


@jax.jit
def _by_table(x):
    gain = {float: 2.0}.get(type(x), 1.0)  # JAX407 eager_differs: a tracer has another type
    return x * gain


def table_of_types():
    return _by_table(1.5)


@jax.jit
def _arithmetic(x):
    return x * (1 + isinstance(x, float))  # JAX407 eager_differs: a tracer is no float


def test_as_a_number():
    return _arithmetic(1.5)


def attempt():
    @jax.jit
    def step(x):
        try:
            return x * len(range(x))  # JAX407 eager_differs: the conversion fails under a trace only
        except TypeError:
            return x

    return step(4)


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, training):
        if training is False:  # JAX407 eager_differs: a tracer is not False
            return x
        return x * 0.5


def linen_flag():
    return jax.jit(Layer().apply)({}, jnp.ones(2), False)


@nnx.jit
def _by_nnx_type(x, mode):
    if isinstance(mode, int):  # JAX407 eager_differs: a tracer is no int
        return x * 2
    return x


def by_nnx():
    return _by_nnx_type(jnp.ones(2), 1)


@jax.jit
def _dispatched(x):
    return _double(x)  # JAX407 eager_differs: a tracer is dispatched otherwise


@functools.singledispatch
def _double(x):
    return x + x


@_double.register
def _(x: float):
    return x * 3


def dispatched():
    return _dispatched(1.5)
