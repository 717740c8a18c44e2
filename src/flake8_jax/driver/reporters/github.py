"""Workflow commands of GitHub, which shows each finding beside its line."""

from __future__ import annotations

from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.model.diagnostic import Diagnostic


def render(outcome: Outcome) -> str:
    """One command for each finding; the chain stands below the message."""
    commands = (f"{_properties(found, outcome)}::{_message(found, outcome)}" for found in outcome.diagnostics)
    return "".join(f"::error {command}\n" for command in commands)


def _properties(found: Diagnostic, outcome: Outcome) -> str:
    span, lines = found.span, outcome.lines_on_disk(found.path, found.span)
    properties = {
        "title": f"{found.code} ({found.name})",
        "file": outcome.places.relative(found.path),
        "line": lines[0],
        "endLine": lines[1],
    }
    if span.line == span.end_line and not outcome.is_in_cell(found):  # columns are read of one line only
        properties |= {"col": span.column + 1, "endColumn": max(span.end_column, span.column + 1)}
    return ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())


def _message(found: Diagnostic, outcome: Outcome) -> str:
    first = f"{found.path}{outcome.at(found.path, found.span)}: {found.code} {found.message}"
    notes = (f"{note.path}{outcome.at(note.path, note.line)}: {note.text}" for note in found.notes)
    return _escaped("\n".join([first, *notes]))


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
