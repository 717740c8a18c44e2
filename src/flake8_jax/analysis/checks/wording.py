"""The wording of ops in messages: origins of values, spelling of callees."""

from __future__ import annotations

from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase


def callee_text(op: Op | None, name: str) -> str:
    """The user's spelling of a callee, or its name where the call is not written out."""
    if not isinstance(op, ops.Call):
        return name
    text = phrase(op.func)
    return text if "(" not in text else name


def line_of(op: Op, reader: Op) -> str:
    """The line of an op, with its file if that differs from the reader's."""
    place = op.anchor.origin
    is_foreign = place.path != reader.anchor.origin.path
    return f"on line {op.anchor.line} of `{place.shown}`" if is_foreign else f"on line {op.anchor.line}"


def origin(value: Value, op: Op) -> str:
    """Where a value was made, if that is not the op itself."""
    made_by = value.made_by
    return "" if made_by is None or made_by is op else _made(made_by, op)


def handed(actual: Value, call: Op, op: Op) -> str:
    """Where an argument was made, or the call that passes it."""
    return f"handed in {line_of(call, op)}" if actual.made_by is None else _made(actual.made_by, op)


def _made(made_by: Op, op: Op) -> str:
    if isinstance(made_by, ops.Call):
        return f"made by `{phrase(made_by.func)}` {line_of(made_by, op)}"
    return f"made {line_of(made_by, op)}"
