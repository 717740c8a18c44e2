"""Findings as one JSON document, for other programs.  Lines and columns count from 1, the end is exclusive.

In a notebook `cell` is the number of the cell, among all of them, and lines are those of the cell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from flake8_jax import __version__
from flake8_jax.driver.fingerprints import Fingerprint
from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.model.diagnostic import Diagnostic, Fix, Note, Span
from flake8_jax.model.documents import Json

SCHEMA = 1
"""Increases when a field changes its meaning or is removed."""


def render(outcome: Outcome) -> str:
    """The document."""
    head: dict[str, Json] = {"schema": SCHEMA, "tool": "flake8-jax", "version": __version__}
    return json.dumps({**head, "diagnostics": list(records(outcome))}, indent=2) + "\n"


def records(outcome: Outcome) -> Iterator[dict[str, Json]]:
    """The record of each finding."""
    for found, fingerprint in zip(outcome.diagnostics, outcome.fingerprints()):
        yield _record(found, fingerprint, outcome)


def _record(found: Diagnostic, fingerprint: Fingerprint, outcome: Outcome) -> dict[str, Json]:
    return {
        "path": found.path,
        **_place(found.path, found.span, outcome),
        "code": found.code,
        "name": found.name,
        "url": outcome.style.address(found.code) or None,
        "message": found.message,
        "notes": [_note(note, outcome) for note in found.notes],
        "function": fingerprint.function,
        "fingerprint": fingerprint.digest,
        "fix": _fix(found.path, found.fix, outcome) if found.fix is not None else None,
    }


def _place(path: str, span: Span, outcome: Outcome) -> dict[str, int]:
    cell, span = outcome.sources.span(path, span)
    return {
        **({"cell": cell} if cell is not None else {}),
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
    }


def _note(note: Note, outcome: Outcome) -> Json:
    cell, line = outcome.sources.place(note.path, note.line)
    return {"path": note.path, **({"cell": cell} if cell is not None else {}), "line": line, "text": note.text}


def _fix(path: str, fix: Fix, outcome: Outcome) -> dict[str, Json]:
    edits: list[Json] = [{**_place(path, edit.span, outcome), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "applicability": fix.applicability, "edits": edits}
