"""Arguments of a call that nobody sees: unknown ones for what a transformed function requires."""

from __future__ import annotations

from flake8_jax.analysis.callables import (
    OPTIONAL,
    OVERRIDABLE,
    Arguments,
    InstanceOf,
    MethodRun,
    Partial,
    Wrapped,
    layers,
    shown_as,
)
from flake8_jax.domain.kinds import HOST_CONSTANTS, INPUT, INSTANCE
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops


def anonymous_arguments(wrapped: Value) -> Arguments:
    """Unknown arguments for the required parameters of a callable, by position."""
    function = shown_as(wrapped)
    assert function is not None
    parameters = [p for p in function.function.parameters if p.kind in ("positional", "normal")]
    keyword_only = [p for p in function.function.parameters if p.kind == "keyword"]
    bound, before, named = _bound(wrapped)
    positional = [Value(INPUT)] * before
    for place, parameter in enumerate(parameters[bound:], bound):
        if parameter.name in named or parameter.default is not None:
            break
        if place == 0 and function.owner is not None and function.receiver == "instance":
            positional.append(Value(INSTANCE, NONE, InstanceOf(function.owner)))
        else:
            positional.append(Value(INPUT))
    is_open = any(isinstance(layer, Partial) and layer.arguments.is_open for layer in layers(wrapped))
    asked = () if is_open else keyword_only  # `partial(f, **options)` may bind all that have a name alone
    keywords = {p.name: Value(INPUT) for p in asked if p.default is None and p.name not in named}
    for place, parameter in enumerate([*parameters[bound:], *keyword_only], before):
        default = function.defaults.get(parameter.name)
        if default is not None and parameter.name not in named and _may_differ(wrapped, parameter, place, default):
            keywords[parameter.name] = unknown(OPTIONAL if default.constant is None else OVERRIDABLE)
    return Arguments(tuple(positional), keywords)


def _bound(wrapped: Value) -> tuple[int, int, set[str]]:
    """How many parameters are bound by position, how many arguments stand before them, and the names that are bound."""
    bound, before, named = 0, 0, set[str]()
    for layer in layers(wrapped):
        if isinstance(layer, Partial):
            bound += len(layer.arguments.positional)
            named |= set(layer.arguments.keywords)
        elif isinstance(layer, MethodRun):
            before = max(len(layer.before) - bound, 0)
            bound = max(bound - len(layer.before), 0)
    return bound, before, named


def _may_differ(wrapped: Value, parameter: ops.Parameter, place: int, default: Value) -> bool:
    """May a caller legally override a default of the host on whose value the code branches?

    Under `jit` and `vmap`, itself or under other transforms, a flag that is not static is its default or a tracer, on
    which the code must not branch.
    """
    if default.kind not in HOST_CONSTANTS:
        return False
    if default.constant is None:
        return True
    for layer in layers(wrapped):
        if isinstance(layer, Partial):
            place += len(layer.arguments.positional)
        elif isinstance(layer, Wrapped) and _traces(layer, parameter.name, place):
            return False
    return True


def _traces(wrapped: Wrapped, name: str, place: int) -> bool:
    """Is what a call passes for a parameter a tracer in the function that a transform wraps?"""
    applied, transform = wrapped.applied, wrapped.applied.transform
    is_static = applied.may_be_static(name, place)
    return not is_static and transform.stage in ("staged", "mapped") and transform.keeps != "non-arrays"
