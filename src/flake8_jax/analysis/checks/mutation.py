"""Preconditions that an object is mutable where an item of it is stored; JAX arrays are not.

x[0] = y, del x[0]              by a statement
operator.setitem(x, 0, y)       by a call that does the same, as `x.__setitem__(0, y)`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.checks.instead import NO_ADVICE, PartOf, holder_in, update, words_of_store
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.checks.wording import handed, origin
from flake8_jax.analysis.evidence import CallSite, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import NeedOfValue, is_proven, is_tracer, undecided
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import ByAnnotation, ByUse, EventKey, Finding, Ground
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    INPUT,
    LIST,
    MAY_BE_ARRAY,
    STORED_BY_METHODS,
    UNKNOWN,
)
from flake8_jax.domain.payload import AT, OR_NUMPY, OR_REFERENCE, ArrayDoubt
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Input, certain, context_of
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Attr, Build, Call, Delete, Gather, Item, Loop, Name, Op, Star, Store
from flake8_jax.ir.phrase import index_phrase, phrase
from flake8_jax.ir.rewrite import Rewrite, unsafe
from flake8_jax.lazy_dataclasses import dataclass, replace

StoreForm: TypeAlias = Literal["assign", "augment", "delete"]
Handed: TypeAlias = Literal["", "array", "presumed", "mutable", "unknown"]
STORING: dict[str, StoreForm] = {
    "operator.delitem": "delete", "operator.setitem": "assign", "__delitem__": "delete", "__setitem__": "assign",
}  # fmt: skip
"""The functions and methods that do what a statement does to an item."""

OPERANDS: dict[StoreForm, int] = {"assign": 3, "augment": 3, "delete": 2}
"""How many operands each has, with the object."""

INTO_WHOLE = "write into `{}` itself, at an index: what is bound to `{}` does not reach it"
MANY_USES = 9
"""Of so many uses of a name it is not asked what they are."""

MUTABLE = (AT, OR_REFERENCE, OR_NUMPY)
"""The payloads of what is no array, or not for certain."""


@dataclass(frozen=True, slots=True)
class ItemStored:
    """An item of an immutable array is assigned, updated or deleted.

    `base` is the text of the array, `index` of the index; `operator` is that of an augmented assignment; `origin` says
    why it is an array ("made by jnp.zeros", on line 3); `instead` what to write, `words` the same without code,
    `rewrite` the changes that write it.
    """

    op: Item | Call
    base: str
    index: str
    manner: StoreForm
    operator: str
    origin: Hop | None
    instead: str
    context: Context
    rewrite: Rewrite | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class NeedsMutable(NeedOfValue):
    """An object must be mutable where an item of it is stored, by a statement or a call.

    `is_plain_input`: it is an unmodified input, so that it may be any object; `holder`: what it is a part of.
    `is_promised`: an annotation says that it is an array, or it is a view of such; the event is presumed already, if no
    call hands in something else.  `viewed`: what it is a part of by NumPy's rules, where nothing else is done with it.
    `is_listed`: the index is a list.
    """

    asks: ClassVar = "what holds `{0.op}` must be mutable", "an array"
    op: Item | Call
    statement: Op
    holder: PartOf
    manner: StoreForm
    operator: str
    is_promised: bool = False
    viewed: str = ""
    is_listed: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an array; by a tracer that may be a reference only if nothing else is ever handed in."""
        key = (ItemStored, self.op, ())
        found, actual = self._handed(site)
        if actual is not None and found in ("array", "presumed"):
            token = certain(actual.dependences) if actual.made_by is None else None
            event = self.event(handed(actual, site.op), context_of(token, site.chain))
            if found == "array":
                yield Finding(key, event)
                return
            yield Finding(key, event, _ground(key, _doubt(actual)))
            if actual.kind is not ARRAY:
                return
        if found != "mutable":
            yield from undecided(site, replace(self, is_promised=self.is_promised or _doubt(actual) is not None))

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """Presumed where annotations or stores alone say that it is an array."""
        return ((ItemStored, self.op, ()),)

    def refuted(self, site: CallSite) -> Iterator[EventKey | ByAnnotation]:
        """Refuted by something mutable, its ground by what nobody knows."""
        found, key = self._handed(site)[0], (ItemStored, self.op, ())
        if found == "mutable":
            yield key
        elif found == "unknown":
            yield ByAnnotation(key)

    def _handed(self, site: CallSite) -> tuple[Handed, Value | None]:
        """What is handed in: rather an array than something mutable."""
        best: tuple[Handed, Value | None] = "", None
        for source, actual in arguments_at(site, self.dependences):
            found = self._judged(site, source, actual)
            if found == "array":
                return found, actual
            best = best if best[0] == "presumed" or not found else (found, actual)
        return best

    def _judged(self, site: CallSite, source: Input, actual: Value) -> Handed:
        is_itself = self.is_plain_input or self.is_promised
        if actual.kind in ARRAYS_OR_COMPUTED and actual.payload in MUTABLE:
            return "mutable"
        if actual.kind is ARRAY:
            return "presumed" if is_itself and type(actual.payload) is ArrayDoubt else "array"
        if is_tracer(site, source, is_itself and not self.is_promised):  # an annotated one is no container
            return "presumed" if is_itself and actual.kind is INPUT else "array"
        if is_itself and actual.kind is UNKNOWN:
            return "unknown"
        return "mutable" if is_itself and actual.kind in STORED_BY_METHODS else ""

    def event(self, whence: Hop | None, context: Context) -> Callable[[], ItemStored]:
        """The event of its violation."""
        op, manner, operator = self.op, self.manner, self.operator
        statement, holder, is_promised, viewed = self.statement, self.holder, self.is_promised, self.viewed
        is_listed = self.is_listed

        def make() -> ItemStored:
            stored = _item(op)
            base, index = phrase(stored.base), index_phrase(stored.index)
            at = f"{imported_as(scope_of(stored.base), 'jax.numpy.array')}({index})" if is_listed else index
            is_called_away = manner == "delete" and type(statement) is not Delete
            advice = NO_ADVICE if is_called_away else update(stored, statement, holder, is_listed)
            if viewed:
                words = INTO_WHOLE.format(viewed, base)
                return ItemStored(op, base, index, manner, operator, whence, words, context, None, words)
            others_may_differ = bool(context.chain) and not is_promised
            rewrite = unsafe(advice.rewrite) if others_may_differ else advice.rewrite
            words = words_of_store(stored, base, at, manner == "delete", operator)
            return ItemStored(op, base, index, manner, operator, whence, advice.text, context, rewrite, words)

        return make


def need_mutable_by_call(frame: Frame, op: Op, name: str, base: Value) -> None:
    """Report a call that stores to an item of an array."""
    manner = STORING[name]
    if type(op) is not Call or op.keywords or any(type(argument) is Star for argument in op.args):
        return
    is_method = type(op.func) is Attr and op.func.name == name
    operands = (op.func.base, *op.args) if type(op.func) is Attr and is_method else op.args
    if len(operands) == OPERANDS[manner] and (is_method or imported_name(op.func) == name):
        need_mutable(frame, op, base, op, manner)


def _item(op: Item | Call) -> Item:
    """The item that is stored: of a call that which a statement would name."""
    if isinstance(op, Item):
        return op
    is_method = type(op.func) is Attr and op.func.name in STORING
    base, index = (op.func.base, op.args[0]) if type(op.func) is Attr and is_method else op.args[:2]
    return Item(op.anchor, op.place, base, index)


def need_mutable(
    frame: Frame, op: Item | Call, base: Value, statement: Op, manner: StoreForm, operator: str = ""
) -> None:  # fmt: skip
    """Report a store to an item of an array; inputs become preconditions."""
    kind, dependences, doubt = base.kind, base.dependences, _doubt(base)
    if base.payload in MUTABLE or frame.context.is_prepared or kind not in MAY_BE_ARRAY:
        return
    token = certain(dependences) if kind is COMPUTED else None
    is_array = kind is ARRAY or token is not None
    is_shown = kind is INPUT and is_proven(frame, base)
    if not is_array and not is_shown and dependences is NONE:
        return
    inputs = dependences if doubt is None else frozenset(d for d in dependences if isinstance(d, Input))
    is_plain_input, is_promised, holder = (
        kind is INPUT or doubt is not None,
        doubt is not None,
        holder_in(frame, _item(op).base),
    )
    viewed, index = viewed_by(frame, _item(op).base), _item(op).index
    is_written, held = isinstance(index, (Build, Gather)) and index.kind == "list", peek(frame, index)
    is_listed = is_written or (held is not None and held.kind is LIST)
    needed = NeedsMutable(
        op, inputs, is_plain_input, statement, holder, manner, operator, is_promised, viewed, is_listed
    )  # fmt: skip
    key, whence = (ItemStored, op, ()), origin(base, op) if is_array else None
    event = needed.event(whence, context_of(token if whence is None else None))
    if is_array and doubt is None:
        emit(frame, key, event)
        return
    if is_array or is_shown:
        emit(frame, key, event, ground=_ground(key, doubt))
    leave(frame, needed)


def viewed_by(frame: Frame, base: Op, call: Op | None = None) -> str:
    """What a name holds a row or another part of, if all that is done with that is to store into it; "" else.

    With a `call` it is that in which the name stands, and nowhere else.
    """
    chains = chains_of(frame.function)
    definition = chains.found_by(base) if type(base) is Name else None
    statement = chains.statement_of(definition) if type(definition) is Name else None
    source: Op | None = None
    if type(statement) is Loop:
        counted = statement.source
        is_counted = type(counted) is Call and phrase(counted.func) == "enumerate" and len(counted.args) == 1
        source = counted.args[0] if type(counted) is Call and is_counted else counted
    elif type(statement) is Store and type(statement.value) is Item and definition in statement.targets:
        source = statement.value.base
    if type(source) not in (Name, Attr) or source is None or type(definition) is not Name:
        return ""
    uses = [*islice(chains.uses_of(definition), MANY_USES)]
    parts = [chains.parents.get(use) for use in uses]
    is_only_stored = all(type(part) is Item and chains.statement_of(part) is not None for part in parts)
    if call is not None:
        is_only_stored = all(call in chains.way_to(use) for use in uses)
    return phrase(source) if is_only_stored and len(uses) < MANY_USES else ""


def _doubt(value: Value | None) -> ArrayDoubt | None:
    return value.payload if value is not None and type(value.payload) is ArrayDoubt else None


def _ground(key: EventKey, doubt: ArrayDoubt | None) -> Ground:
    return ByUse() if doubt is None else doubt.field or ByAnnotation(key)
