"""Measures a transform's options: which must be concrete, refuse lists, or declare arguments static or unmapped.

Each is found by giving the argument another value and comparing with the usual call:

    traced     lax.scan(f, init, xs, length=TRACED)        refused, and 3 is not: `length!`
    listed     lax.scatter_apply([0.25, 0.5], ...)         refused, as list and as tuple: `operand*`
    static     jax.jit(f, static_argnums=0)(0.5, y)        0.5 arrives as it is
    unmapped   jax.vmap(f, in_axes=(None, 0))(xs, ys)      xs arrives whole
    kept       equinox.filter_jit(f)([x, "text"])          "text" arrives as it is
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass

import jax
import jax.numpy as jnp

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.notation import shown
from flake8_jax.runtime.measuring.transforming.calling import evaluated
from flake8_jax.runtime.measuring.transforming.recording import CallRecording, Changes, signature_of
from flake8_jax.runtime.measuring.transforming.seen import DescribedValue

FLOAT, TEXT = 0.71875, "text"
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Usual:
    """A working call of a transform, with its recordings: eager and traced."""

    text: str
    transform: Foreign
    eager: CallRecording
    traced: CallRecording

    def parameters(self) -> list[inspect.Parameter]:
        """The parameters of the transform."""
        signature = signature_of(self.transform)
        return list(signature.parameters.values()) if signature else []

    def again(self, changes: Changes) -> CallRecording:
        """The same call with changes, traced if possible."""
        names = None if self.traced.error is None else frozenset[str]()
        return evaluated(self.text, self.transform, changes, traced=names)


def signature_row(usual: Usual) -> str:
    """The parameters in the notation of a row, with marks."""
    parameters = [p for p in usual.parameters() if p.name not in ("self", "cls")]
    while parameters and _is_private_end(parameters):
        parameters.pop(_private_place(parameters))
    return shown(parameters, {parameter.name: marks_of(usual, parameter) for parameter in parameters})


def _private_place(parameters: list[inspect.Parameter]) -> int:
    places = [place for place, p in enumerate(parameters) if p.name.startswith("_") and p.kind is p.KEYWORD_ONLY]
    return places[0] if places else len(parameters) - 1


def _is_private_end(parameters: list[inspect.Parameter]) -> bool:
    last = parameters[_private_place(parameters)]
    return last.name.startswith("_") and last.kind not in VARIADIC


def marks_of(usual: Usual, parameter: inspect.Parameter) -> str:
    """`*` if lists and tuples are refused, `!` if the value must be concrete."""
    if parameter.kind in VARIADIC:
        return ""
    if parameter.name in usual.eager.values:
        value = usual.eager.values[parameter.name]
        if isinstance(value, jax.Array):
            refused = "*" if refuses_lists(usual, parameter.name, value) else ""
            return refused + ("!" if refuses_trace(usual, parameter.name, value) else "")
        if type(value) in (bool, int, float) or _is_whole_tuple(value):
            return "!" if refuses_traced_value(usual, parameter.name, value) else ""
        return ""
    return "!" if any(refuses_traced_value(usual, parameter.name, value) for value in _tried(parameter)) else ""


def _is_whole_tuple(value: Foreign) -> bool:
    return type(value) is tuple and bool(value) and all(type(part) in (bool, int) for part in value)


def _tried(parameter: inspect.Parameter) -> Iterator[Foreign]:
    """Values that an argument may have that is left out."""
    if type(parameter.default) in (bool, int, float):
        yield parameter.default
    elif parameter.default is None:
        annotation = str(parameter.annotation)
        if parameter.annotation is parameter.empty or "int" in annotation or "bool" in annotation:
            yield 3
            yield 1


def refuses_lists(usual: Usual, name: str, value: Foreign) -> bool:
    """Does the transform itself refuse a list of numbers, a list of arrays and a tuple? A refusal by a function does
    not count."""
    numbers = jax.device_get(value).tolist()
    listed = [numbers] if not isinstance(numbers, list) else numbers
    for instead in ([value, value], listed, tuple(listed)):
        record = usual.again(Changes(arguments={name: instead}))
        if record.error is None or record.faults:
            return False
    return True


def refuses_trace(usual: Usual, name: str, value: Foreign) -> bool:
    """Does the call fail if only this parameter's array is traced?"""
    if usual.traced.error is None:
        return False
    record = evaluated(usual.text, usual.transform, traced=frozenset(), extra={name: value})
    return record.error is not None and not record.faults


def refuses_traced_value(usual: Usual, name: str, value: Foreign) -> bool:
    """Does this value work, but fail when it is traced?"""
    with_value = usual.again(Changes(arguments={name: value}))
    if with_value.error is not None:
        return False
    traced = evaluated(usual.text, usual.transform, Changes(), extra={name: _as_array(value)})
    return traced.error is not None and not traced.faults


def _as_array(value: Foreign) -> Foreign:
    return tuple(map(jnp.asarray, value)) if isinstance(value, tuple) else jnp.asarray(value)


def statics_of(usual: Usual) -> list[str]:
    """The parameters that declare arguments of the wrapped function static, given by position or by keyword."""
    count = len(usual.eager.wrapped_given or ())
    manners = [(place, False) for place in range(count)] + [(count - 1, True)] * (count > 1)
    traced = [manner for manner in manners if not _arrives_concrete(usual, {}, *manner)]
    return [
        parameter.name for parameter in _free(usual)
        if any(_arrives_concrete(usual, {parameter.name: value}, place, named)
               for place, named in traced for value in _static_values(place, named))
    ]  # fmt: skip


def _static_values(place: int, named: bool) -> Iterator[Foreign]:
    yield (f"a{place}",)
    if not named:
        yield from (place, (place,), {place})
        if place:
            yield (place - 1,)


def _free(usual: Usual) -> list[inspect.Parameter]:
    """The parameters that the usual call has no argument for."""
    return [p for p in usual.parameters() if p.kind not in VARIADIC and p.name not in usual.eager.values]


def _arrives_concrete(usual: Usual, arguments: dict[str, Foreign], place: int, named: bool) -> bool:
    """Does a float that is given as this argument of the wrapped function arrive as it is?"""
    count = len(usual.eager.wrapped_given or ())

    def given(args: tuple[Foreign, ...]) -> tuple[tuple[Foreign, ...], dict[str, Foreign]]:
        if named:
            return args[:place], {f"a{place}": FLOAT}
        return tuple(FLOAT if at == place else value for at, value in enumerate(args)), {}

    record = usual.again(Changes(arguments=arguments, wrapped=given, arity=count))
    probed = record.functions[:1]
    runs = [seen for function in probed for run in function.arguments for seen in run]
    runs += [seen for function in probed for run in function.keywords for seen in run.values()]
    arrived = any(leaf.thing == repr(FLOAT) for seen in runs for leaf in seen.leaves)
    return arrived and True in record.traced


def axes_of(usual: Usual, statics: list[str]) -> str:
    """The parameter that leaves an argument of the wrapped function unmapped if it is None."""
    given = usual.eager.wrapped_given or ()
    arrived = [place for place in range(len(given)) if _arrival(usual.eager, place)]
    mapped = [place for place in arrived if not _whole(usual.eager, place)]
    for parameter in (free for free in _free(usual) if free.name not in statics):
        for place in mapped:
            axes = tuple(None if at == place else 0 for at in range(len(given)))
            for tried in (axes, axes[1:]):
                record = usual.again(Changes(arguments={parameter.name: tried}))
                if record.error is None and _whole(record, place):
                    return parameter.name
    return ""


def _arrival(record: CallRecording, place: int) -> DescribedValue | None:
    runs = record.functions[0].arguments if record.functions else []
    return runs[0][place] if runs and len(runs[0]) > place else None


def _whole(record: CallRecording, place: int) -> bool:
    arrived, given = _arrival(record, place), record.wrapped_given
    return given is not None and arrived is not None and arrived.is_like(given[place])


def keeps_of(usual: Usual) -> str:
    """The word "non-arrays" if arguments that are no arrays stay untraced."""
    for in_results in (False, True):
        changes = Changes(altered=lambda array: [array, TEXT], restored=_restored, in_results=in_results)
        record = evaluated(usual.text, usual.transform, changes)
        runs = [seen for probed in record.functions for run in probed.arguments for seen in run]
        kept = any(_holds_both(seen) for seen in runs)
        if record.error is None and kept:
            return "non-arrays"
    return ""


def _holds_both(seen: DescribedValue) -> bool:
    """Is the text there, and is what stands beside it traced?"""
    return any(leaf.thing == repr(TEXT) for leaf in seen.leaves) and any(leaf.traced for leaf in seen.leaves)


def _restored(value: Foreign) -> Foreign:
    kept = isinstance(value, list) and len(value) == 2 and value[1] == TEXT
    return value[0] if kept else value


def always_an_array(usual: Usual) -> bool:
    """Is the result an array even if functions return containers, or are these refused?"""
    if any(leaf.abstract for value in usual.eager.given.values() for leaf in value.leaves):
        return False
    changes = {number: (lambda result: {"a": result}) for number in range(len(usual.eager.functions))}
    record = usual.again(Changes(results=changes))
    result = record.wrapped_result if usual.eager.wrapped_result else record.result
    if record.error is None:
        return result is not None and result.is_leaf()
    return all(not result.parts for probed in usual.eager.functions for result in probed.results)
