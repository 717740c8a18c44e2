"""Who else holds the object of a local name, and who reads the name later.

y = x               both names hold the array: a new one, bound to `x`, would not be seen as `y`
x[0] = 1.0
return x            `x` is read later

A file's tree is walked once, when this is first asked.  Each node has a number there, in the order of the walk, so that
all nodes of a function are a range of numbers: what is noted of a name (its readings, the statements that share what it
holds) is found by number in the ranges of the functions, classes and loops around a place, which stand one in another.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.nodes import children

TextPlace: TypeAlias = "tuple[int, int]"
"""A line and a column of Python's tree."""

Noted: TypeAlias = "dict[str, list[tuple[int, int]]]"
"""What was noted of each name: the numbers of statements, in order, and the line of each."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
FRAMES = (*FUNCTIONS, ast.ClassDef, ast.Module)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.Expr)
EXTENDED = (*FUNCTIONS, ast.ClassDef, *LOOPS, *SIMPLE)
KEEPING = frozenset(("add", "append", "appendleft", "extend", "insert", "put", "setdefault", "update"))
"""Methods that keep what they are given."""

FRESH = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.List, ast.ListComp)
"""Expressions whose values nobody else holds."""


@dataclass(slots=True, eq=False)
class Extent:
    """Where a function, class, loop or simple statement stands: from its first number to its last, and in the text.

    `outer` is what stands around it in the text: the decorators of a function stand in front of it, not in it.
    """

    node: ast.AST
    first: int
    last: int = 0
    begin: TextPlace = (0, 0)
    end: TextPlace = (0, 0)
    outer: Extent | None = None

    def holds(self, place: TextPlace) -> bool:
        """Is a place in it?"""
        return self.begin <= place <= self.end


@dataclass(slots=True, eq=False)
class NameRead:
    """A reading of a name: its number, its place, and whether it only stores into an item."""

    number: int
    place: TextPlace
    is_stored_into: bool


@dataclass(slots=True, eq=False)
class NameReadings:
    """The readings of a name in a function, in the order of the text, without stores into its items.

    `inside` are those in functions inside, `is_any`: it is read, if only to store into it.
    """

    places: list[TextPlace]
    inside: list[TextPlace]
    is_any: bool


@dataclass(slots=True, eq=False)
class Holders:
    """What the tree of a file says of its names.

    `shared` are the statements after which something else may hold what a name holds, `texts` those that bind a name to
    what is certainly a text, `nonlocals` those that hand a name out of its function.
    """

    extents: list[Extent] = field(default_factory=list)
    reads: dict[str, list[NameRead]] = field(default_factory=dict)
    shared: Noted = field(default_factory=dict)
    texts: Noted = field(default_factory=dict)
    nonlocals: Noted = field(default_factory=dict)
    _begins: list[TextPlace] = field(default_factory=list)
    _readings: dict[tuple[Extent, str], NameReadings] = field(default_factory=dict)

    def is_read_later(self, place: TextPlace, name: str) -> bool:
        """Is a name read after the statement at a place, or in the next iteration?  Those of a module always may be."""
        frame, loops, statement = self._around(place)
        if isinstance(frame.node, (ast.Module, ast.ClassDef)):
            return True
        begin, end = (place, place) if statement is None else (statement.begin, statement.end)
        found = self._readings_in(frame, name)
        after = place if statement is None else end
        if found.places and found.places[-1] > after:
            return True
        if found.inside and (found.inside[0] < begin or found.inside[-1] > end or statement is None):
            return True
        for loop in loops:
            if _rebinds(loop.node, name):
                continue
            first, last = bisect_left(found.places, loop.begin), bisect_right(found.places, loop.end)
            own = 0 if statement is None else bisect_right(found.places, end) - bisect_left(found.places, begin)
            if last - first > own:
                return True
        return False

    def is_name_read(self, place: TextPlace, name: str) -> bool:
        """Is a name read anywhere in the function around a place?  Those of a module may be read by others."""
        frame, _, _ = self._around(place)
        is_public = isinstance(frame.node, (ast.Module, ast.ClassDef)) and not name.startswith("_")
        return is_public or self._readings_in(frame, name).is_any

    def is_text(self, place: TextPlace, name: str) -> bool:
        """Does a statement of the function around a place bind a name to what is certainly a text?"""
        frame, _, _ = self._around(place)
        return _first_line(self.texts, name, frame) is not None

    def is_shared(self, place: TextPlace, name: str) -> bool:
        """May another name or object hold what a name holds when the statement at a place runs?"""
        frame, loops, _ = self._around(place)
        last = max((loop.end[0] for loop in loops), default=place[0])
        first = _first_line(self.shared, name, frame)
        return (first is not None and first <= last) or _first_line(self.nonlocals, name, frame) is not None

    def _around(self, place: TextPlace) -> tuple[Extent, list[Extent], Extent | None]:
        """The innermost function, class or module around a place, the loops there around it, its simple statement."""
        loops: list[Extent] = []
        statement: Extent | None = None
        for extent in self._way_out(place):
            if isinstance(extent.node, FRAMES):
                return extent, loops, statement
            if isinstance(extent.node, LOOPS):
                loops.append(extent)
            else:
                statement = extent
        raise AssertionError("a module is around all places")

    def _way_out(self, place: TextPlace) -> Iterator[Extent]:
        """What holds a place, innermost first."""
        extent: Extent | None = self.extents[bisect_right(self._begins, place) - 1]
        while extent is not None:
            if extent.holds(place):
                yield extent
            extent = extent.outer

    def _readings_in(self, frame: Extent, name: str) -> NameReadings:
        found = self._readings.get((frame, name))
        if found is None:
            all_of_it = self.reads.get(name, [])
            first = bisect_left(all_of_it, frame.first, key=_number)
            reads = all_of_it[first : bisect_right(all_of_it, frame.last, key=_number)]
            kept = [read.place for read in reads if not read.is_stored_into]
            inside = [place for place in kept if self._is_inside(place, frame)]
            found = self._readings[(frame, name)] = NameReadings(sorted(kept), sorted(inside), bool(reads))
        return found

    def _is_inside(self, place: TextPlace, frame: Extent) -> bool:
        """Does a place stand in a function inside another one?"""
        return any(
            isinstance(extent.node, FUNCTIONS) and frame.first < extent.first <= frame.last
            for extent in self._way_out(place)
        )


def holders_of(tree: ast.Module) -> Holders:
    """Walk the tree of a file."""
    holders = Holders()
    whole = Extent(tree, 0, begin=(0, 0), end=(1 << 62, 0))
    holders.extents.append(whole)
    walk = _HolderWalk(holders)
    walk.below(tree)
    whole.last = walk.number
    holders.extents.sort(key=lambda one: (one.begin, (-one.end[0], -one.end[1])))
    holders._begins = [one.begin for one in holders.extents]
    for statements in holders.shared.values():
        statements.sort()  # the decorators of a function are walked after its body
    waiting: list[Extent] = []
    for extent in holders.extents:
        while waiting and not waiting[-1].holds(extent.begin):
            waiting.pop()
        extent.outer = waiting[-1] if waiting else None
        waiting.append(extent)
    return holders


def _number(read: NameRead) -> int:
    return read.number


def _first_line(noted: Noted, name: str, frame: Extent) -> int | None:
    """The line of the first statement in a function for which something was noted of a name."""
    statements = noted.get(name, [])
    found = bisect_left(statements, (frame.first + 1, 0))
    return statements[found][1] if found < len(statements) and statements[found][0] <= frame.last else None


@dataclass(slots=True)
class _HolderWalk:
    """The walk over a tree: the number of the last node, the extents that are open, and the statement around."""

    holders: Holders
    number: int = 0

    def below(self, top: ast.AST) -> None:
        """Take all nodes below one."""
        stored: set[ast.AST] = set()
        waiting: list[tuple[ast.AST, ast.stmt | None, int] | Extent] = [
            (child, None, 0) for child in reversed(children(top))
        ]
        while waiting:
            one = waiting.pop()
            if isinstance(one, Extent):
                one.last = self.number
                continue
            node, statement, number = one
            self.number += 1
            if isinstance(node, ast.stmt):
                statement, number = node, self.number
                self._statement(node)
            if isinstance(node, EXTENDED):
                waiting.append(self._extent(node))
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                read = NameRead(self.number, (node.lineno, node.col_offset), node in stored)
                self.holders.reads.setdefault(node.id, []).append(read)
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                stored.add(node.value)
            elif statement is not None and isinstance(node, (ast.Call, ast.NamedExpr)):
                self._note(self.holders.shared, _given_away(node, statement), number, statement.lineno)
            waiting += [(child, statement, number) for child in reversed(children(node))]

    def _extent(self, node: ast.expr | ast.stmt) -> Extent:
        end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
        extent = Extent(node, self.number, begin=(node.lineno, node.col_offset), end=end)
        self.holders.extents.append(extent)
        return extent

    def _statement(self, statement: ast.stmt) -> None:
        """Note what a statement shares by itself; the calls in it follow."""
        holders, line = self.holders, statement.lineno
        self._note(holders.shared, _taken(statement), self.number, line)
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            self._note(holders.shared, _parts(statement.value), self.number, line)
        if isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            if names and any(_is_text_in(node) for node in ast.walk(statement.value)):
                self._note(holders.texts, names, self.number, line)
        elif isinstance(statement, ast.Nonlocal):
            self._note(holders.nonlocals, statement.names, self.number, line)

    def _note(self, noted: Noted, names: Iterable[str], number: int, line: int) -> None:
        for name in names:
            noted.setdefault(name, []).append((number, line))


def _is_text_in(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", getattr(node.func, "attr", "")) in ("str", "repr", "format", "join")
    return isinstance(node, ast.JoinedStr)


def _rebinds(loop: ast.AST, name: str) -> bool:
    target = getattr(loop, "target", None)
    return target is not None and name in _names_in(target)


def _names_in(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _taken(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds to an object that something else holds."""
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        yield from _names_in(statement.target)
    elif isinstance(statement, ast.AnnAssign):
        if isinstance(statement.target, ast.Name) and statement.value is not None and not _is_fresh(statement.value):
            yield statement.target.id
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name) and (len(statement.targets) > 1 or not _is_fresh(statement.value)):
                yield target.id
            if isinstance(target, (ast.Tuple, ast.List)) and isinstance(statement.value, (ast.Tuple, ast.List)):
                for part, value in zip(target.elts, statement.value.elts):
                    if isinstance(part, ast.Name) and not _is_fresh(value):
                        yield part.id


def _is_fresh(value: ast.expr) -> bool:
    return isinstance(value, FRESH)


def _given_away(node: ast.Call | ast.NamedExpr, statement: ast.stmt) -> Iterator[str]:
    """The names of which an expression in a statement stores the objects somewhere else."""
    if isinstance(node, ast.NamedExpr):
        yield from _parts(node.value)
        if isinstance(node.target, ast.Name) and not isinstance(statement, (ast.Assign, ast.AnnAssign, *LOOPS[:2])):
            yield node.target.id
        return
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in KEEPING or called[:1].isupper():
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            yield from _parts(argument)


def _parts(value: ast.expr | None) -> Iterator[str]:
    """The names that are the whole of a value, or parts of the containers that it makes."""
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from _parts(part)
        case ast.Starred(value=inner) | ast.NamedExpr(value=inner):
            yield from _parts(inner)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _parts(body)
            yield from _parts(orelse)
        case ast.Name(id=name):
            yield name
