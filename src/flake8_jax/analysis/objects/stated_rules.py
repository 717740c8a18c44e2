"""Which functions with a derivative of their own have a rule for it, as far as code tells.

`f.defjvp(rule)` states one, wherever it stands: beside `f`, in a helper that gets `f` as an argument, or in code that
nobody has read and that `f` was passed to.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import FunctionValue, Wrapped, underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.effects import ClassField
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op

STATING = {"jax.custom_vjp": "defvjp", "jax.custom_jvp": "defjvp"}
"""The methods that state a rule."""

DEFINERS = frozenset(("defvjp", "defvjps", "defjvp", "defjvps"))

RULE_METHODS = frozenset(("defvjp", "defjvp"))

RULE = "<rule>"
"""Stands for the rule of a function among what other code refutes."""


def rule_of(found: FunctionValue) -> ClassField:
    """The ground that a function has no rule."""
    return (found.function, RULE)


def note_stated(frame: Frame, value: Value | None) -> None:
    """Record that a function has a rule, or may have got one."""
    wrapped = value.payload if value is not None else None
    if not isinstance(wrapped, Wrapped) or wrapped.applied.transform.name not in STATING:
        return
    found = underlying(wrapped.callee)
    if found is not None:
        frame.program.record.refuted.add(rule_of(found))


def is_derivative(op: Op, name: str) -> bool:
    """Does the file of `op` state a function of this name as a rule of another one's derivative?

    What a function drew, its derivative draws once more with the same key: a forward rule for the backward one, a rule
    for tangents beside the primal result.
    """
    given = rf"\.def[vj][jv]p\s*\((?:[^()]|\([^()]*\))*\b{name}\b"
    decorated = rf"@[\w.]+\.defjvp\b[^\n]*\s*(?:@[^\n]*\s*)*def\s+{name}\b"
    return op.anchor.origin.finds(RULE_METHODS, f"(?:{given})|(?:{decorated})")
