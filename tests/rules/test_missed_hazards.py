"""Hazards in spellings that were missed once, beside the like of them that is right.

Each is judged with the strict rules, too; a mark `# JAXnnn` stands on each line of which something is said.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

PROGRAMS: dict[str, str] = {
    "elements of donated sequences and trees, in loops": """
        import jax
        import jax.numpy as jnp
        step = jax.jit(lambda t: [a + 1 for a in t], donate_argnums=0)
        tree = jax.jit(lambda t: jax.tree.map(lambda a: a + 1, t), donate_argnums=0)
        one = jax.jit(lambda t: t + 1, donate_argnums=0)
        def f1():
            t = [jnp.ones(3)]
            u = step(t)
            return sum(jnp.sum(a) for a in t), u  # JAX506
        def f3():
            t = jnp.ones(3), jnp.ones(3)
            u = tree(t)
            for a in t:
                print(a + 1)  # JAX506
            return u
        def f4():
            t = {"w": jnp.ones(3), "b": jnp.ones(3)}
            u = tree(t)
            return [v + 1 for v in t.values()], u  # JAX506
        def f5():
            t = {"w": jnp.ones(3), "b": jnp.ones(3)}
            u = tree(t)
            return sum(jnp.sum(v) for v in jax.tree.leaves(t)), u  # JAX506
        def f6():
            t = [jnp.ones(3)]
            u = step(t)
            for i, a in enumerate(t):
                print(i, a + 1)  # JAX506
            return u
        def f7():
            t = [jnp.ones(3)]
            u = step(t)
            return [a - b for a, b in zip(t, u)]  # JAX506
        def f8():
            t = [jnp.ones(3)]
            t = step(t)
            return [a + 1 for a in t]
        def f9():
            t = [jnp.ones(3)]
            u = step(t)
            return [a.shape for a in t], u
        def f10(t):
            u = tree(t)
            return sum(jnp.sum(v) for v in jax.tree.leaves(t)), u  # JAX506
        def f11(t):
            u = tree(t)
            return sum(v.size for v in jax.tree.leaves(t)), u
        def f12(t):
            u = tree(t)
            n = sum(v.size for v in jax.tree_util.tree_leaves(t))
            m = jnp.concatenate([jnp.ravel(v) for v in jax.tree_util.tree_leaves(t)])  # JAX506
            return u, n, m
        def f13():
            t = [jnp.ones(3)]
            u = step(t)
            return sum(t), u  # JAX506
    """,
    "donated arrays that a conditional expression hands back": """
        import jax
        import jax.numpy as jnp
        step = jax.jit(lambda t: [a + 1 for a in t], donate_argnums=0)
        tree = jax.jit(lambda t: jax.tree.map(lambda a: a + 1, t), donate_argnums=0)
        one = jax.jit(lambda t: t + 1, donate_argnums=0)
        def r1(params, keep):
            new = one(params)
            return params if keep else new  # JAX506
        def r2(params, keep):
            new = one(params)
            return (params if keep else new), 1  # JAX506
        def r3(params, keep):
            return params if keep else one(params)
        def r4(params, keep):
            return params if keep() else one(params)
        def r5(params, keep):
            if not keep:
                new = one(params)
            return params if keep else new
        def r6(params, keep):
            new = one(params)
            return new if keep else (params, 1)  # JAX506
        def r7(params, a, b):
            new = one(params)
            return new if a else new + 1 if b else params  # JAX506
    """,
    "the hash of a text from a loop, a parameter or a method": """
        import jax
        key = jax.random.key(0)
        b = {n: jax.random.normal(jax.random.fold_in(key, hash(n) % 2**31)) for n in ("a", "b")}  # JAX105
        for m in ["x", "y"]:
            print(jax.random.fold_in(key, hash(m) & 0xFF))  # JAX105
        for m, size in {"x": 1, "y": 2}.items():
            print(jax.random.fold_in(key, hash(m) & 0xFF))  # JAX105
        for m in {"x": 1, "y": 2}:
            print(jax.random.fold_in(key, hash(m) & 0xFF))  # JAX105
        for m, size in (("x", 1), ("y", 2)):
            print(jax.random.fold_in(key, hash(m) & 0xFF))  # JAX105
            print(jax.random.fold_in(key, hash(size) & 0xFF))
        for i, m in enumerate(("x", "y")):
            print(jax.random.fold_in(key, hash(m) & 0xFF))  # JAX105
            print(jax.random.fold_in(key, hash(i) & 0xFF))
        for m in (1, 2):
            print(jax.random.fold_in(key, hash(m)))
        def draw(key, name: str):
            return jax.random.normal(jax.random.fold_in(key, hash(name) & 0xFFFF))  # JAX105
        def draw3(key, n: int):
            return jax.random.normal(jax.random.fold_in(key, hash(n) & 0xFFFF))
        def draw4(key, n):
            return jax.random.normal(jax.random.fold_in(key, hash(n) & 0xFFFF))
        def draw5(key, name: "str"):
            return jax.random.normal(jax.random.fold_in(key, hash(name) & 0xFFFF))  # JAX105
        def draw6(key, name: str):
            return jax.random.normal(jax.random.fold_in(key, hash(("layer", name)) & 0xFFFF))  # JAX105
        def draw7(key, name: str):
            return jax.random.normal(jax.random.fold_in(key, hash(name.lower()) & 0xFFFF))  # JAX105
        def draw8(key, name: str = "a"):
            seed = hash(name) % 7
            return jax.random.key(seed)  # JAX105
        def draw10(key, name: str):
            import zlib
            return jax.random.fold_in(key, zlib.crc32(name.encode()))
    """,
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_said(text: str) -> None:
    text = dedent(text)
    report = lint(SourceFile("/nowhere/fixture.py", text), Config(strict=True, no_store=True))
    said = {(finding.span.line, finding.code) for finding in report.diagnostics}
    marks = {
        (line, code)
        for line, words in enumerate(text.splitlines(), 1)
        for code in re.findall(r"# (JAX\d{3})(?=  #|$)", words)
    }
    assert said == marks
