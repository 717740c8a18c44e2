"""Where an op stands in the source: computed only for what is reported, by writing out its statement up to it.

An op knows the statement or header it stands in, whose place its `ast` twin tells.  Counting lines and columns
from there on, while libcst writes that one statement, gives the op's own:

    Anchor(line 7, col 4)    if f(x) > 0:      ->  "if" " " | "f" "(" "x" ")" |  ... stop: 7:7 to 7:11
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flake8_jax.diagnostic import Span
from flake8_jax.syntax.writing import Counter, opening, state_class

if TYPE_CHECKING:
    from flake8_jax.ir.ops import Anchor, Op
    from flake8_jax.syntax.source import SourceFile

BLANK = frozenset(" \t\f\r\n\\#")
"""What whitespace, line continuations and comments begin with, and outside of f-strings no other token."""

UNRECORDED = frozenset({"ImportStar", "Index", "Slice"})
"""The nodes for which libcst's writing announces no syntactic position."""


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
    """The place of a syntax node that belongs to the statement or header `anchor`."""
    twin: Any = getattr(anchor.twin, "pattern", anchor.twin)  # a case has no place of its own
    start = _characters(twin.lineno, twin.col_offset, source)
    if node is anchor.node:
        return Span(*start, *_characters(twin.end_lineno, twin.end_col_offset, source))
    tracker: Tracker = state_class(Tracker)("", "\n")
    tracker.prepare(anchor.node, node, start, source.lines)
    return tracker.track()


def _characters(line: int, offset: int, source: SourceFile) -> tuple[int, int]:
    """A place whose column is given in UTF-8 bytes."""
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    if text.isascii():
        return line, offset
    return line, len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "surrogatepass"))


class _Found(Exception):
    """The node is written; the rest does not matter."""


class Tracker(Counter):
    """Counts through a statement until one node of it is written.

    `wanted` is the node where libcst announces its position; otherwise the nodes that it begins and ends with,
    `first` and `last`, are watched.
    """

    def prepare(self, statement: Any, wanted: Any, start: tuple[int, int], lines: list[str]) -> None:
        """Set out from the place where `statement` starts."""
        kind = type(statement).__name__
        self.statement = statement
        self.start = self.begin = self.end = self.opened = start
        self.origin = opening(statement.pattern if kind == "MatchCase" else statement)
        self.is_elif = kind == "If" and lines[start[0] - 1].startswith("elif", start[1])
        self.lines = lines
        self.is_continued = False
        self.waits_for_close = False
        self.wanted = self.first = self.last = None
        if opening(wanted) is not wanted:
            self.first, self.last = wanted.lpar[-1], wanted.rpar[0]
        elif type(wanted) is tuple:  # the elements of a subscript
            comma = wanted[-1].comma
            self.first, self.last = wanted[0], comma if type(comma).__name__ == "Comma" else wanted[-1]
        elif type(wanted).__name__ in UNRECORDED:
            self.first = self.last = wanted
        else:
            self.wanted = wanted

    def track(self) -> Span:
        """Write the statement and tell where the wanted node stood."""
        try:
            self.statement._codegen(self, **({"is_elif": True} if self.is_elif else {}))
        except _Found:
            return Span(*self.begin, *self.end)
        except RecursionError:
            pass
        return Span(*self.start, *self.start)

    def add_indent_tokens(self) -> None:
        """A line begins inside brackets: how far it is indented, its own whitespace included, the source tells."""
        self.is_continued = True

    def add_token(self, value: str) -> None:
        """Move behind a token and remember where the last one that is neither blank nor comment ended."""
        if "\n" in value or "\r" in value:
            super().add_token(value)
            self.is_continued = False
        elif self.is_continued:
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

    def before_codegen(self, node: Any) -> None:
        """Called before each node."""
        if node is self.origin:
            self._set_out()
        if node is self.first:
            self.begin = (self.line, self.column)

    def after_codegen(self, node: Any) -> None:
        """Called after each node."""
        if node is self.last:
            raise _Found

    def record_syntactic_position(self, node: Any, *, start_node: Any = None, end_node: Any = None) -> Mark:
        """Called around what counts as the text of most nodes."""
        if node is self.origin:
            self._set_out()
        return Mark(self) if node is self.wanted else NO_MARK

    def _set_out(self) -> None:
        self.line, self.column = self.start
        self.is_continued = False


class Mark:
    """Notes where the wanted node begins and stops the writing where it ends."""

    def __init__(self, tracker: Tracker | None) -> None:
        self.tracker = tracker

    def __enter__(self) -> None:
        tracker = self.tracker
        if tracker is not None:
            is_argument = type(tracker.wanted).__name__ == "GeneratorExp"  # alone in a call, whose parentheses count
            tracker.begin = tracker.opened if is_argument else (tracker.line, tracker.column)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self.tracker is not None and kind is None:
            if type(self.tracker.wanted).__name__ != "GeneratorExp":
                raise _Found
            self.tracker.waits_for_close = True


NO_MARK = Mark(None)
