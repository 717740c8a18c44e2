"""Function and `__all__` bookkeeping during lowering."""

from __future__ import annotations

from typing import Literal

from flake8_jax.ir.ops import Anchor, Build, Const, Function, FunctionBody, Op
from flake8_jax.ir.scope import Scope


def begun(
    name: str, kind: Literal["class", "def", "lambda"], anchor: Anchor, scope: Scope, around: Function
) -> Function:
    """A new function, still without parameters and body, registered in its enclosing function."""
    if around.kind == "module":
        qualname = name
    else:
        qualname = f"{around.qualname}.{name}" if around.kind == "class" else f"{around.qualname}.<locals>.{name}"
    function = Function(name, qualname, kind, anchor, (), None, FunctionBody(), scope)
    function.outermost = function if around.outermost is None and kind == "def" else around.outermost
    around.inner.functions.append(function)
    return function


def literal_names(op: Op) -> tuple[str, ...] | None:
    """The strings in a list or tuple literal, as assigned to `__all__`; None for anything else."""
    if type(op) is not Build or op.kind not in ("list", "tuple"):
        return None
    names = [part.value for part in op.parts if type(part) is Const and isinstance(part.value, str)]
    return tuple(names) if len(names) == len(op.parts) else None


def add_exports(scope: Scope, value: Op) -> None:
    """Record names added to `__all__`."""
    more = literal_names(value)
    scope.exports = None if more is None or scope.exports is None else scope.exports + more


def in_order(top: Function) -> list[Function]:
    """Every function below `top`, in source order."""
    found: list[Function] = []
    stack = list(reversed(top.inner.functions))
    while stack:
        function = stack.pop()
        found.append(function)
        stack.extend(reversed(function.inner.functions))
    return found
