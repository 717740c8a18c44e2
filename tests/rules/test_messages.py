"""The sentences of messages: the reason with at most one call, then what to write instead; the chain as notes."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.source import SourceFile
from tests.support.expectations import ALL, PAIRS, lint_fixture, lint_text

HEAD = "import functools\nimport math\nimport jax\nimport jax.numpy as jnp\nfrom jax import lax, random\n"
LONGEST = 300


class Said(NamedTuple):
    """One finding: its line and column in what follows the imports, its end, its notes."""

    place: str
    instead: str
    notes: tuple[str, ...]


def said(text: str, head: str = HEAD, code: str = "JAX") -> list[Said]:
    """What is said of a text below some imports, under a code."""
    first = head.count("\n")

    def shown(found: Diagnostic) -> Said:
        notes = tuple(f"{note.line - first}: {note.text}" for note in found.notes)
        words, places = found.message.partition("; ")[2], r"(?<= line )\d+|(?<= lines )\d+(?= and)|(?<=\d and )\d+$"
        instead = re.sub(places, lambda line: str(int(line[0]) - first), words)
        return Said(f"{found.span.line - first}:{found.span.column}", instead, notes)

    return [shown(diagnostic) for diagnostic in lint_text(head + text) if diagnostic.code.startswith(code)]


KEYS = {
    "two uses on one line": (
        "def f(key):\n    return random.normal(key), random.uniform(key)\n",
        "before line 2 write `key, sub = random.split(key)`, and pass `sub` to the first",
    ),
    "a name": (
        "def f(key):\n    a = random.normal(key)\n    return a + random.normal(key)\n",
        "before line 2 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
    "a name for the new key that is free": (
        "def f(key, sub):\n    a = random.normal(key)\n    return a + random.normal(key) + sub\n",
        "before line 2 write `key, subkey = random.split(key)`, and pass `subkey` there",
    ),
    "a name of the module": (
        "KEY = random.key(0)\ndef f():\n    a = random.normal(KEY)\n    return a + random.normal(KEY)\n",
        "before line 3 write `sub, subkey = random.split(KEY)`, and pass `sub` on line 3, `subkey` on line 4",
    ),
    "a field": (
        "def f(state):\n    a = random.normal(state.rng)\n    return a + random.normal(state.rng)\n",
        "before line 2 write `sub, subkey = random.split(state.rng)`, and pass `sub` on line 2, `subkey` on line 3",
    ),
    "a field of an object that can be assigned to": (
        (
            "class C:\n    def __init__(self):\n        self.key = random.key(0)\n\n    def f(self):\n"
            "        a = random.normal(self.key)\n        return a + random.normal(self.key)\n"
        ),
        (
            "before line 6 write `self.key, sub, subkey = random.split(self.key, 3)`, "
            "and pass `sub` on line 6, `subkey` on line 7"
        ),
    ),
    "a copy, which starts alike": (
        (
            "def g(key):\n    return random.normal(key)\ndef f(key):\n    w = g(key)\n    target_w = g(key)\n"
            "    return w, target_w, random.normal(key)\n"
        ),
        "before line 4 write `key, sub = random.split(key)`, and pass `sub` on lines 4 and 5",
    ),
    "no copy, by its name": (
        (
            "def g(key):\n    return random.normal(key)\ndef f(key):\n    target_w = g(key)\n"
            "    return target_w, random.normal(key)\n"
        ),
        "before line 4 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
    "an entry": (
        "def f(keys):\n    a = random.normal(keys['a'])\n    return a + random.normal(keys['a'])\n",
        "before line 2 write `sub, subkey = random.split(keys['a'])`, and pass `sub` on line 2, `subkey` on line 3",
    ),
    "one that may be None, for each element": (
        (
            "def g(x, key=None):\n    return x if key is None else x + random.normal(key)\n"
            "def f(xs, key=None):\n    return [g(x, key) + g(x, key) for x in xs]\n"
        ),
        "split it before line 4, with `random.split`, and give each use a key of its own, where it is not None",
    ),
    "one that may be None": (
        (
            "def g(x, key=None):\n    return x if key is None else x + random.normal(key)\n"
            "def f(x, key=None):\n    x = g(x, key)\n    return g(x, key)\n"
        ),
        "before line 4 write `key, sub = random.split(key) if key is not None else (None, None)`, and pass `sub` there",
    ),
    "keys in an array, each for two uses": (
        ("def f(key, n):\n    keys = random.split(key, n)\n    a = jax.vmap(random.normal)(keys)\n"
        "    return a + jax.vmap(random.uniform)(keys)\n"),
        ("split each of these keys before line 3, with `jax.vmap(random.split)`, "
        "and give each use a column of what that returns"),
    ),
    "one key for all lanes, beside another use": (
        ("def f(key, xs, g):\n    a = random.normal(key)\n"
        "    return a + jax.vmap(g, in_axes=(None, 0))(key, xs)\n"),
        "before line 2 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
    "keys that two comprehensions go through": (
        ("def f(key, n):\n    keys = random.split(key, n)\n    a = [random.normal(k) for k in keys]\n"
        "    return a, [random.uniform(k) for k in keys]\n"),
        ("split each of these keys before line 3, with `jax.vmap(random.split)`, "
        "and give each use a column of what that returns"),
    ),
    "the key of a turn that is counted": (
        ("def f(keys, xs):\n    def step(i, c):\n        key, x = keys[i], xs[i]\n"
        "        c = c + x * random.normal(key)\n        return c + random.uniform(key)\n"
        "    return lax.fori_loop(0, 3, step, 0.0)\n"),
        "before line 4 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
    "keys that a loop goes through after another use": (
        ("def f(key, n):\n    keys = random.split(key, n)\n    a = jax.vmap(random.normal)(keys)\n"
        "    return a, lax.scan(lambda c, k: (c + random.normal(k), None), 0.0, keys)\n"),
        ("split each of these keys before line 3, with `jax.vmap(random.split)`, "
        "and give each use a column of what that returns"),
    ),
    "the key of a turn": (
        "def f(keys):\n    return [random.normal(k) + random.uniform(k) for k in keys]\n",
        "split it before line 2, with `random.split`, and give each use a key of its own",
    ),
    "captured by what is called beside another use": (
        ("def f(key, x):\n    def g(x):\n        return x + random.normal(key)\n    y = random.normal(key, x.shape)\n"
        "    return g(x + y)\n"),
        "before line 4 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
    "captured": (
        "def f(key):\n    def g():\n        return random.normal(key)\n    return g() + g()\n",
        "give each call of `g` a new key, in its arguments",
    ),
    "bound": (
        "def f(key):\n    g = functools.partial(random.normal, key)\n    return g() + g()\n",
        "leave the key out where `g` is made, and give each call a new one",
    ),
    "a part of the split that nothing reads": (
        "def f(key):\n    first, last = random.split(key)\n    return random.normal(key) + random.normal(last)\n",
        "use `first` here",
    ),
    "of the module, drawn from by a method": (
        ("KEY = random.key(0)\nclass C:\n    def run(self):\n        return random.normal(KEY)\n"
        "def f():\n    y = random.uniform(KEY)\n    e = C()\n    return y + e.run()\n"),
        "give each call of `e.run` a new key, in its arguments",
    ),
    "the parameter of a lambda": (
        "f = lambda key: random.normal(key) + random.uniform(key)\n",
        "write a function in place of the lambda, which splits `key` first, with `random.split`",
    ),
    "in a lambda": (
        "def f(key, xs):\n    g = lambda x: random.normal(key) + random.uniform(key)\n    return g(xs)\n",
        "split it first, with `random.split`, and give each use a key of its own",
    ),
    "on the line of its function": (
        "def f(key): return random.normal(key) + random.uniform(key)\n",
        "split it first, with `random.split`, and give each use a key of its own",
    ),
    "what may be a key for each device": (
        ("def g(rngs, x):\n    return jax.vmap(lambda k: random.normal(k))(rngs) + x\n"
        "def f(rngs, x):\n    y = g(rngs, x)\n    return g(rngs, y)\n"),
        "make new keys of it before line 4, and give each use its own",
    ),
    "what is one key by its use": (
        "def f(rngs):\n    return random.normal(rngs), random.uniform(rngs)\n",
        "split it before line 2, with `random.split`, and give each use a key of its own",
    ),
    "two statements on one line": (
        "def f(key):\n    a = random.normal(key); b = random.normal(key)\n    return a, b\n",
        "before line 2 write `key, sub = random.split(key)`, and pass `sub` to the first",
    ),
    "may be None by its annotation": (
        ("def noisy(key, x):\n    return x + random.normal(key)\n"
        "def f(key: jax.Array | None, x):\n    return noisy(key, x), noisy(key, x + 1)\n"),
        ("before line 4 write `key, sub = random.split(key) if key is not None else (None, None)`, "
        "and pass `sub` to the first"),
    ),
    "may be None, as the function that gets it asks": (
        ("def drop(x, rng):\n    return x if rng is None else x * random.bernoulli(rng, 0.5, x.shape)\n"
        "def f(x, rng):\n    x = drop(x, rng)\n    return drop(x + 1, rng)\n"),
        ("before line 4 write `rng, sub = random.split(rng) if rng is not None else (None, None)`, "
        "and pass `sub` there"),
    ),
    "saved between two uses": (
        ("import runs\ndef f(key):\n    a = random.normal(key)\n    runs.save(a, key)\n"
        "    return a + random.normal(key)\n"),
        "before line 3 write `key, sub, subkey = random.split(key, 3)`, and pass `sub` on line 3, `subkey` on line 5",
    ),
    "kept in a list between two uses": (
        ("def f(key):\n    a, kept = random.normal(key), []\n    kept.append(key)\n"
        "    return a + random.normal(key), kept\n"),
        "before line 2 write `key, sub, subkey = random.split(key, 3)`, and pass `sub` on line 2, `subkey` on line 4",
    ),
    "given to a function whose name says little of what it draws": (
        ("def with_noise(key, x):\n    return x + random.normal(key)\n"
        "def f(key, x):\n    x = with_noise(key, x)\n    return with_noise(key, x)\n"),
        "before line 4 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
    "given to a function of the file by the name of one that keeps it": (
        ("def restore(key, x):\n    return x + random.normal(key)\n"
        "def f(key, x):\n    x = restore(key, x)\n    return x + random.normal(key)\n"),
        "before line 4 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
    "given to a function that asks about something else": (
        ("def drop(x, rng, p):\n    return x if p is None else x * random.bernoulli(rng, 0.5, x.shape)\n"
        "def f(x, rng):\n    x = drop(x, rng, 1)\n    return drop(x + 1, rng, 1)\n"),
        "before line 4 write `rng, sub = random.split(rng)`, and pass `sub` there",
    ),
    "no part of the split that nothing reads": (
        "def f(key):\n    first, last = random.split(key)\n    return random.normal(key), last, first\n",
        "before line 2 write `key, sub = random.split(key)`, and pass `sub` there",
    ),
}


@pytest.mark.parametrize(("text", "instead"), KEYS.values(), ids=KEYS)
def test_a_reused_key_is_split_in_the_users_names(text: str, instead: str) -> None:
    assert [one.instead for one in said(text, code="JAX101")] == [instead]


def test_of_two_uses_on_one_line_the_first_gets_the_new_key() -> None:
    text = "def f(key, x):\n    if x.ndim > 2:\n        return random.normal(key), random.uniform(key)\n"
    text += "    elif x.ndim > 1:\n        return random.normal(key)\n"
    (found,) = (one for one in lint_text("from jax import random\n" + text) if one.code == "JAX101")
    assert found.message.endswith("and pass `sub` on lines 4 (the first use there) and 6")


def test_a_key_that_may_be_none_is_split_where_it_is_not() -> None:
    text = "def f(n, key=None):\n    a = random.permutation(key, n) if n > 3 else jnp.arange(n)\n"
    text += "    if key is not None:\n"
    words = "split it before line 2, with `random.split`, and give each use a key of its own, where it is not None"
    found = said(text + 9 * "        a = a + random.normal(key)\n" + "    return a\n", code="JAX101")
    assert {one.instead for one in found} == {words}


MANY_TIMES = {
    "for lanes alone": (
        "def f(key, xs):\n    return jax.vmap(lambda x: x * random.normal(key))(xs)\n",
        ["split it before, with `random.split`, into one key for each batch element, and map over the keys, too"],
    ),
    "for lanes below a lambda that has a key of its own": (
        "def f(key, x):\n    a = random.normal(key)\n    g = lambda key: jax.vmap(lambda y: random.bits(key))(x)\n",
        ["split it before, with `random.split`, into one key for each batch element, and map over the keys, too"],
    ),
    "for lanes that may do without": (
        "def f(xs, key=None):\n    return jax.vmap(lambda x: x * random.normal(key))(xs)\n",
        [
            ("split it before, with `random.split`, into one key for each batch element, and map over the keys, too, "
            "where it is not None")
        ],
    ),
    "for lanes, and split afterwards": (
        (
            "def f(key, xs):\n    def g(x):\n        return x * random.normal(key)\n    a = jax.vmap(g)(xs)\n"
            "    return a, jax.vmap(random.normal)(random.split(key, 3))\n"
        ),
        [
            ("before line 3 split off a key for this, since line 5 uses it, too: split that, with `random.split`, into "
            "one key for each batch element, and map over the keys, too"),
            "split it before line 4, with `random.split`, and give each use a key of its own",
        ],
    ),
    "for lanes, before it is bound anew": (
        (
            "def f(key, xs):\n    key, sub = random.split(key)\n"
            "    a = jax.vmap(lambda x: x * random.normal(sub))(xs)\n"
            "    key, sub = random.split(key)\n    return a, random.normal(sub), key\n"
        ),
        ["split it before, with `random.split`, into one key for each batch element, and map over the keys, too"],
    ),
    "in turns that are counted": (
        "def f(key, x):\n    return lax.fori_loop(0, 5, lambda i, x: x + random.normal(key), x)\n",
        ["pass `random.fold_in(key, i)`"],
    ),
    "in turns that are counted, and split before": (
        (
            "def f(key, x):\n    x = x + random.normal(random.split(key)[0])\n"
            "    return lax.fori_loop(0, 5, lambda i, x: x + random.normal(key), x)\n"
        ),
        [
            ("before line 2 write `key, sub, subkey = random.split(key, 3)`, and pass `sub` on line 2, "
            "`subkey` on line 3"),
            ("before line 2 split off a key for this, since line 2 uses it, too: fold the counter into that, with "
            "`random.fold_in`"),
        ],
    ),
    "keys in an array": (
        (
            "def f(key, n):\n    keys, found = random.split(key, n), []\n    for _ in range(3):\n"
            "        found.append(jax.vmap(random.normal)(keys))\n    return found\n"
        ),
        ["make new keys in each iteration, with `random.split`, of one key that is split there, too"],
    ),
    "derived by the counter of one of two loops": (
        (
            "def f(key, n):\n    found = []\n    for epoch in range(n):\n        for i in range(3):\n"
            "            found.append(random.normal(random.fold_in(key, i)))\n    return found\n"
        ),
        ["use `random.fold_in(random.fold_in(key, epoch), i)`"],
    ),
    "derived by a counter in turns without one": (
        (
            "def f(key, n):\n    found = []\n    while n > 0:\n        n -= 1\n        for i in range(3):\n"
            "            found.append(random.normal(random.fold_in(key, i)))\n    return found\n"
        ),
        ["fold in what tells the iterations of the loop around apart, too: `i` takes the same values in each"],
    ),
    "one that may be None, bound for all batch elements": (
        (
            "def g(x, key=None):\n    return x if key is None else x + random.normal(key, x.shape)\n"
            "def f(xs, key=None):\n    return jax.vmap(functools.partial(g, key=key))(xs)\n"
        ),
        [
            (
                "split it before, with `random.split`, into one key for each batch element, and map over the keys, "
                "too, where it is not None"
            )
        ],
    ),
    "split in each turn for one part": (
        ("def f(key, n):\n    found = []\n    for _ in range(n):\n        sub = random.split(key)[0]\n"
        "        found.append(random.normal(sub))\n    return found\n"),
        ["use `key, sub = random.split(key)`"],
    ),
    "split in each turn for one part of several": (
        ("def f(key, n):\n    found = []\n    for _ in range(n):\n        sub = random.split(key, 3)[0]\n"
        "        found.append(random.normal(sub))\n    return found\n"),
        ["before line 4 write `key, subkey = random.split(key)`, and pass `subkey` there"],
    ),
    "bound in a partial function": (
        ("def f(key, n):\n    g, found = functools.partial(random.normal, key), []\n    for _ in range(n):\n"
        "        found.append(g())\n    return found\n"),
        ["leave the key out where `g` is made, and give each call a new one"],
    ),
    "derived by a constant": (
        (
            "def f(key, n):\n    found = []\n    for i in range(n):\n"
            "        found.append(random.normal(random.fold_in(key, 7)))\n    return found\n"
        ),
        ["use `random.fold_in(key, i)`"],
    ),
}


@pytest.mark.parametrize(("text", "instead"), MANY_TIMES.values(), ids=MANY_TIMES)
def test_a_key_that_is_used_many_times_is_told_apart(text: str, instead: list[str]) -> None:
    assert [one.instead for one in said(text, code="JAX10")] == instead


WRONG_HALVES = {
    "one use": ("random.normal(key, (3,))", "use `sub` here"),
    "two uses": (
        "(random.normal(key, (3,)), random.uniform(key))",
        "before line 4 write `key, subkey, new_key = random.split(key, 3)`, and pass `subkey` and `new_key` there",
    ),
    "one of two": (
        "random.normal(key, (3,)) if wide else random.uniform(key, (3,))",
        "before line 4 write `key, subkey = random.split(key)`, and pass `subkey` there",
    ),
    "one by a function that captures it": (
        "jax.grad(lambda x: x * random.normal(key))(1.0)",
        "draw from `sub`, the other part of the split, in its place",
    ),
}


def test_each_further_use_gets_another_part_of_the_split() -> None:
    text = (
        "def f(key):\n    one, two, three = random.split(key, 3)\n    a = random.normal(one)\n"
        "    b = random.uniform(one)\n    c = random.gumbel(one)\n    return a, b, c\n"
    )
    assert [one.instead for one in said(text, code="JAX101")] == ["use `two` here", "use `three` here"]


@pytest.mark.parametrize(("drawn", "instead"), WRONG_HALVES.values(), ids=WRONG_HALVES)
def test_the_other_half_of_a_split_is_for_one_use(drawn: str, instead: str) -> None:
    text = (
        f"def f(key, n, wide):\n    for _ in range(n):\n        key, sub = random.split(key)\n        x = {drawn}\n"
        "        print(x)\n    return key\n"
    )
    assert said(text, code="JAX103")[0].instead == instead


NEW_KEYS = {
    "of a name in the carry": (
        ("def f(carry, _):\n    x, rng = carry\n    key, sub = random.split(rng)\n"
        "    return (x + random.normal(sub), rng), None\ndef g(c, xs):\n    return lax.scan(f, c, xs)\n"),
        "on line 4 use `key`, which `random.split` returns",
    ),
    "of a field of the carry": (
        ("def f(carry, _):\n    key, sub = random.split(carry['key'])\n"
        "    return {'key': carry['key'], 'x': carry['x'] + random.normal(sub)}, None\n"
        "def g(c, xs):\n    return lax.scan(f, c, xs)\n"),
        "on line 3 use `key`, which `random.split` returns",
    ),
    "of an attribute": (
        ("class C:\n    def __init__(self, key):\n        self.key = key\n    def draw(self):\n"
        "        _, sub = random.split(self.key)\n        return random.normal(sub)\n"),
        "bind `self.key, sub` there",
    ),
    "of a name in a loop": (
        ("def f(key, n):\n    found = []\n    for _ in range(n):\n        _, sub = random.split(key)\n"
        "        found.append(random.normal(sub))\n    return found\n"),
        "bind `key, sub` there",
    ),
    "of a name that is returned": (
        "def f(key):\n    a, sub = random.split(key)\n    return random.normal(sub), key\n",
        "bind `key, sub` there",
    ),
    "of a name of the module": (
        ("KEY = random.key(0)\ndef f(xs):\n    for x in xs:\n        _, sub = random.split(KEY)\n"
        "        print(random.normal(sub))\n"),
        "write `for x, subkey in zip(xs, random.split(KEY, len(xs)))`, and pass `subkey` there",
    ),
    "kept in an attribute, split under the name of a parameter": (
        ("class C:\n    def __init__(self, rng):\n        self.rng = rng\n        rng, sub = random.split(rng)\n"
        "        self.w = random.normal(sub) + random.normal(rng)\n"
        "    def draw(self):\n        self.rng, sub = random.split(self.rng)\n        return random.normal(sub)\n"),
        "store a new key in `self.rng`",
    ),
    "of an attribute, both of them used": (
        ("class C:\n    def __init__(self, key):\n        self.key = key\n    def draw(self):\n"
        "        a, b = random.split(self.key)\n        return random.normal(a) + random.normal(b)\n"),
        "store a new key in `self.key`",
    ),
}


@pytest.mark.parametrize(("text", "instead"), NEW_KEYS.values(), ids=NEW_KEYS)
def test_the_new_key_of_a_split_goes_on(text: str, instead: str) -> None:
    assert [one.instead for one in said(text, code="JAX103")] == [instead]


DEFAULT = """\
class Layer(equinox.Module):
    w: jax.Array
    def __init__(self, shape, rng=random.PRNGKey(0)):
        self.w = random.normal(random.split(rng)[0], shape)
"""


@pytest.mark.parametrize(
    "made",
    [
        "def f(n):\n    xs = []\n    for _ in range(n):\n        xs.append(Layer((3,)))\n    return xs\n",
        "def f(n):\n    return [Layer((3,)) for _ in range(n)]\n",
    ],
)
def test_a_key_that_is_the_default_of_a_class_is_told_there(made: str) -> None:
    assert [(one.place, one.instead) for one in said(DEFAULT + made, HEAD + "import equinox\n", "JAX10")] == [
        ("3:34", "pass a key")
    ]


OWN = """
class Env(NamedTuple):
    scale: float
    rng: jax.Array
    def noise(self, x):
        x = x + self.scale * random.normal(self.rng, x.shape)
        return x + self.scale * random.uniform(self.rng, x.shape)
    def step(self, x):
        return x * random.normal(self.rng, x.shape)
class Game:
    def __init__(self, scale):
        self.scale = scale
        self.rng = random.key(3)
    def noise(self, x):
        return x + self.scale * random.normal(self.rng, x.shape)
    def step(self, x):
        return self.noise(x)
    def start(self):
        self.rng = random.key(4)
"""


def test_a_key_that_an_object_keeps_is_passed_to_the_method_that_draws() -> None:
    run = "def run(x):\n    game = Game(0.1)\n    for _ in range(9):\n        x = game.step(x)\n    return x\n"
    found = said(OWN + run, HEAD + "from typing import NamedTuple\n", "JAX10")
    assert [one.instead for one in found] == [
        "pass a key to `noise`, and split it there, with `random.split`: `self.rng` is the same in each call",
        "split it in `noise`, with `random.split`: use one of the new keys there, and store the other",
    ]


IN_METHODS = """
{head}:
    {field}
    def draw(self, x):
        return random.normal(self.key, x.shape)

    def run(self, xs):
        return {run}
{use}
"""
STORED = "def __init__(self, key):\n        self.key = key\n"
OF_METHODS = {
    "stored by the method": (
        {"head": "class Model", "field": STORED, "run": "self.draw(xs)", "use": ""},
        "split it first, with `random.split`: use one of the new keys here, and store the other",
    ),
    "in a trace": (
        {"head": "class Model", "field": STORED, "run": "jax.vmap(self.draw)(xs)", "use": ""},
        "pass a new key to `draw` in each call: what is stored in a trace does not last",
    ),
    "of an object that is frozen": (
        {
            "head": "class Model(equinox.Module)", "field": "key: jax.Array\n", "run": "xs",
            "use": "model = Model(random.key(0))\nfor _ in range(3):\n    print(model.draw(jnp.ones(2)))",
        },
        "give each call of `draw` a new key, as an argument: `model.key` is the same in each call",
    ),
    "of an object that can be changed": (
        {
            "head": "@dataclasses.dataclass\nclass Model", "field": "key: jax.Array\n", "run": "xs",
            "use": "model = Model(random.key(0))\nfor _ in range(3):\n    print(model.draw(jnp.ones(2)))",
        },
        "split it in `draw`, with `random.split`: use one of the new keys there, and store the other",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "instead"), OF_METHODS.values(), ids=OF_METHODS)
def test_a_key_of_an_object_is_split_where_another_can_be_kept(parts: dict[str, str], instead: str) -> None:
    head = f"import dataclasses\nimport equinox\n{HEAD}"
    code = "JAX102" if parts["use"] else "JAX103"
    assert [one.instead for one in said(IN_METHODS.format(**parts), head, code)] == [instead]


def test_of_two_methods_that_draw_from_a_key_that_which_leaves_it_has_to_split_it() -> None:
    text = (
        "class Agent:\n    def __init__(self, key):\n        self.key = key\n    def act(self, x):\n"
        "        self.key, sub = random.split(self.key)\n        return random.normal(sub, x.shape)\n"
        "    def predict(self, x):\n        return random.normal(self.key, x.shape)\n"
        "def run(x):\n    agent = Agent(random.key(0))\n    y = agent.predict(x)\n    return y, agent.act(y)\n"
    )
    (found,) = said(text, code="JAX101")
    words = "use one of the new keys there, and store the other"
    assert found.instead == f"split it in `predict`, with `random.split`: {words}"


def test_a_constant_key_in_a_loop_gets_a_name_of_its_own() -> None:
    text = (
        "def f(key, n):\n    for turn in range(n):\n        key, sub = random.split(key)\n"
        "        print(random.normal(sub))\n        if turn % 10 == 0:\n{}            print(random.normal(key))\n"
    )
    (found,) = said(text.format("            key = random.key(0)\n"), code="JAX103")
    assert found.instead == "give the key of line 6 a name of its own: it takes the place of `key`"
    (found,) = said(text.format(""), code="JAX103")
    assert found.instead == "before line 6 write `key, subkey = random.split(key)`, and pass `subkey` there"


HELD = """
{head}:
    {field}
    def draw(self):
        return random.normal(random.split(self.key)[0])

def f():
    model = Model(random.key(0)){bound}
    first = random.normal(model.key)
    return first + model.draw()
"""
USED_BESIDE = {
    "of an object that can be changed": (
        {"head": "class Model", "field": STORED, "bound": "\n    model.key = random.split(model.key)[0]"},
        "before line 12 write `model.key, sub = random.split(model.key)`, and pass `sub` there",
    ),
    "of an object that is frozen": (
        {"head": "class Model(equinox.Module)", "field": "key: jax.Array\n", "bound": "\n    model = Model(model.key)"},
        (
            "split it before line 11, with `random.split`, and give each use a key of its own, "
            "which `draw` has to take"
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "instead"), USED_BESIDE.values(), ids=USED_BESIDE)
def test_a_key_of_an_object_that_is_used_beside_its_method(parts: dict[str, str], instead: str) -> None:
    found = said(HELD.format(**parts), f"import equinox\n{HEAD}", "JAX101")
    assert [one.instead for one in found] == [instead]


def test_a_key_that_a_property_draws_from_is_split_there() -> None:
    text = (
        "class Model:\n    def __init__(self, key):\n        self.key = key\n    @property\n    def noise(self):\n"
        "        return random.normal(self.key)\n    def run(self):\n        return self.noise + self.noise\n"
    )
    (found,) = said(text, code="JAX101")
    words = "use one of the new keys there, and store the other"
    assert found.instead == f"split it in `noise`, with `random.split`: {words}"


def test_a_key_that_an_object_stores_is_split_into_a_new_one_and_those_of_the_lanes() -> None:
    text = (
        "class Model:\n    def __init__(self, key):\n        self.key = key\n    def draw(self, x):\n"
        "        self.key, k = random.split(self.key)\n        return random.normal(k, x.shape)\n"
        "    def run(self, xs):\n        return jax.vmap(self.draw)(xs)\n"
    )
    (found,) = said(text, code="JAX102")
    whole = "split it before, with `random.split`, into a new `self.key` and one key for each batch element"
    assert found.instead == f"{whole}, and map over the keys, too"


COPIED = """
class Agent(flax.struct.PyTreeNode):
    rng: jax.Array
    params: jax.Array
    def act(self, x):
        sub, rng = random.split(self.rng)
        return self.replace(rng=rng), x + random.normal(sub, x.shape)
    def learn(self, x):
        sub, rng = random.split(self.rng)
        return self.replace(params=self.params - x * random.normal(sub, x.shape)), x
"""


@pytest.mark.parametrize(
    "body",
    [
        "    for x in xs:\n        agent, y = agent.learn(x)\n    return agent\n",
        "    agent, y = agent.learn(xs[0])\n    return agent.act(y)\n",
    ],
)
def test_a_copy_that_keeps_a_used_key_is_given_another(body: str) -> None:
    text = COPIED + "def run(rng, params, xs):\n    agent = Agent(rng, params)\n" + body
    assert [one.instead for one in said(text, HEAD + "import flax\n", "JAX10")] == [
        "put a new key into what `agent.learn` returns: `rng=...` in `self.replace(...)` on line 10"
    ]


@pytest.mark.parametrize(
    ("head", "split"),
    [
        ("import jax\n", "jax.random.split"),
        ("from jax import random\n", "random.split"),
        ("import jax.random as jr\n", "jr.split"),
        ("import jax\nfrom jax.random import split as halve\n", "halve"),
        ("import jax\nimport jax.random\n", "jax.random.split"),
    ],
)
def test_a_library_is_called_as_the_file_imports_it(head: str, split: str) -> None:
    text = f"def f(key):\n    a = {split}(key, 2)\n    b = {split}(key, 3)\n    return a, b\n"
    instead = f"before line 2 write `key, sub = {split}(key)`, and pass `sub` there"
    assert [one.instead for one in said(text, head)] == [instead]


PLACES = {
    "an argument further down": (
        (
            "def f(key):\n    a = random.normal(key)\n"
            "    b = random.uniform(\n        shape=(3,),\n        key=key,\n    )\n"
            "    return a + b\n"
        ),
        ["5:12"],
    ),
    "a field": (
        "def f(state):\n    a = random.normal(state.rng)\n    return a + random.normal(state.rng)\n",
        ["3:29"],
    ),
    "hidden in an object: the call": (
        "def g(state):\n    return random.normal(state.rng)\ndef f(state):\n    return g(state) + g(state)\n",
        ["4:22"],
    ),
    "hidden in the object of a method: the call": (
        (
            "class C:\n    def __init__(self):\n        self.key = random.key(0)\n\n    def f(self):\n"
            "        return random.normal(self.key)\n\ndef h():\n    c = C()\n    return c.f() + c.f()\n"
        ),
        ["10:19"],
    ),
    "two keys of one call": (
        "def g(a, b):\n    return random.normal(a) + random.normal(b)\ndef f(a, b):\n    return g(a, b) + g(a, b)\n",
        ["4:23", "4:26"],
    ),
}


@pytest.mark.parametrize(("text", "places"), PLACES.values(), ids=PLACES)
def test_a_reused_key_is_placed_at_the_argument(text: str, places: list[str]) -> None:
    assert [one.place for one in said(text, code="JAX101")] == places


def test_a_hidden_key_is_called_by_its_path() -> None:
    (text, _) = PLACES["hidden in the object of a method: the call"]
    (found,) = (one for one in lint_text(HEAD + text) if one.code == "JAX101")
    assert found.message.startswith("`c.key` is used again by `c.f`: already used by `c.f` on line 15; ")


NOTES = {
    "uses, and where functions use it": (
        "def g(key):\n    return random.normal(key)\ndef f(key):\n    a = g(key)\n    return a + random.uniform(key)\n",
        ("4: used by `g`", "2: `random.normal` uses it there", "5: used again by `random.uniform`"),
    ),
    "the trace and each call": (
        (
            "@jax.jit\ndef f(x):\n    return g(x)\ndef g(y):\n    return h(y * 2)\n"
            "def h(z):\n    return 1 if z > 0 else 2\n"
        ),
        ("1: `f` is jitted", "3: `f` calls `g`", "5: `g` calls `h`"),
    ),
    "the trace of a print": ("@jax.jit\ndef f(x):\n    print(x)\n    return x\n", ("1: `f` is jitted",)),
    "where an array was made": ("def f():\n    x = jnp.ones(3)\n    x[0] = 1\n", ("2: `x` is made by `jnp.ones`",)),
    "where a sequence was made": ("def f():\n    x = [1, 2]\n    return jnp.sum(x)\n", ("2: `x` is made",)),
}


@pytest.mark.parametrize(("text", "notes"), NOTES.values(), ids=NOTES)
def test_the_chain_is_told_by_notes(text: str, notes: tuple[str, ...]) -> None:
    assert [one.notes for one in said(text)] == [notes]


SUMS = [
    ("key + 1", "`key + 1`", "use `random.fold_in(key, 1)`"),
    ("key + 1 + i", "`key + 1 + i`", "use `random.fold_in(random.fold_in(key, 1), i)`"),
    ("2 + i + key", "`2 + i + key`", "use `random.fold_in(random.fold_in(key, 2), i)`"),
    ("key + (3 + i)", "`key + (3 + i)`", "use `random.fold_in(random.fold_in(key, 3), i)`"),
    ("key + 2 * i", "`key + 2 * i`", "use `random.fold_in(key, 2 * i)`"),
    ("key + i - 1 + 2", "`key + i - 1 + 2`", "use `random.fold_in` to derive another key"),
    ("(key + 2) * i", "`key + 2`", "use `random.fold_in(key, 2)`"),
]


@pytest.mark.parametrize(("line", "named", "instead"), SUMS)
def test_a_sum_with_a_key_is_named_as_a_whole(line: str, named: str, instead: str) -> None:
    text = f"def f(i):\n    key = random.PRNGKey(0)\n    return random.normal({line})\n"
    (found,) = (one for one in lint_text(HEAD + text) if one.code == "JAX107")
    assert found.message.startswith(f"{named} is arithmetic on a key, ")
    assert found.message.endswith(f"; {instead}")


STORES = [
    ("x[0, :] = 1.0", "use `x = x.at[0, :].set(1.0)`"),
    ("x[0] += y", "use `x = x.at[0].add(y)`"),
    ("x[0] -= y", "use `x = x.at[0].subtract(y)`"),
    ("x[0] *= y", "use `x = x.at[0].multiply(y)`"),
    ("x[0] /= y", "use `x = x.at[0].divide(y)`"),
    ("x[0] **= y", "use `x = x.at[0].power(y)`"),
    ("x[0] //= y", "use `x = x.at[0].set(x[0] // y)`"),
    ("x[0], z = y, 1", "bind the new values to names first, and then use `x.at[...].set(...)` for each"),
    ("z = x[0] = y", "use `x = x.at[0].set(y)`"),
    ("del x[0]", "use `x = jnp.delete(x, 0)`"),
    ("x[:, 0][1:] = y", "write into `x` itself, with one index for both"),
    ("x[0] = x", "give what is stored a name of its own: `x` is also what it is stored into"),
    ("x[0] = x[1]", "use `x = x.at[0].set(x[1])`"),
    ("x[0] = jnp.sum(y * 2 + 3, axis=0, keepdims=True)", "bind what `x.at[0].set(...)` returns to `x`"),
    ("x.T[0] = y", "use what `x.T.at[0].set(y)` returns"),
    ("x.at[0].set(y)", "use `x = x.at[0].set(y)`"),
    ("jnp.sort(x)", "use `x = jnp.sort(x)`"),
    ("jnp.sort(x + y)", "bind what it returns to a name; delete the line if nobody needs it"),
]


@pytest.mark.parametrize(("line", "instead"), STORES)
def test_a_store_becomes_an_update(line: str, instead: str) -> None:
    text = f"def f(y):\n    x = jnp.zeros((3, 3))\n    {line}\n    return x\n"
    assert [one.instead for one in said(text)] == [instead]


SEEDED = {
    "jnp.random.seed(42)": "make a key, `random.key(42)`, and pass one split off it to each draw",
    "jnp.random.default_rng()": "make a key, `random.key(seed)`, and pass one split off it to each draw",
    "jnp.random.hypergeometric(1, 2, 3)": "use `random`, whose functions take a key first",
    "jnp.random": "use `random`, whose functions take a key first",
    "jnp.random.choice(9, size=y)": (
        "use `random`, whose functions take a key first, and `shape`, a tuple, in the place of `size`: "
        "`random.choice(key, ...)`, or NumPy itself outside of traced code"
    ),
}
DRAWN = {
    "jnp.random.rand(3, 4)": "random.uniform(key, (3, 4))",
    "jnp.random.randn(3)": "random.normal(key, (3,))",
    "jnp.random.randint(0, 10)": "random.randint(key, (), 0, 10)",
    "jnp.random.randint(9, size=3)": "random.randint(key, (3,), 0, 9)",
    "jnp.random.uniform(-y, y, (2,))": "random.uniform(key, (2,), minval=-y, maxval=y)",
    "jnp.random.normal(1.0, 2.0, 3)": "1.0 + 2.0 * random.normal(key, (3,))",
    "jnp.random.normal(*y)": "random.normal(key, ...)",
    "jnp.random.choice(9, 3)": "random.choice(key, 9, (3,))",
    "jnp.random.choice(y, replace=False)": "random.choice(key, y, replace=False)",
    "jnp.random.exponential(2.0, (3,))": "2.0 * random.exponential(key, (3,))",
    "jnp.random.poisson(3.0, 4)": "random.poisson(key, 3.0, shape=(4,))",
    "jnp.random.permutation(x)": "random.permutation(key, x)",
    "jnp.random.shuffle(x)": "x = random.permutation(key, x)",
    "jnp.random.random()": "random.uniform(key, ())",
}
WITH_A_KEY = "use `random`, whose functions take a key first: `{}`, or NumPy itself outside of traced code"


@pytest.mark.parametrize("call", [*SEEDED, *DRAWN])
def test_what_draws_in_numpy_needs_a_key(call: str) -> None:
    (found,) = lint_text(f"{HEAD}def f(x, y):\n    return {call}\n")
    assert found.message.partition("; ")[2] == (SEEDED.get(call) or WITH_A_KEY.format(DRAWN.get(call)))


DROPPED = [
    ("self.x.at[0].set(y)", "use `self.x = self.x.at[0].set(y)`"),
    ("d['a'].at[0].set(y)", "use `d['a'] = d['a'].at[0].set(y)`"),
    (
        "y.x[0].at[0].set(1.0)",
        "store what it returns as `y.x[0]`, or if `y.x` is an array, write into that with one index",
    ),
    ("y.x['a'].at[0].set(1.0)", "bind what it returns to `y.x['a']`"),
    ("y.x[0] = y.x[1]; y.x[0].at[0].set(1.0)", "use `y.x[0] = y.x[0].at[0].set(1.0)`"),
]


@pytest.mark.parametrize(("line", "instead"), DROPPED)
def test_a_dropped_update_is_bound_where_its_array_is_held(line: str, instead: str) -> None:
    text = (
        f"class C:\n    def f(self, y):\n        self.x = jnp.zeros(3)\n        d = {{'a': self.x}}\n"
        f"        {line}\n        return self.x, d, y\n"
    )
    assert [one.instead for one in said(text)] == [instead]


STALE = {
    "an array": ("jnp.ones(3)", "x * held", "pass it to `step` as an argument"),
    "an object of a plain class": (
        "Env()", "held.step(x)", "pass what it holds to `step` as arguments: JAX takes no such object",
    ),
    "a part of it, at an index of the function": (
        "make()", "held.rows[i] * x", "pass `held.rows` to `step` as an argument",
    ),
    "an object of a class that nobody knows": (
        "make()", "held.step(x)",
        "pass it to `step` as an argument, a static one if it holds no arrays, and its arrays alone if it is no pytree",
    ),
    "a method of arrays": ("make()", "held.sum() * x", "pass it to `step` as an argument"),
    "a flag": ("True", "x * 2 if held else x", "pass it to `step` as a static argument"),
    "a number": ("2", "x * held", "pass it to `step` as an argument"),
    "a number of elements": ("2", "x * jnp.zeros(held)", "pass it to `step` as a static argument"),
    "a number in a test": ("2", "x * 2 if held else x", "pass it to `step` as a static argument"),
    "a shape": ("(2, 3)", "x * jnp.zeros(held)", "pass it to `step` as a static argument"),
}  # fmt: skip


WITH_A_PARAMETER = "make it once, with a parameter for"


@pytest.mark.parametrize(
    ("given", "instead"),
    [
        ("lambda y: 2 * y", "make it once, before the loop"),
        ("partial(jnp.add, 2)", "make it once, before the loop"),
        ("lambda y: rates[i] * y", f"{WITH_A_PARAMETER} `i`, which `step` gets as a traced argument"),
        ("lambda y: rate * y", f"{WITH_A_PARAMETER} `rate`, which `step` gets as a traced argument"),
        ("lambda y, i=i: i * y", f"{WITH_A_PARAMETER} `i`, which `step` gets as a traced argument"),
        ("partial(jnp.add, i)", f"{WITH_A_PARAMETER} `i`, which `step` gets as a traced argument"),
    ],
)
def test_a_static_function_that_reads_what_a_loop_binds_gets_it_as_an_argument(given: str, instead: str) -> None:
    text = (
        "@partial(jax.jit, static_argnums=0)\ndef step(f, x):\n    return x + f(x)\n"
        "def run(x, rates):\n    for i in range(1, 200):\n        rate = rates[i]\n"
        f"        x = step({given}, x)\n    return x\n"
    )
    assert [one.instead for one in said(text, HEAD + "from functools import partial\n", "JAX504")] == [instead]


@pytest.mark.parametrize(("made", "read", "instead"), STALE.values(), ids=STALE)
def test_what_changes_is_passed_as_jax_takes_it(made: str, read: str, instead: str) -> None:
    text = (
        "from library import make\nclass Env:\n    def __init__(self):\n        self.n = 2\n"
        "    def step(self, x):\n        return x * self.n\n"
        f"held = {made}\n@jax.jit\ndef step(x, i):\n    return {read}\n"
        f"first = step(1.0, 0)\nheld = {made}\nsecond = step(first, 0)\n"
    )
    assert [one.instead for one in said(text, code="JAX302")] == [instead]


STALE_FIELDS = {
    "a shape": ("return x * jnp.zeros(self.w)", "pass it to `run` as a static argument"),
    "computed first": ("n = self.w * 2\n        return x * jnp.zeros(n)", "pass it to `run` as a static argument"),
    "a test": ("return x * 2 if self.w else x", "pass it to `run` as a static argument"),
    "a text": ("return x * 2 if self.w == 'a' else x", "pass it to `run` as a static argument"),
    "a bound": ("return x[:self.w]", "pass it to `run` as a static argument"),
    "a test of an array beside it": ("return x * 2 if x.sum() < self.w else x", "pass it to `run` as an argument"),
    "a test of an item": ("return x * 2 if self.w['a'] else x", "pass it to `run` as a static argument"),
    "a test in a helper": ("return self.chosen(x)", "pass it to `run` as a static argument"),
    "an array": ("return x * self.w", "pass it to `run` as an argument"),
    "an array of which a number is made": ("return x * float(self.w.sum())", "pass it to `run` as an argument"),
    "pairs of a model and what it has": (
        "f, w = self.w[0]\n        return f(x) * w",
        "pass it to `run` as an argument, a static one if it holds no arrays, and its arrays alone if it is no pytree",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "instead"), STALE_FIELDS.values(), ids=STALE_FIELDS)
def test_a_field_is_passed_as_the_function_needs_it(body: str, instead: str) -> None:
    text = (
        "class Model:\n    def __init__(self, w):\n        self.w = w\n"
        "    def train(self, x, ws):\n        for w in ws:\n            x = self.run(x)\n            self.w = w\n"
        "    def chosen(self, x):\n        return x * 2 if self.w else x\n"
        f"    @functools.partial(jax.jit, static_argnums=0)\n    def run(self, x):\n        {body}\n"
    )
    assert [one.instead for one in said(text, code="JAX302")] == [instead]


START = 'import jax\nimport jax.numpy as jnp\nimport os\nimport time\nimport equinox as eqx\n'
MODEL = "class Model:\n    def __init__(self, w):\n        self.w = w\n    @jax.jit\n    def run(self, x):\n"
NOISY = "def noisy(w, x, key):\n    return ((w * x + jax.random.normal(key, x.shape)) ** 2).sum()\n"
OPTIMIZER = "import optax\nopt = optax.adamw(1e-3)\ndef loss(w):\n    return (w ** 2).sum()\n"
MODULE_OF = "class M(eqx.Module):\n    w: int\n    def __init__(self, w):\n        self.w = w\n"
STATIC = "import functools\n@functools.partial(jax.jit, static_argnums=1)\ndef "
WHAT_TO_DO = {
    "static, as nothing stores a field": (
        "JAX507", MODEL + "        return x * self.w\nModel(3).run(2)\n",
        "use `@functools.partial(jax.jit, static_argnums=0)`",
    ),
    "a field is stored later": (
        "JAX507", MODEL + "        return x * self.w\nmodel = Model(3)\nmodel.run(2)\nmodel.w = 4\n",
        "declare `Model` as a pytree, by `jax.tree_util.register_pytree_node_class`",
    ),
    "a dataclass whose field is stored later": (
        "JAX507", ("from dataclasses import dataclass\n@dataclass\nclass Model:\n    w: int\n    @jax.jit\n"
        "    def run(self, x):\n        return x * self.w\nmodel = Model(3)\nmodel.run(2)\nmodel.w = 4\n"),
        "declare `Model` as a pytree, by `jax.tree_util.register_dataclass`",
    ),
    "mapped over lanes": (
        "JAX507", MODEL.replace("jit", "vmap") + "        return x * self.w\nModel(3).run(jnp.ones(2))\n",
        ("give `self` the axis `None` in `in_axes`, "
        "or declare `Model` as a pytree, by `jax.tree_util.register_pytree_node_class`"),
    ),
    "differentiated": (
        "JAX507", MODEL.replace("jit", "grad") + "        return x * self.w\nModel(3).run(2.0)\n",
        ("differentiate by another argument, which `argnums` names, "
        "or declare `Model` as a pytree, by `jax.tree_util.register_pytree_node_class`"),
    ),
    "an object that a map gets": (
        "JAX611", ("class C:\n    def __init__(self):\n        self.w = 2\n"
        "y = jax.vmap(lambda c, x: x * c.w)(C(), jnp.ones(3))\n"),
        "pass it with `in_axes=None`, or bind it by `functools.partial`",
    ),
    "an object that a loop returns": (
        "JAX611", ("class C:\n    def __init__(self):\n        self.w = 2\n"
        "y = jax.lax.scan(lambda c, x: (c, C()), 0.0, jnp.ones(3))\n"),
        "return its arrays, or declare `C` as a pytree, by `jax.tree_util.register_pytree_node_class`",
    ),
    "a field that is declared nowhere": (
        "JAX614", (MODULE_OF + "        self.extra = jnp.ones(3)\nM(3)\n"),
        "declare it in the body of the class, as `extra: jax.Array`",
    ),
    "a network of unknown make that is declared nowhere": (
        "JAX614", (MODULE_OF + "        self.extra = network([w, 1], w)\nM(3)\n"),
        "declare it in the body of the class, with the type of what `network` gives",
    ),
    "a loss that has no result": (
        "JAX601", "def loss(w):\n    w * 2\njax.grad(loss, has_aux=True)(1.0)\n",
        "return the loss and what is beside it",
    ),
    "a number that is declared nowhere": (
        "JAX614", (MODULE_OF + "        self.extra = 3\nM(3)\n"),
        "declare it in the body of the class, as `extra: int`",
    ),
    "a layer that is declared nowhere": (
        "JAX614", (MODULE_OF + "        self.extra = eqx.nn.Linear(2, 3, key=w)\nM(3)\n"),
        "declare it in the body of the class, as `extra: eqx.nn.Linear`",
    ),
    "a field that is declared almost so, and read as it is declared": (
        "JAX614", ("class M(eqx.Module):\n    weights: int\n    def __init__(self, w):\n        self.weight = w\n"
        "    def __call__(self):\n        return self.weights\nM(3)\n"),
        "write `self.weights`, as it is declared and read",
    ),
    "a field that is declared almost so, and read as it is assigned": (
        "JAX614", ("class M(eqx.Module):\n    weights: int\n    def __init__(self, w):\n        self.weight = w\n"
        "    def __call__(self):\n        return self.weight\nM(3)\n"),
        "declare `weight` in place of `weights`, which is declared and never assigned",
    ),
    "a field beside one that is spelled alike": (
        "JAX614", ("class M(eqx.Module):\n    weights: int\n    def __init__(self, w):\n        self.weights = w\n"
        "        self.weight = w\nM(3)\n"),
        "declare it in the body of the class, as `weight: jax.Array`",
    ),
    "a static field of a class with a constructor": (
        "JAX614", ("class M(eqx.Module):\n    n: int = eqx.field(static=True)\n    def __init__(self, n):\n"
        "        self.n = n\n    def run(self):\n        self.n = 4\nM(3).run()\n"),
        "keep the new `n` in a local name, and hand that on: `equinox.tree_at` does not change a static field",
    ),
    "a static field of a class without one": (
        "JAX614", "class M(eqx.Module):\n    n: int = eqx.field(static=True)\nm = M(3)\nm.n = 4\n",
        ("make a changed copy, by `dataclasses.replace`, and hand it on: "
        "`equinox.tree_at` does not change a static field"),
    ),
    "a field that is none": (
        "JAX614", "class M(eqx.Module):\n    n: jax.Array\nm = M(jnp.ones(3))\nm.n = 4\n",
        "use `m = eqx.tree_at(lambda tree: tree.n, m, 4)`",
    ),
    "stored, and read again by the function itself": (
        "JAX303", ("class M:\n    def run(self, x):\n        def step(x):\n            self.y = x * 2\n"
        "            return self.y\n        return jax.jit(step)(x), self.y\n"),
        "give `step` a local name for what it reads again, and return it if others need it",
    ),
    "a variable that is set behind an import": (
        "JAX902", "def run():\n    os.environ['JAX_PLATFORMS'] = 'cpu'\n",
        'use `jax.config.update("jax_platforms", ...)`, before anything uses JAX',
    ),
    "stored for nobody in the file": (
        "JAX303", (
            "class M:\n    def __init__(self):\n        self.ys: list = []\n    def run(self, x):\n"
            "        def step(x):\n            self.ys.append(x * 2)\n            return x\n"
            "        return jax.jit(step)(x)\n"
        ),
        "return the value from `step`, or leave `self.ys` out if no other file reads it",
    ),
    "counted once per trace": (
        "JAX303", "n = [0]\n@jax.jit\ndef f(x):\n    n[0] += 1\n    return x\nf(1.0), f(2.0), print(n)\n",
        "move it to where `f` is called, or use `jax.debug.callback`",
    ),
    "kept beside a loss": (
        "JAX303", ("def f(x):\n    kept = []\n    def loss(w):\n        kept.append(w * x)\n        return w * x\n"
        "    return jax.grad(loss)(x), kept\n"),
        "return the value from `loss` beside its result, with `has_aux=True`",
    ),
    "summed up in the body of a loop": (
        "JAX303", ("def f(n):\n    total = 0\n    def body(i, c):\n        nonlocal total\n        total += i\n"
        "        return c\n    jax.lax.fori_loop(0, n, body, 0)\n    return total\n"),
        "make `total` a part of the carry",
    ),
    "summed up by a function that is mapped": (
        "JAX303", ("def f(xs):\n    total = 0\n    def add(x):\n        nonlocal total\n        total += x\n"
        "        return x\n    jax.vmap(add)(xs)\n    return total\n"),
        "return from `add` what goes into `total`, and combine the results outside",
    ),
    "kept beside what is differentiated twice": (
        "JAX303", ("def f(x):\n    kept = []\n    def loss(w):\n        kept.append(w * x)\n        return w * x\n"
        "    return jax.hessian(loss)(x), kept\n"),
        "return the value from `loss` beside its result, with `has_aux=True`",
    ),
    "counted in a body": (
        "JAX303", ("n = [0]\ndef f(c, x):\n    n[0] += 1\n    return c + x, x\n"
        "jax.lax.scan(f, 0.0, jnp.ones(3)), print(n)\n"),
        "return what is to be counted or kept from `f`, or use `jax.debug.callback`",
    ),
    "a constant key in a loop without a number": (
        "JAX104", ("def f(x):\n    while x.sum() < 3:\n        x = x + jax.random.normal(jax.random.key(0), x.shape)\n"
        "    return x\n"),
        "make a key before the loop, and split off one for each iteration",
    ),
    "a constant key in a body": (
        "JAX104", ("def f(i, x):\n    return x + jax.random.normal(jax.random.key(0), x.shape)\n"
        "y = jax.lax.fori_loop(0, 9, f, jnp.ones(3))\n"),
        "pass a new key in each time",
    ),
    "appended": (
        "JAX303", ("kept = []\n@jax.jit\ndef step(x):\n    kept.append(x * 2)\n    return x\n"
        "step(1.0), print(kept)\n"),
        "return the value from `step`, and put it into `kept` outside",
    ),
    "stored in a body": (
        "JAX303", ("def run(xs):\n    kept = {}\n    def body(c, x):\n        kept['x'] = x * c\n"
        "        return c + x, c\n"
        "    return jax.lax.scan(body, 0.0, xs), kept\nrun(jnp.ones(3))\n"),
        "return the value from `body` beside the carry: `jax.lax.scan` stacks what it gives",
    ),
    "stored for others": (
        "JAX303", ("class M:\n    def run(self, x):\n        def step(x):\n            self.y = x * 2\n"
        "            return x\n        return jax.jit(step)(x), self.y\n"),
        "return the value from `step`, or pass it on as an argument",
    ),
    "made before the clock": (
        "JAX702", ("step = jax.jit(jnp.sin)\ndef run(x):\n    step = jax.jit(jnp.sin)\n    start = time.time()\n"
        "    for _ in range(99):\n        y = step(x)\n    y.block_until_ready()\n    return time.time() - start\n"),
        "make one call of `step` before line 4",
    ),
    "made behind the clock": (
        "JAX702", ("def run(x):\n    start = time.time()\n    step = jax.jit(jnp.sin)\n"
        "    for _ in range(99):\n        y = step(x)\n    y.block_until_ready()\n    return time.time() - start\n"),
        "call `step` once before the loop, and move line 2 below that call",
    ),
    "a setting that needs what is handed in": (
        "JAX902", "def run(name):\n    print(jax.devices())\n    jax.config.update('jax_platforms', name)\n",
        "let nothing before it start JAX: line 2 is the first that does",
    ),
    "a setting behind a check": (
        "JAX902", "def run(name):\n    assert jax.device_count() == 1\n    jax.config.update('jax_platforms', name)\n",
        "let nothing before it start JAX: line 2 is the first that does",
    ),
    "a setting below a question": (
        "JAX902", "if 'gpu' in str(jax.devices()):\n    jax.config.update('jax_platforms', 'cpu')\n",
        "decide that without `jax.devices`, or leave it out if JAX takes that platform by itself",
    ),
    "a flag of an object of the module": (
        "JAX302", ("class Settings:\n    on = False\nsettings = Settings()\n@jax.jit\ndef f(x):\n"
        "    if settings.on:\n        return x * 2\n    return x\n"
        "def run(x):\n    f(x)\n    settings.on = True\n    return f(x)\n"),
        "pass it to `f` as a static argument",
    ),
    "a size of an object of the module": (
        "JAX302", ("class Settings:\n    n = 3\nsettings = Settings()\n@jax.jit\ndef f(x):\n"
        "    return x + jnp.zeros(settings.n)\n"
        "def run(x):\n    f(x)\n    settings.n = 4\n    return f(x)\n"),
        "pass it to `f` as a static argument",
    ),
    "a factor of an object of the module": (
        "JAX302", ("class Settings:\n    n = 3\nsettings = Settings()\n@jax.jit\ndef f(x):\n    return x * settings.n\n"
        "def run(x):\n    f(x)\n    settings.n = 4\n    return f(x)\n"),
        "pass it to `f` as an argument",
    ),
    "an array of the function around, in another one": (
        "JAX210", "def f():\n    w = jnp.ones(3)\n    def g():\n        v = w\n        v += 1\n    g()\n    return w\n",
        "put the new array where `w` is kept",
    ),
    "an array of the same function": (
        "JAX210", "def f():\n    w = jnp.ones(3)\n    v = w\n    v += 1\n    return w\n", "use `w += 1`",
    ),
    "a key that is stored anew": (
        "JAX303", ("class C:\n    def run(self, x):\n        def step(x):\n"
        "            self.key, k = jax.random.split(self.key)\n"
        "            return jax.random.normal(k) + x\n        return jax.jit(step)(x), self.key\n"),
        "pass `self.key` to `step` as an argument, return the new one, and store that outside",
    ),
    "a sum that is stored anew": (
        "JAX303", ("class C:\n    def run(self, x):\n        def step(x):\n            self.n += x\n"
        "            return self.n\n        return jax.jit(step)(x), self.n\n"),
        "pass `self.n` to `step` as an argument, return the new one, and store that outside",
    ),
    "an array for a static parameter": (
        "JAX502", ("import functools\n@functools.partial(jax.jit, static_argnums=1)\ndef f(x, t):\n    return x + t\n"
        "f(1.0, jnp.ones(3))\n"),
        "take `t` out of the static arguments, or pass a tuple if its numbers must be known",
    ),
    "a tracer for a static parameter": (
        "JAX502", ("import functools\n@functools.partial(jax.jit, static_argnums=1)\ndef f(x, t):\n    return x + t\n"
        "@jax.jit\ndef g(x):\n    return f(x, x + 1)\n"),
        "take `t` out of the static arguments, or compute it outside of traced code",
    ),
    "a tracer for a static parameter that is passed on as another": (
        "JAX502", (STATIC + "f(x, t):\n    return x + t\n" + STATIC + "g(x, t):\n    return f(x, t)\n"
        "@jax.jit\ndef h(x):\n    return g(x, x + 1)\n"),
        "take `t` out of the static arguments, there and where `g` passes it on, or compute it outside of traced code",
    ),
    "a tracer for a static parameter that says a size": (
        "JAX502", STATIC + "f(x, t):\n    return x + jnp.zeros(t)\n@jax.jit\ndef h(x):\n    return f(x, x + 1)\n",
        "compute it outside of traced code: `f` needs its value",
    ),
    "an array for a static parameter that is tested": (
        "JAX502", STATIC + "f(x, t):\n    return x if t > 1 else -x\nf(1.0, jnp.ones(3))\n",
        "pass a number or a tuple of numbers: `f` needs its value",
    ),
    "branches of two shapes and dtypes": (
        "JAX603", "y = jax.lax.cond(True, lambda x: x, lambda x: 0, jnp.ones(2))\n",
        "return arrays of one shape and one dtype from each",
    ),
    "branches of two shapes": (
        "JAX603", "y = jax.lax.cond(True, lambda x: x, lambda x: x[0], jnp.ones(2))\n",
        "return arrays of one shape from each",
    ),
    "branches that are called with their operand": (
        "JAX606", "def f(p, x):\n    return jax.lax.cond(p, jnp.sin(x), jnp.cos(x), x)\n",
        "use `jnp.sin` and `jnp.cos`",
    ),
    "branches that are called with something else": (
        "JAX606", "def f(p, x, y):\n    return jax.lax.cond(p, jnp.sin(y), jnp.cos(x), x)\n",
        "pass functions that take `x` and compute `jnp.sin(y)` and `jnp.cos(x)`",
    ),
    "branches that are called, without operands": (
        "JAX606", "def f(p, x):\n    return jax.lax.cond(p, jnp.sin(x), jnp.cos(x))\n",
        "use `lambda: jnp.sin(x)` and `lambda: jnp.cos(x)`",
    ),
    "a draw that is written as JAX has it": (
        "JAX205", "def f(sample_key, n):\n    return jnp.random.uniform(sample_key, (n,))\n",
        "use `jax.random.uniform`",
    ),
    "a draw that is written as NumPy has it": (
        "JAX205", "def f(n):\n    return jnp.random.uniform(0, 1, (n,))\n",
        ("use `jax.random`, whose functions take a key first: `jax.random.uniform(key, (n,), minval=0, maxval=1)`, "
        "or NumPy itself outside of traced code"),
    ),
    "a draw that NumPy does not have": (
        "JAX205", "def f(p):\n    return jnp.random.bernoulli(p)\n",
        "use `jax.random.bernoulli`, which takes a key first",
    ),
    "several lists among what is joined": (
        "JAX203", "def f(n):\n    return jnp.concatenate([[0.0], jnp.ones(n), [1.0]])\n",
        "use `jnp.array([0.0])` and `jnp.array([1.0])`",
    ),
    "one list among what is joined": (
        "JAX203", "def f(n):\n    return jnp.concatenate([[0.0], jnp.ones(n)])\n", "use `jnp.array([0.0])`",
    ),
    "results of a call, of which one is meant": (
        "JAX203", ("@jax.jit\ndef g(x):\n    return x, jnp.sum(x)\n"
        "def f(x):\n    y = g(x)\n    return jnp.argmax(y, axis=1)\n"),
        "pass the one of its arrays that is meant, or `jnp.stack` of all if they are alike",
    ),
    "a list that a call hands in": (
        "JAX203", "def f(xs):\n    return jnp.mean(xs)\ny = f([1.0, 2.0])\n",
        "use `jnp.array(xs)`, or pass an array on line 3",
    ),
    "a list of the function beside an array that a call hands in": (
        "JAX203", "def f(x):\n    xs = [1.0, 2.0]\n    return x + xs\ny = f(jnp.ones(2))\n", "use `jnp.array(xs)`",
    ),
    "a list of the function itself": (
        "JAX203", "def f(n):\n    xs = [1.0, n]\n    return jnp.mean(xs)\ny = f(2.0)\n", "use `jnp.array(xs)`",
    ),
    "leaves of a tree, whose shapes may differ": (
        "JAX203", "def f(tree):\n    xs = jax.tree.leaves(tree)\n    return jnp.max(xs)\n",
        ("make one array of them: with `jnp.array` if all have one shape, "
        "else with `jnp.concatenate` of each one's `ravel()`"),
    ),
    "arrays of a tuple that is written out": (
        "JAX203", "def f(n):\n    y = (jnp.ones(n), jnp.zeros(n))\n    return jnp.argmax(y, axis=1)\n",
        "use `jnp.stack(y)`",
    ),
    "truths that choose what is no array": (
        "JAX402", ("@jax.jit\ndef f(x):\n    drop = jax.random.uniform(jax.random.key(0), (3,)) < 0.5\n"
        "    if all(drop):\n        x = g(x)\n    return x\n"),
        ("choose on the host before the call what is no array; "
        "for arrays use `jnp.all` for the test, and use `jnp.where` to choose `x`, "
        "or `jax.lax.cond` with both ways as functions"),
    ),
    "an object on one way": (
        "JAX401", ("import optax\n@jax.jit\ndef f(m, p):\n    return p if m > 0 else optax.MaskedNode()\n"),
        ("choose by a static argument, or on the host before the call, or by its result: "
        "neither `jax.lax.cond` nor `jnp.where` allows a way that returns no array"),
    ),
    "a record of arrays on one way": (
        "JAX401", ("import typing\nclass State(typing.NamedTuple):\n    x: jax.Array\n@jax.jit\ndef f(done, state):\n"
        "    return State(state.x + 1) if done > 0 else state\n"),
        "use `jax.lax.cond(done > 0, lambda: State(state.x + 1), lambda: state)`",
    ),
    "an object on both ways": (
        "JAX401", ("import optax\n@jax.jit\ndef f(m, p):\n"
        "    return optax.EmptyState() if m > 0 else optax.EmptyState()\n"),
        "use `jax.lax.cond(m > 0, lambda: optax.EmptyState(), lambda: optax.EmptyState())`",
    ),
    "how often, which is no size": (
        "JAX410", "y = jax.vmap(lambda n, a: jnp.linalg.matrix_power(a, n), (0, None))(jnp.arange(3), jnp.eye(2))\n",
        "use a number that Python knows: a constant, a static argument, or that of a loop over all that may come",
    ),
    "how many, which is a size": (
        "JAX410", "y = jax.vmap(lambda n: jnp.zeros(n))(jnp.arange(3))\n",
        "use a size that is known: of another array, of a static argument, or the largest one with a mask",
    ),
    "a shape in the place of a key": (
        "JAX107", "x = jax.random.normal((2, 3))\n", "pass a key before it: `jax.random.normal(key, (2, 3))`",
    ),
    "no argument that can be static": (
        "JAX503", "import functools\n@functools.partial(jax.jit, static_argnums=0)\ndef f():\n    return 1\n",
        "leave `static_argnums` out",
    ),
    "fewer arguments than the place of a static one": (
        "JAX503", "import functools\n@functools.partial(jax.jit, static_argnums=3)\ndef f(x):\n    return x\n",
        "give the places of arguments that it has, counted from 0",
    ),
    "arguments that another parameter is called like": (
        "JAX602", ("@jax.jit\ndef step(key, env_state, belief_state, action):\n    return action\n"
        "def f(first_belief_state):\n    return step(jnp.ones(1), first_belief_state)\n"),
        "write the call for what it takes: `key`, `env_state`, `belief_state` and `action`",
    ),
    "arguments that their parameters are called like": (
        "JAX602", ("@jax.jit\ndef step(key, env_state, belief_state, action):\n    return action\n"
        "def f(key, first_env_state):\n    return step(key, first_env_state)\n"),
        "pass `belief_state` and `action`, too",
    ),
    "a shape for a function of arrays": (
        "JAX203", "@jax.jit\ndef f(x):\n    return jnp.argmax(x, axis=jnp.max(x.shape))\n", "use `max(x.shape)`",
    ),
    "a branch that the test of a loop around it reads": (
        "JAX401", ("@jax.jit\ndef f(xs, t):\n    low, high = 0, 8\n    while low < high:\n"
        "        mid = (low + high) // 2\n"
        "        if xs[mid] < t:\n            low = mid + 1\n        else:\n            high = mid\n    return low\n"),
        "use `jax.lax.while_loop` for the loop around, whose test reads what is bound here, and `jnp.where` in it",
    ),
    "a dict of numbers": (
        "JAX403", "@jax.jit\ndef f(i):\n    table = {0: 1.0, 1: 2.0}\n    return table[i]\n",
        "make an array of the values, and index that",
    ),
    "a list of numbers": (
        "JAX403", "@jax.jit\ndef f(i):\n    table = [1.0, 2.0]\n    return table[i]\n", "use `jnp.array(table)[i]`",
    ),
    "elements that are only counted": (
        "JAX401", "@jax.jit\ndef f(x):\n    keep = [v for v in x if v > 0]\n    return len(keep)\n",
        "keep all elements, and count with `jnp.count_nonzero` for which of them the test holds",
    ),
    "elements that are read": (
        "JAX401", "@jax.jit\ndef f(x):\n    keep = [v for v in x if v > 0]\n    return len(keep), sum(keep)\n",
        "keep all elements, and choose with `jnp.where` between what they give",
    ),
    "what a mask keeps is only counted": (
        "JAX411", "@jax.jit\ndef f(x, y):\n    kept = y[x > 0]\n    return kept.shape[0]\n",
        "count with `jnp.count_nonzero` what the mask keeps: only that is read",
    ),
    "what a mask keeps is read": (
        "JAX411", "@jax.jit\ndef f(x, y):\n    kept = y[x > 0]\n    return kept.shape[0], kept\n",
        ("keep all elements, as by `jnp.where(x > 0, y, 0)` where a 0 changes no result, "
        "or select outside of traced code"),
    ),
    "what another mask keeps is summed": (
        "JAX411", "@jax.jit\ndef f(x, y):\n    return jnp.mean(y[x > 0])\n",
        "use `jnp.mean(y, where=x > 0)`, if the mask has the shape of `y`",
    ),
    "what a mask keeps is counted where it is not 0": (
        "JAX411", "@jax.jit\ndef f(x):\n    return jnp.count_nonzero(x[x > 1])\n",
        "use `jnp.count_nonzero(jnp.where(x > 1, x, 0))`",
    ),
    "the middle of what a mask keeps": (
        "JAX411", "@jax.jit\ndef f(x):\n    return jnp.median(x[x > 1])\n",
        "use `jnp.nanmedian(jnp.where(x > 1, x, jnp.nan))`",
    ),
    "the least integer that a mask keeps": (
        "JAX411", "@jax.jit\ndef f(x):\n    i = jnp.argsort(x)\n    return jnp.min(i[i > 1])\n",
        "use `jnp.min(i, where=i > 1, initial=jnp.iinfo(i.dtype).max)`",
    ),
    "the least number that a mask keeps": (
        "JAX411", "@jax.jit\ndef f(x):\n    return jnp.min(x[x > 1])\n",
        "use `jnp.min(x, where=x > 1, initial=jnp.inf)`",
    ),
    "an optimizer that needs the weights of which the gradients are": (
        "JAX614", OPTIMIZER + "def f(params, weights, state):\n    grads = jax.grad(loss)(weights)\n"
        "    return opt.update(grads, state)\n",
        "use `opt.update(grads, state, weights)`, with a state that is made of `weights`",
    ),
    "an optimizer that needs weights of another name": (
        "JAX614", OPTIMIZER + "def f(weights, state):\n    grad = jax.value_and_grad(loss)\n"
        "    value, grads = grad(weights)\n    return opt.update(grads, state)\n",
        "use `opt.update(grads, state, weights)`",
    ),
    "an optimizer that needs weights of gradients that are handed in": (
        "JAX614", OPTIMIZER + "def f(params, grads, state):\n    return opt.update(grads, state)\n",
        "use `opt.update(grads, state, params)`",
    ),
    "a setting below a question whose answer has a name": (
        "JAX902", ("def f():\n    gpus = [d for d in jax.devices() if d.platform == 'gpu']\n    if gpus:\n"
        "        jax.config.update('jax_platforms', 'cpu')\n"),
        "decide that without `jax.devices`, or leave it out if JAX takes that platform by itself",
    ),
    "a setting below a question that asks something else": (
        "JAX902", ("def f(name):\n    print(jax.devices())\n    if name:\n"
        "        jax.config.update('jax_platforms', 'cpu')\n"),
        "let nothing before it start JAX: line 2 is the first that does",
    ),
    "what an object's method makes of another one": (
        "JAX501", ("class M:\n    def loss(self, w):\n        return w * 2\n    def step(self, w):\n"
        "        return jax.jit(jax.grad(self.loss))(w)\nm = M()\nfor i in range(99):\n    m.step(1.0)\n"),
        "jit it once, where the object is made, and keep it in a field",
    ),
    "what an object's method makes of another one and of what it is handed": (
        "JAX501", ("import functools\nclass M:\n    def loss(self, w, n):\n        return w * n\n"
        "    def step(self, w, n):\n        return jax.jit(jax.grad(functools.partial(self.loss, n=n)))(w)\n"
        "m = M()\nfor i in range(99):\n    m.step(1.0, i)\n"),
        "jit it once, outside of `step`, and pass what it captures as arguments (static unless an array)",
    ),
    "what is captured where a call makes it": (
        "JAX501", "def step(w, n):\n    return jax.jit(lambda v: v * n)(w)\nfor i in range(99):\n    step(1.0, i)\n",
        "jit it once, outside of `step`, and pass `n` as an argument (static unless an array)",
    ),
    "what is run for a function that a turn makes": (
        "JAX501", ("def run(states, step):\n    def body(c, _):\n        return step(c), None\n"
        "    return jax.lax.scan(body, states, None, length=9)\nclass Machine:\n    def step(self, c):\n"
        "        return c + 1\ndef main(machine: Machine):\n    for i in range(99):\n"
        "        step = jax.jit(machine.step)\n        print(i, run(jnp.ones(3), step))\nmain(Machine())\n"),
        "jit `run` once, or what calls it; make `step` before the loop, too",
    ),
    "what is run for a function that stays": (
        "JAX501", ("def run(states, step):\n    def body(c, _):\n        return step(c), None\n"
        "    return jax.lax.scan(body, states, None, length=9)\n"
        "def main(step):\n    for i in range(99):\n        print(i, run(i * jnp.ones(3), step))\nmain(jnp.sin)\n"),
        "jit `run` once, or what calls it",
    ),
    "a loop whose condition and body are both made in each call": (
        "JAX501", ("def settled(x):\n    def is_far(c):\n        return c < x\n    def halved(c):\n"
        "        return c + x\n"
        "    print(float(x))\n    return jax.lax.while_loop(is_far, halved, x)\n"
        "for i in range(99):\n    settled(jnp.ones(()) * i)\n"),
        ("put `jax.lax.while_loop` into a function that is jitted once and gets what differs as arguments "
        "(static unless an array)"),
    ),
    "a loop whose body is made in each call": (
        "JAX501", ("def settled(x):\n    def more(c, _):\n        return c + x, None\n"
        "    print(float(x))\n    return jax.lax.scan(more, x, None, length=9)\n"
        "for i in range(99):\n    settled(jnp.ones(()) * i)\n"),
        "define `more` once, outside of `settled`, and pass the arrays that it captures in the carry",
    ),
    "what is mapped on each turn": (
        "JAX501", ("def double(v):\n    return v * 2\ndef f(x):\n    for i in range(99):\n"
        "        x = jax.lax.map(double, x)\n        print(i, x)\nf(jnp.ones(3))\n"),
        ("jit once, before the loop, a function that calls `jax.lax.map` "
        "and gets `x` as an argument (static unless an array)"),
    ),
    "a mapped function that lacks what is not mapped": (
        "JAX602", "def inv(logits, cfg):\n    return logits * cfg\ndef f(logits):\n    return jax.vmap(inv)(logits)\n",
        "pass `cfg`, too, with `in_axes` where that is not mapped",
    ),
    "a mapped function that lacks an argument, where axes are written": (
        "JAX602", ("def inv(logits, cfg):\n    return logits * cfg\n"
        "def f(logits):\n    return jax.vmap(inv, in_axes=(0,))(logits)\n"),
        "pass `cfg`, too, with an entry of `in_axes` for each",
    ),
    "a partial that leaves out an argument": (
        "JAX602", ("import functools\ndef g(x, r, k):\n    return x * r * k\n"
        "def f(xs):\n    return jax.lax.map(functools.partial(g, k=2), xs)\n"),
        "bind `r`, too, where the others are bound",
    ),
    "a function that takes an element apart": (
        "JAX602", "def g(x, r):\n    return x * r\ndef f(xs):\n    return jax.lax.map(g, xs)\n",
        "give it one parameter, and unpack that: `x, r = ...`",
    ),
    "a function that takes an argument by name alone": (
        "JAX602", "def g(x, *, r):\n    return x * r\ndef f(xs):\n    return jax.lax.map(g, xs)\n",
        "bind `r`, too, with `functools.partial`",
    ),
    "a model that a derivative does not take": (
        "JAX611", ("class C:\n    def __init__(self):\n        self.n = 3\nclass N(eqx.Module):\n    w: jax.Array\n"
        "    c: C\ndef f(x):\n    net = N(jnp.ones(3), C())\n    return jax.grad(lambda n: (n.w * x).sum())(net)\n"),
        "use `eqx.filter_grad`, and `eqx.filter(net, eqx.is_array)` for an optimizer",
    ),
    "one number that is folded in twice": (
        "JAX105", ("def f(key):\n    a = jax.random.normal(jax.random.fold_in(key, 1))\n"
        "    return a + jax.random.uniform(jax.random.fold_in(key, 1))\n"),
        "pass other data",
    ),
    "one name that is folded in twice": (
        "JAX105", ("def f(key, i):\n    a = jax.random.normal(jax.random.fold_in(key, i))\n"
        "    return a + jax.random.uniform(jax.random.fold_in(key, i))\n"),
        "pass other data, or split the key before both, and give each a part of its own",
    ),
    "branches of an integer and a floating number": (
        "JAX603", "def f(p, x):\n    return jax.lax.cond(p, lambda x: (x, 1), lambda x: (x, 1.0), x)\n",
        "return one dtype from each, as by `astype`, or `1.0` for a number `1`",
    ),
    "a loss and its derivative": (
        "JAX103", NOISY + "def f(w, x, key):\n    value = noisy(w, x, key)\n"
        "    return w - jax.grad(lambda v: noisy(v, x, key))(w), value, key\n",
        "before line 4 write `key, sub = jax.random.split(key)`, and pass `sub` on lines 4 and 5",
    ),
    "a loss and the derivative of another one": (
        "JAX103", NOISY + "def f(w, x, y, key):\n    value = noisy(w, x, key)\n"
        "    return w - jax.grad(lambda v: noisy(v, y, key))(w), value, key\n",
        ("before line 4 write `key, sub, subkey = jax.random.split(key, 3)`, "
        "and pass `sub` on line 4, `subkey` on line 5"),
    ),
    "a key and two numbers": (
        "JAX107", ("key = jax.random.PRNGKey(0)\nfor i in range(3):\n"
        "    print(jax.random.normal(key + 2 + i))\n"),
        "use `jax.random.fold_in(jax.random.fold_in(key, 2), i)`",
    ),
    "a key and a number": (
        "JAX107", "key = jax.random.PRNGKey(0)\nprint(jax.random.normal(key + 2) * 3)\n",
        "use `jax.random.fold_in(key, 2)`",
    ),
    "a bar in the header of a loop": (
        "JAX304", ("from tqdm import tqdm\n@jax.jit\ndef f(x):\n    for i in tqdm(range(3), desc='a'):\n"
        "        x = x + i\n    return x\n"),
        "loop through `range(3)` alone",
    ),
    "a bar that has a name": (
        "JAX304", "from tqdm import tqdm\n@jax.jit\ndef f(x):\n    bar = tqdm(total=3)\n    return x\n",
        "delete it, or show the progress of the calls",
    ),
    "a name that a library says is to be used": ("JAX801", "x = jnp.NINF\n", "use `-jnp.inf`"),
    "an item of items of a dict": (
        "JAX202", ("def f(parameters):\n    parameters['params']['embedding']['kernel'].at[0].set(0.0)\n"
        "    return parameters\n"),
        "bind what it returns to `parameters['params']['embedding']['kernel']`",
    ),
    "what is captured of the turn where a loop makes it": (
        "JAX501", "def f(x, k):\n    for i in range(99):\n        x = jax.jit(lambda v: v * i + k)(x)\n    return x\n",
        "jit it once, before the loop, and pass `i` as an argument (static unless an array)",
    ),
    "a dict for a static parameter": (
        "JAX502", ("import functools\n@functools.partial(jax.jit, static_argnames='c')\ndef f(x, c):\n"
        "    return x * c['a']\n"
        "f(1.0, c={'a': 2})\n"),
        "pass a tuple of its items, of which a dict is made there, or a frozen dataclass",
    ),
    "a static object that is a pytree": (
        "JAX502", ("from flax import struct\nclass Agent(struct.PyTreeNode):\n    w: jax.Array\n"
        "def act(agent, x):\n    return agent.w * x\nact = jax.jit(act, static_argnames='agent')\n"
        "act(Agent(w=jnp.ones(3)), 1.0)\n"),
        "take `agent` out of the static arguments: it is a pytree, and JAX traces its arrays",
    ),
    "a static object that is none": (
        "JAX502", ("import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass Agent:\n    w: jax.Array\n"
        "def act(agent, x):\n    return agent.w * x\nact = jax.jit(act, static_argnames='agent')\n"
        "act(Agent(jnp.ones(3)), 1.0)\n"),
        "pass its arrays as arguments of their own, which JAX traces",
    ),
    "a variable of the module that is made of itself": (
        "JAX303", ("total = 0\n@jax.jit\ndef f(x):\n    global total\n    total = total + x\n    return x\n"
        "f(1.0)\nprint(total)\n"),
        "pass `total` to `f` as an argument, return the new one, and store that outside",
    ),
    "a loss beside something else": (
        "JAX601", "def loss(w):\n    return jnp.sum(w), w\njax.grad(loss)(jnp.ones(2))\n",
        "set `has_aux=True` if the first part is the loss, one number, and unpack the rest from what comes back",
    ),
    "a row of a loop is sorted": (
        "JAX202", "def f(n):\n    m = jnp.ones((n, n))\n    for row in m:\n        row.sort()\n    return m\n",
        "write into `m` itself, at an index: what is bound to `row` does not reach it",
    ),
    "a row of a loop that is used": (
        "JAX202", ("def f(n):\n    m = jnp.ones((n, n))\n    for row in m:\n        row.sort()\n        n(row)\n"
        "    return m\n"),
        "use `row = row.sort()`",
    ),
    "a bound that is made of an argument": (
        "JAX410", "@jax.jit\ndef f(x, size):\n    n = x.shape[0] // size\n    return x[: n * size]\n",
        "declare `size` static where `f` is jitted, or keep the whole array and mask it with `jnp.where`",
    ),
    "a bound that is made of an array": (
        "JAX410", "@jax.jit\ndef f(x, y):\n    n = jnp.argmax(y)\n    return x[: n * 2]\n",
        "take its size from a shape or a static argument, or keep the whole array and mask it with `jnp.where`",
    ),
    "a bound that an inner function gets": (
        "JAX410", ("@jax.jit\ndef f(x, size):\n    def g(x, size):\n        return x[: -(size + 2)]\n"
        "    return g(x, size)\n"),
        "declare `size` static where `f` is jitted, or keep the whole array and mask it with `jnp.where`",
    ),
    "an index beyond, where the last element is read": (
        "JAX204", "def f():\n    x = jnp.ones((3, 6))\n    return x[..., 4], x[..., 5], x[..., 7]\n",
        "make the axis 8 long: index 5 is read, too",
    ),
    "an index beyond, where it is not": (
        "JAX204", "def f():\n    x = jnp.ones((3, 6))\n    return x[..., 4], x[..., 7]\n",
        "use at most 5, or make the axis 8 long",
    ),
    "a tuple that holds a string beside arrays": (
        "JAX611", "y = jax.jit(lambda d: d[0])((jnp.ones(3), 'name'))\n",
        "keep arrays alone in it, and pass the rest apart, as a static argument",
    ),
    "a tuple of strings": (
        "JAX611", "y = jax.jit(lambda d, x: x)(('a', 'b'), jnp.ones(3))\n", "declare `d` static",
    ),
    "a dict that holds a string, mapped": (
        "JAX611", "y = jax.vmap(lambda d: d['x'])({'x': jnp.ones(3), 'name': 'b'})\n",
        "keep arrays alone in it, and pass the rest apart, with `in_axes=None`",
    ),
    "a string, mapped": (
        "JAX611", "y = jax.vmap(lambda x, s: x)(jnp.ones(3), 'b')\n",
        "pass it with `in_axes=None`, or bind it by `functools.partial`",
    ),
    "a body that takes the carry apart": (
        "JAX602", "y = jax.lax.fori_loop(0, 3, lambda i, x, y: (x + 1, y), (0, 1))\n",
        "give it 2 parameters, for the index and `init_val`, and unpack the last: `x, y = ...`",
    ),
    "a body without the index": (
        "JAX602", "y = jax.lax.fori_loop(0, 3, lambda: 1, 1)\n", "give it 2 parameters, for the index and `init_val`",
    ),
    "truths that choose elements which are no arrays": (
        "JAX402", ("@jax.jit\ndef f(x, layers):\n    drop = jax.random.uniform(jax.random.key(0), (3,)) < 0.5\n"
        "    for layer in [one for one, off in zip(layers, drop) if not off]:\n        x = layer(x)\n    return x\n"),
        ("choose on the host before the call what is no array; "
        "for arrays keep all elements, and choose with `jnp.where` between what they give"),
    ),
    "a list along the first axis of an array": (
        "JAX203", "def f():\n    mean = [1.0, 2.0, 3.0]\n    return jnp.ones((3, 8, 8)) - mean\n",
        "use `jnp.array(mean).reshape(3, 1, 1)`",
    ),
    "a list along the first axis of an array that is handed in": (
        "JAX203", "def g(x):\n    return x - [1.0, 2.0, 3.0]\ndef f():\n    return g(jnp.ones((3, 8, 8)))\n",
        "use `jnp.array([1.0, 2.0, 3.0]).reshape(3, 1, 1)`",
    ),
    "a list along the last axis of an array": (
        "JAX203", "def f():\n    mean = [1.0, 2.0, 3.0]\n    return jnp.ones((8, 8, 3)) - mean\n",
        "use `jnp.array(mean)`",
    ),
    "a list as an index": (
        "JAX203", "def f():\n    return jnp.ones((3, 8, 8))[[0, 1, 2]]\n", "use `jnp.array([0, 1, 2])`",
    ),
    "what is deleted at a place": (
        "JAX410", "@jax.jit\ndef f(x):\n    return jnp.delete(x, jnp.argmax(x))\n",
        "pass the indices in an array, with `assume_unique_indices=True`",
    ),
    "a store into an item of a row": (
        "JAX201", "def f(n):\n    a = jnp.zeros((n, n))\n    for i in range(n):\n        a[i][n] = 1\n    return a\n",
        "use `a = a.at[i, n].set(1)`",
    ),
    "a store into an item of a row of an object's array": (
        "JAX201", ("class C:\n    def __init__(self, n):\n        self.a = jnp.zeros((n, n))\n    def f(self):\n"
        "        self.a[0][1] += 3\n"),
        "use `self.a = self.a.at[0, 1].add(3)`",
    ),
    "a store into an item of a row of an array that is frozen": (
        "JAX201", ("class C(eqx.Module):\n    a: jax.Array\n    def f(self):\n        self.a[0][1] += 3\n"),
        "use what `self.a.at[0, 1].add(3)` returns",
    ),
    "a store into an item of a row that enumerate counts": (
        "JAX201", ("def f(n, rows):\n    a = jnp.zeros((n, n))\n    for i, row in enumerate(rows):\n"
        "        a[i][1:] = row\n    return a\n"),
        "use `a = a.at[i, 1:].set(row)`",
    ),
    "a store into an item of what may be a selection": (
        "JAX201", "def f(n, m):\n    a = jnp.zeros((n, n))\n    a[m][0] = 1\n    return a\n",
        "use `a = a.at[m, 0].set(1)`, if `m` is one number",
    ),
    "a method that a list has, and a function that stands for it": (
        "JAX205", "def f(n):\n    a = jnp.zeros(n)\n    a.append(1)\n    return a\n",
        "use `a = jnp.append(a, 1)`",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "text", "instead"), WHAT_TO_DO.values(), ids=WHAT_TO_DO)
def test_what_to_do_can_be_done_there(code: str, text: str, instead: str) -> None:
    assert [one.instead for one in said(text, START, code)] == [instead]


FIELDS = [
    ("class S(NamedTuple):", "state = state._replace(pos=state.pos.at[0].set(1.0))"),
    (
        "@dataclasses.dataclass(frozen=True)\nclass S:",
        "state = dataclasses.replace(state, pos=state.pos.at[0].set(1.0))",
    ),
    ("@dataclasses.dataclass\nclass S:", "state.pos = state.pos.at[0].set(1.0)"),
]


@pytest.mark.parametrize(("head", "instead"), FIELDS)
def test_a_field_is_updated_where_that_is_legal(head: str, instead: str) -> None:
    imports = "import dataclasses\nfrom typing import NamedTuple\nimport jax\n"
    text = f"{head}\n    pos: jax.Array\n\ndef f(state: S):\n    state.pos[0] = 1.0\n"
    assert [one.instead for one in said(text, imports)] == [f"use `{instead}`"]


SEQUENCES = [
    ("jnp.mean([1.0, 2.0])", "use `jnp.array([1.0, 2.0])`"),
    ("jnp.mean([jnp.ones(2), jnp.ones(2)])", "use `jnp.stack([jnp.ones(2), jnp.ones(2)])`"),
    ("jnp.prod(x.shape)", "use `math.prod(x.shape)`"),
    ("jnp.max(x.shape)", "use `max(x.shape)`"),
    ("jnp.cumsum(x.shape)", "use `jnp.array(x.shape)`"),
    ("jnp.sum(v for v in x)", "use `jnp.array([v for v in x])`"),
    ("x + [1.0, 2.0]", "use `jnp.array([1.0, 2.0])`"),
    ("jnp.add(x, [1.0])", "use `jnp.array([1.0])`"),
]


@pytest.mark.parametrize(("call", "instead"), SEQUENCES)
def test_a_sequence_becomes_an_array(call: str, instead: str) -> None:
    (found,) = lint_text(f"{HEAD}def f(n):\n    x = jnp.ones((n, n))\n    return {call}\n")
    assert found.message.partition("; ")[2] == instead
    assert " for `" not in found.message


NUMBERS_OF_ELEMENTS = {
    "a list": ("jnp.repeat(x, [1, 2, 3], axis=0)", "use `numpy.array([1, 2, 3])`"),
    "by name": ("jnp.repeat(x, repeats=(1, 2, 3), axis=0)", "use `numpy.array((1, 2, 3))`"),
    "with a length": ("jnp.repeat(x, [1, 2, 3], axis=0, total_repeat_length=6)", "use `jnp.array([1, 2, 3])`"),
    "through a helper": ("jax.vmap(lambda row: helper(row, [1, 2]))(x)", "use `numpy.array(counts)`"),
    "a shape behind what NumPy takes first": (
        "random.uniform(random.key(0), 0, 1, (3,))",
        "pass it as `shape`, behind the key, and what stands there by name",
    ),
    "numbers to choose from": ("random.choice(random.key(0), (1, 2, 3))", "use `jnp.array((1, 2, 3))`"),
    "a generator of a long expression": (
        "jnp.repeat(x, (a_long_name_of_a_count * 2 + 1000 for a_long_name_of_a_count in x.shape * 1000))",
        "make an array of it with NumPy: what `jnp` makes is traced where the call is, and its value is needed",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "instead"), NUMBERS_OF_ELEMENTS.values(), ids=NUMBERS_OF_ELEMENTS)
def test_an_array_that_says_a_size_is_made_by_numpy(call: str, instead: str) -> None:
    text = f"def helper(x, counts):\n    return jnp.repeat(x, counts)\ndef f(x):\n    return {call}\n"
    assert [one.instead for one in said(text, code="JAX203")] == [instead]


STATIC_BESIDE = {
    "nothing": ("jax.jit", 'use `static_argnames=("flag",)`'),
    "a place": ("functools.partial(jax.jit, static_argnums=0)", "use `static_argnums=(0, 2)`"),
    "places": ("functools.partial(jax.jit, static_argnums=(0, 1))", "use `static_argnums=(0, 1, 2)`"),
    "a name": ("functools.partial(jax.jit, static_argnames='self')", 'use `static_argnames=("self", "flag")`'),
    "names": ("functools.partial(jax.jit, static_argnames=['self'])", 'use `static_argnames=("self", "flag")`'),
    "other options": ("functools.partial(jax.jit, donate_argnums=1)", 'use `static_argnames=("flag",)`'),
}


@pytest.mark.parametrize(("decorator", "instead"), STATIC_BESIDE.values(), ids=STATIC_BESIDE)
def test_what_is_static_already_stays_so(decorator: str, instead: str) -> None:
    """Beside `static_argnums` a name holds for what is passed by name alone: a place is added to the places."""
    text = f"@{decorator}\ndef f(self, x, flag):\n    return x * 2 if flag else x\nf(1.0, 2.0, True)\n"
    assert [one.instead for one in said(text, code="JAX406")] == [instead]
    sized = f"@{decorator}\ndef f(self, x, flag):\n    return x + jnp.ones(flag)\nf(1.0, 2.0, 3)\n"
    assert [one.instead for one in said(sized, code="JAX410")] == [instead]


VIEWED = "write into `x` itself, at an index: what is bound to `row` does not reach it"
VIEWS = {
    "a row in a loop": ("for row in x:\n        row[0] = 1.0", [VIEWED]),
    "a numbered row in a loop": ("for i, row in enumerate(x):\n        row[i] += 1.0", [VIEWED]),
    "a row": ("row = x[1]\n    row[0] = 1.0\n    row[1] = 2.0", [VIEWED, VIEWED]),
    "rows of a field": (
        "row = n.pos[1:]\n    n.pos = x\n    row = n.pos[1:]\n    row[0] = 1.0", [VIEWED.replace("`x`", "`n.pos`")]
    ),
    "a row that is read again": ("row = x[1]\n    row[0] = 1.0\n    n(row)", ["use `row = row.at[0].set(1.0)`"]),
    "a row that is given back": (
        "for row in x:\n        row[0] = 1.0\n        n.append(row)", ["use `row = row.at[0].set(1.0)`"]
    ),
    "a copy": ("row = x + 1\n    row[0] = 1.0", ["use `row = row.at[0].set(1.0)`"]),
}


@pytest.mark.parametrize(("lines", "instead"), VIEWS.values(), ids=VIEWS)
def test_a_store_into_a_part_that_nothing_reads_is_meant_for_the_whole(lines: str, instead: list[str]) -> None:
    text = f"def f(n):\n    x = jnp.ones((3, 3))\n    {lines}\n    return x\n"
    assert [one.instead for one in said(text, code="JAX201")] == instead


def test_a_comma_is_deleted() -> None:
    assert [one.instead for one in said("def f():\n    x = jnp.ones(3),\n    return jnp.sum(x)\n")] == [
        "delete the comma at the end of line 2"
    ]


TRUTHS = [
    ("if x > 0 and x < 3: y = 1", "use `jnp.all((x > 0) & (x < 3))` or `jnp.any((x > 0) & (x < 3))`"),
    ("while not x: y = 1", "use `jnp.all(x)` or `jnp.any(x)`"),
    ("assert not (x > 0 or y)", "use `jnp.all(x > 0)` or `jnp.any(x > 0)`"),
    ("y = 1 if not x else 2", "use `jnp.all(x)` or `jnp.any(x)`"),
    ("y = [i for i in range(3) if not x]", "use `jnp.all(x)` or `jnp.any(x)`"),
    ("y = not x", "use `jnp.logical_not(x)`"),
    ("y = x > 0 and x < 3", "use `(x > 0) & (x < 3)`"),
    ("y = x or 3", "use `jnp.logical_or(x, 3)`"),
    ("y = x and y and x > 2", "use `jnp.logical_and(jnp.logical_and(x, y), x > 2)`"),
    ("y = g(not x)", "use `jnp.logical_not(x)`"),
]


@pytest.mark.parametrize(("line", "instead"), TRUTHS)
def test_the_truth_of_an_array_is_one_where_a_test_asks_for_it(line: str, instead: str) -> None:
    text = f"def f(y, g):\n    x = jnp.ones(3)\n    {line}\n    return y\n"
    assert [one.instead for one in said(text, code="JAX209")] == [instead]


PRINTS = [
    ('print("x is", x)', 'use `jax.debug.print("x is {}", x)`, or delete the line'),
    ('print(f"x is {x}")', 'use `jax.debug.print("x is {}", x)`, or delete the line'),
    ('print(f"{x} of {y}")', 'use `jax.debug.print("{} of {}", x, y)`, or delete the line'),
    ('print("%s" % x)', 'use `jax.debug.print("{}", x)`, or delete the line'),
    ('print("{}".format(x))', 'use `jax.debug.print("{}", x)`, or delete the line'),
    ("print(str(x))", 'use `jax.debug.print("{}", x)`, or delete the line'),
    ('logging.info("x %s", x)', 'use `jax.debug.callback(logging.info, "x %s", x)`'),
    ('logging.info(f"x {x}")', 'use `jax.debug.callback(lambda x: logging.info(f"x {x}"), x)`'),
    (
        'logging.info("x %s of %s" % (x, y))',
        'use `jax.debug.callback(lambda x, y: logging.info("x %s of %s" % (x, y)), x, y)`',
    ),
    ('logging.info(f"x {x[0]}")', "hand the values to `jax.debug.callback`, and make the text there"),
    ('print("x", x, sep=": ", flush=True)', 'use `jax.debug.print("x: {}", x)`, or delete the line'),
    (
        'print("x", x, file=sys.stderr)',
        "use `jax.debug.print`, with a format and the values themselves, or delete the line",
    ),
]


@pytest.mark.parametrize(("line", "instead"), PRINTS)
def test_output_is_written_by_the_compiled_code(line: str, instead: str) -> None:
    text = f"import logging\n@jax.jit\ndef f(x, y):\n    {line}\n    return x\n"
    assert [one.instead for one in said(text)] == [instead]


BEFORE = "choose by a static argument, or on the host before the call"
MASKED = f"{BEFORE}, or keep one shape and mask what is not used: neither `lax.cond` nor `jnp.where`"
CHECKED = "use `checkify.check` of `jax.experimental` below a `checkify.checkify`, or test before tracing"
OTHER_SHAPE = f"{MASKED} allows another shape of `y`"
RETURNED = f"{MASKED} allows another shape on each way"
COUNTING = f"{MASKED} helps, as `y` says how many elements there are"
NOTHING = f"{BEFORE}, or by its result: neither `lax.cond` nor `jnp.where` allows a way that returns no array"
TESTS = [
    ("if x > 0:\n        return y\n    return y[:2]", RETURNED),
    ("if x > 0:\n        return y\n    return y[::-1]", "use `return lax.cond(x > 0, lambda: y, lambda: y[::-1])`"),
    ("return y if x > 0 else y[None]", RETURNED),
    ("if x > 0:\n        return y\n    return None", NOTHING),
    ("return 'more' if x > 0 else 'less'", NOTHING),
    ("if x > 0:\n        y = 3\n    else:\n        y = 4\n    y = jnp.arange(y)", COUNTING),
    ("if x > 0:\n        y = 3\n    else:\n        y = 4\n    y = jnp.arange(9)[:y]", COUNTING),
    ("if x == 3:\n        y = None", 'name it static: `static_argnames=("x",)`'),
    ("y = {}\n    if x > 0:\n        y['a'] = x", "set `y['a']` on both ways, to what `jnp.where` chooses"),
    (
        "y = jnp.sin\n    if x > 0:\n        y = jnp.cos\n    y = y(x)",
        "use `lax.cond` with these functions as its arms, in the place of the call of `y`",
    ),
    ("if x > 0:\n        y = 3\n    y = jnp.full(3, y)", "use `y = jnp.where(x > 0, 3, y)`"),
    (
        "y = []\n    while x > 0:\n        x = x - 1\n        y.append(x)",
        "use `lax.while_loop`, and for `y` an array of the most turns there can be: a list cannot grow there",
    ),
    (
        "if y is None or x > 0:\n        y = 1.0",
        "put `y is None` into a test of its own, and use `lax.cond` or `jnp.where` for the rest",
    ),
    ("if x > 0:\n        y = x + 1", "use `y = jnp.where(x > 0, x + 1, y)`"),
    ("if x > 0:\n        y += 1", "use `y = jnp.where(x > 0, y + 1, y)`"),
    ("if x > 0:\n        y = 1.0\n    else:\n        y = x", "use `y = jnp.where(x > 0, 1.0, x)`"),
    ("if x > 0:\n        return x * 2\n    else:\n        return y", "use `return jnp.where(x > 0, x * 2, y)`"),
    ("if x > 0:\n        y = g(x)", "use `y = lax.cond(x > 0, lambda: g(x), lambda: y)`"),
    (
        "if x > 0:\n        y = None",
        f"{BEFORE}: neither `lax.cond` nor `jnp.where` allows `y`, which is no array on one way",
    ),
    ("if x > 0:\n        y = jnp.sort(jnp.append(y, x))", OTHER_SHAPE),
    ("if x > 0:\n        y = y + 1\n    else:\n        y = y[1:]", OTHER_SHAPE),
    ("if x > 0:\n        y = jnp.sum(jnp.append(y, x))", "use `y = jnp.where(x > 0, jnp.sum(jnp.append(y, x)), y)`"),
    ("if x > 0:\n        raise ValueError", CHECKED),
    ("if x == 3:\n        y = {}", 'use `lax.cond`, or name it static: `static_argnames=("x",)`'),
    ("y = x + 1 if x > 0 else 0", "use `jnp.where(x > 0, x + 1, 0)`"),
    (
        "while x > 0:\n        x = x - 1",
        "use `lax.while_loop(cond_fun, body_fun, x)`, which has no reverse-mode gradient",
    ),
    ("assert x > 0", CHECKED),
    ("if x > 0 and y > 0:\n        y = 1", "use `y = jnp.where((x > 0) & (y > 0), 1, y)`"),
    ("if x.any() or y.any():\n        y = 1", "use `y = jnp.where(jnp.logical_or(x.any(), y.any()), 1, y)`"),
    (
        "if not (x > 0) and not (y > 0):\n        y = 1",
        "use `y = jnp.where(jnp.logical_and(jnp.logical_not(x > 0), jnp.logical_not(y > 0)), 1, y)`",
    ),
    ("if x > 0:\n        y = y / x", "use `y = jnp.where(x > 0, y / jnp.where(x > 0, x, 1), y)`"),
    (
        "for _ in range(3):\n        if x > 0:\n            break",
        ("use `lax.while_loop` with this test in its condition, or keep the loop out of traced code"),
    ),
    (
        "for _ in range(3):\n        if x > 0:\n            continue\n        y = g(y)",
        ("run the rest of the turn for all, and keep its results by `jnp.where` with this test"),
    ),
    ("y = (x > 0) or (y > 0)", "use `(x > 0) | (y > 0)`"),
    ("if 0 < x < 1:\n        y = 1", "use `y = jnp.where((0 < x) & (x < 1), 1, y)`"),
    (
        "if 0 < x < 1 and y > 0:\n        y = 1",
        "use `y = jnp.where(jnp.logical_and((0 < x) & (x < 1), y > 0), 1, y)`",
    ),
    (
        "if y > 0 and 0 < x < 1:\n        y = 1",
        "use `y = jnp.where(jnp.logical_and(y > 0, (0 < x) & (x < 1)), 1, y)`",
    ),
    ("y = min(x + 1, y)", "use `jnp.minimum(x + 1, y)`"),
    (
        "if y == 0:\n        return x\n    return x / y",
        "use `return jnp.where(y == 0, x, x / jnp.where(y == 0, 1, y))`",
    ),
    (
        "n = jnp.linalg.norm(x)\n    if n > 0:\n        x = x / n",
        "use `jnp.where`, and keep what `n` is computed from away from 0: else the gradient there is NaN",
    ),
    (
        "match x:\n        case 0:\n            y = 1",
        "use `lax.cond` for each `case`, or `lax.switch` if they count from 0",
    ),
    (
        "z = -x\n    if x > 0:\n        z = z + 1\n        y = 2.0\n        z = z * y\n    y = y * z",
        "use `jnp.where` to choose `z` and `y`, or `lax.cond` with both ways as functions",
    ),
    (
        "if x > 0:\n        x = 1.0\n        y = 0.0\n    y = y * x",
        (
            "use `jnp.where` to choose `x` and `y` by a name for the test, which these change, "
            "or `lax.cond` with both ways as functions"
        ),
    ),
]


@pytest.mark.parametrize(("lines", "instead"), TESTS)
def test_a_test_is_reported_once_with_what_selects(lines: str, instead: str) -> None:
    text = f"@jax.jit\ndef f(x, y):\n    {lines}\n    return y\n"
    assert [one.instead for one in said(text)] == [instead]


def test_code_for_several_libraries_is_told_a_function_of_the_one_it_has() -> None:
    text = (
        "import numpy as np\n@jax.jit\ndef f(x):\n    xp = jnp if isinstance(x, jax.Array) else np\n"
        "    if x > 0:\n        return xp.sqrt(x)\n    return x\n"
    )
    assert [one.instead for one in said(text)] == ["use `xp.where`, which other libraries have, too"]


UNCLEAR = re.compile(r"`(?:chain|ternary|pattern|\.\.\.)`|\bthe key is\b|in one display|arrays made here")
"""Words that told a reader nothing."""


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_what_to_write_is_python(pair: Path) -> None:
    for diagnostic in lint_fixture(pair / "bad.py"):
        reason, _, instead = diagnostic.message.partition("; ")
        assert not UNCLEAR.search(reason), reason
        assert len(diagnostic.message) <= LONGEST, diagnostic.message
        for text in re.findall(r"`([^`]*)`", instead):
            if "..." not in text:
                text = f"[0 {text}]" if text.startswith("for ") else text
                ast.parse(f"{text}\ndef decorated(): ..." if text.startswith("@") else text)


def test_a_name_that_a_later_jax_removed_is_replaced_by_one_that_it_has() -> None:
    source = SourceFile("/nowhere/a.py", "import jax.numpy as jnp\nwhole = jnp.fix(1.5)\n")
    later = lint(source, replace(ALL, jax_version="0.12")).diagnostics
    assert [found.message.partition("; ")[2] for found in later] == ["use `jnp.trunc`"]
    assert lint(source, replace(ALL, jax_target="0.9.2")).diagnostics[0].code == "JAX802"
    assert lint(source, replace(ALL, jax_target="0.8")).diagnostics == ()


SIZED = {
    "jax.ops.segment_sum(x, s)": "give it a `num_segments`, which is then known",
    "jnp.bincount(s)": "give it a `length`, which is then known",
    "jnp.unique(x)": "give it a `size`, the largest number of elements, and a `fill_value` for the rest",
    "jnp.where(x > 0)[0]": "give it a `size`, the largest number of elements, and a `fill_value` for the rest",
    "jnp.unique(x).shape[0]": (
        "count outside of traced code, or where the sorted values differ: a `size` would be counted itself"
    ),
    "len(jnp.nonzero(x)[0])": "use `jnp.count_nonzero`: a `size` would be counted itself",
    "jnp.nonzero(x)[0]": "give it a `size`, the largest number of elements, and a `fill_value` for the rest",
    "jnp.roots(x)": "pass `strip_zeros=False`",
    "jnp.trim_zeros(x)": "keep all elements, or compute it outside of the traced code",
}


@pytest.mark.parametrize("call", SIZED)
def test_what_gives_a_result_a_known_shape_is_what_its_function_takes(call: str) -> None:
    found = said(f"@jax.jit\ndef f(x, s):\n    return {call}\n", code="JAX411")
    assert [one.instead for one in found] == [SIZED[call]]


OF_TWO = {
    "jnp.max(0, x)": "use `jnp.maximum(0, x)`",
    "jnp.min(x, y)": "use `jnp.minimum(x, y)`",
    "jnp.max(x, axis)": 'use `static_argnames=("axis",)`',
    "jnp.sum(x, y)": 'use `static_argnames=("y",)`',
}


@pytest.mark.parametrize("call", OF_TWO)
def test_an_array_for_an_axis_is_the_second_of_two(call: str) -> None:
    found = said(f"@jax.jit\ndef f(x, y, axis):\n    return {call} + axis * y\n", code="JAX410")
    assert [one.instead for one in found] == [OF_TWO[call]]


OF_HOST = {
    "integrate.solve_ivp(jnp.sin, (0, 1), x)": (
        "JAX has no `solve_ivp`: call it outside of traced code, or with `jax.pure_callback`"
    ),
    "integrate.quad(jnp.sin, 0, x)": "JAX has no `quad`: call it outside of traced code, or with `jax.pure_callback`",
    "special.gammaln(x)": "use `jax.scipy.special.gammaln`",
    "stats.norm.pdf(x)": "use `jax.scipy.stats.norm.pdf`",
    "float(jnp.array(x, jnp.float32))": "use `jnp.array(x, jnp.float32).astype(float)`",
}


@pytest.mark.parametrize("call", OF_HOST)
def test_what_stands_for_a_function_of_the_host_is_there(call: str) -> None:
    head = HEAD + "from scipy import integrate, special, stats\n"
    assert [one.instead for one in said(f"@jax.jit\ndef f(x):\n    return {call}\n", head)] == [OF_HOST[call]]


JITTED = "@jax.jit\ndef f(x):\n    return x\n"
CLOCK = "import time\n" + JITTED + "def g(x):\n    start = time.time()\n    {}\n    print(time.time() - start)\n"
DEMANDED = (
    "class C:\n    def {}(self):\n        return {}(self.x)\n"
    "@jax.jit\ndef f(x):\n    c = C()\n    c.x = x\n    return {}(c)\n"
)
OTHERS = {
    "once for all turns": (
        CLOCK.format("for _ in range(9):\n        y = f(x)"),
        "write `jax.block_until_ready(y)` after the loop on line 7",
    ),
    "once for all turns, of which each binds parts": (
        CLOCK.format("for _ in range(9):\n        y, _, z = f(x)"),
        "write `jax.block_until_ready((y, z))` after the loop on line 7",
    ),
    "once for all turns, of which each does two things": (
        CLOCK.format("for _ in range(9):\n        y, z = f(x), x"),
        "write `jax.block_until_ready(y)` after the loop on line 7",
    ),
    "turns that store what they get": (
        CLOCK.format("for _ in range(9):\n        y, x[0] = f(x)"),
        "keep what it gives, and pass it to `jax.block_until_ready` after the loop on line 7",
    ),
    "turns whose result nobody keeps": (
        CLOCK.format("while x:\n        for _ in range(9):\n            f(x)"),
        "keep what it gives, and pass it to `jax.block_until_ready` after the loop on line 7",
    ),
    "no name that is not imported": ("A = jnp.log(2.0)\n", "use `numpy.log`, or make it in a function"),
    "a default": (
        "def f(x, key=random.PRNGKey(0)):\n    return x\n", "let the default be None, and make it in the function"
    ),
    "another seed, which no other key has": (
        ("def f(x):\n    a = random.normal(random.key(0), x.shape)\n    b = random.normal(random.key(0), x.shape)\n"
        "    return a + b * random.normal(random.key(1), x.shape)\n"),
        "use `random.key(2)`, or use one key, and split it",
    ),
    "a key that an object was given": (
        ("class C:\n    def __init__(self, key):\n        self.key = key\n    def run(self):\n"
        "        return random.normal(self.key)\n    def renew(self):\n        self.key, _ = random.split(self.key)\n"
        "def f(key):\n    y = random.uniform(key)\n    e = C(key)\n    return y + e.run()\n"),
        "give `e` a key of its own where it is made",
    ),
    "a branch on the turn": (
        ("@jax.jit\ndef f(x):\n    for i in range(200):\n        late = i % 5 == 0\n        if late:\n"
        "            x = jnp.tan(x)\n        x = jnp.sin(x) * jnp.cos(x)\n    return x\n"),
        "use `lax.fori_loop`, whose carry is what one turn hands to the next, with `lax.cond` for branches on the turn",
    ),
    "a method of Python's": (
        DEMANDED.format("__len__", "int", "len"),
        "give the array by a method of another name: Python demands a value of its own from `__len__`",
    ),
    "texts are no array": (
        "@jax.jit\ndef f(x):\n    return ('a', 'b')[x]\n", "return the index, and pick the item outside of traced code"
    ),
    "a function that cannot be jitted as it stands": (
        ("def rollout(x0, n, names):\n    def step(x, _):\n        return x * 0.5, x\n"
        "    y = lax.scan(step, x0, None, length=n)[0]\n    print(names, y)\n    return y\n"
        "def f(states):\n    for x0 in states:\n        print(rollout(x0, 5, 'x'))\n"),
        "define `step` once, outside of `rollout`",
    ),
    "what runs a function that is handed in": (
        ("def mapped(f, x):\n    return lax.map(f, x)\n"
        "def g(states):\n    for x in states:\n        print(mapped(jnp.sin, x))\n"),
        "put `lax.map` into a function that is jitted once and gets `f` and `x` as arguments (static unless an array)",
    ),
    "what runs one function": (
        ("def mapped(x):\n    return lax.map(jnp.sin, x)\n"
        "def g(states):\n    for x in states:\n        print(mapped(x))\n"),
        "jit `mapped` once, or what calls it",
    ),
    "a call that gives the same on each turn": (
        ("def diagonal(a, n):\n    return lax.fori_loop(0, n, lambda i, x: x * a, a)\n"
        "def g(fields, a):\n    for b in fields:\n        print(b, diagonal(jnp.asarray(a), 3))\n"),
        "call it once, before the loop: nothing that the loop changes is passed",
    ),
    "what a turn draws": (
        ("def g(rates, xs):\n    for rate in rates:\n        print(lax.scan(lambda c, x: (c * rate, x), xs[0], xs))\n"),
        (
            "jit once, before the loop, a function that calls `lax.scan`"
            " and gets `rate` as an argument (static unless an array)"
        ),
    ),
    "options behind a parenthesis too many": (
        "def f(x, y):\n    return x * y\ng = jax.jit(jax.vmap(f), (0, None))\n", "use `jax.jit(jax.vmap(f, (0, None)))`"
    ),
    "options of no transform inside": (
        "def f(x, y):\n    return x * y\ng = jax.jit(f, (0,))\n", "pass options by name"
    ),
    "trees that are to be changed alike": (
        "def twice(v):\n    return v * 2\ndef f(x, y):\n    x, y = jax.tree.map(twice, x, y)\n    return x, y\n",
        "use `jax.tree.map(twice, (x, y))`",
    ),
    "trees of which one comes back": (
        "def f(x, y):\n    return jax.tree.map(jnp.sin, [x], [y])\n",
        "pass one tree, such as a tuple of the 2, or give it 2 parameters",
    ),
    "a gradient that is called later": (
        ("def loss(p, x):\n    return jnp.sum(p * x)\ndef f(p, xs):\n    slope = jax.grad(loss)(p)\n"
        "    return jax.vmap(slope)(p, xs)\n"),
        "use `jax.grad(loss)`",
    ),
    "a gradient that is a value": (
        (
            "def loss(p, x, y):\n    return jnp.sum(p * x * y)\ndef f(p):\n"
            "    slope = jax.grad(loss)(p)\n    return p - slope\n"
        ),
        "pass `x` and `y`, too",
    ),
    "a transform as a context": (
        "def f(x):\n    with jax.grad(enabled=False):\n        return x\n",
        "it returns a function, and is no context: take the `with` away",
    ),
    "a keyword that is almost a parameter": (
        "@jax.jit\ndef f(x, scale=1.0):\n    return x * scale\ndef g(x):\n    return f(x, scael=2.0)\n", "write `scale`"
    ),
    "a keyword that a caller hands in": (
        ("@jax.jit\ndef f(x, scale=1.0):\n    return x * scale\ndef g(x, **options):\n"
        "    return f(x, scale=1.0, **options)\ng(1.0, scael=2.0)\n"),
        "write `scale` in the call that fills `**options`",
    ),
    "a body that serves two loops": (
        ("def f(x, n):\n    def body(c, x=None):\n        return c * 2\n    if n:\n"
        "        return lax.scan(body, x, None, length=3)\n    return lax.fori_loop(0, 3, lambda i, c: body(c), x)\n"),
        "as `body` is used elsewhere, too, pass `lambda carry, x: (body(carry, x), None)`",
    ),
    "a slice of a size that is traced": (
        "@jax.jit\ndef f(x, n):\n    return x[n + 1 :]\n",
        "declare `n` static where `f` is jitted, or keep the whole array and mask it with `jnp.where`",
    ),
    "a slice from a place that is traced": (
        "@jax.jit\ndef f(x, n):\n    return x[0, n : n + 3]\n", "use `lax.dynamic_slice`, of a size that is known"
    ),
    "a bound that is made under jit": (
        ("class C:\n    def __init__(self, n):\n        self.n = jnp.array(n)\n    def cut(self, x):\n"
        "        return x[: self.n * 2]\nc = C(2)\n@jax.jit\ndef f(x):\n    return c.cut(x)\nf(jnp.ones(9))\n"),
        ("make it of numbers of Python, or with `numpy`, if it is known before the call, "
        "else keep the whole array and mask it with `jnp.where`"),
    ),
    "turns that store what no turn reads": (
        ("@jax.jit\ndef f(x):\n    y = jnp.zeros(200)\n    for i in range(200):\n"
        "        y = y.at[i].set(jnp.sum(jnp.sin(x) * jnp.cos(x) * i))\n    return y\n"),
        "compute the values of all turns with `lax.map`, or at once with `jax.vmap`, and store them together",
    ),
    "turns that read what others stored": (
        ("@jax.jit\ndef f(x):\n    y = jnp.zeros(200)\n    for i in range(200):\n"
        "        y = y.at[i].set(jnp.sum(jnp.sin(x) * jnp.cos(y[i - 1])))\n    return y\n"),
        "use `lax.fori_loop`, whose carry is what one turn hands to the next",
    ),
    "turns that hand on what is not known": (
        ("@jax.jit\ndef f(x, step):\n    y = x\n    for i in range(200):\n"
        "        jnp.sin(x) * jnp.cos(x) + jnp.tan(x)\n        y = lax.cond(i > 3, step, jnp.abs, y)\n    return y\n"),
        "use `lax.fori_loop`, whose carry is what one turn hands to the next",
    ),
    "what took the place of a removed name": (
        "def f(x):\n    return jax.device_put_replicated(x, jax.devices())\n",
        (
            "use `jax.device_put` of `jax.numpy.stack([leaf] * len(devices))` for each leaf,"
            " with a `jax.sharding.NamedSharding` over the devices"
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_what_to_do_is_what_works_there(name: str) -> None:
    text, instead = OTHERS[name]
    assert [one.instead for one in said(text)] == [instead]


def test_a_variable_beside_its_setting_is_for_what_is_started() -> None:
    """Nobody who sets both means the variable for this process."""
    text = "import os\ndef f(home):\n    os.environ['JAX_COMPILATION_CACHE_DIR'] = home\n"
    assert [one.place for one in said(text)] == ["3:4"]
    assert said(text + "    jax.config.update('jax_compilation_cache_dir', home)\n") == []


def test_how_many_arguments_are_missing_is_said() -> None:
    text = "@jax.jit\ndef f(a, b, c, d):\n    return a\nf(1.0, 2.0)\nf(1.0, 2.0, 3.0)\nf(1.0, b=2.0)\n"
    assert [one.instead for one in said(text, code="JAX602")] == [
        "pass `c` and `d`, too",
        "pass `d`, too",
        "pass `c` and `d`, too",
    ]


def test_the_rest_that_a_function_never_reads_is_what_its_call_lacks() -> None:
    text = """\
class Model:
    @functools.partial(jax.jit, static_argnums=0)
    def compute_diag_ntk(self, params, batch, nu):
        return params
    def compute_weights(self, params, batch, *args):
        return params
def logged(params, batch, *args):
    return Model().compute_diag_ntk(params, batch)
def read(params, batch, *args):
    return Model().compute_diag_ntk(params, batch), args[0]
"""
    assert [one.instead for one in said(text, code="JAX602")] == ["pass `*args`, too", "pass `nu`, too"]


def test_a_call_that_fits_in_no_way_is_written_anew() -> None:
    """The names of what is passed tell which parameters are filled, and whether the call is of another signature."""
    text = """\
@jax.jit
def unit(normal, dash1, dash2):
    return normal
def of_surface(surface, theta_map, normals, dash2, key):
    unit(surface)
    unit(normals)
    unit(normals, dash2)
    unit(normals, dash2, surface, key)
class Map:
    @functools.partial(jax.jit, static_argnums=0)
    def check_agent_map(self, pos, theta, grid):
        return pos
    def check_circle_map(self, pos, grid, radius=None):
        return pos
    @jax.jit
    def solve(matrix, b, start=None):
        return matrix @ b
    def run(self, test_pos, grid, a, b):
        return self.check_agent_map(test_pos, grid), self.solve(a, b, start=b)
"""
    assert [one.instead for one in said(text, code="JAX602")] == [
        "write the call for what it takes: `normal`, `dash1` and `dash2`",
        "pass `dash1` and `dash2`, too",
        "pass `dash1`, too, before `dash2`",
        "write the call for what it takes: `normal`, `dash1`, `dash2`, or let it take the others, too",
        "pass `theta`, too, before `grid`, or call `check_circle_map`, which takes what is passed",
        "put `@staticmethod` above `jax.jit`, or give it `self` before `matrix`",
    ]


def test_arguments_that_are_too_many_or_called_otherwise() -> None:
    text = """\
class Model:
    def __init__(self):
        self.step = jax.jit(self._step)
    def _step(self, params, obs, rng):
        return params
    def run(self, params, observation, rng, key):
        self.step(self, params, observation, rng)
        self.step(params, observation, key=key)
        self.step(observation, key)
@jax.jit
def scaled(x, *, scale):
    return x * scale
scaled(1.0, 2.0)
jax.jit(lambda: 1)(3)
"""
    assert [one.instead for one in said(text, code="JAX602")] == [
        "leave `self` out, which is bound already",
        "write `rng`",
        "pass `params`, too, before `observation`",
        "pass `scale` by name",
        "pass no arguments",
    ]


UNPACKED = ", and unpack the {} values that it returns"


def test_what_a_call_lacks_beside_its_arguments_is_to_unpack_what_comes_back() -> None:
    text = """\
class Map:
    @functools.partial(jax.jit, static_argnums=0)
    def sample(self, key):
        return key, key + 1
    @functools.partial(jax.vmap, in_axes=(None, 0))
    def place(self, key):
        if self is None:
            return key, key, 0
        return key, key + 1, 1
    def run(self, key, grid):
        case = self.sample(key, grid)
        grid, case = self.sample(key, grid)
        each = self.place(key, grid)
        grads = jax.grad(self.sample)(key, grid)
        return case, each, grads
@jax.jit
def single(key):
    return key
held = single(1.0, 2.0)
"""
    assert [one.instead for one in said(text, code="JAX602")] == [
        f"write the call for what it takes: `key`{unpacked}, or let it take the others, too"
        for unpacked in (UNPACKED.format(2), "", UNPACKED.format(3), "", "")
    ]


def test_a_body_that_lacks_the_index_gets_it_first_unless_it_is_there() -> None:
    text = """\
def f(x, xs):
    a = lax.fori_loop(0, 3, lambda c: c * 2, x)
    b = lax.fori_loop(0, 3, lambda i: xs[i], x)
    c = lax.fori_loop(0, 3, lambda i: xs[i])
    return a, b, c
"""
    assert [one.instead for one in said(text, code="JAX602")] == [
        "use `lambda _, c: c * 2`",
        "use `lambda i, _: xs[i]`",
        "give it 2 parameters, for the index and `init_val`, and pass `init_val`, too",
    ]


def test_a_derivative_takes_a_function_and_what_it_returns_the_arguments() -> None:
    text = """\
def kl(p):
    return jnp.sum(p)
def f(p, v):
    a = jax.grad(kl(p), p, create_graph=True)
    h = jnp.sum(p * v)
    b = jax.grad(h, p)
    c = jax.grad(kl(p), p)
    return a, b, c
"""
    assert [one.instead for one in said(text, code="JAX60")] == [
        "leave it out: `jax.grad` takes a function, and what it returns takes the arguments",
        "pass a function that computes `h`, and its arguments to what `jax.grad` returns",
        "pass `kl` itself, and its arguments to what `jax.grad` returns",
    ]


NOTHING_BOUND = {
    "helper": ("    x.at[0].set(1.0)\n", "return what it makes, and bind that to `x` where the function is called"),
    "summary": (
        "    y = jnp.sin(x)\n    y.max()\n    return y\n",
        "bind what it returns to a name of its own, or delete the line",
    ),
    "element of a loop": (
        "    for row in list(x):\n        row.at[0].set(1.0)\n",
        "collect what it returns in a new list, as `row` stays as it is, or delete the line",
    ),
    "a setting that a loop goes through": (
        "    for rate in (0.1, 0.2):\n        jnp.power(x, rate)\n",
        "bind what it returns to a name; delete the line if nobody needs it",
    ),
    "counter of a loop": (
        "    for i in range(3):\n        jnp.sort(i)\n",
        "bind what it returns to a name; delete the line if nobody needs it",
    ),
    "of what a call gives": (
        "    x.sim.tensor().at[0].set(1.0)\n",
        "hand what it returns to what should hold it, or delete the line",
    ),
    "of a function that makes something else": (
        "    def norm(y):\n        return jnp.sum(y)\n    norm(x)\n    return x\n",
        "bind what it returns to a name; delete the line if nobody needs it",
    ),
    "of a function that updates what it gets": (
        "    def put(y):\n        return y.at[0].set(1.0)\n    put(x)\n    return x\n",
        "use `x = put(x)`",
    ),
    "of a function that binds its parameter anew": (
        "    def half(y):\n        y = y / 2\n        return y\n    half(x)\n    return x\n",
        "use `x = half(x)`",
    ),
    "passed on": ("    y = x + 1\n    lax.stop_gradient(y)\n    return y\n", "use `y = lax.stop_gradient(y)`"),
    "passed on, of a field": (
        "    lax.stop_gradient(x.mask)\n    return x\n",
        "use what it returns where `x.mask` is read, or delete the line",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTHING_BOUND)
def test_what_is_dropped_is_bound_where_that_helps(name: str) -> None:
    """A summary takes no array's place, and a helper's caller sees only what it returns."""
    body, instead = NOTHING_BOUND[name]
    found = said(f"def f(x):\n{body}f(jnp.ones(3))\n" if name == "helper" else f"def f(x):\n{body}", code="JAX202")
    assert [one.instead for one in found] == [instead]


GENERATED = {
    "np.vstack(": "make a list of it, with `list(...)`", "np.sum(": "make an array of it, with `np.array(list(...))`",
}  # fmt: skip


@pytest.mark.parametrize("call", GENERATED)
def test_a_generator_becomes_a_list_under_the_names_of_the_file(call: str) -> None:
    each = "g(x, a_long_argument=a * 100 + 1000, another_long_argument=a * 200 + 2000)"
    found = said(f"def f(g, x):\n    return {call}{each} for a in x)\n", "import jax.numpy as np\n", "JAX203")
    assert [one.instead for one in found] == [GENERATED[call]]


def test_a_static_name_that_no_parameter_has_is_taken_out() -> None:
    text = """\\
@functools.partial(jax.jit, static_argnames=("n", "mode"))
def f(n):
    return n
@functools.partial(jax.jit, static_argnames=("n", "mode"))
def g(x, n):
    return x
@functools.partial(jax.jit, static_argnames=("number", "numbers"))
def h(x, number):
    return x
"""
    assert [one.instead for one in said(text, code="JAX503")] == [
        "take it out", "take it out, unless one of these is meant", "take it out, unless one of these is meant",
    ]  # fmt: skip


CUT = (
    "use `lax.dynamic_slice` where `{}` is static or of a shape, "
    "else keep the whole array and mask it with `jnp.where`"
)
TRACED = "@jax.jit\ndef f(x, n):\n"
CLIPPING = """\
class C:
    @functools.partial(jax.jit, static_argnums=0)
    def f(self, x):
        if self.flags["clip"] and x.max() > 1:
            x = jnp.clip(x, 0, 1)
            self.clipped.append(1)
        return x
"""
MODULE = (
    "import equinox as eqx\nimport jax\nclass Cell(eqx.Module):\n    w: jax.Array\n"
    "    def f(self, {}):\n        return self.w, None\n"
    "    def run(self, xs):\n        return jax.lax.scan(self.f, xs[0], xs)\n"
)
NNX = "import optax\nfrom flax import nnx\nmodel = nnx.Linear(2, 1, rngs=nnx.Rngs(0))\n"
HOISTED = "def g(p, lrs):\n    for lr in lrs:\n        f = jax.jit({})\n        p = f(p)\n    return p\n"
NORMED = (
    "import flax.linen as nn\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n"
    "        return nn.BatchNorm(use_running_average=False)(x)\nnet, x = Net(), jnp.ones((2, 3))\n"
    "v = net.init(random.key(0), x)\n"
)
STATIC_SIZE = "@functools.partial(jax.jit, static_argnums=1)\ndef f(x, n):\n    return jnp.ones(n) + x\n"
STATIC_FIRST = "@functools.partial(jax.jit, static_argnums=0)\ndef f(w, x):\n    return w['p'] + x\n"
NETWORK = (
    "import flax.linen as nn\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, c, x):\n"
    "        return nn.Dense(3)(c) + x\nnet, x = Net(), 1.0\nv = net.init(random.key(0), jnp.ones(3), x)\n"
)
STRUCT = "from flax import struct\n@struct.dataclass\nclass P:\n    w: jax.Array\n"
STEP_OF = (
    "class Agent:\n    def __init__(self, lr):\n        self.lr = lr\n    def update(self, p, b):\n        @jax.jit\n"
    "        def step(p, b):\n            return {}\n        return step(p, b)\n    def loop(self, p, bs):\n"
    "        for b in bs:\n            p = self.update(p, b)\n        return p\n"
)
LAYERS = (
    "import flax.linen as nn\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n{}"
    "        return x\njax.jit(Net().apply)({{}}, jnp.ones(3))\n"
)
BOTH = "compute both ways, and choose with `jnp.where`: parameters that layers make in `lax.cond` cannot leave it"
SITUATIONS = {
    "a branch of layers": (
        LAYERS.format("        if x.sum() > 0:\n            x = nn.Dense(3)(x)\n"), "JAX401", BOTH,
    ),
    "a branch of layers made in setup": (
        LAYERS.format("        if x.sum() > 0:\n            x = self.dense(x)\n"), "JAX401", BOTH,
    ),
    "a choice of layers": (
        LAYERS.format("        x = nn.Dense(3)(x) if x.sum() > 0 else x\n"), "JAX401", BOTH,
    ),
    "a branch without layers": (
        LAYERS.format("        if x.sum() > 0:\n            x = jnp.tanh(x) * 2\n"), "JAX401",
        "use `x = jnp.where(x.sum() > 0, jnp.tanh(x) * 2, x)`",
    ),
    "a branch in a module that has its parameters": (
        ("import equinox as eqx\nclass Net(eqx.Module):\n    dense: eqx.nn.Linear\n    @jax.jit\n"
        "    def __call__(self, x):\n        return self.dense(x) if x.sum() > 0 else x\n"),
        "JAX401", "use `lax.cond(x.sum() > 0, lambda: self.dense(x), lambda: x)`",
    ),
    "an assertion of what is computed there": (
        ("import flax.linen as nn\ndef check(x):\n    assert jnp.all(jnp.greater_equal(x, 0))\n    return x\n"
        "class Net(nn.Module):\n    def __call__(self, x):\n        return check(jnp.einsum('i,j->ij', x, x))\n"),
        "JAX401", "use `checkify.check` of `jax.experimental` below a `checkify.checkify`, or leave it out",
    ),
    "an assertion of what is handed in": (
        LAYERS.format("        assert (x > 0).all()\n"), "JAX401", CHECKED,
    ),
    "layers while something holds": (
        LAYERS.format("        while x.sum() > 1:\n            x = self.dense(x)\n"), "JAX401",
        "use `nn.while_loop`, and call its layers once before it, which makes their parameters",
    ),
    "turns of layers": (
        LAYERS.format("        for _ in range(200):\n            x = jnp.sin(self.dense(x)) + jnp.cos(x)\n"), "JAX505",
        "use `nn.scan`, which makes the parameters of its layers once, and by `variable_axes` for each turn",
    ),
    "turns without layers": (
        LAYERS.format("        for _ in range(200):\n            x = jnp.sin(x) + jnp.cos(x)\n"), "JAX505",
        "use `lax.fori_loop`, whose carry is what one turn hands to the next",
    ),
    "ways that give texts": (
        TRACED + "    if x > 0:\n        return '%s more' % n\n    return '{}'.format(x)\n",
        "JAX401", NOTHING,
    ),
    "one way that gives a text": (TRACED + "    if x > 0:\n        return str(x)\n", "JAX401", NOTHING),
    "ways that give arrays, of which one is made by a method": (
        TRACED + "    y = x.reshape(1)\n    if x > 0:\n        return y + n\n    return y\n", "JAX401",
        "use `return jnp.where(x > 0, y + n, y)`",
    ),
    "an item for a text": (
        TRACED + "    return 'on {}'.format(['a', 'b'][x])\n", "JAX403",
        "return the numbers, and make the text outside of traced code",
    ),
    "a bound that is drawn": (
        ("@jax.jit\ndef f(x):\n    n = random.randint(random.key(0), (), 0, 9)\n    return x[: n * 2]\n"), "JAX410",
        ("make it of numbers of Python, or with `numpy`, if it is known before the call, "
        "else keep the whole array and mask it with `jnp.where`"),
    ),
    "a clock for a key": (
        "import time\n" + TRACED + "    return random.normal(random.PRNGKey(int(time.time())))\n", "JAX304",
        "make the key in the caller, and pass it in as an argument",
    ),
    "a clock": (
        "import time\n" + TRACED + "    return x + time.time()\n", "JAX304",
        "take times in the caller, before the call and after `block_until_ready` of its result",
    ),
    "a clock that is written out": (
        "import time, logging\n" + TRACED + "    logging.info(time.time())\n    return x\n", "JAX304",
        "write it out by `jax.debug.callback`, which runs in each call",
    ),
    "a method of a module, which has no hash": (
        MODULE.format("c, x"), "JAX502", "use `lambda c, x: self.f(c, x)`",
    ),
    "such a method that takes any number of arguments": (
        MODULE.format("*turn"), "JAX502", "wrap it in a function that calls it",
    ),
    "items of an iterator": (
        "items = iter([1, 2])\n" + TRACED + "    for item in items:\n        x = x + item\n    return x\n", "JAX308",
        "pass the items in as an argument, as an array",
    ),
    "a draw of NumPy": (
        "import numpy as np\n" + TRACED + "    return np.random.normal(x)\n", "JAX405",
        WITH_A_KEY.format("x + random.normal(key, ())"),
    ),
    "a test for arrays of NumPy": (
        "import numpy as np\n" + TRACED + "    return x if isinstance(x, np.ndarray) else x * 2\n", "JAX407",
        "use `jax.Array`, which tracers are, or test before the call",
    ),
    "a number of turns in a comprehension": (
        TRACED + "    return jnp.stack([x * i for i in range(2 * x.sum())])\n", "JAX403",
        (
            "take the number of turns from a shape or a static argument: Python makes one element after another while "
            "JAX traces"
        ),
    ),
    "a number of turns that are gathered": (
        TRACED + "    found = []\n    for i in range(x.sum()):\n        found.append(x * i)\n    return found\n",
        "JAX403",
        (
            "take the number of turns from a shape or a static argument, or use `lax.fori_loop` and store into an "
            "array of a known size, with `at[i].set`"
        ),
    ),
    "a number for a log": (
        "import wandb\n" + TRACED + "    wandb.log({'x': float(x)})\n    return x\n", "JAX404",
        "return it, and convert it outside; from traced code `jax.debug.callback` hands values to the host",
    ),
    "a test for numbers": (
        TRACED + "    return x if isinstance(x, int) else x * 2\n", "JAX407",
        "use `x.dtype`, or test before the call, or declare it static",
    ),
    "a time for the name of a file": (
        "import time\n" + TRACED + "    name = str(time.time())\n    return x * len(name)\n", "JAX304",
        "make it in the caller, and pass in what is made of it; what writes files stays out of traced code",
    ),
    "a date": (
        "import datetime\n" + TRACED + "    day = datetime.datetime.now()\n    return x * day.day\n", "JAX304",
        "make it in the caller, and pass in what is made of it; what writes files stays out of traced code",
    ),
    "a call of an older signature": (
        (
            "@jax.jit\ndef f(pos, theta, grid, mask):\n    return pos\n"
            "def run(pos, index, theta):\n    return f(pos, index, theta)\n"
        ),
        "JAX602", "write the call for what it takes: `pos`, `theta`, `grid` and `mask`",
    ),
    "a carry with fewer axes": (
        "c = lax.fori_loop(0, 3, lambda i, c: c.sum(), jnp.zeros(2))\n", "JAX604",
        "start from the shape that the body returns, or return the one that it starts from",
    ),
    "a carry that grows": (
        "c = lax.fori_loop(0, 3, lambda i, c: jnp.append(c, i), jnp.zeros(2))\n", "JAX604",
        "keep its shape: update in place with `.at[...].set`, or return what grows beside the carry",
    ),
    "an axis that is not there": (
        "y = jax.vmap(lambda v: v, in_axes=1)(jnp.ones(3))\n", "JAX605",
        "use an axis that it has, or set its entry of `in_axes` to `None`",
    ),
    "a map over one number": ("y = lax.map(lambda v: v, 3.0)\n", "JAX613", "pass an array with a leading axis"),
    "a class to differentiate by": (
        "class C:\n    pass\ndef loss(c, x):\n    return x.sum()\ny = jax.jit(jax.grad(loss))(C, jnp.ones(3))\n",
        "JAX611",
        "pass the arrays to differentiate by in its place",
    ),
    "a method that changes an array": (
        "x = jnp.zeros(3)\nx.fill(1.0)\n", "JAX205",
        "use `x = jnp.full_like(x, 1.0)`",
    ),
    "a store into the flat view": (
        "x = jnp.zeros(3)\nx.flat[0] = 1.0\n", "JAX205",
        "use `x = jnp.ravel(x).at[...].set(...).reshape(x.shape)`",
    ),
    "a read of the flat view": ("x = jnp.zeros(3)\ny = list(x.flat)\n", "JAX205", "use `jnp.ravel(x)`"),
    "an update by a function of NumPy": (
        "import numpy as np\nx = jnp.zeros(3)\nnp.maximum.at(x, 0, 1.0)\n", "JAX205",
        "use `x = x.at[0].max(1.0)`, or `np.maximum.at` on an array of NumPy",
    ),
    "an array and a number as one": (
        "y = jnp.max((jnp.ones(3), 1))\n", "JAX203", "make arrays of one shape of its parts, and stack these"
    ),
    "an effect below a test": (
        "def note(x):\n    pass\n" + TRACED + "    if x > 0:\n        note(x)\n    return x\n", "JAX401",
        "use `lax.cond`, in whose arms `jax.debug.print` and `jax.debug.callback` may stand",
    ),
    "a test of all elements": (
        TRACED + "    if all(x > 0):\n        x = x + 1\n    return x\n", "JAX402",
        ("use `jnp.all` for the test, and use `jnp.where` to choose `x`, "
        "or `lax.cond` with both ways as functions"),
    ),
    "a filter of elements": (
        TRACED + "    return [i for i, drop in zip(range(3), x > 0) if not drop]\n", "JAX402",
        "keep all elements, and choose with `jnp.where` between what they give",
    ),
    "entries of a dict": (
        TRACED + "    if x > 0:\n        n['a'] = x\n    else:\n        n['b'] = x\n    return n\n", "JAX401",
        "set `n['a']` and `n['b']` on both ways, to what `jnp.where` chooses",
    ),
    "a list that may grow": (
        TRACED + "    found = []\n    if x > 0:\n        found.append(x)\n    return found\n", "JAX401",
        "append to `found` on both ways, and keep a mask of what counts: how long a list is must be known before",
    ),
    "a record of a library": (
        ("import optax\nfrom flax.training import train_state\n"
        "def f(params, grads):\n    state = train_state.TrainState.create(apply_fn=None, params=params, "
        "tx=optax.sgd(0.1))\n    state.apply_gradients(grads=grads)\n    return state\n"), "JAX202",
        "bind what it returns to `state`",
    ),
    "an update of an optimizer": (
        ("import optax\ndef f(params, grads):\n    opt = optax.sgd(0.1)\n    state = opt.init(params)\n"
        "    opt.update(grads, state)\n    return state\n"), "JAX202",
        "bind what it returns to a name; delete the line if nobody needs it",
    ),
    "a filter whose elements are counted": (
        TRACED + "    return len([i for i in x if i > 0])\n", "JAX401",
        "keep all elements, and count with `jnp.count_nonzero` for which of them the test holds",
    ),
    "a filter of ones that are added up": (
        TRACED + "    return sum(1 for i in x if i > 0)\n", "JAX401",
        "keep all elements, and count with `jnp.count_nonzero` for which of them the test holds",
    ),
    "a filter of elements that are added up": (
        TRACED + "    return sum(i for i in x if i > 0)\n", "JAX401",
        "keep all elements, and add up what `jnp.where` gives, with 0 where the test fails",
    ),
    "one of some functions": (
        TRACED + "    fs = [jnp.sin, jnp.cos]\n    return fs[n](x)\n", "JAX403", "use `lax.switch(n, fs, x)`",
    ),
    "one of some functions by name": (
        "FS = {0: jnp.sin}\n" + TRACED + "    return FS[n](x)\n", "JAX403",
        "use `lax.switch`, which takes the functions in a list",
    ),
    "one of some functions that is called later": (
        TRACED + "    f = [lambda v: v, jnp.cos][n]\n    return f(x)\n", "JAX403",
        "use `lax.switch`, which takes the functions in a list",
    ),
    "one of some numbers": (
        TRACED + "    sizes = [1.0, 2.0]\n    return x * sizes[n]\n", "JAX403", "use `jnp.array(sizes)[n]`",
    ),
    "the best of some": (
        TRACED + "    best = None\n    for one in x:\n        if best is None or one > best:\n            best = one\n"
        "    return best\n", "JAX401",
        "put `best is None` into a test of its own, and use `lax.cond` or `jnp.where` for the rest",
    ),
    "a model from outside that is given a state": (
        NNX + "@nnx.jit\ndef loss(params, x):\n    nnx.update(model, params)\n    return model(x).sum()\n"
        "@jax.jit\ndef step(params, x):\n    return jax.value_and_grad(loss)(params, x)\nstep(nnx.state(model), 1.0)\n",
        "JAX614",
        "make the model there by `nnx.merge(graphdef, params)`, with the `graphdef` of a `nnx.split` outside",
    ),
    "an optimizer from outside": (
        NNX + "opt = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)\n"
        "@jax.jit\ndef step(grads):\n    opt.update(model, grads)\nstep(nnx.state(model))\n",
        "JAX614", "pass it as an argument, under `flax.nnx.jit`",
    ),
    "a module that a step of a scan updates": (
        NNX + "opt = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)\n"
        "def step(carry, grads):\n    model, opt, x = carry\n    opt.update(model, grads)\n    return x, None\n"
        "def train(grads):\n    return jax.lax.scan(step, (model, opt, 1.0), grads)\n",
        "JAX614", "use `flax.nnx.scan`, or return its state",
    ),
    "a text beside a traced test": (
        ("@jax.jit\ndef f(x, n: str = 'a'):\n    if n in ('a', 'b') and jnp.any(x > 0):\n        return x * 2\n"
        "    return x\n"),
        "JAX401",
        "use `return jnp.where(jnp.logical_and(n in ('a', 'b'), jnp.any(x > 0)), x * 2, x)`",
    ),
    "a text that is not there beside a traced test": (
        TRACED + "    if None not in [n] and x.sum() > 0:\n        x = x * 2\n    return x\n", "JAX401",
        "use `x = jnp.where((None not in [n]) & (x.sum() > 0), x * 2, x)`",
    ),
    "numbers beside a traced test": (
        TRACED + "    if x in (1, 2) and x.sum() > 0:\n        x = x * 2\n    return x\n", "JAX402",
        "use `x = jnp.where((jnp.isin(x, jnp.array([1, 2]))) & (x.sum() > 0), x * 2, x)`",
    ),
    "a text beside the arrays that are returned": (
        TRACED + "    if x == 0:\n        return x, 'none'\n    return x + 1, 'moved'\n", "JAX401",
        ("return the arrays alone, and make the texts outside of traced code: "
        "neither `lax.cond` nor `jnp.where` allows a text"),
    ),
    "a field of what callers hand in": (
        STRUCT + "def f(x, p: P):\n    p.w = 0.9 * p.w + x\n    return x + p.w\n", "JAX614",
        "make a changed copy, by its `replace`, and hand it on",
    ),
    "a field of what is given back": (
        STRUCT + "def f(x, p: P):\n    p.w = 0.9 * p.w + x\n    return x, p\n", "JAX614",
        "use `p = p.replace(w=0.9 * p.w + x)`",
    ),
    "a field that setup makes": (
        ("import flax.linen as nn\nclass Net(nn.Module):\n    def setup(self):\n        self.dense = nn.Dense(3)\n"
        "net = Net()\nprint(net.dense)\n"), "JAX614",
        "read it of what `net.bind` makes of the variables, or make it a field of `Net`",
    ),
    "a rule for what a call returns": (
        "def square(x):\n    return x * x\nsquared = jax.custom_jvp(square)\nprint(squared(1.0))\n", "JAX608",
        "define one with `squared.defjvp(...)`, or leave out `jax.custom_jvp`",
    ),
    "a rule for what a decorator returns": (
        "@jax.custom_vjp\ndef square(x):\n    return x * x\nprint(square(1.0))\n", "JAX608",
        "define one with `square.defvjp(...)`, or leave out `jax.custom_vjp`",
    ),
    "a rule for what nobody names": (
        "def square(x):\n    return x * x\nprint(jax.custom_vjp(square)(1.0))\n", "JAX608",
        "define one with its method `defvjp`, or leave out `jax.custom_vjp`",
    ),
    "more arguments than a loss takes": (
        "def loss(w):\n    return w * 2\ndef f(w, x, y):\n    return jax.value_and_grad(loss)(w, x, y)\n", "JAX602",
        "write the call for what it takes: `w`, or let it take the others, too",
    ),
    "a constant that is indexed": (
        "TABLE = jnp.array([1.0, 2.0])\ndef f(i):\n    return TABLE[i]\n", "JAX901",
        "use `numpy.array`, and `jnp.asarray(TABLE)` where a traced index reads it, or make it in a function",
    ),
    "a constant whose first element is read": (
        "TABLE = jnp.array([1.0, 2.0])\ndef f(i):\n    return TABLE[0] * i\n", "JAX901",
        "use `numpy.array`, or make it in a function",
    ),
    "a constant with which a function computes": (
        "def decay(t):\n    return jnp.exp(-t)\nclass Net:\n    low = float(decay(jnp.array(0.0)))\n", "JAX901",
        "move it into a function that is called later",
    ),
    "a constant of another shape": (
        "TABLE = jnp.ones(9).reshape(3, 3)\n", "JAX901", "use `numpy.ones`, or make it in a function",
    ),
    "a loop that adds to one element": (
        ("def f(x):\n    for i in range(500):\n        x = x.at[0].add(jnp.sin(x[1]) * 2)\n    return x\n"
        "print(f(jnp.ones(3)))\n"), "JAX703", "use `lax.fori_loop` under `jax.jit`",
    ),
    "a loop that stores each element": (
        ("def f(x):\n    for i in range(500):\n        x = x.at[i].add(jnp.sin(x[1]) * 2)\n    return x\n"
        "print(f(jnp.ones(3)))\n"), "JAX703",
        "collect the values and make one array of them, or use `lax.fori_loop` under `jax.jit`",
    ),
    "a loop that collects": (
        ("def f(x):\n    ys = []\n    for i in range(500):\n        x = jnp.sin(x) * 2 + jnp.cos(x)\n"
        "        ys.append(x)\n    return ys\nprint(f(jnp.ones(3)))\n"),
        "JAX703", "use `lax.scan`, or at least put a turn under `jax.jit`",
    ),
    "a field that a step made in each call reads": (
        STEP_OF.format("p - self.lr * b"), "JAX501",
        "jit once, outside of `update`, a function that gets `self.lr` as an argument (static unless an array)",
    ),
    "a method that a step made in each call runs": (
        STEP_OF.format("self.loss(p, b) - self.lr"), "JAX501",
        "jit once, outside of `update`, a function that gets `self` as an argument (static unless an array)",
    ),
    "a loop of JAX some calls below": (
        ("def settled(x):\n    def is_far(c):\n        return c < x\n    def halved(c):\n        return c + x\n"
        "    print(float(x))\n    return lax.while_loop(is_far, halved, x)\n"
        "def loss(x):\n    return settled(x).sum()\nfor i in range(99):\n    loss(jnp.ones(()) * i)\n"), "JAX501",
        ("put `lax.while_loop` into a function that is jitted once and gets what differs as arguments "
        "(static unless an array), or jit once what calls `settled`"),
    ),
    "a static dict of arrays": (
        STATIC_FIRST + "w = {'p': jnp.ones(3)}\nprint(f(w, 1.0))\n", "JAX502",
        "take `w` out of the static arguments: JAX traces the arrays in it",
    ),
    "a static dict with an array in it": (
        STATIC_FIRST + "print(f({'p': jnp.ones(3), 'mode': 'train'}, 1.0))\n", "JAX502",
        "pass its arrays as arguments of their own, which JAX traces",
    ),
    "a static dict of numbers": (
        STATIC_FIRST + "print(f({'p': 3}, 1.0))\n", "JAX502",
        "pass a tuple of its items, of which a dict is made there, or a frozen dataclass",
    ),
    "variables of a network by their name": (
        NETWORK + "print(net.apply(x, params=w.params))\n", "JAX602",
        'pass the variables first, as `{"params": w.params}`, and the arguments of the network behind them',
    ),
    "what init gave by its name": (
        NETWORK + "print(net.apply(x, params=v))\n", "JAX602",
        "pass the variables first, as `v`, and the arguments of the network behind them",
    ),
    "a network that gets nothing": (
        NETWORK + "print(net.apply(v))\n", "JAX602", "pass `c` and `x` behind the variables",
    ),
    "a network that gets a tuple": (
        NETWORK + "print(net.apply(v, (x, 1.0)))\n", "JAX602",
        "pass the parts of the tuple one by one: `x, 1.0`",
    ),
    "a function that gets a tuple": (
        "def f(x, y):\n    return x + y\nprint(jax.vmap(f)((jnp.ones(2), jnp.ones(2))))\n", "JAX602",
        "pass the parts of the tuple one by one: `jnp.ones(2), jnp.ones(2)`",
    ),
    "sizes that functions of JAX computed": (
        ("@jax.jit\ndef f(tree):\n    leaves = jax.tree.leaves(tree)\n"
        "    ends = jnp.cumsum(jnp.asarray([one.size for one in leaves]))\n"
        "    return jnp.split(leaves[0], ends)\n"), "JAX410",
        ("make it of numbers of Python, or with `numpy`, if it is known before the call, "
        "else use the size of another array, or the largest one with a mask"),
    ),
    "layers that a loop of JAX switches between": (
        ("def forward(x, n):\n    ways = []\n    for i in range(n):\n        ways.append(lambda v, k=i: v * k)\n"
        "    def body(c, i):\n        return lax.switch(i, ways, c) * x, None\n    print(float(x.sum()))\n"
        "    return lax.scan(body, x, jnp.arange(n))[0]\n"
        "for i in range(99):\n    forward(jnp.ones(3) * i, 3)\n"), "JAX501",
        ("put `lax.scan` into a function that is jitted once and gets `x` and `ways` as arguments "
        "(static unless an array)"),
    ),
    "a function of a loop that reads what its turn makes": (
        ("def mapped(f, xs):\n    return lax.map(f, xs)\ndef g(xs):\n    for i in range(100):\n"
        "        w = jnp.cos(i * xs)\n        def f(x):\n            return (w * x).sum()\n"
        "        print(mapped(f, xs))\n"),
        "JAX501",
        ("put `lax.map` into a function that is jitted once and gets `f` and `xs` as arguments "
        "(static unless an array); make `f` before the loop, too, with `w` as an argument"),
    ),
    "an argument that may be None": (
        "@jax.jit\ndef f(x, y=None):\n    if y:\n        x = x + y\n    return x\nf(1.0, jnp.ones(3))\n",
        "JAX401",
        "use `y is not None`",
    ),
    "an argument that is not there": (
        "@jax.jit\ndef f(x, *, y=None):\n    return x if not y else x + y\nf(1.0, y=jnp.ones(3))\n",
        "JAX402",
        "use `y is None`",
    ),
    "an argument that is an array": (
        "@jax.jit\ndef f(x, y):\n    return x if y else x + 1\nf(1.0, jnp.ones(()))\n",
        "JAX401",
        "use `jnp.where(y, x, x + 1)`",
    ),
    "a static argument of what is traced itself": (
        STATIC_SIZE + "@jax.jit\ndef g(x, n):\n    return f(x, n)\ng(1.0, 3)\n", "JAX502",
        "declare `n` static where `g` is jitted, too",
    ),
    "a static argument that is computed": (
        STATIC_SIZE + "@jax.jit\ndef g(x):\n    return f(x, x.sum())\ng(jnp.ones(3))\n", "JAX502",
        "compute it outside of traced code: `f` needs its value",
    ),
    "a static argument that is an array": (
        STATIC_SIZE + "f(1.0, jnp.ones(3))\n", "JAX502",
        "pass a number or a tuple of numbers: `f` needs its value",
    ),
    "fields that a function inside a step made in each call reads": (
        STEP_OF.format("jax.grad(lambda p: self.model(p, b))(p) * self.lr"), "JAX501",
        "jit once, outside of `update`, a function that gets `self` as an argument (static unless an array)",
    ),
    "statistics that a call may not change": (
        NORMED + "print(net.apply(v, x))\n", "JAX614",
        'pass `mutable=["batch_stats"]`, and unpack the pair that it returns',
    ),
    "statistics that a call is not given": (
        NORMED + "y = net.apply({'params': v['params']}, x)\n", "JAX614",
        'pass `mutable=["batch_stats"]`, give `batch_stats` among the variables, and unpack the pair that it returns',
    ),
    "statistics that nobody gives, of a pair": (
        NORMED + "y, new = net.apply({'params': v['params']}, x)\n", "JAX614",
        'pass `mutable=["batch_stats"]`, and give `batch_stats` among the variables',
    ),
    "a text that a branch of cond makes": (
        ("def show(n, empty):\n    kind = jnp.asarray(n) // 9\n    def text():\n        if kind == 1:\n"
        "            return 'one'\n        return 'more'\n    return lax.cond(empty, lambda: '', text)\n"), "JAX401",
        "write the `lax.cond` on line 7 as an `if` of Python: its branches may give arrays alone",
    ),
    "an axis that a mesh does not have": (
        ("def total(a):\n    return lax.psum(a, 'y')\nmesh = jax.make_mesh((1,), ('x',))\n"
        "S = jax.sharding.PartitionSpec\n"
        "print(jax.shard_map(total, mesh=mesh, in_specs=S('x'), out_specs=S())(jnp.ones(4)))\n"), "JAX605",
        "name `x`, or bind `y` where `x` is bound",
    ),
    "an axis of a map": (
        "def total(a):\n    return lax.psum(a, 'j')\nprint(jax.vmap(total, axis_name='i')(jnp.ones(4)))\n", "JAX605",
        "name `i`, or bind `j` where `i` is bound",
    ),
    "an axis that nothing binds": (
        "def total(a):\n    return lax.psum(a, 'j')\nprint(jax.vmap(total)(jnp.ones(4)))\n", "JAX605",
        'bind it by `axis_name="j"` of the `vmap` or `pmap` around',
    ),
    "an argument that is made below the call": (
        "@jax.jit\ndef f(x, table):\n    return x\nf(1.0)\ntable = jnp.ones(3)\nprint(f(1.0, table))\n", "JAX602",
        "pass `table`, too, which is made on line 5, below: move the call behind it",
    ),
    "an argument that is made above the call": (
        "@jax.jit\ndef f(x, table):\n    return x\ntable = jnp.ones(3)\nf(1.0)\n", "JAX602",
        "pass `table`, too",
    ),
    "a whole number of the host": (
        TRACED + "    return n[math.floor(x / 2)]\n", "JAX404", "use `jnp.floor(x / 2).astype(int)`",
    ),
    "a number of the host": (TRACED + "    return n * math.exp(x)\n", "JAX404", "use `jnp.exp(x)`"),
    "a partial of what a loop goes through, called as its parameter": (
        HOISTED.format("functools.partial(lambda lr, p: p - lr, lr)"), "JAX501",
        "jit the function once, and pass what the partial binds as arguments (static unless an array)",
    ),
    "a default that a loop goes through": (
        HOISTED.format("lambda p, lr=lr: p - lr"), "JAX501",
        "jit it once, before the loop, and pass `lr` as an argument (static unless an array)",
    ),
    "a default that is a number": (
        HOISTED.format("lambda p, k=2: p * k"), "JAX501", "move `f = jax.jit(lambda p, k=2: p * k)` before line 2",
    ),
    "a parameter that is called like what a loop goes through": (
        HOISTED.format("lambda lr: lr * 2"), "JAX501", "move `f = jax.jit(lambda lr: lr * 2)` before line 2",
    ),
    "the larger of two numbers": (
        "def g(xs, k):\n    return jax.vmap(lambda x: x if x > k else k)(xs)\n", "JAX401",
        "use `jnp.where(x > k, x, k)`",
    ),
    "one of two that a test does not compare": (
        "def g(xs, k):\n    return jax.vmap(lambda x: x if x > 0 else k)(xs)\n", "JAX401",
        "use `lax.cond(x > 0, lambda: x, lambda: k)`",
    ),
    "a turn that is left out of a loop that changes its argument": (
        ("@jax.jit\ndef f(x):\n    for i in range(3):\n        x = x - 1\n        if x == 5:\n            continue\n"
        "        x = x * 2\n    return x\n"), "JAX401",
        "run the rest of the turn for all, and keep its results by `jnp.where` with this test",
    ),
    "a debugger that was forgotten": (
        TRACED + "    breakpoint()\n    return x\n", "JAX304", "delete it, or use `jax.debug.breakpoint()`",
    ),
    "a test of which Python knows a part": (
        CLIPPING, "JAX401",
        ("use `jnp.where` to choose `x`, or `lax.cond` with both ways as functions, "
        "and join the tests by `jnp.logical_and`"),
    ),
    "the places where NumPy finds something": (
        "import numpy as np\n" + TRACED + "    return np.where(x > 0)[0]\n", "JAX405",
        "use `jnp.where` with a `size`, the largest number of elements",
    ),
    "numbers from a traced one on": (
        TRACED + "    best = x.argmax()\n    return x[jnp.arange(best, best + 5)]\n", "JAX410",
        "use `best + jnp.arange(5)`",
    ),
    "a slice of a size that may be known": (
        "@jax.jit\ndef f(x, n, m):\n    return x[n : n + m] + m\n", "JAX410",
        CUT.format("m"),
    ),
    "a slice of a known size": (
        TRACED + "    return x[n : n + 3]\n", "JAX410", "use `lax.dynamic_slice_in_dim(x, n, 3)`"
    ),
    "a slice of as many elements, wherever it begins": (
        TRACED + "    m = 4\n    end = (n + 1) * m\n    return x[n * m : end]\n", "JAX410",
        "use `lax.dynamic_slice_in_dim(x, n * m, m)`",
    ),
    "a slice along another axis": (
        TRACED + "    return x[:, n - 2 : n]\n", "JAX410", "use `lax.dynamic_slice_in_dim(x, n - 2, 2, axis=1)`"
    ),
    "a slice along the last axis": (
        TRACED + "    return x[..., n : n + 2]\n", "JAX410", "use `lax.dynamic_slice_in_dim(x, n, 2, axis=-1)`"
    ),
    "two slices from one place on": (
        "@jax.jit\ndef f(x, y, n):\n    return x[n : n + 3] + y[n : n + 3]\n", "JAX410",
        "use `lax.dynamic_slice_in_dim(x, n, 3)`, and the like beside it",
    ),
    "a slice whose end was computed before its start moved": (
        TRACED + "    end = n + 4\n    n = n + 1\n    return x[n:end]\n", "JAX410", 'use `static_argnames=("n",)`'
    ),
    "a store into a slice of a known size": (
        TRACED + "    return x.at[n : n + 3].set(0)\n", "JAX410",
        "store what has a known size with `lax.dynamic_update_slice`, or select it with `jnp.where`",
    ),
    "a size under a mapping over devices": (
        "@functools.partial(jax.pmap, axis_name='i')\ndef f(x, n):\n    return jnp.pad(x, n)\n", "JAX410",
        "use `static_broadcasted_argnums=(1,)`",
    ),
    "a size beside what is static under a mapping over devices": (
        ("def g(x, n):\n    return jnp.pad(x, n)\ndef f(x, m, n):\n    return g(x, n) * m\n"
        "h = jax.pmap(f, static_broadcasted_argnums=1)\n"), "JAX410",
        "use `static_broadcasted_argnums=(1, 2)`",
    ),
    "a size that is passed by name alone under a mapping over devices": (
        "@jax.pmap\ndef f(x, *, n):\n    return jnp.zeros(n) + x\n", "JAX410",
        "name its place in `static_broadcasted_argnums`, or take the number from a shape",
    ),
    "a size in a function that is jitted under a name of its own": (
        "from jax import jit\n@jit\ndef f(x, n):\n    return jnp.zeros(n + 1) + x\n", "JAX410",
        'use `static_argnames=("n",)`',
    ),
    "a pair that holds the function": (
        "def f(x):\n    back = jax.vjp(jnp.sin, x)\n    return jax.vmap(back)(x)\n", "JAX606",
        "use `back[1]`, the item that is a function",
    ),
    "a body that is made anew for each request": (
        ("from flask import Flask\napp = Flask('a')\n@app.route('/')\ndef start():\n"
        "    def body(c, x):\n        return c + x, None\n    return lax.scan(body, 0.0, jnp.ones(3))\n"), "JAX501",
        "define `body` once, outside of `start`",
    ),
    "a derivative for each of many examples": (
        ("def loss(p, x, y):\n    return jnp.sum(p * x - y)\n"
        "def f(p, x, y):\n    return jax.vmap(jax.value_and_grad(loss, 0)(p, x, y))\n"), "JAX606",
        "use `jax.vmap(jax.value_and_grad(loss, 0), in_axes=(None, 0, 0))(p, x, y)`",
    ),
    "a choice that is given an operand before a function": (
        "def f(pred, x, g):\n    return lax.cond(pred, (x, x), g, x, operand=None)\n", "JAX606",
        "pass the functions of both ways first, and what they take behind them",
    ),
    "a size that differs in each lane": (
        ("def f(x, ns):\n    def g(n):\n        return x[: len(x) // n].sum()\n    return jax.vmap(g)(ns)\n"), "JAX410",
        ("keep the whole array and mask it with `jnp.where`, or "
        "call `g` in a loop of Python, with numbers, in place of `jax.vmap`: a size cannot be mapped"),
    ),
    "a size that is a field of what is traced": (
        ("import flax\n@flax.struct.dataclass\nclass C:\n    n: int\n    w: jax.Array\n@jax.jit\ndef f(c: C):\n"
        "    return jnp.zeros(c.n) + c.w\n"), "JAX410",
        "make `n` a static field of its class, or pass it as a static argument of its own",
    ),
    "a helper's store": (
        "def fill(buffer):\n    buffer[0] = 1.0\nb = jnp.zeros(3)\nfill(b)\n", "JAX201",
        "return what `buffer.at[0].set(1.0)` makes, and bind that to `buffer` where the function is called",
    ),
    "a store by a traced mask": (
        TRACED + "    x[x > 0] = 0\n    return x\n", "JAX201", "bind what `jnp.where(x > 0, ..., x)` returns to `x`"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_is_said_is_for_the_situation(name: str) -> None:
    text, code, instead = SITUATIONS[name]
    assert [one.instead for one in said(text, code=code)] == [instead]


ORDERS = {
    "jax.tree.map(p, x, lambda a, b: a - b)": "use `jax.tree.map(lambda ..., p, x)`",
    "jax.tree.map(p, x)": "pass a function for `p`",
    "lax.fori_loop(0, 3, p, loss)": "use `lax.fori_loop(0, 3, loss, p)`",
}


@pytest.mark.parametrize("call", ORDERS)
def test_a_function_that_stands_elsewhere_is_put_where_it_is_due(call: str) -> None:
    text = f"def loss(i, c):\n    return c\ndef f(p, x):\n    return {call}\nf({{'a': 1.0}}, {{'a': 2.0}})\n"
    assert [one.instead for one in said(text, code="JAX606")] == [ORDERS[call]]


OF_CALLS = {
    "jax.jit(loss, p, x)": "pass the arguments to what `jax.jit` returns",
    "lax.cond(p > 0, loss, loss, p)": "pass one for each of its parameters, `p`, `x`, or bind the others by a lambda",
    "jax.vjp(loss, p)": "pass one for each of its parameters, `p`, `x`, or bind the others by a lambda",
    "jax.tree.map(loss, p)": "pass one for each of its parameters, `p`, `x`, or bind the others by a lambda",
    "jax.vmap(loss, axis=1)": "use `jax.vmap(loss, in_axes=1)`",
    "jax.pmap(loss, axis='i')": "use `jax.pmap(loss, axis_name='i')`",
    "jax.pmap(loss, static_argnums=1)": "use `jax.pmap(loss, static_broadcasted_argnums=1)`",
    "jax.jit(loss, static_args=('x',))": "use `jax.jit(loss, static_argnames=('x',))`",
    "jax.value_and_grad(loss, has_auxiliary=True)": "use `jax.value_and_grad(loss, has_aux=True)`",
    "jax.hessian(loss, static_argnums=1)": (
        "leave it out, or write what is meant: it takes `fun`, `argnums`, `has_aux`, `holomorphic`"
    ),
    "jax.hessian(loss, save=True)": (
        "leave it out, or write what is meant: it takes `fun`, `argnums`, `has_aux`, `holomorphic`"
    ),
}


@pytest.mark.parametrize("call", OF_CALLS)
def test_a_transform_is_called_as_it_can_be(call: str) -> None:
    text = f"def loss(p, x):\n    return (p * x).sum()\ndef f(p, x):\n    return {call}\n"
    assert [one.instead for one in said(text, code="JAX602")] == [OF_CALLS[call]]


OF_LAMBDAS = {
    "jax.tree.map(lambda a, b, r: a + b, p, x)": "drop the parameter `r`, which the lambda does not read",
    "jax.tree.map(lambda a, r, s: a, p)": "drop the parameters `r`, `s`, which the lambda does not read",
    "jax.tree.map(lambda a, b, r: a + b * r, p, x)": (
        "pass one for each of its parameters, `a`, `b`, `r`, or bind the others by a lambda"
    ),
    "lax.fori_loop(0, 3, lambda i, c, r: c, x)": "drop the parameter `r`, which the lambda does not read",
}


@pytest.mark.parametrize("call", OF_LAMBDAS)
def test_a_lambda_takes_no_more_than_it_reads(call: str) -> None:
    text = f"def f(p, x):\n    return {call}\n"
    assert [one.instead for one in said(text, code="JAX602")] == [OF_LAMBDAS[call]]


def test_what_is_mapped_needs_an_axis_for_each_argument() -> None:
    text = (
        "class Net:\n    def one(self, w):\n        return w * 2\n"
        "    def all(self, w, s):\n        return jax.vmap(self.one, in_axes=(0, 0))(w, s)\n"
        "    def bound(self, w):\n        run = jax.vmap(self.one, in_axes=(None, 0))\n        return run(self, w)\n"
        "    def each(self, w, s):\n        return jax.vmap(self.one)(w, s)\n"
    )
    assert [one.instead for one in said(text, code="JAX602")] == [
        "write the call for what it takes: `w`, or let it take the others, too, with an entry of `in_axes` for each",
        "leave `self` out, which is bound already, and its entry of `in_axes`",
        "write the call for what it takes: `w`, or let it take the others, too",
    ]


JOINED = {
    "x.concatenate((x, y), axis=0)": "use `jnp.concatenate((x, y), axis=0)`",
    "x.stack([x, y])": "use `jnp.stack([x, y])`",
    "x.concatenate(y, axis=1)": "use `jnp.concatenate([x, y], axis=1)`",
    "x.tile(3)": "use `jnp.tile(x, 3)`",
    "x.exp()": "use `jnp.exp(x)`",
    "x.softmax(dim=-1)": "use `jax.nn.softmax(x, axis=-1)`",
    "x.norm(dim=1, keepdim=True)": "use `jnp.linalg.norm(x, axis=1, keepdims=True)`",
    "x.where(y, 0.0)": "use `jnp.where(y, x, 0.0)`",
    "x.masked_fill(y, 0.0)": "use `jnp.where(y, 0.0, x)`",
    "x.broadcast_to((3, 4))": "use `jnp.broadcast_to(x, (3, 4))`",
    "x.permute(0, 2, 1)": "use `jnp.transpose(x, (0, 2, 1))`",
    "x.permute((1, 0))": "use `jnp.transpose(x, (1, 0))`",
    "x.unsqueeze(0)": "use `jnp.expand_dims(x, 0)`",
    "x.detach()": "use `lax.stop_gradient(x)`",
    "x.mul_(2)": "bind a new array to `x`",
    "x.add_(2)": "use `x = jnp.add(x, 2)`",
    "x.gather(1, y)": "use `jnp.take_along_axis`, which takes the indices before the axis",
    "x.to('cpu')": "use `x.astype(...)` for a type, `jax.device_put` for a device",
    "x.cat([y])": "use a function of `jnp`",
}


@pytest.mark.parametrize("call", JOINED)
def test_a_method_that_joins_arrays_is_a_function_of_them(call: str) -> None:
    text = f"def f(y):\n    x = jnp.ones(3)\n    x = {call}\n    return x\n"
    assert [one.instead for one in said(text, code="JAX205")] == [JOINED[call]]


IN_PLACE = {
    "x.fill(0)": "use `x = jnp.full_like(x, 0)`",
    "x.resize((2, 2))": "take a part of it, or add zeros with `jnp.pad`: `jnp.resize` repeats what is there",
    "x.resize(2, 2)": "take a part of it, or add zeros with `jnp.pad`: `jnp.resize` repeats what is there",
    "x.put([0], 1)": "use `x = jnp.put(x, jnp.array([0]), 1, inplace=False)`",
    "x.itemset((0, 1), 5)": "use `x = x.at[(0, 1)].set(5)`",
    "x.itemset(5)": "use `x = x.at[()].set(5)`",
    "x.zero_()": "use `x = jnp.zeros_like(x)`",
    "x.setflags(write=False)": "delete it: no array of JAX is ever written into",
}


@pytest.mark.parametrize("call", IN_PLACE)
def test_what_changes_an_array_is_bound_to_its_name(call: str) -> None:
    text = f"def f():\n    x = jnp.ones((2, 2))\n    {call}\n    return x\n"
    assert [one.instead for one in said(text, code="JAX205")] == [IN_PLACE[call]]


TOGETHER = {
    "x[i], x[j] = x[j], x[i]": "use `x = x.at[i].set(x[j]).at[j].set(x[i])`",
    "[x[i, :], x[j, :]] = x[j, :], x[i, :]": "use `x = x.at[i, :].set(x[j, :]).at[j, :].set(x[i, :])`",
    "x[i], y = 1.0, 2.0": "bind the new values to names first, and then use `x.at[...].set(...)` for each",
    "x[i], x[j] = divmod(i, j)": "bind the new values to names first, and then use `x.at[...].set(...)` for each",
    "x[[0, 2]] = 1.0": "use `x = x.at[jnp.array([0, 2])].set(1.0)`",
    "x[[k for k in range(i)]] += j": "use `x = x.at[jnp.array([k for k in range(i)])].add(j)`",
    "x[0][[1, 2]] = 1.0": "use `x = x.at[0, jnp.array([1, 2])].set(1.0)`",
    "x[[1, 2], 0] = 1.0": "use `x = x.at[[1, 2], 0].set(1.0)`",
    "del x[[0, 2]]": "use `x = jnp.delete(x, jnp.array([0, 2]))`",
}


@pytest.mark.parametrize("store", TOGETHER)
def test_stores_of_several_items(store: str) -> None:
    text = f"def f(i, j):\n    x = jnp.ones((3, 3))\n    {store}\n    return x\n"
    assert {one.instead for one in said(text, code="JAX201")} == {TOGETHER[store]}


def test_a_name_of_a_list_as_an_index() -> None:
    text = "def f(n):\n    rows = [0, 2]\n    x = jnp.ones(n)\n    x[rows] = 1.0\n    return x\n"
    assert [one.instead for one in said(text, code="JAX201")] == ["use `x = x.at[jnp.array(rows)].set(1.0)`"]


def test_what_a_function_around_has_is_handed_back() -> None:
    text = (
        "def f(n):\n    x = jnp.zeros(n)\n    def put(i, v):\n        x[i] = v\n"
        "    for i in range(n):\n        put(i, i)\n    return x\n"
    )
    expected = "return what `x.at[i].set(v)` makes, and bind that to `x` where the function is called"
    assert [one.instead for one in said(text, code="JAX201")] == [expected]


AT_END = "`return` it, if a value is looked for where the function is called, or delete the line"
ELSEWHERE = "`return` it, as the function returns something elsewhere"
UNUSED = "bind what it returns to a name; delete the line if nobody needs it"
ENDED = {
    "def f(x):\n    jnp.sqrt(x)\n": AT_END,
    "def f(x, m):\n    with m:\n        jnp.sqrt(x)\n": AT_END,
    "def f(x, c):\n    if c:\n        return x\n    else:\n        jnp.sqrt(x)\n": ELSEWHERE,
    "def f(x, c):\n    match c:\n     case 0:\n      return x\n     case _:\n      jnp.cos(x)\n": ELSEWHERE,
    "def f(x):\n    for _ in x:\n        jnp.sqrt(jnp.sin(x))\n": UNUSED,
    "def f(x):\n    jnp.sqrt(jnp.sin(x))\n    return 1\n": UNUSED,
    "class C:\n    def __init__(self, x):\n        jnp.sqrt(x + 1)\n": UNUSED,
    "def f(x):\n    jnp.allclose(x, x.T)\n": AT_END.replace("delete the line", "`assert` it"),
    "def f(x):\n    jnp.allclose(jnp.sin(x), 1.0)\n    return 1\n": (
        "put `assert` before it if it is a check, or delete the line"
    ),
}


@pytest.mark.parametrize("text", ENDED)
def test_the_last_result_of_a_function_is_returned(text: str) -> None:
    assert [one.instead for one in said(text, code="JAX202")] == [ENDED[text]]


RUN_WITH = {
    "p, x, x": "2 arguments, and it takes 1 argument without `self`; write the call for what it takes: `x`",
    "p": "no arguments, and it takes 1 argument without `self`; pass `x` behind the variables",
    "p, x, x=x": "`x`, and it takes it once; write the call for what it takes: `x`",
    "p, x, y=x": "`y`, and it takes `x`; write the call for what it takes: `x`",
}


@pytest.mark.parametrize("arguments", RUN_WITH)
def test_a_network_is_run_with_what_it_takes(arguments: str) -> None:
    text = (
        "import flax.linen as nn\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n"
        f"        return nn.Dense(3)(x)\nnet = Net()\ndef f(p, x):\n    return net.apply({arguments})\n"
    )
    (found,) = lint_text(HEAD + text)
    assert found.message == f"`__call__` under `net.apply` is called with {RUN_WITH[arguments]}"


HELD_IN = {
    "[linear() for _ in range(3)]": "use `nnx.List([linear() for _ in range(3)])`",
    "[[linear()], [linear()]]": "use `nnx.data([[linear()], [linear()]])`",
    "{'a': linear()}": "make it a `nnx.Dict`",
    "{'a': [linear()]}": "pass it through `nnx.data`",
    "{'a': linear(), 'b': [linear()]}": "pass it through `nnx.data`",
    "(linear(), [linear()])": "use `nnx.data((linear(), [linear()]))`",
    "['a', linear()]": "use `nnx.List(['a', linear()])`",
    "{1: linear()}": "pass it through `nnx.data`",
    "{n: linear() for n in names}": "use `nnx.data({n: linear() for n in names})`",
}


@pytest.mark.parametrize("held", HELD_IN)
def test_a_container_of_modules_is_made_such_as_holds_it(held: str) -> None:
    """`nnx.List` refuses a list within it, and `nnx.Dict` takes keys that are texts alone (tried with Flax 0.12)."""
    text = (
        "from flax import nnx\ndef linear():\n    return nnx.Linear(2, 2, rngs=nnx.Rngs(0))\nclass M(nnx.Module):\n"
        f"    def __init__(self, names):\n        self.layers = {held}\n"
    )
    assert [one.instead for one in said(text, code="JAX614")] == [HELD_IN[held]]


def test_a_list_that_gets_lists_of_modules_begins_as_data() -> None:
    text = (
        "from flax import nnx\nclass M(nnx.Module):\n    def __init__(self):\n        self.layers = []\n"
        "        self.layers.append([nnx.Linear(2, 2, rngs=nnx.Rngs(0))])\n"
    )
    assert [one.instead for one in said(text, code="JAX614")] == ["begin with `nnx.data([])`"]


PREDICT = (
    "import flax.linen as nn\nmodel = nn.Dense(3)\n@jax.jit\ndef predict(params, x):\n    return model.apply({}, x)\n"
)
LAYERED = {
    "{'params': params}": ("params", 'pass `["params"]` of what `init` gives where the function is called'),
    "params": ("params['params']", "pass all variables where the function is called"),
}


@pytest.mark.parametrize("given", LAYERED)
def test_what_an_argument_should_be_is_said_of_the_call(given: str) -> None:
    """Other calls of the function may pass what is due."""
    passed, instead = LAYERED[given]
    text = PREDICT.format(given) + f"params = model.init(random.key(0), jnp.ones((2, 3)))\npredict({passed}, 1.0)\n"
    assert [one.instead for one in said(text, code="JAX609")] == [instead]


def test_a_layer_too_much_is_left_out_where_the_variables_are_made() -> None:
    text = (
        "import flax.linen as nn\nmodel = nn.Dense(3)\ndef f(x):\n    params = model.init(random.key(0), x)\n"
        "    return model.apply({'params': params}, x)\n"
    )
    assert [one.instead for one in said(text, code="JAX609")] == ["use `params`"]


TIMED = "from jax import jit\nfrom jax import numpy as jnp\nimport time\nstep = jit(jnp.sin)\ndef g(x):\n"
WAITED = {
    "for _ in range(9):\n        y = step(x)": (
        "call `y.block_until_ready()` after the loop on line 7, or that of each array in it"
    ),
    "y = step(x)": "use `jax.block_until_ready(step(x))`, with `import jax`",
    "y = (step(x), step(x))": "use `jax.block_until_ready(step(x))`, with `import jax`",
}


@pytest.mark.parametrize("work", WAITED)
def test_what_waits_is_said_as_the_file_can_write_it(work: str) -> None:
    text = TIMED + f"    start = time.time()\n    {work}\n    print(time.time() - start)\n    return y\n"
    assert [one.instead for one in said(text, "", "JAX702")] == [WAITED[work]]
    (imported,) = said("import jax\n" + text, "", "JAX702")
    assert "jax.block_until_ready(" in imported.instead
    assert "import jax" not in imported.instead


@pytest.mark.parametrize("work", ["update(model, x)", "for _ in range(9):\n        update(model, x)"])
def test_what_gives_nothing_cannot_be_waited_for(work: str) -> None:
    text = (
        "from flax import nnx\nimport jax\nimport time\n"
        "@nnx.jit\ndef update(model, x):\n    model.scale.value += x.sum()\n"
        f"def run(model, x):\n    start = time.time()\n    {work}\n    print(time.time() - start)\n"
    )
    words = "return an array that `update` computes from it, and pass that to `jax.block_until_ready`"
    assert [one.instead for one in said(text, "", "JAX702")] == [words]


def test_an_optimizer_is_no_argument_but_its_state_is() -> None:
    text = (
        "import optax\ndef train(params, batches, loss, rates):\n    optimizer = optax.adam(rates[0])\n"
        "    state = optimizer.init(params)\n    @jax.jit\n    def step(params, state, batch):\n"
        "        updates, state = optimizer.update(jax.grad(loss)(params, batch), state)\n"
        "        return optax.apply_updates(params, updates), state\n"
        "    for rate in rates:\n        optimizer = optax.adam(rate)\n        for batch in batches:\n"
        "            params, state = step(params, state, batch)\n    return params\n"
    )
    words = "make it once, with `optax.inject_hyperparams`, and set what changes in its state, which is an argument"
    assert [one.instead for one in said(text, code="JAX302")] == [words]


OF_DEVICES = {
    "backend='gpu'": "`jax.device_put(x, jax.devices('gpu')[0])`",
    "device=jax.devices()[0]": "`jax.device_put(x, jax.devices()[0])`",
}


@pytest.mark.parametrize("given", OF_DEVICES)
def test_the_device_of_a_deprecated_argument_is_the_one_that_is_given(given: str) -> None:
    source = SourceFile("/nowhere/a.py", f"import jax\ndef f(x):\n    return jax.jit(lambda x: x, {given})(x)\n")
    (found,) = lint(source, replace(ALL, jax_target="0.12")).diagnostics
    instead = f"leave it out: it runs where its arguments are, and {OF_DEVICES[given]} puts them there"
    assert found.message.partition("; ")[2] == instead


READING = {"jnp.sin(v) * x": ", and pass `x` as an argument (static unless an array)", "jnp.sin(v)": ""}


@pytest.mark.parametrize("read", READING)
def test_what_a_function_imports_is_no_argument(read: str) -> None:
    """A module is the same in each call: what is jitted once imports it, too."""
    text = (
        "def price(x, states):\n    import jax\n    import jax.numpy as jnp\n    @jax.jit\n    def trace(v):\n"
        f"        return {read}\n    return trace(states)\n"
        "def main(x, states):\n    for _ in range(100):\n        price(x, states)\n"
    )
    assert [one.instead for one in said(text, code="JAX501")] == [f"jit it once, outside of `price`{READING[read]}"]


def test_the_type_of_an_array_is_asked_of_jax_itself() -> None:
    (found,) = said("from jax.interpreters.xla import abstractify\nabstractify(1.0)\n", code="JAX801")
    assert found.instead == "use `jax.typeof`, which takes an array or a number"


RENEWED = {
    "optax.apply_updates(x, y)": "use `x = optax.apply_updates(x, y)`",
    "jnp.clip(x, 0, y)": "use `x = jnp.clip(x, 0, y)`",
    "jax.tree.map(jnp.negative, x)": "use `x = jax.tree.map(jnp.negative, x)`",
    "jax.tree.map(lambda v: -v, x)": "bind what it returns to `x`",
    "jax.tree_util.tree_map(jnp.negative, z.params)": (
        "store what it returns as `z.params`, or if `z` is frozen in a copy of it, and use that below"
    ),
    "jnp.isnan(x)": "bind what it returns to a name of its own, or delete the line",
    "jnp.argsort(x)": "bind what it returns to a name of its own, or delete the line",
    "jax.grad(g)": "bind what it returns to a name of its own, and call that, or delete the line",
    "x[0].at[1].set(y)": "store what it returns as `x[0]`, or if `x` is an array, write into that with one index",
}


@pytest.mark.parametrize("call", RENEWED)
def test_a_dropped_result_takes_the_place_of_what_it_is_made_of(call: str) -> None:
    text = f"import optax\ndef f(x, y, z, g):\n    {call}\n    return x, y, z, g\n"
    assert [one.instead for one in said(text, code="JAX202")] == [RENEWED[call]]


def test_a_row_of_an_array_is_written_with_one_index() -> None:
    text = "def f():\n    x = jnp.ones((2, 2))\n    x[0].at[1].set(3)\n    return x\n"
    assert [one.instead for one in said(text, code="JAX202")] == ["write into `x` itself, with one index for both"]


IN_SEVERAL_LOOPS = {
    "    return [[random.normal(key, (i, j)) for i in range(2)] for j in range(3)]\n": (
        "on line 2 write `for j, sub in zip(range(3), random.split(key, 3))`, "
        "on line 2 write `for i, subkey in zip(range(2), random.split(sub, 2))`, and pass `subkey` there"
    ),
    "    return [random.normal(key, (i, x)) for x in xs for i in range(2)]\n": (
        "on line 2 write `for x, sub in zip(xs, random.split(key, len(xs)))`, "
        "on line 2 write `for i, subkey in zip(range(2), random.split(sub, 2))`, and pass `subkey` there"
    ),
    "    return [x + random.normal(key) for x in tqdm(xs)]\n": (
        "write `for x, sub in zip(tqdm(xs), random.split(key, len(xs)))`, and pass `sub` there"
    ),
    "    return {n: random.normal(key, (x,)) for n, x in xs.items()}\n": (
        "write `for (n, x), sub in zip(xs.items(), random.split(key, len(xs)))`, and pass `sub` there"
    ),
    "    for i in range(3):\n        for j, x in enumerate(xs):\n            ys[i, j] = random.normal(s.rng)\n": (
        "pass `random.fold_in(random.fold_in(s.rng, i), j)`"
    ),
    "    for i in tqdm(range(3)):\n        ys[i] = random.normal(s.rng)\n": "pass `random.fold_in(s.rng, i)`",
    "    while len(ys) < 9:\n        ys.append(random.normal(s.rng))\n": (
        "fold the number of the iteration into it, with `random.fold_in`"
    ),
    "    for x in xs:\n        ys.append([y * random.normal(key) for y in x])\n": (
        "before line 3 write `key, sub = random.split(key)`, "
        "on line 3 write `for y, subkey in zip(x, random.split(sub, len(x)))`, and pass `subkey` there"
    ),
    "    def draw():\n        return random.normal(key)\n    for _ in xs:\n        ys.append(draw())\n": (
        "give each call of `draw` a new key, in its arguments"
    ),
}


@pytest.mark.parametrize("body", IN_SEVERAL_LOOPS)
def test_a_key_for_each_turn_of_all_loops_around(body: str) -> None:
    text = f"from tqdm import tqdm\ndef f(key, s, xs, ys):\n{body}    return ys\n"
    found = [one.instead for one in said(text.replace("from tqdm import tqdm\n", ""), HEAD + "from tqdm import tqdm\n")]
    assert found == [IN_SEVERAL_LOOPS[body]]


def test_a_key_of_keys_that_a_loop_binds() -> None:
    text = (
        "def f(key, n, m):\n    for e in range(n):\n        key, *subkeys = random.split(key, 6)\n"
        "        for i in range(n):\n            for j in range(i):\n"
        "                m[e, i, j] = float(random.uniform(subkeys[4]))\n    return m\n"
    )
    assert [one.instead for one in said(text)] == ["pass `random.fold_in(random.fold_in(subkeys[4], i), j)`"]


def test_a_part_of_what_is_bound_anew_is_another_key() -> None:
    text = (
        "def f(s, step):\n    a = random.normal(s.rng)\n    b = random.uniform(s.rng)\n    s = step(s)\n"
        "    return a, b, random.normal(s.rng), s\n"
    )
    expected = "before line 2 write `sub, subkey = random.split(s.rng)`, and pass `sub` on line 2, `subkey` on line 3"
    assert [one.instead for one in said(text)] == [expected]


def test_of_the_cases_of_a_match_one_draws() -> None:
    text = (
        "def f(key, kind):\n    a = random.normal(key)\n    match kind:\n        case 'a':\n"
        "            return random.normal(key)\n        case _:\n            return random.uniform(key) + a\n"
    )
    expected = "before line 2 write `key, sub = random.split(key)`, and pass `sub` there"
    assert {one.instead for one in said(text)} == {expected}


def test_of_many_uses_the_last_keeps_the_key() -> None:
    text = "def f(key):\n    return [\n" + "        random.normal(key),\n" * 5 + "    ]\n"
    expected = (
        "before line 2 write `key, *keys = random.split(key, 5)`, "
        "and pass `keys[0]` to `keys[3]`, one to each use but that on line 7"
    )
    assert {one.instead for one in said(text)} == {expected}


def test_mapped_keys_are_not_split_as_one() -> None:
    text = (
        "def step(keys, x):\n    return keys, x + jax.vmap(random.normal)(keys)\n"
        "def run(keys, xs):\n    for x in xs:\n        keys, y = step(keys, x)\n    return y\n"
        "run(random.split(random.key(0), 4), [1.0])\n"
    )
    expected = "make new keys of it first, and give each use its own"
    assert [one.instead for one in said(text, code="JAX103")] == [expected]


OF_PYTHON = {
    "jnp.min([3, len(xs)])": "use `min([3, len(xs)])`",
    "jnp.prod([len(xs), 3])": "use `math.prod([len(xs), 3])`",
    "jnp.prod([2, 3])": "use `jnp.array([2, 3])`",
    "jnp.prod([2, 3]).astype(int)": "use `jnp.array([2, 3])`",
    "jnp.sum([1, 2], dtype=float)": "use `jnp.array([1, 2])`",
    "jnp.max([xs, 2])": "use `jnp.array([xs, 2])`",
    "jnp.mean([1.0, 2.0])": "use `jnp.array([1.0, 2.0])`",
    "jnp.mean(xs.values())": "use `jnp.array(list(xs.values()))`",
    "jnp.sum(zip(xs, xs))": "use `jnp.array(list(zip(xs, xs)))`",
}


@pytest.mark.parametrize("call", OF_PYTHON)
def test_numbers_of_python_stay_such(call: str) -> None:
    assert [one.instead for one in said(f"def f(xs):\n    return {call}\n", code="JAX203")] == [OF_PYTHON[call]]


WRITTEN = {
    "np.copyto(x, y)": "use `x = x.at[...].set(y)`, or `np.copyto` on an array of NumPy",
    "np.put(x, [0], 1)": (
        "use `x = jnp.put(x, jnp.array([0]), 1, inplace=False)`, or `np.put` on an array of NumPy"
    ),
    "np.add.at(x, [0, 1], 2)": (
        "use `x = x.at[jnp.array([0, 1])].add(2)`, or `np.add.at` on an array of NumPy"
    ),
    "np.putmask(x, x > 0, y)": "use `x = jnp.where(x > 0, y, x)`, or `np.putmask` on an array of NumPy",
    "np.fill_diagonal(x, 0)": (
        "use `x = jnp.fill_diagonal(x, 0, inplace=False)`, or `np.fill_diagonal` on an array of NumPy"
    ),
    "jnp.add(y, 1, out=x)": "bind the result: `x = jnp.add(y, 1)`",
    "jnp.putmask(x, x > 0, y)": (
        "bind a new array in the place of the old one, by `jnp.where` if it is to change in part"
    ),
}


@pytest.mark.parametrize("call", WRITTEN)
def test_what_is_written_into_an_array(call: str) -> None:
    text = f"import numpy as np\ndef f(y):\n    x = jnp.ones((2, 2))\n    {call}\n    return x\n"
    assert [one.instead for one in said(text, code="JAX205")] == [WRITTEN[call]]


OF_TURNS = {
    "    for i in range(n):\n        a = random.normal(keys[i])\n        out.append(a + random.uniform(keys[i]))\n": (
        "before line 3 write `sub, subkey = random.split(keys[i])`, and pass `sub` on line 3, `subkey` on line 4"
    ),
    "    while n:\n        out.append(random.normal(keys[n]) + random.uniform(keys[n]))\n        n -= 1\n": (
        "before line 3 write `sub, subkey = random.split(keys[n])`, and pass `sub` and `subkey` there"
    ),
    "    for one in keys:\n        out.append(random.normal(one.key) + random.uniform(one.key))\n": (
        "before line 3 write `sub, subkey = random.split(one.key)`, and pass `sub` and `subkey` there"
    ),
    "    for i in range(n):\n        for j in range(i):\n            out.append(random.normal(keys[i]))\n": (
        "pass `random.fold_in(keys[i], j)`"
    ),
    "    out = [random.normal(keys[i]) + random.uniform(keys[i]) for i in range(n)]\n": (
        "write the comprehension as a loop, and split `keys[i]` in that, with `random.split`, into a key for each use"
    ),
}


@pytest.mark.parametrize("body", OF_TURNS)
def test_a_key_that_a_turn_of_a_loop_has_is_split_in_that_turn(body: str) -> None:
    assert [one.instead for one in said(f"def f(keys, n, out):\n{body}    return out\n")] == [OF_TURNS[body]]


def test_nothing_is_written_before_a_test_that_each_turn_asks_again() -> None:
    text = "def f(key, x):\n    while random.uniform(key) < x:\n        x -= random.normal(key)\n    return x\n"
    assert "split off a new key in each iteration, with `random.split`" in {one.instead for one in said(text)}
    assert not [one for one in said(text, code="JAX10") if "write `" in one.instead]


HANDED_IN = {
    "        x = f(x)\n": "give each call of `f` a new key, in its arguments",
    "        state = (x, key)\n        x = draw(state)\n": (
        "draw from `sub`, the other part of the split, in its place"
    ),
}


@pytest.mark.parametrize("body", HANDED_IN)
def test_a_key_that_goes_on_where_it_is_captured_or_handed_in(body: str) -> None:
    text = (
        "def draw(state):\n    return state[0] + random.normal(state[1])\n"
        "def run(key, x):\n    f = lambda v: v + random.normal(key)\n"
        f"    for _ in range(3):\n        key, sub = random.split(key)\n{body}    return x, f\n"
    )
    assert [one.instead for one in said(text, code="JAX103")] == [HANDED_IN[body]]
