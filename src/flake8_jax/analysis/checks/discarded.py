"""Results and keys that nobody takes: the statement does nothing.

x.at[0].set(1.0)        an update makes a new array; `x` is as before
jnp.sort(x)             so does a function without side effects
jax.debug.print("x")    measured as impure: this is what the call is for
split(key)              the key is as before, and used on
a, b = split(key)       nor are `a` and `b` ever read
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flake8_jax.analysis.checks.instead import bind_result
from flake8_jax.analysis.checks.naming import FREE, imported_as, unused
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.liveness.reading import is_read, is_unread
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.provenance import Context, Use
from flake8_jax.domain.resources import ByElement, ByFunction, Discarded, Used, is_compatible, unite_uses
from flake8_jax.domain.value import API, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Call, Op
from flake8_jax.ir.phrase import phrase

SPLIT = "jax.random.split"
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


@dataclass(frozen=True, slots=True)
class KeyDerivationDiscarded:
    """Keys are derived and never read, and their parent is used on.

    `call` is the text of the derivation, `key` that of the parent, "" where it has none; `use` is the use after it;
    `instead` is what to write.
    """

    op: Op
    call: str
    key: str
    use: Use
    instead: str
    context: Context


def note_discarded(frame: Frame, op: Op, value: Value, by: str) -> None:
    """Remember a derivation whose result is dropped, unless it may be there for its error."""
    if frame.context.is_prepared or frame.exits.caught:
        return
    state, value = frame.live(), value.original
    used = Used(op, Use(frame.namespace.path, op.anchor.line, by), state.path, frame.iterations, Discarded())
    state.used[value] = unite_uses(state.used.get(value, ()), (used,))


def check_derivations(frame: Frame, related: list[Used], used: Used, place: Op | None) -> list[Used]:
    """The derivations of a key before this use of it that gave nothing; each of them is reported."""
    found = [one for one in related if type(one.means) is Discarded and is_compatible(one, used.path)]
    if not found:
        found = [one for one in related if _is_in_vain(one, used)] if used.means != ByFunction(SPLIT) else []
        if not found or used.draw is None or not is_read(used.draw, is_finished=True):
            return []
    elif used.draw is not None and not is_read(used.draw):
        return found
    for one in found:
        key = phrase(place) if place is not None else ""
        make = partial(_key_event, one.op, key, used.use, _instead(frame, key))
        emit(frame, (KeyDerivationDiscarded, one.op, ()), make)
    return found


def _key_event(op: Op, key: str, use: Use, instead: str) -> KeyDerivationDiscarded:
    return KeyDerivationDiscarded(op, phrase(op), key, use, instead, Context())


def _is_in_vain(one: Used, used: Used) -> bool:
    """Is it a split whose keys nobody reads?"""
    is_split = one.means == ByFunction(SPLIT) or type(one.means) is ByElement
    if not is_split or one.op is used.op or one.draw is None or one.draw.inner:
        return False
    return is_compatible(one, used.path) and is_unread(one.draw)


def _instead(frame: Frame, key: str) -> str:
    scope = frame.function.scope
    if not key.isidentifier():
        return "bind its keys, and use those"
    return f"bind its keys: `{key}, {unused(scope, FREE, key)} = {imported_as(scope, SPLIT)}({key})`"
