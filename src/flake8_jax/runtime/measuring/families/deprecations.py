"""Deprecated names and parameters of JAX, and removed names with an explanation.

    fact("jax.tree_map") -> {"state": "removed", "says": "jax.tree_map was removed in JAX v0.6.0: use jax.tree.map ..."}
    fact("jax.numpy.clip(a_min)") -> {"state": "deprecated", "says": "Passing arguments 'a', 'a_min' or 'a_max' ..."}

A module keeps such names behind its `__getattr__`; each is asked for, and what is raised or warned is the fact.  Of the
functions, those are called whose source speaks of deprecation, and all that take functions: as they are, and with one
more argument at a time, by keyword, then by position (`"when": "place"`).  What is said then counts if it is not said
without that argument, and names the parameter, or positions.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import jax

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.naming.calling import ProbedCall, callable_names, calls_of, stated
from flake8_jax.runtime.measuring.naming.modules import modules_of_jax
from flake8_jax.runtime.measuring.naming.resolving import named
from flake8_jax.runtime.measuring.naming.watching import quiet
from flake8_jax.runtime.measuring.notation import P
from flake8_jax.runtime.measuring.samples import F1

SECTION = "deprecated"
SPEAKS_OF_IT = re.compile(r"[Dd]eprecat|removed")
SAMPLES: tuple[Foreign, ...] = (True, 0, "linear", "cpu", (0,), F1, jax.devices()[0])
ADVICE = re.compile(r"(?:Please use|Please switch|Please migrate|Used?|Consider|You can use|Pass) ")


def subjects() -> dict[str, str]:
    """The names that modules explain, the functions with deprecations in their source, and their parameters."""
    kept_back = [f"{module}.{name}" for module, names in explained().items() for name in names]
    functions = [name for name in callable_names() if _is_tried(name)]
    parameters = [f"{name}({parameter})" for name in functions for parameter in _optional(name)]
    return dict.fromkeys((*kept_back, *functions, *parameters), "names")


def fact(name: str) -> dict[str, str] | str | None:
    """The state of a name or parameter, and what JAX says; "" if it says nothing."""
    function, _, parameter = name.rstrip(")").partition("(")
    with quiet():
        if not parameter:
            return _of_name(name) or (_of_call(name) if name in callable_names() else "")
        return _of_parameter(function, parameter)


@cache
def explained() -> dict[str, list[str]]:
    """The names that each module keeps behind its `__getattr__`."""
    found: dict[str, list[str]] = {}
    for name, module in modules_of_jax().items():
        answer = inspect.unwrap(vars(module).get("__getattr__", len))
        cells = [cell.cell_contents for cell in getattr(answer, "__closure__", None) or ()]
        kept = [vars(module).get("_deprecations", {}), *(cell for cell in cells if isinstance(cell, dict))]
        found[name] = sorted({key for entries in kept for key in entries if not key.startswith("_")})
    return found


@cache
def _is_tried(name: str) -> bool:
    if name.startswith("Array.") or name in stated():
        return not name.startswith("Array.")
    try:
        return bool(SPEAKS_OF_IT.search(inspect.getsource(inspect.unwrap(named(name)))))
    except (AttributeError, ImportError, OSError, TypeError):
        return False


def _optional(name: str) -> list[str]:
    """The parameters that have a default, and a `*parameter`."""
    try:
        parameters = inspect.signature(named(name)).parameters.values()
    except (TypeError, ValueError):
        return []
    wanted = [p for p in parameters if p.default is not P.empty or p.kind == P.VAR_POSITIONAL]
    return [p.name for p in wanted if not p.name.startswith("_")]


def _of_name(name: str) -> dict[str, str] | str:
    """What a module says when it is asked for a name; its memory, which lets it say so once, is passed by."""
    module, _, last = name.rpartition(".")
    if last not in explained().get(module, ()):
        return ""
    said = _said(partial(inspect.unwrap(vars(named(module))["__getattr__"]), last))
    return said[0] if said else ""


def _of_call(name: str) -> dict[str, str] | str | None:
    calls = calls_of(name)
    said = [message for call in calls for message in _said(partial(_staged, call))]
    return said[0] if said else "" if calls else None


def _of_parameter(name: str, parameter: str) -> dict[str, str] | str | None:
    calls = calls_of(name)
    for call in calls:
        usual = _said(partial(_staged, call))
        for place, more in _with(call, parameter):
            for message in _said(partial(_staged, call, more, place)):
                is_about_it = re.search(rf"\b{parameter}\b" if not place else r"\bposition", message["says"])
                if message not in usual and is_about_it:
                    return {**message, "when": "place"} if place else message
    return "" if calls else None


def _with(call: ProbedCall, parameter: str) -> Iterator[tuple[bool, Mapping[str, Foreign]]]:
    """The parameter by keyword with several values, then by position."""
    found = call.probe.parameters[parameter]
    values = [*SAMPLES] if found.default is P.empty else [found.default, *SAMPLES]
    if found.kind in (P.POSITIONAL_OR_KEYWORD, P.KEYWORD_ONLY):
        yield from ((False, {parameter: value}) for value in values)
    if found.kind in (P.POSITIONAL_OR_KEYWORD, P.VAR_POSITIONAL):
        yield from ((True, {parameter: value}) for value in values)


def _staged(call: ProbedCall, more: Mapping[str, Foreign] | None = None, by_place: bool = False) -> None:
    """Make the call inside a trace, where nothing is compiled, or outside if it needs to know values."""
    values = call.values("traced")
    try:
        jax.make_jaxpr(lambda: (call.run(values, more, by_place), 0)[1], axis_env=[("i", 2)])()
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError):
        call.run(values, more, by_place)


def _said(attempt: Callable[[], None]) -> list[dict[str, str]]:
    """What warnings and exceptions say of deprecation, as facts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            attempt()
        except Exception as error:
            if SPEAKS_OF_IT.search(str(error)):
                return [{"state": "removed", "says": _shortened(str(error))}]
    messages = [str(warning.message) for warning in caught]
    return [{"state": "deprecated", "says": _shortened(text)} for text in messages if SPEAKS_OF_IT.search(text)]


def _shortened(message: str) -> str:
    """The first sentence, and the second if it says what to do instead."""
    sentences = re.split(r"(?<=\w[.)`])\s+(?=[A-Z`])", " ".join(message.split()))
    advice = [sentence for sentence in sentences[1:2] if ADVICE.match(sentence)]
    return " ".join([sentences[0], *advice])
