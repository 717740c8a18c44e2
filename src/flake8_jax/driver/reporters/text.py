"""One line for each finding, in flake8's default format."""

from __future__ import annotations

from collections.abc import Sequence

from flake8_jax.model.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One line `path:line:column: CODE message` for each finding, columns from 1."""
    return "".join(f"{row(diagnostic)}\n" for diagnostic in diagnostics)


def row(diagnostic: Diagnostic) -> str:
    """The line of one finding."""
    span = diagnostic.span
    return f"{diagnostic.path}:{span.line}:{span.column + 1}: {diagnostic.code} {diagnostic.message}"
