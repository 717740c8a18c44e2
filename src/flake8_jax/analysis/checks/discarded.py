"""The result of a pure operation is discarded: the statement does nothing.

x.at[0].set(1.0)        an update makes a new array; `x` is as before
jnp.sort(x)             so does a function without side effects
jax.debug.print("x")    measured as impure: this is what the call is for
"""

from __future__ import annotations

from dataclasses import dataclass

from flake8_jax.analysis.checks.instead import bind_result
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import API, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Call
from flake8_jax.ir.phrase import phrase

NAMESPACES = ("jax.numpy.", "jax.lax.")
UPDATES = frozenset(("set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply", "get"))
"""What `x.at[i]` offers."""


@dataclass(frozen=True, slots=True)
class ResultDiscarded:
    """A call without side effects stands alone as a statement.

    `call` is its text; `updated` is the text of the array of `x.at[i].set(v)`, else ""; `instead` is what to write.
    """

    op: Call
    call: str
    updated: str
    instead: str
    context: Context


def check_discarded(frame: Frame, op: Call, callee: Value) -> None:
    """Report a discarded call that does nothing but return an array.

    In a `try` it may be there for its error.
    """
    if frame.context.is_prepared or frame.exits.caught:
        return
    updated = _updated(op)
    if updated is not None:
        emit(frame, (ResultDiscarded, op, ()), lambda: _event(op, phrase(updated), updated))
    elif callee.kind is API and frame.function.kind != "module" and _only_computes(frame, callee.name):
        emit(frame, (ResultDiscarded, op, ()), lambda: _event(op, "", None))


def _event(op: Call, text: str, updated: ops.Op | None) -> ResultDiscarded:
    return ResultDiscarded(op, phrase(op), text, bind_result(op, updated), Context())


def _updated(op: Call) -> ops.Op | None:
    """The array of `x.at[i].set(v)`; a label in the index is one of a table of another library."""
    method = op.func
    if type(method) is not ops.Attr or method.name not in UPDATES or type(method.base) is not ops.Item:
        return None
    at, index = method.base.base, method.base.index
    indices = index.parts if type(index) is ops.Build else (index,)
    if any(type(one) is ops.Const and isinstance(one.value, str) for one in indices):
        return None
    return at.base if type(at) is ops.Attr and at.name == "at" else None


def _only_computes(frame: Frame, name: str) -> bool:
    """Is it a function that only computes arrays?  One that runs functions passed to it may do what these do."""
    table = frame.program.table
    if not name.startswith(NAMESPACES) or not table.is_pure(name) or table.transform(name) is not None:
        return False
    row = table.function(name)
    return row is not None and row.returns != "static"
