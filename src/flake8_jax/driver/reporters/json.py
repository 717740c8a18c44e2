"""Findings as one JSON document, for other programs.  Lines and columns count from 1, the end is exclusive."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flake8_jax import __version__
from flake8_jax.driver.fingerprints import Fingerprint
from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.model.diagnostic import Diagnostic, Fix, Span
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
        yield _record(found, fingerprint, outcome.style.address(found.code))


def _record(found: Diagnostic, fingerprint: Fingerprint, address: str) -> dict[str, Json]:
    return {
        "path": found.path,
        **_place(found.span),
        "code": found.code,
        "name": found.name,
        "url": address or None,
        "message": found.message,
        "notes": [{"path": note.path, "line": note.line, "text": note.text} for note in found.notes],
        "function": fingerprint.function,
        "fingerprint": fingerprint.digest,
        "fix": _fix(found.fix) if found.fix is not None else None,
    }


def _place(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
    }


def _fix(fix: Fix) -> dict[str, Json]:
    edits: list[Json] = [{**_place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "applicability": fix.applicability, "edits": edits}
