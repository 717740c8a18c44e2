"""Preconditions that an object is mutable where an item of it is stored; JAX arrays are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.wording import handed, origin
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import is_proven, is_tracer, undecided
from flake8_jax.analysis.summaries.deferral import emit, presume
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.payload import AT, HELD, Doubt
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import Dependences, Input, certain, in_order
from flake8_jax.domain.summary import CallSite, ClassField
from flake8_jax.domain.value import (
    ARRAY,
    COMPUTED,
    CONTAINERS,
    INPUT,
    INSTANCE,
    METHOD,
    NUMPY,
    OBJECT,
    REF,
    Value,
)
from flake8_jax.ir.ops import Item
from flake8_jax.ir.phrase import index_phrase, phrase

StoreForm: TypeAlias = Literal["assign", "augment", "delete"]
Handed: TypeAlias = Literal["", "array", "presumed", "mutable"]
STORED = CONTAINERS | {REF, NUMPY, METHOD, OBJECT, INSTANCE}


@dataclass(frozen=True, slots=True)
class ItemStored:
    """An item of an immutable array is assigned, updated or deleted.

    `base` is the text of the array, `index` of the index; `operator` is that of an augmented assignment; `origin` says
    why it is an array ("made by jnp.zeros on line 3").
    """

    op: Item
    base: str
    index: str
    manner: StoreForm
    operator: str
    origin: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsMutable:
    """An object must be mutable where an item of it is stored.

    `is_bare`: it is an unmodified input, so that it may be any object.  `is_promised`: an annotation says that it is
    an array, or it is a view of such; the event is presumed already, if no call hands in something else.
    """

    op: Item
    manner: StoreForm
    operator: str
    dependences: Dependences
    is_bare: bool
    is_promised: bool = False
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Violated by an array; by a tracer that may be a reference only if nothing else is ever handed in."""
        key = (ItemStored, self.op, ())
        found, actual = self._handed(site)
        if actual is not None and found in ("array", "presumed"):
            event = _event(self.op, self.manner, self.operator, handed(actual, site.op, self.op), chain)
            if found == "array":
                site.report(key, event, when)
                return
            site.presume(key, event, _field(actual), when)
            if actual.kind is not ARRAY:
                return
        elif found == "mutable":
            site.refute(key)
            return
        rest, is_bare = undecided(site, self.dependences, self.is_bare)
        if rest:
            promised, here = self.is_promised or _doubt(actual) is not None, site.assume(when)
            site.require(replace(self, dependences=rest, is_bare=is_bare, is_promised=promised, when=here, chain=chain))

    def allow(self, site: CallSite) -> None:
        """Note that something mutable is handed in."""
        if self._handed(site)[0] == "mutable":
            site.refute((ItemStored, self.op, ()))

    def _handed(self, site: CallSite) -> tuple[Handed, Value | None]:
        """What is handed in: rather an array than something mutable."""
        best: tuple[Handed, Value | None] = "", None
        for source in in_order(self.dependences):
            actual = site.resolve(source)
            found = "" if actual is None else self._judged(site, source, actual)
            if found == "array":
                return found, actual
            best = best if best[0] == "presumed" or not found else (found, actual)
        return best

    def _judged(self, site: CallSite, source: Input, actual: Value) -> Handed:
        is_itself = self.is_bare or self.is_promised
        if actual.kind in (ARRAY, COMPUTED) and (actual.payload is AT or actual.payload is HELD):
            return "mutable"
        if actual.kind is ARRAY:
            return "presumed" if is_itself and type(actual.payload) is Doubt else "array"
        if is_tracer(site, source, is_itself):
            return "presumed" if is_itself and actual.kind is INPUT else "array"
        return "mutable" if is_itself and actual.kind in STORED else ""


def need_mutable(frame: Frame, op: Item, base: Value, manner: StoreForm, operator: str = "") -> None:
    """Report a store to an item of an array; inputs become preconditions."""
    kind, payload = base.kind, base.payload
    if payload is AT or payload is HELD or frame.context.is_prepared:
        return
    doubt, is_bare = _doubt(base), kind is INPUT
    if kind is ARRAY or (kind is COMPUTED and certain(base.dependences)):
        event = _event(op, manner, operator, origin(base, op))
        if doubt is None:
            emit(frame, (ItemStored, op, ()), event)
            return
        presume(frame, (ItemStored, op, ()), event, doubt.field)
    elif kind is INPUT and is_proven(frame, base):
        presume(frame, (ItemStored, op, ()), _event(op, manner, operator, ""), None)
    elif kind not in (COMPUTED, INPUT):
        return
    inputs = base.dependences if doubt is None else frozenset(d for d in base.dependences if isinstance(d, Input))
    needed = NeedsMutable(op, manner, operator, inputs, is_bare or doubt is not None, doubt is not None, frame.path)
    frame.summary.requires.require(needed)


def _doubt(value: Value | None) -> Doubt | None:
    return value.payload if value is not None and type(value.payload) is Doubt else None


def _field(value: Value) -> ClassField | None:
    return value.payload.field if type(value.payload) is Doubt else None


def _event(
    op: Item, manner: StoreForm, operator: str, whence: str, chain: tuple[Hop, ...] = ()
) -> Callable[[], ItemStored]:
    context = Context(None, chain)
    return lambda: ItemStored(op, phrase(op.base), index_phrase(op.index), manner, operator, whence, context)
