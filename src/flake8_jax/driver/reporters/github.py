"""Workflow commands of GitHub, which shows each finding beside its line."""

from __future__ import annotations

from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.model.diagnostic import Diagnostic


def render(outcome: Outcome) -> str:
    """One command for each finding; the chain stands below the message."""
    return "".join(f"::error {_properties(found, outcome)}::{_message(found)}\n" for found in outcome.diagnostics)


def _properties(found: Diagnostic, outcome: Outcome) -> str:
    span = found.span
    properties = {
        "title": f"{found.code} ({found.name})",
        "file": outcome.places.relative(found.path),
        "line": span.line,
        "endLine": span.end_line,
    }
    if span.line == span.end_line:  # columns are read of one line only
        properties |= {"col": span.column + 1, "endColumn": max(span.end_column, span.column + 1)}
    return ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())


def _message(found: Diagnostic) -> str:
    first = f"{found.path}:{found.span.line}:{found.span.column + 1}: {found.code} {found.message}"
    return _escaped("\n".join([first, *(f"{note.path}:{note.line}: {note.text}" for note in found.notes)]))


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
