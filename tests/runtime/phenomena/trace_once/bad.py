"""Effects that happen while JAX traces, and not when the code runs; the twin of each function stands in `good.py`."""

import collections
import heapq
import io
import itertools
import os
import random
import secrets
import tempfile
import types
import uuid
from datetime import datetime
from functools import partial
from time import perf_counter

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax import lax

SEEN = []
TABLE = {}
COUNT = 0
BUFFER = np.zeros(3)
RECENT = collections.deque(maxlen=8)
HEAP = []
PLACE = types.SimpleNamespace(steps=0)
NUMBERS = itertools.count()
WAITING = iter(range(100))
GENERATOR = np.random.default_rng(0)
OWN = random.Random(0)
TEXT = io.StringIO()
PATH = os.path.join(tempfile.mkdtemp(), "log")


def _counting():
    value = 0
    while True:
        value += 1
        yield value


TURNS = _counting()


# Writes to what is outside.


@jax.jit
def _appended(x):
    SEEN.append(x.shape)  # JAX303 trace_once: `SEEN` is outside
    return x


def appended():
    return _appended(1.0)


@jax.jit
def _counted(x):
    global COUNT
    COUNT += 1  # JAX303 trace_once: `COUNT` is global
    return x * 2


def counted():
    return _counted(1.0), _counted(2.0)


def nonlocal_total():
    total = 0

    def step(x):
        nonlocal total
        total += 1  # JAX303 trace_once: `total` belongs to the function around
        return x

    return jax.jit(step)(1.0), total


class Meter:
    calls = 0

    def __init__(self):
        self.steps = 0
        self.last = None

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        self.steps += 1  # JAX303 trace_once: `self` outlives the trace
        return x + 1

    @partial(jax.jit, static_argnums=0)
    def kept(self, x):
        y = x * 2
        self.last = y  # JAX303 trace_once: `self` outlives the trace
        return y

    @classmethod
    def note(cls):
        cls.calls += 1  # JAX303 trace_once: `cls` outlives the trace


def attribute():
    return Meter().step(1.0)


def attribute_kept():
    meter = Meter()
    return meter.kept(1.0)


def attribute_of_a_class():
    @jax.jit
    def step(x):
        Meter.note()
        return x

    return step(1.0)


def entry_in_scan():
    def body(carry, x):
        TABLE[len(TABLE)] = 1  # JAX303 trace_once: `TABLE` is outside
        return carry + x, None

    return lax.scan(body, 0.0, jnp.ones(3))


@jax.jit
def _collected(x):
    rows = []

    def body(i, total):
        rows.append(1)  # JAX303 trace_once: `rows` is outside the body
        return total + i

    return lax.fori_loop(0, 3, body, x)


def local_list_of_the_function_around():
    return _collected(0)


@jax.jit
def _argument(params):
    params["calls"] = params["w"] * 2  # JAX303 trace_once: the caller's dictionary stays as it was
    return params["w"]


def argument_mutated():
    return _argument({"w": jnp.ones(2)})


@jax.jit
def _default(x, seen=[]):
    seen.append(1)  # JAX303 trace_once: the default lives on
    return x


def default_argument():
    return _default(1.0)


def buffer_in_grad():
    def loss(w):
        BUFFER[0] += 1.0  # JAX303 trace_once: `BUFFER` is outside
        return w**2

    return jax.jit(jax.grad(loss))(2.0)


def through_a_helper():
    @jax.jit
    def step(x):
        _remember(x.ndim)
        return x

    return step(jnp.ones(2))


def _remember(value):
    RECENT.append(value)  # JAX303 trace_once: `RECENT` is outside


@eqx.filter_jit
def _pushed(x):
    heapq.heappush(HEAP, 1)  # JAX303 trace_once: `HEAP` is outside
    return x


def pushed_by_equinox():
    return _pushed(jnp.ones(2))


@nnx.jit
def _spaced(x):
    PLACE.steps = PLACE.steps + 1  # JAX303 trace_once: `PLACE` is outside
    return x


def spaced_by_nnx():
    return _spaced(jnp.ones(2))


class Dense(nn.Module):
    @nn.compact
    def __call__(self, x):
        SEEN.append("dense")  # JAX303 trace_once: `SEEN` is outside
        return x * self.param("w", nn.initializers.ones, (2,))


def linen_module():
    model = Dense()
    return jax.jit(model.apply)({"params": {"w": jnp.ones(2)}}, jnp.ones(2))


def two_lines():
    @jax.jit
    def step(x):
        SEEN.append(1)  # JAX303 trace_once: `SEEN` is outside
        y = x * 2
        TABLE[len(TABLE)] = 2  # JAX303 trace_once: `TABLE` is outside
        return y

    return step(1.0)


# The host's files, clocks, environment.


@jax.jit
def _written(x):
    with open(PATH, "a") as log:  # JAX304 trace_once: the file is opened while tracing
        log.write("x\n")
    return x


def file_written():
    return _written(1.0)


def file_in_vmap():
    def one(x):
        names = os.listdir(os.path.dirname(PATH))  # JAX304 trace_once: the folder is read while tracing
        return x + len(names[:0])

    return jax.vmap(jax.jit(one))(jnp.ones(3))


@jax.jit
def _to_a_handle(x):
    TEXT.write("x\n")  # JAX304 trace_once: the handle is written to while tracing
    return x


def handle_written():
    return _to_a_handle(1.0)


@jax.jit
def _timed(x):
    return x + perf_counter()  # JAX304 trace_once: the clock is read while tracing


def clock():
    return _timed(0.0)


def date_in_cond():
    def late(x):
        return x * datetime.now().year  # JAX304 trace_once: the clock is read while tracing

    return jax.jit(lambda x: lax.cond(x > 0, late, lambda x: x * 1.0, x))(1.0)


@jax.jit
def _scaled(x):
    return x * float(os.environ.get("FIXTURE_SCALE", "1"))  # JAX304 trace_once: the environment is read while tracing


def environment():
    return _scaled(1.0)


@jax.jit
def _asked(x):
    return x + float(input())  # JAX304 trace_once: standard input is read while tracing


def asked():
    return _asked(1.0)


# The host's randomness.


@jax.jit
def _noisy(x):
    return x + random.random()  # JAX305 trace_once: one draw for ever


def host_random():
    return _noisy(0.0)


def numpy_random():
    @jax.jit
    def step(x):
        noise = np.random.normal(size=3)  # JAX305 trace_once: one draw for ever
        return x + noise

    return step(jnp.zeros(3))


def generator_in_checkpoint():
    @jax.jit
    @jax.checkpoint
    def step(x):
        noise = GENERATOR.normal()  # JAX305 trace_once: one draw for ever
        return x + noise

    return step(0.0)


def own_random_in_while():
    def body(state):
        n, x = state
        OWN.random()  # JAX305 trace_once: one draw for ever
        return n + 1, x

    return lax.while_loop(lambda state: state[0] < 3, body, (0, 1.0))


@jax.jit
def _named(x):
    name = uuid.uuid4().hex  # JAX305 trace_once: one name for ever
    return x + len(name)


def named():
    return _named(0)


def secret():
    @jax.jit
    def step(x):
        return x + secrets.randbits(8)  # JAX305 trace_once: one number for ever

    return step(0)


def fresh_generator():
    @jax.jit
    def step(x):
        return x + np.random.default_rng().normal()  # JAX305 trace_once: one draw for ever

    return step(0.0)


# Iterators.


@jax.jit
def _numbered(x):
    return x + next(NUMBERS)  # JAX308 trace_once: the iterator moves while tracing


def numbered():
    return _numbered(0)


def waiting():
    step = jax.jit(lambda x: x + next(WAITING))  # JAX308 trace_once: the iterator moves while tracing
    return step(0)


def generator_of_the_case():
    numbers = (n * n for n in range(100))

    @jax.jit
    def step(x):
        for n in numbers:  # JAX308 trace_once: the iterator moves while tracing
            return x + n

    return step(0)


def generator_with_a_state():
    @jax.jit
    def step(x):
        turn = next(TURNS)  # JAX308 trace_once: the iterator moves while tracing
        return x + turn

    return step(0)
