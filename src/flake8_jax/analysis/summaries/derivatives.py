"""Preconditions of the functions that a derivative runs: they hold where the derivative is taken.

clipped.defvjp(forward, backward)
def loss(x): return clipped(x)          `forward` needs x to be concrete, if x is differentiated: inherited
jax.jit(jax.grad(loss))                 x is differentiated, and a tracer of `jit`: the event is reported
"""

from __future__ import annotations

from dataclasses import dataclass

from flake8_jax.domain.conditions import Path
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Dependences, Input, Token
from flake8_jax.domain.summary import CallSite, Precondition
from flake8_jax.ir.ops import Op


@dataclass(frozen=True, slots=True)
class UnderDerivative:
    """A precondition that holds if one of the values `under` is differentiated."""

    needed: Precondition
    under: Dependences

    @property
    def op(self) -> Op:
        """The op at which it would be reported."""
        return self.needed.op

    @property
    def when(self) -> Path:
        """The path condition under which the op is reached."""
        return self.needed.when

    @property
    def chain(self) -> tuple[Hop, ...]:
        """The calls between the function and the op."""
        return self.needed.chain

    @property
    def dependences(self) -> Dependences:
        """The dependences of the value at issue."""
        return self.needed.dependences

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Apply it where a derivative is taken; the caller inherits it where that is not known."""
        solid, bare = site.dependences(self.under, True)
        apply_under(site, self.needed, solid | bare, when, chain)


def apply_under(
    site: CallSite, needed: Precondition, under: Dependences, when: Path, chain: tuple[Hop, ...]
) -> None:  # fmt: skip
    """Apply a precondition that holds if one of the values `under`, in terms of the caller, is differentiated."""
    if any(type(one) is Token and one.stage == "differentiated" for one in under):
        needed.apply(site, when, chain)
    elif any(type(one) is Input for one in under):
        site.derivative = under
        needed.apply(site, when, chain)
        site.derivative = None
