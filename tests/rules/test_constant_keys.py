"""Functions that make their key of a constant and are called again: what JAX104 says.

A mark `# same` stands on the line where the key is made that all calls draw from.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

HEAD = """\
import functools, jax, jax.numpy as jnp, numpy as np
from jax import lax, random as jr
"""
NOISE = """
def noise(x):
    return x + jr.normal(jr.key(0), x.shape)  # same
"""
QUIET = NOISE.replace("  # same", "")
SEEDED = """
def noise(x, seed):
    return x + jr.normal(jr.key(seed), x.shape)
"""

AGAIN: dict[str, str] = {
    "two calls": NOISE
    + """
def f(x):
    return noise(x) + noise(x + 1)
""",
    "through a helper": NOISE
    + """
def outer(x):
    return noise(x) * 2
def f(x):
    return outer(x) + outer(x + 1)
""",
    "two helpers": NOISE
    + """
def one(x):
    return noise(x) * 2
def two(x):
    return noise(x) * 3
def f(x):
    return one(x) + two(x)
""",
    "a loop": NOISE
    + """
def f(xs):
    out = []
    for x in xs:
        out.append(noise(x))
    return out
""",
    "a while loop": NOISE
    + """
def f(x):
    i = 0
    while i < 10:
        x = noise(x)
        i += 1
    return x
""",
    "a comprehension": NOISE
    + """
def f(xs):
    return [noise(x) for x in xs]
""",
    "map": NOISE
    + """
def f(xs):
    return list(map(noise, xs))
""",
    "leaves": NOISE
    + """
def f(params):
    return jax.tree.map(noise, params)
""",
    "lanes": NOISE
    + """
def f(xs):
    return jax.vmap(noise)(xs)
""",
    "gradients": NOISE
    + """
def loss(w, x):
    return jnp.sum(noise(w * x))
def f(w, xs):
    for x in xs:
        w = w - jax.grad(loss)(w, x)
    return w
""",
    "a method": """
class Noise:
    def draw(self, x):
        return x * jr.bernoulli(jr.PRNGKey(1), 0.5, x.shape)  # same
def f(x):
    noise = Noise()
    return noise.draw(x) + noise.draw(2 * x)
""",
    "a callable object": """
class Drop:
    def __call__(self, x):
        return jnp.where(jr.bernoulli(jr.key(2), 0.9, x.shape), x, 0)  # same
def f(x):
    drop = Drop()
    x = drop(x)
    return drop(x)
""",
    "a closure": """
def f(x):
    def noise(y):
        return y + jr.normal(jr.key(3), y.shape)  # same
    return noise(x), noise(2 * x)
""",
    "a partial": """
noise = functools.partial(lambda scale, x: x + scale * jr.normal(jr.key(4), x.shape), 0.1)  # same
def f(x):
    return noise(x) + noise(x * 2)
""",
    "a constant of the module, split": """
SEED = 5
def noise(x):
    one, two = jr.split(jr.PRNGKey(SEED))  # same
    return x * jr.uniform(one, x.shape) + jr.normal(two, x.shape)
def f(x):
    return noise(noise(x))
""",
    "folded with a constant": """
def noise(x, step):
    return x + jr.normal(jr.fold_in(jr.key(6), 3), x.shape)  # same
def f(x):
    return noise(x, 0) + noise(x, 1)
""",
    "folded with the numbers of a loop": """
def noise(x):
    for i in range(3):
        x = x + jr.normal(jr.fold_in(jr.key(7), i), x.shape)  # same
    return x
def f(x):
    return noise(x) + noise(x + 1)
""",
    "one list of seeds": """
def noise(x):
    return x + sum([jr.normal(jr.key(8 + i), x.shape) for i in range(3)])  # same
def f(x):
    return noise(x) + noise(x + 1)
""",
    "a seed passed in a loop": SEEDED.replace("shape)", "shape)  # same")
    + """
def f(xs):
    return [noise(x, 42) for x in xs]
""",
    "a seed passed by a function that is called twice": SEEDED.replace("shape)", "shape)  # same")
    + """
def outer(x):
    return noise(x, 9)
def f(x):
    return outer(x) + outer(x + 1)
""",
    "rematerialised": NOISE.replace("def", "@jax.checkpoint\ndef")
    + """
def f(x):
    for _ in range(4):
        x = noise(x)
    return x
""",
}

INNOCENT: dict[str, str] = {
    "called once": QUIET
    + """
def f(x):
    return noise(x)
""",
    "exclusive arms": QUIET
    + """
def f(x, flag):
    if flag:
        return noise(x)
    return noise(x * 2)
""",
    "for their shapes": QUIET
    + """
def f(x):
    return jnp.zeros(noise(x).shape) + jnp.ones(noise(2 * x).shape), jax.eval_shape(noise, x), jax.eval_shape(noise, x)
""",
    "one is overwritten": QUIET
    + """
def f(x):
    y = noise(x)
    y = noise(x)
    return y
""",
    "what is timed": QUIET
    + """
def f(x):
    for _ in range(10):
        noise(x).block_until_ready()
""",
    "by nobody together": QUIET
    + """
def f(x):
    return noise(x)
def g(x):
    return noise(x + 1)
""",
    "an initializer": QUIET.replace("noise", "init_params")
    + """
def f(x):
    return init_params(x), init_params(2 * x)
""",
    "data": QUIET.replace("noise", "make_batch")
    + """
def f(x):
    return make_batch(x), make_batch(2 * x)
""",
    "an evaluation": QUIET.replace("noise", "evaluate")
    + """
def f(xs):
    return [evaluate(x) for x in xs]
""",
    "an evaluation of something": QUIET
    + """
def evaluate(xs):
    return [noise(x) for x in xs]
""",
    "memoised": QUIET.replace("def", "@functools.lru_cache\ndef")
    + """
def f(x):
    return noise(x) + noise(x + 1)
""",
    "an aligned shuffle": """
def shuffled(x):
    return jr.permutation(jr.key(0), x)
def f(x, y):
    return shuffled(x), shuffled(y)
""",
    "seeds": SEEDED
    + """
def f(x):
    return noise(x, 1) + noise(x, 2)
""",
    "the seed that the calls name": SEEDED
    + """
def f(x):
    return noise(x, 1) + noise(x + 1, 1)
""",
    "the seed by default": SEEDED.replace("seed)", "seed=0)", 1)
    + """
def f(xs):
    return [noise(x) for x in xs]
""",
    "seeds of a loop": SEEDED
    + """
def f(xs):
    return [noise(x, i) for i, x in enumerate(xs)]
""",
    "one list of seeds for each setting": """
def f(x):
    for scale in (0.1, 0.2):
        for seed in range(3):
            print(scale * jr.normal(jr.key(seed), x.shape))
""",
    "a seed passed for each setting": SEEDED
    + """
def f(x):
    for scale in (0.1, 0.2):
        for seed in range(3):
            print(noise(scale * x, seed))
""",
    "a step folded in": """
def noise(x, step):
    return x + jr.normal(jr.fold_in(jr.key(0), step), x.shape)
def f(x):
    for step in range(10):
        x = noise(x, step)
    return x
""",
    "an item of its keys": """
def noise(x, i):
    return x + jr.normal(jr.split(jr.key(0), 8)[i], x.shape)
def f(x):
    return noise(x, 0) + noise(x, 1)
""",
    "on a path not taken": """
def noise(x, key=None):
    if isinstance(key, jax.Array):
        return x + jr.normal(key, x.shape)
    return x + jr.normal(jr.key(0), x.shape)
def f(x):
    one, two = jr.split(jr.key(1))
    return noise(x, one) + noise(x, two)
""",
    "a state that moves on": """
class Source:
    def __init__(self):
        self.key = jr.key(0)
    def next(self):
        self.key, sub = jr.split(self.key)
        return jr.normal(sub)
def f():
    source = Source()
    return source.next() + source.next()
""",
}


def said(text: str) -> list[int]:
    report = lint(SourceFile("/nowhere/fixture.py", text), Config(strict=True, no_store=True))
    return sorted({finding.span.line for finding in report.diagnostics if finding.code.startswith("JAX1")})


@pytest.mark.parametrize("text", AGAIN.values(), ids=AGAIN)
def test_what_calls_draw_again_is_reported(text: str) -> None:
    text = HEAD + dedent(text)
    assert said(text) == [line for line, words in enumerate(text.splitlines(), 1) if words.endswith("# same")]


@pytest.mark.parametrize("text", INNOCENT.values(), ids=INNOCENT)
def test_what_does_no_harm_is_silent(text: str) -> None:
    assert said(HEAD + dedent(text)) == []
