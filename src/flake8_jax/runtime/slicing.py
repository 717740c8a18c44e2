"""Slices a module for one of its functions.  Kept are the definitions that it reaches by name, and top-level statements
about them.

import equinox as eqx        left out: `doubled` does not lead to it
SCALE = 2.0                  kept
jax.config.update(...)       kept: it is about no definition of the module
def other(): ...             left out
def doubled(): ...           kept, with what it leads to: SCALE
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

NAMING = (ast.Name, ast.Tuple, ast.List, ast.Starred)
IMPORTS = (ast.Import, ast.ImportFrom)
DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def kept(tree: ast.Module, name: str) -> list[ast.stmt]:
    """The top-level statements of the slice for the function of this name. Those about no definition of the module are
    among them, such as `logger.setLevel(DEBUG)`: what they set may be found by other ways than by name."""
    own, binds, loose = _of_module(tuple(tree.body))
    wanted = reached(tree, {name, *(name for each in loose for name in names_in(each))})
    pairs = zip(tree.body, binds)
    return [each for each, names in pairs if names & wanted or each in loose or _is_kept(each, own & wanted)]


@lru_cache(maxsize=8)
def _of_module(statements: tuple[ast.stmt, ...]) -> tuple[set[str], list[set[str]], list[ast.stmt]]:
    """The names that a module binds, imports apart; those of each statement; statements about no definition of it."""
    edges, defined = _edges(statements), {each.name for each in statements if isinstance(each, DEFINES)}
    loose = [each for each in statements if _is_loose(each) and not _closure(edges, names_in(each)) & defined]
    binds = [set(bound_by(each)) for each in statements]
    own = {name for each, names in zip(statements, binds) if not isinstance(each, IMPORTS) for name in names}
    return own, binds, loose


def reached(tree: ast.Module, roots: Iterable[str]) -> frozenset[str]:
    """The top-level names reachable from some names. Edges are definitions, assignments, and what is done to a name
    elsewhere at top level (`f.defjvp(rule)`, `@f.defjvp def rule`, `TABLE["f"] = f`)."""
    return _closure(_edges(tuple(tree.body)), roots)


def _closure(edges: dict[str, list[set[str]]], roots: Iterable[str]) -> frozenset[str]:
    found, pending = set[str](), set(roots)
    while pending:
        found |= pending
        pending = {name for source in pending for names in edges.get(source, ()) for name in names} - found
    return frozenset(found)


@lru_cache(maxsize=8)
def _edges(statements: tuple[ast.stmt, ...]) -> dict[str, list[set[str]]]:
    """For each name, what the statements that bind it or act on it bind and use."""
    bound = {name for each in statements if not isinstance(each, IMPORTS) for name in bound_by(each)}
    edges: dict[str, list[set[str]]] = {}
    for each in statements:
        binds = set(bound_by(each))
        for name in binds | _acts_on(each, bound):
            edges.setdefault(name, []).append(binds | names_in(each))
    return edges


def _acts_on(statement: ast.stmt, bound: set[str]) -> set[str]:
    """The fixture's own names whose meaning a top-level statement changes."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            names = {name for decorator in statement.decorator_list for name in names_in(decorator)}
        case _:
            names = set() if only_binds(statement) else names_in(statement)
    return names & bound


def bound_by(statement: ast.stmt) -> list[str]:
    """The names that a top-level statement binds."""
    if isinstance(statement, DEFINES):
        return [statement.name]
    names = [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    names += [n.name for n in ast.walk(statement) if isinstance(n, DEFINES)]
    for node in ast.walk(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names += [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    return names


def only_binds(statement: ast.stmt) -> bool:
    """Is it an assignment to names, removable if nobody reads them?"""
    match statement:
        case ast.Assign(targets=targets):
            parts = [part for target in targets for part in ast.walk(target) if not isinstance(part, ast.expr_context)]
            names = {part.id for part in parts if isinstance(part, ast.Name)}
            return all(isinstance(part, NAMING) for part in parts) and names != {"_"}
        case ast.AnnAssign(target=ast.Name()):
            return True
    return False


def names_in(node: ast.AST) -> set[str]:
    """Every name in a piece of code, and in its quoted annotations."""
    names = set[str]()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            names.add(part.id)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            names.add(part.value)
    return names


def _is_loose(statement: ast.stmt) -> bool:
    """Does it run for what it does, not for a name that it binds?"""
    return not isinstance(statement, (*DEFINES, *IMPORTS)) and not only_binds(statement)


def _is_kept(statement: ast.stmt, wanted: set[str]) -> bool:
    """Is it kept for what it does?"""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return _is_loose(statement) and bool(names_in(statement) & wanted)
