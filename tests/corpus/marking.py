"""Brings a ledger in line with a run: rows whose finding moved get its line, rows whose finding is gone say so."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from dataclasses import replace

from .judging import Finding
from .ledger import Comparison, Row, gone

Texts = Callable[[str, str], str]
"""The text of a file, by project and path."""


def marked(rows: list[Row], comparison: Comparison, text_of: Texts) -> list[Row]:
    """The rows after a run; a finding has moved if it stands in the same statement as its row, with the same code."""
    rows, unlisted = list(rows), list(comparison.unlisted)
    for row in comparison.vanished:
        now = next((found for found in unlisted if _is_moved(row, found, text_of)), None)
        if now is not None:
            unlisted.remove(now)
        rows[rows.index(row)] = gone(row) if now is None else replace(row, line=now.line)
    return rows


def _is_moved(row: Row, found: Finding, text_of: Texts) -> bool:
    if (row.project, row.path, row.code) != (found.package, found.path, found.code):
        return False
    first, last = sorted((row.line, found.line))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text_of(row.project, row.path))
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    around = [node for node in statements if node.lineno <= first <= last <= (node.end_lineno or 0)]
    return any(not _has_block(node) for node in around)


def _has_block(node: ast.stmt) -> bool:
    return any(isinstance(child, ast.stmt) for child in ast.iter_child_nodes(node))
