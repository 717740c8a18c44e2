"""The arguments for which a function is run again, as plain data: another process runs it for the same ones.

    def act(policy, x): ...             run for `policy` a `Greedy`, whose class `policies.py` binds to its name
    act(Greedy(), x)                    told as (("policy", ()), ("named", "policies.py", 3, "Greedy", is a class))

What a function tells where it is run for some arguments is a question of its own (`told.py`): its answer is compared
after an edit, and for that the function has to be run for them in a process that has seen none of its callers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.analysis.callables import ClassValue, FunctionValue, KnownArgument, KnownArguments, RecordOf, Tracer
from flake8_jax.domain.kinds import API, CLASS, FUNCTION
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.report import PlainArguments

if TYPE_CHECKING:
    from flake8_jax.analysis.program import Program

PLAIN = frozenset((str, int, bool, bytes, float, type(None)))
"""What keys and steps of paths are told by."""


class NotPlain(Exception):
    """An argument that only the call itself tells."""


def plain_arguments(program: Program, given: KnownArguments) -> PlainArguments | None:
    """The arguments of a run as plain data; None if one of them cannot be told."""
    try:
        return tuple((name, _plain(steps), _plain_argument(program, what)) for (name, steps), what in given)
    except NotPlain:
        return None


def run_for(program: Program, function: FunctionValue, plain: PlainArguments) -> FunctionValue | None:
    """A function as it is run for arguments that are told; None if there are none such any more."""
    for one in function.specializations.values():
        if plain_arguments(program, one.given) == plain:
            return one
    found = [((name, steps), _argument(program, told)) for name, steps, told in plain]
    if any(what is None for _, what in found):
        return None
    given: KnownArguments = tuple(found)  # type: ignore[arg-type]  # steps are as they were told
    made = function.specializations[given] = replace(function, given=given, specializations={}, summary=None)
    return made


def _plain(parts: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(_plain(part) if isinstance(part, tuple) else _plain_key(part) for part in parts)


def _plain_key(part: object) -> object:
    if type(part) not in PLAIN:
        raise NotPlain
    return part


def _plain_argument(program: Program, what: KnownArgument) -> tuple[object, ...]:
    match what:
        case Tracer():
            return ("tracer",)
        case RecordOf(name):
            return "record", name
        case ClassValue():
            found = program.linked.named_at(what.function)
            if found is not None and found[1].payload is what:
                return "class", *found[0]
        case Value():
            if what.kind is API:
                return "library", what.name
            text = what.constant
            if type(text) is str and program.text(text) is what:
                return "text", text
            if what.kind in (FUNCTION, CLASS) and isinstance(what.payload, (FunctionValue, ClassValue)):
                found = program.linked.named_at(what.payload.function)
                if found is not None and found[1] is what:
                    return "named", *found[0]
        case int():
            return "number", what
        case _:
            return "keys", _plain(what)
    raise NotPlain


def _argument(program: Program, told: tuple[object, ...]) -> KnownArgument | None:
    match told:
        case ("tracer",):
            return Tracer()
        case ("record", str(name)):
            return RecordOf(name)
        case ("library", str(name)):
            return program.api(name)
        case ("text", str(text)):
            return program.text(text)
        case ("number" | "keys", keys):
            return keys  # type: ignore[return-value]
        case ("class" | "named" as kind, str(inside), int(number), str(name)):
            value = program.linked.value_at(inside, number, name)
            if kind == "named" or value is None:
                return value
            return value.payload if isinstance(value.payload, ClassValue) else None
    return None
