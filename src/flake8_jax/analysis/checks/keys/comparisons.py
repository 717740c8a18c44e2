"""Results that are held against each other, so that they are to be alike.

assert array_equal(ours(key), normal(key))              one function is tried by the other
before, after = run(model, key), run(load(model), key)
assert allclose(before, after)                          by names
assert (run(model, key) == run(model, key)).all()       one function, whether it gives the same again
assert jnp.abs(before.x - after.x).max() < 1e-6         by what is computed of them
up, down = f(x + h, key), f(x - h, key)
slope = (up - down) / (2 * h)                           by their difference: what is alike in them takes itself away
student, teacher = f(p, x, key), f(q, y, key)
return mse_loss(student, teacher)                       by what measures it
first.params, second.params = noisy(a, key), noisy(b, key)
gap = distance(first, second)                           as fields of what is measured
before, after = loss(p, batch(key)), loss(q, batch(key))        one function of the same data, made anew
"""

from __future__ import annotations

from typing import NamedTuple

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.objects.host_views import MAPPING
from flake8_jax.api.comparing import COMPARING
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import path_root, targets_in
from flake8_jax.syntax.policies import DISTANCE_NAME, EVALUATION_NAME, LOSS_NAME

LONGEST = 200
MAXIMUM_FOLLOWED = 40
"""So many reads of a result are followed."""


def are_held_together(function: Function, one: Op, other: Op) -> bool:
    """Are draws of two functions the sides of one comparison, or what names hold that are compared, so that one is
    tried by the other?
    """
    chains = chains_of(function)
    held = _comparisons(chains, one)
    if held and not held.isdisjoint(_comparisons(chains, other)):
        return True
    both = [first for first, second in zip(chains.way_to(one), chains.way_to(other)) if first is second]
    around = both[-1] if both else None
    if type(one) is ops.Call and type(other) is ops.Call and phrase(one.func) == phrase(other.func):
        return around is not None and around is _comparison_of(chains, one)
    is_asked = type(around) is ops.Call and imported_name(around.func) in COMPARING
    return is_asked or type(around) is ops.Compare


def are_two_points(function: Function, one: Op, other: Op) -> bool:
    """Is one function called with two different arguments, and the distance of both results taken?"""
    if type(one) is not ops.Call or type(other) is not ops.Call or phrase(one.func) != phrase(other.func):
        return False
    chains = chains_of(function)
    is_same = [*map(phrase, one.args)] == [*map(phrase, other.args)] and one.keywords == other.keywords
    return not is_same and not _distances(chains, one).found.isdisjoint(_distances(chains, other).found)


def are_same_data(function: Function, one: Op, other: Op) -> bool:
    """Is the same call written twice, to make the data on which one function measures two things?"""
    if type(one) is not ops.Call or type(other) is not ops.Call or phrase(one, LONGEST) != phrase(other, LONGEST):
        return False
    chains = chains_of(function)
    first, second = chains.parents.get(one), chains.parents.get(other)
    if type(first) is not ops.Call or type(second) is not ops.Call or first is second:
        return False
    if one not in first.args or other not in second.args or phrase(first.func) != phrase(second.func):
        return False
    if not (EVALUATION_NAME.search(name := phrase(first.func)) or LOSS_NAME.search(name)):
        return False
    beside = [[phrase(argument, LONGEST) for argument in call.args] for call in (first, second)]
    return len(first.args) > 1 and beside[0] != beside[1]


def is_only_held(function: Function, op: Op) -> bool:
    """Is a result read for nothing else than the distances that are taken of it?"""
    return _distances(chains_of(function), op).are_all


class Distances(NamedTuple):
    """The distances that are taken of a result, and is it read for nothing else?"""

    found: frozenset[Op]
    are_all: bool


@searched_for
def _distances(chains: Chains, op: Op) -> Distances:
    """The distances that are taken of a result, itself or by what statements bind to it or its parts: names, and fields
    of local objects, as in `shown.params = state.params`.
    """
    found, are_all = set[Op](), True
    seen, waiting = set[Op](), [op]
    for one in waiting:  # grows while it is gone through
        if (held := _differences_around(chains, one)) or len(waiting) > MAXIMUM_FOLLOWED:
            found |= held
            are_all &= bool(held)
            continue
        whole = chains.dotted(one)
        statement, targets = _targets_of(chains, whole)
        are_all &= bool(targets) or (type(statement) is ops.Store and whole in statement.targets)
        for target in targets if statement not in seen else ():
            name = target if type(target) is ops.Name and one is op else None
            if type(target) is ops.Attr and (owner := path_root(target)) is not None:
                defined = chains.found_by(owner)
                name = defined if type(defined) is ops.Name else None
            waiting += chains.uses_of(name) if name is not None else ()
            are_all &= name is not None
        if targets and statement is not None:
            seen.add(statement)
    return Distances(frozenset(found), are_all and bool(found))


def _targets_of(chains: Chains, value: Op) -> tuple[Op | None, list[Op]]:
    """The statement around a value, and what it binds to that: all of what is assigned, or a part of it."""
    around = chains.parents.get(value)
    if type(around) is ops.Store and around.value is value:
        return around, [part for target in around.targets for part in targets_in(target)]
    statement = chains.parents.get(around) if type(around) is ops.Build else None
    if type(statement) is ops.Store and statement.value is around and type(around) is ops.Build:
        unpacked = [target for target in statement.targets if type(target) is ops.Unpack]
        if len(unpacked) == len(statement.targets) == 1 and len(unpacked[0].parts) == len(around.parts):
            return statement, [unpacked[0].parts[around.parts.index(value)]]
    return around, []


def _differences_around(chains: Chains, op: Op) -> set[Op]:
    """The subtractions around an op, and the call of what measures how far its arguments are from each other."""
    found: set[Op] = set()
    while type(around := chains.parents.get(op)) is ops.Operate:
        found |= {around} if around.operator == "-" and len(around.operands) == 2 else set()
        op = around
    if type(around) is ops.Call and op is not around.func and DISTANCE_NAME.search(phrase(around.func)) is not None:
        found.add(around)
    return found


def _maps_comparison(call: ops.Call) -> bool:
    """Does a call compare the leaves of trees: `tree.map(array_equal, before, after)`?"""
    return imported_name(call.func) in MAPPING and bool(call.args) and imported_name(call.args[0]) in COMPARING


@searched_for
def _comparisons(chains: Chains, op: Op) -> set[Op]:
    """The calls that hold what a statement binds to a name against something else."""
    way = chains.way_to(op)
    place = next((place for place in reversed(range(len(way))) if type(way[place]) is ops.Store), None)
    statement = way[place] if place is not None else None
    targets: list[Op] = [*statement.targets] if type(statement) is ops.Store else []
    if place is not None and len(targets) == 1 and type(targets[0]) is ops.Unpack:
        _, targets = _targets_of(chains, way[min(place + 2, len(way) - 1)])
    target = targets[0] if len(targets) == 1 else None
    reads = chains.uses_of(target) if type(target) is ops.Name else ()
    return {found for read in reads if (found := _comparison_of(chains, read)) is not None}


def _comparison_of(chains: Chains, read: Op) -> Op | None:
    """What holds a value against something else: a function for that, or what an assertion says of both."""
    below = read
    difference: Op | None = None
    said: Op | None = None
    while (around := chains.parents.get(below)) is not None:
        match around:
            case ops.Call(func=func) if imported_name(func) in COMPARING or _maps_comparison(around):
                return around
            case ops.Branch(kind="assert"):
                return said
            case ops.Compare(operators=operators) if said is None:
                said = around if operators == ("==",) else difference
            case ops.Operate(operator="-", operands=(_, _)):
                difference = difference or around
            case ops.Attr() | ops.Item() | ops.Call() | ops.Operate() | ops.Logic():
                pass
            case _:
                return None
        below = around
    return None
