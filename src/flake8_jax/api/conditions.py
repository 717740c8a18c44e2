"""Conditions on a call: which parameters have an argument, and which constant it is.

    x absent        no argument, or None            x given         an argument that is not None
    full=True       that constant                   mode!='clip'    no argument, or another constant

A condition is asked of a call of which the constants are known: it holds, it does not, or that is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

ConditionConstant: TypeAlias = "bool | str"
# The constant that each parameter is given, `...` where it is none; a parameter without argument is left out.
ConstantArguments: TypeAlias = Mapping[str, object]

_CONDITION = compiled(r"(?P<name>\w+)(?P<test> absent| given|!?=)(?P<value>True|False|'[^']*')?")
_TESTS: dict[str, Literal["absent", "given", "is", "not"]] = {
    " absent": "absent", " given": "given", "=": "is", "!=": "not",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on the argument of `parameter`."""

    parameter: str
    test: Literal["absent", "given", "is", "not"]
    value: ConditionConstant = True

    def holds(self, arguments: ConstantArguments) -> bool | None:
        """Does the condition hold for a call with these arguments?  None: that cannot be said."""
        argument = arguments.get(self.parameter)
        if argument is ...:
            return {"absent": False, "given": None}.get(self.test)
        if self.test in ("absent", "given"):
            return (argument is None) == (self.test == "absent")
        return (type(argument) is type(self.value) and argument == self.value) == (self.test == "is")

    def __str__(self) -> str:
        sign = {"absent": " absent", "given": " given", "is": f"={self.value!r}", "not": f"!={self.value!r}"}
        return f"{self.parameter}{sign[self.test]}"


def all_hold(conditions: Iterable[Condition], arguments: ConstantArguments) -> bool | None:
    """Do all conditions hold?  None: it is not known of some, and the others do."""
    answers = {condition.holds(arguments) for condition in conditions}
    return False if False in answers else None if None in answers else True


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """The conditions joined by `and`; ValueError if one is malformed."""
    return tuple(_parse(part.strip()) for part in text.split(" and ")) if text.strip() else ()


def _parse(text: str) -> Condition:
    match = _CONDITION.fullmatch(text)
    if match is None or (match["value"] is None) != (match["test"] in (" absent", " given")):
        raise ValueError(f"malformed condition {text!r}")
    value = match["value"] or "True"
    return Condition(match["name"], _TESTS[match["test"]], value.strip("'") if "'" in value else value == "True")
