"""Draws whose results are only shown, as pictures of a network in training, and never reach what a run computes with.

for batch in batches:
    key, sub = split(key)
    state = step(state, batch, sub)             the run goes on with this
    plt.imshow(sample(state, key))              this is only shown, and the next turn computes nothing of it: no reuse
for dim in (2, 8, 32):
    errors.append(error(key, dim))              points of one curve, none of which is computed of another: no reuse
plt.plot(dims, errors)
for _ in range(9):
    plt.plot(sample(state, key))                the same picture nine times: reuse
print(normal(key)); print(uniform(key))         numbers that are looked at: reuse
"""

from __future__ import annotations

from collections.abc import Collection

from flake8_jax.analysis.checks.keys.starts import are_put_together
from flake8_jax.analysis.checks.keys.tried import comes_round
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.labels.questions import can_meet, is_only_shown, stores_of_data
from flake8_jax.analysis.labels.tables import SEEDED
from flake8_jax.domain.resources import DrawSite, Used, loops_between
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, value_bound
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import targets_in, within

MAXIMUM_FOLLOWED = 40
"""So many reads of what is made of a draw are followed."""

STATEMENTS = (ops.Branch, ops.Loop, ops.With, ops.Try, type(None))
AROUND = (*STATEMENTS, ops.Store, ops.Gather, ops.Leave)
"""What an expression stands in as a whole."""


def is_beside(one: Used, other: Used) -> bool:
    """Is what comes of one of two draws only shown, and either nothing else shown together with it, or the state of a
    run that goes on with the other?
    """
    if one.draw is None or other.draw is None:
        return False
    both = ((one, one.draw), (other, other.draw))
    loops = loops_between(one, other.iterations)
    if one.op is other.op:
        return _is_point_shown(other, loops)
    if any(_is_made_in(one, loop) for loop in loops):
        return False  # what the next turn draws begins anew there, whatever was drawn of it here
    are_shown = [is_only_shown(draw) and is_computed_with(used, draw) for used, draw in both]
    if not any(are_shown):
        return False
    go_on = [_goes_on(draw) for _, draw in both]
    if not any(is_shown and not goes_on for is_shown, goes_on in zip(are_shown, go_on, strict=True)):
        return False
    return any(go_on) or not can_meet(one.draw, other.draw)


def _is_made_in(used: Used, loop: Op) -> bool:
    """Is the key, by the name that holds it, made of a seed in a loop?"""
    if type(used.place) is not ops.Name or used.draw is None:
        return False
    chains = chains_of(used.draw.code.function)
    statement = chains.statement_binding(used.place)
    made = value_bound(statement, used.place.name) if type(statement) is ops.Store else None
    is_seeded = type(made) is ops.Call and imported_name(made.func) in SEEDED
    return is_seeded and statement is not None and loop in chains.way_to(statement)


def _goes_on(draw: DrawSite) -> bool:
    """Does a turn of a loop go on with what the one before has computed of a draw?"""
    chains = chains_of(draw.code.function)
    for statement in stores_of_data(draw):
        loops = [one for one in chains.way_to(statement) if type(one) is ops.Loop]
        targets = [part for target in statement.targets for part in targets_in(target)] if loops else []
        if any(comes_round(chains, target, statement, loop) for target in targets for loop in loops):
            return True
    return False


def _is_point_shown(used: Used, loops: Collection[Op]) -> bool:
    """Is a draw made again for what else each turn of some loops has, and each result shown for itself?"""
    draw = used.draw
    if draw is None or not is_only_shown(draw) or _goes_on(draw):
        return False
    chains = chains_of(draw.code.function)
    has_others = any(chains.stored_in(name.name, loop) for name in _met(chains, used.op) for loop in loops)
    return has_others and not are_put_together(chains, used.op)


def is_computed_with(used: Used, draw: DrawSite) -> bool:
    """Is something computed of a draw and of what else is there?  Whoever shows the numbers alone looks at them."""
    if draw.inner:
        return True
    key = used.place.name if type(used.place) is ops.Name else ""
    names = [name for name in _met(chains_of(draw.code.function), used.op) if name.name != key]
    held = [name.scope.lookup(name.name) for name in names]
    return any(binding.owner is not None and not binding.imported for binding in held)


def _met(chains: Chains, op: Op) -> list[ops.Name]:
    """The names that stand in what is computed of a draw, other than those that are bound to it."""
    waiting, bound, names = [op], set[str](), list[ops.Name]()
    for read in waiting:  # grows while it is gone through
        if len(waiting) > MAXIMUM_FOLLOWED:
            break
        whole = _computed_at_once(chains, read)
        names += [inner for inner in within(whole) if type(inner) is ops.Name]
        around = chains.parents.get(whole)
        targets = [one for target in around.targets for one in targets_in(target)] if type(around) is ops.Store else []
        made = [one for one in targets if type(one) is ops.Name and one.name not in bound]
        bound |= {one.name for one in made}
        waiting += (use for name in made for use in chains.uses_of(name))
    return [name for name in names if name.name not in bound]


def _computed_at_once(chains: Chains, op: Op) -> Op:
    """The whole expression in which a draw stands, or the argument of the call that is a statement by itself."""
    while (around := chains.parents.get(op)) is not None and type(around) not in AROUND:
        if type(around) is ops.Call and type(chains.parents.get(around)) in STATEMENTS:
            break
        op = around
    return op
