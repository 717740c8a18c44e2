"""The layout of a file: which statement and block each node stands in, and where each name is read and bound.

What changes a text asks here: in front of which statement a new one has to stand, which reads of a name come before it
is bound anew, and which names are free.  A file's tree is walked once, when this is first asked.

    for x in xs:
        a = normal(key)         a read of `key`: its statement, in the block of the loop, in the function around it
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from itertools import chain, count, islice
from typing import TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.diagnostic import Edit, Span
from flake8_jax.syntax.nodes import fields_of

NodePlace: TypeAlias = "tuple[int, int]"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
FRAMES = (*FUNCTIONS, ast.ClassDef, ast.Module)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
CAPTURING = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
GATHERING = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BLOCKS = ("body", "orelse", "finalbody")
LONGEST = 60
"""How long the text of a field or an item may be that is looked up."""

OUTER = 4
"""To how many functions around it a name is added that is read in one."""


@dataclass(frozen=True, slots=True)
class Block:
    """A list of statements: whose it is, and under which name."""

    owner: ast.AST
    name: str


@dataclass(slots=True, eq=False)
class Layout:
    """The nodes of a tree by what stands around them.

    `at` are the expressions by their places; `blocks` the block of each statement; `reads` and `stores` those of a
    name, field or item in a function, by its text; `captured` those of functions inside; `names` all names in each one.
    """

    lines: list[str]
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    at: dict[tuple[int, int, int, int], ast.expr] = field(default_factory=dict)
    statements: dict[NodePlace, ast.stmt] = field(default_factory=dict)
    blocks: dict[ast.stmt, Block] = field(default_factory=dict)
    reads: dict[tuple[ast.AST, str], list[ast.expr]] = field(default_factory=dict)
    stores: dict[tuple[ast.AST, str], list[ast.AST]] = field(default_factory=dict)
    captured: set[tuple[ast.AST, str]] = field(default_factory=set)
    names: dict[ast.AST, set[str]] = field(default_factory=dict)
    memo: dict[Hashable, object] = field(default_factory=dict)

    def way(self, node: ast.AST) -> Iterator[ast.AST]:
        """A node and what stands around it, from the inside out."""
        around: ast.AST | None = node
        while around is not None:
            yield around
            around = self.parents.get(around)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that a node stands in."""
        return next((one for one in self.way(node) if isinstance(one, ast.stmt)), None)

    def frame(self, node: ast.AST) -> ast.AST:
        """The function, class or module that a node is evaluated in: of a header, that outside."""
        known = self.memo.get(("frame", node))
        if isinstance(known, ast.AST):
            return known
        inner = node
        for around in self.way(node):
            is_frame = isinstance(around, FRAMES) and self.is_in_body(inner, around)
            inner = around
            if is_frame or isinstance(around, ast.Module):
                break
        self.memo["frame", node] = inner
        return inner

    def is_in_body(self, node: ast.AST, owner: ast.AST) -> bool:
        """Is a node one of the statements of a function or class?"""
        return isinstance(node, ast.stmt) and node in self.blocks and self.blocks[node].owner is owner

    def text(self, node: ast.expr) -> str:
        """The source text of an expression."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        if end_line == node.lineno:
            line = self.lines[node.lineno - 1]
            return line[node.col_offset : end] if line.isascii() else line.encode()[node.col_offset : end].decode()
        first, *middle, last = self.lines[node.lineno - 1 : end_line]
        return "\n".join([first.encode()[node.col_offset :].decode(), *middle, last.encode()[:end].decode()])

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """Where a node stands, in characters."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        return Span(node.lineno, self._column(node.lineno, node.col_offset), end_line, self._column(end_line, end))

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1]
        return offset if text.isascii() else len(text.encode()[:offset].decode())

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """The edit that writes a text in the place of a node."""
        return Edit(self.span(node), text)

    def inserted(self, statement: ast.stmt, text: str) -> Edit | None:
        """The edit that writes a statement in front of another; None where that does not begin its line."""
        line = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
        before = self.lines[line - 1][: statement.col_offset]
        if before.strip() or self.is_elif(statement) or (line > 1 and self.lines[line - 2].endswith("\\")):
            return None
        return Edit(Span(line, 0, line, 0), f"{before}{text}\n")

    def is_elif(self, statement: ast.stmt) -> bool:
        """Is it the `elif` of another statement?"""
        line = self.lines[statement.lineno - 1]
        return isinstance(statement, ast.If) and line[statement.col_offset :].startswith("elif")

    def loops(self, node: ast.AST, below: ast.AST | None = None) -> list[ast.AST]:
        """The loops in whose bodies a node stands, the outermost first, as far as they stand in another node."""
        found: list[ast.AST] = []
        inner = node
        for around in self.way(node):
            if around is below:
                break
            if isinstance(around, LOOPS) and isinstance(inner, ast.stmt) and self.blocks[inner].name == "body":
                found.append(around)
            inner = around
        return found[::-1]

    def first_store(self, frame: ast.AST, name: str) -> NodePlace | None:
        """Where the first store to a name of a function begins, None if there is none."""
        found = self.memo.get(("first store", frame, name))
        if found is None:
            stores = self.stores.get((frame, name))
            found = self.memo["first store", frame, name] = min(map(begin, stores)) if stores else ()
        return found or None  # type: ignore[return-value]

    def free(self, frame: ast.AST, wanted: tuple[str, ...], taken: set[str]) -> str:
        """The first of some names that nothing is called in a function and those inside."""
        known = self.names.get(frame, set())
        numbered = (f"{wanted[0]}{number}" for number in count(2))
        for name in chain(wanted, islice(numbered, 100)):
            if name not in known and name not in taken:
                return name
        return ""


def begin(node: ast.AST) -> NodePlace:
    """Where a node begins."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def end(node: ast.AST) -> NodePlace:
    """Where a node ends."""
    return getattr(node, "end_lineno", 0) or 0, getattr(node, "end_col_offset", 0) or 0


def layout_of(tree: ast.Module, lines: list[str]) -> Layout:
    """The layout of a tree of these lines."""
    layout = Layout(lines)
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, (tree,))]
    while waiting:
        node, frames = waiting.pop()
        _note(layout, node, frames)
        inner = (node, *frames[:OUTER]) if isinstance(node, FRAMES) and node is not tree else frames
        for name in fields_of(node):
            value = getattr(node, name, None)
            is_body = name in BLOCKS and isinstance(value, list)
            for child in value if isinstance(value, list) else (value,):
                if not isinstance(child, ast.AST):
                    continue
                layout.parents[child] = node
                if isinstance(child, ast.stmt):
                    layout.blocks[child] = Block(node, name)
                waiting.append((child, inner if is_body else frames))
    return layout


def _note(layout: Layout, node: ast.AST, frames: tuple[ast.AST, ...]) -> None:
    if isinstance(node, ast.stmt):
        layout.statements[begin(node)] = node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            layout.stores.setdefault((frames[0], node.name), []).append(node)
            _named(layout, node.name, frames)
            if not isinstance(node, ast.ClassDef):
                every = (node.args.posonlyargs, node.args.args, node.args.kwonlyargs)
                for parameter in (*chain.from_iterable(every), node.args.vararg, node.args.kwarg):
                    if parameter is not None:
                        _named(layout, parameter.arg, (node, *frames))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                _named(layout, (alias.asname or alias.name).partition(".")[0], frames)
    elif isinstance(node, ast.arg):
        _named(layout, node.arg, frames)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        _named(layout, node.name, frames)
    elif isinstance(node, ast.expr):
        layout.at.setdefault((*begin(node), *end(node)), node)
        _note_expression(layout, node, frames)


def _note_expression(layout: Layout, node: ast.expr, frames: tuple[ast.AST, ...]) -> None:
    if isinstance(node, ast.Name):
        text = node.id
        _named(layout, text, frames)
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        if node.end_lineno != node.lineno or (node.end_col_offset or 0) - node.col_offset > LONGEST:
            return
        text = layout.text(node)
    else:
        return
    if isinstance(node.ctx, ast.Load):
        layout.reads.setdefault((frames[0], text), []).append(node)
        layout.captured.update((outer, text) for outer in frames[1:])
    else:
        layout.stores.setdefault((frames[0], text), []).append(node)


def _named(layout: Layout, name: str, frames: tuple[ast.AST, ...]) -> None:
    for frame in frames:
        layout.names.setdefault(frame, set()).add(name)
