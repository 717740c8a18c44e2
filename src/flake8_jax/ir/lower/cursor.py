"""The state of lowering, and the dispatch tables from syntax node types to lowering functions.

The families (`expressions`, `statements` ...) fill the tables when they are imported; whoever needs an operand lowered
says `EXPRESSIONS[type(node)](node, cursor)`: one dictionary look-up and one call a node.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from flake8_jax.ir.ops import Anchor, Body, Function, Op, Other, Target
from flake8_jax.syntax.positions import COLUMN_BITS, LINE_BITS


class Cursor:
    """The state of lowering at one point: current anchor, scope and function.

    `lines` are those of the text that was parsed, `offset` is how many lines of the file stand above it; `names` are
    those of which uses are `noted`.
    """

    __slots__ = (
        "anchor", "function", "lines", "names", "noted", "offset", "origin", "others", "pending", "scope", "subjects",
    )  # fmt: skip

    def __init__(
        self, anchor: Anchor, function: Function, lines: Sequence[str], offset: int, names: frozenset[str] = frozenset()
    ) -> None:
        self.anchor = anchor
        self.origin = anchor.origin
        self.scope = function.scope
        self.function = function
        self.lines = lines
        self.offset = offset
        self.pending: list[tuple[Function, Sequence[ast.stmt]]] = []
        self.others: dict[str, int] = {}
        self.subjects = 0
        self.names = names
        self.noted: list[Op] = []

    def at(self, node: Any) -> int:
        """The place of a node in the file, encoded by `syntax.positions.packed`."""
        line: int = node.lineno
        head: int = (line + self.offset) << COLUMN_BITS | node.col_offset
        place: int = (head << LINE_BITS | (node.end_lineno - line)) << COLUMN_BITS | node.end_col_offset
        return place

    def anchored(self, line: int) -> Anchor:
        """An anchor for the ops of a statement, header or decorator."""
        return Anchor(line + self.offset, self.origin)


Lower: TypeAlias = Callable[[Any, Cursor], Op]
LowerTarget: TypeAlias = Callable[[Any, Cursor], Target]
LowerStatement: TypeAlias = Callable[[Any, Cursor, list[Op]], None]

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Div: "/", ast.FloorDiv: "//", ast.Invert: "~",
    ast.LShift: "<<", ast.MatMult: "@", ast.Mod: "%", ast.Mult: "*", ast.Not: "not", ast.Pow: "**", ast.RShift: ">>",
    ast.Sub: "-", ast.UAdd: "+", ast.USub: "-",
    ast.Eq: "==", ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.Is: "is", ast.IsNot: "is not", ast.Lt: "<",
    ast.LtE: "<=", ast.NotEq: "!=", ast.NotIn: "not in",
}  # fmt: skip

EXPRESSIONS: dict[type[ast.AST], Lower] = {}
TARGETS: dict[type[ast.AST], LowerTarget] = {}
STATEMENTS: dict[type[ast.AST], LowerStatement] = {}


def lower_body(statements: Sequence[ast.stmt], c: Cursor) -> Body:
    """Lower the statements of a block."""
    out: list[Op] = []
    origin, offset = c.origin, c.offset
    for statement in statements:
        c.anchor = Anchor(statement.lineno + offset, origin)
        STATEMENTS[type(statement)](statement, c, out)
    return tuple(out)


def other(node: object, c: Cursor, reason: str, parts: tuple[Op, ...] = ()) -> Other:
    """An op for unsupported syntax; counted by reason."""
    c.others[reason] = c.others.get(reason, 0) + 1
    return Other(c.anchor, c.at(node), reason, parts)
