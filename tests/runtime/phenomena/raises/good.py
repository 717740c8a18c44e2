"""The same programs, which do not raise, and programs that look as if they did."""

import functools

import jax
import jax.numpy as jnp


@jax.jit
def _clipped(x):
    if x is None:
        return 1.0
    return x


def on_its_own_line():
    return _clipped(2.0)


def nothing_returned():
    def body(i, x):
        return x + i

    return jax.lax.fori_loop(0, 3, body, 0)


def keys_not_unpacked():
    keys, _ = jax.random.split(jax.random.key(0))
    shape = (3,)
    return jax.random.normal(keys, shape)


def carry_alone():
    def body(carry, x):
        total = carry + x
        return total, None

    return jax.lax.scan(body, 0.0, jnp.arange(3.0))


def carry_of_another_type():
    def body(carry):
        step = 1
        return carry + step

    return jax.lax.while_loop(lambda carry: carry < 3, body, jnp.int32(0))


def not_a_scalar():
    def loss(x):
        squared = x**2
        return squared.sum()

    return jax.grad(loss)(jnp.ones(3))


def unhashable():
    repeat = jax.jit(lambda x, axes: jnp.flip(x, axes), static_argnums=1)
    axes = (0,)
    return repeat(jnp.ones(3), axes)


AXES = (0,)


@functools.partial(jax.jit, static_argnums=1)
def _flipped(x, axes):
    return jnp.flip(x, axes)


def unhashable_of_the_module():
    return _flipped(jnp.ones(3), AXES)


def lengths_that_differ():
    xs = jnp.ones((3, 2))
    ys = jnp.ones((3, 2))
    return jax.vmap(jnp.dot)(xs, ys)


def one_behind_the_other():
    def body(i, x):
        return x + i

    summed = jax.lax.fori_loop(0, 3, body, 0)

    def loss(x):
        return jnp.sum(x**2)

    return summed, jax.grad(loss)(jnp.ones(3))


# Innocents.


def caught():
    try:
        return jax.lax.fori_loop(0, 3, lambda i, x: None, 0)
    except TypeError as error:
        return str(error)


def nothing_to_return():
    return jax.lax.fori_loop(0, 3, lambda i, nothing: nothing, None)


def mapped_over_keys():
    keys = jax.random.split(jax.random.key(0))
    return jax.vmap(jax.random.normal)(keys)
