"""The same clocks, when the work is done."""

import time
import timeit
from datetime import datetime

import jax
import jax.numpy as jnp
import numpy as np

X = jnp.ones((3, 3))


@jax.jit
def _step(x):
    return x @ x


def compiled():
    start = time.perf_counter()
    y = jax.block_until_ready(_step(X))
    return y, time.perf_counter() - start


def eager():
    start = timeit.default_timer()
    y = jax.block_until_ready(jnp.dot(X, X))
    return y, timeit.default_timer() - start


def product():
    start = datetime.now()
    y = jax.block_until_ready(X @ X)
    return y, datetime.now() - start


def other():
    start = time.time()
    before = _step(X).block_until_ready()
    y = jax.block_until_ready(_step(before))
    return y, time.time() - start


def looped():
    y, start = X, time.monotonic()
    for _ in range(3):
        y = jax.block_until_ready(_step(y))
    return y, time.monotonic() - start


def repeated():
    return timeit.timeit(lambda: _step(X).block_until_ready(), number=2)


def converted():
    start = time.time()
    y = float(_step(X).sum())
    return y, time.time() - start


def read_by_numpy():
    start = time.time()
    y = np.asarray(_step(X))
    return y, time.time() - start


def tree():
    start = time.time()
    y = jax.tree.map(jax.block_until_ready, [_step(X), X @ X])
    return y, time.time() - start


def shown():
    start = time.time()
    text = f"{_step(X)} {X @ X}"
    return text, time.time() - start
