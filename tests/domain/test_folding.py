"""Computing with a program's constants never fails, never takes long, and says what Python says or nothing."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flake8_jax.analysis.calls.builtin_functions import HANDLERS, HOST, NUMBERS, PASSING
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.folding import DEEPEST, LARGE, MOST_PARTS, bounded, fold
from flake8_jax.domain.kinds import NUMBER, TUPLE
from flake8_jax.domain.payload import Elements, Key
from flake8_jax.domain.value import Value
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

HEAD = "import functools\nimport jax\nimport jax.numpy as jnp\n"
HUGE = "1" + "0" * 400
LONGER = "0x" + "f" * 5000  # has more digits than Python spells out

FOLDED: list[tuple[Callable[..., Any], tuple[Any, ...], Any]] = [
    (operator.add, (1, 2), 3),
    (operator.add, (LARGE - 1, 0), LARGE - 1),
    (operator.add, (LARGE, 1), OPEN),
    (operator.add, (1, -LARGE), OPEN),
    (operator.add, (1, OPEN), OPEN),
    (operator.mod, (1, 0), OPEN),
    (operator.add, (1, "1"), OPEN),
    (range, (), OPEN),
    (range, (1, 2, 0), OPEN),
    (range, (1, 2, 3, 4), OPEN),
    (range, (2, 5), range(2, 5)),
    (len, (range(1 << 63),), OPEN),
    (operator.eq, ("a", b"a"), False),
    (hash, ([],), OPEN),
]


@pytest.mark.parametrize(("compute", "constants", "expected"), FOLDED)
def test_folding(compute: Callable[..., Any], constants: tuple[Any, ...], expected: Any) -> None:
    assert fold(compute, *constants) == expected


def test_parts_are_bounded() -> None:
    number = Value(NUMBER)
    flat = (number,) * MOST_PARTS
    assert bounded(flat) is flat
    assert bounded((*flat, number)) is None
    wide: dict[Key, Value] = {0: Value(TUPLE, payload=Elements(flat))}
    assert bounded(wide) is None
    nested: tuple[Value, ...] = (number,)
    for _ in range(DEEPEST - 1):
        nested = (Value(TUPLE, payload=Elements(nested)),)
    assert bounded(nested) is nested
    assert bounded((Value(TUPLE, payload=Elements(nested)),)) is None


# Programs that fail or take for ever when they are run, and one that does neither.
ODD = {
    "arguments of range": "range()\nrange(1, 2, 3, 4, 5, 6)\nrange(1, 2, 0)\nrange(*[1, 2, 3, 4])\nrange('a')\n",
    "large ranges": f"range({HUGE})\nrange(-{HUGE}, {HUGE})\nfor i in range(1 << 70): pass\nlen(range({1 << 63}))\n",
    "steps of slices": f"x = (1, 2)[::0]\ny = [1, 2][::-0]\nz = [1, 2][{HUGE}:-{HUGE}]\nw = x[None:'a']\n",
    "arithmetic": f"1 // 0\n1 % 0\n1 << -1\n1 << {HUGE}\n2 ** {HUGE} ** {HUGE}\n0 ** -1\n1e308 * 1e308\n-{LONGER}\n",
    "chain of products": "x = 7\n" + "x = x * x + 1\n" * 80 + "range(x)\n",
    "formats": "'%d' % ()\n'%(a)s' % 1\n'%*d' % (10 ** 10, 1)\nf'{1:{10 ** 10}}'\n'{}'.format()\nb'%d' % 'a'\n",
    "repeats": f"'a' * {HUGE}\n[0] * {HUGE}\n(1,) * -1\n{HUGE} * b'a'\n[[]] * 10 ** 10\n",
    "conversions": "int('x')\nint('9' * 10 ** 5)\nfloat('')\nchr(-1)\nord('ab')\npow(0, -1)\nround('a')\nbytes(-1)\n",
    "calls without arguments": "".join(f"{name}()\n" for name in sorted(HANDLERS.keys() | NUMBERS | PASSING | HOST)),
    "displays": "{[]: 1}\n{{}: 1}\n{**1}\n[*1]\nprint(*1, **2)\n{1: 2, True: 3, 1.0: 4, 'a': 5, b'a': 6}[b'a']\n",
    "odd indices": f"x = [1]\nx[{HUGE}]\nx[-2]\nx[True]\nx[1.5]\nx['a']\nx[...]\nx[1j]\nx[()]\n{{}}[1e999 - 1e999]\n",
    "unpacking": "a, *b, c = 1\na, b = ()\n*a, b, c = [1]\n[a, [b, *c]] = 1, (2,)\nfor a, b in range(3): pass\n",
    "comparisons": "1 < 'a' < None\n1j < 2j\n() < [] == {}\nb'a' == 'a'\n1e999 == 1 == True\nNone in 1\n",
    "facts about large numbers": f"""
def f(key, x):
    if x < 1.5:
        a = jax.random.normal(key)
    if x > {HUGE}:
        b = jax.random.normal(key)
    if x == {LONGER} or x == 'a' or x == b'a' or x < 1e999:
        pass
f(jax.random.key(0), {HUGE})
f(jax.random.key(0), 1.0)
""",
    "large keys": f"""
def f(d):
    if d[{LONGER}]:
        return d
def g(**given):
    return given
jax.jit(f)({{{LONGER}: 1.0}})
g(**{{{LONGER}: 1, 2: 3, None: 4}})
""",
    "options of transforms": f"""
def f(x, y):
    return x
for n in ({HUGE}, -{HUGE}, -3, 2, 'a', None, 1.5, (), ((), ((),))):
    pass
jax.jit(f, static_argnums={HUGE})(1, 2)
jax.jit(f, static_argnums=(-{HUGE}, 'a', None, -3))(1, 2)
jax.jit(f, static_argnames=(0, b'a', ('x', ('y',))))(1, 2)
jax.vmap(f, in_axes=({HUGE}, 'a', {{}}))(1, 2)
jax.grad(f, argnums=(-3, {HUGE}, 1.5))(1.0, 2.0)
jnp.zeros((-1, {HUGE}, 1.5, 'a')) + jnp.zeros({HUGE}) + jnp.arange(-{HUGE}) + jnp.zeros(())
""",
    "pair of itself": "x = ()\n" + "x = (x, x)\n" * 60 + "jax.jit(print, static_argnums=x)(x)\njax.vmap(print, x)(x)\n",
    "sum of itself": "x = [1]\n" + "x = x + x\n" * 60 + "jax.jit(print)(x)\n",
    "spread of itself": "x = [1]\n" + "x = [*x, *x]\n" * 60 + "print(*x, *x)\n",
    "arguments of itself": "def f(*a):\n    return a\nx = 1\n" + "x = f(x, x)\n" * 60 + "jax.jit(f)(x)\n",
    "dict of itself": "x = {}\n" + "x = dict(a=x.items(), b=x.items())\n" * 60 + "jax.jit(print)(x)\n",
    "zip of itself": "x = zip([1], [2])\n" + "x = zip(x, x)\n" * 20 + "for y in x:\n    jax.jit(print)(y)\n",
    "nested deep": "x = ()\n" + "x = (x,)\n" * 3000 + "jax.jit(print)(x)\njax.vmap(print, x)(x)\n",
    "negated for ever": "x = 1\n" + "x = not x\n" * 3000 + "if x:\n    pass\n",
}


def given_up(text: str) -> str | None:
    return lint(SourceFile("stdin", HEAD + text), Config(strict=True, no_store=True)).given_up


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_odd_programs_are_judged(name: str) -> None:
    assert given_up(ODD[name]) is None
    assert given_up("def around(x, y):\n" + "".join(f"    {line}\n" for line in ODD[name].splitlines())) is None


CONSTANTS = [
    "0", "1", "-1", "2", "3.5", "1e999", HUGE, "1j", "True", "None", "...", "'a'", "b'a'", "''", "()", "[]", "{}", "x",
    "y",
]  # fmt: skip
BINARY = [
    "+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "in", "is",
    "and", "or",
]  # fmt: skip
CALLED = [
    "range", "len", "int", "float", "pow", "divmod", "abs", "min", "sum", "sorted", "zip", "list", "tuple", "dict",
    "set", "slice", "str", "jnp.zeros", "jnp.arange", "jnp.array", "jax.jit", "jax.vmap", "x.get", "x.format",
    "x.items", "x.pop",
]  # fmt: skip


def larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(parts, max_size=5)
    return st.one_of(
        st.tuples(parts, st.sampled_from(BINARY), parts).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(CALLED), several).map(lambda t: f"{t[0]}({', '.join(t[1])})"),
        st.tuples(parts, parts, parts, parts).map(lambda t: f"({t[0]})[{t[1]}:{t[2]}:{t[3]}]"),
        st.tuples(parts, parts).map(lambda t: f"({t[0]})[{t[1]}]"),
        several.map(lambda all_: f"({''.join(f'{one}, ' for one in all_)})"),
        several.map(lambda all_: f"[{', '.join(f'*{one}' for one in all_)}]"),
        st.tuples(parts, parts).map(lambda t: f"{{{t[0]}: {t[1]}, **{t[1]}}}"),
        parts.map(lambda one: f"(-{one})"),
    )


EXPRESSIONS = st.recursive(st.sampled_from(CONSTANTS), larger, max_leaves=8)
STATEMENTS = st.one_of(
    st.tuples(st.sampled_from("xy"), EXPRESSIONS).map(lambda t: f"    {t[0]} = {t[1]}\n"),
    st.tuples(st.sampled_from("xy"), EXPRESSIONS).map(lambda t: f"    {t[0]} += {t[1]}\n"),
    EXPRESSIONS.map(lambda test: f"    if {test}:\n        z = jax.random.normal(key)\n"),
    EXPRESSIONS.map(lambda source: f"    for x, *y in {source}:\n        y[x] = x\n"),
    EXPRESSIONS.map(lambda given: f"    match {given}:\n        case [1, *x] | {{'a': x}} | x:\n            pass\n"),
)


@pytest.mark.slow
@settings(max_examples=120)
@given(st.lists(STATEMENTS, min_size=1, max_size=8))
def test_any_program_is_judged(statements: list[str]) -> None:
    assert given_up(f"def f(key, x, y=1):\n{''.join(statements)}f(jax.random.key(0), [1], (2,))\n") is None
