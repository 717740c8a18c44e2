"""What a function computes of its inputs, in terms of a caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.payload import AT, Doubt
from flake8_jax.domain.staging import NONE, Input, presumed
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, NUMBER, NUMPY, Value, unknown

if TYPE_CHECKING:
    from flake8_jax.analysis.summaries.substitution import Substitution


def is_number(site: Substitution, value: Value) -> bool:
    """Is what annotations alone make an array a number of the host, or an array of NumPy, here?"""
    actuals = [site.resolve(source) for source in presumed(value.dependences)]
    return bool(actuals) and all(one is not None and one.kind in (NUMBER, NUMPY) for one in actuals)


def computed(site: Substitution, value: Value) -> Value:
    """What is computed of inputs: an array, or a number or array of the host."""
    kinds, kept = set(), value.payload
    for dependence in value.dependences:
        actual = site.resolve(dependence) if isinstance(dependence, Input) else None
        kinds.add(COMPUTED if actual is None else actual.kind)
        if actual is not None and actual.kind is ARRAY and type(kept) is Doubt:
            kept = actual.payload if type(actual.payload) is Doubt else None
    if ARRAY in kinds:
        solid, bare = site.dependences(value.dependences, False)
        shown = kept if type(kept) is Doubt or kept is AT else None
        return Value(ARRAY, solid | bare, shown, site.op, None, value.dtype)
    if kinds <= {COMPUTED, INPUT}:
        solid, bare = site.dependences(value.dependences, False)
        return Value(COMPUTED, solid | bare, kept, site.op)
    if kinds == {NUMBER}:
        return Value(NUMBER, NONE, OPEN, site.op)
    if kinds <= {NUMPY, NUMBER}:
        return Value(NUMPY, made_by=site.op)
    if kinds & {COMPUTED, INPUT} and not kinds - {COMPUTED, INPUT, NUMBER, NUMPY}:
        solid, bare = site.dependences(value.dependences, False)
        return Value(COMPUTED, solid | bare, None, site.op)
    return unknown("operator on an argument of another kind", site.op)
