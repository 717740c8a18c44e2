"""Tests that guard an op: whether it is reached at all, and in each turn of a loop.

if x.shape[0] > 3: x[3]         guarded: the test speaks of `x`
for i in range(6):
    if i < len(x): x[i]         guarded, and not reached in each turn
"""

from __future__ import annotations

from collections.abc import Collection

from flake8_jax.analysis.evidence import CallSite
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import is_about_inputs
from flake8_jax.domain.kinds import NUMBER
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.walking import names_in

SIZES = frozenset(("shape", "size", "ndim", "len"))
EXPECTING = "assert"


def is_guarded(frame: Frame, op: Op, names: Collection[str]) -> bool:
    """Does a test that leads to an op speak of these names, of sizes, or of numbers that are known?

    What is asserted is expected.
    """
    chains = chains_of(frame.function)
    way = chains.way_to(op)
    if not way or any(map(_expects, way)):
        return True
    return any(_speaks(frame, chains.asked(test), names) for test in chains.tests_on(way))


def is_unguarded(site: CallSite) -> bool:
    """Is the op of an effect reached whatever tests around it or around the call say of inputs?"""
    frame, op = site.frame, site.op
    is_open = not is_about_inputs(site.when) and not frame.context.is_prepared
    return is_open and not is_guarded(frame, op, names_in(op))


def _expects(outer: Op) -> bool:
    if type(outer) is ops.Branch:
        return outer.kind == "assert"
    return type(outer) is ops.Call and getattr(outer.func, "name", "").lstrip("_").startswith(EXPECTING)


def _speaks(frame: Frame, asked: Collection[str], names: Collection[str]) -> bool:
    for text in asked:
        if text in names or text in SIZES or text.rpartition(".")[2] in SIZES or _is_known_number(frame, text):
            return True
    return False


def _is_known_number(frame: Frame, name: str) -> bool:
    found = frame.bound_to(name)
    return found is not None and found.kind is NUMBER and type(found.constant) is int


def is_reached_in_each_turn(function: Function, loop: Op, op: Op) -> bool:
    """Is an op in a loop or comprehension run in every turn, as no test may leave it out?"""
    chains = chains_of(function)
    way = chains.way_to(op)
    if loop not in way:
        return False
    if type(loop) is ops.Loop:
        return not any(test is not loop.source for test in chains.tests_on(way, loop))
    return not any(True for _ in chains.tests_on(way[way.index(loop) + 1 :], way[way.index(loop) + 1]))
