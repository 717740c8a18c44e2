"""The same programs with their effects outside the trace or in callbacks, and effects that are none."""

import collections
import functools
import heapq
import io
import itertools
import os
import random
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
import optax
from flax import nnx
from jax import lax
from jax.experimental import io_callback

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
NOW = datetime.now()
START = 1.0
SCALE = float(os.environ.get("FIXTURE_SCALE", "1"))
NOISE = GENERATOR.normal()
NAME = uuid.uuid4().hex
BITS = 7


def _counting():
    value = 0
    while True:
        value += 1
        yield value


TURNS = _counting()


# Writes to what is outside.


@jax.jit
def _appended(x):
    jax.debug.callback(lambda: SEEN.append(1))
    return x


def appended():
    return _appended(1.0)


@jax.jit
def _counted(x):
    global COUNT
    count = 0
    count += 1
    return x * 2


def counted():
    return _counted(1.0), _counted(2.0)


def nonlocal_total():
    total = 0

    def step(x):
        nonlocal total
        x = x + 1
        return x

    return jax.jit(step)(1.0), total


class Meter:
    calls = 0

    def __init__(self):
        self.steps = 0
        self.last = None

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        jax.debug.callback(lambda: setattr(self, "steps", self.steps + 1))
        return x + 1

    @partial(jax.jit, static_argnums=0)
    def kept(self, x):
        y = x * 2
        jax.debug.callback(lambda v: setattr(self, "last", v), y)
        return y

    @classmethod
    def note(cls):
        pass


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
        jax.debug.callback(lambda: TABLE.setdefault(len(TABLE), 1))
        return carry + x, None

    return lax.scan(body, 0.0, jnp.ones(3))


@jax.jit
def _collected(x):
    rows = []

    def body(i, total):
        mine = []
        mine.append(1)
        return total + i

    return lax.fori_loop(0, 3, body, x)


def local_list_of_the_function_around():
    return _collected(0)


@jax.jit
def _argument(params):
    params = {**params, "calls": params["w"] * 2}
    params["again"] = params["calls"]
    return params["w"]


def argument_mutated():
    return _argument({"w": jnp.ones(2)})


@jax.jit
def _default(x, seen=[]):
    seen = [*seen, 1]
    return x


def default_argument():
    return _default(1.0)


def buffer_in_grad():
    def loss(w):
        buffer = BUFFER.copy()
        buffer[0] += 1.0
        return w**2

    return jax.jit(jax.grad(loss))(2.0)


def through_a_helper():
    @jax.jit
    def step(x):
        _remember(x.ndim)
        return x

    return step(jnp.ones(2))


def _remember(value):
    jax.debug.callback(RECENT.append, value)


@eqx.filter_jit
def _pushed(x):
    heapq.heappush([], 1)
    return x


def pushed_by_equinox():
    return _pushed(jnp.ones(2))


@nnx.jit
def _spaced(x):
    place = types.SimpleNamespace(steps=PLACE.steps)
    place.steps = place.steps + 1
    return x


def spaced_by_nnx():
    return _spaced(jnp.ones(2))


class Dense(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x + len("dense")
        return x * self.param("w", nn.initializers.ones, (2,))


def linen_module():
    model = Dense()
    return jax.jit(model.apply)({"params": {"w": jnp.ones(2)}}, jnp.ones(2))


def two_lines():
    @jax.jit
    def step(x):
        jax.debug.callback(lambda: SEEN.append(1))
        y = x * 2
        jax.debug.callback(lambda: TABLE.update({len(TABLE): 2}))
        return y

    return step(1.0)


# The host's files, clocks, environment.


@jax.jit
def _written(x):
    with io.StringIO() as log:
        log.write("x\n")
    return x


def file_written():
    return _written(1.0)


def file_in_vmap():
    def one(x):
        names = os.path.dirname(PATH)
        return x + len(names[:0])

    return jax.vmap(jax.jit(one))(jnp.ones(3))


@jax.jit
def _to_a_handle(x):
    io_callback(lambda v: TEXT.write(f"{v}\n") and None, None, x)
    return x


def handle_written():
    return _to_a_handle(1.0)


@jax.jit
def _timed(x):
    return x + START


def clock():
    return _timed(0.0)


def date_in_cond():
    def late(x):
        return x * NOW.year

    return jax.jit(lambda x: lax.cond(x > 0, late, lambda x: x * 1.0, x))(1.0)


@jax.jit
def _scaled(x):
    return x * SCALE


def environment():
    return _scaled(1.0)


@jax.jit
def _asked(x):
    return x + float("1")


def asked():
    return _asked(1.0)


# The host's randomness.


@jax.jit
def _noisy(x):
    return x + jax.pure_callback(lambda: np.float32(random.random()), jax.ShapeDtypeStruct((), jnp.float32))


def host_random():
    return _noisy(0.0)


def numpy_random():
    @jax.jit
    def step(x):
        noise = np.arange(3)
        return x + noise

    return step(jnp.zeros(3))


def generator_in_checkpoint():
    @jax.jit
    @jax.checkpoint
    def step(x):
        noise = NOISE
        return x + noise

    return step(0.0)


def own_random_in_while():
    def body(state):
        n, x = state
        random.Random(0).random()
        return n + 1, x

    return lax.while_loop(lambda state: state[0] < 3, body, (0, 1.0))


@jax.jit
def _named(x):
    name = NAME
    return x + len(name)


def named():
    return _named(0)


def secret():
    @jax.jit
    def step(x):
        return x + BITS

    return step(0)


def fresh_generator():
    @jax.jit
    def step(x):
        return x + np.random.default_rng(0).normal()

    return step(0.0)


# Iterators.


@jax.jit
def _numbered(x):
    return x + next(itertools.count())


def numbered():
    return _numbered(0)


def waiting():
    step = jax.jit(lambda x: x + next(iter(range(3))))
    return step(0)


def generator_of_the_case():
    numbers = (n * n for n in range(100))

    @jax.jit
    def step(x):
        for n in (n * n for n in range(100)):
            return x + n

    return step(0)


def generator_with_a_state():
    @jax.jit
    def step(x):
        turn = len("a")
        return x + turn

    return step(0)


# Innocents: effects outside of the trace.


def host_loop():
    step = jax.jit(lambda x: x + 1)
    x = jnp.zeros(())
    for _ in range(3):
        x = step(x)
        SEEN.append(x)
        TABLE[len(TABLE)] = next(NUMBERS)
        x = x + random.random() + np.random.normal()
        print("turn", perf_counter() - START)
    return x


def plain_function():
    def f(x):
        SEEN.append(x)
        return x + random.random()

    return f(1.0), f(2.0)


# Innocents: objects of the trace itself.


@jax.jit
def _local_containers(x):
    rows, table, steps = [], {}, types.SimpleNamespace(n=0)
    for i in range(3):
        rows.append(x * i)
        table[i] = rows[-1]
        steps.n += 1
    buffer = np.zeros(3)
    buffer[1] = 2.0
    _fill(rows, x)
    return jnp.stack(rows) + sum(table.values()) + steps.n, buffer


def _fill(rows, x):
    rows.append(x)


def local_containers():
    return _local_containers(1.0)


def local_object():
    class Tally:
        def __init__(self):
            self.total = 0.0

        def add(self, value):
            self.total = self.total + value

    @jax.jit
    def step(x):
        tally = Tally()
        tally.add(x)
        tally.add(x)
        return tally.total

    return step(1.0)


def carry_in_a_dictionary():
    def body(carry, x):
        carry["n"] = carry["n"] + 1
        carry["sum"] = carry["sum"] + x
        return carry, x

    return lax.scan(body, {"n": 0, "sum": 0.0}, jnp.ones(3))


# Innocents: what happens once in plain Python too.


@functools.lru_cache
def _table(n):
    return np.arange(n)


@jax.jit
def _with_table(x):
    return x + _table(3)


def cached_table():
    return _with_table(jnp.ones(3))


class Lazy:
    def __init__(self):
        self.weights = None

    def get(self):
        if self.weights is None:
            self.weights = np.ones(3)
        return self.weights


LAZY = Lazy()


@jax.jit
def _lazily(x):
    return x + LAZY.get()


def lazy_attribute():
    return _lazily(jnp.ones(3)), _lazily(jnp.zeros(3))


# Innocents: libraries that keep their own books.


class Block(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        count = self.variable("state", "count", lambda: jnp.zeros(()))
        count.value += 1
        return nn.Dense(self.features)(x)


def linen_variables():
    model = Block(2)
    variables = model.init(jax.random.key(0), jnp.ones((1, 2)))
    return jax.jit(partial(model.apply, mutable=["state"]))(variables, jnp.ones((1, 2)))


class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.count.value = self.count.value + 1
        return x


@nnx.jit
def _counter_step(counter, x):
    return counter(x)


def nnx_state():
    counter = Counter()
    return _counter_step(counter, 1.0), _counter_step(counter, 2.0), counter.count.value


def optimizer():
    tx = optax.sgd(0.1)
    params = {"w": jnp.ones(2)}
    state = tx.init(params)

    @jax.jit
    def step(params, state):
        grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state

    return step(params, state)


# Innocents: callbacks.


@jax.jit
def _told(x):
    def tell(v):
        SEEN.append(float(v))
        print("x", v, perf_counter())

    jax.debug.callback(tell, x)
    jax.debug.print("x {}", x)
    return x


def told():
    return _told(1.0), _told(2.0)


def told_in_scan():
    def body(carry, x):
        io_callback(lambda v: TABLE.update({len(TABLE): float(v)}), None, x, ordered=True)
        return carry + x, None

    return lax.scan(body, 0.0, jnp.arange(3.0))


def told_in_vmap():
    def one(x):
        jax.debug.callback(lambda v: SEEN.append(float(v)), x)
        return x * 2

    return jax.jit(jax.vmap(one))(jnp.arange(3.0))
