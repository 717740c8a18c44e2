"""Which findings have fixes, which of them are safe, and the imports that they add."""

from __future__ import annotations

import random

import pytest

from flake8_jax.analysis.checks.keys.other_seeds import MadeKeys
from flake8_jax.fixes.texts import (
    EditKey,
    TakenPlaces,
    _meet,
    applicable_together,
    applied,
    moved,
    newline_of,
    places,
)
from flake8_jax.model.diagnostic import Edit, Fix, Span
from tests.support.expectations import lint_text

HEAD = "import jax\nimport jax.numpy as jnp\nimport jax.random as jr\nimport numpy as np\n\n\n"


def fixes(body: str, head: str = HEAD) -> list[Fix | None]:
    return [found.fix for found in lint_text(head + body)]


def safety(body: str) -> list[str | None]:
    return [fix.applicability if fix is not None else None for fix in fixes(body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def f():\n    x = jnp.ones(3)\n    x[0] = 1.0\n    return x\n", "safe"),
        ("@jax.jit\ndef f(x):\n    x = x * 2\n    for i in range(3):\n        x[i] = 1.0\n    return x\n", "safe"),
        ("def f():\n    x = jnp.ones(3)\n    def g():\n        return x\n    x[0] = 1.0\n    return g()\n", "safe"),
        ("x = jnp.ones(3)\nx[0] = 1.0\n", "safe"),
        # others hold the array, and would not see the new one
        ("def f():\n    x = jnp.ones(3)\n    y = x\n    x[0] = 1.0\n    return x, y\n", "unsafe"),
        ("def f():\n    x = jnp.ones(3)\n    y = [x]\n    x[0] = 1.0\n    return x, y\n", "unsafe"),
        ("def f(rows):\n    x = jnp.ones(3)\n    rows.append(x)\n    x[0] = 1.0\n    return x\n", "unsafe"),
        ("def f():\n    x = y = jnp.ones(3)\n    x[0] = 1.0\n    return x, y\n", "unsafe"),
        (
            "def f():\n    x = jnp.ones(3)\n    g(y := x)\n    x[0] = 1.0\n    return x, y\n",
            "unsafe",
        ),
        ("def f(self):\n    x = jnp.ones(3)\n    self.x = x\n    x[0] = 1.0\n    return x\n", "unsafe"),
        ("def f():\n    x = {'a': jnp.ones(3)}\n    x['a'][0] = 1.0\n    return x\n", "unsafe"),
        # other callers may hand in what can be stored into
        ("def f(x):\n    x[0] = 1.0\n    return x\n\n\nf(jnp.ones(3))\n", "unsafe"),
        ("def f(x: jax.Array):\n    x[0] = 1.0\n    return x\n\n\nf(jnp.ones(3))\n", "safe"),
        # nobody would see it
        ("def f():\n    x = jnp.ones(3)\n    x[0] = 1.0\n", None),
        ("def f():\n    rows = [jnp.ones(2)]\n    for x in rows:\n        x[0] = 1.0\n    return rows\n", None),
        ("x = jnp.ones(3)\n\n\ndef f():\n    x[0] = 1.0\n    return x\n", None),
        ("def f():\n    x = jnp.ones(3)\n    def g():\n        x[0] = 1.0\n    g()\n    return x\n", None),
        # an index that would be computed before the value, or twice
        ("def f(g):\n    x = jnp.ones(3)\n    x[g()] = g()\n    return x\n", "unsafe"),
        ("def f(g):\n    x = jnp.ones(3)\n    x[(y := 2)] = g()\n    return x, y\n", "unsafe"),
        ("def f(g):\n    x = jnp.ones(3)\n    x[jnp.array([0, len(g)])] = g()\n    return x\n", "safe"),
        ("def f(g):\n    x = jnp.ones(3)\n    x[g()] //= 2\n    return x\n", None),
        ("def f(i):\n    x = jnp.ones(3)\n    x[i] //= 2\n    return x\n", "safe"),
        ("def f():\n    x, y = jnp.ones(3), 1\n    x[0], y = 1.0, 2\n    return x, y\n", None),
    ],
)
def test_stores_into_items(body: str, expected: str | None) -> None:
    assert safety(body) == [expected]


@pytest.mark.parametrize(
    ("body", "new"),
    [
        ("y = jnp.sum([1.0, 2.0])\n", "y = jnp.sum(jnp.array([1.0, 2.0]))\n"),
        ("y = jnp.sum(v for v in range(3))\n", "y = jnp.sum(jnp.array([v for v in range(3)]))\n"),
        ("y = jnp.max(jnp.ones(3).shape)\n", "y = max(jnp.ones(3).shape)\n"),
        ("y = jnp.ones(2) + (1.0,\n  2.0)\n", "y = jnp.ones(2) + jnp.array((1.0,\n  2.0))\n"),
        ("y = f'{jnp.sum([1.0])}'\n", "y = f'{jnp.sum(jnp.array([1.0]))}'\n"),
        ("y = jnp.ones(3).at(0).set(1.0)\n", "y = jnp.ones(3).at[0].set(1.0)\n"),
        ("y = jr.normal(3, (2,))\n", "y = jr.normal(jr.key(3), (2,))\n"),
        ("a, b = jr.split(jr.key(0), 3)\n", "a, b = jr.split(jr.key(0))\n"),
        ("y = jnp.sum(  # all\n    [1.0])\n", "y = jnp.sum(  # all\n    jnp.array([1.0]))\n"),
        ("x = jnp.ones(3)\nx[0] = 1.0, 2.0\n", "x = jnp.ones(3)\nx = x.at[0].set((1.0, 2.0))\n"),
        ("k = jr.PRNGKey(0)\nk += 1\n", "k = jr.PRNGKey(0)\nk = jr.fold_in(k, 1)\n"),
        ("k = jr.key(0)\ni = 2; k += (i); i = 3\n", "k = jr.key(0)\ni = 2; k = jr.fold_in(k, (i)); i = 3\n"),
        ("k = jr.PRNGKey(0)\nk += jnp.arange(3)\n", ""),  # `fold_in` takes one number
        ("y = f'{jnp.ones(3).at(\"a\")}'\n", "y = f'{jnp.ones(3).at[\"a\"]}'\n"),
        ("y = 0 if x else(1, 2) + jnp.ones(2)\n", "y = 0 if x else(jnp.array((1, 2))) + jnp.ones(2)\n"),
        ("x = jnp.ones(3)\nx[0] = y = 2.0\n", ""),
        ("x = jnp.ones(3)\nx[0]: float = 2.0\n", ""),
        ("y = jnp.sum(jnp.ones(3).shape, axis=0)\n", ""),
        ("y = jnp.prod(jnp.ones(3).shape).astype(int)\n", ""),
        ("x = jnp.ones(3)\nx[0] = (yield)\n", None),
    ],
)
def test_what_is_written(body: str, new: str | None) -> None:
    if new is None:
        return
    found = fixes(body)
    assert len(found) == 1
    edits = found[0].edits if found[0] is not None else ()
    assert applied(HEAD + body, edits) == HEAD + (new or body)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("import os\n\nimport jax.numpy as jnp\n", "import math\nimport os\n\nimport jax.numpy as jnp\n"),
        ("import abc\n\nimport jax.numpy as jnp\n", "import abc\nimport math\n\nimport jax.numpy as jnp\n"),
        ("import jax.numpy as jnp\n", "import math\n\nimport jax.numpy as jnp\n"),
        ('"""Page."""\n\nimport jax.numpy as jnp\n', '"""Page."""\n\nimport math\n\nimport jax.numpy as jnp\n'),
        (
            "from __future__ import annotations\n\nimport jax.numpy as jnp\n",
            "from __future__ import annotations\n\nimport math\n\nimport jax.numpy as jnp\n",
        ),
        ("import jax.numpy as jnp\nfrom math import prod\n", "import jax.numpy as jnp\nfrom math import prod\n"),
        ("import jax.numpy as jnp, math as m\n", "import jax.numpy as jnp, math as m\n"),
    ],
)
def test_imports_are_added_where_they_belong(text: str, new: str) -> None:
    body = "\n\nx = jnp.ones((2, 2))\ny = jnp.prod(x.shape)\nz = jnp.prod(x.shape)\n"
    found = [fix for fix in fixes(body, text) if fix is not None]
    assert len(found) == 2
    assert all(applicable_together(text + body, [fix.edits for fix in found]))
    made = applied(text + body, [edit for fix in found for edit in fix.edits])
    called = {"from math import prod": "prod", "math as m": "m.prod"}
    name = next((name for words, name in called.items() if words in text), "math.prod")
    assert made == new + body.replace("jnp.prod", name)


@pytest.mark.parametrize(
    "body",
    [
        "math = 3\nx = jnp.ones((2, 2))\ny = jnp.prod(x.shape)\n",
        "def f(math):\n    x = jnp.ones((2, 2))\n    return jnp.prod(x.shape)\n",
        "max = 3\ny = jnp.max(jnp.ones(3).shape)\n",
    ],
)
def test_names_that_are_taken_are_not_used(body: str) -> None:
    assert fixes(body) == [None]


def test_an_import_for_checkers_of_types_is_none() -> None:
    head = "from typing import TYPE_CHECKING\nimport jax.numpy as jnp\nif TYPE_CHECKING:\n    import math\n"
    assert fixes("y = jnp.prod(jnp.ones(3).shape)\n", head) == [None]


@pytest.mark.parametrize(
    ("call", "new"),
    [
        ("print(x)", 'jax.debug.print("{}", x)'),
        ("print('a', x, 'b')", 'jax.debug.print("a {} b", x)'),
        ("print(f'a {x:.2f} {{}} {n!r}')", 'jax.debug.print("a {:.2f} {{}} {!r}", x, n)'),
        ("print('%s of %d %%' % (x, n))", 'jax.debug.print("{} of {} %", x, n)'),
        ("print('a {} {{}}'.format(x))", 'jax.debug.print("a {} {{}}", x)'),
        ("print(str(x))", 'jax.debug.print("{}", x)'),
        ("print('a' + str(x))", None),
        ("print('a', x, sep='')", 'jax.debug.print("a{}", x)'),
        ("print('a', x, sep='{}', flush=True)", 'jax.debug.print("a{{}}{}", x)'),
        ("print('a', x, sep=n)", None),
        ("print(x, end='')", None),
        ("print(x, file=n)", None),
        ("print(*[x])", None),
        ("print('%.2f' % x)", None),
    ],
)
def test_prints(call: str, new: str | None) -> None:
    (fix,) = fixes(f"@jax.jit\ndef f(x, n):\n    {call}\n    return x\n")
    assert (fix.edits[0].text if fix is not None else None) == new
    assert fix is None or fix.applicability == "unsafe"


@pytest.mark.parametrize(
    ("decorator", "new"),
    [
        ("jax.jit", 'partial(jax.jit, static_argnames=("n",))'),
        ("partial(jax.jit, donate_argnums=0)", 'partial(jax.jit, donate_argnums=0, static_argnames=("n",))'),
        ("partial(jax.jit, static_argnums=0)", "partial(jax.jit, static_argnums=(0, 1))"),
        ("partial(jax.jit, static_argnums=(0,), inline=True)", "partial(jax.jit, inline=True, static_argnums=(0, 1))"),
        ('partial(jax.jit, static_argnames="x")', 'partial(jax.jit, static_argnames=("x", "n"))'),
        ("partial(jax.jit, static_argnames=['x'])", 'partial(jax.jit, static_argnames=("x", "n"))'),
        ("partial(jax.jit, **{})", None),
    ],
)
def test_static_arguments(decorator: str, new: str | None) -> None:
    head = "from functools import partial\n" + HEAD
    body = f"@{decorator}\ndef f(x, n: int):\n    for _ in range(n):\n        x = x * 2\n    return x\n\n\nf(1.0, 2)\n"
    found = [fix for fix in fixes(body, head) if fix is not None]
    assert [applied(head + body, fix.edits) for fix in found] == ([head + body.replace(decorator, new)] if new else [])


def test_edits_of_texts() -> None:
    text = "ab\r\ncd\r\n"
    edits = [Edit(Span(1, 1, 1, 2), "XY\n"), Edit(Span(2, 0, 2, 1), ""), Edit(Span(3, 0, 3, 0), "e\n")]
    assert applied(text, edits) == "aXY\r\n\r\nd\r\ne\r\n"
    assert places(text, edits) == [(1, 5), (7, 7), (10, 13)]
    assert [moved(text, edits, offset) for offset in (0, 4, 6)] == [0, 7, 8]
    assert newline_of("a\rb\r\nc\r\n") == "\r\n"
    groups = [[Edit(Span(1, *span), "")] for span in ((0, 1, 2), (1, 1, 3), (3, 1, 3))]
    assert applicable_together("abc\n", groups) == [True, False, True]


def test_places_that_are_taken_are_those_that_a_comparison_with_each_finds() -> None:
    dice = random.Random(0)
    for _ in range(300):
        taken: list[EditKey] = []
        places = TakenPlaces(_meet)
        for _ in range(12):
            begin = dice.randrange(20)
            one = (begin, begin + dice.choice((0, 0, 1, 4)), dice.choice("ab"))
            is_met = any(_meet(one, other) for other in taken)
            assert places.are_met_by(one) == is_met
            if not is_met:
                taken.append(one)
                places.add([one])


def test_a_number_that_no_key_is_made_of_is_counted_from_the_one_that_is() -> None:
    dice = random.Random(1)
    for _ in range(300):
        made = sorted({dice.randrange(30) for _ in range(dice.randrange(1, 20))})
        number, which = dice.choice(made), dice.randrange(1, 8)
        free = [other for other in range(number + 1, 60) if other not in made]
        found = MadeKeys(made, [one - place for place, one in enumerate(made)], {})
        assert found.free(number, which) == free[which - 1]
