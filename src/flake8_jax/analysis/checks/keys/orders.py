"""Shuffles that put other rows, or the same rows again, in the order that the turn before had.

for epoch in range(n): order = permutation(key, len(x)); fit(x[order])      one order for all epochs: reuse
means = [x[choice(key, len(x), (8,))].mean() for _ in range(n)]             and so in a comprehension
for name in ("x", "y"): data[name] = permutation(key, data[name])           aligned on purpose
for i in range(2): views[i] = views[i][permutation(key, n)]                 aligned on purpose
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.compilation.turns import COUNTING
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.domain.resources import DrawSite, Used, loops_between
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import names_in, parts, targets_of, within


def is_one_order(earlier: Used, now: Used) -> bool:
    """Do the turns of a loop that counts get one order, for what is the same on each of them?"""
    draw = now.draw
    if earlier.op is not now.op or draw is None or type(draw.op) is not ops.Call:
        return False
    chains = chains_of(draw.code.function)
    return any(_is_same_on_each_turn(chains, draw, loop) for loop in loops_between(earlier, now.iterations))


def _is_same_on_each_turn(chains: Chains, draw: DrawSite, loop: Op) -> bool:
    if type(loop) not in (ops.Loop, ops.Gather) or loop not in chains.way_to(draw.op):
        return False
    assert type(loop) is ops.Loop or type(loop) is ops.Gather
    sources = [clause.source for clause in loop.clauses] if isinstance(loop, ops.Gather) else [loop.source]
    is_endless = type(loop) is ops.Loop and loop.kind != "for"
    if not is_endless and not all(type(source) is ops.Call and _is_counting(source) for source in sources):
        return False
    call = draw.op
    assert type(call) is ops.Call
    given = [one for one in (*call.args, *(value for _, value in call.keywords)) if one is not draw.place]
    if any(_is_bound_in(chains, name, loop) for one in given for name in names_in(one)):
        return False
    return not _orders_others(loop, call)


def _is_counting(source: ops.Call) -> bool:
    """Does a loop run through numbers: `range(n)`, `trange(n)`, `tqdm(range(n))`?"""
    if imported_name(source.func).rpartition(".")[2] in COUNTING:
        return True
    inner = source.args[0] if source.args else None
    return type(inner) is ops.Call and imported_name(inner.func).rpartition(".")[2] in COUNTING


def _is_bound_in(chains: Chains, name: str, loop: Op) -> bool:
    """Does a loop bind a name, so that it may be another thing on each turn?"""
    return bool(chains.stored_in(name, loop))


def _orders_others(loop: ops.Loop | ops.Gather, draw: ops.Call) -> bool:
    """Does a turn put in this order what its counter selects: `views[i][order]`, `take(views[i], order)`?"""
    counters = {target.name for target in targets_of(loop)}
    selected: set[str] = set()
    orders: set[str] = set()

    def is_order(op: Op) -> bool:
        return any(one is draw or (type(one) is ops.Name and one.name in orders) for one in within(op))

    def is_selected(op: Op) -> bool:
        return any(
            (type(one) is ops.Item and not names_in(one.index).isdisjoint(counters))
            or (type(one) is ops.Name and one.name in selected)
            for one in within(op)
        )

    def is_met(op: Op) -> bool:
        match op:
            case ops.Item(base=base, index=index):
                return is_order(index) and is_selected(base)
            case ops.Call(args=args):
                return any(map(is_order, args)) and any(map(is_selected, args))
        return False

    for store, value in _in_order(loop):
        if is_met(value):
            return True
        if store is not None:
            bound = {name for target in store.targets for name in names_in(target)}
            orders |= bound if is_order(value) else set()
            selected |= bound if is_selected(value) or not names_in(value).isdisjoint(counters) else set()
    return False


def _in_order(loop: ops.Loop | ops.Gather) -> Iterator[tuple[ops.Store | None, Op]]:
    """What a turn evaluates, in order: the ops of a stored value, that value with the statement that stores it."""
    inside = loop.body if isinstance(loop, ops.Loop) else loop.element
    waiting: list[tuple[ops.Store | None, Op]] = [(None, one) for one in reversed(inside)]
    while waiting:
        store, one = waiting.pop()
        if type(one) is ops.Store and one.value is not None:
            waiting += [(one, one.value), *((None, inner) for inner in reversed(parts(one.value)))]
            waiting += [(None, target) for target in one.targets]
        else:
            yield store, one
            waiting += [(None, inner) for inner in reversed(parts(one))] if store is None else []
