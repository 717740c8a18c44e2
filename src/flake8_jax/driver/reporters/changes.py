"""What a fix makes of a text, and the difference as a diff."""

from __future__ import annotations

from collections.abc import Sequence

from flake8_jax.model.diagnostic import Edit
from flake8_jax.syntax.source import NEWLINE

CONTEXT = 1
"""How many lines around a change are shown."""


def edited(text: str, edits: Sequence[Edit]) -> str:
    """A text in which edits have been made; they do not overlap."""
    starts = [0, *(found.end() for found in NEWLINE.finditer(text))]
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        start = starts[edit.span.line - 1] + edit.span.column
        end = starts[edit.span.end_line - 1] + edit.span.end_column
        text = text[:start] + edit.text + text[end:]
    return text


def unified(path: str, text: str, edits: Sequence[Edit]) -> list[str]:
    """The lines of the diff of a fix; none if it changes nothing."""
    from difflib import unified_diff

    before, after = NEWLINE.split(text), NEWLINE.split(edited(text, edits))
    return list(unified_diff(before, after, path, path, n=CONTEXT, lineterm=""))
