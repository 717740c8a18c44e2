"""Asks at a call whether it takes a derivative of a function's result, and with respect to which inputs.

def loss(p, x):                     needs that nobody differentiates its result by p
    return f(p, x), {"norm": g(p)}
jax.grad(loss, has_aux=True)(p, x)  by p, of the result at [0] alone
"""

from __future__ import annotations

from typing import NamedTuple

from flake8_jax.analysis.callables import Partial
from flake8_jax.analysis.checks.derivatives.reaching import places_returned
from flake8_jax.analysis.checks.derivatives.terms import is_stopped
from flake8_jax.analysis.evidence import CallSite
from flake8_jax.analysis.frame import EvaluationContext
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.staging import NONE, OWN_MODES, Dependences, DerivativeMode, Input, Token, derivatives
from flake8_jax.ir.ops import Call, Star
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
    site: CallSite, of: Dependences, part: int | None, is_declared_enough: bool = False,
    passing: frozenset[DerivativeMode] = frozenset(),
) -> Differentiation | None:  # fmt: skip
    """Whether a call takes a derivative by what some dependences stand for, in a mode that is not `passing`; None if
    nobody does.
    """
    if site.frame.context.has_own_rule or (site.frame.context.is_awaited and site.when):
        return None
    under = moved_here(site, of)
    found = [one for one in derivatives(under) if one.mode not in passing]
    if not found and is_declared_enough:
        found = [one for one in under if type(one) is Token and one.trace.role == DECLARED]
    if found:
        return Differentiation(found[0]) if not site.frame.context.has_auxiliary or part in (0, None) else None
    inputs = frozenset(one for one in under if type(one) is Input)
    places = places_returned(site.frame, site.op, part) if inputs else frozenset[int | None]()
    return Differentiation(None, inputs, places) if places else None


def moved_here(site: CallSite, of: Dependences) -> Dependences:
    """The dependences in terms of the caller through which derivatives flow in a call."""
    call, kept = site.op, of
    bound = _bound_before(site, call) if type(call) is Call and site.frame.state is not None else None
    if type(call) is Call and bound is not None:
        kept = frozenset([one for one in of if type(one) is not Input or not _is_stopped(site, call, one, bound)])
    return site.held(kept, True)


def _bound_before(site: CallSite, call: Call) -> int | None:
    """How many arguments a call of the function itself, or of a method, has bound before those that are written one by
    one; None for another call.
    """
    callee = peek(site.frame, call.func) if Star not in map(type, call.args) else None
    payload = callee.payload if callee is not None else None
    if isinstance(payload, Partial) and not payload.arguments.keywords:
        return len(payload.arguments.positional) if payload.callee.payload is site.function else None
    return 0 if callee is not None and payload is site.function else None


def _is_stopped(site: CallSite, call: Call, source: Input, bound: int) -> bool:
    """Is the argument written as something through which no derivative flows, such as `stop_gradient(x)`?"""
    name = site.owned.get(source)
    if name is None:
        return False
    parameters = site.function.function.parameters
    places = [one.name for one in parameters if one.kind in ("positional", "normal")]
    place = places.index(name) - bound if name in places else len(call.args)
    written = call.args[place] if 0 <= place < len(call.args) else dict(call.keywords).get(name)
    return written is not None and is_stopped(site.frame, written)
