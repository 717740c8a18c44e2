"""Programs that raise: on the line that is to blame, or later, where the mistake comes to light."""

import functools

import jax
import jax.numpy as jnp


@jax.jit
def _clipped(x):
    if x > 1.0:  # JAX910 raises:TracerBoolConversionError: the line raises by itself
        return 1.0
    return x


def on_its_own_line():
    return _clipped(2.0)


def nothing_returned():
    def body(i, x):
        x + i  # JAX910 raises:TypeError: nothing is returned

    return jax.lax.fori_loop(0, 3, body, 0)


def keys_not_unpacked():
    keys = jax.random.split(jax.random.key(0))  # JAX910 raises:ValueError: two keys under one name
    shape = (3,)
    return jax.random.normal(keys, shape)


def carry_alone():
    def body(carry, x):
        total = carry + x
        return total  # JAX910 raises:TypeError: a pair is asked for

    return jax.lax.scan(body, 0.0, jnp.arange(3.0))


def carry_of_another_type():
    def body(carry):
        step = 1.5  # JAX910 raises:TypeError: the carry becomes a float
        return carry + step

    return jax.lax.while_loop(lambda carry: carry < 3, body, jnp.int32(0))


def not_a_scalar():
    def loss(x):
        squared = x**2
        return squared  # JAX910 raises:TypeError: an array is differentiated

    return jax.grad(loss)(jnp.ones(3))


def unhashable():
    repeat = jax.jit(lambda x, axes: jnp.flip(x, axes), static_argnums=1)
    axes = [0]  # JAX910 raises:ValueError: a list is no static argument
    return repeat(jnp.ones(3), axes)


AXES = [0]  # JAX910 raises:ValueError: a list is no static argument


@functools.partial(jax.jit, static_argnums=1)
def _flipped(x, axes):
    return jnp.flip(x, axes)


def unhashable_of_the_module():
    return _flipped(jnp.ones(3), AXES)


def lengths_that_differ():
    xs = jnp.ones((3, 2))
    ys = jnp.ones((4, 2))  # JAX910 raises:ValueError: another number of rows
    return jax.vmap(jnp.dot)(xs, ys)


def one_behind_the_other():
    def body(i, x):
        x + i  # JAX910 raises:TypeError: nothing is returned

    summed = jax.lax.fori_loop(0, 3, body, 0)

    def loss(x):
        return x**2  # JAX910 raises:TypeError: an array is differentiated

    return summed, jax.grad(loss)(jnp.ones(3))
