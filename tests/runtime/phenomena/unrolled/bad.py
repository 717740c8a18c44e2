"""Python loops that a trace unrolls; the twin of each function stands in `good.py`."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def _powers(x):
    for _ in range(20):  # JAX505 unrolled: 20 turns
        x = jnp.sin(x)
    return x


def powers():
    return _powers(1.0)


@jax.jit
def _summed(xs):
    total = 0.0
    for x in xs:  # JAX505 unrolled: iterates over a traced array
        total = total + x
    return total


def over_an_array():
    return _summed(jnp.ones(12))


@functools.partial(jax.jit, static_argnames="steps")
def _iterated(x, steps):
    turn = 0
    while turn < steps:  # JAX505 unrolled: a static `while`
        x = x * 0.5
        turn += 1
    return x


def static_while():
    return _iterated(jnp.ones(3), steps=9)


@jax.jit
def _listed(x):
    parts = [jnp.sin(x * i) for i in range(10)]  # JAX505 unrolled: a comprehension
    return jnp.stack(parts)


def comprehension():
    return _listed(1.0)


@jax.jit
def _generated(x):
    return sum(jnp.cos(x + i) for i in range(8))  # JAX505 unrolled: a generator


def generator():
    return _generated(1.0)


def _relaxed(x):
    return 0.5 * (x + 2.0 / x)


@jax.jit
def _newton(x):
    for _ in range(16):  # JAX505 unrolled: the work is in a helper
        x = _relaxed(x)
    return x


def through_helper():
    return _newton(1.0)


class Roll(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        for i in range(10):  # JAX505 unrolled: in a method
            x = x + self.weight
        return x


@eqx.filter_jit
def _rolled(model, x):
    return model(x)


def in_method():
    return _rolled(Roll(jnp.ones(3)), jnp.zeros(3))


def _row(carry, x):
    for _ in range(10):  # JAX505 unrolled: in the body of a scan
        carry = carry + x
    return carry, x


def in_scan():
    return lax.scan(_row, 0.0, jnp.ones(3))


@jax.jit
def _grid(x):
    for row in range(2):
        for column in range(9):  # JAX505 unrolled: the inner one
            x = x.at[row].add(1.0)
    return x


def nested():
    return _grid(jnp.zeros(2))


def _unrolled_loss(x):
    for _ in range(10):  # JAX505 unrolled: under a gradient that is jitted
        x = jnp.tanh(x)
    return x


def gradient():
    return jax.jit(jax.grad(_unrolled_loss))(0.5)


@jax.jit
def _inner(x):
    return x + 1.0


@jax.jit
def _outer(x):
    for _ in range(10):  # JAX505 unrolled: each turn calls a jitted function
        x = _inner(x)
    return x


def calls_of_jitted():
    return _outer(1.0)


@jax.jit
def _over_several_lines(x):
    return [
        jnp.sin(x * i)
        for i in range(20)  # JAX505 unrolled: a comprehension is a loop
    ]


def over_several_lines():
    return _over_several_lines(1.0)
