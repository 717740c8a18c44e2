"""Whether two uses of one key were meant to be independent, and how certain that is.

rows, labels = permutation(k, rows), permutation(k, labels)       aligned on purpose: no reuse
x, y = batch(k, x), batch(k, y)                                   if `batch` picks rows with `k` (picked.py): the same
plus, minus = unroll(theta + d, k), unroll(theta - d, k)          common random numbers, perhaps: likely
a, b = noise(k), noise(k)                                         reuse
x, y = random_crop(k, x), random_crop(k, y)                       one augmentation of two views: no reuse
y = inverse_rotation(k, rotation(k, x))                           one undoes the other: no reuse
apply(p, x, method="encode", rngs=r), apply(p, z, method="decode", rngs=r)   other layers fold other paths in: no reuse
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from flake8_jax.analysis.checks.keys.orders import is_one_order
from flake8_jax.analysis.checks.keys.picked import are_picked_alike, picked_from
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.labels.tables import FOLDING, INITIALIZERS, WITHOUT_NOISE
from flake8_jax.api.augmenting import AUGMENTING
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import CONTAINERS, HOST_CONSTANTS, RANDOM_KEYS
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import ByArgument, ByElement, DrawSite, Used, crosses_iterations
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import only_target, targets_of, within
from flake8_jax.syntax.policies import (
    AUGMENTATION_NAME,
    DEMONSTRATING_FUNCTION,
    EVALUATING_FUNCTION,
    EVALUATION_NAME,
    FIGURE_FUNCTION,
    INITIAL_NAME,
    INVERSE_MARK,
    LOSS_NAME,
)

PERMUTATIONS = frozenset(("jax.random.permutation", "jax.random.shuffle"))
CHOICE = "jax.random.choice"
SPLIT = "jax.random.split"
LIBRARY = "jax."
POPULATION, SHAPE, WEIGHTS = 1, 2, 4
"""Positions of the parameters of `choice`."""

RANDINT, MAXIMUM = "jax.random.randint", 3
"""What draws positions, and where their bound stands."""

STORED = (ops.Name, ops.Attr, ops.Item)
STARTS = INITIALIZERS | {"reset"}
"""Methods that give the start of something; the same start twice is seldom an accident."""

DROPOUT = "dropout"
"""The stream of Flax that only training reads."""

OVER_DEVICES = ("pmap", "shard_map", "smap")
"""How the names of transforms end that run a function on each device."""

LONGEST = 200


def belong_together(earlier: Used, now: Used) -> bool:
    """Are two uses meant to go together: halves of one split, or an aligned shuffle?"""
    if earlier.op is now.op and not crosses_iterations(earlier, now.iterations):
        return earlier.means == now.means
    if isinstance(now.means, ByElement) and isinstance(earlier.means, ByElement):
        return earlier.means != now.means
    if earlier.draw is None or now.draw is None:
        return False
    if _is_inverse(earlier.op, now.op):
        return True
    if _is_augmented_twice(earlier.op, now.op) and _are_other_views(earlier.draw, now.draw):
        return True
    if is_one_order(earlier, now):
        return False
    first, second = list(leaves(earlier.draw)), list(leaves(now.draw))
    return all(
        _are_aligned(one, other)
        or _are_folded_apart(one, other)
        or _are_picked(earlier.draw, one, now.draw, other)
        or _are_of_methods(one.op, other.op)
        for one in first for other in second
    )  # fmt: skip


def _are_picked(earlier: DrawSite, one: DrawSite, now: DrawSite, other: DrawSite) -> bool:
    """Do two draws pick the same positions of different arrays: in two texts, or in one function for two arguments?"""
    if one.op is not other.op:
        return are_picked_alike(one, other)
    bases, others = picked_from(one), dict(now.arguments)
    return any(name in bases and _differ_as_data(value, others.get(name)) for name, value in earlier.arguments)


def _are_of_methods(first: Op, second: Op) -> bool:
    """Do two calls run different methods of a module, whose layers fold their paths into the keys of streams?"""
    if type(first) is not ops.Call or type(second) is not ops.Call:
        return False
    one, other = dict(first.keywords), dict(second.keywords)
    if not all("rngs" in given and "method" in given for given in (one, other)):
        return False
    return phrase(one["method"]) != phrase(other["method"])


def _is_inverse(first: Op, second: Op) -> bool:
    """Does the function of one call undo that of the other, by its name?"""
    one, other = _name_called(first), _name_called(second)
    if len(one) > len(other):
        one, other = other, one
    return bool(one) and one != other and any(_without(other, mark) == one for mark in INVERSE_MARK.finditer(other))


def _is_augmented_twice(first: Op, second: Op) -> bool:
    """Do two calls have one function, which by its name is an augmentation?"""
    name = _name_called(first)
    return name == _name_called(second) and AUGMENTATION_NAME.search(name) is not None


def is_augmentation(used: Used) -> bool:
    """Does an augmentation draw, by its name: the function that is called, or one that it hands the key to?"""
    names = [_name_called(used.op)]
    if used.draw is not None:
        inside = [*used.draw.within()][1:]
        names += [call.code.function.name.strip("_") for call in inside] + [_name_called(call.op) for call in inside]
    return any(map(AUGMENTATION_NAME.search, names))


def is_of_views(function: Function, used: Used, loops: Iterable[Op]) -> bool:
    """Does a loop augment the views of one example alike, which it takes by their names: `images[name]`?"""
    chains = chains_of(function)
    if not any(_takes_by_name(chains, loop) for loop in loops):
        return False
    if is_augmentation(used):
        return True
    statement = next((one for one in reversed(chains.way_to(used.op)) if type(one) is ops.Store), None)
    bound = [one for one in statement.targets if type(one) is ops.Name] if statement is not None else []
    around = [chains.way_to(read) for name in bound for read in chains.uses_of(name)]
    calls = [one for way in around for one in way if type(one) is ops.Call]
    return any(imported_name(part).startswith(AUGMENTING) for call in calls for part in within(call.func))


@searched_for
def _takes_by_name(chains: Chains, loop: Op) -> bool:
    """Is what a loop runs through an index in its body?"""
    reads = [read for target in targets_of(loop) for read in chains.names.get(target.name, ())]
    return any(type(item := chains.parents.get(read)) is ops.Item and item.index is read for read in reads)


def _are_other_views(first: DrawSite, second: DrawSite) -> bool:
    """Do two calls of one augmentation get different data, or at least the text of it?"""
    if first.inner and second.inner:
        return _is_given_other_data(first, second)
    texts = [
        [phrase(argument, LONGEST) for argument in draw.op.args]
        for draw in (first, second)
        if type(draw.op) is ops.Call
    ]
    return len(texts) == 2 and texts[0] != texts[1]


def _name_called(op: Op) -> str:
    """The last name of the function that is called, without leading underscores."""
    func = op.func if type(op) is ops.Call else None
    return func.name.strip("_") if isinstance(func, (ops.Name, ops.Attr)) else ""


def _without(name: str, mark: re.Match[str]) -> str:
    return f"{name[: mark.start()]}{mark[1]}{name[mark.end() :]}".strip("_")


def is_aligned(draw: DrawSite) -> bool:
    """Does a draw shuffle or pick the same positions of all leaves of a tree that it is made for?"""
    return all(
        leaf.by in PERMUTATIONS
        or (leaf.by == CHOICE and type(leaf.op) is ops.Call and isinstance(_argument(leaf.op, POPULATION, "a"), STORED))
        or (leaf.by == RANDINT and type(leaf.op) is ops.Call and _counts_rows(_argument(leaf.op, MAXIMUM, "maxval")))
        for leaf in leaves(draw)
    )


def _counts_rows(op: Op | None) -> bool:
    """Is it the number of rows of something: `x.shape[0]`, `len(x)`?"""
    if type(op) is ops.Item and type(op.base) is ops.Attr:
        return op.base.name == "shape"
    return type(op) is ops.Call and type(op.func) is ops.Name and op.func.name == "len"


def is_shuffle(draw: DrawSite) -> bool:
    """Does a draw only put rows in another order?"""
    return all(leaf.by in PERMUTATIONS for leaf in leaves(draw))


def is_set_up(earlier: Used, now: Used) -> bool:
    """Does one of two uses set something up, by its name?"""
    return any(INITIAL_NAME.search(one.use.by) is not None for one in (earlier, now))


def is_evaluation(caller: str) -> bool:
    """Does a function evaluate something, by its name?"""
    return EVALUATING_FUNCTION.match(caller) is not None


def draws_figure(caller: str) -> bool:
    """Does a function draw pictures, by its name?"""
    return FIGURE_FUNCTION.match(caller) is not None


def is_demonstrating(caller: str) -> bool:
    """Does a function demonstrate something, by its name?"""
    return DEMONSTRATING_FUNCTION.match(caller) is not None


def is_for_evaluation(used: Used) -> bool:
    """Is a key drawn from that is called one for evaluations?"""
    place = used.place
    return isinstance(place, (ops.Name, ops.Attr)) and EVALUATION_NAME.search(place.name) is not None


def is_shown(used: Used) -> bool:
    """Is it a draw for a figure or a monitor, by the name of the function that draws it?

    One of unknown code gives nothing back.
    """
    if used.draw is None:
        return False
    names = [call.code.function.name for call in [*used.draw.within()][1:]]
    return any(map(FIGURE_FUNCTION.match, [*names, *[used.use.by.rpartition(".")[2]] * used.draw.has_effects]))


def may_be_common(draw: DrawSite, by: str, caller: str) -> bool:
    """May all calls of a function draw the same on purpose, because it evaluates something?"""
    if is_evaluation(caller) or EVALUATION_NAME.search(by):
        return True
    return any(EVALUATION_NAME.search(call.code.function.name) for call in _calls(draw))


def lets_half_lie(function: Function, draw: DrawSite) -> bool:
    """Does nobody read one of the names that get the parts of a split?  Whoever wrote it meant to go on from that."""
    chains = chains_of(function)
    statement = chains.parents.get(draw.op) if draw.by == SPLIT else None
    target = only_target(statement)
    parts = target.parts if type(target) is ops.Unpack else ()
    return any(type(part) is ops.Name and next(chains.uses_of(part), None) is None for part in parts)


def is_start_of_replicas(by: str, used: Used) -> bool:
    """Does each device set up its replica of one network, which has to start alike?"""
    inside = [*used.draw.within()][1:] if used.draw is not None else ()
    names = (used.use.by, *(call.code.function.name for call in inside))
    return by.endswith(OVER_DEVICES) and any(map(INITIAL_NAME.search, names))


def is_common(earlier: Used, now: Used) -> bool:
    """Was one function of the project, which hands the key on, applied to other data in another iteration with it?"""
    first, second = earlier.draw, now.draw
    if first is None or second is None or not first.inner or not second.inner or _draws_itself(now):
        return False
    others = dict(second.arguments)
    receiver = first.arguments[0][0] if first.is_method and first.arguments else ""
    return any(
        _differ_as_data(value, others.get(name)) for name, value in first.arguments
        if name != receiver and not _is_size(first, name)
    )  # fmt: skip


def is_same_again(function: Function, earlier: Used, now: Used, loops: Iterable[Op]) -> bool:
    """Is a function of a module called with the very same in the turns of loops, which have nothing else that differs?

    Nothing is bound above the call, and nothing reads what they run through: `for _ in range(n): all.append(run(key))`.
    """
    first, second = earlier.draw, now.draw
    if first is None or second is None or first.is_method or not first.inner:
        return False
    if any("<locals>" in call.code.function.qualname for call in first.inner):
        return False  # it may read what the function around binds anew
    others, chains = dict(second.arguments), chains_of(function)
    if not others or any(others.get(name) is not value for name, value in first.arguments):
        return False
    return all(
        _first_stores(chains).get(loop, now.op.anchor.line) >= now.op.anchor.line
        and not any(next(chains.uses_of(name), None) for name in targets_of(loop))
        for loop in loops
    )


@searched_for
def _first_stores(chains: Chains) -> Mapping[Op, int]:
    """The first line in each loop or comprehension of a function at which a statement stores something."""
    found: dict[Op, int] = {}
    for _, statement in chains.stores:
        for around in chains.way_to(statement)[:-1]:
            found[around] = min(found.get(around, statement.anchor.line), statement.anchor.line)
    return found


def _is_size(draw: DrawSite, name: str) -> bool:
    """Does the function that is called read an argument only where it says how large an array of a library is?"""
    reads = [
        (read, chains.way_to(read)) for function in _callees(draw)
        for chains in (chains_of(function),) for read in chains.names.get(name, ())
    ]  # fmt: skip
    return bool(reads) and all(_stands_in_shape(read, way) for read, way in reads)


def _stands_in_shape(read: Op, way: Sequence[Op]) -> bool:
    """Is a name a part of the tuple that a function of a library is given, as in `normal(key, (n, m))`?"""
    call, shape = way[-3:-1] if len(way[-3:]) == 3 else (read, read)
    is_part = type(shape) is ops.Build and shape.kind == "tuple"
    return is_part and type(call) is ops.Call and imported_name(call.func).startswith(LIBRARY)


def leaves(draw: DrawSite) -> Iterator[DrawSite]:
    """The draws by functions of libraries that a use comes down to."""
    return (one for one in draw.within() if not one.inner)


def _are_folded_apart(first: DrawSite, second: DrawSite) -> bool:
    """Does one draw from what it folds into the key, and the other from the key or from something else?"""
    return FOLDING.get(first.by) != FOLDING.get(second.by)


def _are_aligned(first: DrawSite, second: DrawSite) -> bool:
    """Do two draws shuffle or pick the same positions of two arrays?"""
    if type(first.op) is not ops.Call or type(second.op) is not ops.Call:
        return False
    if first.by in PERMUTATIONS and second.by in PERMUTATIONS:
        lengths = [_argument(one, 1, "x") for one in (first.op, second.op)]
        return len({length.value for length in lengths if type(length) is ops.Const}) < 2
    if first.by != CHOICE or second.by != CHOICE:
        return False
    populations = [_argument(one.op, POPULATION, "a") for one in (first, second) if type(one.op) is ops.Call]
    is_weighted = any(_argument(one, WEIGHTS, "p") is not None for one in (first.op, second.op))
    shape = _argument(first.op, SHAPE, "shape")
    if is_weighted or shape is None or not all(isinstance(population, STORED) for population in populations):
        return False
    return phrase(shape) not in ("()", "(,)") and _others(first.op) == _others(second.op)


def _argument(call: ops.Call, position: int, name: str) -> Op | None:
    if position < len(call.args):
        return call.args[position]
    return next((value for keyword, value in call.keywords if keyword == name), None)


def _others(call: ops.Call) -> tuple[list[str], list[tuple[str | None, str]]]:
    """The texts of the arguments of `choice`, but for the key and the population."""
    keywords = [(name, phrase(value, LONGEST)) for name, value in call.keywords if name not in ("a", "key")]
    return [phrase(argument, LONGEST) for argument in call.args[SHAPE:]], keywords


def fold_names_in(earlier: Used, now: Used) -> bool:
    """Do two uses fold names into the key, so that only parameters of one name and shape are equal?

    Of what one gives the other, it reads the shape.
    """
    first, second = earlier.draw, now.draw
    if first is None or second is None or first.op is second.op:
        return False
    return all(leaf.by in FOLDING for one in (first, second) for leaf in leaves(one))


def is_only_likely(earlier: Used, now: Used) -> bool:
    """May two uses be alike on purpose, as far as can be seen?

    One function of the project, which hands the key on, was applied to different data with it, the same start was made
    twice, or both fold names into the key.
    """
    first, second = earlier.draw, now.draw
    if first is None or second is None or first.op is second.op:
        return False
    if fold_names_in(earlier, now) or _is_same_start(first.op, second.op):
        return True
    for call in _calls(first):
        for other in _calls(second):
            if _callees(call) == _callees(other):
                is_at_once = call is first and _draws_itself(earlier) and _draws_itself(now)
                return not is_at_once and _is_given_other_data(call, other)
    return False


def _draws_itself(used: Used) -> bool:
    """Does the function that is called draw in its own text from the key that it is passed?"""
    inner = used.draw.inner if used.draw is not None and isinstance(used.means, ByArgument) else ()
    return any(not one.inner and one.by and one.by != SPLIT for one in inner)


def is_compared(earlier: Used, now: Used) -> bool:
    """Do two uses draw the same on purpose: from one start, for one loss, in two manners of one function?"""
    first, second = earlier.draw, now.draw
    if first is None or second is None or first.op is second.op:
        return False
    if _is_one_evaluation(first, second):
        return True
    return _is_one_start(first, second) or _is_one_loss(first, second) or _is_paired(first, second)


def cancels(function: Function, one: Op, other: Op) -> bool:
    """Do two keys stand on the two sides of one difference, so that equal draws take each other away?"""
    chains = chains_of(function)
    both = [first for first, second in zip(chains.way_to(one), chains.way_to(other)) if first is second]
    return bool(both) and type(both[-1]) is ops.Operate and both[-1].operator == "-"


def is_for_training(draw: DrawSite) -> bool:
    """Is a network run with a key for its dropout, and told in the same call that it is in training?"""
    return any(map(_trains, leaves(draw)))


def _trains(draw: DrawSite) -> bool:
    given = dict(draw.op.keywords) if type(draw.op) is ops.Call else {}
    is_told = any(
        type(option) is ops.Const and type(option.value) is bool and option.value is not WITHOUT_NOISE.get(name or "")
        for name, option in given.items() if name in WITHOUT_NOISE
    )  # fmt: skip
    return is_told and "rngs" in given and DROPOUT in _streams(given["rngs"], draw.place)


def _streams(rngs: Op, key: Op | None) -> Iterator[str]:
    """The streams of Flax that are given a key, or any where nobody sees at which place it comes."""
    if type(rngs) is ops.Call:
        yield from (name for name, value in rngs.keywords if name is not None and key in (None, value))
    elif type(rngs) is ops.BuildDict:
        for name, value in rngs.items:
            if type(name) is ops.Const and isinstance(name.value, str) and key in (None, value):
                yield name.value


def is_for_the_rest(function: Function, used: Used, made: Op | None) -> bool:
    """Is a key made within a call of which one result is dropped by its name, and drawn from by objects of others?

    Whoever writes a constant there, as in `_, value = policy.act(x, key=key(0))`, wants what does not depend on it.
    """
    chains = chains_of(function)
    way = chains.way_to(made) if made is not None else []
    statement = next((op for op in reversed(way) if type(op) is not ops.Call), None)
    target = only_target(statement)
    parts = target.parts if type(target) is ops.Unpack else ()
    is_dropped = any(type(part) is ops.Name and not part.name.strip("_") for part in parts)
    drawing = _innermost(used.use)
    return is_dropped and (drawing.is_possible or drawing.by == SPLIT or not drawing.by.startswith(LIBRARY))


def _innermost(use: Use) -> Use:
    return use if use.within is None else _innermost(use.within)


def _calls(draw: DrawSite) -> Iterator[DrawSite]:
    """The calls of functions of the project that lead to draws, outermost first."""
    return (one for one in draw.within() if one.inner)


def _callees(call: DrawSite) -> set[Function]:
    return {one.code.function for one in call.inner}


def _is_given_other_data(first: DrawSite, second: DrawSite) -> bool:
    """Do two calls of one function differ in more than sizes and the object that it is a method of?"""
    if first.op is second.op:
        return False
    if _is_spread(first.op) or _is_spread(second.op):
        return True
    others = dict(second.arguments)
    sizes = {name for leaf in (*leaves(first), *leaves(second)) for name in _names_passed(leaf.op)}
    receiver = first.arguments[0][0] if first.is_method and first.arguments else ""
    is_called = not (first.is_derivative or second.is_derivative)
    return any(
        _differ_as_data(value, other) for name, value in first.arguments
        if name not in sizes and name != receiver
        and not ((other := others.get(name)) is not None and is_called and value.original is other.original)
    )  # fmt: skip


def _is_same_start(first: Op, second: Op) -> bool:
    """Is it the same call of a method that gives a start, written twice?"""
    if type(first) is not ops.Call or type(second) is not ops.Call or type(first.func) is not ops.Attr:
        return False
    return first.func.name in STARTS and phrase(first, LONGEST) == phrase(second, LONGEST)


def _is_one_start(first: DrawSite, second: DrawSite) -> bool:
    """Do two uses come down to the same call of a method that gives a start, but for the text of the key?"""
    starts = {start for draw in (first, second) for start in _starts(draw)}
    return len(starts) == 1 and None not in starts


def _starts(draw: DrawSite) -> Iterator[tuple[str, ...] | None]:
    start = _start_at(draw)
    if start is not None or not draw.inner:
        yield start
    else:
        for inner in draw.inner:
            yield from _starts(inner)


def _start_at(draw: DrawSite) -> tuple[str, ...] | None:
    op = draw.op
    if type(op) is not ops.Call or type(op.func) is not ops.Attr or draw.place is None:
        return None
    name = op.func.name
    if name not in STARTS and INITIAL_NAME.search(name) is None:
        return None
    given = [*op.args, *(value for _, value in op.keywords)]
    return phrase(op.func), *(phrase(argument, LONGEST) for argument in given if argument is not draw.place)


def _is_one_evaluation(first: DrawSite, second: DrawSite) -> bool:
    """Is a key, called one for evaluations, handed to one function, there or by functions that capture it?"""
    both = [list(_handed(draw)) for draw in (first, second)]
    handed = [draw for found in both for draw in found]
    names = {_name_called(draw.op) for draw in handed}
    places = [place for draw in handed if isinstance(place := draw.place, (ops.Name, ops.Attr))]
    is_for_evaluation = all(EVALUATION_NAME.search(place.name) for place in places)
    return all(both) and len(places) == len(handed) and len(names) == 1 and is_for_evaluation


def _handed(draw: DrawSite) -> Iterator[DrawSite]:
    """The calls that are handed a key as an argument: the call itself, or the first ones inside of what captures it."""
    if draw.place is not None:
        yield draw
    else:
        for inner in draw.inner:
            yield from _handed(inner)


def _is_one_loss(first: DrawSite, second: DrawSite) -> bool:
    """Is one loss evaluated twice: for its value and its derivative, at two points, or for two derivatives of different
    functions?

    The value and the derivative of any function belong together at one point, and at two if it captures its key.
    """
    if not first.is_derivative and not second.is_derivative and _callees(first) != _callees(second):
        return False
    if first.is_derivative == second.is_derivative and _callees(first) & _callees(second):
        return _are_two_points(first, second) and any(LOSS_NAME.search(callee.name) for callee in _callees(first))
    is_captured = first.place is None and second.place is None
    is_alike = not _differing(first, second) or (is_captured and _are_two_points(first, second))
    if _callees(first) & _callees(second) and is_alike:
        return True
    called = [{one.code.function.name for one in draw.inner} for draw in (first, second)]
    if first.is_derivative != second.is_derivative and all(any(map(LOSS_NAME.search, names)) for names in called):
        return True
    return any(map(LOSS_NAME.search, _names_within(first) & _names_within(second)))


def _are_two_points(first: DrawSite, second: DrawSite) -> bool:
    """Do two calls of one function differ in the argument alone by which it is differentiated?"""
    return _differing(first, second) == [name for name, _ in first.arguments[:1]]


def _differing(first: DrawSite, second: DrawSite) -> list[str]:
    """The parameters for which two calls of one function pass different values."""
    others = dict(second.arguments)
    return [name for name, value in first.arguments if (it := others.get(name)) is None or not _is_same(value, it)]


def _names_within(call: DrawSite) -> set[str]:
    """The names of the functions that are called on the way to the draws, inside of a call."""
    inside = [*call.within()][1:]
    return {_name_called(callee.op) for callee in inside} | {callee.code.function.name for callee in inside}


def _is_paired(first: DrawSite, second: DrawSite) -> bool:
    """Is one function called twice with the same arguments but for a flag, so that two manners are compared?"""
    others = dict(second.arguments)
    if not first.inner or _callees(first) != _callees(second) or len(first.arguments) != len(others):
        return False
    pairs = [(value, others.get(name)) for name, value in first.arguments]
    differing = [(value, other) for value, other in pairs if other is None or not _is_same(value, other)]
    return bool(differing) and all(
        other is not None and type(value.constant) is bool and type(other.constant) is bool
        for value, other in differing
    )


def _is_same(value: Value, other: Value) -> bool:
    return value is other or (value.constant is not OPEN and value.constant == other.constant)


def _is_spread(op: Op) -> bool:
    """Are arguments spread in a call, so that nobody sees which data it gets?"""
    return type(op) is ops.Call and any(type(argument) is ops.Star for argument in op.args)


def _names_passed(op: Op) -> Iterator[str]:
    """The names that a call is given as sizes: themselves, or in a tuple."""
    parts = [*op.args, *(value for _, value in op.keywords)] if type(op) is ops.Call else []
    for part in parts:
        for one in part.parts if type(part) is ops.Build else (part,):
            if type(one) is ops.Name:
                yield one.name


def _differ_as_data(first: Value, second: Value | None) -> bool:
    if second is None or first is second or first.kind in RANDOM_KEYS:
        return False
    if first.kind in CONTAINERS or second.kind in CONTAINERS:
        pairs = zip(first.parts, second.parts, strict=False)
        return len(first.parts) == len(second.parts) and any(_differ_as_data(*pair) for pair in pairs)
    if first.kind in HOST_CONSTANTS or second.kind in HOST_CONSTANTS:
        return False
    known = first.constant
    return known is OPEN or known != second.constant
