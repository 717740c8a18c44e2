"""Contracts between values, judged where they are known: at once, or at the calls of the function that holds them.

def total(start, xs):                               the carry must be like `start`: only callers know what that is
    return lax.scan(lambda c, x: (c + x, c), start, xs)
total(jnp.zeros(3, int), jnp.ones((4, 3)))          here it is broken
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Protocol, TypeAlias

from flake8_jax.analysis.checks.contracts.structure import TypeComparison
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.conditions import is_left_out
from flake8_jax.domain.dtypes import NamedDtype, Promotion
from flake8_jax.domain.effects import Event, Finding
from flake8_jax.domain.key_parts import KeyPart
from flake8_jax.domain.kinds import INPUT, MAY_BE_ARRAY, UNKNOWN, Kind
from flake8_jax.domain.payload import Compound
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Dependences, Input
from flake8_jax.domain.value import ShapeOf, Value
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass, field, replace

MakesEvent: TypeAlias = Callable[[Context], Event]
MAXIMUM_DEPTH = 4


class Contract(Protocol):
    """What some values must be to each other."""

    def broken(self, values: tuple[Value, ...], comparison: TypeComparison) -> MakesEvent | None:
        """What makes the event, if the values certainly break it."""


@dataclass(frozen=True, slots=True)
class NeedsContract(Need):
    """A contract of values that inputs decide."""

    harmless: ClassVar[frozenset[Kind]] = frozenset()
    values: tuple[Value, ...] = field(compare=False)
    contract: Contract

    @property
    def identity(self) -> tuple[Op, type]:
        """One for each op and sort."""
        return self.op, type(self.contract)

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Judged by what the call hands in; the caller inherits what its own inputs decide."""
        if not is_told(site, self.dependences):
            return
        values = tuple(map(site.value, self.values))
        make = self.contract.broken(values, TypeComparison(site.frame.program.table, site.frame.live().contents))
        if make is not None:
            chain = site.chain
            yield Finding((type(self.contract), self.op, ()), lambda: make(Context(None, chain)))
        elif sources := inputs_in(values):
            yield replace(self, values=values, dependences=sources)


def is_told(site: CallSite, dependences: Dependences) -> bool:
    """Does a call say anything of inputs of the callee, or hand on what its own callers may tell?"""
    for source in dependences:
        if isinstance(source, Input):
            actual = site.resolve(source)
            if actual is None:
                if not site.is_owned(source):
                    return True
            elif actual.kind is INPUT:
                if actual.payload is not None or actual.like is not None or actual.dtype is not None:
                    return True
            elif actual.kind is not UNKNOWN:
                return True
    return False


def comparison_in(frame: Frame) -> TypeComparison:
    """How values are compared here."""
    return TypeComparison(frame.program.table, frame.live().contents)


def require(frame: Frame, op: Op, contract: Contract, *values: Value) -> bool:
    """Report values that certainly break a contract, and return whether they do; what inputs decide is left to the
    callers.
    """
    if frame.context.is_unstaged or frame.context.is_prepared or is_left_out(frame.live().path):
        return False
    make = contract.broken(values, comparison_in(frame))
    if make is not None:
        emit(frame, (type(contract), op, ()), lambda: make(Context()))
    elif sources := inputs_in(values):
        leave(frame, NeedsContract(op, sources, values, contract))
    return make is not None


def inputs_in(values: tuple[Value | None, ...], depth: int = 0) -> frozenset[Input]:
    """The inputs of the function that decide what some values are."""
    found: set[Input] = set()
    for value in values:
        if value is None:
            continue
        if value.kind in MAY_BE_ARRAY:
            like = value.like
            source = value.payload if like is None else like
            if isinstance(source, Input):
                found.add(source)
            elif isinstance(like, ShapeOf):
                found |= inputs_in(like.operands, depth + 1)
            if isinstance(value.dtype, Promotion):
                found.update(_inputs_of(value.dtype))
        elif isinstance(value.payload, KeyPart):
            found |= inputs_in((value.payload.whole,), depth + 1)
        elif isinstance(value.payload, Compound) and depth < MAXIMUM_DEPTH:
            found |= inputs_in(tuple(value.payload.held()), depth + 1)
    return frozenset(found)


def _inputs_of(dtype: Promotion) -> Iterator[Input]:
    for one in dtype.operands:
        source = one.source if isinstance(one, NamedDtype) else one
        if isinstance(source, Promotion):
            yield from _inputs_of(source)
        elif isinstance(source, Input):
            yield source
