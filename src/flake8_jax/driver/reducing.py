"""The smallest program that still has a finding, for whoever reports a false alarm and may not show the whole file.

A program is made smaller step by step, and a step is kept if the linter still says the same of it: the same code, and
the same first words where names are left out.  This is delta debugging (Zeller and Hildebrandt, "Simplifying and
isolating failure-inducing input", 2002) on the syntax tree, the large pieces first:

    statements go              chunks of each block, half of them, a quarter ...; an empty block holds `pass`
    statements are unwrapped   what an `if`, `with`, loop or `try` holds stands in its place
    expressions shrink         an expression becomes one of its own parts; decorators, annotations, arguments go
    names are replaced         by `a`, `b`, `c`, ...; texts by empty ones

It ends when no step is left, or after `MOST_TRIED` lines were judged: what is printed is right, only larger.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import keyword
import string
import symtable
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from flake8_jax.driver.linter import lint
from flake8_jax.driver.selection import STDIN
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.source import SourceFile

MOST_TRIED = 400_000
"""So many lines are judged in all."""
NAMES = compiled(r"`[^`]*`|\d+")
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
OWN = frozenset(dir(builtins)) | frozenset(keyword.kwlist)


@dataclass(frozen=True, slots=True)
class Reduced:
    """A small program, what is said of it, and whether that needs the other files of its project."""

    text: str
    finding: Diagnostic
    needs_project: bool


def reduced(source: SourceFile, finding: Diagnostic, config: Config) -> Reduced:
    """The smallest program found that still has a finding of a file.

    Raises `SyntaxError` for a file that is no Python of the interpreter that runs.
    """
    tree = ast.parse(source.text)
    alone = _Reducer(tree, finding, STDIN, config)
    needs_project = alone.finding() is None
    one = _Reducer(tree, finding, source.path, config) if needs_project else alone
    text = one.reduce()
    return Reduced(text, one.finding() or finding, needs_project)


class _Reducer:
    """Steps from a tree to a smaller one, and the judge of each; the tree is changed."""

    def __init__(self, tree: ast.Module, finding: Diagnostic, path: str, config: Config) -> None:
        self._tree, self._said, self._path = tree, _words(finding), path
        self._config = replace(config, no_store=True, enable=(finding.code,), tests=True, disable_noqa=True)
        self._place = _statement_at(tree, finding.span.line)
        self._unbound = _unbound(ast.unparse(tree))
        self._failed: set[str] = set()
        self._tried = 0

    def finding(self) -> Diagnostic | None:
        """The finding in the tree, if it has it, at the statement where it was; raises `SyntaxError`."""
        text = ast.unparse(ast.fix_missing_locations(self._tree))
        self._tried += text.count("\n") + 1
        number = next((at for at, node in enumerate(ast.walk(self._tree)) if node is self._place), None)
        place = next(itertools.islice(ast.walk(ast.parse(text)), number, None), None) if number is not None else None
        if type(place) is not type(self._place) or not isinstance(place, ast.stmt):
            return None
        lines = range(place.lineno, (place.end_lineno or place.lineno) + 1)
        report = lint(SourceFile(self._path, text), self._config)
        return next(
            (
                diagnostic
                for diagnostic in report.diagnostics
                if _words(diagnostic) == self._said and diagnostic.span.line in lines
            ),
            None,
        )

    def reduce(self) -> str:
        """The text of the smallest tree."""
        tree = self._tree
        if not self._holds():
            return ast.unparse(tree) + "\n"
        for steps in (_unwrapped, _shorter):
            before = None
            while before != (before := ast.dump(tree)):
                self._drop_statements()
                self._each(_unwrapped)
                self._each(steps)
        self._rename()
        return ast.unparse(tree) + "\n"

    def _holds(self) -> bool:
        """Does the tree still have the finding, and bind all names that it did?  No, once enough was tried."""
        if self._tried > MOST_TRIED:
            return False
        text = ast.unparse(ast.fix_missing_locations(self._tree))
        if text in self._failed:
            return False
        try:
            holds = _unbound(text) <= self._unbound and self.finding() is not None
        except (SyntaxError, ValueError):
            holds = False
        if not holds:
            self._failed.add(text)
        return holds

    def _drop_statements(self) -> None:
        blocks = [self._tree.body]
        for block in blocks:  # grows meanwhile: the outer blocks come first
            self._drop_from(block)
            blocks += [inner for one in block for inner in _blocks(one)]

    def _drop_from(self, block: list[ast.stmt]) -> None:
        """Drop from a block what is not needed, in chunks of ever smaller size, the last first."""
        size = len(block)
        while size:
            for start in range((len(block) - 1) // size * size, -1, -size):
                kept = block[:]
                rest = block[:start] + block[start + size :]
                if (
                    [type(statement) for statement in rest or [ast.Pass()]]
                    == [type(statement) for statement in kept]
                    == [ast.Pass]
                ):
                    continue
                block[:] = rest or [ast.Pass()]
                if not self._holds():
                    block[:] = kept
            size //= 2

    def _each(self, steps: Callable[[ast.Module], Iterator[Reduction]]) -> None:
        """Try steps, one at a time; after one that holds the next are those of the tree that it made."""
        number = 0
        while self._tried <= MOST_TRIED:
            step = next(itertools.islice(steps(self._tree), number, None), None)
            if step is None:
                return
            undo = step()
            if not self._holds():
                undo()
                number += 1

    def _rename(self) -> None:
        """Replace the names that the program itself binds, and texts: all at once, else one by one."""
        found = dict.fromkeys(_bound(self._tree))
        taken = {name for node in ast.walk(self._tree) for name in _names_of(node)} - set(found)
        fresh = (name for name in _fresh() if name not in taken and name not in OWN)
        names = dict(zip(found, fresh, strict=False))
        if not self._renamed(names):
            for old, new in names.items():
                self._renamed({old: new})
        self._each(_without_text)

    def _renamed(self, names: dict[str, str]) -> bool:
        undo = {new: old for old, new in names.items()}
        _replace_names(self._tree, names)
        if self._holds():
            return True
        _replace_names(self._tree, undo)
        return False


def _statement_at(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement on a line."""
    found = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            found = node  # inner statements are walked after those around them
    return found


Undo: TypeAlias = Callable[[], None]
Reduction: TypeAlias = Callable[[], Undo]
"""It changes a tree, and gives what takes that back."""


def _words(finding: Diagnostic) -> tuple[str, str]:
    """What makes two findings the same: the code, and the first words without what names and numbers say."""
    return finding.code, NAMES.sub("", finding.message.partition(": ")[0].partition("; ")[0])


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement."""
    for name in BLOCKS:
        held = getattr(node, name, None)
        if isinstance(held, list) and held and isinstance(held[0], ast.stmt):
            yield held
        elif isinstance(held, list):
            for part in held:
                yield from _blocks(part)


def _unwrapped(tree: ast.Module) -> Iterator[Reduction]:
    """What a compound statement holds stands in its place."""
    for node in ast.walk(tree):
        for block in _blocks(node):
            for index, one in enumerate(block):
                if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    for inner in _blocks(one):
                        yield _spliced(block, index, inner)


def _spliced(block: list[ast.stmt], index: int, inner: list[ast.stmt]) -> Reduction:
    def step() -> Undo:
        kept = block[:]
        block[index : index + 1] = inner
        return lambda: block.__setitem__(slice(None), kept)

    return step


def _shorter(tree: ast.Module) -> Iterator[Reduction]:
    """An expression becomes a part of itself; a list of parts loses one."""
    for node in ast.walk(tree):
        for name, held in ast.iter_fields(node):
            if isinstance(held, ast.expr):
                if name in ("returns", "annotation") and not isinstance(node, ast.AnnAssign):
                    yield _set(node, name, None)
                yield from (_set(node, name, part) for part in _parts(held))
            elif isinstance(held, list) and not (held and isinstance(held[0], ast.stmt)):
                for index, one in enumerate(held):
                    if name != "args" or not isinstance(node, ast.Call):
                        yield _set(node, name, held[:index] + held[index + 1 :])
                    if isinstance(one, ast.expr):
                        yield from (_set(node, name, [*held[:index], part, *held[index + 1 :]]) for part in _parts(one))


def _parts(expression: ast.expr) -> Iterator[ast.expr]:
    """What may stand in place of an expression: its parts, but for the function of a call."""
    called = expression.func if isinstance(expression, ast.Call) else None
    for part in ast.iter_child_nodes(expression):
        if isinstance(part, ast.expr) and part is not called and not isinstance(expression, ast.Attribute):
            yield part
        elif isinstance(part, ast.keyword):
            yield part.value


def _without_text(tree: ast.Module) -> Iterator[Reduction]:
    """A text becomes an empty one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            yield _set(node, "value", "")


def _set(node: ast.AST, name: str, value: object) -> Reduction:
    def step() -> Undo:
        kept = getattr(node, name)
        setattr(node, name, value)
        return lambda: setattr(node, name, kept)

    return step


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a program binds, but for what it imports under its own name, and what Python itself calls."""
    imported = {alias.name.partition(".")[0] for node in ast.walk(tree) for alias in getattr(node, "names", ())
                if isinstance(alias, ast.alias) and alias.asname is None}  # fmt: skip
    for node in ast.walk(tree):
        names: Iterable[str | None] = ()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names = (node.name,)
            case ast.arg():
                names = (node.arg,)
            case ast.Name(ctx=ast.Store()):
                names = (node.id,)
            case ast.Attribute(ctx=ast.Store()):
                names = (node.attr,)
        yield from (
            name for name in names if name and name not in imported | OWN and not name.startswith("__") and name != "_"
        )


def _unbound(text: str) -> frozenset[str]:
    """The names that a program reads and binds nowhere; raises `SyntaxError`."""
    top = symtable.symtable(text, "<reduced>", "exec")
    tables = [top]
    for table in tables:
        tables += table.get_children()
    read = {
        name.get_name() for table in tables for name in table.get_symbols()
        if name.is_referenced() and (table is top or name.is_global())
    }  # fmt: skip
    bound = {name.get_name() for name in top.get_symbols() if name.is_assigned() or name.is_imported()}
    return frozenset(read - bound - OWN)


def _names_of(node: ast.AST) -> Iterator[str]:
    for field in ("id", "arg", "name", "attr", "asname", "rest"):
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names


def _replace_names(tree: ast.Module, names: dict[str, str]) -> None:
    for node in ast.walk(tree):
        for field in ("id", "arg", "attr", "asname", "rest", *(("name",) if not isinstance(node, ast.alias) else ())):
            name = getattr(node, field, None)
            if isinstance(name, str) and name in names:
                setattr(node, field, names[name])
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [names.get(name, name) for name in node.names]


def _fresh() -> Iterator[str]:
    """`a`, `b`, ..., `z`, `aa`, `ab`, ..."""
    for size in itertools.count(1):
        yield from map("".join, itertools.product(string.ascii_lowercase, repeat=size))
