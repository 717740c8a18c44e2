"""Which files of a project lead to JAX: those that name it, and those whose imports get something of such a file.

    pkg/__init__.py                          plots.py
        from pkg.grid import cells               from pkg import cells      leads where pkg/grid.py does
        from pkg.train import fit                from pkg import fit        leads where pkg/train.py does
                                                 import pkg                 leads where one of them does

A package that hands on what its modules define gives to each who asks for a name that alone.  So it is asked by name:
one that a package binds by imports leads where these do, even if the package names JAX elsewhere, and one that it does
not bind is a module of it.  All else takes the whole file: a name that is defined in a package or in a module, a star,
a module.  So does each name of a package that cannot be parsed, that finds names by `__getattr__`, or whose statements
may put something into its modules.

What a file gets is what it can call, hand on or store.  That Python runs all of a package when one of its names is
imported gives the importer nothing more.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.syntax.index import Import, Index
from flake8_jax.syntax.source import names_jax

if TYPE_CHECKING:
    from flake8_jax.syntax.project import Project

PACKAGE = "__init__.py"

Source: TypeAlias = "tuple[str, str]"
"""A file and the name that is taken of it; the name is empty for all of the file."""

QUOTES = ('"', "'", 'r"', "r'", 'R"', "R'")
"""How a text begins that stands alone."""


def leading_to_jax(project: Project, seeds: Iterable[str], importers: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The files that lead to JAX, where the seeds do for certain."""
    certain = frozenset(seeds)
    importing = _importing(certain, importers)
    packages = (path for path in importing if os.path.basename(path) == PACKAGE)
    asked = frozenset(path for path in packages if path not in certain or project.names_jax(path))
    takers = _takers(project, importing - certain, asked)
    waiting = [(path, "") for path in certain]
    leading = set(waiting)
    while waiting:
        found = [taker for taker in takers.get(waiting.pop(), ()) if taker not in leading]
        leading.update(found)
        waiting += found
    return {path for path, name in leading if not name}


def _importing(paths: Iterable[str], importers: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Files, and those that import them, through however many others, whatever they take."""
    waiting = [*paths]
    found = set(waiting)
    while waiting:
        new = [path for path in importers.get(waiting.pop(), ()) if path not in found]
        found.update(new)
        waiting += new
    return found


def _takers(project: Project, files: Iterable[str], asked: frozenset[str]) -> dict[Source, list[Source]]:
    """Who takes something, by what is taken: some files, and the names of packages that are asked by name."""
    found: dict[Source, list[Source]] = {}
    patching: dict[str, bool] = {}
    waiting: list[tuple[Source, Iterator[Source]]] = [
        ((path, ""), _taken(project, path, project.imports(path))) for path in files
    ]
    seen: set[Source] = set()
    while waiting:
        taker, sources = waiting.pop()
        for path, name in sources:
            source = (path, name if path in asked else "")
            found.setdefault(source, []).append(taker)
            if source[1] and source not in seen:
                seen.add(source)
                waiting.append((source, _handed_on(project, path, name, patching)))
    return found


def _taken(project: Project, path: str, imports: Iterable[Import]) -> Iterator[Source]:
    """What some imports of a file take."""
    for one in imports:
        name = one.name if one.name is not None and one.name != "*" else ""
        for number, reached in enumerate(project.reached(path, one)):
            yield reached, name if number == 0 else ""


def _handed_on(project: Project, path: str, name: str, patching: dict[str, bool]) -> Iterator[Source]:
    """What somebody gets who takes a name of a package, beside a module of that name.

    `patching` keeps which packages may put something into a module.
    """
    index = project.index(path)
    if index is not None and path not in patching:
        patching[path] = _may_patch(project, index)
    imports = imported_as(index, name) if index is not None and not patching[path] else None
    if index is None or imports is None:
        yield path, ""
        return
    starred = [one for level, module in index.stars if _may_bind(project, path, one := Import(level, module, name))]
    if not imports and not starred and project.submodule(path, name) is None:
        yield path, ""
    for one in (*imports, *starred):
        if project.find(path, one.level, one.dotted) == "ambiguous" or names_jax(one.dotted):
            yield path, ""
    yield from _taken(project, path, (*imports, *starred))


def _may_bind(project: Project, path: str, one: Import) -> bool:
    """May the module of a star import bind the name of another?"""
    module = next(project.reached(path, one), None)
    index = project.index(module) if module is not None else None
    return index is None or bool(index.stars) or one.name in index.names


def imported_as(index: Index, name: str) -> list[Import] | None:
    """The imports by which alone, and by stars, a file binds a name; None if it may bind it in another way."""
    if name not in index.names and "__getattr__" in index.names:
        return None
    found = []
    for number in index.names.get(name, ()):
        if index.statements[number].kind != "import":
            return None
        for level, module, taken, new in index.statements[number].imports:
            if new == name or (new is None and taken.partition(".")[0] == name):
                found.append(Import(level, module, taken) if module or level else Import(0, taken, None))
    return found


def handed_on(project: Project, path: str) -> tuple[Hashable, ...] | None:
    """What others get of a file by name: the imports by which alone it binds its names, and whether it may patch."""
    index = project.index(path)
    if index is None:
        return None
    rows = []
    for name in sorted(index.names):
        imports = imported_as(index, name)
        rows.append((name, imports is None, *((one.level, one.module, one.name) for one in imports or ())))
    return _may_patch(project, index), *rows


def _may_patch(project: Project, index: Index) -> bool:
    """May a statement at the top of a file put something into a module, as `grid.cells = fit` does?"""
    lines: list[str] | None = None
    for statement in index.statements:
        if statement.kind == "other" and not statement.binds:
            lines = lines if lines is not None else (project.text(index.path) or "").splitlines()
            if not lines[statement.line - 1].startswith(QUOTES):
                return True
    return False
