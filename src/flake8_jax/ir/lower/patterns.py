"""Lowers match patterns.

Of a class pattern, `value` holds the class and then the names of its keyword patterns, which are the last `parts`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from flake8_jax.ir.lower.cursor import EXPRESSIONS, Cursor, other
from flake8_jax.ir.lower.statements import bound_name
from flake8_jax.ir.ops import Const, Pattern


def lower_pattern(node: ast.pattern, c: Cursor) -> Pattern:
    """Lower one pattern with its sub-patterns."""
    match node:
        case ast.MatchValue():
            return Pattern("value", (EXPRESSIONS[type(node.value)](node.value, c),), (), None)
        case ast.MatchSingleton():
            return Pattern("singleton", (Const(c.anchor, c.at(node), node.value),), (), None)
        case ast.MatchSequence():
            return Pattern("sequence", (), _parts(node.patterns, c), None)
        case ast.MatchStar():
            capture = None if node.name is None else bound_name(node.name, node, c)
            return Pattern("wildcard" if capture is None else "capture", (), (), capture, True)
        case ast.MatchMapping():
            keys = tuple([EXPRESSIONS[type(key)](key, c) for key in node.keys])
            parts = _parts(node.patterns, c)
            return Pattern("mapping", keys, parts, None if node.rest is None else bound_name(node.rest, node, c))
        case ast.MatchClass():
            made = EXPRESSIONS[type(node.cls)](node.cls, c)
            names = [Const(c.anchor, c.at(node), name) for name in node.kwd_attrs]
            return Pattern("class", (made, *names), _parts((*node.patterns, *node.kwd_patterns), c), None)
        case ast.MatchOr():
            return Pattern("or", (), _parts(node.patterns, c), None)
        case ast.MatchAs():
            return _capture(node, c)
        case _:
            return Pattern("value", (other(node, c, type(node).__name__),), (), None)


def _parts(nodes: Sequence[ast.pattern], c: Cursor) -> tuple[Pattern, ...]:
    return tuple([lower_pattern(node, c) for node in nodes])


def _capture(node: ast.MatchAs, c: Cursor) -> Pattern:
    if node.pattern is None:
        if node.name is None:
            return Pattern("wildcard", (), (), None)
        return Pattern("capture", (), (), bound_name(node.name, node, c))
    inner = lower_pattern(node.pattern, c)
    if inner.capture is not None:
        inner = Pattern("or", (), (inner,), None)
    if node.name is not None:
        inner.capture = bound_name(node.name, node, c)
    return inner
