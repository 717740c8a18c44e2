"""Gradients that are finite, or no worse than the value; the first functions are twins of those in `bad.py`."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax


def _root(x):
    return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0)


def square_root():
    return jax.grad(_root)(0.0)


def _logarithm(x):
    y = jnp.log(jnp.maximum(x, 1e-6))
    return jnp.where(x > 0, y, 0.0)


def logarithm():
    return jax.value_and_grad(_logarithm)(0.0)


def _inverse(x):
    return jnp.where(x != 0, 1 / jnp.where(x != 0, x, 1.0), 0.0)


@jax.jit
def _step(x):
    return x - 0.1 * jax.grad(_inverse)(x)


def division():
    return _step(0.0)


def _length(x):
    n = jnp.sqrt(jnp.sum(x * x) + 1e-6)
    return n * 2.0


def norm():
    return jax.grad(_length)(jnp.zeros(3))


def _distances(xs):
    d = xs[:, None] - xs[None, :]
    r = jnp.sqrt(d * d + 1e-6)
    return jnp.sum(r)


@jax.jit
def _forces(xs):
    return jax.grad(_distances)(xs)


def pairwise():
    return _forces(jnp.array([1.0, 2.0, 4.0]))


def _power(x):
    y = jnp.where(x > 0, x, 1.0) ** 0.5
    return jnp.sum(jnp.where(x > 0, y, x))


def lanes():
    return jax.vmap(jax.grad(_power))(jnp.array([0.0, 1.0]))


def _angle(x):
    a = jnp.arccos(jnp.clip(x, -0.99, 0.99))
    return a


def infinite():
    return jax.grad(_angle)(1.0)


def _overflowed(x):
    y = jnp.exp(jnp.where(x < 10, x, 0.0))
    return jnp.where(x < 10, y, 1.0)


def overflow():
    return jax.jit(jax.value_and_grad(_overflowed))(1000.0)


def _walk(carry, x):
    y = jnp.sqrt(jnp.where(x > 0, x, 1.0))
    carry = carry + jnp.where(x > 0, y, 0.0)
    return carry, None


def _walked(xs):
    return lax.scan(_walk, 0.0, xs)[0]


def in_scan():
    return jax.grad(_walked)(jnp.array([1.0, 0.0]))


def _either(x):
    return lax.cond(
        x < 1.0,
        lambda x: jnp.where(x > 0, jnp.sqrt(x + 1e-6), 0.0),
        lambda x: x,
        x,
    )


def in_branch():
    return jax.jit(jax.grad(_either))(0.0)


class Unit(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        y = self.weight * x
        return y / jnp.sqrt(jnp.sum(y * y) + 1e-6)


@eqx.filter_grad
def _unit_loss(model):
    y = jnp.where(jnp.sum(model.weight) > 0, model(1.0), 0.0)
    return jnp.sum(y)


def module():
    return _unit_loss(Unit(jnp.zeros(2)))


def pulled_back():
    y, pull = jax.vjp(_pulled, jnp.zeros(2))
    return pull(y)


def _pulled(x):
    y = jnp.sqrt(x + 1.0)
    return jnp.where(x > 0, y, 0.0)


def _curved(x):
    y = x**3
    return jnp.sum(y)


def hessian():
    return jax.hessian(_curved)(jnp.array([0.0, 1.0]))


# Innocents.


def value_alone():
    x = jnp.array([0.0, 1.0])
    return jnp.where(x > 0, jnp.log(x), 0.0), 1 / x


def _unbounded(x):
    return jnp.log(x)


def infinite_value():
    return jax.grad(_unbounded)(0.0)


def _smooth(x):
    return jnp.sqrt(x) + jnp.log(x)


def inside():
    return jax.grad(_smooth)(2.0), jax.jit(jax.vmap(jax.grad(_smooth)))(jnp.ones(3))


def _masked(x, mask):
    return jnp.sum(jax.nn.softmax(jnp.where(mask, x, -jnp.inf)) * x)


def masked_softmax():
    return jax.grad(_masked)(jnp.ones(3), jnp.array([True, True, False]))


def _clamped(x):
    return jnp.sqrt(jnp.maximum(x, 1e-3))


def clamped():
    return jax.jit(jax.value_and_grad(_clamped))(0.0)


@jax.custom_jvp
def _safe(x):
    return jnp.sqrt(x)


@_safe.defjvp
def _safe_rule(primals, tangents):
    (x,), (t,) = primals, tangents
    return _safe(x), t * 0.5 / jnp.sqrt(jnp.maximum(x, 1e-3))


def own_rule():
    return jax.grad(_safe)(0.0)


def _branching(x):
    if x > 0:
        return jnp.sqrt(x)
    return x * 0.0


def branch_of_python():
    return jax.grad(_branching)(0.0)
