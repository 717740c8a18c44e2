"""Lowers a file's syntax tree to ops, once: statements beside their `ast` twins, expressions by direct field access."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from flake8_jax.ir import lower_functions, lower_literals, lower_patterns  # noqa: F401  (they fill the tables)
from flake8_jax.ir.lower_blocks import lower_suite
from flake8_jax.ir.lower_cursor import EXPRESSIONS, SIMPLE, Cursor, lower_body
from flake8_jax.ir.lower_expressions import lower_unknown_expression
from flake8_jax.ir.lower_statements import lower_unknown_statement
from flake8_jax.ir.ops import Anchor, Function, Module
from flake8_jax.ir.scope import Scope

if TYPE_CHECKING:
    from flake8_jax.syntax.source import SourceFile

for kind in vars(cst).values():  # what is newer than this table becomes `Other`, not a crash
    if isinstance(kind, type) and issubclass(kind, cst.BaseExpression):
        EXPRESSIONS.setdefault(kind, lower_unknown_expression)
    elif isinstance(kind, type) and issubclass(kind, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
        SIMPLE.setdefault(kind, lower_unknown_statement)


def lower(source: SourceFile) -> Module:
    """Lower a file; what cannot be read raises what `source` raises."""
    module = source.module
    twin = source.twin
    scope = Scope("module", None)
    anchor = Anchor(1, module, twin)
    top = Function("<module>", "<module>", "module", anchor, module, (), None, (), scope)
    c = Cursor(anchor, scope, top)
    top.body = lower_body(module.body, twin.body, c)
    for function, node, beside in c.pending:  # grows while it runs: functions inside functions come last
        c.function = function
        c.scope = function.scope
        function.body = lower_suite(node.body, beside.body, c)
    return Module(source.path, top, _in_order(top), c.others)


def _in_order(top: Function) -> list[Function]:
    """Every function below `top`, as they stand in the file."""
    found: list[Function] = []
    stack = list(reversed(top.functions))
    while stack:
        function = stack.pop()
        found.append(function)
        stack.extend(reversed(function.functions))
    return found
