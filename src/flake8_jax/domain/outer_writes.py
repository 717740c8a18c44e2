"""Writes of a function into what outlives a call of it: its inputs, and the variables around it.

    LOG = []
    def keep(self, x):
        self.last = x       into an input: attribute `last` of `self`
        LOG.append(x)       into a variable of the module
        kept = [x]          into neither: nothing is recorded

Whether such a write is a hazard, only the trace shows in which it happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Dependences, Input
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.scope import Scope

Manner: TypeAlias = Literal["name", "attribute", "item", "method", "cached property", "cached function", "stream"]
ChangeForm: TypeAlias = Literal["", "changed", "noted", "constant", "rebound"]

WriteTarget: TypeAlias = Input | Scope
"""The input that is changed, or the scope of the variable by which what is changed was reached."""


@dataclass(frozen=True, slots=True)
class OuterWrite:
    """A write of `function` at `op`, which names what is changed.

    `held`: the dependences of what is kept; `change`: beside what is kept, something is added to or taken from what was
    there, what is no constant is added, a constant is put there, or a name or option of a module is bound again.
    `is_shown` to be a container, or no container is needed.  `statement` is the whole statement or call.
    """

    op: Op
    statement: Op
    function: Function
    target: WriteTarget
    manner: Manner
    held: Dependences
    change: ChangeForm
    is_shown: bool = True
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()
