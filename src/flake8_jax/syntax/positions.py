"""Source positions of ops: from a packed place to the libcst node, span and text.

An op keeps the place of its node in Python's tree as one integer, so that trees need not be kept.  What is reported is
looked up by that place on libcst's tree of its *region*, parsed when first asked for: the innermost simple statement or
header around it, or the whole top-level statement where these cannot be parsed alone.

    if f(x)[0] > 0:     place of the Call: 1:3 to 1:7   region: `if f(x)[0] > 0:`   the node that stands there: cst.Call

Columns of Python's tree count UTF-8 bytes, those of libcst and of a `Span` count characters.  Before Python 3.12 the
places of what stands inside an f-string count from somewhere else: those are told from the field that holds them, whose
own place libcst knows (`Field`).
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.diagnostic import Span
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep, parsed

if TYPE_CHECKING:
    import libcst as cst

COLUMN_BITS, LINE_BITS = 24, 20
COLUMN, LINES = (1 << COLUMN_BITS) - 1, (1 << LINE_BITS) - 1
HEAD_BITS = COLUMN_BITS + LINE_BITS

BLOCKS = ("body", "orelse", "finalbody")
PARTED = frozenset({"Match", "Try", "TryStar"})
"""The statements whose parts have headers of their own."""

OWN_PARENTHESES = frozenset({"GeneratorExp", "MatchTuple", "Tuple"})
"""The libcst nodes to which Python's tree counts their innermost parentheses."""

KINDS: dict[str, frozenset[str]] = {
    "Attr": frozenset({"Attribute"}),
    "Branch": frozenset(
        {"Assert", "If", "MatchAs", "MatchClass", "MatchList", "MatchMapping", "MatchOr", "MatchTuple", "MatchValue"}
    ),
    "Build": frozenset({"ConcatenatedString", "FormattedString", "List", "Set", "Slice", "Tuple"}),
    "BuildDict": frozenset({"Dict"}),
    "Call": frozenset({"Call"}),
    "Choose": frozenset({"IfExp"}),
    "Closure": frozenset({"FunctionDef", "Lambda"}),
    "Compare": frozenset({"Comparison"}),
    "Delete": frozenset({"Del"}),
    "Gather": frozenset({"DictComp", "GeneratorExp", "ListComp", "SetComp"}),
    "Item": frozenset({"Subscript"}),
    "Leave": frozenset({"Assert", "Break", "Continue", "Raise", "Return"}),
    "Logic": frozenset({"BooleanOperation"}),
    "Loop": frozenset({"For", "While"}),
    "MakeClass": frozenset({"ClassDef"}),
    "Name": frozenset({"Name"}),
    "Operate": frozenset({"AugAssign", "BinaryOperation", "UnaryOperation"}),
    "Imported": frozenset({"ImportAlias", "ImportStar"}),
    "Star": frozenset({"Arg", "StarredElement", "SubscriptElement"}),
    "Store": frozenset(
        {"AnnAssign", "Assign", "AugAssign", "ClassDef", "FunctionDef", "ImportAlias"}
        | {"Match", "NamedExpr", "TypeAlias"}
    ),
    "Suspend": frozenset({"Await", "Yield"}),
    "Try": frozenset({"Try", "TryStar"}),
    "Unpack": frozenset({"List", "Tuple"}),
}
"""The libcst nodes that an op of each kind is made of, where more than one node has its place."""

NARROWER = frozenset({"Branch", "Gather", "Matches"})
"""The ops whose place may hold more than their node: the brackets of a pattern, of a call around a lone generator."""


class TopLevel(Protocol):
    """The top-level statement around an op: the file's text, its first line and its last."""

    source: SourceFile
    line: int
    end_line: int


@dataclass(slots=True, eq=False)
class Field:
    """A replacement field of an f-string: the string's place, the field's index, the place of its value.

    `outer` is the field that the f-string itself stands in.
    """

    string: int
    number: int
    value: int
    outer: Field | None

    @property
    def outermost(self) -> int:
        """The place of the outermost enclosing f-string."""
        return self.string if self.outer is None else self.outer.outermost


class Placed(Protocol):
    """Anything with a place in Python's tree (0 if it has none).  Its anchor has `origin` and `field`."""

    anchor: Any
    place: int


@dataclass(frozen=True, slots=True)
class Located:
    """The source of an op: libcst node (None where libcst cannot parse the statement), span and text."""

    node: cst.CSTNode | None
    span: Span
    text: str


def packed(line: int, column: int, end_line: int, end_column: int) -> int:
    """A place as one integer; lines from 1, columns in UTF-8 bytes from 0, the end exclusive."""
    return ((line << COLUMN_BITS | column) << LINE_BITS | (end_line - line)) << COLUMN_BITS | end_column


def unpacked(place: int) -> tuple[int, int, int, int]:
    """The line, column, end line and end column of a packed place."""
    line, column = place >> (HEAD_BITS + COLUMN_BITS), place >> HEAD_BITS & COLUMN
    return line, column, line + (place >> COLUMN_BITS & LINES), place & COLUMN


def line_of(op: Placed) -> int:
    """The line where an op begins, which in a statement of several lines may be below the first one."""
    return unpacked(op.place)[0] or op.anchor.line


def spelling(op: Placed) -> str | None:
    """The source text of an op; None if it cannot be found without libcst."""
    span = span_of(op)
    if span is None:
        return None
    origin = op.anchor.origin
    source: SourceFile = origin.file if span.line == span.end_line else origin.source  # a comment may stand in it
    return source.cut(span)


def span_of(op: Placed) -> Span | None:
    """Where an op stands, in characters; None if that cannot be found without libcst."""
    if not op.place or op.anchor.field is not None:
        return None
    return _span(op.place, op.anchor.origin.file)


def text_at(place: int, source: SourceFile) -> str:
    """The source text at a place of a file."""
    return source.cut(_span(place, source))


def text_behind(place: int, source: SourceFile) -> str:
    """What stands behind a place, on its line."""
    span = _span(place, source)
    return source.lines[span.end_line - 1][span.end_column :].lstrip()


def _span(place: int, source: SourceFile) -> Span:
    line, column, end_line, end_column = unpacked(place)
    return Span(line, _characters(line, column, source), end_line, _characters(end_line, end_column, source))


def _characters(line: int, offset: int, source: SourceFile) -> int:
    """A column that is given in UTF-8 bytes."""
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    if text.isascii():
        return offset
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "surrogatepass"))


class Locator:
    """Locates ops in libcst trees of their regions; each region is parsed once."""

    __slots__ = ("_blocks", "_regions", "_trees")

    def __init__(self) -> None:
        self._trees: dict[int, ast.Module | None] = {}
        self._blocks: dict[ast.AST, list[ast.stmt]] = {}
        self._regions: dict[tuple[int, int, int, str], Region | None] = {}

    def region(self, op: Placed) -> Region | None:
        """The region around an op, if it has a place of its own and libcst can parse it."""
        field = op.anchor.field
        return self._region(op.anchor.origin, op.place if field is None else field.outermost) if op.place else None

    def locate(self, op: Placed) -> Located:
        """The libcst node, span and text of an op.  An op without a place of its own is located by its operands."""
        if not op.place:
            parts = [self.locate(part) for part in getattr(op, "operands", ()) if part.place]
            if not parts:
                return self._at_line(op)
            first, last = parts[0].span, parts[-1].span
            span = Span(first.line, first.column, last.end_line, last.end_column)
            return Located(None, span, op.anchor.origin.source.cut(span))
        source, place, field = op.anchor.origin.source, op.place, op.anchor.field
        outermost = place if field is None else field.outermost
        region = self._region(op.anchor.origin, outermost)
        if field is not None:
            found = region.place_in(place, field) if region is not None else None
            if found is None:
                return self._at_line(op)
            place = found
        span = _span(place, source)
        node = region.node(span, type(op).__name__) if region is not None else None
        return Located(node, span, source.cut(span))

    def span(self, op: Placed) -> Span:
        """Where an op stands, in characters: Python's own places tell, but for what stands in an f-string."""
        if not op.place or op.anchor.field is not None:
            return self.locate(op).span
        return _span(op.place, op.anchor.origin.source)

    def _at_line(self, op: Placed) -> Located:
        """The line of the statement, where nothing better is known."""
        line, source = op.anchor.line, op.anchor.origin.source
        text = source.lines[line - 1]
        span = Span(line, len(text) - len(text.lstrip()), line, len(text))
        return Located(None, span, source.cut(span))

    def _region(self, origin: TopLevel, place: int) -> Region | None:
        """The smallest region around a place that libcst can parse."""
        if id(origin) not in self._trees:
            self._trees[id(origin)] = parsed(_lines(origin, origin.line, origin.end_line))
        tree = self._trees[id(origin)]
        found = None if tree is None else self._smallest(tree, unpacked(place), origin)
        if found is not None:
            region = self._parsed(origin, *found)
            if region is not None:
                return region
        return self._parsed(origin, origin.line, 0, _lines(origin, origin.line, origin.end_line) + "\n")

    def _smallest(
        self, tree: ast.Module, place: tuple[int, int, int, int], origin: TopLevel
    ) -> tuple[int, int, str] | None:
        """Line, column and text of the innermost simple statement or header that holds a place; None if none does.

        What decorates a statement stands alone, too; where it is indented, in a block of its own.
        """
        above = origin.line - 1  # the tree is that of the top-level statement alone
        begin, end = (place[0] - above, place[1]), (place[2] - above, place[3])
        found: ast.stmt | None = None
        body = self._in(tree)
        while body:
            before = bisect_right(body, begin, key=_begin)
            if not before or end > _end(body[before - 1]):
                break
            found = body[before - 1]
            body = self._in(found)
        if found is None or type(found).__name__ in PARTED:
            return None
        inner, own = self._in(found), (found.lineno, found.col_offset)
        stop = _begin(inner[0]) if inner else _end(found)
        if end > stop:
            return None  # the whole of a compound statement
        is_decorator = end <= own
        first, last = _begin(found), own if is_decorator else stop
        text = text_at(packed(first[0] + above, first[1], last[0] + above, last[1]), origin.source)
        line, column = first[0] + above, _characters(first[0] + above, first[1], origin.source)
        if first < own:
            indentation = origin.source.lines[line - 1][:column]
            text = f"{text}def _(): pass\n" if is_decorator else f"{text.rstrip()}\n{indentation} pass\n"
            return (line - 1, 0, f"if 1:\n{indentation}{text}") if indentation else (line, 0, text)
        if inner and text.startswith("elif"):
            text, column = text[2:], column + 2
        return line, column, f"{text.rstrip()}\n pass\n" if inner else f"{text}\n"

    def _in(self, node: ast.Module | ast.stmt) -> list[ast.stmt]:
        """The statements in the blocks of a statement, in order."""
        found = self._blocks.get(node)
        if found is None:
            found = self._blocks[node] = sorted(_inside(node), key=_begin)
        return found

    def _parsed(self, origin: TopLevel, line: int, column: int, text: str) -> Region | None:
        key = id(origin.source), line, column, text
        if key not in self._regions:
            self._regions[key] = _parsed(origin.source, line, column, text)
        return self._regions[key]


def _lines(origin: TopLevel, first: int, last: int) -> str:
    return "\n".join(origin.source.lines[first - 1 : last])


def _inside(node: ast.Module | ast.stmt) -> Iterator[ast.stmt]:
    """The statements in the blocks of a statement, those of its handlers and cases included."""
    for name in BLOCKS:
        yield from getattr(node, name, ())
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from part.body


def _first_two(place: tuple[int, int, int, int]) -> tuple[int, int]:
    return place[:2]


def _begin(node: ast.stmt) -> tuple[int, int]:
    """Where a statement begins, with its decorators."""
    decorators = getattr(node, "decorator_list", None)
    return (decorators[0] if decorators else node).lineno, node.col_offset


def _end(node: ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _parsed(source: SourceFile, line: int, column: int, text: str) -> Region | None:
    from libcst.metadata import MetadataWrapper, PositionProvider

    try:
        wrapper = MetadataWrapper(SourceFile("", text).module, unsafe_skip_copy=True)
        ranges = wrapper.resolve(PositionProvider)
    except (NotPython, TooDeep, RecursionError):
        return None
    found = Region(source, line, column, wrapper.module, ranges)
    for node in ranges:
        found.nodes.setdefault(found.range_of(node), []).append(node)
    return found


@dataclass(slots=True, eq=False)
class Region:
    """A stretch of a file on libcst's tree, with its nodes by where they stand in the file.

    `ranges` are libcst's own, from the beginning of the stretch.
    It begins at a line and column of the file; its other lines begin where those of the file do.
    """

    source: SourceFile
    line: int
    column: int
    module: cst.Module
    ranges: Any
    nodes: dict[tuple[int, int, int, int], list[Any]] = field(default_factory=dict)
    _in_order: list[tuple[int, int, int, int]] = field(default_factory=list)

    def range_of(self, node: Any) -> tuple[int, int, int, int]:
        """Where a node stands in the file, its own parentheses included."""
        begin, end = self.ranges[node].start, self.ranges[node].end
        if type(node).__name__ in OWN_PARENTHESES and node.lpar:
            begin, end = self.ranges[node.lpar[-1]].start, self.ranges[node.rpar[0]].end
        return *self.in_file(begin.line, begin.column), *self.in_file(end.line, end.column)

    def in_file(self, line: int, column: int) -> tuple[int, int]:
        """Where a line and column of the region stand in the file."""
        if line == 1 and self.column:
            return self.line, column + self.column
        line += self.line - 1
        text = self.source.lines[line - 1] if line <= len(self.source.lines) else ""
        return line, column + len(text) - len(text.lstrip("\f"))  # form feeds before a statement are not written

    def node(self, span: Span, kind: str) -> Any:
        """The node of an op of this kind; of several, the one of its kind, else the outermost."""
        found = self.nodes.get((span.line, span.column, span.end_line, span.end_column), [])
        kinds = KINDS.get(kind, frozenset())
        named = [node for node in found if type(node).__name__ in kinds]
        if named or found:
            return (named or found)[-1]
        if kind == "Build":
            return self._slice(span)
        if kind not in NARROWER:
            return None  # several indices, such as those of `x[a, b]`, are no node
        inside = [node for node in self._within(span) if type(node).__name__ in kinds]
        return max(inside, key=self._extent, default=None)

    def _slice(self, span: Span) -> Any:
        """The slice at a span: one without a last bound counts the white space behind its colon."""
        end = (span.end_line, span.end_column)
        slices = (
            node for place in self._beginning((span.line, span.column), (span.line, span.column))
            for node in self.nodes[place] if place[2:] >= end and type(node).__name__ == "Slice"
        )  # fmt: skip
        return next(slices, None)

    def _within(self, span: Span) -> Iterator[Any]:
        """The nodes inside a span: a generator that is a call's only argument counts the call's parentheses."""
        end = (span.end_line, span.end_column)
        for place in self._beginning((span.line, span.column), end):
            if place[2:] <= end:
                yield from self.nodes[place]

    def _beginning(self, first: tuple[int, int], last: tuple[int, int]) -> list[tuple[int, int, int, int]]:
        """The places of nodes that begin from one place to another, in order."""
        if not self._in_order:
            self._in_order = sorted(self.nodes)
        return self._in_order[bisect_left(self._in_order, first) : bisect_right(self._in_order, last, key=_first_two)]

    def _extent(self, node: Any) -> tuple[int, int, int, int]:
        line, column, end_line, end_column = self.range_of(node)
        return end_line - line, end_column - column, -line, -column

    def place_in(self, place: int, field: Field) -> int | None:
        """The place in the file of what stands in a replacement field; None if the field is not found."""
        string = field.string if field.outer is None else self.place_in(field.string, field.outer)
        node = None if string is None else self.node(_span(string, self.source), "Build")
        value = next((one for n, one in enumerate(_values(node)) if n == field.number), None)
        if value is None:
            return None
        line, column, _, _ = self.range_of(value)
        text = self.source.lines[line - 1][:column]
        offset = len(text.encode("utf-8", "surrogatepass"))
        if type(value).__name__ in OWN_PARENTHESES and not value.lpar:
            offset -= 1  # Python puts the value into parentheses of its own
        first, shift, _, _ = unpacked(field.value)
        begin_line, begin, end_line, end = unpacked(place)
        if begin_line == first:
            begin += offset - shift
        if end_line == first:
            end += offset - shift
        above = line - first
        return packed(begin_line + above, begin, end_line + above, end) if min(begin, end) >= 0 else None


def _values(node: Any) -> Iterator[Any]:
    """The values put into an f-string, those of its format specifications after each."""
    if type(node).__name__ == "ConcatenatedString":
        yield from _values(node.left)
        yield from _values(node.right)
        return
    yield from _fields(getattr(node, "parts", ()))


def _fields(pieces: Any) -> Iterator[Any]:
    for piece in pieces:
        value = getattr(piece, "expression", None)  # literal pieces have none
        if value is not None:
            yield value
            yield from _fields(piece.format_spec or ())
