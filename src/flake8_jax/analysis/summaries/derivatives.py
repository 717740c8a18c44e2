"""Preconditions of the functions that a derivative runs: they hold where the derivative is taken.

clipped.defvjp(forward, backward)
def loss(x): return clipped(x)          `forward` needs x to be concrete, if x is differentiated: inherited
jax.jit(jax.grad(loss))                 x is differentiated, and a tracer of `jit`: the event is reported
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.domain.staging import Dependences, Input, Token
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UnderDerivative(Need):
    """A precondition that holds if one of the values `under` is differentiated.

    `is_here`: these are values of the call, and not of the function.
    """

    needed: Need
    under: Dependences
    is_here: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """What comes of it where a derivative is taken; the caller inherits it where that is not known."""
        under = self.under if self.is_here else site.held(self.under, True)
        if any(type(array) is Token and array.stage == "differentiated" for array in under):
            yield from self.needed.at(site)
        elif any(type(array) is Input for array in under):
            for outcome in self.needed.at(site):
                if isinstance(outcome, Need):
                    yield UnderDerivative(outcome.op, outcome.dependences, outcome, under)
