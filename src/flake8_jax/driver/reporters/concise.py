"""One line for each finding, in flake8's default format."""

from __future__ import annotations

from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.model.diagnostic import Diagnostic


def render(outcome: Outcome) -> str:
    """One line `path:line:column: CODE message` for each finding, columns from 1.

    In notebooks it begins with `path:cell 3:line:column`.
    """
    return "".join(f"{row(found, outcome)}\n" for found in outcome.diagnostics)


def row(found: Diagnostic, outcome: Outcome) -> str:
    """The line of one finding."""
    style, place = outcome.style, f"{outcome.at(found.path, found.span)}:"
    return f"{style('path', found.path)}{style('gutter', place)} {style.code(found.code)} {found.message}"
