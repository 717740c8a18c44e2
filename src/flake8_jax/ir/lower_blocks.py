"""Lowers the compound statements that hold blocks: if, for, while, with and try."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from flake8_jax.ir.lower_cursor import BLOCKS, EXPRESSIONS, SIMPLE, TARGETS, Cursor, lower_body
from flake8_jax.ir.lower_targets import target_name
from flake8_jax.ir.ops import Anchor, Body, Branch, Handler, Loop, Name, Op, Target, Try, With


def lower_suite(suite: cst.BaseSuite, twins: Any, c: Cursor) -> Body:
    """The block of a compound statement, indented or on the header's line."""
    if type(suite) is cst.IndentedBlock:
        return lower_body(suite.body, twins, c)
    out: list[Op] = []
    for small, twin in zip(suite.body, twins):
        c.anchor = c.anchored(small, twin)
        SIMPLE[type(small)](small, c, out)
    return tuple(out)


def lower_if(node: cst.If, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`if`, `elif`, `else`: each `elif` is the branch that stands in the `orelse` of the one before."""
    arms: list[tuple[Anchor, cst.If, Op, Body]] = []
    orelse: Body = ()
    rest: cst.If | cst.Else | None = node
    while isinstance(rest, cst.If):
        anchor = c.anchor = c.anchored(rest, twin)
        test = EXPRESSIONS[type(rest.test)](rest.test, c)
        arms.append((anchor, rest, test, lower_suite(rest.body, twin.body, c)))
        rest = rest.orelse
        if isinstance(rest, cst.If):
            twin = twin.orelse[0]
    if rest is not None:
        orelse = lower_suite(rest.body, twin.orelse, c)
    for anchor, arm, test, body in reversed(arms):
        orelse = (Branch(anchor, arm, "if" if arm is node else "elif", test, body, orelse),)
    out.append(orelse[0])


def _orelse(node: cst.Else | None, twin: Any, c: Cursor) -> Body:
    return () if node is None else lower_suite(node.body, twin.orelse, c)


def lower_for(node: cst.For, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`for target in source`."""
    anchor = c.anchor
    source = EXPRESSIONS[type(node.iter)](node.iter, c)
    target = TARGETS[type(node.target)](node.target, c)
    body = lower_suite(node.body, twin.body, c)
    orelse = _orelse(node.orelse, twin, c)
    out.append(Loop(anchor, node, "for", target, source, body, orelse, node.asynchronous is not None))


def lower_while(node: cst.While, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`while test`."""
    anchor = c.anchor
    test = EXPRESSIONS[type(node.test)](node.test, c)
    body = lower_suite(node.body, twin.body, c)
    out.append(Loop(anchor, node, "while", None, test, body, _orelse(node.orelse, twin, c)))


def lower_with(node: cst.With, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`with a as x, b as y`: as if `b` stood in a `with` of its own inside that of `a`."""
    anchor = c.anchor
    managers: list[tuple[cst.WithItem, Op, Target | None]] = []
    for item in node.items:
        manager = EXPRESSIONS[type(item.item)](item.item, c)
        name = None if item.asname is None else item.asname.name
        managers.append((item, manager, None if name is None else TARGETS[type(name)](name, c)))
    body = lower_suite(node.body, twin.body, c)
    for item, manager, target in reversed(managers):
        body = (With(anchor, item, manager, target, body, node.asynchronous is not None),)
    out.append(body[0])


def lower_try(node: cst.Try | cst.TryStar, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`try` and `except*` alike."""
    anchor = c.anchor
    body = lower_suite(node.body, twin.body, c)
    parts: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
    handlers = tuple([_handler(part, beside, c) for part, beside in zip(parts, twin.handlers)])
    orelse = _orelse(node.orelse, twin, c)
    final = () if node.finalbody is None else lower_suite(node.finalbody.body, twin.finalbody, c)
    out.append(Try(anchor, node, body, handlers, orelse, final))


def _handler(node: cst.ExceptHandler | cst.ExceptStarHandler, twin: Any, c: Cursor) -> Handler:
    anchor = c.anchor = c.anchored(node, twin)
    catches = None if node.type is None else EXPRESSIONS[type(node.type)](node.type, c)
    name: Name | None = None
    if node.name is not None:
        name = target_name(cst.ensure_type(node.name.name, cst.Name), c)
    return Handler(anchor, catches, name, lower_suite(node.body, twin.body, c))


BLOCKS.update(
    {
        cst.For: lower_for,
        cst.If: lower_if,
        cst.Try: lower_try,
        cst.TryStar: lower_try,
        cst.While: lower_while,
        cst.With: lower_with,
    }
)
