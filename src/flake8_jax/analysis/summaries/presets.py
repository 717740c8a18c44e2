"""Functions that are run again for what a call presets: callables, names of such, classes, what a closure keeps.

def register(name):                 returns a closure: it is run again for each name that a call passes
    def decorator(f): ...
    return decorator
def total(lib, x):                  calls what a module has: it is run again for `jax.numpy`
    return lib.sum(x)

What is one object for all calls, a name of a library or a text, specializes a function at the top as classes do: it is
run once, whoever calls it so.
"""

from __future__ import annotations

from flake8_jax.analysis.budget import FOR_CALLABLES, FOR_CLASSES, is_beyond, is_too_many
from flake8_jax.analysis.callables import FunctionValue, Partial, Presets, Wrapped, underlying
from flake8_jax.analysis.checks.naming import names_key
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.making import MAXIMUM_SPECIALIZED
from flake8_jax.analysis.summaries.specialization import specialized
from flake8_jax.domain.flags import texts_of
from flake8_jax.domain.kinds import ANY_FUNCTION, API, ARRAY, CLASS, FUNCTIONS, KEYS_OR_INPUT, RANDOM_KEYS, UNDETERMINED
from flake8_jax.domain.payload import MethodOf
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import chains_of

MAXIMUM_PRESET = 10
"""How many runs for what calls preset one record asks for: no function of seven projects asks for more."""


def preset(frame: Frame, function: FunctionValue, general: Summary, bound: dict[str, Value]) -> Summary:
    """The summary for the callables that are passed, if the function calls or transforms a parameter."""
    made = _function_made(general, function)
    if not (general.uses.called or general.uses.reflected or made) or frame.program.nesting > 12:
        return general
    names = {source.name for source, _ in general.uses.called if source.parent is None}
    asked = {source.name for source, _ in general.uses.called if source.parent is not None}
    if made is not None:
        known = [(n, v) for n, v in bound.items() if v.kind not in UNDETERMINED or names_key(n)]
        kept = [(n, v) for n, v in known if v.kind not in KEYS_OR_INPUT or _keeps(made.frame, n, v)]
        return _specialized(frame, function, general, tuple(kept))
    classes = {source.name for source in general.uses.reflected if source.parent is None}
    given = [(name, _one_for_all(frame, value)) for name, value in bound.items() if name in names and _is_chosen(value)]
    given += [(name, value) for name, value in bound.items() if name in classes and value.kind is CLASS]
    if asked and not frame.is_expected:  # what it lacks is expected here
        given += [(name, value) for name, value in bound.items() if name in asked and frame.program.is_module(value)]
    return _specialized(frame, function, general, tuple(dict(given).items()))


def _one_for_all(frame: Frame, value: Value) -> Value:
    """The value under which the specialization is looked up: one object for equal texts and names of libraries."""
    known = value.constant
    return frame.program.text(known) if isinstance(known, str) else value


def _is_shared(frame: Frame, value: Value) -> bool:
    """Is it one object for all calls that pass it: a name of a library, or a text?"""
    known = value.constant
    return value.kind is API or (isinstance(known, str) and frame.program.text(known) is value)


def _is_chosen(value: Value) -> bool:
    """Is it a callable, or a name by which one is looked up?"""
    return value.kind in ANY_FUNCTION or bool(texts_of(value.payload))


def _function_made(general: Summary, function: FunctionValue) -> FunctionValue | None:
    """The closure that it returns, which may capture its arguments."""
    made = underlying(general.returns) if general.returns is not None else None
    return made if made is not None and made.frame.function is function.function else None


def _keeps(frame: Frame, parameter: str, key: Value) -> bool:
    """May a function made in a run that has ended keep a key that a call passes for a parameter?

    If no name that these functions read may hold it, or a key made of it, they are the same for all keys.  What is
    drawn from it is data, of which it counts only whether it is traced.
    """
    given, state, scope = frame.summary.inputs.get(parameter), frame.state, frame.function.scope
    if given is None or state is None:
        return True
    read = [state.names.get(one.name) for one in chains_of(frame.function).captured if one.owner is scope]
    held = [one for one in (*read, *state.heap.values()) if one is None or one.kind is not ARRAY or key.dependences]
    return any(one is None or _may_hold(one, given) for one in held)


def _may_hold(value: Value, key: Value) -> bool:
    """May a value be or hold a key that was handed in, or be made of it?"""
    payload = value.payload
    if isinstance(payload, (Partial, Wrapped)):
        arguments = payload.arguments.values() if isinstance(payload, Partial) else ()
        return any(_may_hold(one, key) for one in (payload.callee, *arguments))
    if type(payload) is MethodOf:
        return _may_hold(payload.base, key)
    if value.kind in FUNCTIONS and type(payload) is not FunctionValue:
        return True
    is_made_of_it = value is key or value.kind in RANDOM_KEYS or bool(value.dependences & key.dependences)
    return is_made_of_it or any(_may_hold(part, key) for part in value.parts)


def _specialized(frame: Frame, function: FunctionValue, general: Summary, presets: Presets) -> Summary:
    if not presets:
        return general
    record = frame.program.record
    before = record.specialized[function.function]
    most = MAXIMUM_SPECIALIZED if record.preset < MAXIMUM_PRESET else 0
    is_shared = all(_is_shared(frame, value) for _, value in presets)
    if is_shared and function.is_top_level:
        given = dict(function.given)
        given.update(((name, ()), value) for name, value in presets)
        made = specialized(frame, function, given, most)
        record.preset += record.specialized[function.function] - before
        return general if made is function else summary_of(frame.program, made)
    if (function, presets) not in record.summaries:
        allowance = FOR_CLASSES if is_shared else FOR_CALLABLES
        if is_too_many(record, before >= most) or is_beyond(frame.program, function.function, allowance):
            return general
        record.specialized[function.function] += 1
        record.preset += 1
    return summary_of(frame.program, function, presets)
