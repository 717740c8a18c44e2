"""Functions that are compiled again at the same call."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import nnx


def _scaled(x, scale):
    return x * scale


def _doubled(x):
    return x * 2


def lambda_per_turn():
    for _ in range(2):
        y = jax.jit(lambda x: x * 2)(1.0)  # JAX501 retraced: a new lambda each turn
    return y


def partial_per_turn():
    y = 1.0
    for _ in range(2):
        step = jax.jit(functools.partial(_scaled, scale=2.0))  # JAX501 retraced:_scaled: a new partial each turn
        y = step(1.0)
    return y


def _nested(x):
    @jax.jit  # JAX501 retraced:step: jitted at each call of `_nested`
    def step(x):
        return x + 1

    return step(x)


def nested_per_call():
    return _nested(1.0), _nested(2.0)


def _called(x):
    step = jax.jit(lambda x: x - 1)  # JAX501 retraced: jitted at each call of `_called`
    return step(x)


def local_per_call():
    first = _called(1.0)
    second = _called(2.0)
    return first + second


class Model:
    def __init__(self, scale):
        self.scale = scale

    def _apply(self, x):
        return x * self.scale

    def predict(self, x):
        return jax.jit(self._apply)(x)  # JAX501 retraced:_apply: a new bound method each time


def method_per_call():
    model = Model(2.0)
    return [model.predict(1.0) for _ in range(2)]


def gradient_per_turn():
    w = jnp.float32(1.0)
    for _ in range(2):
        w = w - jax.jit(jax.grad(lambda w: w**2))(w)  # JAX501 retraced: a new lambda each turn
    return w


def _trained(w):
    def loss(w):
        return w**2

    for _ in range(2):
        w = w - jax.grad(jax.jit(lambda w: loss(w)))(w)  # JAX501 retraced: a new lambda each turn
    return w


def jit_below_gradient():
    return _trained(jnp.float32(1.0))


def filter_jit_per_turn():
    linear = eqx.nn.Linear(2, 2, key=jax.random.key(0))
    for _ in range(2):
        y = eqx.filter_jit(lambda x: linear(x))(jnp.ones(2))  # JAX501 retraced: a new lambda each turn
    return y


def nnx_per_turn():
    for _ in range(2):
        y = nnx.jit(lambda x: x + 1)(jnp.ones(2))  # JAX501 retraced: a new lambda each turn
    return y


@jax.jit
def _total(x):
    return x.sum()


def growing_slice():
    x = jnp.arange(4.0)
    return [_total(x[:size]) for size in range(2, 4)]  # JAX504 retraced:_total: a new shape each turn


def growing_array():
    x = jnp.zeros(1)
    for _ in range(2):
        _total(x)  # JAX504 retraced: a new shape each turn
        x = jnp.append(x, 1.0)
    return x


@functools.partial(jax.jit, static_argnames="power")
def _raised(x, power):
    return x**power


def static_counter():
    x = jnp.ones(2)
    for step in range(2):
        x = _raised(x, power=step)  # JAX504 retraced:_raised: a new static value each turn
    return x


@functools.partial(jax.jit, static_argnums=0)
def _mapped(function, x):
    return function(x)


def static_lambda():
    x = jnp.ones(2)
    while x[0] < 3:
        x = _mapped(lambda v: v + 1, x)  # JAX504 retraced: a new static function each turn
    return x


@jax.jit
def _summed(tree):
    return sum(jax.tree.leaves(tree))


def growing_tree():
    metrics = {}
    for name in ("loss", "error"):
        metrics[name] = 1.0
        _summed(metrics)  # JAX504 retraced: a new structure each turn
    return metrics


@jax.jit
def _next(x):
    return x * jnp.float32(2)


def weak_start():
    x = 1.0  # a weak type, which the result has not
    for _ in range(3):
        x = _next(x)  # JAX504 retraced:_next: weak at first, then not
    return x


def mixed_types():
    total = 0
    for value in (1, 1.0, True):
        total += _doubled_jit(value)  # JAX504 retraced: a new dtype each turn
    return total


_doubled_jit = jax.jit(_doubled)


class _Scaled:
    def __call__(self, x):
        return x * 2


def callable_object():
    for _ in range(3):
        jax.jit(_Scaled())(1.0)  # JAX501 retraced: an object is jitted for each turn
