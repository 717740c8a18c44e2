"""Tracers that outlive their trace; the twin of each function stands in `good.py`."""

import collections
import functools
import types
from functools import partial

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax import lax

KEPT = []
MEMO = {}
LATEST = None
PLACE = types.SimpleNamespace(value=None)
RING = collections.deque(maxlen=2)
BOXES = np.empty(2, dtype=object)
LATER = None


@jax.jit
def _appended(x):
    y = x * 2
    KEPT.append(y)  # JAX303 leak: `KEPT` outlives the trace
    return y


def appended():
    return _appended(1.0)


@jax.jit
def _global(x):
    global LATEST
    LATEST = x + 1  # JAX303 leak: `LATEST` is global
    return x


def written_global():
    return _global(1.0)


class Model:
    def __init__(self):
        self.hidden = None

    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        h = jnp.tanh(x)
        self.hidden = h  # JAX303 leak: `self` outlives the trace
        return h * 2


def attribute():
    return Model().forward(jnp.ones(2))


@jax.jit
def _nested(x):
    PLACE.value = {"inner": [x * 2, 1]}  # JAX303 leak: `PLACE` outlives the trace
    return x


def nested_in_containers():
    return _nested(1.0)


def nonlocal_name():
    best = None

    @jax.jit
    def step(x):
        nonlocal best
        best = jnp.maximum(x, 0.0)  # JAX303 leak: `best` belongs to the function around
        return x

    return step(1.0)


@jax.jit
def _default(x, seen=[]):
    seen.append(x)  # JAX303 leak: the default lives on
    return x


def default_argument():
    return _default(1.0)


@jax.jit
def _closure(x):
    global LATER
    LATER = lambda: x + 1  # JAX303 leak: the function holds `x`
    return x


def kept_function():
    return _closure(1.0)


def _note(value):
    RING.append(value)  # JAX303 leak: `RING` outlives the trace


def through_a_helper():
    return jax.jit(lambda x: _note(x) or x)(1.0)


def scan_body():
    def body(carry, x):
        KEPT.append(carry)  # JAX303 leak: `KEPT` outlives the trace
        return carry + x, None

    return lax.scan(body, 0.0, jnp.ones(3))


def scan_body_inside():
    @jax.jit
    def run(xs):
        rows = []

        def body(carry, x):
            rows.append(x)  # JAX303 leak: `rows` outlives the trace of the body
            return carry + x, None

        return lax.scan(body, 0.0, xs)

    return run(jnp.ones(3))


def auxiliary_of_grad():
    losses = {}

    def loss(w):
        value = w**2
        losses["latest"] = value  # JAX303 leak: `losses` outlives the trace
        return value

    return jax.grad(loss)(2.0)


def lanes():
    def one(x):
        BOXES[0] = x * 2  # JAX303 leak: `BOXES` outlives the trace
        return x

    return jax.vmap(one)(jnp.ones(3))


def cond_branch():
    def positive(x):
        PLACE.value = x  # JAX303 leak: `PLACE` outlives the trace
        return x * 2

    return lax.cond(jnp.array(True), positive, lambda x: x, 1.0)


@eqx.filter_jit
def _by_equinox(x):
    MEMO["x"] = x  # JAX303 leak: `MEMO` outlives the trace
    return x


def by_equinox():
    return _by_equinox(jnp.ones(2))


@nnx.jit
def _by_nnx(x):
    KEPT.append(x)  # JAX303 leak: `KEPT` outlives the trace
    return x


def by_nnx():
    return _by_nnx(jnp.ones(2))


class Dense(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = x * self.param("w", nn.initializers.ones, (2,))
        MEMO["y"] = y  # JAX303 leak: `MEMO` outlives the trace
        return y


def linen_module():
    return jax.jit(Dense().apply)({"params": {"w": jnp.ones(2)}}, jnp.ones(2))


# Caches.


def _frequencies(n, x):
    if n not in MEMO:
        MEMO[n] = jnp.arange(n) * x  # JAX306 leak: the memo keeps what is traced
    return MEMO[n]


def module_memo():
    return jax.jit(lambda x: x * _frequencies(3, x))(1.0)


@functools.lru_cache
def _ones(n):
    return lax.stop_gradient(lax.full((n,), 1.0) * 2)


@jax.jit
def _cached(x):
    y = x + 1
    return y * _ones(3)  # JAX306 leak: the cache keeps what is traced


def cached_function():
    return _cached(1.0)


class Grid:
    def __init__(self, n):
        self.n = n
        self._points = None

    @functools.cached_property
    def spacing(self):
        return lax.full((self.n,), 1.0) * 2

    def points(self):
        if self._points is None:
            self._points = lax.full((self.n,), 1.0) * 2  # JAX306 leak: the attribute keeps what is traced
        return self._points


def cached_property():
    grid = Grid(3)

    @jax.jit
    def step(x):
        dx = grid.spacing  # JAX306 leak: the property keeps what is traced
        return x * dx

    return step(1.0)


def lazy_attribute():
    grid = Grid(3)
    return jax.jit(lambda x: x * grid.points())(1.0)


def under_custom_jvp():
    kept = []

    @jax.custom_jvp
    def weigh(x):
        kept.append(x)  # JAX306 leak: the list keeps what is traced
        return x * 2.0

    weigh.defjvp(lambda given, tangents: (weigh(*given), tangents[0]))
    return jax.jit(weigh)(1.0)
