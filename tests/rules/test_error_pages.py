"""The situations that JAX's documentation of its errors shows: each is named on its line, and its repair is silent."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.expectations import lint_text

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"


@dataclass(frozen=True, slots=True)
class Situation:
    """A function under `jit` that raises when it is called, and its repaired forms.

    `call` are its arguments, `line` is the one reported, from the head on; `error` is what JAX raises.
    """

    code: str
    line: int
    error: str
    call: str
    raising: str
    repaired: tuple[str, ...]

    def program(self, body: str) -> str:
        """The function, and a call of it."""
        return f"{HEAD}{body}\nresult = f({self.call})\n"


SITUATIONS = {
    "an axis that is an argument": Situation(
        "JAX410", 3, "TypeError", "jnp.arange(4), 0",
        "@jax.jit\ndef f(x, axis):\n    return x.max(axis)\n",
        ("@jax.jit(static_argnums=1)\ndef f(x, axis):\n    return x.max(axis)\n",),
    ),
    "places where something holds": Situation(
        "JAX411", 3, "ConcretizationTypeError", "jnp.arange(4)",
        "@jax.jit\ndef f(x):\n    return jnp.where(x > 2)\n",
        ("@jax.jit\ndef f(x):\n    return jnp.where(x > 2, size=2)\n",),
    ),
    "places that are used as an index": Situation(
        "JAX411", 3, "ConcretizationTypeError", "jnp.arange(4)",
        "@jax.jit\ndef f(x):\n    places = jnp.where(x > 2)\n    return x[places].sum()\n",
        ("@jax.jit\ndef f(x):\n    return jnp.where(x > 2, x, 0).sum()\n",),
    ),
    "a mask": Situation(
        "JAX411", 3, "NonConcreteBooleanIndexError", "jnp.arange(-3, 3)",
        "@jax.jit\ndef f(x):\n    return x[x < 0]\n",
        ("def f(x):\n    return x[x < 0]\n", "@jax.jit\ndef f(x):\n    return jnp.where(x < 0, x, 0)\n"),
    ),
    "a mask under a sum": Situation(
        "JAX411", 3, "NonConcreteBooleanIndexError", "jnp.arange(-3, 3)",
        "@jax.jit\ndef f(x):\n    return x[x < 0].sum()\n",
        ("@jax.jit\ndef f(x):\n    return jnp.where(x < 0, x, 0).sum()\n",),
    ),
    "a mask of an update": Situation(
        "JAX411", 3, "NonConcreteBooleanIndexError", "jnp.arange(-3, 3)",
        "@jax.jit\ndef f(x):\n    return x.at[x > 1].set(1)\n",
        ("@jax.jit\ndef f(x):\n    return jnp.where(x > 1, 1, x)\n",),
    ),
    "a function of NumPy": Situation(
        "JAX405", 3, "TracerArrayConversionError", "np.arange(4)",
        "@jax.jit\ndef f(x):\n    return np.cos(x)\n",
        ("@jax.jit\ndef f(x):\n    return jnp.cos(x)\n",),
    ),
    "an array of NumPy that is indexed": Situation(
        "JAX405", 5, "TracerArrayConversionError", "0",
        "table = np.arange(9)\n\n@jax.jit\ndef f(i):\n    return table[i]\n",
        (
            "table = np.arange(9)\n\n@jax.jit\ndef f(i):\n    return jnp.asarray(table)[i]\n",
            "table = np.arange(9)\n\n@jax.jit(static_argnums=0)\ndef f(i):\n    return table[i]\n",
        ),
    ),
    "an axis of NumPy": Situation(
        "JAX405", 3, "TracerIntegerConversionError", "np.arange(4), 0",
        "@jax.jit\ndef f(x, axis):\n    return np.split(x, 2, axis)\n",
        (
            "@jax.jit(static_argnums=1)\ndef f(x, axis):\n    return np.split(x, 2, axis)\n",
            "f = jax.jit(lambda x, axis: np.split(x, 2, 0))\n",
        ),
    ),
    "a list that is indexed": Situation(
        "JAX403", 5, "TracerIntegerConversionError", "0",
        "rates = [1, 2, 3]\n\n@jax.jit\ndef f(i):\n    return rates[i]\n",
        (
            "rates = [1, 2, 3]\n\n@jax.jit\ndef f(i):\n    return jnp.array(rates)[i]\n",
            "rates = [1, 2, 3]\n\n@jax.jit(static_argnums=0)\ndef f(i):\n    return rates[i]\n",
        ),
    ),
    "a choice between arrays": Situation(
        "JAX401", 3, "TracerBoolConversionError", "jnp.ones(4), jnp.zeros(4)",
        "@jax.jit\ndef f(x, y):\n    return x if x.sum() > y.sum() else y\n",
        ("@jax.jit\ndef f(x, y):\n    return jnp.where(x.sum() > y.sum(), x, y)\n",),
    ),
    "a flag": Situation(
        "JAX406", 3, "TracerBoolConversionError", "jnp.arange(5), True",
        "@jax.jit\ndef f(x, centre=True):\n    if centre:\n        return x - x.mean()\n    return x\n",
        (
            "@jax.jit(static_argnums=1)\ndef f(x, centre=True):\n    return x - x.mean() if centre else x\n",
        ),
    ),
    "the smaller of two": Situation(
        "JAX402", 3, "TracerBoolConversionError", "2",
        "@jax.jit\ndef f(x):\n    return min(x, 0)\n",
        ("@jax.jit\ndef f(x):\n    return jnp.minimum(x, 0)\n",),
    ),
    "a tracer that is kept": Situation(
        "JAX303", 6, "UnexpectedTracerError", "1), kept[-1] + (1",
        "kept = []\n\n@jax.jit\ndef f(x):\n    y = x + 1\n    kept.append(y)\n",
        ("kept = [1]\n\n@jax.jit\ndef f(x):\n    return x + 1\n",),
    ),
}  # fmt: skip


def _codes(text: str) -> list[str]:
    return [f"{found.code} {found.span.line}" for found in lint_text(text)]


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_raises_is_named_and_its_repair_is_silent(name: str) -> None:
    one = SITUATIONS[name]
    assert _codes(one.program(one.raising)) == [f"{one.code} {HEAD.count(chr(10)) + one.line}"]
    for repaired in one.repaired:
        assert _codes(one.program(repaired)) == []


RUNNER = """
import json, sys
def error_of(text):
    try:
        exec(compile(text, "<situation>", "exec"), {})
    except Exception as error:
        return [each.__name__ for each in type(error).__mro__]
    return []
print(json.dumps([error_of(text) for text in json.load(open(sys.argv[1]))]))
"""


@pytest.mark.slow
def test_running_shows_it(tmp_path: Path) -> None:
    """JAX raises what is stated, and runs every repaired form."""
    programs = {(name, one.error): one.program(one.raising) for name, one in SITUATIONS.items()}
    programs |= {
        (f"{name}: {place}", ""): one.program(text)
        for name, one in SITUATIONS.items()
        for place, text in enumerate(one.repaired)
    }
    given = tmp_path / "programs.json"
    given.write_text(json.dumps([*programs.values()]), encoding="utf-8")
    done = run([sys.executable, "-c", RUNNER, str(given)], tmp_path, JAX_PLATFORMS="cpu")
    seen = dict(zip(programs, json.loads(done.output.splitlines()[-1]), strict=True))
    assert {name: names for (name, error), names in seen.items() if (error not in names if error else names)} == {}
