"""The same programs keeping shapes and host values, and tracers that live no longer than their trace."""

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
    jax.debug.callback(KEPT.append, y)
    return y


def appended():
    return _appended(1.0)


@jax.jit
def _global(x):
    global LATEST
    LATEST = x.shape
    return x


def written_global():
    return _global(1.0)


class Model:
    def __init__(self):
        self.hidden = None

    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        h = jnp.tanh(x)
        self.hidden = h.shape
        return h * 2


def attribute():
    return Model().forward(jnp.ones(2))


@jax.jit
def _nested(x):
    place = types.SimpleNamespace(value={"inner": [x * 2, 1]})
    return x


def nested_in_containers():
    return _nested(1.0)


def nonlocal_name():
    best = None

    @jax.jit
    def step(x):
        nonlocal best
        best = None
        return x

    return step(1.0)


@jax.jit
def _default(x, seen=[]):
    jax.debug.callback(seen.append, x)
    return x


def default_argument():
    return _default(1.0)


@jax.jit
def _closure(x):
    global LATER
    LATER = None
    return x


def kept_function():
    return _closure(1.0)


def _note(value):
    jax.debug.callback(RING.append, value)


def through_a_helper():
    return jax.jit(lambda x: _note(x) or x)(1.0)


def scan_body():
    def body(carry, x):
        jax.debug.callback(KEPT.append, carry)
        return carry + x, None

    return lax.scan(body, 0.0, jnp.ones(3))


def scan_body_inside():
    @jax.jit
    def run(xs):
        rows = []

        def body(carry, x):
            jax.debug.callback(rows.append, x)
            return carry + x, None

        return lax.scan(body, 0.0, xs)

    return run(jnp.ones(3))


def auxiliary_of_grad():
    losses = {}

    def loss(w):
        value = w**2
        losses["latest"] = 2.0
        return value

    return jax.grad(loss)(2.0)


def lanes():
    def one(x):
        BOXES[0] = x.shape
        return x

    return jax.vmap(one)(jnp.ones(3))


def cond_branch():
    def positive(x):
        PLACE.value = x.shape
        return x * 2

    return lax.cond(jnp.array(True), positive, lambda x: x, 1.0)


@eqx.filter_jit
def _by_equinox(x):
    MEMO["x"] = x.shape
    return x


def by_equinox():
    return _by_equinox(jnp.ones(2))


@nnx.jit
def _by_nnx(x):
    jax.debug.callback(KEPT.append, x)
    return x


def by_nnx():
    return _by_nnx(jnp.ones(2))


class Dense(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = x * self.param("w", nn.initializers.ones, (2,))
        MEMO["y"] = y.dtype
        return y


def linen_module():
    return jax.jit(Dense().apply)({"params": {"w": jnp.ones(2)}}, jnp.ones(2))


# Caches.


def _frequencies(n, x):
    if n not in MEMO:
        MEMO[n] = np.arange(n)
    return MEMO[n]


def module_memo():
    return jax.jit(lambda x: x * _frequencies(3, x))(1.0)


@functools.lru_cache
def _ones(n):
    return lax.stop_gradient(lax.full((n,), 1.0) * 2)


@jax.jit
def _cached(x):
    y = x + 1
    return y * np.ones(3)


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
            self._points = np.full((self.n,), 2.0)
        return self._points


def cached_property():
    grid = Grid(3)

    @jax.jit
    def step(x):
        dx = np.full((grid.n,), 2.0)
        return x * dx

    return step(1.0)


def lazy_attribute():
    grid = Grid(3)
    return jax.jit(lambda x: x * grid.points())(1.0)


# Innocents.


@jax.jit
def _local(x):
    rows = [x, x * 2]
    table = {"rows": rows}
    later = lambda: x + len(table)
    return later() + rows[1]


def local_containers():
    return _local(1.0)


def kept_results():
    KEPT.append(_local(1.0))
    MEMO["result"] = jax.grad(lambda w: w**2)(3.0)
    return KEPT


class Tally:
    def __init__(self):
        self.total = None


@jax.jit
def _tallied(x):
    tally = Tally()
    tally.total = x
    return tally.total


def object_of_the_trace():
    return _tallied(1.0)


@jax.jit
def _cleared(x):
    KEPT.append(x)
    y = KEPT.pop() * 2
    return y


def taken_back():  # verify: shows trace_once, what is added is taken back at once
    return _cleared(1.0)


class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros(()))


@nnx.jit
def _counter_step(counter, x):
    counter.count.value = counter.count.value + x
    return x


def nnx_state():
    counter = Counter()
    return _counter_step(counter, 1.0), counter.count.value


class Linear(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return self.weight * x


def equinox_module():
    layer = Linear(jnp.ones(2))
    return eqx.filter_jit(lambda layer, x: layer(x))(layer, jnp.ones(2))


def host_cache():
    table = _ones(3)
    return jax.jit(lambda x: x * table)(1.0), jax.jit(lambda x: x * _ones(3))(1.0)


def under_custom_jvp():
    kept = []

    @jax.custom_jvp
    def weigh(x):
        kept.append(x.shape)
        return x * 2.0

    weigh.defjvp(lambda given, tangents: (weigh(*given), tangents[0]))
    return jax.jit(weigh)(1.0)


def generator_run_out():
    def values(x):
        yield from [x * 2, x * 3]

    return jax.jit(lambda x: sum(map(jnp.sin, values(x))))(1.0)


def error_caught():
    @jax.jit
    def step(x):
        try:
            raise ValueError(x * 2)
        except ValueError as error:
            return error.args[0]

    return step(1.0)
