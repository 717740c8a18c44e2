"""Lowers statements of a file's top level to ops, from `ast`: the same as `ir/lower.py` makes, without syntax nodes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from flake8_jax.ir.building import in_order
from flake8_jax.ir.ops import Anchor, Function, Module, Origin
from flake8_jax.ir.quick import blocks, functions, literals  # noqa: F401  (they fill the tables)
from flake8_jax.ir.quick.cursor import EXPRESSIONS, STATEMENTS, Cursor, lower_body
from flake8_jax.ir.quick.expressions import lower_unknown_expression
from flake8_jax.ir.quick.statements import lower_unknown_statement
from flake8_jax.ir.scope import Scope

for kind in list(vars(ast).values()):  # what is newer than this table becomes `Other`, not a crash
    if isinstance(kind, type) and issubclass(kind, ast.expr):
        EXPRESSIONS.setdefault(kind, lower_unknown_expression)
    elif isinstance(kind, type) and issubclass(kind, ast.stmt):
        STATEMENTS.setdefault(kind, lower_unknown_statement)


def lower_statements(
    statements: Sequence[ast.stmt], lines: Sequence[str], scope: Scope, origin: Origin, offset: int = 0
) -> Module:
    """Lower statements of a file's top level, whose names belong to `scope`.

    `lines` are those of the text that was parsed; `offset` is how many lines further down it stands in the file.
    """
    anchor = Anchor(1, None, None, origin)
    top = Function("<module>", "<module>", "module", anchor, None, (), None, (), scope)
    c = Cursor(anchor, top, lines, offset)
    top.body = lower_body(statements, c)
    for function, body in c.pending:  # grows while it runs: functions inside functions come last
        c.function = function
        c.scope = function.scope
        function.body = lower_body(body, c)
    return Module(origin.path, top, in_order(top), c.others)
