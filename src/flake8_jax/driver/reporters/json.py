"""Findings as one JSON document, for other programs.  Lines and columns count from 1, the end is exclusive."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flake8_jax import __version__
from flake8_jax.model.diagnostic import Diagnostic, Span


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The document; `schema` increases when a field changes its meaning or is removed."""
    head = {"schema": 1, "tool": "flake8-jax", "version": __version__}
    return json.dumps({**head, "diagnostics": [_record(found) for found in diagnostics]}, indent=2) + "\n"


def _record(found: Diagnostic) -> dict[str, Any]:
    return {
        "path": found.path,
        **_place(found.span),
        "code": found.code,
        "name": found.name,
        "message": found.message,
        "notes": [{"path": note.path, "line": note.line, "text": note.text} for note in found.notes],
    }


def _place(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
    }
