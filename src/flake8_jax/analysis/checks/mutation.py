"""Preconditions that an object is mutable where an item of it is stored; JAX arrays are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.wording import handed, origin
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import is_proven
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.payload import AT
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Dependences, Input, certain, in_order
from flake8_jax.domain.summary import CallSite
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, Value
from flake8_jax.ir.ops import Item
from flake8_jax.ir.phrase import index_phrase, phrase

StoreForm: TypeAlias = Literal["assign", "augment", "delete"]


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

    `is_bare`: it is an unmodified input, so that it may be any object.
    """

    op: Item
    manner: StoreForm
    operator: str
    dependences: Dependences
    is_bare: bool
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Violated by an array."""
        for source in in_order(self.dependences):
            actual = site.resolve(source)
            if actual is not None and is_array(site, source, actual, self.is_bare):
                event = _event(self.op, self.manner, self.operator, handed(actual, site.op, self.op), chain)
                site.report((ItemStored, self.op, ()), event, when)
                return
        solid, bare = site.dependences(self.dependences, self.is_bare)
        rest: Dependences = frozenset(d for d in solid | bare if isinstance(d, Input))
        if rest:
            site.require(replace(self, dependences=rest, is_bare=not solid, when=site.assume(when), chain=chain))


def is_array(site: CallSite, source: Input, actual: Value, is_bare: bool) -> bool:
    """Is an argument certainly an array: made as one, or a tracer?

    A tracer that the callee uses as a container is none.
    """
    if actual.kind is ARRAY:
        return True
    if is_bare and not site.is_used_as_array(source):
        return False
    return certain(site.dependences(frozenset((source,)), False)[0]) is not None


def need_mutable(frame: Frame, op: Item, base: Value, manner: StoreForm, operator: str = "") -> None:
    """Report a store to an item of an array; inputs become preconditions."""
    if base.payload is AT or frame.context.is_prepared:
        return
    if base.kind is ARRAY or (base.kind is COMPUTED and certain(base.dependences)):
        emit(frame, (ItemStored, op, ()), _event(op, manner, operator, origin(base, op)))
    elif base.kind is INPUT and is_proven(frame, base):
        emit(frame, (ItemStored, op, ()), _event(op, manner, operator, ""))
    elif base.kind in (COMPUTED, INPUT) and base.dependences is not NONE:
        needed = NeedsMutable(op, manner, operator, base.dependences, base.kind is INPUT, frame.path)
        frame.summary.requires.require(needed)


def _event(
    op: Item, manner: StoreForm, operator: str, whence: str, chain: tuple[Hop, ...] = ()
) -> Callable[[], ItemStored]:
    context = Context(None, chain)
    return lambda: ItemStored(op, phrase(op.base), index_phrase(op.index), manner, operator, whence, context)
