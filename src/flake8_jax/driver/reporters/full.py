"""Findings with their source lines and explanatory notes."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence

from flake8_jax.driver.reporters.text import row
from flake8_jax.model.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The lines of every finding, separated by blank lines."""
    return "\n".join("".join(f"{line}\n" for line in _lines(diagnostic)) for diagnostic in diagnostics)


def _lines(diagnostic: Diagnostic) -> Iterator[str]:
    yield row(diagnostic)
    span = diagnostic.span
    source = linecache.getline(diagnostic.path, span.line).rstrip()
    if source:
        stop = span.end_column if span.end_line == span.line else len(source)
        before = "".join(sign if sign.isspace() else " " for sign in source[: span.column])
        margin = " " * len(str(span.line))
        yield f"  {span.line} | {source}"
        yield f"  {margin} | {before}{'^' * max(stop - span.column, 1)}"
    for note in diagnostic.notes:
        yield f"    {note.path}:{note.line}: {note.text}"
