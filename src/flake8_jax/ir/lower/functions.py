"""Lowers def, lambda and class; decorators become calls.

The body of a `def` waits until everything around it is lowered, so that its `nonlocal` finds names that the
enclosing function binds only further down.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from flake8_jax.ir.building import begun
from flake8_jax.ir.lower.annotations import lower_annotation
from flake8_jax.ir.lower.cursor import EXPRESSIONS, STATEMENTS, Cursor, lower_body
from flake8_jax.ir.lower.expressions import lower_arguments
from flake8_jax.ir.lower.statements import bound_name, type_scope
from flake8_jax.ir.ops import Anchor, Call, Closure, Leave, MakeClass, Op, Parameter, ParameterKind, Store
from flake8_jax.ir.scope import Scope


def _parameters(node: ast.arguments, scope: Scope, c: Cursor) -> tuple[Parameter, ...]:
    """The parameters, bound in the function's scope; defaults and annotations belong to the scope around."""
    found: list[Parameter] = []
    count = len(node.posonlyargs) + len(node.args) - len(node.defaults)
    defaults: list[ast.expr | None] = [*[None] * count, *node.defaults]
    first = len(node.posonlyargs)
    _add(node.posonlyargs, defaults[:first], "positional", scope, c, found)
    _add(node.args, defaults[first:], "normal", scope, c, found)
    if node.vararg is not None:
        _add((node.vararg,), (None,), "varargs", scope, c, found)
    _add(node.kwonlyargs, node.kw_defaults, "keyword", scope, c, found)
    if node.kwarg is not None:
        _add((node.kwarg,), (None,), "varkw", scope, c, found)
    return tuple(found)


def _add(
    params: Sequence[ast.arg], defaults: Sequence[ast.expr | None], kind: ParameterKind, scope: Scope, c: Cursor,
    found: list[Parameter],
) -> None:  # fmt: skip
    for param, value in zip(params, defaults):
        scope.bind(param.arg, is_parameter=True)
        default = None if value is None else EXPRESSIONS[type(value)](value, c)
        hint = param.annotation
        annotation = None if hint is None else lower_annotation(hint, c)
        found.append(Parameter(param.arg, kind, default, annotation, c.at(param)))


def lower_lambda(node: ast.Lambda, c: Cursor) -> Closure:
    """Lower `lambda x: body` to a function whose body returns one value."""
    function = begun("<lambda>", "lambda", c.anchor, Scope("function", c.scope), c.function)
    function.parameters = _parameters(node.args, function.scope, c)
    around, outer = c.function, c.scope
    c.function, c.scope = function, function.scope
    function.inner.ops = (Leave(c.anchor, c.at(node.body), "return", EXPRESSIONS[type(node.body)](node.body, c)),)
    c.function, c.scope = around, outer
    return Closure(c.anchor, c.at(node), function)


def _decorators(nodes: Sequence[ast.expr], c: Cursor) -> list[tuple[Anchor, int, Op]]:
    """Anchor, place and callee of each decorator, outermost first."""
    found: list[tuple[Anchor, int, Op]] = []
    for node in nodes:
        anchor = c.anchor = c.anchored(node.lineno)
        found.append((anchor, c.at(node), EXPRESSIONS[type(node)](node, c)))
    return found


def _decorated(decorators: list[tuple[Anchor, int, Op]], value: Op) -> Op:
    for anchor, place, callee in reversed(decorators):
        value = Call(anchor, place, callee, (value,), ())
    return value


def lower_def(node: ast.FunctionDef | ast.AsyncFunctionDef, c: Cursor, out: list[Op]) -> None:
    """Lower `def` to a store of the closure with its decorators applied."""
    anchor, outer = c.anchor, c.scope
    decorators = _decorators(node.decorator_list, c)
    c.anchor = anchor
    around = type_scope(getattr(node, "type_params", ()), outer)
    function = begun(node.name, "def", anchor, Scope("function", around), c.function)
    function.is_async = isinstance(node, ast.AsyncFunctionDef)
    c.scope = around
    function.parameters = _parameters(node.args, function.scope, c)
    if node.returns is not None:
        function.returns = lower_annotation(node.returns, c)
    c.scope = outer
    c.pending.append((function, node.body))
    value = _decorated(decorators, Closure(anchor, c.at(node), function))
    out.append(Store(anchor, c.at(node), (bound_name(node.name, node, c),), value, "def"))


def lower_class(node: ast.ClassDef, c: Cursor, out: list[Op]) -> None:
    """Lower `class`; its body runs immediately, in a scope invisible to the functions inside."""
    anchor, outer, enclosing = c.anchor, c.scope, c.function
    decorators = _decorators(node.decorator_list, c)
    c.anchor = anchor
    around = type_scope(getattr(node, "type_params", ()), outer)
    body = begun(node.name, "class", anchor, Scope("class", around), enclosing)
    c.scope = around
    bases, keywords = lower_arguments(node.bases, node.keywords, c)
    c.function, c.scope = body, body.scope
    body.inner.ops = lower_body(node.body, c)
    c.anchor, c.scope, c.function = anchor, outer, enclosing
    value = _decorated(decorators, MakeClass(anchor, c.at(node), bases, keywords, body))
    out.append(Store(anchor, c.at(node), (bound_name(node.name, node, c),), value, "class"))


EXPRESSIONS[ast.Lambda] = lower_lambda
STATEMENTS.update({ast.AsyncFunctionDef: lower_def, ast.ClassDef: lower_class, ast.FunctionDef: lower_def})
