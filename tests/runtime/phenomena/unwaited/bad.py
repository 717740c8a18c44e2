"""Clocks that are read while work is under way."""

import time
import timeit
from datetime import datetime

import jax
import jax.numpy as jnp

X = jnp.ones((3, 3))


@jax.jit
def _step(x):
    return x @ x


def compiled():
    start = time.perf_counter()
    y = _step(X)  # JAX702 unwaited: nothing waits for `y`
    return y, time.perf_counter() - start


def eager():
    start = timeit.default_timer()
    y = jnp.dot(X, X)  # JAX702 unwaited: nothing waits for `y`
    return y, timeit.default_timer() - start


def product():
    start = datetime.now()
    y = X @ X  # JAX702 unwaited: nothing waits for `y`
    return y, datetime.now() - start


def other():
    start = time.time()
    before = _step(X).block_until_ready()
    y = _step(before)  # JAX702 unwaited: what is waited for is another result
    return y, time.time() - start


def looped():
    y, start = X, time.monotonic()
    for _ in range(3):
        y = _step(y)  # JAX702 unwaited: nothing waits for the last `y`
    return y, time.monotonic() - start


def repeated():
    return timeit.timeit(lambda: _step(X), number=2)  # JAX702 unwaited: nothing waits for it
