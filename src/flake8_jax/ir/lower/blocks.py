"""Lowers compound statements with blocks: if, for, while, with, try and match."""

from __future__ import annotations

import ast
from typing import Any

from flake8_jax.ir.lower.cursor import EXPRESSIONS, STATEMENTS, TARGETS, Cursor, lower_body
from flake8_jax.ir.lower.patterns import lower_pattern
from flake8_jax.ir.lower.statements import bound_name
from flake8_jax.ir.ops import Anchor, Body, Branch, Handler, Logic, Loop, Matches, Name, Op, Store, Target, Try, With


def lower_if(node: ast.If, c: Cursor, out: list[Op]) -> None:
    """Lower `if`, `elif`, `else`; each `elif` becomes a branch in the `orelse` of the previous one."""
    arms: list[tuple[Anchor, int, Op, Body]] = []
    rest = node
    while True:
        anchor = c.anchor = c.anchored(rest.lineno)
        test = EXPRESSIONS[type(rest.test)](rest.test, c)
        arms.append((anchor, c.at(rest), test, lower_body(rest.body, c)))
        following = rest.orelse[0] if len(rest.orelse) == 1 else None
        if not isinstance(following, ast.If) or not c.lines[following.lineno - 1].startswith(
            "elif", following.col_offset
        ):
            break
        rest = following
    orelse = lower_body(rest.orelse, c)
    while arms:
        anchor, place, test, body = arms.pop()
        orelse = (Branch(anchor, place, "elif" if arms else "if", test, body, orelse),)
    out.append(orelse[0])


def lower_for(node: ast.For | ast.AsyncFor, c: Cursor, out: list[Op]) -> None:
    """Lower `for target in source`."""
    anchor = c.anchor
    source = EXPRESSIONS[type(node.iter)](node.iter, c)
    target = TARGETS[type(node.target)](node.target, c)
    body = lower_body(node.body, c)
    orelse = lower_body(node.orelse, c)
    out.append(Loop(anchor, c.at(node), "for", target, source, body, orelse, isinstance(node, ast.AsyncFor)))


def lower_while(node: ast.While, c: Cursor, out: list[Op]) -> None:
    """Lower `while test`."""
    anchor = c.anchor
    test = EXPRESSIONS[type(node.test)](node.test, c)
    body = lower_body(node.body, c)
    out.append(Loop(anchor, c.at(node), "while", None, test, body, lower_body(node.orelse, c)))


def lower_with(node: ast.With | ast.AsyncWith, c: Cursor, out: list[Op]) -> None:
    """Lower `with a as x, b as y` to nested `With` ops, one for each manager."""
    anchor = c.anchor
    managers: list[tuple[int, Op, Target | None]] = []
    for item in node.items:
        manager = EXPRESSIONS[type(item.context_expr)](item.context_expr, c)
        name = item.optional_vars
        place = c.at(item.context_expr)
        managers.append((place, manager, None if name is None else TARGETS[type(name)](name, c)))
    body = lower_body(node.body, c)
    for place, manager, target in reversed(managers):
        body = (With(anchor, place, manager, target, body, isinstance(node, ast.AsyncWith)),)
    out.append(body[0])


def lower_try(node: Any, c: Cursor, out: list[Op]) -> None:
    """Lower `try` with `except` or `except*`."""
    anchor = c.anchor
    body = lower_body(node.body, c)
    handlers = tuple([_handler(part, c) for part in node.handlers])
    orelse = lower_body(node.orelse, c)
    out.append(Try(anchor, c.at(node), body, handlers, orelse, lower_body(node.finalbody, c)))


def _handler(node: ast.ExceptHandler, c: Cursor) -> Handler:
    anchor = c.anchor = c.anchored(node.lineno)
    catches = None if node.type is None else EXPRESSIONS[type(node.type)](node.type, c)
    name = None if node.name is None else bound_name(node.name, node, c)
    return Handler(anchor, catches, name, lower_body(node.body, c))


def lower_match(node: ast.Match, c: Cursor, out: list[Op]) -> None:
    """Lower `match subject` to a chain of branches on a temporary name for the subject.

    match point:                 $subject1 = point
        case (0, y): a()         if $subject1 matches [0, y]: a()
        case _: b()              else: if $subject1 matches _: b()
    """
    anchor = c.anchor
    value = EXPRESSIONS[type(node.subject)](node.subject, c)
    c.subjects += 1
    subject = f"$subject{c.subjects}"
    c.scope.bind(subject)
    held = Name(anchor, c.at(node.subject), subject, c.scope)
    out.append(Store(anchor, c.at(node), (held,), value, "match"))
    arms: list[tuple[Anchor, int, Op, Body]] = []
    for case in node.cases:
        at, place = c.anchored(case.pattern.lineno), c.at(case.pattern)
        c.anchor = at
        test: Op = Matches(at, place, held, lower_pattern(case.pattern, c))
        if case.guard is not None:
            test = Logic(at, 0, "and", (test, EXPRESSIONS[type(case.guard)](case.guard, c)))
        arms.append((at, place, test, lower_body(case.body, c)))
    orelse: Body = ()
    for at, place, test, body in reversed(arms):
        orelse = (Branch(at, place, "case", test, body, orelse),)
    out.extend(orelse)


STATEMENTS.update(
    {
        ast.AsyncFor: lower_for,
        ast.AsyncWith: lower_with,
        ast.For: lower_for,
        ast.If: lower_if,
        ast.Match: lower_match,
        ast.Try: lower_try,
        ast.While: lower_while,
        ast.With: lower_with,
    }
)
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = lower_try
