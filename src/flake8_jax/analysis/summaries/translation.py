"""Translation: a path condition of a function in terms of a caller, or that it cannot hold there.

def helper(x, jit, level):
    if jit:
        if level > 0: ...                   path: jit is true, level > 0
helper(x, not verbose, verbose)             verbose is false, verbose > 0: never both
"""

from __future__ import annotations

from typing import Protocol

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.evidence import CallSite
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import begins_with_none
from flake8_jax.analysis.objects.entries import decide_membership
from flake8_jax.analysis.objects.names import is_bound
from flake8_jax.analysis.objects.narrowing import implied_facts
from flake8_jax.analysis.summaries.absence import is_declared_with_none, is_never_none
from flake8_jax.analysis.summaries.class_tests import is_of_another_class
from flake8_jax.domain.conditions import (
    ALWAYS,
    LENGTHS,
    NOT_ALL,
    Fact,
    FactSource,
    NotAll,
    Path,
    asks_for_arrays,
    assume,
    decide,
    exclude,
    is_contradictory,
    not_all,
    parts_of,
    path_of,
)
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.flags import Flag, flag_of
from flake8_jax.domain.kinds import COMPUTED, LIST, TUPLE, UNKNOWN
from flake8_jax.domain.payload import Alternatives
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value, constant, one_of, unknown
from flake8_jax.ir.chains import chains_of


class TranslatedCall(CallSite, Protocol):
    """A call, and what was translated of it: `conditions`, and the `facts` in them."""

    conditions: dict[int, tuple[Path, Path | None]]
    facts: dict[int, tuple[Fact, list[tuple[FactSource, Fact]] | None]]

    def source(self, subject: Value) -> Input | None:
        """The input of a symbolic value of the function."""

    def tested(self, subject: Value) -> Value | None:
        """What a fact is about: the argument, or what was given where the closure was made that is called."""

    def any_of(self, subject: Value) -> list[Value]:
        """The values of which a fact may be about one, where it is not known about which."""


def translated(site: TranslatedCall, when: Path) -> Path | None:
    """The condition in terms of the caller; None if it cannot hold here."""
    if not when:
        return ALWAYS
    known = site.conditions.get(id(when))
    if known is None:  # the condition is kept with its translation, so that no other one gets its identity
        known = site.conditions[id(when)] = when, _translated(site, when)
    return known[1]


def carried(site: TranslatedCall, when: Path) -> Path | None:
    """A path condition restricted to facts that the caller's own callers can decide: about arguments and variables
    still bound.

    Values that the function made are others in each call, and tell nothing of two.
    """
    if translated(site, when) is None:
        return None
    kept = _still_true(site, when)
    return translated(site, when if len(kept) == len(when) else kept)


def _translated(site: TranslatedCall, when: Path) -> Path | None:
    kept = _facts(site, when)
    if kept is None:
        return None
    path = tuple([fact for _, fact in kept])
    if not exclude(path, site.frame.path) and not is_contradictory(kept):
        return path
    current_value = _still_true(site, when)
    return None if len(current_value) == len(when) else translated(site, current_value)


def choice_here(site: TranslatedCall, value: Value, held: Alternatives | Flag) -> Value:
    """What is one of several callables or constants, each on a path of the caller, without those excluded here.

    A function that was made there captures what decided which one it is, so that this holds in terms of its maker, too.
    """
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
            found[site.value(callee)] = when and assume(when, _about_inputs(path_of(facts or ())))
    return one_of(found, [*found.values()]) or unknown("none of several callables", site.op)


def _about_inputs(path: Path) -> Path:
    return tuple([fact for fact in path if fact.subject.input is not None])


def _still_true(site: TranslatedCall, when: Path) -> Path:
    """The facts about arguments, and about captured values that are still bound to the same variable."""
    return tuple([fact for fact in when if all(_is_known(site, part.subject) for part in parts_of(fact))])


def _is_known(site: TranslatedCall, subject: Value) -> bool:
    if site.tested(subject) is not None or is_bound(site.frame, subject):
        return True
    return subject.input is not None and any(fact.subject is subject for fact in site.frame.path)


def _facts(site: TranslatedCall, when: Path) -> list[tuple[FactSource, Fact]] | None:
    """The facts in terms of the caller, each with its former subject; None if one does not hold."""
    kept: list[tuple[FactSource, Fact]] = []
    for fact in when:
        known = site.facts.get(id(fact))
        if known is None:  # most paths begin as others do
            known = site.facts[id(fact)] = fact, _fact(site, fact)
        if known[1] is None:
            return None
        kept += known[1]
    return kept


def _fact(site: TranslatedCall, fact: Fact) -> list[tuple[FactSource, Fact]] | None:
    """A fact in terms of the caller, with its former subject; None if it does not hold."""
    if fact.test == NOT_ALL:
        together = _together(site, fact)
        return None if together is None else [(fact, one) for one in together]
    actual = site.tested(fact.subject)
    if actual is None and fact.test == "isinstance" and fact.subject.kind is COMPUTED and fact.subject.dependences:
        actual = site.value(fact.subject)  # of what is traced all is, as each leaf of a tree
        if actual.kind is UNKNOWN and asks_for_arrays(fact):
            return [] if fact.holds else None  # what is computed, or a leaf, is an array rather than anything else
    if actual is None:
        possible = site.any_of(fact.subject)
        is_excluded = possible and all(_holds(site, fact, one) is False for one in possible)
        return None if is_excluded else [(fact.subject, fact)]
    holds = _holds(site, fact, actual)
    if holds is not None:
        return [] if holds else None
    here = implied_facts(site.frame, Fact(fact.test, actual, fact.other, fact.holds))
    source = site.source(fact.subject)
    return [(source if one.subject is actual else one, one) for one in here]


def _holds(site: TranslatedCall, fact: Fact, actual: Value) -> bool | None:
    """Does a fact hold of what is passed here?  None if that is not known."""
    is_asked_for_none = fact.test == "is" and fact.other is None and actual.kind is UNKNOWN
    if is_asked_for_none and _is_none_at_first(site, fact.subject):
        return None
    holds = _decided(site.frame, fact, actual)
    if holds is None and fact.test == "in":
        holds = decide_membership(site.frame, fact, actual)
    if holds is None and (is_never_none(site.frame, fact, actual) or is_of_another_class(fact, actual)):
        return False
    return holds


def _is_none_at_first(site: TranslatedCall, subject: Value) -> bool:
    """Is it a field of an object, in which the constructor puts None?"""
    source = subject.input
    if source is None or source.parent is None or source.step is None or source.step[0] != ".":
        return False
    holder = site.resolve(source.parent)
    made = holder.payload if holder is not None else None
    return type(made) is InstanceOf and begins_with_none(made.owner, str(source.step[1]))


def _decided(frame: Frame, fact: Fact, actual: Value) -> bool | None:
    """Does a fact hold of what a caller passes?  None if that is not known, as of a parameter that may be left out."""
    if is_declared_with_none(frame, fact, actual):
        return None
    is_of_length = actual.kind is LIST and fact.test in LENGTHS
    return decide(fact, _as_written(frame, actual) if is_of_length else actual)


def _as_written(frame: Frame, held: Value) -> Value:
    """A list that the caller writes out, and that nothing has changed since, as a tuple, which has a length."""
    is_written = held.made_by is not None and chains_of(frame.function).holds(held.made_by)
    is_unchanged = held.elements is not None and frame.live().version(held) is held
    return Value(TUPLE, held.dependences, held.payload) if is_written and is_unchanged else held


def _together(site: TranslatedCall, fact: Fact) -> Path | None:
    """The rest of a negated conjunction after the facts that hold here are removed; None if all of them hold."""
    open_ones: list[Fact] = []
    for part in fact.other.facts if type(fact.other) is NotAll else ():
        if part.test == NOT_ALL:
            together = _together(site, part)
            if together is None:
                return ALWAYS
            open_ones.extend(together)
            continue
        actual = site.tested(part.subject)
        holds = _decided(site.frame, part, actual) if actual is not None else None
        if holds is False:
            return ALWAYS
        if holds is None:
            open_ones.append(part if actual is None else Fact(part.test, actual, part.other, part.holds))
    left = not_all(tuple(open_ones))
    is_refuted = len(left) == 1 and left[0].test != NOT_ALL and decide(left[0], left[0].subject) is False
    return None if is_refuted else left or None
