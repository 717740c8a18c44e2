"""DemandedOperands that loops and branches of JAX refuse before they run anything.

lax.scan(step, init)                        nothing to scan over: neither `xs` nor `length`
lax.scan(step, init, (jnp.ones(3), jnp.ones(4)))
lax.switch(i, f, g)                         the branches are one list
lax.cond(x > 0, f, g)                       an array of several truths
lax.fori_loop(0, n / 2, body, x)            an integer and a float
def run(f, xs, ys): return lax.scan(f, 0.0, (xs, ys))       precondition: `xs` and `ys` have as many rows
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.advice import repaired
from flake8_jax.analysis.checks.contracts.contract import inputs_in, is_told
from flake8_jax.analysis.checks.contracts.judging import OperandFault, fault_of
from flake8_jax.analysis.checks.contracts.order import check_rows
from flake8_jax.analysis.checks.contracts.places import written
from flake8_jax.analysis.checks.contracts.seen import seen_in
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.lazy_dataclasses import dataclass, field, replace

OF_FUNCTIONS = frozenset(("function", "results"))


@dataclass(frozen=True, slots=True)
class OperandRefused:
    """A loop or branch of JAX refuses an operand.

    `fault` says what is wrong with it; `subject` is its text, `transform` the user's spelling of what refuses it;
    `instead` is what to write, `words` the same without code, `rewrite` the changes that write it.
    """

    op: Op
    fault: OperandFault
    subject: str
    transform: str
    instead: str
    words: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class NeedsOperands(Need):
    """A requirement on operands of a transform that inputs decide: those for the parameters of these `names`."""

    asks: ClassVar = "`{0.op}` must be an operand of `{0.transform.name}`", "one that it refuses"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    call: Op
    transform: Transform
    word: str
    names: tuple[str, ...]
    values: tuple[Value | None, ...] = field(compare=False)
    places: tuple[Op, ...]

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by operands that are known to be refused; what the caller gets, it leaves to its own callers."""
        if not is_told(site, self.dependences):
            return
        values = tuple(None if value is None else site.value(value) for value in self.values)
        operands = seen_in(self.names, values, site.frame.live().contents)
        fault = fault_of(self.word, operands)
        if fault is not None and fault.form != "none":  # it may be a default that is replaced
            place = self.places[self.names.index(fault.parameter)]
            make = partial(_event, place, self.call, self.transform, fault, Context(None, site.chain), None)
            yield Finding((OperandRefused, self.call, self.word), make)
        elif rest := inputs_in(values):
            yield replace(self, dependences=rest, values=values)


def check_operands(frame: Frame, op: Op, transform: Transform, arguments: Arguments, given: dict[str, Value]) -> bool:
    """Report operands that a transform refuses; was one reported? Of inputs, callers are told."""
    for demand in transform.demands:
        if demand.word in OF_FUNCTIONS:
            continue
        values = tuple(map(given.get, demand.parameters))
        operands = seen_in(demand.parameters, values, frame.live().contents)
        fault = fault_of(demand.word, operands)
        if fault is not None:
            if fault.form == "no rows" and check_rows(frame, op, transform, arguments, given):
                return True
            place = written(transform, arguments, fault.parameter) or op
            make = partial(_event, place, op, transform, fault, Context(), arguments)
            emit(frame, (OperandRefused, op, demand.word), make)
            return True
        if frame.parent is not None and (rest := inputs_in(values)):
            names = demand.parameters
            known = tuple([written(transform, arguments, name) or op for name in names])
            leave(frame, NeedsOperands(known[0], rest, op, transform, demand.word, names, values, known))
    return False


def _event(
    place: Op, call: Op, transform: Transform, fault: OperandFault, context: Context, arguments: Arguments | None
) -> OperandRefused:
    instead, words, rewrite = repaired(place, call, transform, fault, arguments)
    text = callee_text(call, transform.name)
    return OperandRefused(place, fault, phrase(place), text, instead, words, context, rewrite)
