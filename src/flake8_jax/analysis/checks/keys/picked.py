"""Draws that only pick positions, of which the same are picked of several arrays on purpose.

i = randint(k, (8,), 0, len(x)); x[i]       picked of `x`
take(labels, choice(k, n, (8,)), axis=0)    picked of `labels`

def batch(k, data): return data[choice(k, len(data), (8,))]
batch(k, x), batch(k, labels)               one function, applied to other data: the same rows of both
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.domain.resources import DrawSite
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

PICKING = frozenset((
    "jax.random.choice", "jax.random.permutation", "jax.random.randint", "jax.random.shuffle",
))  # fmt: skip
TAKING = frozenset(("jax.numpy.take", "jax.numpy.take_along_axis"))
FIRST = 1
"""The place of the first argument of a draw behind its key."""


def picked_from(draw: DrawSite) -> frozenset[str]:
    """The texts of what a draw picks positions of; none if anything else is done with what it gives."""
    if draw.by not in PICKING or type(draw.op) is not ops.Call:
        return frozenset()
    found = [*_bases(chains_of(draw.code.function), draw.op)]
    return frozenset(found) if all(found) else frozenset()


def are_picked_alike(first: DrawSite, second: DrawSite) -> bool:
    """Do two draws, written alike, pick positions of different arrays?"""
    one, other = picked_from(first), picked_from(second)
    if not one or not other or first.by != second.by or not one.isdisjoint(other):
        return False
    return _sizes(first, one) == _sizes(second, other)


def _bases(chains: Chains, op: Op) -> Iterator[str]:
    """What a value is an index of, by its uses; "" for each other use."""
    around = chains.parents.get(op)
    match around:
        case ops.Item(base=base, index=index) if index is op:
            yield phrase(base)
        case ops.Item(base=base) if base is op:
            yield from _bases(chains, around)  # the first of them
        case ops.Call(func=func, args=(base, index, *_)) if index is op and imported_name(func) in TAKING:
            yield phrase(base)
        case ops.Store(targets=(ops.Name() as target,), value=value, kind="assign") if value is op:
            for read in chains.uses_of(target):
                yield from _bases(chains, read)
        case _:
            yield ""


def _sizes(draw: DrawSite, bases: frozenset[str]) -> list[str]:
    """The texts of the numbers that a draw is given, without the lengths of what it picks of."""
    assert type(draw.op) is ops.Call
    given = [*draw.op.args[FIRST:], *(value for name, value in draw.op.keywords if name != "key")]
    texts = [phrase(one) for one in given]
    return [text for text in texts if not any(base in text for base in bases)]
