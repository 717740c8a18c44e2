"""Whether a derivative is taken of the result of a function, and by what it depends on: asked at a call.

def loss(p, x):                     needs that nobody differentiates its result by p
    return f(p, x), {"norm": g(p)}
jax.grad(loss, has_aux=True)(p, x)  by p, of the result at [0] alone
"""

from __future__ import annotations

from typing import NamedTuple

from flake8_jax.analysis.frame import EvaluationContext
from flake8_jax.domain.effects import CallSite
from flake8_jax.domain.staging import NONE, OWN_MODES, Dependences, DerivativeMode, Input, Token, derivatives
from flake8_jax.lazy_dataclasses import replace

DECLARED = "declared traced by"
"""The role of what a configuration declares to be traced."""


class Differentiation(NamedTuple):
    """The trace that takes a derivative at a call; or else what the caller depends on, and where its result goes."""

    token: Token | None
    under: Dependences = NONE
    places: frozenset[int | None] = frozenset()


def differentiated(
    context: EvaluationContext, mode: DerivativeMode, has_auxiliary: bool, is_awaited: bool = False,
    is_open: bool = False,
) -> EvaluationContext:  # fmt: skip
    """The context in which a transform calls its function; `is_open` if it is not known by which arguments it goes."""
    if mode in OWN_MODES:
        return replace(context, has_own_rule=True)
    may_be_reversed = context.may_be_reversed or (is_open and mode == "reverse")
    return replace(
        context, is_derivative=True, has_auxiliary=has_auxiliary, is_awaited=is_awaited, may_be_reversed=may_be_reversed
    )


def differentiating(
    site: CallSite, of: Dependences, part: int | None, is_declared_enough: bool = False
) -> Differentiation | None:
    """Whether a call takes a derivative by what some dependences stand for; None if nobody does."""
    if site.has_own_rule or (site.is_awaited and site.when):
        return None
    under = site.moved(of)
    found = derivatives(under)
    if not found and is_declared_enough:
        found = [one for one in under if type(one) is Token and one.trace.role == DECLARED]
    if found:
        return Differentiation(found[0]) if not site.has_auxiliary or part in (0, None) else None
    inputs = frozenset(one for one in under if type(one) is Input)
    places = frozenset(site.places_returned(part)) if inputs else frozenset[int | None]()
    return Differentiation(None, inputs, places) if places else None
