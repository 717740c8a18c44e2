"""Functions that stand for a derivative: they run where the function that they belong to is differentiated.

@jax.custom_vjp
def clipped(x): return x
clipped.defvjp(forward, backward)

jax.jit(clipped)            runs `clipped` alone
jax.grad(clipped)           runs `forward` and `backward` on values
jax.jit(jax.grad(clipped))  runs both on tracers: what they need to be concrete is a hazard
def loss(x): return clipped(x)  inherits that it must be concrete, if it is differentiated
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, FunctionValue, Wrapped, underlying
from flake8_jax.analysis.checks.concrete import NeedsConcrete
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.binding import bind_arguments
from flake8_jax.analysis.summaries.effects import substitute
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.domain.constants import NOTHING, OPEN
from flake8_jax.domain.kinds import INPUT, STATIC, TUPLE
from flake8_jax.domain.payload import Elements
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import NONE, Dependences, Input, Token
from flake8_jax.domain.value import Value, dependences_of, unknown
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass, replace

DEFINING: dict[str, tuple[str, ...]] = {
    "jax.custom_vjp.defvjp": ("fwd", "bwd"),
    "jax.custom_jvp.defjvp": ("jvp",),
    "jax.custom_jvp.defjvps": (),
}
"""The methods that state a derivative, with the names of their parameters."""


def note_rules(wrapped: Wrapped, name: str, arguments: Arguments) -> Value | None:
    """Record the functions that a method such as `defvjp` states as derivative rules; None if it is no such method."""
    parameters = DEFINING.get(f"{wrapped.applied.transform.name}.{name}")
    if parameters is None:
        return None
    named = [arguments.keywords[parameter] for parameter in parameters if parameter in arguments.keywords]
    rules = wrapped.rules[name] = (*arguments.positional, *named)
    return rules[0] if len(rules) == 1 else Value(STATIC, payload=NOTHING)


def run_rules(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments, ambient: Dependences) -> None:
    """Apply what the functions of a derivative need to be concrete, if the arguments are differentiated."""
    dependences: Dependences = NONE
    for value in arguments.values():
        dependences |= dependences_of(value)
    if arguments.is_open or arguments.keywords or not dependences:
        return
    given, static = tuple(_primal(argument) for argument in arguments.positional), wrapped.applied.static_numbers
    call = _Call(frame, op, wrapped, ambient, dependences)
    fixed = [one for place, one in enumerate(given) if place in static]
    moving = [one for place, one in enumerate(given) if place not in static]
    image = Value(INPUT, ambient, None, op)
    for name, rules in wrapped.rules.items():
        if name == "defvjp" and len(rules) == 2:
            kept = _apply(call, rules[0], given)
            parts = kept.elements if kept is not None else None
            residuals = parts[1] if parts is not None and len(parts) == 2 else unknown("residuals")
            _apply(call, rules[1], (*fixed, residuals, image))
        elif name == "defjvp" and len(rules) == 1:
            tangents = Elements((image,) * len(moving))
            primals = Value(TUPLE, NONE, Elements(tuple(moving)), op)
            _apply(call, rules[0], (*fixed, primals, Value(TUPLE, NONE, tangents, op)))
        elif name == "defjvps":
            for rule in rules:
                _apply(call, rule, (image, image, *given))


def _primal(value: Value) -> Value:
    """What a function of a derivative gets for an argument: a number that is differentiated alone is a number."""
    dependences = dependences_of(value)
    is_plain_input = bool(dependences) and all(
        type(dependence) is Token and dependence.stage == "differentiated" for dependence in dependences
    )
    return Value(STATIC, payload=OPEN) if is_plain_input else value


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


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function with a derivative of its own; `under` are the dependences of its arguments."""

    frame: Frame
    op: Op
    wrapped: Wrapped
    ambient: Dependences
    under: Dependences


def _apply(call: _Call, rule: Value, arguments: tuple[Value, ...]) -> Value | None:
    """Apply the preconditions of one function; what it returns, if that is known."""
    function = rule.payload
    if not isinstance(function, FunctionValue):
        return None
    frame, op = call.frame, call.op
    summary = summary_of(frame.program, function)
    bound = bind_arguments(frame, function, Arguments(arguments))
    site = Substitution(frame, op, summary, bound, call.ambient, function)
    found = underlying(call.wrapped.callee)
    name = found.function.name if found is not None else "<function>"
    hop = Hop(frame.namespace.path, op.anchor.line, f"the derivative of `{name}` runs `{function.function.name}`")
    for needed, effect in summary.requires.effects.of(NeedsConcrete):
        of_values = replace(needed, is_discrete=True)  # what is differentiated alone is a value here
        under = UnderDerivative(needed.op, needed.dependences, of_values, call.under, is_here=True)
        substitute(site, replace(effect, evidence=under), hop)
    return site.value(summary.returns) if summary.returns is not None else None
