"""Imports of a name that has moved, changed as isort would have them.

from jax.experimental.maps import Mesh, xmap    `Mesh` is taken out of it, and put in order among the names of
from jax.sharding import NamedSharding          `from jax.sharding import Mesh, NamedSharding`, else into a new line
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from flake8_jax.fixes.imports import insertion
from flake8_jax.ir.rewrite import ChangedImport
from flake8_jax.model.diagnostic import Edit, Span
from flake8_jax.syntax.positions import unpacked
from flake8_jax.syntax.source import SourceFile


def edits_of_import(change: ChangedImport, source: SourceFile) -> list[Edit] | None:
    """The edits that make a change of an import; None where comments would be lost, or it binds another name."""
    line, column, _, _ = unpacked(change.op.place)
    found = _imports(source.tree).get((line, column))
    return _edits(found[0], found[1], change.now, found[2], source) if found is not None else None


ImportedName: TypeAlias = "tuple[ast.Import | ast.ImportFrom, ast.alias, Sequence[ast.stmt]]"
"""An import, a name in it, and the body in which it stands."""


@lru_cache(maxsize=1)
def _imports(tree: ast.Module) -> dict[tuple[int, int], ImportedName]:
    """The names that a file imports by their places; each fix of the file asks for one."""
    found: dict[tuple[int, int], ImportedName] = {}
    for body in _bodies(tree):
        for statement in body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                for alias in statement.names:
                    found.setdefault((alias.lineno, alias.col_offset), (statement, alias, body))
    return found


def _bodies(tree: ast.Module) -> Iterator[Sequence[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            found = getattr(node, name, None)
            if isinstance(found, list):
                yield found


def _edits(
    statement: ast.Import | ast.ImportFrom, alias: ast.alias, now: str, body: Sequence[ast.stmt], source: SourceFile
) -> list[Edit] | None:  # fmt: skip
    if isinstance(statement, ast.Import):
        return [Edit(_span(alias, source), f"{now} as {alias.asname}")] if alias.asname else None
    module, _, last = now.rpartition(".")
    bound = alias.asname or alias.name
    wanted = last if last == bound else f"{last} as {bound}"
    alike = _imports_from(source.tree).get((id(body), module), [])
    other = next((one for one in alike if one is not statement), None)
    if other is not None and any(one.name == "*" for one in other.names):
        other = None
    if any(_spelled(name) == wanted for name in (other.names if other is not None else ())):
        added = []
    elif other is not None:
        added = [_added(wanted, other, source)]
    elif body is source.tree.body:
        added = [insertion(f"from {module} import {wanted}", source)]
    else:
        indent = " " * statement.col_offset
        if len(statement.names) == 1:
            return [Edit(_span(statement, source), f"from {module} import {wanted}")]
        start = Span(statement.lineno, 0, statement.lineno, 0)
        added = [Edit(start, f"{indent}from {module} import {wanted}\n")]
    removed = _removed(statement, alias, body, source)
    return [*added, removed] if removed is not None else None


@lru_cache(maxsize=1)
def _imports_from(tree: ast.Module) -> dict[tuple[int, str | None], list[ast.ImportFrom]]:
    """The imports of names of a module, by the body of the file in which they stand."""
    found: dict[tuple[int, str | None], list[ast.ImportFrom]] = {}
    for body in _bodies(tree):
        for one in body:
            if isinstance(one, ast.ImportFrom) and not one.level:
                found.setdefault((id(body), one.module), []).append(one)
    return found


def _added(wanted: str, other: ast.ImportFrom, source: SourceFile) -> Edit:
    """A name put in order among those of an import."""
    behind = next((alias for alias in other.names if _order(wanted) < _order(_spelled(alias))), None)
    last = other.names[-1]
    is_spread = any(one.lineno != two.lineno for one, two in pairwise(other.names))
    if behind is not None:
        start = _span(behind, source)
        gap = f",\n{' ' * behind.col_offset}" if is_spread else ", "
        return Edit(Span(start.line, start.column, start.line, start.column), f"{wanted}{gap}")
    end = _span(last, source)
    gap = f",\n{' ' * last.col_offset}" if is_spread else ", "
    return Edit(Span(end.end_line, end.end_column, end.end_line, end.end_column), f"{gap}{wanted}")


def _removed(
    statement: ast.ImportFrom, alias: ast.alias, body: Sequence[ast.stmt], source: SourceFile
) -> Edit | None:  # fmt: skip
    """A name taken out of an import, and the import with its last one."""
    first, end = statement.lineno, statement.end_lineno or statement.lineno
    lines = source.lines[first - 1 : end]
    if len(statement.names) == 1:
        place = body.index(statement)
        near = body[max(place - 1, 0) : place + 2]
        is_alone = sum(one.lineno <= end and (one.end_lineno or one.lineno) >= first for one in near) == 1
        if any("#" in line for line in lines) or not is_alone:
            return None
        return Edit(Span(first, 0, end + 1, 0), "")
    place = statement.names.index(alias)
    mine = _span(alias, source)
    if "#" in source.lines[mine.line - 1]:
        return None
    if place + 1 < len(statement.names):
        behind = _span(statement.names[place + 1], source)
        return Edit(Span(mine.line, mine.column, behind.line, behind.column), "")
    before = _span(statement.names[place - 1], source)
    return Edit(Span(before.end_line, before.end_column, mine.end_line, mine.end_column), "")


def _order(name: str) -> tuple[int, str]:
    """Constants, classes, then functions, each by name."""
    first = name.partition(" ")[0]
    return (0 if first.isupper() and len(first) > 1 else 1 if first[:1].isupper() else 2), first.lower()


def _spelled(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def _span(node: ast.stmt | ast.alias, source: SourceFile) -> Span:
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Span(node.lineno, _column(node.lineno, node.col_offset, source), end_line, _column(end_line, end, source))


def _column(line: int, column: int, source: SourceFile) -> int:
    """A column in bytes, in characters."""
    return len(source.lines[line - 1].encode()[:column].decode(errors="ignore"))
