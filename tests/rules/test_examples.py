"""What is told of an example or a demonstration, by the folder that it stands in."""

from __future__ import annotations

from textwrap import dedent

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

TWINS = dedent("""
    import jax
    weights = jax.random.normal(jax.random.key(0), (3,))
    data = jax.random.normal(jax.random.key(0), (3,))
    key = jax.random.key(1)
    noise = jax.random.normal(jax.random.fold_in(key, 1), (3,)) + jax.random.normal(jax.random.fold_in(key, 1), (3,))
    print(weights + data + noise)
""")


@pytest.mark.parametrize("folder", ["src", "demo_data", "examples", "demos", "examples/gan"])
def test_two_seeds_that_are_written_out_alike(folder: str) -> None:
    report = lint(SourceFile(f"/nowhere/{folder}/fit.py", TWINS), Config(strict=True, no_store=True))
    said = [(finding.code, finding.span.line) for finding in report.diagnostics]
    seeds = [] if folder.startswith(("examples", "demos")) else [("JAX105", 4)]
    assert said == [*seeds, ("JAX105", 6)]
