"""Entry points of lowering: whole files, and top-level statements of a file."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from flake8_jax.ir.building import in_order
from flake8_jax.ir.lower import blocks, functions, literals  # noqa: F401  (they fill the tables)
from flake8_jax.ir.lower.cursor import EXPRESSIONS, STATEMENTS, Cursor, lower_body
from flake8_jax.ir.lower.expressions import lower_unknown_expression
from flake8_jax.ir.lower.statements import lower_unknown_statement
from flake8_jax.ir.ops import Anchor, Function, FunctionBody, Module, Origin
from flake8_jax.ir.scope import Scope
from flake8_jax.syntax.depth import depth_of_tree
from flake8_jax.syntax.source import SourceFile

for kind in list(vars(ast).values()):  # what is newer than this table becomes `Other`, not a crash
    if isinstance(kind, type) and issubclass(kind, ast.expr):
        EXPRESSIONS.setdefault(kind, lower_unknown_expression)
    elif isinstance(kind, type) and issubclass(kind, ast.stmt):
        STATEMENTS.setdefault(kind, lower_unknown_statement)


def lower(source: SourceFile, path: str | None = None, noted: frozenset[str] = frozenset()) -> Module:
    """Lower a whole file, named by `path`.  Raises what `source.tree` raises if it cannot be parsed."""
    depth_of_tree(source.tree, source.text, source.lines)
    origin = Origin(path or source.path, source.path, 1, len(source.lines), source)
    return lower_statements(source.tree.body, source.lines, Scope("module", None), origin, noted=noted)


def lower_statements(
    statements: Sequence[ast.stmt], lines: Sequence[str], scope: Scope, origin: Origin, offset: int = 0,
    noted: frozenset[str] = frozenset(),
) -> Module:  # fmt: skip
    """Lower top-level statements of a file in the given module scope.

    `lines` are those of the text that was parsed, which stands `offset` lines further down in the file; uses of the
    names in `noted`, and of what the statements import, are kept.
    """
    anchor = Anchor(1, origin)
    top = Function("<module>", "<module>", "module", anchor, (), None, FunctionBody(), scope)
    c = Cursor(anchor, top, lines, offset, noted)
    top.inner.ops = lower_body(statements, c)
    for function, body in c.pending:  # grows while it runs: functions inside functions come last
        c.function = function
        c.scope = function.scope
        function.inner.ops = lower_body(body, c)
    return Module(origin.path, top, in_order(top), c.others, c.noted)
