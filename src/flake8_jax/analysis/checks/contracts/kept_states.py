"""States of networks that hold an integer, differentiated by.

def forward(x):
    return hk.BatchNorm(True, True, 0.9)(x, True)       keeps a counter in the state
net = hk.transform_with_state(forward)
def loss(params, state, x):
    y, state = net.apply(params, state, None, x)        needs that nobody differentiates by `state`
    return y.sum(), state
jax.grad(loss, argnums=(0, 1), has_aux=True)(params, state, x)      refused
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.differentiated import DISCRETE, IntegerDifferentiated
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Input, derivatives
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, replace

ALWAYS_KEPT, STATE = "counter", "state"


@dataclass(frozen=True, slots=True)
class IntegerKept(LatentEvidence):
    """An integer in the state of the network that runs, by a call of `by`: an effect that callers inherit."""

    identified_by: ClassVar = attrgetter("__class__")
    is_told: ClassVar[bool] = False
    by: str


@dataclass(frozen=True, slots=True)
class NeedsNoDerivative(Need):
    """Nobody must differentiate by a state that holds an integer, which `by` keeps there."""

    asks: ClassVar = "no derivative may be taken by `{0.op}`", "differentiated by"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    source: Input
    by: str

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a state that is differentiated."""
        actual = site.resolve(self.source)
        if actual is None or site.frame.is_expected or site.frame.context.is_awaited:
            return
        token = next(iter(derivatives(actual.dependences)), None)
        if token is not None:
            place = site.source_of(self.source) or site.op
            given = f"a state that holds an integer (`{self.by}` keeps one there)"
            make = partial(
                IntegerDifferentiated, place, token.trace.shown, token.trace.function, phrase(place), 0, "", given,
                Context(None, site.chain),
            )  # fmt: skip
            yield Finding((IntegerDifferentiated, place, ""), make)
        elif (behind := actual.original.input) is not None:
            yield replace(self, source=behind, dependences=frozenset((behind,)))


def note_kept(frame: Frame, op: Op, name: str, word: str, arguments: Arguments) -> None:
    """Note a call that keeps an integer in the state of the network: always, or if an argument says so."""
    said = arguments.get(2, word)
    is_integer = said is not None and said.name.rpartition(".")[2].startswith(DISCRETE)
    if word == ALWAYS_KEPT or is_integer:
        leave(frame, IntegerKept(op, phrase(op.func) if type(op) is ops.Call else name))


def check_state(frame: Frame, op: Op, names: tuple[str, ...], arguments: Arguments, kept: IntegerKept | None) -> None:
    """Look at the state that a network gets which keeps an integer there."""
    if kept is None or STATE not in names or frame.context.is_prepared:
        return
    place = names.index(STATE)
    value, written = arguments.get(place, STATE), arguments.written(place, STATE)
    source = value.original.input if value is not None else None
    if source is not None and frame.parent is not None:
        leave(frame, NeedsNoDerivative(written or op, frozenset((source,)), source, kept.by))
