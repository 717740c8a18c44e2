"""Binding the arguments of a call to the parameters of a function."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, FunctionValue
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.iteration import renewed
from flake8_jax.analysis.objects.signatures import of_function
from flake8_jax.domain.folding import bounded
from flake8_jax.domain.kinds import DICT, NUMBER, TUPLE
from flake8_jax.domain.payload import VARARGS, Elements, entries, keyed
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value, unknown


def is_refused(function: FunctionValue, arguments: Arguments) -> bool:
    """Does a call of a function as it is written raise, so that it does so or is one of something else?

    Of a call with `*x` or `**x` it is known only that an argument is passed by position and by name.  Where `bind` says
    that all arguments fit, it does not.
    """
    refusal = of_function(function.function).refusal(len(arguments.positional), arguments.keywords)
    return refusal is not None and (refusal.kind == "twice" or not arguments.is_open)


def leave_open(function: FunctionValue, bound: dict[str, Value]) -> None:
    """Of a call that nobody sees it is not known what more is passed, by position or by name, or for a default: nobody
    wrote that number where it is used.
    """
    for parameter in function.function.parameters:
        name, kind = parameter.name, parameter.kind
        if kind == "varkw" and not bound[name].entries:
            bound[name] = Value(DICT, NONE, None)
        elif kind == "varargs" and not bound[name].elements:
            bound[name] = Value(TUPLE, NONE, VARARGS)
        elif bound[name].kind is NUMBER and bound[name] is function.defaults.get(name):
            bound[name] = Value(NUMBER, NONE, bound[name].payload)


def bind_arguments(frame: Frame, function: FunctionValue, arguments: Arguments) -> dict[str, Value]:
    """The values of a function's parameters in one call; defaults for missing arguments."""
    return bind(frame, function, arguments)[0]


def bind(frame: Frame, function: FunctionValue, arguments: Arguments) -> tuple[dict[str, Value], bool]:
    """The values of a function's parameters in one call, and whether each argument has one, and each parameter one that
    needs it.
    """
    bound: dict[str, Value] = {}
    place, is_complete = 0, True
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
            is_given = kind != "keyword" and parameter.default is None
            rest = renewed(arguments.rest) if is_given and arguments.rest is not None else None
            bound[name] = rest or note_unknown(frame, "argument of an open call")
        else:
            is_complete &= parameter.default is not None
            bound[name] = function.defaults.get(name) or unknown("argument missing")
    return bound, is_complete and place == len(positional) and not keywords
