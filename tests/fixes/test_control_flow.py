"""Branches and loops as functions: they give the same numbers and gradients, and are said only where they can stand."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

import pytest

from flake8_jax.fixes.texts import applied
from tests.fixes.test_remedies import HEAD, edits_of, namespace, slope_of
from tests.support.expectations import lint_text

OTHER = "def other(x):\n    return x * 3\n\n\n"


class Case(NamedTuple):
    """The body of a function of x and y, and what is said of it."""

    body: str
    said: str
    is_loop: bool = False


def text_of(body: str) -> str:
    """A function of x and y with a body, and that function jitted."""
    return f"{HEAD}{OTHER}def f(x, y):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n\n\ng = jax.jit(f)\n"


HOLDS = {
    "two names, and one that only an arm needs": Case(
        """
        if x > y:
            half = other(x) / 2
            x = half + y
            y = half * y
        return x * y
        """,
        "x, y = jax.lax.cond(x > y, true_fun, lambda *same: same, x, y)",
    ),
    "a name that both arms bind, by other statements": Case(
        """
        if (x > 0
                and y > 0):  # both
            z = other(x)
            z = z * y
        else:
            # one of them is not
            w = other(y)
            z = w + x
        return z * z
        """,
        "z = jax.lax.cond((x > 0) & (y > 0), true_fun, false_fun)",
    ),
    "three ways": Case(
        """
        if x > 2:
            z = other(x)
            x = z * x
        elif x > 0:
            z = other(y)
            x = z + x
        else:
            z = x
            x = other(x)
        return z + x
        """,
        "choose by `x > 2`",
    ),
    "two of three ways": Case(
        """
        if x > 2:
            z = other(x)
            x = z * x
        elif x > 0:
            x = other(x)
            x = x + y
        return x
        """,
        "choose by `x > 2` with `jax.lax.cond`, its arms as functions that return `x`",
    ),
    "a branch in another, at its end": Case(
        """
        if x > 0:
            x = other(x)
            if y > 1:
                y = other(y)
                x = x * y
        return x + y
        """,
        "x, y = jax.lax.cond(x > 0, true_fun, lambda *same: same, x, y)",
    ),
    "a loop in an arm": Case(
        """
        n = 0
        if x > 0:
            for i in range(3):
                x = x + i
                n += 1
        return x * y + n
        """,
        "x, n = jax.lax.cond(x > 0, true_fun, lambda *same: same, x, n)",
    ),
    "a branch in a loop that is unrolled": Case(
        """
        total = 0.0
        for i in range(3):
            step = x * i
            if step > y:
                z = jnp.sin(step)
                total = total + z
                x = other(x)
        return total + x
        """,
        "total, x = jax.lax.cond(step > y, true_fun, lambda *same: same, total, x)",
    ),
    "what an arm prints, and a count whose bound is asked later": Case(
        """
        n = 0
        if x > 0:
            print("here {}", x + 1)
            x = other(x)
            n += 1
        return x * y / max(n, 1)
        """,
        "x, n = jax.lax.cond(x > 0, true_fun, lambda *same: same, x, n)",
    ),
    "two ways to return": Case(
        """
        if x > y:
            z = other(x)
            return z * z
        else:
            y = other(y)
            return y * x
        """,
        "return jax.lax.cond(x > y, true_fun, false_fun, y)",
    ),
    "three ways to return": Case(
        """
        if x > 2:
            return other(x) * y
        elif x > 0:
            z = other(x)
            return z * z
        else:
            return x
        """,
        "return jax.lax.cond(x > 2, first_arm, lambda: jax.lax.cond(x > 0, second_arm, third_arm))",
    ),
    "an early return": Case(
        """
        scale = 2.0
        if x > y:
            z = other(x) * scale
            return z * z

        # otherwise
        for i in range(2):

            x = x * y + i
        return x
        """,
        "return jax.lax.cond(x > y, true_fun, false_fun, x)",
    ),
    "ways to return in a way to return": Case(
        """
        if x > y:
            z = other(x)
            if y > 1:
                z = other(z)
                return z * z
            else:
                return other(z)
        else:
            return x  # as it is
        """,
        "return jax.lax.cond(x > y, true_fun, false_fun)",
    ),
    "an early return of two": Case(
        """
        if x > y:
            z = other(x)
            return z * z + y
        z = other(y)
        x, y = z, x
        return x + y
        """,
        "with the ways to return as functions",
    ),
    "a loop of two variables": Case(
        """
        n = 0
        while n < y:
            x = x * 1.5
            n = n + 1
        return x * 2
        """,
        "jax.lax.while_loop(cond_fun, body_fun, (x, n))",
        is_loop=True,
    ),
    "a loop of one variable": Case(
        """
        while x < 10:
            half = x / 2
            x = x + half * half + 1
        return x + y
        """,
        "jax.lax.while_loop(cond_fun, body_fun, x)",
        is_loop=True,
    ),
    "a branch in a loop, at its end": Case(
        """
        n = 0
        while n < y:
            n += 1
            if x > 2:
                x = other(x)
                n += 1
        return x * y
        """,
        "jax.lax.while_loop(cond_fun, body_fun, (n, x))",
        is_loop=True,
    ),
    "turns that an array counts": Case(
        """
        for i in range((y + 1).astype(int)):
            x = x * 2 + i
        return x
        """,
        "jax.lax.fori_loop(0, (y + 1).astype(int), body_fun, x)",
        is_loop=True,
    ),
}


@pytest.mark.parametrize("case", HOLDS.values(), ids=HOLDS)
def test_functions_give_the_same_values_and_gradients(case: Case) -> None:
    import jax

    jnp = jax.numpy
    text = text_of(case.body)
    found = [one for one in lint_text(text) if one.code.startswith("JAX4")]
    assert any(case.said in one.message for one in found), found
    repaired = applied(text, [edit for one in found for edit in edits_of(one)])
    assert lint_text(repaired) == []
    eager, traced = namespace(text), namespace(repaired)
    for at in ((3.0, 2.0), (1.5, 2.5), (-1.0, 2.0), (0.5, 0.25)):
        x, y = map(jnp.asarray, at)
        assert jnp.allclose(eager["f"](x, y), traced["g"](x, y)), at
        slope = (jax.jacfwd if case.is_loop else jax.grad)(traced["g"])(x, y)
        assert jnp.allclose(slope, slope_of(eager["f"], (x, y), 0), atol=0.05), at


WORDS = {
    "a number that becomes another kind": "n = 0\nwhile n < x:\n    n = n + 0.5\nreturn n * y",
    "an array that becomes another kind": "z = jnp.array([1, 1]).reshape(2, 1)\nwhile x > 0:\n    z = z - other(y)\n"
    "    x = x - 1\nreturn z",
    "what is printed otherwise": "if x > 0:\n    print(x, end='')\n    x = other(x)\nreturn x * y",
    "a number that becomes an array": "n = 0.0\nif x.sum() > 0:\n    n = n + other(x)\n    y = other(y)\nreturn n * y",
    "what is called for what it does": "if x > 0:\n    open(x)\n    x = other(x)\nreturn x * y",
    "what is collected": "found = []\nif x > 0:\n    found.append(other(x))\n    x = other(x)\nreturn x, found",
    "what is stored": "if x > 0:\n    other.last = x\n    x = other(x)\nreturn x * y",
    "what is no array": "name = 'a'\nif x > 0:\n    name = 'b'\n    x = other(x)\nreturn x, name",
    "what is not bound before": "if x > 0:\n    z = other(x)\n    x = z * 2\nreturn z * y",
    "a way to return nothing": "if x > y:\n    z = other(x)\n    return None\nz = other(y)\nreturn z",
    "a pair and a number": "if x > y:\n    z = other(x)\n    return z, y\nz = other(y)\nreturn z",
    "a number and an array": "x = jnp.ones(3) * x\nif y > 0:\n    z = other(x)\n    return z\nz = other(y)\nreturn 0.0",
    "a loop that is left": "while x > 0:\n    x = other(x) - y\n    if y is None:\n        break\nreturn x",
}


@pytest.mark.parametrize("body", WORDS.values(), ids=WORDS)
def test_what_cannot_be_a_function_is_told_in_words(body: str) -> None:
    found = [one for one in lint_text(text_of(body)) if one.code in ("JAX401", "JAX402")]
    assert found
    assert all(one.remedy is None for one in found), [one.message for one in found]


def test_haiku_keeps_its_keys_outside_of_functions_of_jax() -> None:
    text = (
        "import haiku as hk\nimport jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x, y):\n"
        "    if x > 0:\n        y = hk.dropout(hk.next_rng_key(), 0.5, y)\n    return y\n"
    )
    assert [one.remedy for one in lint_text(text) if one.code == "JAX401"] == [None]


def test_modules_make_their_parameters_outside_of_functions_of_jax() -> None:
    text = (
        "import flax.linen as nn\nimport jax\nimport jax.numpy as jnp\n\n\nclass Net(nn.Module):\n    @nn.compact\n"
        "    def __call__(self, x):\n        y = nn.Dense(3)(x)\n        if jnp.sum(y) > 0:\n"
        "            y = self.other(y)\n            x = nn.Dense(3)(y)\n        return x + y\n\n\n"
        "@jax.jit\ndef f(params, x):\n    return Net().apply(params, x)\n"
    )
    assert all(one.remedy is None for one in lint_text(text) if one.code == "JAX401")
