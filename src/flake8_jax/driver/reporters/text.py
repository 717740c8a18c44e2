"""One line for each finding, as flake8's default format has it."""

from __future__ import annotations

from collections.abc import Sequence

from flake8_jax.model.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """`path:line:column: CODE message`, columns from 1."""
    return "".join(f"{row(diagnostic)}\n" for diagnostic in diagnostics)


def row(diagnostic: Diagnostic) -> str:
    """One finding's line."""
    span = diagnostic.span
    return f"{diagnostic.path}:{span.line}:{span.column + 1}: {diagnostic.code} {diagnostic.message}"
