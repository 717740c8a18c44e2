"""Gradients that are no finite numbers; the twin of each function stands in `good.py`."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax


def _root(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)  # JAX701 nan_grad: the unused branch has an infinite derivative


def square_root():
    return jax.grad(_root)(0.0)


def _logarithm(x):
    y = jnp.log(x)  # JAX701 nan_grad: at 0
    return jnp.where(x > 0, y, 0.0)


def logarithm():
    return jax.value_and_grad(_logarithm)(0.0)


def _inverse(x):
    return jnp.where(x != 0, 1 / x, 0.0)  # JAX701 nan_grad: a division


@jax.jit
def _step(x):
    return x - 0.1 * jax.grad(_inverse)(x)


def division():
    return _step(0.0)


def _length(x):
    n = jnp.linalg.norm(x)  # JAX701 nan_grad: at the origin
    return n * 2.0


def norm():
    return jax.grad(_length)(jnp.zeros(3))


def _distances(xs):
    d = xs[:, None] - xs[None, :]
    r = jnp.sqrt(d * d)  # JAX701 nan_grad: the diagonal is zero
    return jnp.sum(r)


@jax.jit
def _forces(xs):
    return jax.grad(_distances)(xs)


def pairwise():
    return _forces(jnp.array([1.0, 2.0, 4.0]))


def _power(x):
    y = x**0.5  # JAX701 nan_grad: a fractional power at 0
    return jnp.sum(jnp.where(x > 0, y, x))


def lanes():
    return jax.vmap(jax.grad(_power))(jnp.array([0.0, 1.0]))


def _angle(x):
    a = jnp.arccos(x)  # JAX701 nan_grad: infinite at 1
    return a


def infinite():
    return jax.grad(_angle)(1.0)


def _overflowed(x):
    y = jnp.exp(x)  # JAX701 nan_grad: infinite in the branch that is not taken
    return jnp.where(x < 10, y, 1.0)


def overflow():
    return jax.jit(jax.value_and_grad(_overflowed))(1000.0)


def _walk(carry, x):
    y = jnp.sqrt(x)  # JAX701 nan_grad: in the body of a scan
    carry = carry + jnp.where(x > 0, y, 0.0)
    return carry, None


def _walked(xs):
    return lax.scan(_walk, 0.0, xs)[0]


def in_scan():
    return jax.grad(_walked)(jnp.array([1.0, 0.0]))


def _either(x):
    return lax.cond(
        x < 1.0,
        lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0),  # JAX701 nan_grad: in a branch
        lambda x: x,
        x,
    )


def in_branch():
    return jax.jit(jax.grad(_either))(0.0)


class Unit(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        y = self.weight * x
        return y / jnp.linalg.norm(y)  # JAX701 nan_grad: of a module at zero


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
    y = jnp.sqrt(x)  # JAX701 nan_grad: through vjp
    return jnp.where(x > 0, y, 0.0)


def _curved(x):
    y = x**1.5  # JAX701 nan_grad: the second derivative at 0
    return jnp.sum(y)


def hessian():
    return jax.hessian(_curved)(jnp.array([0.0, 1.0]))
