"""JAX409 speaks of functions of a library that nobody is seen to trace, and of no other code."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.model.config import Config
from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

UNIT = """import jax
import jax.numpy as jnp
def unit(x):
    length = jnp.linalg.norm(x)
    if length > 0:
        x = x / length
    return x
"""
IN_LIBRARY = {"lib.py": UNIT}
STRICT = Config(no_store=True, strict=True)
CASES: dict[str, tuple[dict[str, str], str, str]] = {
    "a library": (IN_LIBRARY, "lib.py", "5 JAX409"),
    "called in eager code": ({"lib.py": UNIT + "def two(x):\n    return unit(unit(x))\n"}, "lib.py", "5 JAX409"),
    "a script": ({"lib.py": UNIT + 'if __name__ == "__main__":\n    print(unit(jnp.ones(3)))\n'}, "lib.py", ""),
    "a program": ({"lib.py": UNIT.replace("def unit", "def main")}, "lib.py", ""),
    "a test file": ({"tests/test_lib.py": UNIT}, "tests/test_lib.py", ""),
    "a function of a test": ({"lib.py": UNIT.replace("def unit", "def test_unit")}, "lib.py", ""),
    "traced here": ({"lib.py": UNIT + "fast = jax.jit(unit)\n"}, "lib.py", "5 JAX401"),
    "traced in another file": (
        {**IN_LIBRARY, "use.py": "import jax\nfrom lib import unit\nfast = jax.vmap(unit)\n"}, "lib.py", "5 JAX401",
    ),
    "a static argument decides, in a trace": (
        {"lib.py": UNIT.replace("unit(x)", "unit(x, safe=True)").replace("if length", "if not safe and length")
            + "fast = jax.jit(unit)\n"}, "lib.py", "",
    ),
    "an answer for Python": ({"lib.py": UNIT.replace("return x", "return 1")}, "lib.py", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_who_is_told(name: str, tmp_path: Path) -> None:
    files, path, expected = CASES[name]
    tree(tmp_path, {**ROOT, **files})
    rows = [row.split(":", 2) for row in found(tmp_path, path, config=STRICT)]
    assert " ".join(f"{line} {rest.split()[1]}" for _, line, rest in rows) == expected


def test_names_that_users_trace_are_judged_as_traced(tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, **IN_LIBRARY})
    config = Config(no_store=True, strict=True, assume_traced=("lib.*",))
    assert [row.split()[1] for row in found(tmp_path, "lib.py", config=config)] == ["JAX401"]
