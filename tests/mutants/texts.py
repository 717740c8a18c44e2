"""A program's text with what mutations take hold of: its nodes, lines, tokens and statements that fill whole lines."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from flake8_jax.syntax.source import parsed

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
Node = TypeVar("Node", bound=ast.AST)
Places = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines that hold one statement, with its decorators: the first line, the one behind the last, its depth."""

    first: int
    end: int
    indent: str
    node: ast.stmt


@dataclass
class Text:
    """A program's text; what it consists of is found out when it is asked for."""

    text: str
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._starts = [0, *accumulate(map(len, self.lines))]

    @cached_property
    def lines(self) -> list[str]:
        """The lines, with their ends."""
        return LINE.findall(self.text)

    @cached_property
    def tree(self) -> ast.Module | None:
        """Python's tree; None if it cannot parse the text."""
        return parsed(self.text)

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree)) if self.tree is not None else []

    def nodes(self, *kinds: type[Node]) -> list[Node]:
        """The nodes of some classes that have places."""
        return [node for node in self._nodes if isinstance(node, kinds) and hasattr(node, "lineno")]

    def places(self, node: ast.AST) -> Places:
        """Where a node begins and ends in the text."""
        return (
            self._at(getattr(node, "lineno", 1), getattr(node, "col_offset", 0)),
            self._at(getattr(node, "end_lineno", 1), getattr(node, "end_col_offset", 0)),
        )

    def _at(self, line: int, column: int) -> int:
        if line > len(self.lines):
            return len(self.text)
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))
        return self._starts[line - 1] + column

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        begin, end = self.places(node)
        return self.text[begin:end]

    def with_nodes(self, changes: Iterable[tuple[ast.AST, str]]) -> str:
        """The text with some nodes written anew; none may hold another."""
        return self.with_places((self.places(node), new) for node, new in changes)

    def with_places(self, changes: Iterable[tuple[Places, str]]) -> str:
        """The text with other texts at some places."""
        found = self.text
        for (begin, end), new in sorted(changes, reverse=True):
            found = found[:begin] + new + found[end:]
        return found

    @cached_property
    def blocks(self) -> list[Block]:
        """The statements that share no line with another."""
        found = []
        for node in self.nodes(ast.stmt):
            decorators = getattr(node, "decorator_list", ())
            first, end = min([node.lineno, *(each.lineno for each in decorators)]) - 1, node.end_lineno or node.lineno
            if end > len(self.lines):
                continue
            indent = self.lines[first][: len(self.lines[first]) - len(self.lines[first].lstrip(" \t"))]
            begins = decorators or self.text[self._starts[first] : self.places(node)[0]].isspace() or not indent
            tail = self.text[self.places(node)[1] : self._starts[end]].strip()
            if begins and (not tail or tail.startswith("#")):
                found.append(Block(first, end, indent, node))
        return found

    def plain(self, block: Block) -> list[str]:
        """The lines of a block, moved out to the first column."""
        return [line.removeprefix(block.indent) for line in self.lines[block.first : block.end]]

    def with_lines(self, first: int, end: int, new: Sequence[str]) -> str:
        """The text with other lines in place of some."""
        return "".join([*self.lines[:first], *map(ended, new), *self.lines[end:]])

    @cached_property
    def tokens(self) -> list[tuple[Places, str]]:
        """The tokens that are visible, as far as the text has any, with their places."""
        found = []
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
                if token.string.strip() and token.end[0] <= len(self.lines):
                    begin, end = (self._starts[line - 1] + column for line, column in (token.start, token.end))
                    found.append(((begin, end), token.string))
        except (tokenize.TokenError, SyntaxError, SystemError):  # the last of Python 3.13.0, for null bytes
            pass
        return found


def ended(line: str) -> str:
    """A line that ends."""
    return line if line.endswith(("\n", "\r")) else f"{line}\n"


def moved_in(lines: Iterable[str], indent: str) -> list[str]:
    """Lines, moved in; empty ones stay."""
    return [indent + line if line.strip() else line for line in lines]
