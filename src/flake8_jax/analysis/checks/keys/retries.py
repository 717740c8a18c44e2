"""Draws that are thrown away, since a test refuses what they gave, before the key goes on.

xs = simulate(key)
while isnan(xs).any():              no refused `xs` gets further than this test,
    key, _ = split(key)             so nothing is left that what the new key gives could be alike to
    xs = simulate(key)
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from flake8_jax.domain.resources import Used
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.walking import targets_in

ACCEPTING = frozenset({"break", "return"})
"""How a loop is left with what a test let pass.  An `assert` leaves with what it refused: what goes on has passed."""

LEAVING = ACCEPTING | {"raise"}


def is_refused(function: Function, one: Used, used: Used) -> bool:
    """Does a key go on only where a test refused what was drawn with it, which the loop then draws again?"""
    chains = chains_of(function)
    loop = next((around for around in reversed(chains.way_to(used.op)) if type(around) is ops.Loop), None)
    names = _bound(chains, one.op) if loop is not None else ()
    return loop is not None and bool(names) and all(_is_only_tested(chains, name, loop) for name in names)


def _bound(chains: Chains, op: Op) -> set[str]:
    """The names that the statement of a draw binds, of those that are read."""
    statement = next((around for around in reversed(chains.way_to(op)) if type(around) is ops.Store), None)
    if statement is None or statement.kind not in ("assign", "walrus"):
        return set()
    parts = [part for target in statement.targets for part in targets_in(target)]
    if any(type(part) is not ops.Name for part in parts):
        return set()
    return {part.name for part in parts if type(part) is ops.Name and chains.names.get(part.name)}


@lru_cache(maxsize=256)
def _is_only_tested(chains: Chains, name: str, loop: ops.Loop) -> bool:
    """Does a loop bind a name, and read it where it is left alone, and in tests that decide whether it goes on?"""
    ways = {target: chains.way_to(target) for target, _ in chains.stored_in(name, loop)}
    renewing = {around for way in ways.values() for around in way if type(around) is ops.Branch}
    reads = [way for one in chains.names.get(name, ()) if one not in ways and loop in (way := chains.way_to(one))]
    return bool(ways) and bool(reads) and all(_is_tested(way, loop, renewing) for way in reads)


def _is_tested(way: list[Op], loop: ops.Loop, renewing: set[ops.Branch]) -> bool:
    for outer, inner in pairwise(way[way.index(loop) :]):
        if type(outer) is ops.Loop and inner is outer.source:
            return True
        if type(outer) is ops.Branch and inner is outer.test:
            return outer in renewing or _leaves(outer.body, ACCEPTING) or _leaves(outer.orelse, ACCEPTING)
        if type(outer) is ops.Branch and _leaves(outer.body if inner in outer.body else outer.orelse, LEAVING):
            return True
    return False


def _leaves(arm: Body, kinds: frozenset[str]) -> bool:
    """Does an arm leave the loop?"""
    return bool(arm) and type(arm[-1]) is ops.Leave and arm[-1].kind in kinds
