"""Lowers numbers, strings and f-strings; literals are evaluated without ever running code."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from typing import Any

import libcst as cst

from flake8_jax.ir.lower_cursor import EXPRESSIONS, Cursor, other
from flake8_jax.ir.ops import Build, Const, Op


def lower_integer(node: cst.Integer, c: Cursor) -> Op:
    """`1`, `0xff`, `1_000`."""
    try:
        return Const(c.anchor, node, int(node.value, 0), node.value)
    except ValueError:  # more digits than int() is allowed to read
        return other(node, c, "number")


def lower_float(node: cst.Float, c: Cursor) -> Const:
    """`1.5`, `1e-3`."""
    return Const(c.anchor, node, float(node.value), node.value)


def lower_imaginary(node: cst.Imaginary, c: Cursor) -> Const:
    """`2j`."""
    return Const(c.anchor, node, complex(node.value), node.value)


def lower_ellipsis(node: cst.Ellipsis, c: Cursor) -> Const:
    """`...`."""
    return Const(c.anchor, node, ...)


def string_value(text: str) -> str | bytes | None:
    """The value of a string literal as it stands in the source; None if Python would refuse it."""
    quote = text[0]
    if quote in "\"'" and "\\" not in text and "\r" not in text:
        return text[3:-3] if text[1:3] == quote * 2 and len(text) > 5 else text[1:-1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape is another linter's business
        try:
            value: str | bytes = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            return None
    return value


def lower_string(node: cst.SimpleString, c: Cursor) -> Op:
    """A string or bytes literal."""
    value = string_value(node.value)
    return Const(c.anchor, node, value, node.value) if value is not None else other(node, c, "string")


def lower_formatted(node: cst.FormattedString, c: Cursor) -> Build:
    """An f-string: the values put into it, in order."""
    parts: list[Op] = []
    _add_values(node.parts, c, parts)
    return Build(c.anchor, node, "text", tuple(parts))


def lower_template(node: Any, c: Cursor) -> Op:
    """A template string, whose value is no text: the values put into it."""
    parts: list[Op] = []
    _add_values(node.parts, c, parts)
    return other(node, c, "template string", tuple(parts))


def _add_values(pieces: Sequence[Any], c: Cursor, parts: list[Op]) -> None:
    for piece in pieces:
        value = getattr(piece, "expression", None)  # literal pieces have none
        if value is not None:
            parts.append(EXPRESSIONS[type(value)](value, c))
            _add_values(piece.format_spec or (), c, parts)


def lower_concatenated(node: cst.ConcatenatedString, c: Cursor) -> Op:
    """Adjacent literals: one constant, or one f-string if any of them is one."""
    values: list[str | bytes | None] = []
    parts: list[Op] = []
    formatted = False
    rest: cst.BaseString | None = node
    while rest is not None:
        piece, rest = (rest.left, rest.right) if isinstance(rest, cst.ConcatenatedString) else (rest, None)
        if isinstance(piece, cst.SimpleString):
            values.append(string_value(piece.value))
        elif isinstance(piece, cst.FormattedString):
            formatted = True
            _add_values(piece.parts, c, parts)
        else:
            return other(node, c, type(piece).__name__)
    if formatted:
        return Build(c.anchor, node, "text", tuple(parts))
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return Const(c.anchor, node, "".join(texts))
    pieces = [value for value in values if isinstance(value, bytes)]
    if len(pieces) < len(values):
        return other(node, c, "string")
    return Const(c.anchor, node, b"".join(pieces))


EXPRESSIONS.update(
    {
        cst.ConcatenatedString: lower_concatenated,
        cst.Ellipsis: lower_ellipsis,
        cst.Float: lower_float,
        cst.FormattedString: lower_formatted,
        cst.Imaginary: lower_imaginary,
        cst.Integer: lower_integer,
        cst.SimpleString: lower_string,
    }
)
if hasattr(cst, "TemplatedString"):
    EXPRESSIONS[cst.TemplatedString] = lower_template
