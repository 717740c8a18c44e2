"""Tests that guard an op: whether it is reached at all, and in each turn of a loop.

if x.shape[0] > 3: x[3]         guarded: the test speaks of `x`
for i in range(6):
    if i < len(x): x[i]         guarded, and not reached in each turn
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.conditions import is_about_inputs
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import NUMBER
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Branch, Function, Op
from flake8_jax.ir.walking import names_in, within

SIZES = frozenset(("shape", "size", "ndim", "len"))
EXPECTING = "assert"
CONTROL_FLOW = frozenset(f"jax.lax.{name}" for name in ("cond", "fori_loop", "scan", "switch", "while_loop"))


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


def is_in_arm_for_host(frame: Frame, op: Op) -> bool:
    """Does a field of which nothing is known choose between an op and control flow of JAX, which a trace needs?

    if self.jit:
        x = lax.cond(x > 0, f, g, x)
    else:
        x = f(x) if x > 0 else g(x)     for the host: who traces it has set `jit`
    """
    arms = _arms_for_host(frame.function)
    if not arms:
        return False
    chosen = (arms[one] for one in chains_of(frame.function).way_to(op) if one in arms)
    return any(_is_open_field(frame, branch.test) for branch in chosen)


@searched_once
def _arms_for_host(function: Function) -> Mapping[Op, Branch]:
    """The statements of arms whose other arm has control flow of JAX, while they have none, each with its branch."""
    chains = chains_of(function)
    with_flow = set[Op]()
    for call in chains.parents:
        if type(call) is ops.Call and imported_name(call.func) in CONTROL_FLOW:
            with_flow.update(inner for outer, inner in pairwise(chains.way_to(call)) if type(outer) is Branch)
    found = dict[Op, Branch]()
    for branch in {chains.parents.get(one) for one in with_flow}:
        if type(branch) is Branch and branch.orelse:
            without = [arm for arm in (branch.body, branch.orelse) if with_flow.isdisjoint(arm)]
            if len(without) == 1:  # and not in the test alone
                found.update(dict.fromkeys(without[0], branch))
    return found


def _is_open_field(frame: Frame, test: Op) -> bool:
    fields = [part for part in within(test) if type(part) is ops.Attr]
    values = [peek(frame, one) for one in fields]
    return bool(fields) and all(value is None or value.constant is OPEN for value in values)
