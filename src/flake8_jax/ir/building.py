"""What both ways of lowering share: functions begun, exports noted, functions in the order of the file."""

from __future__ import annotations

from typing import Literal

from flake8_jax.ir.ops import Anchor, Build, Const, Function, Op
from flake8_jax.ir.scope import Scope


def begun(
    name: str, kind: Literal["class", "def", "lambda"], anchor: Anchor, scope: Scope, around: Function
) -> Function:
    """A function without parameters and body yet, noted in the one around it."""
    if around.kind == "module":
        qualname = name
    else:
        qualname = f"{around.qualname}.{name}" if around.kind == "class" else f"{around.qualname}.<locals>.{name}"
    function = Function(name, qualname, kind, anchor, (), None, (), scope)
    around.functions.append(function)
    return function


def literal_names(op: Op) -> tuple[str, ...] | None:
    """The strings of a list or tuple, which `__all__` is; None for anything else."""
    if type(op) is not Build or op.kind not in ("list", "tuple"):
        return None
    names = [part.value for part in op.parts if type(part) is Const and isinstance(part.value, str)]
    return tuple(names) if len(names) == len(op.parts) else None


def add_exports(scope: Scope, value: Op) -> None:
    """Note what is added to `__all__`."""
    more = literal_names(value)
    scope.exports = None if more is None or scope.exports is None else scope.exports + more


def in_order(top: Function) -> list[Function]:
    """Every function below `top`, as they stand in the file."""
    found: list[Function] = []
    stack = list(reversed(top.functions))
    while stack:
        function = stack.pop()
        found.append(function)
        stack.extend(reversed(function.functions))
    return found
