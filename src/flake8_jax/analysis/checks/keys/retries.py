"""Draws that are thrown away, since a test refuses what they gave, before the key goes on.

xs = simulate(key)
while isnan(xs).any():              no refused `xs` gets further than this test,
    key, _ = split(key)             so nothing is left that what the new key gives could be alike to
    xs = simulate(key)
"""

from __future__ import annotations

from itertools import pairwise

from flake8_jax.domain.resources import Used
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.walking import names_in, targets_in


def is_refused(function: Function, one: Used, used: Used) -> bool:
    """Does a key go on only where a test refused what was drawn with it, which the loop then draws again?"""
    chains = chains_of(function)
    way = chains.way_to(used.op)
    loop = next((around for around in reversed(way) if type(around) is ops.Loop), None)
    names = _bound(chains, one.op)
    if loop is None or not names or all(names_in(test).isdisjoint(names) for test in chains.tests_on(way)):
        return False
    return all(chains.stored_in(name, loop) and _is_only_tested(chains, name, loop) for name in names)


def _bound(chains: Chains, op: Op) -> set[str]:
    """The names that the statement of a draw binds, of those that are read."""
    statement = next((around for around in reversed(chains.way_to(op)) if type(around) is ops.Store), None)
    if statement is None or statement.kind not in ("assign", "walrus"):
        return set()
    parts = [part for target in statement.targets for part in targets_in(target)]
    if any(type(part) is not ops.Name for part in parts):
        return set()
    return {part.name for part in parts if type(part) is ops.Name and chains.names.get(part.name)}


def _is_only_tested(chains: Chains, name: str, loop: ops.Loop) -> bool:
    """Is a name read in a loop by tests alone, and where the loop is left?"""
    stored = [target for target, _ in chains.stored_in(name, loop)]
    inside = (one for one in chains.names.get(name, ()) if loop in chains.way_to(one))
    return all(any(one is target for target in stored) or _is_tested(chains, one, loop) for one in inside)


def _is_tested(chains: Chains, read: ops.Name, loop: ops.Loop) -> bool:
    way = chains.way_to(read)
    for outer, inner in pairwise(way[way.index(loop) :]):
        if type(outer) is ops.Loop and inner is outer.source:
            return True
        if type(outer) is ops.Branch:
            arm = () if inner is outer.test else outer.body if inner in outer.body else outer.orelse
            if not arm or (type(arm[-1]) is ops.Leave and arm[-1].kind in ("break", "return", "raise")):
                return True
    return False
