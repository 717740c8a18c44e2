"""Who else holds the object of a local name, and who reads the name later.

y = x               both names hold the array: a new one, bound to `x`, would not be seen as `y`
x[0] = 1.0
return x            `x` is read later
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
KEEPING = frozenset(("add", "append", "appendleft", "extend", "insert", "put", "setdefault", "update"))
"""Methods that keep what they are given."""

FRESH = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.List, ast.ListComp)
"""Expressions whose values nobody else holds."""


def is_read_later(tree: ast.Module, line: int, column: int, name: str) -> bool:
    """Is a name read after the statement at a place, or in the next iteration?  Those of a module always may be."""
    frame, loops = _around(tree, line, column)
    if isinstance(frame, (ast.Module, ast.ClassDef)):
        return True
    inner = [node for node in ast.walk(frame) if isinstance(node, FUNCTIONS) and node is not frame]
    again = [*inner, *(loop for loop in loops if not _rebinds(loop, name))]
    stored = _stored_into(frame, name)
    for node in ast.walk(frame):
        if not isinstance(node, ast.Name) or node.id != name or not isinstance(node.ctx, ast.Load) or node in stored:
            continue
        is_later = (node.lineno, node.col_offset) > (line, column)
        is_again = any(_holds(one, node.lineno, node.col_offset) for one in again)
        if (is_later or is_again) and not _is_same(frame, node, line, column):
            return True
    return False


def is_name_read(tree: ast.Module, line: int, column: int, name: str) -> bool:
    """Is a name read anywhere in the function around a place?  Those of a module may be read by others."""
    frame, _ = _around(tree, line, column)
    nodes = (node for node in ast.walk(frame) if isinstance(node, ast.Name) and node.id == name)
    is_public = isinstance(frame, (ast.Module, ast.ClassDef)) and not name.startswith("_")
    return is_public or any(isinstance(node.ctx, ast.Load) for node in nodes)


def is_text(tree: ast.Module, line: int, column: int, name: str) -> bool:
    """Does a statement of the function around a place bind a name to what is certainly a text?"""
    frame, _ = _around(tree, line, column)
    return any(
        isinstance(statement, ast.Assign) and any(_is(target, name) for target in statement.targets)
        and any(_is_text_in(node) for node in ast.walk(statement.value))
        for statement in _statements(frame)
    )  # fmt: skip


def _is_text_in(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", getattr(node.func, "attr", "")) in ("str", "repr", "format", "join")
    return isinstance(node, ast.JoinedStr)


def is_shared(tree: ast.Module, line: int, column: int, name: str) -> bool:
    """May another name or object hold what a name holds when the statement at a place runs?"""
    frame, loops = _around(tree, line, column)
    for statement in _statements(frame):
        is_before = statement.lineno <= line or any(_holds(loop, statement.lineno, 0) for loop in loops)
        if is_before and (_takes(statement, name) or _hands_on(statement, name)):
            return True
    return any(name in node.names for node in ast.walk(frame) if isinstance(node, ast.Nonlocal))


def _around(tree: ast.Module, line: int, column: int) -> tuple[ast.AST, list[ast.AST]]:
    """The innermost function, class or module around a place, and the loops there around it."""
    frame: ast.AST = tree
    loops: list[ast.AST] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if not _holds(child, line, column):
                continue
            if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
                frame, loops = child, []
            elif isinstance(child, (ast.For, ast.AsyncFor, ast.While)):
                loops.append(child)
            waiting.append(child)
    return frame, loops


def _holds(node: ast.AST, line: int, column: int) -> bool:
    begin, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if begin is None or end is None:
        return any(_holds(child, line, column) for child in ast.iter_child_nodes(node))
    first, last = (begin, getattr(node, "col_offset", 0)), (end, getattr(node, "end_col_offset", 0))
    return bool(first <= (line, column) <= last) or (column == 0 and begin < line <= end)


def _is_same(frame: ast.AST, node: ast.Name, line: int, column: int) -> bool:
    """Does a name stand in the simple statement at a place?"""
    return any(
        _holds(one, line, column) and _holds(one, node.lineno, node.col_offset)
        for one in ast.walk(frame)
        if isinstance(one, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.Expr))
    )


def _rebinds(loop: ast.AST, name: str) -> bool:
    target = getattr(loop, "target", None)
    return target is not None and any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(target))


def _stored_into(frame: ast.AST, name: str) -> set[ast.AST]:
    """The readings of a name that only store into its items."""
    found: set[ast.AST] = set()
    for node in ast.walk(frame):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            found |= {node.value} if node.value.id == name else set()
    return found


def _statements(frame: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(frame):
        if isinstance(node, ast.stmt) and node is not frame:
            yield node


def _takes(statement: ast.stmt, name: str) -> bool:
    """Does a statement bind a name to an object that something else holds?"""
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return _rebinds(statement, name)
    if isinstance(statement, ast.AnnAssign):
        return _is(statement.target, name) and statement.value is not None and not isinstance(statement.value, FRESH)
    if not isinstance(statement, ast.Assign):
        return any(isinstance(node, ast.NamedExpr) and _is(node.target, name) for node in _own(statement))
    for target in statement.targets:
        if _is(target, name) and (len(statement.targets) > 1 or not isinstance(statement.value, FRESH)):
            return True
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(statement.value, (ast.Tuple, ast.List)):
            pairs = zip(target.elts, statement.value.elts)
            if any(_is(part, name) and not isinstance(value, FRESH) for part, value in pairs):
                return True
    return False


def _hands_on(statement: ast.stmt, name: str) -> bool:
    """Does a statement store the object of a name somewhere else?"""
    value = getattr(statement, "value", None) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    if value is not None and _is_part(value, name):
        return True
    for node in _own(statement):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            keeps = called in KEEPING or called[:1].isupper()
            if keeps and any(_is_part(one, name) for one in (*node.args, *(k.value for k in node.keywords))):
                return True
        elif isinstance(node, ast.NamedExpr) and _is_part(node.value, name):
            return True
    return False


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without those of the statements in it."""
    waiting = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_part(value: ast.AST, name: str) -> bool:
    """Is a name the whole of a value, or a part of the containers that it makes?"""
    if isinstance(value, (ast.Tuple, ast.List, ast.Set)):
        return any(_is_part(part, name) for part in value.elts)
    if isinstance(value, ast.Dict):
        return any(_is_part(part, name) for part in value.values)
    if isinstance(value, (ast.Starred, ast.NamedExpr)):
        return _is_part(value.value, name)
    if isinstance(value, ast.IfExp):
        return _is_part(value.body, name) or _is_part(value.orelse, name)
    return _is(value, name)
