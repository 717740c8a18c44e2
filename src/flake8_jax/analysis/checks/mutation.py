"""Preconditions that an object is mutable where an item of it is stored; JAX arrays are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.instead import PartOf, holder_in, update
from flake8_jax.analysis.checks.wording import handed, origin
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import array_argument, is_proven, undecided
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.payload import AT
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Dependences, certain
from flake8_jax.domain.summary import CallSite
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, Value
from flake8_jax.ir.ops import Item, Op
from flake8_jax.ir.phrase import index_phrase, phrase

StoreForm: TypeAlias = Literal["assign", "augment", "delete"]
MAY_BE_ARRAY = frozenset((ARRAY, COMPUTED, INPUT))


@dataclass(frozen=True, slots=True)
class ItemStored:
    """An item of an immutable array is assigned, updated or deleted.

    `base` is the text of the array, `index` of the index; `operator` is that of an augmented assignment; `origin` says
    why it is an array ("made by jnp.zeros", on line 3); `instead` what to write.
    """

    op: Item
    base: str
    index: str
    manner: StoreForm
    operator: str
    origin: Hop | None
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsMutable:
    """An object must be mutable where an item of it is stored, by a statement.

    `is_bare`: it is an unmodified input, so that it may be any object; `holder`: what it is a part of.
    """

    op: Item
    statement: Op
    holder: PartOf
    manner: StoreForm
    operator: str
    dependences: Dependences
    is_bare: bool
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Violated by an array."""
        actual = array_argument(site, self.dependences, self.is_bare)
        if actual is not None:
            token = certain(actual.dependences) if actual.made_by is None else None
            context = Context(token.trace if token is not None else None, chain)
            site.report((ItemStored, self.op, ()), self.event(handed(actual, site.op), context), when)
            return
        rest, is_bare = undecided(site, self.dependences, self.is_bare)
        if rest:
            site.require(replace(self, dependences=rest, is_bare=is_bare, when=site.assume(when), chain=chain))

    def event(self, whence: Hop | None, context: Context) -> Callable[[], ItemStored]:
        """The event of its violation."""
        op, manner, operator = self.op, self.manner, self.operator
        statement, holder = self.statement, self.holder

        def make() -> ItemStored:
            instead = update(op, statement, holder)
            return ItemStored(op, phrase(op.base), index_phrase(op.index), manner, operator, whence, instead, context)

        return make


def need_mutable(
    frame: Frame, op: Item, base: Value, statement: Op, manner: StoreForm, operator: str = ""
) -> None:  # fmt: skip
    """Report a store to an item of an array; inputs become preconditions."""
    kind, dependences = base.kind, base.dependences
    if base.payload is AT or frame.context.is_prepared or kind not in MAY_BE_ARRAY:
        return
    token = certain(dependences) if kind is COMPUTED else None
    is_array = kind is ARRAY or token is not None or (kind is INPUT and is_proven(frame, base))
    if not is_array and dependences is NONE:
        return
    holder = holder_in(frame, op.base)
    needed = NeedsMutable(op, statement, holder, manner, operator, dependences, kind is INPUT, frame.path)
    if is_array:
        whence = origin(base, op) if kind is not INPUT else None
        context = Context(token.trace if token is not None and whence is None else None)
        emit(frame, (ItemStored, op, ()), needed.event(whence, context))
    else:
        frame.summary.requires.require(needed)
