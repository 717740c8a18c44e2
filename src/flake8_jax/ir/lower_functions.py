"""Lowers what makes functions: def, lambda and class, with decorators as the calls that they are.

The body of a `def` waits until everything around it is lowered, so that its `nonlocal` finds names that the
enclosing function binds only further down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from flake8_jax.ir.building import begun
from flake8_jax.ir.lower_blocks import lower_suite
from flake8_jax.ir.lower_cursor import BLOCKS, EXPRESSIONS, TARGETS, Cursor
from flake8_jax.ir.lower_expressions import lower_arguments
from flake8_jax.ir.lower_statements import type_scope
from flake8_jax.ir.ops import Anchor, Call, Closure, Leave, MakeClass, Op, Parameter, ParameterKind, Store
from flake8_jax.ir.scope import Scope


def _parameters(node: cst.Parameters, scope: Scope, c: Cursor) -> tuple[Parameter, ...]:
    """The parameters, bound in the function's scope; defaults and annotations belong to the scope around."""
    found: list[Parameter] = []
    _add(node.posonly_params, "positional", scope, c, found)
    _add(node.params, "normal", scope, c, found)
    if isinstance(node.star_arg, cst.Param):
        _add((node.star_arg,), "varargs", scope, c, found)
    _add(node.kwonly_params, "keyword", scope, c, found)
    if node.star_kwarg is not None:
        _add((node.star_kwarg,), "varkw", scope, c, found)
    return tuple(found)


def _add(params: Sequence[cst.Param], kind: ParameterKind, scope: Scope, c: Cursor, found: list[Parameter]) -> None:
    for param in params:
        name = param.name.value
        scope.bind(name, is_parameter=True)
        value = param.default
        default = None if value is None else EXPRESSIONS[type(value)](value, c)
        hint = None if param.annotation is None else param.annotation.annotation
        annotation = None if hint is None else EXPRESSIONS[type(hint)](hint, c)
        found.append(Parameter(name, kind, default, annotation, param))


def lower_lambda(node: cst.Lambda, c: Cursor) -> Closure:
    """`lambda x: body`: a function whose body returns one value."""
    function = begun("<lambda>", "lambda", c.anchor, Scope("function", c.scope), c.function, node)
    function.parameters = _parameters(node.params, function.scope, c)
    around, outer = c.function, c.scope
    c.function, c.scope = function, function.scope
    function.body = (_returned(node.body, c),)
    c.function, c.scope = around, outer
    return Closure(c.anchor, node, function)


def _returned(node: cst.BaseExpression, c: Cursor) -> Op:
    return Leave(c.anchor, node, "return", EXPRESSIONS[type(node)](node, c))


def _decorators(node: cst.FunctionDef | cst.ClassDef, twin: Any, c: Cursor) -> list[tuple[Anchor, object, Op]]:
    """Anchor, node (if it is kept) and callee of each decorator, outermost first."""
    found: list[tuple[Anchor, object, Op]] = []
    for decorator, beside in zip(node.decorators, twin.decorator_list):
        expression = decorator.decorator
        anchor = c.anchor = c.anchored(expression, beside)
        found.append((anchor, expression, EXPRESSIONS[type(expression)](expression, c)))
    return found


def _decorated(decorators: list[tuple[Anchor, object, Op]], value: Op) -> Op:
    for anchor, expression, callee in reversed(decorators):
        value = Call(anchor, expression, callee, (value,), ())
    return value


def lower_def(node: cst.FunctionDef, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`def`: stores the function that its decorators make of the closure."""
    anchor, outer = c.anchor, c.scope
    decorators = _decorators(node, twin, c)
    c.anchor = anchor
    around = type_scope(node.type_parameters, outer)
    function = begun(node.name.value, "def", anchor, Scope("function", around), c.function, node)
    function.is_async = node.asynchronous is not None
    c.scope = around
    function.parameters = _parameters(node.params, function.scope, c)
    if node.returns is not None:
        hint = node.returns.annotation
        function.returns = EXPRESSIONS[type(hint)](hint, c)
    c.scope = outer
    c.pending.append((function, node, twin))
    value = _decorated(decorators, Closure(anchor, node, function))
    out.append(Store(anchor, node, (TARGETS[cst.Name](node.name, c),), value, "def"))


def lower_class(node: cst.ClassDef, twin: Any, c: Cursor, out: list[Op]) -> None:
    """`class`: its body runs at once, in a scope that the functions inside cannot see."""
    anchor, outer, enclosing = c.anchor, c.scope, c.function
    decorators = _decorators(node, twin, c)
    c.anchor = anchor
    around = type_scope(node.type_parameters, outer)
    body = begun(node.name.value, "class", anchor, Scope("class", around), enclosing, node)
    c.scope = around
    bases, keywords = lower_arguments((*node.bases, *node.keywords), c)
    c.function, c.scope = body, body.scope
    body.body = lower_suite(node.body, twin.body, c)
    c.anchor, c.scope, c.function = anchor, outer, enclosing
    value = _decorated(decorators, MakeClass(anchor, node, bases, keywords, body))
    out.append(Store(anchor, node, (TARGETS[cst.Name](node.name, c),), value, "class"))


EXPRESSIONS[cst.Lambda] = lower_lambda
BLOCKS[cst.FunctionDef] = lower_def
BLOCKS[cst.ClassDef] = lower_class
