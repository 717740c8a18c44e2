"""Where code is prepared for several releases: what stands there is for one of them, and says nothing of the others.

try:                                    the import may fail: all of the `try` is left alone
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map
if jax.__version_info__ >= (0, 4, 25):  it was asked which release this is, or what it has (`hasattr`)
    ...
NEW = hasattr(jax, "tree")              so was it where a name that says so is tested: `if NEW:`
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from flake8_jax.syntax.policies import VERSION_NAME

GuardPlace: TypeAlias = "tuple[int, int]"
Guarded: TypeAlias = "tuple[GuardPlace, GuardPlace]"

ASKING = frozenset(("hasattr", "getattr", "find_spec", "importorskip", "signature", "dir", "vars", "has_attr"))
TYPES = "TYPE_CHECKING"
EXPECTED = frozenset((
    "ImportError", "ModuleNotFoundError", "AttributeError", "TypeError", "Exception", "BaseException", "NameError",
    "DeprecationWarning",
))  # fmt: skip
EXPECTING = frozenset((
    "suppress", "raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex",
    "deprecated_call", "catch_warnings",
))  # fmt: skip


class Guards:
    """The stretches of a file where other releases are expected."""

    def __init__(self, tree: ast.Module) -> None:
        nodes = list(ast.walk(tree))
        self._flags = _flags(nodes)
        self.replaced = frozenset(_replaced(nodes))
        defers = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
        deferred = _deferred(nodes) if defers else ()
        found = sorted([*self._of_body(tree.body), *self._of_expressions(nodes), *deferred])
        self._starts: list[GuardPlace] = []
        self._ends: list[GuardPlace] = []
        for start, end in found:
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def hold(self, place: GuardPlace) -> bool:
        """Is a place, a line and a column in bytes, in one of the stretches?"""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]

    def _of_body(self, body: Sequence[ast.stmt]) -> Iterator[Guarded]:
        for number, node in enumerate(body):
            if self._ends_block(node) and number + 1 < len(body):
                yield _start(body[number + 1]), _end(body[-1])
            yield from self._of_statement(node)

    def _of_statement(self, node: ast.stmt) -> Iterator[Guarded]:
        match node:
            case ast.If(test=test) | ast.While(test=test) if self.asks(test):
                yield _start(node), _end(node)
                return
            case ast.Try() if any(_expects(handler) for handler in node.handlers):
                yield _start(node), _end(node)
                return
            case ast.With() | ast.AsyncWith() if any(_last(item.context_expr) in EXPECTING for item in node.items):
                yield _start(node), _end(node)
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if any(self.asks(decorator) for decorator in node.decorator_list):
                    yield _start(node), _end(node)
                    return
        for name, value in ast.iter_fields(node):
            if name in ("body", "orelse", "finalbody") and isinstance(value, list):
                yield from self._of_body(value)
            elif name == "handlers":
                for handler in value:
                    yield from self._of_body(handler.body)
            elif name == "cases":
                for case in value:
                    yield from self._of_body(case.body)

    def _of_expressions(self, nodes: Iterable[ast.AST]) -> Iterator[Guarded]:
        for one in nodes:
            is_asked = isinstance(one, ast.IfExp) and self.asks(one.test)
            if is_asked or (isinstance(one, ast.BoolOp) and any(map(self.asks, one.values))):
                yield _start(one), _end(one)

    def _ends_block(self, node: ast.stmt) -> bool:
        """Is what follows run under some releases alone?"""
        match node:
            case ast.If(test=test, body=[*_, ast.Return() | ast.Raise() | ast.Continue()]):
                return self.asks(test)
            case ast.Assert(test=test):
                return self.asks(test)
            case ast.Expr(value=ast.Call() as call):
                return _last(call) == "importorskip" or (_last(call) in ("skip", "skipTest") and self.asks(call))
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                return self.asks(value)
        return False

    def asks(self, test: ast.AST) -> bool:
        """Does an expression ask for a release, or for what one has?"""
        return any(_asks(one, self._flags) for one in ast.walk(test))


def _deferred(nodes: Iterable[ast.AST]) -> Iterator[Guarded]:
    """Annotations that nobody evaluates, those of parameters with their names."""
    for one in nodes:
        match one:
            case ast.arg(annotation=ast.AST()):
                yield _start(one), _end(one)
            case ast.AnnAssign(annotation=stated):
                yield _start(stated), _end(stated)
            case ast.FunctionDef(returns=ast.AST() as stated) | ast.AsyncFunctionDef(returns=ast.AST() as stated):
                yield _start(stated), _end(stated)


@lru_cache(maxsize=2)
def guards_of(tree: ast.Module) -> Guards:
    """The guards of a file, found once."""
    return Guards(tree)


def _asks(node: ast.AST, flags: Iterable[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name == TYPES or name in ASKING or name in flags or VERSION_NAME.search(name) is not None
        case ast.Attribute(attr=name):
            return name == TYPES or name in ASKING or VERSION_NAME.search(name) is not None
    return False


def _flags(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that say which release this is: bound to what asks for it, or in a `try` whose import may fail."""
    bound: list[tuple[str, ast.AST]] = []
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                names = (one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
                bound += [(one.id, value) for one in names]
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                bound.append((name, value))
            case ast.FunctionDef(name=name, body=[*_, ast.Return(value=value)]) if value is not None:
                bound.append((name, value))
            case ast.Try(handlers=handlers) if any(
                _expects(handler) for handler in handlers
            ) and any(isinstance(one, (ast.Import, ast.ImportFrom)) for one in node.body):
                for one in ast.walk(node):
                    if isinstance(one, ast.Assign) and isinstance(one.value, (ast.Constant, ast.Name)):
                        found |= {target.id for target in one.targets if isinstance(target, ast.Name)}
    parts = [(name, list(ast.walk(value))) for name, value in bound]
    found |= {name for name, inside in parts if any(_asks(one, ()) for one in inside)}
    read = [(name, {one.id for one in inside if isinstance(one, ast.Name)}) for name, inside in parts]
    for _ in range(3):  # one that is made of another one, and so on
        found |= {name for name, names in read if not names.isdisjoint(found)}
    return frozenset(found)


def _replaced(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The attributes that a file sets itself, which then are there: `jax.tree_map = jax.tree_util.tree_map`."""
    for node in nodes:
        match node:
            case ast.Assign(targets=targets):
                yield from (target.attr for target in targets if isinstance(target, ast.Attribute))
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), *_]):
                yield name


def _expects(handler: ast.ExceptHandler) -> bool:
    """Does a handler expect that something is missing, and go on?"""
    if handler.type is None:
        names = ["BaseException"]
    else:
        names = [_last(one) for one in ast.walk(handler.type) if isinstance(one, (ast.Name, ast.Attribute))]
    is_raised = any(isinstance(one, ast.Raise) and one.exc is None for one in handler.body)
    return not is_raised and not EXPECTED.isdisjoint(names)


def _last(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _start(node: ast.AST) -> GuardPlace:
    decorators = getattr(node, "decorator_list", None)
    first: ast.expr = decorators[0] if decorators else node  # type: ignore[assignment]  # or a statement
    return first.lineno, first.col_offset


def _end(node: ast.AST) -> GuardPlace:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]  # as above
