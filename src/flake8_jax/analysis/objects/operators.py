"""Operators on objects of the project's classes: calls of the methods that stand for them.

class Vec:
    def __add__(self, other): ...       v + w calls `Vec.__add__(v, w)`; 1 + v calls `Vec.__radd__(v, 1)`
    def __len__(self): ...              len(v) calls `Vec.__len__(v)`
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, InstanceOf
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.domain.kinds import FUNCTION, INPUT
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import MAXIMUM_OPERATED
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op

ARITHMETIC = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
COMPARING = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def overloaded(frame: Frame, op: Op, sign: str, left: Value, right: Value) -> Value | None:
    """The result of `left sign right`, if the class of either has a method for it."""
    if sign in COMPARING:
        found = special(frame, op, left, f"__{COMPARING[sign]}__", right)
        return found if found is not None else special(frame, op, right, f"__{COMPARING[MIRRORED[sign]]}__", left)
    name = ARITHMETIC.get(sign)
    if name is None:
        return None
    found = special(frame, op, left, f"__{name}__", right)
    return found if found is not None else special(frame, op, right, f"__r{name}__", left)


def note_operator(frame: Frame, source: Input, name: str) -> None:
    """Record that an operator is applied to an input: the class of an object may have a method for it."""
    operated = frame.summary.uses.operated
    if len(operated) < MAXIMUM_OPERATED:
        operated[(source, name)] = None


def special(frame: Frame, op: Op, base: Value, name: str, *given: Value) -> Value | None:
    """The result of the method of this name of an object, if its class has one."""
    instance = base.payload
    if type(instance) is not InstanceOf:
        if base.kind is INPUT and (source := base.input) is not None:
            note_operator(frame, source, name)
        return None
    found = lookup(instance.owner, name)
    if found is None or found.kind is not FUNCTION:
        return None
    return call(frame, op, access.attribute(frame, base, name, op), Arguments(given))
