"""Draws that are thrown away, since a test refuses what they gave, before the key goes on.

xs = simulate(key)
while isnan(xs).any():              no refused `xs` gets further than this test,
    key, _ = split(key)             so nothing is left that what the new key gives could be alike to
    xs = simulate(key)
while is_bad:
    key, _ = split(key)
    xs = simulate(key)
    is_bad = isnan(xs).any()        the same, by a name
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from flake8_jax.domain.resources import Used, crosses_iterations
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.walking import targets_in

ACCEPTING = frozenset({"break", "return"})
"""How a loop is left with what a test let pass.  An `assert` leaves with what it refused: what goes on has passed."""

LEAVING = ACCEPTING | {"raise"}

FateKind: TypeAlias = Literal["unread", "tested", "used"]
SPLIT = "jax.random.split"


class Fate(NamedTuple):
    """What becomes of a result in a loop, and the line of the first test of it."""

    kind: FateKind
    line: int = 0


UNREAD, USED = Fate("unread"), Fate("used")
MAXIMUM_DEPTH = 2
"""Through how many statements a test is followed: `bad = isnan(xs)`, `is_bad = bad.any()`."""


def is_refused(function: Function, one: Used, used: Used) -> bool:
    """Does a key go on only where a test refused what was drawn with it, which the loop then draws again?

    What is drawn in the same turn before that test, or for it, decides with it: `x = normal(key)`, then
    `if uniform(key) < density(x): break`.
    """
    chains = chains_of(function)
    loop = next((around for around in reversed(chains.way_to(used.op)) if type(around) is ops.Loop), None)
    names = _bound(chains, one.op) if loop is not None else ()
    fate = _all_of(_fate(chains, name, loop) for name in names) if loop is not None else UNREAD
    if loop is None or fate.kind != "tested":
        return False
    is_of_one_turn = loop in chains.way_to(one.op) and not crosses_iterations(one, used.iterations)
    is_split = used.draw is not None and used.draw.by == SPLIT
    return not is_of_one_turn or is_split or fate.line < used.op.anchor.line


def _all_of(fates: Iterable[Fate]) -> Fate:
    """What becomes of several results at most, and the first test that decides."""
    found = [*fates]
    tests = [fate.line for fate in found if fate.kind == "tested"]
    kinds = {fate.kind for fate in found}
    kind: FateKind = "used" if "used" in kinds else "tested" if tests else "unread"
    return Fate(kind, min(tests, default=0))


def _bound(chains: Chains, op: Op) -> set[str]:
    """The names that the statement of a draw binds, of those that are read."""
    statement = next((around for around in reversed(chains.way_to(op)) if type(around) is ops.Store), None)
    return _names_bound(statement) if statement is not None else set()


def _names_bound(statement: ops.Store) -> set[str]:
    parts = [part for target in statement.targets for part in targets_in(target)]
    if statement.kind not in ("assign", "walrus") or any(type(part) is not ops.Name for part in parts):
        return set()
    return {part.name for part in parts if type(part) is ops.Name}


@searched_for
def _fate(chains: Chains, name: str, loop: ops.Loop, depth: int = 0) -> Fate:
    """What becomes of a name in a loop: it is bound there, and read where that is left alone, and in tests that decide
    whether it goes on, or for such a test; else it is used.
    """
    ways = {target: chains.way_to(target) for target, _ in chains.stored_in(name, loop)}
    renewing = {around for way in ways.values() for around in way if type(around) is ops.Branch}
    reads = [way for way in _reads_by_loop(chains, name).get(loop, ()) if way[-1] not in ways]
    if not ways or depth > MAXIMUM_DEPTH:
        return USED
    return _all_of(_fate_of_read(chains, way, loop, renewing, depth) for way in reads)


@searched_for
def _reads_by_loop(chains: Chains, name: str) -> dict[Op, list[list[Op]]]:
    """The ways to the reads of a name in each loop."""
    found: dict[Op, list[list[Op]]] = {}
    for way in map(chains.way_to, chains.names.get(name, ())):
        for around in way:
            if type(around) is ops.Loop:
                found.setdefault(around, []).append(way)
    return found


def _fate_of_read(
    chains: Chains, way: list[Op], loop: ops.Loop, renewing: set[ops.Branch], depth: int
) -> Fate:  # fmt: skip
    for outer, inner in pairwise(way[way.index(loop) :]):
        if type(outer) is ops.Loop and inner is outer.source:
            return Fate("tested", way[-1].anchor.line)
        if type(outer) is ops.Branch and inner is outer.test:
            is_deciding = outer in renewing or _leaves(outer.body, ACCEPTING) or _leaves(outer.orelse, ACCEPTING)
            return Fate("tested", way[-1].anchor.line) if is_deciding else USED
        if type(outer) is ops.Branch and _leaves(outer.body if inner in outer.body else outer.orelse, LEAVING):
            return Fate("tested", way[-1].anchor.line)
        if type(outer) is ops.Store and (names := _names_bound(outer)):
            return _all_of(_fate(chains, name, loop, depth + 1) for name in names)
    return USED


def _leaves(arm: Body, kinds: frozenset[str]) -> bool:
    """Does an arm leave the loop?"""
    return bool(arm) and type(arm[-1]) is ops.Leave and arm[-1].kind in kinds
