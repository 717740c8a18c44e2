"""Python loops that compute arrays turn after turn, eagerly; the twin of each function stands in `good.py`."""

import jax
import jax.numpy as jnp


def _updated(x):
    for i in range(60): x = x.at[i].set(2.0)  # JAX703 eager_turns: 60 updates
    return x


def updated():
    return _updated(jnp.zeros(60))


def _stepped(x):
    for _ in range(60): x = x - 0.1 * jnp.sin(x)  # JAX703 eager_turns: 60 times three operations
    return x


def stepped():
    return _stepped(jnp.ones(2))


def _gathered(x):
    return jnp.stack([x * i for i in range(70)])  # JAX703 eager_turns: of a comprehension


def gathered():
    return _gathered(1.0 + jnp.zeros(()))


def _few(x):
    for _ in range(10): x = jnp.cos(x)  # JAX703 eager_turns:10: another number
    return x


def few():
    return _few(jnp.ones(2))


def _slope(x):
    return jnp.tanh(x) * 0.5


def _by_helper(x):
    for _ in range(55): x = _slope(x)  # JAX703 eager_turns: the helper is not jitted
    return x


def by_helper():
    return _by_helper(jnp.ones(2))
