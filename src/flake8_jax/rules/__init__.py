"""The rules, one file each; `discover` finds them without a register."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import get_type_hints

from flake8_jax.analysis import checks
from flake8_jax.analysis.certainty import of_certain
from flake8_jax.rules.rule import Discovered, Reporter, Rule, RuleEvent
from flake8_jax.syntax import directives, namesakes

__all__ = ["Discovered", "Reporter", "Rule", "RuleError", "discover"]

SOURCES = (f"{checks.__name__}.", f"{directives.__name__}.", f"{namesakes.__name__}.")
"""The modules with what rules judge: the evidence of hazards, and of faults in comments and names."""


class RuleError(TypeError):
    """A rule module with an invalid card or `check`; the message names the file and line."""


@cache
def discover() -> tuple[Discovered, ...]:
    """Every rule of this package, by code."""
    names = sorted(found.name for found in iter_modules(__path__) if found.name.startswith("jax"))
    return tuple(sorted(map(_load, names), key=lambda found: found.rule.code))


def _load(name: str) -> Discovered:
    return read_rule(import_module(f"{__name__}.{name}"))


def read_rule(module: ModuleType) -> Discovered:
    """The rule that a module defines."""
    path = module.__file__ or module.__name__
    rule, check = getattr(module, "RULE", None), getattr(module, "check", None)
    if not isinstance(rule, Rule):
        raise RuleError(f"{path}:1: RULE must be a Rule, not {rule!r}")
    code = getattr(check, "__code__", None)
    if check is None or code is None:
        raise RuleError(f"{path}:1: a rule defines the function `check`")
    parameters = code.co_varnames[: code.co_argcount]
    if parameters != ("event", "report"):
        raise RuleError(f"{path}:{code.co_firstlineno}: check takes (event, report), not ({', '.join(parameters)})")
    try:
        event: type[RuleEvent] = get_type_hints(check).get("event", type(None))
    except NameError as unresolved:
        raise RuleError(f"{path}:{code.co_firstlineno}: the annotation of `event` must exist: {unresolved}") from None
    if not f"{event.__module__}.".startswith(SOURCES):
        where = " or ".join(source.rstrip(".") for source in SOURCES)
        raise RuleError(f"{path}:{code.co_firstlineno}: `event` must be annotated with an event of {where}")
    judge = of_certain(check) if rule.only_certain else check
    return Discovered(rule, event, judge, module.__doc__ or "", path, getattr(module, "fix", None))
