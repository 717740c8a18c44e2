"""The oracle: runs a program on every path with keys that are terms, and says where one is used twice.

A hazard is two uses of equal keys of which the results are read on one path.  Where equal keys were derived apart, it
is the derivations that are alike: two splits of one key are two uses of that key, and what follows is no more news.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tests.fuzzing.running import alone, program, runs
from tests.fuzzing.surface import NOTHING, Invalid, Surface, parsed, surface
from tests.fuzzing.terms import (
    Birth,
    Chain,
    Key,
    Place,
    Run,
    Use,
)

Kind: TypeAlias = Literal["again", "turn", "carried", "alike", "constant", "discarded", "hash", "loud"]
THROWN_AWAY = re.compile(r"^ *[\w.]+\.(split|fold_in)\(", re.MULTILINE)
ALIGNED = frozenset(("permutation", "choice"))


@dataclass(slots=True)
class Hazard:
    """One mistake: the kind, the lines where it may be reported, and those where it is a second use."""

    kind: Kind
    lines: set[Place] = field(default_factory=set)
    again: set[Place] = field(default_factory=set)
    is_certain: bool = False


@dataclass(slots=True)
class Verdict:
    """What the shadow says of a program: its hazards by identity, and lines where it has no objection to a report."""

    hazards: dict[object, Hazard] = field(default_factory=dict)
    allowed: set[Place] = field(default_factory=set)
    paths: int = 0

    def add(self, identity: object, hazard: Hazard) -> None:
        """Unite a hazard with what is known of it from other paths and turns."""
        known = self.hazards.setdefault((hazard.kind, identity), hazard)
        known.lines |= hazard.lines
        known.again |= hazard.again
        known.is_certain |= hazard.is_certain


def judge(texts: Mapping[str, str]) -> Verdict:
    """The verdict on a program; raises `Invalid`."""
    source = parsed(texts)
    found = list(runs(source.codes, program))
    verdict = Verdict(paths=len(found))
    if not any(map(_is_suspect, found)) and not any(map(THROWN_AWAY.search, texts.values())):
        for one in found:
            verdict.allowed |= one.traced_seeds | one.copied.keys()
        return verdict
    found = list(runs(source.codes, program, closely=True))
    seen = surface(source.trees)
    read = {use.chain for one in found for use in one.uses if use.number in one.read}
    for one in found:
        _judge_run(verdict, one, read, seen)
    return verdict


def _is_suspect(now: Run) -> bool:
    """Is anything of a path worth a closer look?"""
    terms = {use.key.term for use in now.uses}
    return len(terms) < len(now.uses) or now.loud is not None or any(birth.kind == "hash" for birth in now.births)


@dataclass(slots=True)
class SecondLook:
    """Further lines where a report is no false alarm, and whether the program has tests with one outcome only."""

    allowed: set[Place]
    tests: set[tuple[Place, str, bool]] = field(default_factory=set)

    @property
    def has_dead_code(self) -> bool:
        """Does no path take one of the arms of a test?"""
        return len({test[:2] for test in self.tests}) * 2 > len(self.tests)


def second_look(texts: Mapping[str, str]) -> SecondLook:
    """Where a report is no false alarm, though the program shows no hazard.

    There a key is used up that goes on, though nothing uses it afterwards; or a function alone has the hazard, on paths
    that the program never takes.
    """
    source = parsed(texts)
    look = SecondLook(set(surface(source.trees).allowed))
    for entry in (program, *alone(source.trees)):
        try:
            found = list(runs(source.codes, entry, closely=True))
        except Invalid:
            continue
        apart = Verdict()
        for one in found:
            look.tests |= one.tests
            look.allowed.update(place for use in one.uses if id(use.key) in one.carried for place in use.chain)
            _judge_run(apart, one, {use.chain for use in one.uses}, NOTHING)
        look.allowed |= apart.allowed
        if entry is not program:
            look.allowed.update(place for hazard in apart.hazards.values() for place in hazard.lines)
    return look


# Judging


def _judge_run(verdict: Verdict, now: Run, read: set[Chain], seen: Surface) -> None:
    by_term: dict[object, list[Use]] = {}
    children = _children_read(now)
    for use in now.uses:
        for earlier in by_term.get(use.key.term, ()):
            hazard = _pair(now, earlier, use, read, seen, children)
            if isinstance(hazard, set):
                verdict.allowed |= hazard
            elif hazard is not None:
                key, found = hazard
                if found.kind == "turn":
                    found.lines |= {place for place, terms in now.copied.items() if use.key.term in terms}
                verdict.add(key, found)
        by_term.setdefault(use.key.term, []).append(use)
        if use.key.birth.kind == "hash":
            made = use.key.birth.chain
            verdict.add(made, Hazard("hash", {*made, *use.chain}, set(), use.number in now.read))
    for birth in now.births:
        if birth.parent is not None and birth.chain[-1] in seen.thrown_away and birth.parent.term in by_term:
            verdict.add(birth.chain[-1:], Hazard("discarded", set(birth.chain), set(), True))
    if now.loud is not None:
        verdict.add(now.loud[-1:], Hazard("loud", set(now.loud), set(), True))
    verdict.allowed |= now.traced_seeds | now.copied.keys()


Children: TypeAlias = Mapping[int, set[object]]


def _children_read(now: Run) -> Children:
    """Which children of each split were drawn from with a result that is read, or are returned."""
    found: dict[int, set[object]] = {}
    for key in (*(use.key for use in now.uses if use.number in now.read), *now.returned):
        while key.birth.parent is not None:
            if key.birth.use is not None:
                found.setdefault(key.birth.use, set()).add(_last(key))
            key = key.birth.parent
    return found


def _pair(
    now: Run, first: Use, second: Use, read: set[Chain], seen: Surface, children: Children
) -> tuple[object, Hazard] | set[Place] | None:
    """What two uses of equal keys are: a hazard with its identity, lines where it may be reported, or nothing."""
    lines = {*first.chain, *second.chain, *second.key.birth.chain}
    again = _parting(first.chain, second.chain)
    cause = _cause(first.key, second.key)
    if cause is None:
        kind = _kind(now, first, second)
        identity: object = (second.key.birth.chain, second.key.birth.kind, _last(second.key))
    else:
        one, two = cause
        lines |= {*one.chain, *two.chain}
        again |= set(two.chain)
        if one.kind == two.kind == "split":
            return lines
        if one.chain == two.chain and one.chain[-1] in seen.enumerated:
            return lines  # a list of seeds, gone through for each of several settings
        kind = "constant" if one.kind == two.kind == "seed" and one.chain[-1:] == two.chain[-1:] else "alike"
        identity = (one.chain, two.chain)
    unread = [use for use in (first, second) if use.number not in now.read]
    is_of_children = first.by == second.by == "split" and children.get(first.number, set()).isdisjoint(
        children.get(second.number, ())
    )
    is_aligned = first.by == second.by and first.by in ALIGNED
    is_open = now.is_refused or all(use.by == "split" or not seen.idle.isdisjoint(use.chain) for use in unread)
    if is_aligned or is_of_children or (unread and is_open):
        return lines
    if not unread or {first.chain, second.chain} <= read:
        return identity, Hazard(kind, lines | seen.displays, again | seen.displays, not unread)
    return None


def _kind(now: Run, first: Use, second: Use) -> Kind:
    """How one key comes to be used twice."""
    if any(first.number < moment <= second.number for moment in now.carried.get(id(second.key), ())):
        return "carried"
    if _turns_back(first.chain, second.chain):
        return "carried"
    return "turn" if first.chain == second.chain else "again"


def _last(key: Key) -> object:
    return key.term[-1] if isinstance(key.term, tuple) else None


def _parting(first: Chain, second: Chain) -> set[Place]:
    """The lines of a second use from where it leaves the way of the first."""
    for position, (one, two) in enumerate(zip(first, second)):
        if one != two:
            return set(second[position:])
    return set(second)


def _turns_back(first: Chain, second: Chain) -> bool:
    """Is a second use an earlier line of the same function, that is, of a later turn?"""
    return next((one > two for one, two in zip(first, second) if one != two), False)


def _cause(first: Key, second: Key) -> tuple[Birth, Birth] | None:
    """The two derivations of equal keys where their ways part; None if they are one key."""
    one, two = first.birth, second.birth
    if one is two:
        return None
    if one.parent is None or two.parent is None:
        return one, two
    return _cause(one.parent, two.parent) or (one, two)
