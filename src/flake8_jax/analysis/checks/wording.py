"""The wording of ops in messages: origins of values, spelling of callees."""

from __future__ import annotations

from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

READS = frozenset((ops.Attr, ops.Item, ops.Name))
"""The ops that read what was made elsewhere."""


def callee_text(op: Op | None, name: str) -> str:
    """The user's spelling of a callee, or its name where the call is not written out."""
    if not isinstance(op, ops.Call):
        return name
    text = phrase(op.func)
    return text if "(" not in text or name.endswith(".__call__") else name


def origin(value: Value, op: Op) -> Hop | None:
    """Where a value was made, if that is not the op itself."""
    made_by = value.made_by
    return None if made_by is None or made_by is op or type(made_by) in READS else _made(made_by)


def handed(actual: Value, call: Op) -> Hop:
    """Where an argument was made, or the call that passes it."""
    made_by = actual.made_by
    is_read = made_by is None or made_by is call or type(made_by) in READS
    return _hop(call, "handed in") if made_by is None or is_read else _made(made_by)


def _made(made_by: Op) -> Hop:
    return _hop(made_by, f"made by `{phrase(made_by.func)}`" if isinstance(made_by, ops.Call) else "made")


def _hop(op: Op, text: str) -> Hop:
    return Hop(op.anchor.origin.shown, op.anchor.line, text)
