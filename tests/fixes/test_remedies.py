"""Remedies in code: they hold where they are said, and what they make gives the same numbers and gradients."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.fixes.texts import applied
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.source import SourceFile
from tests.corpus.advice import EVERYTHING, advised
from tests.support.expectations import FIXTURES, lint_text
from tests.support.layouts import tree

PAIRS = ("jax105", "jax107", "jax402", "jax403", "jax404", "jax405", "jax410", "jax411")
"""The pairs that are quick to judge; `python -m tests.corpus.advice fixtures` takes all."""

EVERY = 20
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nimport math\n\n"


def some_files() -> list[Path]:
    """Files of hazards: small pairs, and some of the catalogue."""
    pairs = [path for path in sorted(FIXTURES.glob("jax*/bad.py")) if path.parent.name.startswith(PAIRS)]
    return [*pairs, *sorted((FIXTURES / "catalogue" / "bad").glob("*.py"))[::EVERY]]


def test_remedies_remove_their_findings_and_bring_no_other() -> None:
    result = advised(some_files(), alone=1)
    assert result.wrong == []
    assert result.share("JAX4") >= 0.45
    assert result.coded.total() >= 40


class Repaired(NamedTuple):
    """A function of x and y that runs eagerly, and at which of their values."""

    body: str
    x: Any
    y: Any = 2.0


VALUES = {
    "two ways to return": Repaired("if x > 0:\n        return x * y\n    return -x", [1.5, -1.5]),
    "a division that the test guards": Repaired("if x > 0:\n        y = y / x\n    return y", [0.0, 2.0]),
    "a division in one of the arms": Repaired("return y / x if x > 0 else y", [0.0, 2.0]),
    "a logarithm in one of the arms": Repaired("return jnp.log(x) * y if x > 0 else y", [0.0, 2.0]),
    "an assignment": Repaired(
        "if x > y:\n        x = x - y\n    else:\n        x = x + 1\n    return x * 2", [1.0, 3.0]
    ),
    "an addition in place": Repaired("if x > y:\n        x += y\n    return x * x", [1.0, 3.0]),
    "three ways": Repaired(
        "if x > 1:\n        return x\n    elif x > 0:\n        return x * y\n    else:\n        return -x",
        [2.0, 0.5, -1.0],
    ),
    "and of comparisons": Repaired("return x if x > 0 and y > 0 else -x", [1.0, -1.0]),
    "a mean of some": Repaired("return x[x > 0].mean() * y", [[1.0, -2.0, 3.0]]),
    "a sum of some": Repaired("return jnp.sum(x[x > 0]) * y", [[1.0, -2.0, 3.0]]),
    "a maximum of some": Repaired("return x[x < 2].max() * y", [[1.0, -2.0, 3.0]]),
    "how many": Repaired("return len(x[x > 0]) * y", [[1.0, -2.0, 3.0]]),
    "a conversion": Repaired("return float(x) * y", [1.5]),
    "an item": Repaired("return (x * y).item()", [1.5]),
    "functions of math": Repaired("return math.exp(x) * y", [1.5]),
    "functions of NumPy": Repaired("return np.sin(x) * y", [1.5]),
    "sizes of a type": Repaired(
        "return x.reshape(tuple(jnp.ones(x.ndim, dtype=jnp.int32).tolist())).sum() * y", [[1.5]]
    ),
    "the least of two": Repaired("return min(x, y) * 2", [1.0, 3.0]),
    "calls of other functions": Repaired("return other(x) if x > 0 else x", [1.0, -1.0]),
}


@pytest.mark.parametrize("case", VALUES.values(), ids=VALUES)
def test_a_repaired_function_gives_the_same_values_and_gradients(case: Repaired) -> None:
    import jax

    jnp = jax.numpy
    body = f"{HEAD}def other(x):\n    return x * 3\n\n\ndef f(x, y):\n    {case.body}\n\n\ng = jax.jit(f)\n"
    found = [one for one in lint_text(body) if one.code.startswith("JAX4")]
    repaired = applied(body, [edit for one in found for edit in edits_of(one)])
    assert found
    assert lint_text(repaired) == []
    eager, traced = namespace(body), namespace(repaired)
    for at in case.x:
        x, y = jnp.asarray(at), jnp.asarray(case.y)
        assert jnp.allclose(eager["f"](x, y), traced["g"](x, y))
        slopes = jax.grad(lambda x, y: jnp.sum(traced["g"](x, y)), argnums=(0, 1))(x, y)
        assert all(bool(jnp.all(jnp.isfinite(slope))) for slope in slopes)
        for number, slope in enumerate(slopes):
            assert jnp.allclose(slope, slope_of(eager["f"], (x, y), number), atol=0.05), (at, slope)


def edits_of(found: Diagnostic) -> tuple[Any, ...]:
    """The edits of what is said of a finding in code."""
    assert found.remedy is not None, found.message
    return found.remedy.edits


def namespace(text: str) -> dict[str, Any]:
    """What a text defines."""
    names: dict[str, Any] = {}
    exec(compile(text, "<repaired>", "exec"), names)
    return names


def slope_of(function: Any, given: tuple[Any, ...], number: int) -> Any:
    """The gradient of an eager function: that of JAX, or where it needs values by differences."""
    import jax

    try:
        found = jax.grad(lambda *given: jax.numpy.sum(function(*given)), argnums=number)(*given)
    except Exception:
        return estimate(function, given, number)
    return found if bool(jax.numpy.any(found)) else estimate(function, given, number) if is_smooth(given) else found


def is_smooth(given: tuple[Any, ...]) -> bool:
    """Are values apart from where the cases jump?"""
    return all(bool((value != 0).all()) for value in given)


def estimate(function: Any, given: tuple[Any, ...], number: int) -> Any:
    """The slope of an eager function, by differences."""
    import numpy as np

    step, at = 1e-2, np.asarray(given[number], dtype=np.float64)
    slope = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        values = []
        for sign in (1, -1):
            moved = at.copy()
            moved[place] += sign * step
            arguments = [*given]
            import jax.numpy as jnp

            arguments[number] = jnp.asarray(moved)
            values.append(float(np.sum(np.asarray(function(*arguments), dtype=np.float64))))
        slope[place] = (values[0] - values[1]) / (2 * step)
    return slope


STATIC = {
    "all numbers of a shape, by a decorator": (
        "@jax.jit\ndef g(x, n, m):\n    return jnp.zeros((n, m)) + x.sum()\n",
        'static_argnames=("n", "m")',
    ),
    "those of two shapes at once": (
        "@jax.jit\ndef g(x, n, m):\n    return jnp.zeros(n).sum() + jnp.ones(m) * x.sum()\n",
        'static_argnames=("n", "m")',
    ),
    "a number that is added to, by a call": (
        "def f(x, n, m):\n    return jnp.zeros(n + 1) + m\n\n\ng = jax.jit(f)\n",
        'static_argnames=("n",)',
    ),
    "what a called function needs": (
        "def f(x, n):\n    return jnp.zeros(n) + x.sum()\n\n\n@jax.jit\ndef g(x, n, m):\n    return f(x, n) * m\n",
        'static_argnames=("n",)',
    ),
    "how often a loop turns": (
        "@jax.jit\ndef g(x, n, m):\n    for i in range(n):\n        x = x * m + i\n    return x\n",
        'static_argnames=("n",)',
    ),
}


@pytest.mark.parametrize(("text", "said"), STATIC.values(), ids=STATIC)
def test_what_is_declared_static_runs(text: str, said: str) -> None:
    import jax.numpy as jnp

    found = lint_text(HEAD + text)
    assert found
    assert all(said in one.message for one in found), found
    repaired = applied(HEAD + text, [edit for one in found for edit in edits_of(one)])
    assert lint_text(repaired) == []
    assert jnp.all(jnp.isfinite(namespace(repaired)["g"](jnp.ones(3), n=3, m=2)))


def test_what_is_an_array_is_not_declared_static() -> None:
    (found,) = lint_text(f"{HEAD}@jax.jit\ndef g(x, y):\n    return jnp.zeros(x) + y[0] + x[0]\n")
    assert found.remedy is None


@pytest.mark.parametrize("body", ["jnp.min(x, y)", "jnp.amax(x, y * 2)", "jnp.max(x + 1, jnp.array(0.5))"])
def test_the_smaller_of_two_is_no_smallest_along_an_axis(body: str) -> None:
    import jax.numpy as jnp

    (found,) = lint_text(f"{HEAD}@jax.jit\ndef g(x, y):\n    return {body}\n")
    assert found.remedy is not None
    assert found.message.endswith(f"use `{'jnp.minimum' if 'min' in body else 'jnp.maximum'}({body.split('(', 1)[1]}`")
    repaired = applied(f"{HEAD}@jax.jit\ndef g(x, y):\n    return {body}\n", edits_of(found))
    assert lint_text(repaired) == []
    assert namespace(repaired)["g"](jnp.ones(3), jnp.zeros(3)).shape == (3,)


KEYS = {
    "a leaf of a tree": "def f(key):\n    q = [jnp.ones(2), jnp.ones(2)]\n"
    "    return jax.tree.map(lambda x: x * jax.random.normal(key, x.shape), q)\n",
    "a global in a loop": "KEY = jax.random.key(0)\n\n\ndef f(key):\n    found, sizes = [], [2, 2, 2]\n"
    "    for a, b in zip(sizes, sizes[1:]):\n        found.append(jax.random.normal(KEY, (a,)))\n"
    "        found.append(jax.random.normal(KEY, (b,)))\n    return found\n",
    "an item in a loop": "def f(key):\n    keys, found, xs = jax.random.split(key), [], [1, 2]\n    for x in xs:\n"
    "        found.append(x * jax.random.normal(keys[1], (2,)))\n"
    "    return found + [jax.random.normal(keys[0], (2,))]\n",
    "items in a range": "KEY = jax.random.key(0)\n\n\ndef f(key):\n    found = []\n    for _ in range(1, 4):\n"
    "        found.append(jax.random.normal(KEY, (2,)))\n    return found\n",
    "one arm of two": "def f(key, is_one=False):\n    keys, found, xs = jax.random.split(key), [], [1, 2]\n"
    "    if is_one:\n        found = [jax.random.normal(keys[1], (2,)) for x in xs]\n    else:\n        for x in xs:\n"
    "            found.append(x * jax.random.normal(keys[1], (2,)))\n    return found\n",
}


@pytest.mark.parametrize("text", KEYS.values(), ids=KEYS)
def test_keys_that_are_split_draw_apart(text: str) -> None:
    import jax

    found = [one for one in lint_text(HEAD + text) if one.code != "JAX901"]  # of a global key that stays said
    assert found
    repaired = applied(HEAD + text, {edit for one in found for edit in edits_of(one)})
    assert {one.code for one in lint_text(repaired)} <= {"JAX901"}
    drawn = namespace(repaired)["f"](jax.random.key(1))
    assert len({abs(float(one[0])) for one in drawn}) == len(drawn) > 1


LAYER = """from jax import random


def layer(x, rng=None):
    if rng is None:
        return x
    return x + random.normal(rng, x.shape)


"""
OPTIONAL = {
    "handed to two that may do without": "def f(x, rng=None):\n    x = layer(x, rng)\n    return layer(x, rng)\n",
    "two tests of it": "def f(x, rng=None):\n    if rng is not None:\n        x = x + random.normal(rng, x.shape)\n"
    "    if rng is not None:\n        x = x + random.uniform(rng, x.shape)\n    return x\n",
    "in each turn": "def f(x, rng=None):\n    for _ in range(3):\n        x = layer(x, rng)\n    return x\n",
    "below its test": "def f(x, rng=None):\n    if rng is not None:\n"
    "        x = layer(x, rng) + random.normal(rng, x.shape)\n    return x\n",
    "made where it is not there": "def f(x, rng=None):\n    if rng is None:\n        rng = random.key(0)\n"
    "    return layer(x, rng) * layer(x, rng)\n",
    "without one at once": "def f(x, rng=None):\n    if rng is None:\n        return x\n"
    "    return layer(x, rng) * layer(x, rng)\n",
    "refused without one": "def f(x, train, rng=None):\n    assert rng is not None or not train\n    if not train:\n"
    "        return x\n    return layer(x, rng) * layer(x, rng)\n",
}  # fmt: skip


@pytest.mark.parametrize("text", OPTIONAL.values(), ids=OPTIONAL)
def test_a_key_that_may_be_none_is_split_where_there_is_one(text: str) -> None:
    import jax

    found = lint_text(HEAD + LAYER + text)
    assert found
    repaired = applied(HEAD + LAYER + text, {edit for one in found for edit in edits_of(one)})
    assert lint_text(repaired) == []
    names, x = namespace(repaired), jax.numpy.ones(2)
    without, given = ((x, False), (x, True)) if "train" in text else ((x,), (x,))
    names["f"](*without)
    names["f"](*given, rng=jax.random.key(0))


OPS = """import jax
import jax.numpy as jnp


def relu(x):
    if x > 0:
        return x * 2.0
    return -x * 1.0


def is_any(x):
    return bool(jnp.any(x > 0))
"""
TRAIN = """import jax
from ops import {}


@jax.jit
def step(x):
    {}
"""
CALLERS = {
    "what a caller makes certain is tried with it": ("relu", "return relu(x)", {"jnp.where(x > 0, x * 2.0, -x * 1.0)"}),
    "what would then be found in the caller counts": ("is_any", "return x if is_any(x) else -x", {"the array itself"}),
    "the other is told still": (
        "is_any, relu", "return x if is_any(x) else -x\n\n\n@jax.jit\ndef other(x):\n    return relu(x)",
        {"jnp.where(x > 0, x * 2.0, -x * 1.0)", "the array itself"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("names", "body", "said"), CALLERS.values(), ids=CALLERS)
def test_callers_in_other_files_are_tried_with(names: str, body: str, said: set[str], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "ops.py").write_text(OPS)
    (tmp_path / "train.py").write_text(TRAIN.format(names, body))
    projects = Projects(EVERYTHING)
    found = lint(projects.read(str(tmp_path / "ops.py")), EVERYTHING, projects).diagnostics
    after = lint(projects.read(str(tmp_path / "train.py")), EVERYTHING, projects).diagnostics
    assert len(found) == len(said)
    assert all(any(part in one.message for one in found) for part in said)
    assert not after


@pytest.mark.parametrize(("lines", "is_tried"), [(400, True), (600, False)])
def test_callers_of_many_lines_are_not_run_again(lines: int, is_tried: bool, tmp_path: Path) -> None:
    """Where the callers that make a finding certain are much longer than its file, the message ends in words."""
    long = "\n\n@jax.jit\ndef other(x):\n" + "    x = x + 1\n" * lines + "    return relu(x)\n"
    tree(tmp_path, {"pyproject.toml": "", "ops.py": OPS, "train.py": TRAIN.format("relu", "return relu(x)") + long})
    (found,) = lint(SourceFile.read(str(tmp_path / "ops.py")), EVERYTHING).diagnostics
    assert ("jnp.where(x > 0, x * 2.0" in found.message) is is_tried
