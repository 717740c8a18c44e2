"""Writes of a function into what outlives a call of it: its inputs, and the variables around it.

    LOG = []
    def keep(self, x):
        self.last = x       into an input: attribute `last` of `self`
        LOG.append(x)       into a variable of the module
        kept = [x]          into neither: nothing is recorded

Whether such a write is a hazard, only the trace shows in which it happens (`analysis/checks/effects/escapes.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.domain.effects import Room
from flake8_jax.domain.staging import Dependences, Input
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass

Manner: TypeAlias = Literal["name", "attribute", "item", "method", "cached property", "cached function", "stream"]
ChangeForm: TypeAlias = Literal["", "changed", "noted", "constant", "rebound"]

WriteTarget: TypeAlias = Input | Scope
"""The input that is changed, or the scope of the variable by which what is changed was reached."""


@dataclass(frozen=True, slots=True)
class OuterWrite(LatentEvidence):
    """A write of `function` at `op`, which names what is changed.

    `dependences`: those of what is kept; `change`: beside what is kept, something is added to or taken from what was
    there, what is no constant is added, a constant is put there, or a name or option of a module is bound again.
    `is_shown` to be a container, or no container is needed.  `statement` is the whole statement or call.
    """

    asks: ClassVar = "`{0.op}` changes what outlives the call", "a trace"
    room: ClassVar[Room] = "write"
    statement: Op
    function: Function
    target: WriteTarget
    manner: Manner
    dependences: Dependences
    change: ChangeForm
    is_shown: bool = True

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in a trace, else a write of the caller, if it is nothing of its own that is changed."""
        return site.written(self)
