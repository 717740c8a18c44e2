"""Where an op stands in the source: computed only for what is reported, by writing out its statement up to it.

An op knows the statement or header it stands in, whose place its `ast` twin tells.  libcst can write a node back as
text; counting lines and columns while it writes that one statement, from the twin's place on, gives the op's own:

    Anchor(line 7, col 4)    if f(x) > 0:      ->  "if" " " | "f" "(" "x" ")" |  ... stop: 7:7 to 7:11
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Any

from flake8_jax.diagnostic import Span

if TYPE_CHECKING:
    from flake8_jax.ir.ops import Anchor, Op
    from flake8_jax.syntax.source import SourceFile

BLANK = frozenset(" \t\f\r\n\\#")
"""What whitespace, line continuations and comments begin with, and no other token outside of f-strings."""


def span(op: Op, source: SourceFile) -> Span:
    """The place of an op; of one that has no text of its own, the place of its operands or of its statement."""
    if op.node is None:
        parts = [part for part in getattr(op, "operands", ()) if part.node is not None]
        if not parts:
            return place(op.anchor, op.anchor.node, source)
        first, last = span(parts[0], source), span(parts[-1], source)
        return Span(first.line, first.column, last.end_line, last.end_column)
    return place(op.anchor, op.node, source)


def text(op: Op, source: SourceFile) -> str:
    """The source text of an op."""
    return source.cut(span(op, source))


def place(anchor: Anchor, node: object, source: SourceFile) -> Span:
    """The place of a syntax node of the statement or header that `anchor` is."""
    twin: Any = getattr(anchor.twin, "pattern", anchor.twin)  # a case has no place of its own
    start = _characters(twin.lineno, twin.col_offset, source)
    if node is anchor.node:
        return Span(*start, *_characters(twin.end_lineno, twin.end_col_offset, source))
    tracker = _tracker_class()(anchor.node, node, start, source.lines)
    found: Span = tracker.run()
    return found


def _characters(line: int, offset: int, source: SourceFile) -> tuple[int, int]:
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    if text.isascii():
        return line, offset
    return line, len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "surrogatepass"))


class _Found(Exception):
    """The node is written; the rest does not matter."""


@cache
def _tracker_class() -> Any:
    """The class is made here because libcst is imported only when there is something to report."""
    import libcst as cst
    from libcst._nodes.internal import CodegenState

    def opening(node: Any) -> Any:
        """What begins where Python says that a node begins: its own parentheses belong to a tuple or generator."""
        has_own = type(node) in (cst.GeneratorExp, cst.MatchTuple, cst.Tuple) and node.lpar
        return node.lpar[-1] if has_own else node

    class Nothing:
        def __enter__(self) -> None:
            pass

        def __exit__(self, *error: object) -> None:
            pass

    nothing = Nothing()

    class Tracker(CodegenState):
        """Writes out a statement, counting lines and columns, until `wanted` is written."""

        def __init__(self, statement: Any, wanted: Any, start: tuple[int, int], lines: list[str]) -> None:
            super().__init__("", "\n")
            self.statement = statement
            self.wanted: Any = wanted
            self.first: Any = None
            self.last: Any = None
            self.origin = opening(statement.pattern if type(statement) is cst.MatchCase else statement)
            self.start = start
            self.lines = lines
            self.line, self.column = start
            self.end = start
            self.begin = start
            self.opened = start
            self.is_alone = False
            self.waits_for_close = False
            self.is_continued = False
            self._choose_bounds()

        def _choose_bounds(self) -> None:
            """Tuples and generators are bounded by parentheses, the parts of a subscript by nodes beside them."""
            wanted = self.wanted
            kind = type(wanted)
            if opening(wanted) is not wanted:
                self.first, self.last, self.wanted = wanted.lpar[-1], wanted.rpar[0], None
            elif kind is tuple:
                comma = wanted[-1].comma
                self.first, self.last = wanted[0], comma if type(comma) is cst.Comma else wanted[-1]
                self.wanted = None
            elif kind in (cst.ImportStar, cst.Index, cst.Slice):
                self.first = self.last = wanted
                self.wanted = None

        def run(self) -> Span:
            line, column = self.start
            elif_ = type(self.statement) is cst.If and self.lines[line - 1].startswith("elif", column)
            try:
                self.statement._codegen(self, **({"is_elif": True} if elif_ else {}))
            except _Found:
                return Span(*self.begin, *self.end)
            except RecursionError:
                pass
            return Span(*self.start, *self.start)

        def add_indent_tokens(self) -> None:
            self.is_continued = True

        def add_token(self, value: str) -> None:
            if "\n" in value or "\r" in value:
                self._add_lines(value)
            elif self.is_continued:  # the whitespace that begins a line inside brackets, indentation included
                line = self.lines[self.line - 1] if self.line <= len(self.lines) else ""
                self.column = len(line) - len(line.lstrip(" \t\f"))
                self.is_continued = False
            else:
                if value == "(":
                    self.opened = (self.line, self.column)
                self.column += len(value)
            if value and value[0] not in BLANK:
                self.end = (self.line, self.column)
                if self.waits_for_close and value == ")":
                    raise _Found

        def _start_over(self) -> None:
            self.line, self.column = self.start
            self.is_continued = False

        def _add_lines(self, value: str) -> None:
            lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.line += len(lines) - 1
            self.column = len(lines[-1])
            self.is_continued = False

        def before_codegen(self, node: Any) -> None:
            if node is self.origin:
                self._start_over()
            if node is self.first:
                self.begin = (self.line, self.column)

        def after_codegen(self, node: Any) -> None:
            if node is self.last:
                raise _Found

        def record_syntactic_position(self, node: Any, *, start_node: Any = None, end_node: Any = None) -> Any:
            if node is self.origin:
                self._start_over()
            return Mark(self) if node is self.wanted else nothing

    class Mark:
        """Notes where the wanted node begins and stops the writing where it ends."""

        def __init__(self, tracker: Tracker) -> None:
            self.tracker = tracker

        def __enter__(self) -> None:
            tracker = self.tracker
            alone = type(tracker.wanted) is cst.GeneratorExp  # as an argument: the call's parentheses are its own
            tracker.begin = tracker.opened if alone else (tracker.line, tracker.column)
            tracker.is_alone = alone

        def __exit__(self, kind: object, error: object, trace: object) -> None:
            tracker = self.tracker
            if kind is not None:
                return
            if not tracker.is_alone:
                raise _Found
            tracker.waits_for_close = True

    return Tracker
