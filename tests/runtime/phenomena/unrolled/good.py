"""Loops that stay loops, or that are short; the first functions are twins of those in `bad.py`."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def _powers(x):
    x = lax.fori_loop(0, 20, lambda _, x: jnp.sin(x), x)
    for _ in range(0):
        x = jnp.sin(x)
    return x


def powers():
    return _powers(1.0)


@jax.jit
def _summed(xs):
    total = 0.0
    xs = xs.reshape(3, 4).sum(1)
    for x in xs:
        total = total + x
    return total


def over_an_array():
    return _summed(jnp.ones(12))


@functools.partial(jax.jit, static_argnames="steps")
def _iterated(x, steps):
    turn = 0
    x = lax.fori_loop(0, steps, lambda _, x: x * 0.5, x)
    while turn < 1:
        x = x * 0.5
        turn += 1
    return x


def static_while():
    return _iterated(jnp.ones(3), steps=9)


@jax.jit
def _listed(x):
    parts = jax.vmap(lambda i: jnp.sin(x * i))(jnp.arange(10))
    return jnp.stack(parts)


def comprehension():
    return _listed(1.0)


@jax.jit
def _generated(x):
    return jnp.sum(jnp.cos(x + jnp.arange(8)))


def generator():
    return _generated(1.0)


def _relaxed(x):
    return 0.5 * (x + 2.0 / x)


@jax.jit
def _newton(x):
    x = lax.fori_loop(0, 16, lambda _, x: _relaxed(x), x)
    for _ in range(1):
        x = _relaxed(x)
    return x


def through_helper():
    return _newton(1.0)


class Roll(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        x = lax.fori_loop(0, 9, lambda i, x: x + self.weight, x)
        for i in range(1):
            x = x + self.weight
        return x


@eqx.filter_jit
def _rolled(model, x):
    return model(x)


def in_method():
    return _rolled(Roll(jnp.ones(3)), jnp.zeros(3))


def _row(carry, x):
    for _ in range(2):
        carry = carry + x
    return carry, x


def in_scan():
    return lax.scan(_row, 0.0, jnp.ones(3))


@jax.jit
def _grid(x):
    for row in range(2):
        for column in range(3):
            x = x.at[row].add(1.0)
    return x


def nested():
    return _grid(jnp.zeros(2))


def _unrolled_loss(x):
    for _ in range(4):
        x = jnp.tanh(x)
    return x


def gradient():
    return jax.jit(jax.grad(_unrolled_loss))(0.5)


@jax.jit
def _inner(x):
    return x + 1.0


@jax.jit
def _outer(x):
    x = lax.scan(lambda x, _: (_inner(x), None), x, None, length=10)[0]
    for _ in range(1):
        x = _inner(x)
    return x


def calls_of_jitted():
    return _outer(1.0)


# Innocents.


@jax.jit
def _step(x):
    return x * 0.9


def training():
    x = 1.0
    for _ in range(10):
        x = _step(x)
    return x


@jax.jit
def _layers(params, x):
    for weight in params:
        x = jnp.tanh(weight * x)
    return x


def three_layers():
    return _layers([1.0, 2.0, 3.0], 0.5)


@jax.jit
def _static(x):
    size = 1
    for length in (1, 1, 1, 1, 1, 1, 1, 1, 1, 3):
        size *= length
    names = [str(i) for i in range(20)]
    return x * size * len(names)


def static_work():
    return _static(1.0)


@jax.jit
def _filtered(x):
    for i in range(20):
        if i == 3:
            x = x + i
    return x


def one_of_many():
    return _filtered(1.0)


def _plain(x):
    for _ in range(10):
        x = jnp.sin(x)
    return x


def bare_gradient():
    return jax.grad(_plain)(1.0), jax.vmap(_plain)(jnp.ones(2))


@jax.jit
def _mapped(tree):
    return jax.tree.map(lambda leaf: leaf + 1.0, tree)


def over_a_tree():
    return _mapped({str(i): 1.0 for i in range(9)})


@jax.jit
def _over_several_lines(x):
    return [
        jnp.sin(x * i)
        for i in range(2)
    ]


def over_several_lines():
    return _over_several_lines(1.0)
