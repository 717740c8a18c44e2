"""Results that are held against each other, so that they are to be alike.

assert array_equal(ours(key), normal(key))              one function is tried by the other
before, after = run(model, key), run(load(model), key)
assert allclose(before, after)                          by names
"""

from __future__ import annotations

from functools import lru_cache

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase

COMPARING = frozenset((
    *(f"{home}.{name}" for home in ("jax.numpy", "numpy") for name in ("array_equal", "allclose", "isclose")),
    *(f"numpy.testing.assert_{name}" for name in ("allclose", "array_equal", "equal", "array_almost_equal")),
))  # fmt: skip
"""What holds two results against each other."""


def are_held_together(function: Function, one: Op, other: Op) -> bool:
    """Are draws of two functions the sides of one comparison, or what names hold that are compared, so that one is
    tried by the other?
    """
    chains = chains_of(function)
    held = _comparisons(chains, one)
    if held and not held.isdisjoint(_comparisons(chains, other)):
        return True
    if type(one) is ops.Call and type(other) is ops.Call and phrase(one.func) == phrase(other.func):
        return False
    both = [first for first, second in zip(chains.way_to(one), chains.way_to(other)) if first is second]
    around = both[-1] if both else None
    is_asked = type(around) is ops.Call and imported_name(around.func) in COMPARING
    return is_asked or type(around) is ops.Compare


@lru_cache(maxsize=256)
def _comparisons(chains: Chains, op: Op) -> set[Op]:
    """The calls that hold what a statement binds to a name against something else."""
    statement = next((each for each in reversed(chains.way_to(op)) if type(each) is ops.Store), None)
    target = statement.targets[0] if statement is not None and len(statement.targets) == 1 else None
    reads = chains.uses_of(target) if type(target) is ops.Name else ()
    calls = {chains.parents.get(read) for read in reads}
    return {call for call in calls if type(call) is ops.Call and imported_name(call.func) in COMPARING}
