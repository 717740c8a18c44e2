"""JAX406 of texts: JAX refuses them where a jitted function is called, so no line of a pair is ever reached."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from flake8_jax.model.config import Config
from tests.support.bindings import ROOT, found
from tests.support.commands import run
from tests.support.layouts import tree

HEAD = "import jax\nimport jax.numpy as jnp\nTABLE = {'sum': jnp.sum}\n"
STRICT = Config(no_store=True, strict=True)
CASES = {
    "compared": ("def f(x, mode='sum'):\n    return x if mode == 'mean' else -x\n", "5 JAX406"),
    "the name of an attribute": ("def f(x, mode='sum'):\n    return getattr(jnp, mode)(x)\n", "5 JAX406"),
    "the key of a dict": ("def f(x, mode='sum'):\n    return TABLE[mode](x)\n", "5 JAX406"),
    "matched": ("def f(x, mode='sum'):\n    match mode:\n        case 'sum':\n            return x\n", "6 JAX406"),
    "only a name": ("def f(x, mode='sum'):\n    return getattr(x, 'T')\n", "7 JAX611"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_text_that_a_call_passes(name: str, tmp_path: Path) -> None:
    body, expected = CASES[name]
    tree(tmp_path, {**ROOT, "m.py": f"{HEAD}{body}fast = jax.jit(f)\nfast(jnp.ones(2), mode='mean')\n"})
    rows = [row.split(":", 2) for row in found(tmp_path, "m.py", config=STRICT)]
    assert " ".join(f"{line} {rest.split()[1]}" for _, line, rest in rows) == expected


@pytest.mark.slow
def test_jax_refuses_it(tmp_path: Path) -> None:
    body = "import jax\njax.jit(lambda x, mode: x)(1.0, mode='mean')\n"
    done = run([sys.executable, "-c", body], tmp_path)
    assert done.status == 1
    assert "TypeError" in done.errors
    assert "mean" in done.errors
