"""Results and keys that nobody takes: the statement does nothing.

x.at[0].set(1.0)        an update makes a new array; `x` is as before
state.replace(step=1)   a copy of a record; `state` is as before
jnp.sort(x)             so does a function without side effects
jax.debug.print("x")    measured as impure: this is what the call is for
split(key)              the key is as before, and used on
a, b = split(key)       nor are `a` and `b` ever read
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from flake8_jax.analysis.callables import Arguments, InstanceOf, Wrapped
from flake8_jax.analysis.checks.instead import bind_result
from flake8_jax.analysis.checks.naming import FREE, imported_as, unused
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.liveness.reading import is_read, is_unread
from flake8_jax.analysis.objects.array_evidence import array_argument, undecided
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.payload import Doubt, MethodOf
from flake8_jax.domain.provenance import Context, Hop, Use
from flake8_jax.domain.resources import ByElement, ByFunction, Discarded, Used, is_compatible, unite_uses
from flake8_jax.domain.staging import Dependences, Input, certain
from flake8_jax.domain.summary import CallSite
from flake8_jax.domain.value import (
    API,
    ARRAY,
    CLASS,
    COMPUTED,
    FUNCTION,
    INPUT,
    INSTANCE,
    METHOD,
    OBJECT,
    PARTIAL,
    UNKNOWN,
    Value,
)
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Call, Op
from flake8_jax.ir.phrase import phrase

ARRAYS = frozenset((ARRAY, COMPUTED))
SPLIT = "jax.random.split"
COPYING = frozenset(("replace", "_replace", "apply_gradients"))
"""The methods of records that return a changed copy."""

MAPPING = frozenset(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"))
REPLACING = frozenset(("dataclasses.replace", "copy.replace"))

CALLABLE = frozenset((FUNCTION, PARTIAL, METHOD, OBJECT, INSTANCE, CLASS, UNKNOWN))
"""What a function may be given to run, with effects of its own."""

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


@dataclass(frozen=True, slots=True)
class NeedsOtherThanArray:
    """The object of a method whose result is dropped must be no array; a list may be changed by it.

    `is_bare`: it is an unmodified input.  `left` is the op of the object.
    """

    op: Call
    left: Op
    dependences: Dependences
    is_bare: bool
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Violated by an array, also by a tracer."""
        if array_argument(site, self.dependences, self.is_bare) is not None:
            site.report((ResultDiscarded, self.op, ()), partial(_event, self.op, self.left, Context(None, chain)), when)
            return
        rest, is_bare = undecided(site, self.dependences, self.is_bare)
        if rest:
            site.require(replace(self, dependences=rest, is_bare=is_bare, when=site.assume(when), chain=chain))


def check_discarded(frame: Frame, op: Call, callee: Value, arguments: Arguments, result: Value) -> None:
    """Report a discarded call that does nothing but return an array, a changed copy or a transformed function.

    In a `try` it may be there for its error.
    """
    if frame.context.is_prepared or frame.exits.caught:
        return
    left = _updated(op)
    if left is None:
        if frame.function.kind == "module":
            return
        left = _left_as_it_is(frame, op, callee, result)
        if left is None and not _only_computes(frame, callee, arguments):
            return
    emit(frame, (ResultDiscarded, op, ()), partial(_event, op, left, Context()))


def _event(op: Call, left: Op | None, context: Context) -> ResultDiscarded:
    return ResultDiscarded(op, phrase(op), phrase(left) if left is not None else "", bind_result(op, left), context)


def _updated(op: Call) -> ops.Op | None:
    """The array of `x.at[i].set(v)`, also of a chain of updates.

    A label in the index is one of a table of another library.
    """
    method = op.func
    if type(method) is not ops.Attr or method.name not in UPDATES or type(method.base) is not ops.Item:
        return None
    at, index = method.base.base, method.base.index
    indices = index.parts if type(index) is ops.Build else (index,)
    if any(type(one) is ops.Const and isinstance(one.value, str) for one in indices):
        return None
    if type(at) is not ops.Attr or at.name != "at":
        return None
    return (_updated(at.base) if type(at.base) is Call else None) or at.base


def _left_as_it_is(frame: Frame, op: Call, callee: Value, result: Value) -> ops.Op | None:
    """What a call leaves as it is: the function under a transform, the array or record whose method is called."""
    if callee.kind is API and isinstance(result.payload, Wrapped) and op.args:
        transform = frame.program.table.transform(callee.name)
        return op.args[0] if transform is not None and transform.wraps and not transform.runs else None
    if callee.kind is API and callee.name in REPLACING and result.kind is INSTANCE and op.args:
        return op.args[0]
    method = callee.payload
    if type(method) is not MethodOf or type(op.func) is not ops.Attr:
        return None
    base = method.base
    if type(base.payload) is InstanceOf:
        is_copy = method.name in COPYING and op.keywords and not op.args
        owner = base.payload.owner
        return op.func.base if is_copy and (owner.is_frozen or owner.is_tuple or owner.is_tree) else None
    row = frame.program.table.method(method.name)
    if row is None or not frame.program.table.is_pure(row.name) or result.kind not in ARRAYS:
        return None
    return op.func.base if _is_array(frame, op, op.func.base, base) else None


def _is_array(frame: Frame, op: Call, left: Op, base: Value) -> bool:
    """Is the object of a method an array?  One that is made of inputs must be none where the caller passes arrays."""
    if type(base.payload) is Doubt:
        return False
    if base.kind is ARRAY or (base.kind is COMPUTED and certain(base.dependences) is not None):
        return True
    inputs = frozenset(one for one in base.dependences if type(one) is Input)
    if base.kind in (COMPUTED, INPUT) and inputs:
        frame.summary.requires.require(NeedsOtherThanArray(op, left, inputs, base.kind is INPUT, frame.path))
    return False


def _only_computes(frame: Frame, callee: Value, arguments: Arguments) -> bool:
    """Is it a function that only computes?  One that runs functions passed to it may do what these do."""
    table, name = frame.program.table, callee.name
    if callee.kind is not API or not table.is_computation(name):
        return False
    if any(value.kind in CALLABLE for value in arguments.values()):
        return False
    if name in MAPPING and arguments.positional:
        mapped = arguments.positional[0]
        return mapped.kind is API and table.is_computation(mapped.name) and table.is_pure(mapped.name)
    if table.transform(name) is not None:
        return False
    row = table.function(name)
    return row is not None and table.is_pure(name) and row.returns != "static"


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
