"""Where lowering stands in a file, and the tables of functions that lower each kind of node of `ast`.

As in `ir/lower_cursor.py`: the families fill the tables when they are imported; whoever needs an operand lowered says
`EXPRESSIONS[type(node)](node, cursor)`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from flake8_jax.ir.ops import Anchor, Body, Function, Op, Other, Target

FORMATTED_ARE_PLACED = sys.version_info >= (3, 12)
"""Do nodes inside f-strings tell where they stand?"""


class Cursor:
    """The anchor, scope and function that the next op belongs to, and what is noted on the way.

    `lines` are those of the text that was parsed, `offset` is how many lines of the file stand above it; `is_placed`
    tells whether the places of nodes can be trusted.
    """

    __slots__ = (
        "anchor", "function", "is_placed", "lines", "offset", "origin", "others", "pending", "scope", "subjects",
    )  # fmt: skip

    def __init__(self, anchor: Anchor, function: Function, lines: Sequence[str], offset: int) -> None:
        self.anchor = anchor
        self.origin = anchor.origin
        self.scope = function.scope
        self.function = function
        self.lines = lines
        self.offset = offset
        self.is_placed = True
        self.pending: list[tuple[Function, Sequence[ast.stmt]]] = []
        self.others: dict[str, int] = {}
        self.subjects = 0

    def kept(self, node: object) -> object:
        """What an op keeps of its node."""
        return False

    def sign(self, node: ast.BinOp) -> str:
        """The sign of the operator of a binary operation."""
        return OPERATORS[type(node.op)]

    def lower(self, node: ast.expr) -> Op:
        """The ops of an expression."""
        return EXPRESSIONS[type(node)](node, self)

    def anchored(self, line: int) -> Anchor:
        """An anchor for the ops of a statement, header or decorator."""
        return Anchor(line + self.offset, None, None, self.origin)

    def text(self, line: int, offset: int, end_line: int, end_offset: int) -> str:
        """The text of a stretch, whose columns are given in UTF-8 bytes."""
        if line == end_line:
            return _cut(self.lines[line - 1], offset, end_offset)
        first, *middle, last = self.lines[line - 1 : end_line]
        return "\n".join([_cut(first, offset, None), *middle, _cut(last, 0, end_offset)])

    def spelled(self, node: Any) -> str:
        """The text of a node."""
        return self.text(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _cut(line: str, start: int, end: int | None) -> str:
    if line.isascii():
        return line[start:end]
    return line.encode("utf-8", "surrogatepass")[start:end].decode("utf-8", "surrogatepass")


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
        c.anchor = Anchor(statement.lineno + offset, None, None, origin)
        STATEMENTS[type(statement)](statement, c, out)
    return tuple(out)


def other(c: Cursor, reason: str, parts: tuple[Op, ...] = ()) -> Other:
    """An op for what has none of its own; counted by reason."""
    c.others[reason] = c.others.get(reason, 0) + 1
    return Other(c.anchor, False, reason, parts)
