"""One line for each finding, in flake8's default format."""

from __future__ import annotations

from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.driver.reporters.style import Style
from flake8_jax.model.diagnostic import Diagnostic


def render(outcome: Outcome) -> str:
    """One line `path:line:column: CODE message` for each finding, columns from 1."""
    return "".join(f"{row(found, outcome.style)}\n" for found in outcome.diagnostics)


def row(found: Diagnostic, style: Style) -> str:
    """The line of one finding."""
    place = f":{found.span.line}:{found.span.column + 1}:"
    return f"{style('path', found.path)}{style('gutter', place)} {style.code(found.code)} {found.message}"
