"""Lowers a file's syntax tree to ops, once: statements beside their `ast` twins, expressions by direct field access."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from flake8_jax.ir import lower_functions, lower_literals, lower_patterns  # noqa: F401  (they fill the tables)
from flake8_jax.ir.building import in_order
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
    return lower_within(source, Scope("module", None), Origin(path or source.path, source.path, 1))


def lower_within(source: SourceFile, scope: Scope, origin: Origin) -> Module:
    """Lower a text that stands somewhere in a file, and whose names belong to `scope`."""
    anchor = Anchor(1, None, None, origin)
    top = Function("<module>", "<module>", "module", anchor, None, (), None, (), scope)
    c = Cursor(anchor, top)
    top.body = lower_body(source.module.body, source.twin.body, c)
    for function, node, beside in c.pending:  # grows while it runs: functions inside functions come last
        c.function = function
        c.scope = function.scope
        function.body = lower_suite(node.body, beside.body, c)
    return Module(origin.path, top, in_order(top), c.others)
