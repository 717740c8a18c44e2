"""Stands in for Python's own tree where the running Python cannot parse a file that libcst can.

Writing the whole module once tells where each statement, decorator, handler and pattern begins and ends.
The stand-ins have the fields of `ast` nodes that lowering and positions read, columns in UTF-8 bytes included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from flake8_jax.syntax.depth import TooDeep
from flake8_jax.syntax.writing import Counter, opening, state_class

if TYPE_CHECKING:
    import libcst as cst


class Twin:
    """A stand-in for an `ast` node: its place, and the blocks and parts that it holds."""

    def __init__(self, line: int, offset: int, end_line: int, end_offset: int) -> None:
        self.lineno = line
        self.col_offset = offset
        self.end_lineno = end_line
        self.end_col_offset = end_offset
        self.body: list[Twin] = []
        self.orelse: list[Twin] = []
        self.finalbody: list[Twin] = []
        self.handlers: list[Twin] = []
        self.decorator_list: list[Twin] = []
        self.cases: list[Twin] = []


class CaseTwin(Twin):
    """A stand-in for a `match_case`."""

    pattern: Twin


def stand_in(module: cst.Module, lines: list[str]) -> Twin:
    """A stand-in for the whole file."""
    recorder: Recorder = state_class(Recorder)(module.default_indent, module.default_newline)
    recorder.places = {}
    try:
        module._codegen(recorder)  # type: ignore[arg-type]
    except RecursionError as error:
        raise TooDeep("nested beyond what can be written out") from error
    builder = Builder(recorder.places, lines)
    twin = Twin(1, 0, len(lines), 0)
    twin.body = builder.block(module.body)
    return twin


class Recorder(Counter):
    """Notes where every node begins and ends, columns in characters."""

    places: dict[int, tuple[int, int, int, int]]
    indent_tokens: list[str]

    def add_indent_tokens(self) -> None:
        """A line begins inside a block."""
        self.column += sum(map(len, self.indent_tokens))

    @contextmanager
    def record_syntactic_position(self, node: Any, *, start_node: Any = None, end_node: Any = None) -> Iterator[None]:
        """Called around what counts as the text of most nodes."""
        line, column = self.line, self.column
        yield
        end = self.places.get(id(end_node), (line, column, self.line, self.column))[2:]
        self.places[id(node)] = (line, column, *end)

    def before_codegen(self, node: Any) -> None:
        """Called before each node."""
        if type(node).__name__ == "LeftParen":
            self.places[id(node)] = (self.line, self.column, self.line, self.column + 1)

    def after_codegen(self, node: Any) -> None:
        """Called after each node."""
        if type(node).__name__ == "RightParen":
            self.places[id(node)] = (self.line, self.column - 1, self.line, self.column)


class Builder:
    """Builds stand-ins from the places of nodes."""

    def __init__(self, places: dict[int, tuple[int, int, int, int]], lines: list[str]) -> None:
        self.places = places
        self.lines = lines

    def block(self, nodes: Sequence[Any]) -> list[Twin]:
        """The statements of a block, each of those on one line by itself."""
        found: list[Twin] = []
        for node in nodes:
            if type(node).__name__ == "SimpleStatementLine":
                found += [self.statement(small) for small in node.body]
            else:
                found.append(self.statement(node))
        return found

    def statement(self, node: Any) -> Twin:
        """One statement or handler with all that it holds."""
        twin = Twin(*self.place(node))
        suite: Any = getattr(node, "body", None)
        if hasattr(suite, "body"):
            twin.body = self.block(suite.body)
            twin.handlers = [self.statement(handler) for handler in getattr(node, "handlers", ())]
            twin.decorator_list = [Twin(*self.place(part.decorator)) for part in getattr(node, "decorators", ())]
            orelse = getattr(node, "orelse", None)
            if orelse is not None:
                is_elif = type(orelse).__name__ == "If"
                twin.orelse = [self.statement(orelse)] if is_elif else self.block(orelse.body.body)
            if getattr(node, "finalbody", None) is not None:
                twin.finalbody = self.block(node.finalbody.body.body)
        elif type(node).__name__ == "Match":
            twin.cases = [self.case(case) for case in node.cases]
        return twin

    def case(self, node: cst.MatchCase) -> Twin:
        """One case of a match."""
        twin = CaseTwin(*self.place(node))
        twin.body = self.block(node.body.body)
        twin.pattern = Twin(*self.place(node.pattern))
        return twin

    def place(self, node: Any) -> tuple[int, int, int, int]:
        """Where `ast` would say that a node stands, columns in bytes."""
        line, column, end_line, end_column = self.places[id(node)]
        if opening(node) is not node:
            line, column = self.places[id(opening(node))][:2]
            end_line, end_column = self.places[id(node.rpar[0])][2:]
        return line, self.offset(line, column), end_line, self.offset(end_line, end_column)

    def offset(self, line: int, column: int) -> int:
        """A column in bytes."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return column if text.isascii() else len(text[:column].encode("utf-8", "surrogatepass"))
