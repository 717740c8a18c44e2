"""Keys that go on after they were used up; the twin of each function stands in `good.py`."""

import jax
import jax.random as jr
from jax import lax


def _handed_back(key):
    x = jr.normal(key)  # JAX103 key_goes_on: `key` is returned as it came
    return x, key


def handed_back():
    x, key = _handed_back(jr.key(0))
    return x + jr.uniform(key)


@jax.jit
def _wrong_half(key):
    key, sub = jr.split(key)
    return jr.normal(key), key  # JAX103 key_goes_on: the key that goes on is drawn from


def wrong_half():
    x, key = _wrong_half(jr.key(1))
    y, key = _wrong_half(key)
    return x + y


def carried():
    def body(key, x):
        return key, x + jr.normal(key)  # JAX103 key_goes_on: the carry is drawn from

    return lax.scan(body, jr.key(2), jr.normal(jr.key(3), (3,)))[1]


class _Agent:
    def __init__(self, seed):
        self.key = jr.key(seed)

    def act(self):
        return jr.normal(self.key)  # JAX103 key_goes_on: nothing writes the key back


def attribute():
    agent = _Agent(0)
    first = agent.act()
    return first + agent.act()


def kept_in_a_dict():
    state, found = {"rng": jr.key(5)}, []
    for _ in range(2):
        key, sub = jr.split(state["rng"])
        found.append(jr.normal(key))  # JAX103 key_goes_on: the half that is kept is drawn from
        state["rng"] = key
    return found
