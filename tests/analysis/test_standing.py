"""The project's own transforms and key consumers: they are what the configuration says that they are like."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.model.config import Config
from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

WRAPS = "def fast(f):\n    return _compiled(f)\ndef draw(key, n):\n    return _native(key, n)\n"
BRANCH = "def f(x):\n    if x > 0:\n        return x\n    return -x\n"
DRAWS = "def two(key):\n    return {}(key, 3) + jax.random.normal(key)\n"
CONFIG = Config(
    no_store=True,
    transforms=("wraps.fast:like=jax.jit", "elsewhere.turbo:like=jax.vmap"),
    key_consumers=("wraps.draw:like=jax.random.normal", "elsewhere.noise:like=jax.random.uniform"),
)
CASES = {
    "a function of the project": (f"import jax\nfrom wraps import fast\n@fast\n{BRANCH}", "5 JAX401"),
    "a member of its module": (f"import jax\nimport wraps\n@wraps.fast\n{BRANCH}", "5 JAX401"),
    "another name": (f"import jax\nfrom wraps import fast as compiled\n@compiled\n{BRANCH}", "5 JAX401"),
    "a function of a library": (f"import jax\nfrom elsewhere import turbo\n@turbo\n{BRANCH}", "5 JAX401"),
    "a consumer of the project": (f"import jax\nfrom wraps import draw\n{DRAWS.format('draw')}", "4 JAX101"),
    "a consumer of a library": (f"import jax\nimport elsewhere\n{DRAWS.format('elsewhere.noise')}", "4 JAX101"),
    "a function of this name elsewhere": (f"import jax\nfrom other import fast\n@fast\n{BRANCH}", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_names_stand_for_those_of_jax(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    tree(tmp_path, {**ROOT, "wraps.py": WRAPS, "use.py": text})
    rows = [row.split(":", 2) for row in found(tmp_path, "use.py", config=CONFIG)]
    assert " ".join(f"{line} {rest.split()[1]}" for _, line, rest in rows) == expected
    without = [row.split(":", 2)[2].split()[1] for row in found(tmp_path, "use.py", config=Config(no_store=True))]
    assert "JAX401" not in without
