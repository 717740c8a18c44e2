"""Carries of loops under `shard_map` that are the same on each device at first, and not after a turn.

@partial(jax.shard_map, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
def total(xs):
    start = jnp.zeros(())                                   the same on each device
    return lax.scan(lambda c, x: (c + x, c), start, xs)     `c + x` is not: JAX refuses the loop
    start = lax.pcast(jnp.zeros(()), ("x",), to="varying")  this is what is wanted

Evidence is a carry that is written out where the loop is, and what becomes of it by an argument that is split among the
devices.  What communicates in the body may make it the same again: then nothing is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.checks.contracts.axes import AxesMismatch
from flake8_jax.analysis.checks.contracts.meshes import NeedsBound
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import ARRAY, NUMBER, SEQUENCES
from flake8_jax.domain.payload import Untraced
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Input, in_order
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class NeedsUnsplit(Need):
    """Inputs that become part of a carry must be the same on each device; it is made of others `before`."""

    identified_by: ClassVar = attrgetter("op")
    asks: ClassVar = "what the carry of `{0.op}` becomes must not be split", "an argument that is split"
    transform: str
    carry: str
    before: frozenset[Input] = frozenset()

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an argument that is split among devices; for inputs the caller inherits it."""
        passed: set[Input] = set()
        if any(one.name in (site.frame.splits or ()) for one in self.before):
            return
        for source in in_order(self.dependences):
            if site.frame.splits is not None and source.name in site.frame.splits:
                yield Finding((AxesMismatch, self.op, "varying"), partial(self._event, source, site))
                return
            actual = site.resolve(source)
            passed |= (
                {dependence for dependence in dependences_of(actual) if isinstance(dependence, Input)}
                if actual is not None
                else set()
            )
        if passed and site.frame.splits is None:
            yield replace(self, dependences=frozenset(passed))

    def _event(self, source: Input, site: CallSite) -> AxesMismatch:
        name = f"`{source.name}`"
        instead = f'use `jax.lax.pcast({self.carry}, ..., to="varying")` with the names of the axes'
        context = Context(None, site.chain)
        return AxesMismatch(self.op, "varying", self.transform, "", f"`{self.carry}`", name, instead, context)


def check_sharded_carry(
    frame: Frame, op: Op, carry: Value, carried: Value, callees: Collection[Summary], text: str
) -> None:
    """Leave it to the callers whether a carry varies after a turn that does not before it."""
    if frame.parent is None or frame.context.is_prepared:
        return
    found = next(_changing(carry, carried), None)
    if found is None or any(callee.requires.effects.count(NeedsBound) for callee in callees):
        return
    first, sources = found
    made, before = first.made_by, _inputs(first)
    leave(frame, NeedsUnsplit(op, sources, text, phrase(made) if made is not None else "the carry", before))


def _changing(carry: Value, carried: Value) -> Iterator[tuple[Value, frozenset[Input]]]:
    """The parts of a carry that are written out, with the inputs on which they depend after a turn."""
    if carry.kind in SEQUENCES and carry.elements is not None and carried.elements is not None:
        for one, other in zip(carry.elements, carried.elements):
            yield from _changing(one, other)
    elif _is_written_out(carry):
        sources = _inputs(carried) - _inputs(carry)
        if sources:
            yield carry, sources


def _is_written_out(value: Value) -> bool:
    """Is it a number, or an array that one call makes of values of the host?"""
    is_of_host = isinstance(value.payload, Untraced)
    return value.kind is NUMBER or (value.kind is ARRAY and type(value.made_by) is ops.Call and is_of_host)


def _inputs(value: Value) -> frozenset[Input]:
    return frozenset(dependence for dependence in value.dependences if isinstance(dependence, Input))
