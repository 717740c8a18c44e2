"""Which argument goes to which parameter."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, FunctionValue
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import DICT, NUMBER, STATIC, TUPLE, Value, unknown


def bind_arguments(
    frame: Frame, function: FunctionValue, arguments: Arguments, is_root: bool = False
) -> dict[str, Value]:
    """The values of a function's parameters in one call; defaults where nothing is given.

    In a call that stands for all calls (`is_root`) a default is only one of the values that may be given.
    """
    bound: dict[str, Value] = {}
    place = 0
    positional = arguments.positional
    keywords = dict(arguments.keywords)
    for parameter in function.function.parameters:
        name, kind = parameter.name, parameter.kind
        if kind == "varargs":
            parts = None if arguments.is_open else positional[place:]
            bound[name] = Value(TUPLE, NONE, "varargs", parts)
            place = len(positional)
        elif kind == "varkw":
            bound[name] = Value(DICT, NONE, None, None if arguments.is_open else keywords)
        elif kind != "keyword" and place < len(positional):
            bound[name] = positional[place]
            place += 1
        elif name in keywords and kind != "positional":
            bound[name] = keywords.pop(name)
        elif arguments.is_open:
            bound[name] = lost(frame, "argument of an open call")
        else:
            bound[name] = _default(function, name, is_root)
    return bound


def _default(function: FunctionValue, name: str, is_root: bool) -> Value:
    default = function.defaults.get(name)
    if default is None:
        return unknown("argument missing")
    if is_root and default.kind in (NUMBER, STATIC):
        return unknown("default may be overridden")
    return default
