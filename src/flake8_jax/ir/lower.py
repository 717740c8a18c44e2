"""Lowers a file's syntax tree to ops, once: statements beside their `ast` twins, expressions by direct field access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from flake8_jax.ir import lower_functions, lower_literals, lower_patterns  # noqa: F401  (they fill the tables)
from flake8_jax.ir.lower_blocks import lower_suite
from flake8_jax.ir.lower_cursor import EXPRESSIONS, SIMPLE, Cursor, lower_body
from flake8_jax.ir.lower_expressions import lower_unknown_expression
from flake8_jax.ir.lower_statements import lower_unknown_statement
from flake8_jax.ir.ops import Anchor, Function, Module, Origin
from flake8_jax.ir.scope import Scope

if TYPE_CHECKING:
    from flake8_jax.syntax.source import SourceFile

for kind in vars(cst).values():  # what is newer than this table becomes `Other`, not a crash
    if isinstance(kind, type) and issubclass(kind, cst.BaseExpression):
        EXPRESSIONS.setdefault(kind, lower_unknown_expression)
    elif isinstance(kind, type) and issubclass(kind, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
        SIMPLE.setdefault(kind, lower_unknown_statement)


def lower(source: SourceFile, path: str | None = None) -> Module:
    """Lower a file, to be known by `path`; what cannot be read raises what `source` raises."""
    origin = Origin(path or source.path, source.path, 1)
    return lower_part(source.module.body, source.twin.body, Scope("module", None), origin, keeps=True)


def lower_part(
    statements: Sequence[cst.CSTNode], twins: Sequence[Any], scope: Scope, origin: Origin,
    keeps: bool = False, offset: int = 0,
) -> Module:  # fmt: skip
    """Lower statements of a file's top level, whose names belong to `scope`, beside their twins.

    `keeps`: the ops hold their syntax nodes, so that their places can be told; `offset` is how many lines further down
    the statements stand than the twins say.
    """
    anchor = Anchor(1, None, None, origin)
    top = Function("<module>", "<module>", "module", anchor, None, (), None, (), scope)
    c = Cursor(anchor, top, keeps, offset)
    top.body = lower_body(statements, twins, c)
    for function, node, beside in c.pending:  # grows while it runs: functions inside functions come last
        c.function = function
        c.scope = function.scope
        function.body = lower_suite(node.body, beside.body, c)
    return Module(origin.path, top, _in_order(top), c.others)


def _in_order(top: Function) -> list[Function]:
    """Every function below `top`, as they stand in the file."""
    found: list[Function] = []
    stack = list(reversed(top.functions))
    while stack:
        function = stack.pop()
        found.append(function)
        stack.extend(reversed(function.functions))
    return found
