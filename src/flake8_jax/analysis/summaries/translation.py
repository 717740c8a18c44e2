"""Translation: a path condition of a function in terms of a caller, or that it cannot hold there.

def helper(x, jit, level):
    if jit:
        if level > 0: ...                   path: jit is true, level > 0
helper(x, not verbose, verbose)             verbose is false, verbose > 0: never both
"""

from __future__ import annotations

from typing import Protocol

from flake8_jax.analysis.evaluate.names import is_bound
from flake8_jax.analysis.evaluate.narrowing import implied_facts
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import ALWAYS, Fact, FactSource, Path, decide, exclude, is_contradictory, path_of
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.flags import Flag, flag_of
from flake8_jax.domain.payload import Alternatives
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value, constant, one_of, unknown
from flake8_jax.ir.ops import Op


class TranslatedCall(Protocol):
    """A call, as translation uses it."""

    op: Op
    frame: Frame
    conditions: dict[int, tuple[Path, Path | None]]

    def source(self, subject: Value) -> Input | None:
        """The input of a symbolic value of the function."""

    def input_value(self, subject: Value) -> Value | None:
        """The argument for a symbolic value of the function, if that was an input."""

    def value(self, value: Value) -> Value:
        """A value of the function, in terms of the caller."""


def translated(site: TranslatedCall, when: Path) -> Path | None:
    """The condition in terms of the caller; None if it cannot hold here."""
    if not when:
        return ALWAYS
    known = site.conditions.get(id(when))
    if known is None:  # the condition is kept with its translation, so that no other one gets its identity
        known = site.conditions[id(when)] = when, _translated(site, when)
    return known[1]


def _translated(site: TranslatedCall, when: Path) -> Path | None:
    kept = _facts(site, when)
    if kept is None:
        return None
    path = tuple(fact for _, fact in kept)
    if not exclude(path, site.frame.path) and not is_contradictory(kept):
        return path
    current_value = _still_true(site, when)
    return None if len(current_value) == len(when) else translated(site, current_value)


def choice_here(site: TranslatedCall, value: Value, held: Alternatives | Flag) -> Value:
    """What is one of several callables or constants, each on a path of the caller, without those excluded here."""
    if isinstance(held, Flag):
        ways = ((one, translated(site, path_of(facts))) for one, facts in held.ways)
        kept = [(one, when) for one, when in ways if when is not None]
        if len({one for one, _ in kept}) == 1 and kept[0][0] is not None:
            return constant(kept[0][0].value, value.made_by)
        return Value(value.kind, value.dependences, flag_of(kept) or OPEN, value.made_by)
    found: dict[Value, Path | None] = {}
    for callee, facts in held.ways():
        when = None if facts is None else translated(site, path_of(facts))
        if facts is None or when is not None:
            found[site.value(callee)] = when
    return one_of(found, [*found.values()]) or unknown("none of several callables", site.op)


def _still_true(site: TranslatedCall, when: Path) -> Path:
    """The facts about arguments, and about captured values that are still bound."""
    return tuple(
        fact for fact in when
        if site.input_value(fact.subject) is not None or is_bound(site.frame, fact.subject)
    )  # fmt: skip


def _facts(site: TranslatedCall, when: Path) -> list[tuple[FactSource, Fact]] | None:
    """The facts in terms of the caller, each with its former subject; None if one does not hold."""
    kept: list[tuple[FactSource, Fact]] = []
    for fact in when:
        source = site.source(fact.subject)
        actual = site.input_value(fact.subject)
        if actual is None:
            kept.append((fact.subject, fact))
            continue
        holds = decide(fact, actual)
        if holds is False:
            return None
        if holds is None:
            here = implied_facts(site.frame, Fact(fact.test, actual, fact.other, fact.holds))
            kept.extend((source if one.subject is actual else one, one) for one in here)
    return kept
