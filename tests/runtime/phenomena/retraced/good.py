"""The same, each compiled once."""

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
        y = jax.jit(_doubled)(1.0)
    return y


def partial_per_turn():
    y = 1.0
    for _ in range(2):
        step = jax.jit(_doubled)
        y = step(1.0)
    return y


def _nested(x):
    # not jitted here
    def step(x):
        return x + 1

    return step(x)


def nested_per_call():
    return _nested(1.0), _nested(2.0)


def _called(x):
    step = _doubled_jit
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
        return self._apply(x)


def method_per_call():
    model = Model(2.0)
    return [model.predict(1.0) for _ in range(2)]


def gradient_per_turn():
    w = jnp.float32(1.0)
    for _ in range(2):
        w = w - jax.grad(lambda w: w**2)(w)
    return w


def _trained(w):
    def loss(w):
        return w**2

    for _ in range(2):
        w = w - jax.grad(jax.jit(loss))(w)
    return w


def jit_below_gradient():
    return _trained(jnp.float32(1.0))


def filter_jit_per_turn():
    linear = eqx.nn.Linear(2, 2, key=jax.random.key(0))
    for _ in range(2):
        y = eqx.filter_jit(linear)(jnp.ones(2))
    return y


def nnx_per_turn():
    for _ in range(2):
        y = _nnx_doubled(jnp.ones(2))
    return y


@jax.jit
def _total(x):
    return x.sum()


def growing_slice():
    x = jnp.arange(4.0)
    return [_total(jnp.where(jnp.arange(4) < size, x, 0.0)) for size in range(2, 4)]


def growing_array():
    x = jnp.zeros(1)
    for _ in range(2):
        _total(jnp.zeros(4).at[: x.size].set(x))
        x = jnp.append(x, 1.0)
    return x


@functools.partial(jax.jit, static_argnames="power")
def _raised(x, power):
    return x**power


def static_counter():
    x = jnp.ones(2)
    for step in range(2):
        x = x**step
    return x


@functools.partial(jax.jit, static_argnums=0)
def _mapped(function, x):
    return function(x)


def static_lambda():
    x = jnp.ones(2)
    while x[0] < 3:
        x = _mapped(_doubled, x)
    return x


@jax.jit
def _summed(tree):
    return sum(jax.tree.leaves(tree))


def growing_tree():
    metrics = {}
    for name in ("loss", "error"):
        metrics[name] = 1.0
        _summed({"loss": 1.0, "error": 0.0} | metrics)
    return metrics


@jax.jit
def _next(x):
    return x * jnp.float32(2)


def weak_start():
    x = 1.0  # a weak type, which the result has not
    for _ in range(3):
        x = _next(jnp.float32(x))
    return x


def mixed_types():
    total = 0
    for value in (1, 1.0, True):
        total += _doubled_jit(jnp.float32(value))
    return total


_doubled_jit = jax.jit(_doubled)


_nnx_doubled = nnx.jit(_doubled)


def two_shapes_on_two_lines():
    small = _total(jnp.ones(2))
    large = _total(jnp.ones(3))
    return small + large


def two_shapes_on_one_line():
    return _total(jnp.ones(2)) + _total(jnp.ones(3))


def _measured(x):
    return _total(x)


def two_shapes_by_a_helper():
    first = _measured(jnp.ones(2))
    second = _measured(jnp.ones(3))
    return first + second


class Trainer:
    def __init__(self, rate):
        self.step = jax.jit(lambda w: w - rate * w)

    def run(self, w):
        for _ in range(2):
            w = self.step(w)
        return w


def jitted_in_the_constructor():
    slow = Trainer(0.1)
    fast = Trainer(0.5)
    return slow.run(1.0) + fast.run(1.0)


@functools.lru_cache
def _made(scale):
    return jax.jit(lambda x: x * scale)


def cached_factory():
    return [_made(2.0)(float(value)) for value in range(3)]


def factory_called_twice():
    def make(scale):
        return jax.jit(lambda x: x * scale)

    double, triple = make(2.0), make(3.0)
    return double(1.0) + triple(1.0)


def local_once():
    @jax.jit
    def step(x):
        return x + 1

    x = 0
    for _ in range(3):
        x = step(x)
    return x


def eager_loops():
    total = 0.0
    for _ in range(2):
        total = jax.lax.fori_loop(0, 2, lambda i, v: v + i, total)
        total = jax.lax.while_loop(lambda v: v < 3, lambda v: v + 1, total)
        total = jax.lax.scan(lambda v, x: (v + x, None), total, jnp.ones(2))[0]
    return total


def eager_operations_of_many_shapes():
    return [jnp.sin(jnp.ones(size)) for size in range(5, 8)]


def mapped_lambda():
    for _ in range(2):
        y = jax.vmap(lambda x: x * 2)(jnp.ones(3))
    return y


def values_differ():
    return [_doubled_jit(value) for value in (1.0, 2.0, 3.0)]


@jax.jit
def _outer(x):
    for _ in range(2):
        x = jax.jit(lambda v: v + 1)(x)
    return x


def jit_in_a_trace():
    return _outer(1.0)


def compiled_ahead():
    step = jax.jit(_doubled).lower(1.0).compile()
    return [step(1.0), step(2.0)]


class _Scaled:
    def __call__(self, x):
        return x * 2


def callable_object():
    for _ in range(3):
        _Scaled()(1.0)
