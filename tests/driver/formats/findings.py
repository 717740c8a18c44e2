"""Findings of every sort, as formats meet them: with and without notes and fixes, odd characters, an unjudged file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.driver.reporters.places import Places
from flake8_jax.driver.reporters.style import Style
from flake8_jax.driver.sources import Sources
from flake8_jax.model.diagnostic import Diagnostic, Edit, Fix, Note, Span
from tests.support.commands import write

TRAIN = """\
import jax
from pkg.ops import draw


class Model:
    @jax.jit
    def step(self, x, key):
        noise = draw(key)
        more = jax.random.normal(
            key,
            x.shape,
        )
        x[0] = 1.0  # é 3
        return x + noise + more
"""
OPS = "import jax\n\n\ndef draw(key):\n    return jax.random.normal(key)\n"
FIX = Fix("use `x = x.at[0].set(1.0)`", "safe", (Edit(Span(13, 8, 13, 18), "x = x.at[0].set(1.0)"),))
FINDINGS = (
    Diagnostic("JAX000", "analysis-gave-up", "broken.py", Span(2, 0, 2, 0), "could not be analysed: `(` & <no> end"),
    Diagnostic(
        "JAX101", "key-reused", "pkg/train.py", Span(9, 15, 12, 9), "`key` is used again: 100 % ü, \"quoted\" <&>",
        (Note("pkg/train.py", 8, "`step` calls `draw`"), Note("pkg/ops.py", 5, "used by `jax.random.normal`")),
    ),
    Diagnostic("JAX201", "item-assignment", "pkg/train.py", Span(13, 8, 13, 18), "`x[0]` is assigned", (), FIX),
    Diagnostic("JAX301", "print-in-traced", "päth, 100%:a.py", Span(1, 0, 1, 5), "control \x1b sign"),
)  # fmt: skip


def project(folder: Path) -> Path:
    """Write the files of the findings."""
    write(folder, {"pyproject.toml": "", "pkg/__init__.py": "", "pkg/train.py": TRAIN, "pkg/ops.py": OPS})
    return write(folder, {"broken.py": "import jax\nx = (\n", "päth, 100%:a.py": "print\n"})


def outcome(folder: Path, *findings: Diagnostic, is_coloured: bool = False) -> Outcome:
    """The findings of the project in a folder, which is the working directory."""
    return Outcome(findings, Sources(), Places(folder, folder), Style(is_coloured))


def with_fix(**changes: object) -> Diagnostic:
    """The finding with a fix that has other edits, or another title or applicability."""
    return replace(FINDINGS[2], fix=replace(FIX, **changes))  # type: ignore[arg-type]
