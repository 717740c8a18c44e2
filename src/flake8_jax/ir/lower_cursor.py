"""Where lowering stands in a file, and the tables of functions that lower each kind of syntax node.

The families (`lower_expressions`, `lower_statements` ...) fill the tables when they are imported; whoever needs an
operand lowered says `EXPRESSIONS[type(node)](node, cursor)`: one dictionary look-up and one call a node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from flake8_jax.ir.ops import Anchor, Body, Function, Op, Other, Target


class Cursor:
    """The anchor, scope and function that the next op belongs to, and what is noted on the way."""

    __slots__ = ("anchor", "function", "origin", "others", "pending", "scope", "subjects")

    def __init__(self, anchor: Anchor, function: Function) -> None:
        self.anchor = anchor
        self.origin = anchor.origin
        self.scope = function.scope
        self.function = function
        self.pending: list[tuple[Function, cst.FunctionDef, Any]] = []
        self.others: dict[str, int] = {}
        self.subjects = 0

    def kept(self, node: object) -> object:
        """What an op keeps of its node."""
        return node

    def sign(self, node: cst.BinaryOperation) -> str:
        """The sign of the operator of a binary operation."""
        return OPERATORS[type(node.operator)]

    def lower(self, node: cst.CSTNode) -> Op:
        """The ops of an expression."""
        return EXPRESSIONS[type(node)](node, self)

    def anchored(self, node: object, twin: Any, line: int = 0) -> Anchor:
        """An anchor for the ops of a statement, header or decorator."""
        return Anchor(line or twin.lineno, node, twin, self.origin)


Lower: TypeAlias = Callable[[Any, Cursor], Op]
LowerTarget: TypeAlias = Callable[[Any, Cursor], Target]
LowerSimple: TypeAlias = Callable[[Any, Cursor, list[Op]], None]
LowerBlock: TypeAlias = Callable[[Any, Any, Cursor, list[Op]], None]

OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Add: "+",
    cst.BitAnd: "&",
    cst.BitInvert: "~",
    cst.BitOr: "|",
    cst.BitXor: "^",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.LeftShift: "<<",
    cst.MatrixMultiply: "@",
    cst.Minus: "-",
    cst.Modulo: "%",
    cst.Multiply: "*",
    cst.Not: "not",
    cst.Plus: "+",
    cst.Power: "**",
    cst.RightShift: ">>",
    cst.Subtract: "-",
    cst.Equal: "==",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.In: "in",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.AddAssign: "+",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.LeftShiftAssign: "<<",
    cst.MatrixMultiplyAssign: "@",
    cst.ModuloAssign: "%",
    cst.MultiplyAssign: "*",
    cst.PowerAssign: "**",
    cst.RightShiftAssign: ">>",
    cst.SubtractAssign: "-",
}

EXPRESSIONS: dict[type[cst.CSTNode], Lower] = {}
TARGETS: dict[type[cst.CSTNode], LowerTarget] = {}
SIMPLE: dict[type[cst.CSTNode], LowerSimple] = {}
BLOCKS: dict[type[cst.CSTNode], LowerBlock] = {}


def lower_body(statements: Sequence[cst.CSTNode], twins: Sequence[Any], c: Cursor) -> Body:
    """Lower the statements of a block beside their twins, which stand in the same order."""
    out: list[Op] = []
    at = 0
    for statement in statements:
        if type(statement) is cst.SimpleStatementLine:
            for small in statement.body:
                twin = twins[at]
                at += 1
                c.anchor = c.anchored(small, twin)
                SIMPLE[type(small)](small, c, out)
        else:
            twin = twins[at]
            at += 1
            c.anchor = c.anchored(statement, twin)
            if type(statement) in BLOCKS:
                BLOCKS[type(statement)](statement, twin, c, out)
            else:
                SIMPLE[type(statement)](statement, c, out)
    return tuple(out)


def other(node: object, c: Cursor, reason: str, parts: tuple[Op, ...] = ()) -> Other:
    """An op for what has none of its own; counted by reason."""
    c.others[reason] = c.others.get(reason, 0) + 1
    return Other(c.anchor, node, reason, parts)
