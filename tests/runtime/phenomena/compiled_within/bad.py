"""Loops that are timed with the compilation of their first turn."""

import time
from datetime import datetime
from time import perf_counter

import jax
import jax.numpy as jnp

X = jnp.ones((3, 3))


def waited_in_each_turn():
    step = jax.jit(lambda x: x @ x)
    start = time.perf_counter()  # JAX702 compiled_within: `step` compiles
    for _ in range(3):
        step(X).block_until_ready()
    return (time.perf_counter() - start) / 3


def waited_at_the_end():
    step = jax.jit(lambda x: x + 1)
    start = time.time()  # JAX702 compiled_within: `step` compiles
    for _ in range(3):
        y = step(X)
    y.block_until_ready()
    return time.time() - start


def moment():
    step = jax.jit(lambda x: x + 2)
    start = datetime.now()  # JAX702 compiled_within: `step` compiles
    for _ in range(3):
        y = step(X)
    return y, datetime.now() - start


def other_name():
    step = jax.jit(lambda x: x + 3)
    start = perf_counter()  # JAX702 compiled_within: `step` compiles
    for _ in range(3):
        y = step(X)
    return y, perf_counter() - start


def comprehension():
    step = jax.jit(lambda x: x + 4)
    start = time.monotonic()  # JAX702 compiled_within: `step` compiles
    y = [step(X) for _ in range(3)]
    return y, time.monotonic() - start
