"""Tests that guard an op: whether it is reached at all, and in each turn of a loop.

if x.shape[0] > 3: x[3]         guarded: the test speaks of `x`
for i in range(6):
    if i < len(x): x[i]         guarded, and not reached in each turn
"""

from __future__ import annotations

from collections.abc import Collection

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.value import NUMBER
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Op
from flake8_jax.ir.paths import tests_on, way_to, within

SIZES = frozenset(("shape", "size", "ndim", "len"))
EXPECTING = "assert"


def names_in(op: Op) -> frozenset[str]:
    """The names that an expression reads."""
    return frozenset(one.name for one in within(op) if type(one) is ops.Name)


def is_guarded(frame: Frame, op: Op, names: Collection[str]) -> bool:
    """Does a test that leads to an op speak of these names, of sizes, or of numbers that are known?

    What is asserted is expected.
    """
    way = way_to(frame.function.body, op)
    if not way:
        return True
    if any(map(_expects, way)):
        return True
    return any(_speaks(frame, test, names) for test in tests_on(frame.function.body, way))


def _expects(outer: Op) -> bool:
    if type(outer) is ops.Branch:
        return outer.kind == "assert"
    return type(outer) is ops.Call and getattr(outer.func, "name", "").lstrip("_").startswith(EXPECTING)


def _speaks(frame: Frame, test: Op, names: Collection[str]) -> bool:
    for one in within(test):
        if type(one) is ops.Attr and one.name in SIZES:
            return True
        if type(one) is ops.Name and (one.name in names or one.name in SIZES or _is_known_number(frame, one)):
            return True
    return False


def _is_known_number(frame: Frame, name: ops.Name) -> bool:
    around: Frame | None = frame
    while around is not None:
        found = around.state.names.get(name.name) if around.state is not None else None
        if found is not None:
            return found.kind is NUMBER and type(found.constant) is int
        around = around.parent
    return False


def is_reached_in_each_turn(body: Body, op: Op) -> bool:
    """Is an op in the body of a loop run in every turn, as no test may leave it out?"""
    way = way_to(body, op)
    return bool(way) and not any(True for _ in tests_on(body, way))
