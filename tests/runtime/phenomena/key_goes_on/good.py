"""Keys that go on unused; the twins of `bad.py`, and an innocent."""

import jax
import jax.random as jr
from jax import lax


def _handed_back(key):
    key, sub = jr.split(key)
    x = jr.normal(sub)
    return x, key


def handed_back():
    x, key = _handed_back(jr.key(0))
    return x + jr.uniform(key)


@jax.jit
def _wrong_half(key):
    key, sub = jr.split(key)
    return jr.normal(sub), key


def wrong_half():
    x, key = _wrong_half(jr.key(1))
    y, key = _wrong_half(key)
    return x + y


def carried():
    def body(key, x):
        key, sub = jr.split(key)
        return key, x + jr.normal(sub)

    return lax.scan(body, jr.key(2), jr.normal(jr.key(3), (3,)))[1]


class _Agent:
    def __init__(self, seed):
        self.key = jr.key(seed)

    def act(self):
        self.key, sub = jr.split(self.key)
        return jr.normal(sub)


def attribute():
    agent = _Agent(0)
    first = agent.act()
    return first + agent.act()


def kept_in_a_dict():
    state, found = {"rng": jr.key(5)}, []
    for _ in range(2):
        key, sub = jr.split(state["rng"])
        found.append(jr.normal(sub))
        state["rng"] = key
    return found


def unused_again():
    key, x = jr.key(4), 0.0
    for _ in range(2):
        key, sub = jr.split(key)
        x = x + jr.normal(sub)
    return x + jr.normal(key)


def in_one_branch_of_some_lanes():
    def noisy(key):
        return jr.normal(key) + jr.uniform(jr.fold_in(key, 1))

    def one(flag, key):
        return lax.cond(flag, noisy, jr.normal, key)

    return jax.vmap(one)(jax.numpy.array([True, False]), jr.split(jr.key(0)))
