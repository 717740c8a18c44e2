"""Binding the arguments of a call to the parameters of a function."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, FunctionValue
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.domain.folding import bounded
from flake8_jax.domain.kinds import DICT, TUPLE
from flake8_jax.domain.payload import Elements, entries, keyed
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value, unknown


def misfit(function: FunctionValue, arguments: Arguments) -> str:
    """Why a call raises or must be one of something else than a function as it is written; "" if it may be one.

    An argument is passed by position and by name, one has no parameter, or one is missing.
    """
    parameters = function.function.parameters
    placed = [one for one in parameters if one.kind in ("positional", "normal")]
    count, keywords = len(arguments.positional), arguments.keywords
    if keywords and any(one.kind == "normal" and one.name in keywords for one in placed[:count]):
        return "an argument is passed twice"
    if arguments.is_open:
        return ""
    if count > len(placed) and not any(one.kind == "varargs" for one in parameters):
        return "too many arguments are passed"
    named = {one.name for one in parameters if one.kind != "positional"} & keywords.keys()
    if len(named) < len(keywords) and not any(one.kind == "varkw" for one in parameters):
        return "an argument of another name is passed"
    due = [*placed[count:], *(one for one in parameters if one.kind == "keyword")]
    is_missing = any(one.default is None and one.name not in function.defaults and one.name not in named for one in due)
    return "an argument is missing" if is_missing else ""


def leave_keywords_open(function: FunctionValue, bound: dict[str, Value]) -> None:
    """Of a call that nobody sees it is not known which further keywords are passed."""
    for parameter in function.function.parameters:
        if parameter.kind == "varkw" and not bound[parameter.name].entries:
            bound[parameter.name] = Value(DICT, NONE, None)


def bind_arguments(frame: Frame, function: FunctionValue, arguments: Arguments) -> dict[str, Value]:
    """The values of a function's parameters in one call; defaults for missing arguments."""
    bound: dict[str, Value] = {}
    place = 0
    positional = arguments.positional
    keywords = dict(arguments.keywords)
    for parameter in function.function.parameters:
        name, kind = parameter.name, parameter.kind
        if kind == "varargs":
            parts = None if arguments.is_open else bounded(positional[place:])
            bound[name] = Value(TUPLE, NONE, Elements(parts, "varargs"))
            place = len(positional)
        elif kind == "varkw":
            bound[name] = Value(DICT, NONE, entries(None if arguments.is_open else bounded(keyed(keywords))))
        elif kind != "keyword" and place < len(positional):
            bound[name] = positional[place]
            place += 1
        elif name in keywords and kind != "positional":
            bound[name] = keywords.pop(name)
        elif arguments.is_open:
            bound[name] = note_unknown(frame, "argument of an open call")
        else:
            bound[name] = function.defaults.get(name) or unknown("argument missing")
    return bound
