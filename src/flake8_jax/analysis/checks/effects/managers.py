"""Objects for `with`, of which leaving takes back what making them did.

with stack.pushed(rng):         pushed: stack.items.append(frame); return frame
    ...                         frame.__exit__: self.items.remove(self)
"""

from __future__ import annotations

from flake8_jax.analysis.callables import class_behind, underlying
from flake8_jax.analysis.checks.effects.undone import TAKING
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.walking import inside


def undoes_at_exit(manager: Value | None) -> bool:
    """Does `__exit__` of an object's class take something out, delete, or put back?"""
    owner = class_behind(manager.payload) if manager is not None else None
    method = lookup(owner, "__exit__") if owner is not None else None
    function = underlying(method) if method is not None else None
    return function is not None and _takes_back(function.function)


@searched_once
def _takes_back(method: Function) -> bool:
    return any(map(_is_taking_back, inside(method)))


def _is_taking_back(op: Op) -> bool:
    if type(op) is ops.Call:
        return type(op.func) is ops.Attr and op.func.name in TAKING
    is_change = type(op) is ops.Delete or type(op) is ops.Store
    return is_change and any(type(target) in (ops.Attr, ops.Item) for target in op.targets)  # type: ignore[attr-defined]
