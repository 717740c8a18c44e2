"""Code that asks before it acts, or expects the error, is left alone; the same code without the question is not."""

# ruff: noqa: E501
from __future__ import annotations

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

HEAD = "import jax\nimport jax.numpy as jnp\nimport pytest\n"
SILENT = {
    "isinstance of a list": "def f(x):\n    if isinstance(x, (list, tuple)):\n        return [f(e) for e in x]\n    return jnp.sum(x)\nf([jnp.ones(3)])\n",
    "isinstance of an array": "def f(x):\n    if isinstance(x, jax.Array):\n        return x.at[0].set(1)\n    x[0] = 1\nf(jnp.ones(3))\n",
    "hasattr": "def f(x):\n    if hasattr(x, 'at'):\n        return x.at[0].set(1)\n    x[0] = 1\nf(jnp.ones(3))\n",
    "isinstance within and": "@jax.jit\ndef f(x):\n    if isinstance(x, int) and x < 0:\n        x += 1\n    return x\n",
    "error expected by try": "x = jnp.ones(3)\ntry:\n    x[0] = 1\nexcept TypeError as error:\n    print(error)\n",
    "error expected by pytest": "x = jnp.ones(3)\nwith pytest.raises(TypeError):\n    x[0] = 1\n",
    "key called slice": "@jax.jit\ndef f(batch):\n    batch['slice'] = batch['x'] * 2\n    return batch\n",
    "tuple of names": "@jax.jit\ndef f(edges):\n    edges['a', 'b'] = edges['a', 'b'] * 2\n    return edges\n",
    "property that draws": "class R:\n    def __init__(self):\n        self.k = jax.random.key(0)\n    @property\n    def key(self):\n        self.k, s = jax.random.split(self.k)\n        return s\nr = R()\njax.random.normal(r.key) + jax.random.normal(r.key)\n",
    "comparisons that exclude": "def f(key, a):\n    if a > 0:\n        return_1 = jax.random.normal(key)\n    if a < 0:\n        return_2 = jax.random.normal(key)\n",
    "lists put together": "@jax.jit\ndef f(xs, ys):\n    zs = xs + ys\n    zs[0] = zs[0] * 2\n    return zs\n",
    "keyword arguments that are changed": "def g(key):\n    return jax.random.normal(key)\ndef f(**kw):\n    kw['key'] = jax.random.fold_in(kw['key'], 1)\n    return g(**kw)\nk = jax.random.key(0)\nf(key=k) + jax.random.normal(k)\n",
    "method of one of two classes": "class A:\n    def f(self, x):\n        return x\nclass B(A):\n    def f(self, x):\n        return x if x > 0 else -x\n@jax.jit\ndef g(x):\n    return A().f(x)\nB().f(3.0)\n",
    "field that something else stores": "class A:\n    def __init__(self, p):\n        self.p = p\n    def to(self, p):\n        self.p = p\n    def f(self, x):\n        return self.p.f(x)\nclass B:\n    def f(self, x):\n        return x if x > 0 else -x\na = A(B())\na.to(None)\ndef g(x):\n    return jax.jit(a.f)(x)\n",
    "scalar field under a filter": "import equinox as eqx\nclass M(eqx.Module):\n    flag: bool\n    @eqx.filter_jit\n    def f(self, x):\n        return x if self.flag else -x\n",
    "scalar field that is static": "import flax\n@flax.struct.dataclass\nclass S:\n    n: int = flax.struct.field(pytree_node=False)\n@jax.jit\ndef f(s: S):\n    return 1 if s.n > 2 else 2\n",
    "dataclass that is no pytree": "import dataclasses\n@dataclasses.dataclass\nclass S:\n    n: int\n@jax.jit\ndef f(s: S):\n    return 1 if s.n > 2 else 2\n",
    "key that Flax folds names into": "import flax.linen as nn\nk = jax.random.key(0)\np = nn.Dense(2).init(k, jnp.ones(3))\nx = jax.random.normal(k)\n",
    "one of many ways that no call takes": "def g(t):\n    t[0] = 1\ndef f(mode):\n" + "".join(f"    if mode == '{mode}':\n        return g(jnp.ones(3))\n" for mode in "abcdef") + "f('z')\n",
    "a library that is asked for the name": "def f(t):\n    if hasattr(jax.tree_util, 'tree_multimap'):\n        return jax.tree_map(abs, t)\n",
    "a library that is asked for another name": "NEW = getattr(jax, 'tree', None)\ndef f(t):\n    if NEW is None:\n        return jax.tree_map(abs, t)\n",
    "a module in a variable that is asked for the name": "def f(m, t):\n    if hasattr(m, 'tree_map'):\n        return jax.tree_map(abs, t)\n",
    "import with something else instead": "try:\n    import numpy as xp\nexcept ImportError:\n    import jax.numpy as xp\nx = xp.zeros(3)\nx[0] = 1\n",
}  # fmt: skip
SPOKEN = {
    "JAX201 under the test that lets arrays in": "def f(x):\n    if isinstance(x, jax.Array):\n        x[0] = 1\nf(jnp.ones(3))\n",
    "JAX201 where another error is expected": "x = jnp.ones(3)\ntry:\n    x[0] = 1\nexcept KeyError:\n    pass\n",
    "JAX401 in a method that the subclass says": "class A:\n    def __call__(self, x):\n        return self.f(x)\nclass B(A):\n    def f(self, x):\n        return x if x > 0 else -x\ng = jax.jit(B())\n",
    "JAX401 in a class that inherits what is jitted": "class A:\n    @jax.jit\n    def g(self, x):\n        return self.f(x)\nclass B(A):\n    def f(self, x):\n        return 1 if jnp.any(x > 0) else 2\n",
    "JAX401 of a scalar field": "from typing import NamedTuple\nclass S(NamedTuple):\n    done: bool\n@jax.jit\ndef f(s: S):\n    return 1 if s.done else 2\n",
    "JAX401 in an object that is one of two": "class A:\n    def f(self, x):\n        return x\nclass B(A):\n    def f(self, x):\n        return x if x > 0 else -x\ndef g(a, x, fast):\n    o = A() if fast else B()\n    return jax.jit(o.f)(x)\n",
    "JAX401 behind a decorator": "import functools\ndef d(f):\n    @functools.wraps(f)\n    def w(*args, **kw):\n        return f(*args, **kw)\n    return w\n@jax.jit\n@d\ndef f(x):\n    return 1 if x > 0 else 2\n",
    "JAX101 through a bound constructor": "class A:\n    def __init__(self):\n        self.g = jax.jit(self.f)\n    def f(self, k):\n        return jax.random.normal(k)\n    def h(self, k):\n        return self.g(k) + self.f(k)\n",
    "JAX201 of what is imported first": "try:\n    import jax.numpy as xp\nexcept ImportError:\n    import numpy as xp\nx = xp.zeros(3)\nx[0] = 1\n",
    "JAX201 in a loop that is only protected": "x = jnp.ones(3)\ntry:\n    for i in range(3):\n        x[i] = 1\nexcept Exception:\n    raise SystemExit\n",
    "JAX101 where comparisons overlap": "def f(key, a):\n    if a > 0:\n        x = jax.random.normal(key)\n    if a > 1:\n        y = jax.random.normal(key)\n        return x, y\n",
    "JAX203 of a list that no test lets out": "def f(x):\n    if isinstance(x, dict):\n        return x\n    return jnp.sum(x)\nf([1.0])\n",
    "JAX801 where an object is asked": "class A:\n    def f(self, t):\n        if not hasattr(self, 'rng'):\n            return jax.tree_map(abs, t)\n",
    "JAX801 below an option": "def f(args, t):\n    if getattr(args, 'use_ema', False):\n        return jax.tree_map(abs, t)\n",
    "JAX801 below a flag of the options": "def f(args, t):\n    ema = getattr(args, 'ema', False)\n    if not ema:\n        return t\n    return jax.tree_map(abs, t)\n",
    "JAX401 where the flag is set in the loop": "@jax.jit\ndef f(x, xs):\n    seen = False\n    for _ in range(8):\n        if seen:\n            if x > 0:\n                x = x + 1\n        seen = True\n    return x\n",
}  # fmt: skip


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in lint(SourceFile("/nowhere/any.py", HEAD + text), Config()).diagnostics]


@pytest.mark.parametrize("name", SILENT)
def test_what_is_asked_about_is_left_alone(name: str) -> None:
    assert codes(SILENT[name]) == []


@pytest.mark.parametrize("name", SPOKEN)
def test_what_the_question_lets_through_is_reported(name: str) -> None:
    assert codes(SPOKEN[name]) == [name[:6]]
