"""Whether an argument may be None, by what the caller knows of the value that it passes."""

from __future__ import annotations

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.annotations import SCALAR_TYPES
from flake8_jax.analysis.objects.classes import fields_of
from flake8_jax.domain.conditions import Fact
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.flags import Flag
from flake8_jax.domain.kinds import NOT_AN_INSTANCE
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Attr, Const, Name, Parameter
from flake8_jax.ir.walking import within


def is_never_none(frame: Frame, fact: Fact, actual: Value) -> bool:
    """Does a fact assert that an argument is None although the value passed never is, or was computed by the caller?"""
    return fact.test == "is" and fact.other is None and fact.holds and not _may_be_none(frame, actual)


def is_declared_with_none(frame: Frame, fact: Fact, actual: Value) -> bool:
    """Does a fact ask whether a parameter is None that is one, unless its default None stands in its place?

    An annotation says of what kind a parameter is, and that of `x: Array = None` says it of what is passed.
    """
    if fact.test != "is" or fact.other is not None or actual.constant is not OPEN:
        return False
    parameter = _parameter(frame, actual)
    return parameter is not None and _is_optional(parameter)


def _may_be_none(frame: Frame, actual: Value) -> bool:
    """May a value be None, by what is said of it: the default or annotation of a parameter, the type of a field?"""
    if type(actual.payload) is Flag:
        return any(one is not None and one.value is None for one, _ in actual.payload.ways)
    source = actual.input
    if source is not None and source.parent is not None:
        return source.annotation not in SCALAR_TYPES and not _begins_with_something(frame, source)
    parameter = _parameter(frame, actual)
    return source is not None if parameter is None else _is_optional(parameter)


def _parameter(frame: Frame, actual: Value) -> Parameter | None:
    """The parameter that a value is as it was passed, of this function or of one around it."""
    for around in frame.outwards():
        name = next((name for name, held in around.summary.inputs.items() if held is actual), None)
        if name is not None:
            return next(one for one in around.function.parameters if one.name == name)
    return None


def _begins_with_something(frame: Frame, source: Input) -> bool:
    """Is it a field of the receiver to which the constructor assigns a display or a number?"""
    owner, receiver, step = frame.owner, source.parent, source.step
    if owner is None or receiver is None or receiver.parent is not None or step is None:
        return False
    parameters = frame.function.parameters
    if not parameters or parameters[0].name != receiver.name or step[0] != "." or not isinstance(step[1], str):
        return False
    stored = fields_of(frame, owner).stored.get(step[1])
    return stored is not None and stored.kind in NOT_AN_INSTANCE


def _is_optional(parameter: Parameter) -> bool:
    """Has a parameter the default None, or an annotation that speaks of None?"""
    default = parameter.default
    if parameter.kind in ("varargs", "varkw") or (type(default) is Const and default.value is None):
        return True
    stated = parameter.annotation
    return stated is not None and any(
        (type(part) is Const and part.value is None) or (isinstance(part, (Name, Attr)) and part.name == "Optional")
        for part in within(stated)
    )
