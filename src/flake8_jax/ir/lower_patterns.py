"""Lowers `match`: the subject gets a name of its own, each case is a branch in the `orelse` of the one before.

    match point:                 $subject1 = point
        case (0, y): a()         if $subject1 matches [0, y]: a()
        case _: b()              else: if $subject1 matches _: b()

Of a class pattern, `value` holds the class and then the names of its keyword patterns, which are the last `parts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from flake8_jax.ir.lower_blocks import lower_suite
from flake8_jax.ir.lower_cursor import BLOCKS, EXPRESSIONS, Cursor, other
from flake8_jax.ir.lower_targets import target_name
from flake8_jax.ir.ops import Anchor, Body, Branch, Const, Logic, Matches, Name, Op, Pattern, Store


def lower_match(node: cst.Match, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`match subject`."""
    anchor = c.anchor
    value = EXPRESSIONS[type(node.subject)](node.subject, c)
    c.subjects += 1
    subject = f"$subject{c.subjects}"
    c.scope.bind(subject)
    held = Name(anchor, node.subject, subject, c.scope)
    out.append(Store(anchor, node, (held,), value, "match"))
    arms: list[tuple[Anchor, cst.MatchCase, Op, Body]] = []
    for case, beside in zip(node.cases, twin.cases):
        at = c.anchor = c.anchored(case, beside, beside.pattern.lineno)
        test: Op = Matches(at, case.pattern, held, lower_pattern(case.pattern, c))
        if case.guard is not None:
            test = Logic(at, None, "and", (test, EXPRESSIONS[type(case.guard)](case.guard, c)))
        arms.append((at, case, test, lower_suite(case.body, beside.body, c)))
    orelse: Body = ()
    for at, case, test, body in reversed(arms):
        orelse = (Branch(at, case, "case", test, body, orelse),)
    out.extend(orelse)


def lower_pattern(node: cst.MatchPattern, c: Cursor) -> Pattern:
    """One pattern with its sub-patterns."""
    match node:
        case cst.MatchValue():
            return Pattern("value", (EXPRESSIONS[type(node.value)](node.value, c),), (), None)
        case cst.MatchSingleton():
            return Pattern("singleton", (EXPRESSIONS[cst.Name](node.value, c),), (), None)
        case cst.MatchList() | cst.MatchTuple():
            return Pattern("sequence", (), _parts(node.patterns, c), None)
        case cst.MatchMapping():
            return _mapping(node, c)
        case cst.MatchClass():
            return _class(node, c)
        case cst.MatchOr():
            return Pattern("or", (), tuple([lower_pattern(part.pattern, c) for part in node.patterns]), None)
        case cst.MatchAs():
            return _capture(node, c)
        case _:
            return Pattern("value", (other(node, c, type(node).__name__),), (), None)


def _parts(nodes: Sequence[cst.MatchSequenceElement | cst.MatchStar], c: Cursor) -> tuple[Pattern, ...]:
    stars = cst.MatchStar
    return tuple([_star(node, c) if isinstance(node, stars) else lower_pattern(node.value, c) for node in nodes])


def _star(node: cst.MatchStar, c: Cursor) -> Pattern:
    if node.name is None or node.name.value == "_":
        return Pattern("wildcard", (), (), None, True)
    return Pattern("capture", (), (), target_name(node.name, c), True)


def _mapping(node: cst.MatchMapping, c: Cursor) -> Pattern:
    keys = tuple([EXPRESSIONS[type(element.key)](element.key, c) for element in node.elements])
    parts = tuple([lower_pattern(element.pattern, c) for element in node.elements])
    return Pattern("mapping", keys, parts, None if node.rest is None else target_name(node.rest, c))


def _class(node: cst.MatchClass, c: Cursor) -> Pattern:
    made = EXPRESSIONS[type(node.cls)](node.cls, c)
    names = [Const(c.anchor, element.key, element.key.value, element.key.value) for element in node.kwds]
    parts = [lower_pattern(element.value, c) for element in node.patterns]
    parts += [lower_pattern(element.pattern, c) for element in node.kwds]
    return Pattern("class", (made, *names), tuple(parts), None)


def _capture(node: cst.MatchAs, c: Cursor) -> Pattern:
    if node.pattern is None:
        if node.name is None or node.name.value == "_":
            return Pattern("wildcard", (), (), None)
        return Pattern("capture", (), (), target_name(node.name, c))
    inner = lower_pattern(node.pattern, c)
    if inner.capture is not None:
        inner = Pattern("or", (), (inner,), None)
    if node.name is not None:
        inner.capture = target_name(node.name, c)
    return inner


BLOCKS[cst.Match] = lower_match
