"""Names of libraries in new code, as the file has imported them or with an import that is added.

import jax.numpy as jnp         jax.numpy.stack  ->  jnp.stack
                                math.prod        ->  math.prod, with `import math` among the imports
"""

from __future__ import annotations

import ast
import builtins
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from flake8_jax.ir.rewrite import LibraryName
from flake8_jax.model.diagnostic import Edit, Span
from flake8_jax.syntax.loaded import import_of
from flake8_jax.syntax.source import SourceFile

ALIASES = {"jax.numpy": "jnp", "numpy": "np"}
"""What modules are called, where nothing else is called so."""

FROM = {"functools.partial": "partial"}
"""What is imported by its own name."""


def spelled(names: Iterable[LibraryName], source: SourceFile) -> tuple[dict[str, str], tuple[Edit, ...]] | None:
    """How to write each name, by its text in messages, and the imports to add; None if a name is taken."""
    found: dict[str, str] = {}
    added: dict[str, None] = {}
    for name in names:
        text, statement = _reached(name, source)
        if not text:
            return None
        found[name.text] = text
        if statement:
            added[statement] = None
    edits = tuple(insertion(statement, source) for statement in added)
    return found, edits


def _reached(name: LibraryName, source: SourceFile) -> tuple[str, str]:
    """How to write a name, and the import that it needs; both empty if the name is taken."""
    first = name.text.partition(".")[0]
    binding = name.scope.lookup(first) if name.scope is not None else None
    if binding is not None and binding.owner is not None:
        is_reached = binding.imported is not None and first not in _for_types_only(source.tree)
        return (name.text, _loading(name, source)) if is_reached else ("", "")
    if name.text != name.dotted or (binding is None and "." not in name.dotted):
        return "", ""
    if hasattr(builtins, name.dotted):
        return name.text, ""
    module, _, last = name.dotted.rpartition(".")
    taken = _bound(source.tree)
    if name.dotted in FROM and last not in taken:
        return last, f"from {module} import {last}"
    for known, alias in ALIASES.items():
        if f"{name.dotted}.".startswith(f"{known}.") and alias not in taken:
            return alias + name.dotted[len(known) :], f"import {known} as {alias}"
    return (name.text, f"import {first}") if first not in taken else ("", "")


def _loading(name: LibraryName, source: SourceFile) -> str:
    """The import without which `jax.extend.core.Var` is no attribute of `jax`; "" where none is needed."""
    return import_of(name.dotted.rpartition(".")[0], source) if name.text == name.dotted else ""


@lru_cache(maxsize=1)
def _bound(tree: ast.Module) -> frozenset[str]:
    """All names that stand anywhere in a file; each fix of the file asks for them."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        else:
            names.update(_aliases(node))
    return frozenset(names)


def _aliases(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


@lru_cache(maxsize=1)
def _for_types_only(tree: ast.Module) -> frozenset[str]:
    """The names that are imported where only checkers of types look."""
    blocks = [node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    parts = (node for block in blocks for part in block.body for node in ast.walk(part))
    return frozenset(alias for node in parts for alias in _aliases(node))


def insertion(statement: str, source: SourceFile) -> Edit:
    """The edit that adds an import: in order among those of its kind, else before or behind the others."""
    form, module, *_ = statement.split()
    largest, kind = _by_kind(source).get((form, _is_standard(module)), ([], []))
    place = bisect_right(largest, module)
    if place < len(kind):
        return _before(kind[place].lineno, statement)
    if kind:
        return _before((kind[-1].end_lineno or kind[-1].lineno) + 1, statement)
    head = _head(source)
    imports = [one for one in head if isinstance(one, (ast.Import, ast.ImportFrom)) and _module(one) != "__future__"]
    if not imports:
        first = 1 if source.cells is None else source.cells.first_line
        line = (head[-1].end_lineno or 0) + 1 if head else first
        return _before(line, f"\n{statement}" if head else statement)
    if _is_standard(module):
        is_apart = not _is_standard(_module(imports[0]))
        return _before(imports[0].lineno, f"{statement}\n" if is_apart else statement)
    return _before((imports[-1].end_lineno or imports[-1].lineno) + 1, statement)


@lru_cache(maxsize=1)
def _by_kind(source: SourceFile) -> dict[tuple[str, bool], tuple[list[str], list[ast.stmt]]]:
    """The imports that a file begins with, by their form and whether they are of the standard library, each with the
    largest name of a module down to it.
    """
    kinds: dict[tuple[str, bool], list[ast.stmt]] = {}
    for one in _head(source):
        if isinstance(one, (ast.Import, ast.ImportFrom)):
            form = "import" if isinstance(one, ast.Import) else "from"
            kinds.setdefault((form, _is_standard(_module(one))), []).append(one)
    return {kind: ([*accumulate(map(_module, several), max)], several) for kind, several in kinds.items()}


def _before(line: int, statement: str) -> Edit:
    return Edit(Span(line, 0, line, 0), f"{statement}\n")


def _head(source: SourceFile) -> list[ast.stmt]:
    """The docstring and the imports that a file begins with; in a notebook, magics may stand between them."""
    head: list[ast.stmt] = []
    body, cells = source.tree.body, source.cells
    if cells is not None:
        body = [one for one in body if cells.is_in_cell(one.lineno) and not isinstance(one, ast.Pass)]
    for statement in body:
        is_docstring = not head and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        head.append(statement)
    return head


def _module(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Import):
        return statement.names[0].name
    return f"{'.' * statement.level}{statement.module or ''}" if isinstance(statement, ast.ImportFrom) else ""


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names
