"""Lowers numbers, strings and f-strings, from `ast`, with the spelling of those that have several."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from typing import Any

from flake8_jax.ir.ops import Build, Const, Op
from flake8_jax.ir.quick.cursor import EXPRESSIONS, FORMATTED_ARE_PLACED, Cursor, other


def lower_constant(node: ast.Constant, c: Cursor) -> Const:
    """A number, a string, or one of the constants that have a name."""
    value = node.value
    kind = type(value)
    if value is None or kind is bool or value is ...:
        return Const(c.anchor, False, value)
    if not c.is_placed:
        return Const(c.anchor, False, value, repr(value))
    text = c.spelled(node)
    if (kind is str or kind is bytes) and not is_single(text):
        return Const(c.anchor, False, value)
    return Const(c.anchor, False, value, text)


def is_single(text: str) -> bool:
    """Is a text one string literal, and not several side by side?"""
    quote = text[-1]
    start = text.find(quote)
    if text.count(quote) == 2 and start < 3 and "'" not in text[:start] and '"' not in text[:start]:
        return True
    if text.count(quote * 3) == 2 and text[start : start + 3] == quote * 3 and start < 3 and len(text) > start + 5:
        return True
    tokens = tokenize.generate_tokens(io.StringIO(f"({text})").readline)
    return sum(token.type == tokenize.STRING for token in tokens) == 1


def lower_formatted(node: ast.JoinedStr, c: Cursor) -> Build:
    """An f-string: the values put into it, in order."""
    return Build(c.anchor, False, "text", _values(node.values, c))


def lower_template(node: Any, c: Cursor) -> Op:
    """A template string, whose value is no text: the values put into it."""
    return other(c, "template string", _values(node.values, c))


def _values(pieces: Sequence[Any], c: Cursor) -> tuple[Op, ...]:
    parts: list[Op] = []
    was_placed = c.is_placed
    c.is_placed = was_placed and FORMATTED_ARE_PLACED
    _add_values(pieces, c, parts)
    c.is_placed = was_placed
    return tuple(parts)


def _add_values(pieces: Sequence[Any], c: Cursor, parts: list[Op]) -> None:
    for piece in pieces:
        if type(piece) is ast.Constant:
            continue
        value = piece.value
        parts.append(EXPRESSIONS[type(value)](value, c))
        if piece.format_spec is not None:
            _add_values(piece.format_spec.values, c, parts)


EXPRESSIONS[ast.Constant] = lower_constant
EXPRESSIONS[ast.JoinedStr] = lower_formatted
if hasattr(ast, "TemplateStr"):
    EXPRESSIONS[ast.TemplateStr] = lower_template
