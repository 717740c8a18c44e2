"""Augmented assignments that only rebind a name, where an array of NumPy would have been updated in place.

def add_bias(x): x += 1             the caller's array stays as it was
for row in rows: row *= 2.0         so does `rows`
w = self.w; w -= step               and so does `self.w`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from flake8_jax.analysis.checks.instead import keep_update
from flake8_jax.analysis.checks.wording import READS, handed, origin
from flake8_jax.analysis.evidence import CallSite, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.liveness.dead_stores import DeadStores, NamesRead, bound_names, dead_stores, is_update
from flake8_jax.analysis.objects.array_evidence import NeedOfValue, is_tracer, refuting, undecided
from flake8_jax.analysis.objects.instances import property_of
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import ByAnnotation, EventKey, Finding
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    IN_PLACE_OR_NUMBER,
    INPUT,
    MAY_BE_ARRAY,
    MAY_BE_HOST_CONSTANT,
)
from flake8_jax.domain.payload import OR_NUMPY, OR_REFERENCE, ORDINARY, ArrayDoubt
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import Input, certain, context_of
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import value_bound
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass

VIEWS = frozenset(("items", "values"))
PASSING_ON = frozenset(("list", "tuple", "reversed", "iter"))


@dataclass(frozen=True, slots=True)
class ArrayRebound:
    """A name of an array is bound to an updated one that nobody reads.

    `statement` is the text of the assignment; `kept` that of what stays as it was, "" for the argument of a caller; it
    `is_reference` if it is one that was to be stored into;
    `origin` says why it is an array, `instead` what to write.
    """

    op: ops.Name
    statement: str
    kept: str
    is_reference: bool
    origin: Hop | None
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsInPlace(NeedOfValue):
    """A value must be no array of JAX where it is updated by an assignment whose result nobody reads.

    `is_plain_input`: it is an unmodified input; `kept` is the text of what would be changed.
    """

    asks: ClassVar = "`{0.op}` must be updated in place by `{0.statement}`", "an array of JAX"
    op: ops.Name
    statement: str
    kept: str
    instead: str

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an array with dimensions, and by a tracer; presumed if an annotation alone promises one."""
        key = (ArrayRebound, self.op, ())
        for source, actual in arguments_at(site, self.dependences):
            event = self.event(handed(actual, site.op), Context(None, site.chain))
            if is_array(actual) or (is_tracer(site, source, self.is_plain_input) and is_array_if_traced(actual)):
                yield Finding(key, event)
                return
        yield from undecided(site, self)

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """Presumed where an annotation alone says that it is an array."""
        return ((ArrayRebound, self.op, ()),)

    def refuted(self, site: CallSite) -> Iterator[EventKey | ByAnnotation]:
        """Refuted by what is updated in place, or a number, its ground by what nobody knows."""
        return refuting(site, (ArrayRebound, self.op, ()), self.dependences, lambda one: one.kind in IN_PLACE_OR_NUMBER)

    def event(self, whence: Hop | None, context: Context) -> Callable[[], ArrayRebound]:
        """The event of its violation."""
        return lambda: ArrayRebound(self.op, self.statement, self.kept, False, whence, self.instead, context)


def is_array(value: Value) -> bool:
    """Is it certainly an array of JAX, and not of one number, which nobody takes to be changed in place?"""
    return value.kind is ARRAY and value.payload in ORDINARY and value.shape != ()


def is_array_if_traced(value: Value) -> bool:
    """Is a tracer other than the counter of a loop, or a number of the host?"""
    token = certain(value.dependences)
    return value.shape != () and (token is None or not (token.is_index or token.flag))


def check_rebound(frame: Frame, op: ops.Store, made: Value) -> None:
    """Report `x += y` on an array that outlives the name, if nobody reads what is made of it."""
    (target,), value = op.targets, op.value
    if type(target) is not ops.Name or type(value) is not ops.Operate or frame.context.is_prepared:
        return
    held = frame.live().names.get(target.name)
    if held is None:
        return
    before = frame.updates[made] = frame.updates.get(held, held)
    if before.kind not in MAY_BE_ARRAY or frame.function.kind == "class":
        return
    stores = stores_of(frame)
    live = _live_after(frame, op, target.name, stores)
    found = _outliving(frame, target, before, stores, live) if live is not None else None
    if found is None or live is None:
        return
    subject, kept, loop = found
    is_plain_input = subject.kind is INPUT and made.kind not in ARRAYS_OR_COMPUTED
    inputs = frozenset(dependence for dependence in subject.dependences if type(dependence) is Input)
    is_own = type(kept) is ops.Name and kept.scope.lookup(kept.name).owner is frame.function.scope
    place = None if is_own and type(kept) is ops.Name and kept.name not in live and loop is None else kept
    is_one = loop is None or held is before
    instead = keep_update(value, target.name, place, loop, frame.name) if is_one else "bind the new rows to a list"
    shown = phrase(kept) if kept is not None else ""
    whence = origin(subject, op) if loop is None else None
    _judge(frame, NeedsInPlace(target, inputs, is_plain_input, phrase(value), shown, instead), subject, whence)


def _judge(frame: Frame, needed: NeedsInPlace, subject: Value, whence: Hop | None) -> None:
    key = (ArrayRebound, needed.op, ())
    token = certain(subject.dependences) if subject.kind is not ARRAY else None
    if is_array(subject) or (token is not None and not needed.is_plain_input and is_array_if_traced(subject)):
        emit(frame, key, needed.event(whence, context_of(token)))
        return
    doubt = subject.payload
    if subject.kind is ARRAY and (
        type(doubt) is not ArrayDoubt or doubt is OR_REFERENCE or doubt is OR_NUMPY or subject.shape == ()
    ):
        return
    if subject.kind is ARRAY and type(doubt) is ArrayDoubt:
        emit(frame, key, needed.event(None, Context()), ground=doubt.field or ByAnnotation(key))
    leave(frame, needed)


def _live_after(frame: Frame, op: ops.Store, name: str, stores: DeadStores) -> NamesRead | None:
    """The names that are looked up after a dead store of a name, the last one; None if it is none."""
    live = stores.live.get(op)
    if live is None or stores.is_followed(op, name):
        return None
    if frame.function.kind == "module" and frame.unit is not None:
        live |= frame.namespace.file.words_after(frame.unit)
    return live if name not in live else None


def stores_of(frame: Frame) -> DeadStores:
    """The dead stores of the function that runs."""
    known = frame.program.stores
    found = known.get(frame.function)
    if found is None:
        found = known[frame.function] = dead_stores(frame.function)
    return found


def _outliving(
    frame: Frame, target: ops.Name, before: Value, stores: DeadStores, live: NamesRead
) -> tuple[Value, Op | None, ops.Loop | None] | None:
    """The value to judge, what holds it beside the name, if not a caller, and the loop whose row it is."""
    binding = target.scope.lookup(target.name)
    binders = [one for one in stores.binders.get(target.name, ()) if not is_update(one)]
    if binding.is_parameter:
        subject = frame.summary.inputs.get(target.name)
        return None if binders or subject is None else (subject, None, None)
    if len(binders) != 1:
        return None
    (binder,) = binders
    if type(binder) is ops.Loop:
        source = _row_source(binder.target, binder.source, target.name)
        return (before, source, binder) if _outlives(frame, source, live) else None
    read = value_bound(binder, target.name) if type(binder) is ops.Store else None
    if read is None or type(read) not in READS:
        return None
    return (before, read, None) if _outlives(frame, read, live) else None


def _row_source(target: Op | None, source: Op, name: str) -> Op:
    """What the name's values in a loop are the rows of: of `zip` the argument at its place."""
    if type(source) is not ops.Call:
        return source
    if type(source.func) is ops.Attr:
        return source.func.base if source.func.name in VIEWS and not source.args else source
    if type(source.func) is not ops.Name or not source.args:
        return source
    called = source.func.name
    if called in PASSING_ON:
        return _row_source(target, source.args[0], name)
    if type(target) is not ops.Unpack or called not in ("zip", "enumerate"):
        return source
    given = (None, *source.args) if called == "enumerate" else source.args
    for part, one in zip(target.parts, given, strict=False):
        if one is not None and name in {held.name for held in bound_names(part)}:
            return _row_source(part, one, name)
    return source


def _outlives(frame: Frame, op: Op, live: NamesRead) -> bool:
    """Is what an op reads held by more than itself: by a caller, an object, or a name that is looked up again?"""
    match op:
        case ops.Name():
            binding = op.scope.lookup(op.name)
            is_own = binding.owner is frame.function.scope
            return binding.owner is not None and (not is_own or binding.is_parameter or op.name in live)
        case ops.Attr():
            return not _is_computed(frame, op) and _outlives(frame, op.base, live)
        case ops.Item():
            return not _makes_copy(frame, op) and _outlives(frame, op.base, live)
        case ops.Call():
            return any(_outlives(frame, argument, live) for argument in op.args)
        case ops.Build(kind="list" | "tuple"):
            return any(_outlives(frame, part, live) for part in op.parts)
    return False


def _is_computed(frame: Frame, op: ops.Attr) -> bool:
    """Is it a property, which may make something new?"""
    base = frame.live().names.get(op.base.name) if type(op.base) is ops.Name else None
    return base is not None and property_of(base, (".", op.name)) is not None


def _makes_copy(frame: Frame, op: ops.Item) -> bool:
    """Is it indexed by an array, or by several: a copy also in NumPy?"""
    index = op.index
    held = frame.live().names.get(index.name) if type(index) is ops.Name else None
    is_array = held is not None and held.kind not in MAY_BE_HOST_CONSTANT
    return is_array or type(index) in (ops.Compare, ops.Call) or (type(index) is ops.Build and index.kind == "list")
