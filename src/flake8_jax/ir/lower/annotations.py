"""Lowers annotations; one that is quoted, `state: "State"`, is what stands between the quotes."""

from __future__ import annotations

import ast

from flake8_jax.ir.lower.cursor import EXPRESSIONS, Cursor
from flake8_jax.ir.ops import Op

TYPES = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp)
"""How types are written: `Array`, `jax.Array`, `Optional[Array]`, `Array | None`."""


def lower_annotation(node: ast.expr, c: Cursor) -> Op:
    """Lower an annotation; each part of a quoted one stands where the quotes do."""
    hint = _quoted(node.value) if type(node) is ast.Constant and isinstance(node.value, str) else None
    if hint is None:
        return EXPRESSIONS[type(node)](node, c)
    for part in ast.walk(hint):
        ast.copy_location(part, node)
    return EXPRESSIONS[type(hint)](hint, c)


def _quoted(text: str) -> ast.expr | None:
    """The type that a text spells; None for a text that is something else, as the axes in `"batch channels"`."""
    try:
        hint = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return hint if isinstance(hint, TYPES) else None
