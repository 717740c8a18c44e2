"""Writes under `vmap` to a reference from outside: all lanes would write to the same place.

total = jax.new_ref(0.0)
def add(x):
    total[...] += x                 needs that nobody maps it by x, up to the function that made `total`
jax.vmap(add)(xs)                   refused
jax.lax.scan(add, None, xs)         legal: one after the other

A reference that is mapped along with the rest, or made on each lane, may be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.derivatives.modes import ModeRefused
from flake8_jax.analysis.checks.effects.outer_writes import home_of, scope_holding
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import INPUT, MAY_BE_REFERENCE, REF, Kind
from flake8_jax.domain.payload import STORAGE
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Dependences, Input, Token, of_stage, unite
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class NeedsNoLanes(Need):
    """What is written to a reference must not be mapped, unless that is, too.

    `source`: the reference is this input; else it is held by a function around, which is `home`.
    """

    asks: ClassVar = "what `{0.op}` gets must not be mapped", "mapped by `vmap`"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    source: Input | None = None
    home: Scope | None = field(default=None, compare=False)

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated where what is written is mapped; the caller inherits it until it made the reference itself."""
        source, home, is_mine = self.source, self.home, False
        if source is not None:
            actual = site.resolve(source)
            if actual is None or actual.kind not in MAY_BE_REFERENCE or of_stage(actual.dependences, "mapped"):
                return
            home = scope_holding(site, source, actual) if actual.kind is REF else None
            source = actual.input
            if source is None and actual.payload is not STORAGE:
                return
            is_mine = source is None and home is None
        dependences = site.held(self.dependences, True)
        token = of_stage(dependences, "mapped")
        if token is not None and source is None and not site.frame.is_expected:
            yield Finding((ModeRefused, self.op, "write"), partial(_event, self.op, token, site.chain))
        elif not is_mine and not (home is not None and site.frame.function.scope is home):
            inputs: Dependences = frozenset(
                dependence for dependence in dependences if type(dependence) is Input or type(dependence) is Token
            )
            if inputs:
                yield replace(self, dependences=inputs, source=source, home=home)


def check_item(frame: Frame, target: ops.Item, base: Value, index: Value, value: Value) -> None:
    """Check a store into an item of a reference: it must not happen in mapped lanes."""
    _check(frame, target, base, (index, value))


def check_call(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Check a call of a function that writes to the reference passed first."""
    if frame.program.table.writes(name) and arguments.positional:
        _check(frame, op, arguments.positional[0], arguments.values()[1:])


def check_method(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> None:
    """Check a method of a reference that writes to it."""
    if frame.program.table.writes(f"jax.ref.{name}"):
        _check(frame, op, base, arguments.values())


def _check(frame: Frame, op: Op, base: Value, given: Iterable[Value]) -> None:
    is_input = base.kind is INPUT and base.input is not None and frame.namespace.file.makes_references
    is_outer = base.kind is REF and base.payload is STORAGE and base.input is None
    if frame.parent is None or frame.context.is_prepared or not (is_input or is_outer):
        return
    place = op.base if type(op) is ops.Item else op.args[0] if type(op) is ops.Call and op.args else None
    home = home_of(frame, place, base) if is_outer else None
    if is_outer and not isinstance(home, Scope):
        return
    dependences: Dependences = NONE
    for value in given:
        dependences = unite(dependences, dependences_of(value))
    if dependences:
        outer = home if isinstance(home, Scope) else None
        leave(frame, NeedsNoLanes(op, dependences, base.input if is_input else None, outer))


def _event(op: Op, token: Token, chain: tuple[Hop, ...]) -> ModeRefused:
    text = phrase(op.base if type(op) is ops.Item else op.args[0] if type(op) is ops.Call and op.args else op)
    if type(op) is ops.Call and type(op.func) is ops.Attr and op.func.name in ("set", "swap", "addupdate"):
        text = phrase(op.func.base) if phrase(op.func.base) not in ("jax.ref", "ref") else text
    return ModeRefused(op, "write", text, "", Context(token.trace, chain, token.certainty))
