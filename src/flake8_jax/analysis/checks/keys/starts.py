"""Networks that a loop starts from one key: each for itself, as clients that learn apart, or as members of one whole.

for t in range(n): local.append(model.init(key, x))         each client starts alike, and learns from its own data
preds = [model.apply(p, x) for p in members]                what all of them give is put together:
jnp.stack(preds).mean(0)                                    a whole of equal members, so that the key should differ
jax.tree.map(lambda *leaves: ..., *members)                 this, too
return members                                              and whoever gets all of them may do that,
self.members = [model.init(key, x) for _ in range(n)]       or reads them where they are kept
for layer in layers: params.append(layer.init(key, x))      parts of one network
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flake8_jax.analysis.checks.keys.independence import leaves
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.labels.tables import INITIALIZERS, STORING
from flake8_jax.api.computing import COMBINING
from flake8_jax.domain.resources import Used
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import gone_through, names_in, targets_in, targets_of, within

MAXIMUM_FOLLOWED = 40
"""So many reads of what is made of a start are followed."""

ADDING_UP = frozenset(("sum", "max", "min", "statistics.mean", "functools.reduce"))
"""What makes one value of several, beside the functions on arrays."""


def start_apart(function: ops.Function, used: Used, loops: Iterable[Op]) -> bool:
    """Does a loop start one network again and again from one key, and does nothing put together what comes of it?"""
    draw, op = used.draw, used.op
    if draw is None or type(op) is not ops.Call or not all(_is_start(leaf.op) for leaf in leaves(draw)):
        return False
    turning = {target.name for loop in loops for target in targets_of(loop)}
    asked = op if draw.inner else op.func
    return turning.isdisjoint(names_in(asked)) and not are_put_together(chains_of(function), op)


def _is_start(op: Op) -> bool:
    """Is it a call of a method that gives the parameters of a network?"""
    return type(op) is ops.Call and type(op.func) is ops.Attr and op.func.name in INITIALIZERS


def are_put_together(chains: Chains, op: Op) -> bool:
    """Does a function make one value of what comes of all turns, or hand all networks as they are to its callers?"""
    waiting: list[tuple[Op, bool, bool]] = [(op, False, True)]
    seen: set[Op] = set()
    for read, are_all, are_starts in waiting:  # grows while it is gone through
        if len(waiting) > MAXIMUM_FOLLOWED:
            return True
        child = read
        for around in reversed(chains.way_to(read)[:-1]):
            containers = _collected(around, child)
            if type(around) is ops.Call and around.func is not child and not containers:
                if are_all and _combines(around.func):
                    return True
                are_starts = False
            elif type(around) is ops.Star or (are_starts and _is_handed_on(around, child)):
                if are_all:
                    return True
            elif type(around) is ops.Item and around.base is child:
                are_all = False
            elif type(around) is ops.Gather:
                are_all = True
            for name in containers:
                waiting += ((each, True, are_starts) for each in _reads(chains, name, True, around, seen))
            for name, is_whole in _bound(around, child, are_all):
                waiting += ((each, is_whole, are_starts) for each in _reads(chains, name, False, around, seen))
            child = around
    return False


def _is_handed_on(around: Op, child: Op) -> bool:
    """Is it returned, or kept as an attribute, for others to read?"""
    if type(around) is ops.Store:
        return child is around.value and any(type(target) is ops.Attr for target in around.targets)
    return type(around) is ops.Leave


def _combines(func: Op) -> bool:
    name = imported_name(func)
    return name.startswith(COMBINING) or name in ADDING_UP


def _collected(around: Op, child: Op) -> list[ops.Name]:
    """The name of the container that takes in what stands in a statement: `local.append(...)`, `local[t] = ...`."""
    if type(around) is ops.Call and type(around.func) is ops.Attr and around.func.name in STORING:
        bases = [around.func.base] if around.func is not child else []
    elif type(around) is ops.Store:
        bases = [target.base for target in around.targets if type(target) is ops.Item]
    else:
        bases = []
    return [base for base in bases if type(base) is ops.Name]


def _bound(around: Op, child: Op, are_all: bool) -> list[tuple[ops.Name, bool]]:
    """The names that a statement binds to it, or to each of its elements."""
    if type(around) is ops.Store:
        return [(one, are_all) for target in around.targets for one in targets_in(target) if type(one) is ops.Name]
    if type(around) is not ops.Loop:
        return []
    targets = [target for source, target in gone_through(around) if source is child]
    return [(one, False) for target in targets for one in within(target) if type(one) is ops.Name]


def _reads(
    chains: Chains, name: ops.Name, is_container: bool, statement: Op, seen: set[Op]
) -> Iterator[ops.Name]:  # fmt: skip
    """The reads of a name; none of a container whose items are replaced elsewhere, as where each client learns."""
    if name not in seen and all(store is statement for _, store in chains.items_of(name.name)):
        seen.add(name)
        reads = chains.names.get(name.name, ()) if is_container else chains.uses_of(name)
        yield from (read for read in reads if read is not name)
