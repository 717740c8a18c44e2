"""The same loops, when everything is compiled."""

import time
from datetime import datetime
from time import perf_counter

import jax
import jax.numpy as jnp

X = jnp.ones((3, 3))


def waited_in_each_turn():
    step = jax.jit(lambda x: x @ x)
    step(X)
    start = time.perf_counter()
    for _ in range(3):
        step(X).block_until_ready()
    return (time.perf_counter() - start) / 3


def waited_at_the_end():
    step = jax.jit(lambda x: x + 1)
    step(X)
    start = time.time()
    for _ in range(3):
        y = step(X)
    y.block_until_ready()
    return time.time() - start


def moment():
    step = jax.jit(lambda x: x + 2)
    step(X)
    start = datetime.now()
    for _ in range(3):
        y = step(X)
    return y, datetime.now() - start


def other_name():
    step = jax.jit(lambda x: x + 3)
    step(X)
    start = perf_counter()
    for _ in range(3):
        y = step(X)
    return y, perf_counter() - start


def comprehension():
    step = jax.jit(lambda x: x + 4)
    step(X)
    start = time.monotonic()
    y = [step(X) for _ in range(3)]
    return y, time.monotonic() - start


def one_call():
    step = jax.jit(lambda x: x + 5)
    start = time.time()
    y = step(X)
    return y, time.time() - start
