"""Syntax tree rewriting for recipes: a rewritten fixture reports what happens, on the lines of the file.

    x.at[0].set(1.0)        becomes        __watch__(2, x.at[0].set(1.0))

A recipe gives the module the function that it names.  Annotations are left as they are: they are no code that runs,
and flax and jaxtyping read their text.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

Node = TypeVar("Node", bound=ast.AST)
# What takes the place of a node: a node, or some statements.
Replacement: TypeAlias = "ast.AST | Sequence[ast.AST]"
NodeRule: TypeAlias = Callable[[ast.AST], Replacement]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SCOPES = (*FUNCTIONS, ast.ClassDef)
Comprehension: TypeAlias = "ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp"
COMPREHENSIONS: tuple[type[Comprehension], ...] = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
CALLEE = "__callee__"
_ANNOTATIONS = {"annotation", "returns"}


def on(kind: type[Node], replacement: Callable[[Node], Replacement]) -> tuple[type[ast.AST], NodeRule]:
    """The rule for nodes of one type."""

    def rule(node: ast.AST) -> Replacement:
        assert isinstance(node, kind)
        return replacement(node)

    return kind, rule


class Rewriter(ast.NodeTransformer):
    """Rewrites nodes by rules, one per node type; a rule that descends calls `inside`."""

    def __init__(self, *rules: tuple[type[ast.AST], NodeRule]) -> None:
        self._rules = dict(rules)

    def visit(self, node: ast.AST) -> Replacement:
        """The replacement of this node: a node, or some statements."""
        rule = self._rules.get(type(node))
        return rule(node) if rule is not None else self.inside(node)

    def expression(self, node: ast.expr) -> ast.expr:
        """The replacement of an expression, which is an expression."""
        replacement = self.visit(node)
        assert isinstance(replacement, ast.expr)
        return replacement

    def inside(self, node: Node) -> Node:
        """The node itself with its children rewritten, annotations excepted."""
        kept = {name: getattr(node, name) for name in _ANNOTATIONS if getattr(node, name, None) is not None}
        for name in kept:
            setattr(node, name, None)
        self.generic_visit(node)
        for name, value in kept.items():
            setattr(node, name, value)
        return node


def calling(name: str, arguments: Sequence[ast.expr], at: ast.expr | ast.stmt) -> ast.Call:
    """A call of a given name at the position of another node."""
    return placed(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), at)


def telling(call: ast.Call) -> ast.Call:
    """The same call, which first asks `__callee__` what to call, passing its line and its function."""
    call.func = calling(CALLEE, [literal(call.lineno, call.func), call.func], call.func)
    return call


def stating(name: str, arguments: Sequence[ast.expr], at: ast.expr | ast.stmt) -> ast.Expr:
    """A call of a given name as a statement, at the position of another node."""
    return placed(ast.Expr(calling(name, arguments, at)), at)


def literal(value: int | str | bool, at: ast.expr | ast.stmt) -> ast.Constant:
    """A constant at the position of another node."""
    return placed(ast.Constant(value), at)


def placed(node: Node, at: ast.expr | ast.stmt) -> Node:
    """The same node, with its new parts at another node's position."""
    for found in ast.walk(node):
        if isinstance(found, (ast.expr, ast.stmt)) and not hasattr(found, "lineno"):
            ast.copy_location(found, at)
    return node


def local_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The names bound in a function itself, its parameters included."""
    given = function.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    body = function.body if isinstance(function.body, list) else [function.body]
    nodes = [node for part in body for node in _of_scope(part)]
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    elsewhere = {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    return {each.arg for each in parameters if each is not None} | bound - elsewhere


def _of_scope(node: ast.AST) -> list[ast.AST]:
    """A node and what is below it in the same scope; a comprehension counts to the scope around it."""
    if isinstance(node, SCOPES):
        return []
    return [node, *(found for child in ast.iter_child_nodes(node) for found in _of_scope(child))]
