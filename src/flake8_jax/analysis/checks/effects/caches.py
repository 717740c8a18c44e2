"""Results that Python keeps: of properties and functions under a cache, where they are computed in traced code.

@cached_property
def table(self): return jnp.arange(self.n)      read under `jit` first, it keeps a tracer for every later reader
@lru_cache
def scaled(x, n): return x * n                  a tracer for `x` cannot be hashed
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments, Decorated, InstanceOf, Wrapped, underlying
from flake8_jax.analysis.checks.effects.outer_writes import home_of
from flake8_jax.analysis.checks.effects.written import Manner, OuterWrite
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import CONSTRUCTORS, lookup
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import MAY_HOLD_ARRAYS
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import NONE, certain, context_of, unite
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass, replace

CacheForm: TypeAlias = Literal["memo", "cached property", "cached function", "unhashable"]
CACHED: dict[Manner, CacheForm] = {"cached property": "cached property", "cached function": "cached function"}
"""The manners of writes that a cache makes, each with its form."""

CACHES = frozenset(("functools.cache", "functools.lru_cache"))


@dataclass(frozen=True, slots=True)
class TracerCached:
    """A tracer is kept by a cache that outlives the trace, or is `unhashable` where a cache looks for it.

    `cached` is the text of what is read again later, or of the function.
    """

    op: Op
    cache: CacheForm
    cached: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsHashable(Need):
    """The arguments of a function under a cache must be hashable, which tracers are not."""

    callee: str

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a tracer."""
        held = site.held(self.dependences, True, True)
        token = certain(held)
        if token is not None:
            event = TracerCached(self.op, "unhashable", self.callee, context_of(token, site.chain))
            yield Finding((TracerCached, self.op, ()), lambda: event)
        elif held:
            yield replace(self, dependences=held)


def note_property(frame: Frame, op: Op, base: Value, bound: Value) -> None:
    """Note that reading a cached property keeps what it computes."""
    payload = bound.payload
    if type(payload) is not Decorated or payload.decorator != "cached property" or frame.parent is None:
        return
    function = underlying(payload.callee)
    if function is None or type(op) is not ops.Attr or _is_read_at_once(frame, base, op.name):
        return
    home = home_of(frame, op.base, base)
    if home is not None and _makes_array(summary_of(frame.program, function)) and frame.ambient:
        leave(frame, OuterWrite(op, op, frame.function, home, "cached property", frame.ambient, ""))


def note_cached_call(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> None:
    """Note a call of a function under a cache: of its arguments, and of arrays that it makes."""
    dependences = NONE
    for value in arguments.values():
        if value.kind in MAY_HOLD_ARRAYS:
            dependences = unite(dependences, dependences_of(value))
    text = callee_text(op, "the cached function")
    if dependences:
        token = certain(dependences)
        if token is not None:
            event = TracerCached(op, "unhashable", text, context_of(token))
            emit(frame, (TracerCached, op, ()), lambda: event)
        else:
            leave(frame, NeedsHashable(op, dependences, text))
    function = underlying(wrapped.callee)
    if function is None or frame.parent is None or not frame.ambient:
        return
    if _makes_array(summary_of(frame.program, function)):
        home = function.frame.function.scope
        if home is not frame.function.scope:
            leave(frame, OuterWrite(op, op, frame.function, home, "cached function", frame.ambient, ""))


def _makes_array(summary: Summary) -> bool:
    """Does a function return an array that it makes, or what it makes of one that another cache keeps?"""
    if summary.returns is not None and dependences_of(summary.returns) & summary.ambient:
        return True
    return any(write.manner in CACHED for write, _ in summary.requires.effects.of(OuterWrite))


def _is_read_at_once(frame: Frame, base: Value, name: str) -> bool:
    """Does the constructor of an object read a property already?"""
    if type(base.payload) is not InstanceOf:
        return False
    for constructor in CONSTRUCTORS:
        bound = lookup(base.payload.owner, constructor)
        function = underlying(bound) if bound is not None else None
        if function is not None and any(name == one for _, one in summary_of(frame.program, function).uses.lookups):
            return True
    return False
