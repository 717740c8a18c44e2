"""Functions and settings that are tried on the same random numbers, as whoever compares them wants it.

def expected(f, key): return vmap(f)(normal(key, (100,))).mean()
expected(ours, key), expected(theirs, key)                  each function gets the same points: no reuse
for rate in (0.1, 0.01):                                    settings that are written out
    state = start
    for i in range(n): state = step(state, fold_in(key, i), rate)       each run begins anew: no reuse
table = {n: error(key, n) for n in (10, 100)}               entries by numbers that are written out: no reuse
for scale in linspace(0, 1, 20): curve.append(loss(key, scale))     points of a curve: no reuse
vmap(lambda scale: loss(key, scale))(linspace(0, 1, 20))            the same
for size in (64, 256):                                              how long each takes: no reuse
    start = time(); run(split(key, size)); print(time() - start)
for epoch in range(2):
    for i in range(n): state = step(state, fold_in(key, i))             the second epoch goes on: reuse
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from flake8_jax.analysis.checks.keys.independence import leaves
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.resources import DrawSite, Used
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import gone_through, names_in, path_root, targets_of, within

SPLIT = "jax.random.split"
VIEWS = frozenset(("items", "keys", "values"))
COMBINING = frozenset(("enumerate", "zip", "reversed", "sorted", "itertools.product"))
"""What runs through the elements of what it is given."""

GRIDS = frozenset(("numpy.linspace", "numpy.logspace", "numpy.geomspace", "jax.numpy.linspace", "jax.numpy.logspace",
    "jax.numpy.geomspace"))  # fmt: skip
"""What makes the points at which a curve is drawn."""

CLOCKS = frozenset((
    "time.time", "time.time_ns", "time.perf_counter", "time.perf_counter_ns", "time.monotonic", "time.process_time",
    "timeit.default_timer",
))  # fmt: skip

MAXIMUM_FOLLOWED = 40
"""So many reads of what is made of a draw are followed."""


def are_functions_tried(earlier: Used, now: Used) -> bool:
    """Does one function draw and call what it is given with that, and is it given two different functions?"""
    first, second = earlier.draw, now.draw
    if first is None or second is None or not _draws_all(first) or not _draws_all(second):
        return False
    callees = {one.code.function for one in first.inner}
    if len(callees) != 1 or callees != {one.code.function for one in second.inner}:
        return False
    others = dict(second.arguments)
    names = {
        name for name, value in first.arguments if (it := others.get(name)) is not None and _are_two(value, it)
    }  # fmt: skip
    return all(_is_handed_to(one, names) for one in first.inner)


def _are_two(value: Value, other: Value) -> bool:
    return value is not other and (not value.name or value.name != other.name)


def _draws_all(draw: DrawSite) -> bool:
    """Do functions of libraries alone draw from a key in the function that is called with it?"""
    return bool(draw.inner) and all(one.by and one.by != SPLIT and not one.inner for one in draw.inner)


def _is_handed_to(draw: DrawSite, names: set[str], loops: Collection[Op] = ()) -> bool:
    """Is what is drawn handed to a function of one of some names, there or by names that statements bind to it?

    What the next turn of one of some loops gets of it does not count: `for f in layers: x = f(x) + normal(key)`.
    """
    chains = chains_of(draw.code.function)
    waiting, seen = [draw.op], set[Op]()
    for op in waiting:  # grows while it is gone through
        if len(waiting) > MAXIMUM_FOLLOWED:
            return False
        for around in reversed(chains.way_to(op)[:-1]):
            if type(around) is ops.Call and _function_called(around) in names:
                return True
            if type(around) is ops.Store and around not in seen:
                seen.add(around)
                bound = [inner for target in around.targets for inner in within(target) if type(inner) is ops.Name]
                reads = [read for name in bound for read in chains.uses_of(name)]
                waiting += (read for read in reads if not _is_of_next(chains, read, around, loops))
    return False


def _is_of_next(chains: Chains, read: Op, statement: Op, loops: Collection[Op]) -> bool:
    """Does a read find what a statement has bound in the turn of a loop before?"""
    is_above = read.anchor.line <= statement.anchor.line
    return is_above and any(loop in chains.way_to(read) and loop in chains.way_to(statement) for loop in loops)


def _function_called(call: ops.Call) -> str:
    """The name of the function that is called, itself or as a transform has it: `f(x)`, `vmap(f)(x)`."""
    func = call.func
    if type(func) is ops.Call and func.args:
        func = func.args[0]
    return func.name if type(func) is ops.Name else ""


def is_item_tried(now: Used, loops: Iterable[Op]) -> bool:
    """Is what a loop runs through called with what is drawn: `[policy(normal(key)) for policy in policies]`?"""
    around = [*loops]
    items = {target.name for loop in around for target in targets_of(loop)}
    return bool(items) and now.draw is not None and all(_is_handed_to(leaf, items, around) for leaf in leaves(now.draw))


def fills_table(frame: Frame, op: Op, loops: Iterable[Op]) -> bool:
    """Is what a call draws an entry of a table, by numbers that are written out and that the call gets as settings?

    table = {n: error(key, n) for n in (10, 100)}       for rate in (0.1, 0.01): losses[rate] = train(key, rate)
    """
    way = chains_of(frame.function).way_to(op)
    around = [one for one in way if type(one) in (ops.Loop, ops.Gather)]
    settings = {name for loop in around for name in _settings(frame, loop)}
    if settings.isdisjoint(names_in(op)) or not all(loop in around for loop in loops):
        return False
    entries = [loop.element[0] for loop in around if type(loop) is ops.Gather and loop.kind == "dict"]
    stores = [target for one in way if type(one) is ops.Store for target in one.targets]
    entries += [target.index for target in stores if type(target) is ops.Item]
    return any(names_in(entry) and names_in(entry) <= settings for entry in entries)


def _settings(frame: Frame, loop: Op) -> set[str]:
    """The names that a loop or comprehension binds to numbers that are written out."""
    pairs = gone_through(loop)
    return {target.name for source, target in pairs if type(target) is ops.Name and _are_numbers(frame, source)}


def _are_numbers(frame: Frame, source: Op) -> bool:
    if type(source) is ops.Build and source.kind in ("tuple", "list"):
        return all(type(part) is ops.Const and type(part.value) in (int, float) for part in source.parts)
    value = peek(frame, source) if type(source) is ops.Name else None
    return value is not None and bool(value.elements) and all(
        type(part.constant) in (int, float) for part in value.elements or ()
    )  # fmt: skip


def are_points_of_curve(frame: Frame, op: Op, draw: DrawSite, is_captured: bool) -> bool:
    """Is a function that is handed a key mapped over a grid, so that it is computed for each point of the same numbers?

    One that draws in its own text from a key that it captures makes noise for each point.
    """
    given = op.args if type(op) is ops.Call else ()
    is_handed = bool(draw.inner) and all(one.inner or not is_captured for one in draw.inner)
    return is_handed and any(_is_grid(frame, argument) for argument in given)


def draws_curve(frame: Frame, used: Used, loops: Iterable[Op]) -> bool:
    """Does a loop compute a function that is handed the key and the point for each point of a grid?"""
    names = names_in(used.op)
    is_handed = used.use.is_possible or (used.draw is not None and bool(used.draw.inner))
    pairs = [pair for loop in loops if is_handed for pair in gone_through(loop)]
    return any(
        type(target) is ops.Name and target.name in names and _is_grid(frame, source) for source, target in pairs
    )


def is_timed(frame: Frame, used: Used) -> bool:
    """Is it a use in a loop that tells how long something takes for each of some sizes that are written out?"""
    chains = chains_of(frame.function)
    loops = [one for one in chains.way_to(used.op) if type(one) is ops.Loop]
    return any(_settings(frame, loop) and _takes_time(chains, loop) for loop in loops)


def _is_grid(frame: Frame, op: Op) -> bool:
    """Is it made of the points of an interval?"""
    if type(op) is ops.Name:
        value = peek(frame, op)
        op = value.original.made_by or op if value is not None else op
    return type(op) is ops.Call and imported_name(op.func) in GRIDS


@searched_for
def _takes_time(chains: Chains, loop: ops.Loop) -> bool:
    """Does a loop read a clock before and after something?"""
    calls = [one for statement in loop.body for one in within(statement) if type(one) is ops.Call]
    return sum(imported_name(call.func) in CLOCKS for call in calls) > 1


def begins_anew(frame: Frame, op: Op, loops: Iterable[Op]) -> bool:
    """Does an op stand in a run that begins anew in each turn of a loop over alternatives that are written out?

    A run is a loop further inside that hands on what it computes; it begins anew if all that is bound before it.
    """
    chains = chains_of(frame.function)
    way = chains.way_to(op)
    for outer in loops:
        if type(outer) is not ops.Loop or outer not in way or not _are_written_out(frame, outer.source):
            continue
        for inner in way[way.index(outer) + 1 :]:
            if type(inner) is ops.Loop and _is_own_run(chains, inner, outer):
                return True
    return False


def _is_own_run(chains: Chains, run: ops.Loop, outer: ops.Loop) -> bool:
    handed_on = {*_handed_on(chains, run)}
    return bool(handed_on) and all(_is_bound_before(chains, name, run, outer) for name in handed_on)


def _handed_on(chains: Chains, run: ops.Loop) -> Iterator[str]:
    """The names that a turn of a loop binds and the next one reads, or that it changes a part of."""
    for target, statement in chains.stores:
        if run not in chains.way_to(statement):
            continue
        root = path_root(target)
        if root is not None and (root is not target or comes_round(chains, target, statement, run)):
            yield root.name


def comes_round(chains: Chains, target: Op, statement: Op, run: ops.Loop) -> bool:
    """Does a turn read what the one before has bound, so that the statement that binds it or one above it does?"""
    if type(target) is not ops.Name:
        return False
    reads = [read for read in chains.uses_of(target, run) if run in chains.way_to(read)]
    return any(read.anchor.line <= statement.anchor.line for read in reads)


def _is_bound_before(chains: Chains, name: str, run: ops.Loop, outer: ops.Loop) -> bool:
    """Does a turn of the outer loop bind a name before the run, whatever the turn before has left in it?"""
    return any(
        statement in outer.body and statement.anchor.line < run.anchor.line and not _reads(chains, statement, name)
        for _, statement in chains.stored_in(name, outer)
    )


def _reads(chains: Chains, statement: Op, name: str) -> bool:
    return any(
        statement in chains.way_to(read) and chains.statement_of(read) is None for read in chains.names.get(name, ())
    )


def _are_written_out(frame: Frame, source: Op) -> bool:
    match source:
        case ops.Build(kind="tuple" | "list" | "set", parts=parts):
            return len(parts) > 1
        case ops.BuildDict(items=items):
            return len(items) > 1
        case ops.Call(func=ops.Attr(base=base, name=name), args=()) if name in VIEWS:
            return _are_written_out(frame, base)
        case ops.Call(func=func, args=args) if imported_name(func) in COMBINING:
            return any(_are_written_out(frame, argument) for argument in args)
        case ops.Name():
            value = peek(frame, source)
            return value is not None and len(value.elements or value.entries or ()) > 1
    return False
