"""The decorator that makes an argument static, where the function is jitted by one.

@jax.jit                        @partial(jax.jit, static_argnames=("training",))
@partial(jax.jit, donate_argnums=0)     ...(jax.jit, donate_argnums=0, static_argnames=("training",))
"""

from __future__ import annotations

import ast
from functools import lru_cache

from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.domain.provenance import Context
from flake8_jax.ir.ops import Anchor, Const, Op
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe
from flake8_jax.ir.scope import Scope
from flake8_jax.syntax.positions import packed

STATIC = frozenset(("static_argnums", "static_argnames"))


@advising(ADVICE, None)
def declared_static(op: Op, context: Context) -> Rewrite | None:
    """The changes that declare the traced argument of a decorated function static."""
    trace, origin = context.trace, op.anchor.origin
    scope = scope_of(op)
    if trace is None or context.chain or trace.role != "jitted" or scope is None or trace.path != origin.shown:
        return None
    if trace.transform != "jax.jit" or not origin.line <= trace.line <= origin.end_line:
        return None
    decorated = [
        decorator
        for node in _functions(origin.source.tree).get(trace.function.rpartition(".")[2], ())
        for decorator in node.decorator_list
        if decorator.lineno <= trace.line <= (decorator.end_lineno or 0) and _takes(node, trace.value)
    ]
    return _declaring(decorated[0], trace.value, op, scope) if len(decorated) == 1 else None


@lru_cache(maxsize=1)
def _functions(tree: ast.Module) -> dict[str, list[ast.FunctionDef]]:
    """The functions that stand anywhere in a file, by name; each finding of the file asks for one."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def _takes(node: ast.FunctionDef, name: str) -> bool:
    return any(one.arg == name for one in (*node.args.args, *node.args.kwonlyargs))


def _declaring(decorator: ast.expr, name: str, op: Op, scope: Scope) -> Rewrite | None:
    """A decorator that declares an argument static, in the place of one that does not."""
    declared = f'static_argnames=("{name}",)'
    pieces: tuple[Piece, ...]
    if isinstance(decorator, (ast.Name, ast.Attribute)):
        partial = library_name(scope.module, "functools.partial")
        pieces = (partial, "(", Quoted(_placed(decorator, op)), f", {declared})")
        return unsafe(Rewrite((ChangedOp(_placed(decorator, op), pieces),)))
    if not isinstance(decorator, ast.Call) or any(one.arg is None or one.arg in STATIC for one in decorator.keywords):
        return None
    if not decorator.args and not decorator.keywords:
        return None
    given: list[tuple[Piece, ...]] = [(_quoted(one, op),) for one in decorator.args]
    given += [(f"{one.arg}=", _quoted(one.value, op)) for one in decorator.keywords]
    arguments = [piece for one in given for piece in (*one, ", ")]
    pieces = (_quoted(decorator.func, op), "(", *arguments, f"{declared})")
    return unsafe(Rewrite((ChangedOp(_placed(decorator, op), pieces),)))


def _quoted(node: ast.expr, op: Op) -> Quoted:
    return Quoted(_placed(node, op))


def _placed(node: ast.expr, op: Op) -> Const:
    """An op that stands where a node of the same statement does."""
    place = packed(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
    return Const(Anchor(node.lineno, op.anchor.origin), place, None)
