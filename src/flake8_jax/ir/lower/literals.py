"""Lowers numbers, strings and f-strings."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from flake8_jax.ir.lower.cursor import EXPRESSIONS, Cursor, other
from flake8_jax.ir.ops import Anchor, Build, Const, Op
from flake8_jax.syntax.positions import Field

FIELDS_ARE_PLACED = sys.version_info >= (3, 12)
"""Do nodes inside f-strings tell where they stand in the file?"""


def lower_constant(node: ast.Constant, c: Cursor) -> Const:
    """Lower a number, a string, or a named constant."""
    return Const(c.anchor, c.at(node), node.value)


def lower_formatted(node: ast.JoinedStr, c: Cursor) -> Build:
    """Lower an f-string to its interpolated values, in order."""
    return Build(c.anchor, c.at(node), "text", _lowered(node, c))


def lower_template(node: Any, c: Cursor) -> Op:
    """Lower a template string, which is no `str`, to its interpolated values."""
    return other(node, c, "template string", _lowered(node, c))


def _lowered(node: Any, c: Cursor) -> tuple[Op, ...]:
    values = _values(node.values, type(node) is ast.JoinedStr)
    if FIELDS_ARE_PLACED:
        return tuple([_interpolated(value, is_formatted, c) for value, is_formatted in values])
    parts: list[Op] = []
    around, string = c.anchor, c.at(node)
    for number, (value, is_formatted) in enumerate(values):
        c.anchor = Anchor(around.line, around.origin, Field(string, number, c.at(value), around.field))
        parts.append(_interpolated(value, is_formatted, c))
    c.anchor = around
    return tuple(parts)


def _interpolated(node: Any, is_formatted: bool, c: Cursor) -> Op:
    value = EXPRESSIONS[type(node)](node, c)
    return Build(c.anchor, c.at(node), "format", (value,)) if is_formatted else value


def _values(pieces: Sequence[Any], is_text: bool = True) -> Iterator[tuple[Any, bool]]:
    """The values put into an f-string, those of its format specifications after each.

    With each goes whether it is formatted itself, not its text.  A template string is no text yet: it keeps its values
    as they are, and formats those in specifications only.  CPython 3.13.0 gives some constant specifications bare.
    """
    for piece in pieces:
        if type(piece) is not ast.Constant:
            yield piece.value, is_text and piece.format_spec is not None and piece.conversion == -1
            if type(piece.format_spec) not in (ast.Constant, type(None)):
                yield from _values(piece.format_spec.values)


EXPRESSIONS[ast.Constant] = lower_constant
EXPRESSIONS[ast.JoinedStr] = lower_formatted
if hasattr(ast, "TemplateStr"):
    EXPRESSIONS[ast.TemplateStr] = lower_template
