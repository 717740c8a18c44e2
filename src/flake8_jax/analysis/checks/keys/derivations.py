"""Equal derivations: two keys that were made alike, and both drawn from.

a = normal(fold_in(key, 1))
b = normal(fold_in(key, 1))         the same key: b equals a
c = normal(split(key, 3)[1])        and so is this one, since JAX 0.5 (partitionable Threefry)

A key's *lineage* is how it was derived, back to a value of which nothing more is known.  Two keys with one lineage are
equal.  One key that is split twice has children with one lineage; that is a reuse of the key, and not told again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.keys.byproducts import is_beside
from flake8_jax.analysis.checks.keys.comparisons import are_held_together
from flake8_jax.analysis.checks.keys.constant_keys import report_loop
from flake8_jax.analysis.checks.keys.counters import are_alike, is_counter_of, numbers_of
from flake8_jax.analysis.checks.keys.independence import (
    belong_together,
    cancels,
    is_for_the_rest,
    is_only_likely,
    is_set_up,
    leaves,
)
from flake8_jax.analysis.checks.keys.inference import are_inferences
from flake8_jax.analysis.checks.keys.other_seeds import with_another_seed
from flake8_jax.analysis.checks.keys.relations import MAXIMUM_RELATED, UNCOMPARED
from flake8_jax.analysis.checks.keys.remedies import with_the_counter
from flake8_jax.analysis.checks.keys.tried import begins_anew
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.questions import can_meet, children_read, is_read, readings
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.key_parts import KeyMix, KeyPart, SeededBy, value_of_all_keys
from flake8_jax.domain.kinds import CLASS
from flake8_jax.domain.payload import Copies, Derivation, Derived, Payload
from flake8_jax.domain.provenance import CERTAIN, Certainty, Context, Use, certain_if
from flake8_jax.domain.resources import (
    ByElement,
    ByFunction,
    Discarded,
    DrawSite,
    Used,
    crosses_iterations,
    is_compatible,
    loops_between,
)
from flake8_jax.domain.uses import Grouping
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Loop, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.positions import unpacked
from flake8_jax.syntax.tests import shows_something

MAXIMUM_DEPTH = 8

DERIVED = frozenset((Derived, KeyPart, SeededBy))
SPLIT = "jax.random.split"
SWAPPED = "fold in one after the other, or use a number that differs for each pair"
SPLITTING = frozenset((SPLIT, ""))
DerivationStep: TypeAlias = "tuple[Derivation, Hashable, Value]"
"""One derivation: how, with which data, and the key that it made."""


@dataclass(frozen=True, slots=True)
class KeysAlike:
    """Two keys that were made alike are both used; or a key differs from process to process.

    It is reported at the later derivation.  `key` is its text; `how` it and `earlier_how` the other one were derived,
    on `line` of `path`; `uses` are the uses of both.  `across_iterations`: it is derived alike in each iteration of a
    loop.  It is "hidden" in a call that derives it and draws from it.  Of a "salted" key, `key` is the function that
    makes it, and `earlier_key` the call that gives its data; of a key whose data are two counters that may be
    "swapped", `key` is their sum, and `earlier_key` names them.  It is likely where the draws may be alike on purpose.
    """

    op: Op
    key: str
    how: Derivation | Literal["salted", "hidden", "swapped"]
    earlier_how: Derivation | Literal["salted", "swapped"]
    earlier_key: str
    path: str
    line: int
    uses: tuple[Use, ...]
    across_iterations: bool
    context: Context
    rewrite: Rewrite | None = None

    @property
    def remedy(self) -> Remedy:
        """What to write instead, to be tried."""
        if self.how == "swapped":
            return Remedy(f"use `{self.rewrite.changes[0].text}`" if self.rewrite is not None else "", SWAPPED)
        words = words_of_alike(self.how, self.earlier_how, self.across_iterations, _has_fixed_data(self.op))
        if self.across_iterations:
            words = words.replace("fold_in", imported_as(scope_of(self.op), "jax.random.fold_in"))
            return with_the_counter(self.op, scope_of(self.op), words)
        other = with_another_seed(self.op, words) if self.how == "seed" else None
        return other or Remedy("", words)


def _has_fixed_data(op: Op) -> bool:
    """Does a key get a number that is written out: `fold_in(key, 1)`?"""
    given = (*op.args, *(value for _, value in op.keywords)) if type(op) is ops.Call else ()
    return any(type(argument) is ops.Const for argument in given)


def words_of_alike(how: str, earlier: str, across_iterations: bool, is_fixed: bool = True) -> str:
    """How to make keys that differ."""
    if how == "hidden":
        return "pass each a key of its own"
    if across_iterations:
        if how == "split":
            return "fold what tells the iterations apart into it, with `fold_in`"
        return "pass the index of the loop"
    if how == "seed":
        return "use one key, and split it"
    apart = "split the key before both, and give each a part of its own"
    return apart if how != earlier else "pass other data" if is_fixed else f"pass other data, or {apart}"


def steps_of(frame: Frame, value: Value) -> Iterator[DerivationStep]:
    """The derivations of a key, the last one first."""
    return _steps(value, frame.program.table.splits_by_folding)


def _steps(value: Value, splits_by_folding: bool) -> Iterator[DerivationStep]:
    for _ in range(MAXIMUM_DEPTH):
        payload = value.payload
        if type(payload) is SeededBy:
            yield "seed", payload.seed if payload.implementation is None else payload, value
            return
        if type(payload) is Derived and payload.how != "split":
            yield payload.how, payload.data, value
        elif type(payload) is KeyPart and payload.index is not None and payload.index >= 0:
            whole = payload.whole.original.payload
            if type(whole) is not Derived:
                return
            payload = whole
            how: Derivation = "fold_in" if splits_by_folding else "split"
            yield how, value.payload.index if type(value.payload) is KeyPart else None, value
        else:
            return
        if payload.parent is None:
            return
        value = payload.parent.original


def lineage(frame: Frame, value: Value) -> tuple[Hashable, ...]:
    """What two keys have in common that are equal; nothing for a key that was not derived."""
    steps = list(steps_of(frame, value))
    return (*((how, data) for how, data, _ in steps), _origin(steps)) if steps else ()


def _origin(steps: list[DerivationStep]) -> Value | None:
    """What the first of some derivations of a key was made from."""
    last = steps[-1][2]
    payload = last.payload.whole.original.payload if type(last.payload) is KeyPart else last.payload
    root = payload.parent if type(payload) is Derived else None
    return root.original if root is not None else None


def kin(value: Value) -> tuple[Hashable, ...]:
    """The marks by which keys of the same lineage are found: origin and number of derivations, with and without data.

    There are no data where one is a counter, of which only some number may be the same.
    """
    if type(value.payload) not in DERIVED or not (steps := list(_steps(value, True))):
        return ()
    group = _origin(steps), len(steps)
    return group, (*group, _data(steps))


def sought_kin(value: Value) -> tuple[Hashable, ...]:
    """The marks of the keys that may have the lineage of a key."""
    if type(value.payload) not in DERIVED or not (steps := list(_steps(value, True))):
        return ()
    group, data = (_origin(steps), len(steps)), _data(steps)
    return ((*group, data), (*group, ())) if data else (group,)


def _data(steps: list[DerivationStep]) -> tuple[Hashable, ...]:
    data = tuple(data for _, data, _ in steps)
    return () if any(type(one) is not int and numbers_of(one) for one in data) else data


def kin_of_members(value: Value) -> Iterator[Hashable]:
    """The marks of the lineages of all keys that are used up where a value is."""
    for member in members(value):
        yield from kin(member)


def ancestors(value: Value) -> Iterator[Value]:
    """A key and the keys that it was derived from, as far as is known."""
    for _ in range(MAXIMUM_DEPTH):
        yield value
        payload = value.payload
        if type(payload) is KeyPart:
            value = payload.whole.original
        elif type(payload) is Derived and payload.parent is not None:
            value = payload.parent.original
        else:
            return


def root_of(value: Value) -> Value | None:
    """The key that a key was derived from by `fold_in` alone, once or repeatedly."""
    found = None
    for _ in range(MAXIMUM_DEPTH):
        payload = value.payload
        if type(payload) is not Derived or payload.how != "fold_in" or payload.parent is None:
            break
        found = value = payload.parent.original
    return found


def check_alike(frame: Frame, value: Value, used: Used) -> None:
    """Report a key that was derived like another one that was used before, on a compatible path."""
    for member in members(value):
        if type(member.payload) in DERIVED and _check_one(frame, member, used):
            return


def _check_one(frame: Frame, value: Value, used: Used) -> bool:
    mine = lineage(frame, value)
    if not mine:
        return False
    path, reported = frame.live().path, frame.program.record.alike
    steps = list(steps_of(frame, value))
    if any(made in reported for _, _, made in steps):
        return False
    for held, uses in related(frame, kin_of_members, sought_kin(value)):
        for other in members(held):
            if other is value or type(other.payload) not in DERIVED or not _match(lineage(frame, other), mine):
                continue
            parted = _parting(frame, steps, list(steps_of(frame, other)))
            if parted is None:
                continue
            if used.draw is None or not is_read(used.draw):
                return False
            kept = [use for use in uses if type(use.means) is not Discarded and is_compatible(use, path)]
            kept = [use for use in kept if not is_another_turn(frame, steps, held, use)]
            certain = [use for use in kept if not belong_together(use, used) and _are_read(frame, use, used)]
            if parted[0][0] == "seed":
                is_bare = len(steps) == 1  # the keys of both seeds themselves are used, and nothing derived from them
                certain = [use for use in certain if _can_meet(frame, use, used)]
                certain = [use for use in certain if not is_bare or _draw_alike(use, used)]
            if certain:
                if _report(frame, *parted, certain[0], used):
                    reported.add(value)
                return True
    return False


def related(frame: Frame, grouping: Grouping, marks: Iterable[Hashable]) -> list[tuple[Value, tuple[Used, ...]]]:
    """The first keys with any of some marks that were used, up to a bound; beyond it that is counted."""
    found = frame.live().used.having(grouping, marks, MAXIMUM_RELATED + 1)
    if len(found) > MAXIMUM_RELATED:
        frame.program.record.given_up[UNCOMPARED] += 1
    return found[:MAXIMUM_RELATED]


def members(value: Value, depth: int = 0) -> Iterator[Value]:
    """The keys that are certainly all used up where a value is."""
    payload = value.payload
    if type(payload) is KeyMix and payload.mix == "all" and depth < MAXIMUM_DEPTH:
        for source in payload.sources:
            yield from members(source.original, depth + 1)
    elif type(payload) is Copies and depth < MAXIMUM_DEPTH:
        yield from members(payload.of.original, depth + 1)
    else:
        yield value_of_all_keys(value)


def are_equal(frame: Frame, one: Value, other: Value) -> bool:
    """Are two keys certainly equal, one itself or derived like the other?"""
    if one is other:
        return True
    if type(one.payload) not in DERIVED or type(other.payload) not in DERIVED:
        return False
    return _match(lineage(frame, one), lineage(frame, other))


def _match(one: tuple[Hashable, ...], other: tuple[Hashable, ...]) -> bool:
    """Are two keys derived alike, for one number of a counter at least?"""
    if not one or len(one) != len(other) or one[-1] is not other[-1]:
        return bool(one) and one == other
    return all(_is_same_step(*each) for each in zip(one[:-1], other[:-1], strict=True))


def _is_same_step(one: Hashable, other: Hashable) -> bool:
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return one == other
    return bool(one[0] == other[0]) and (one[1] == other[1] or (one[0] != "seed" and are_alike(one[1], other[1])))


def is_another_turn(frame: Frame, steps: list[DerivationStep], value: Value, one: Used) -> bool:
    """Was another key used in another iteration, one derived with the counter of the loop or one of several?"""
    loops = loops_between(one, frame.iterations)
    return bool(loops) and (type(value.payload) is KeyMix or any(is_counter_of(data, loops[0]) for _, data, _ in steps))


def check_fixed_part(frame: Frame, value: Value, earlier: list[Used], used: Used) -> bool:
    """Report one key of a split that is taken by a constant index in each iteration of a loop."""
    payload, made_by = value.payload, value.made_by
    if type(payload) is not KeyPart or payload.index is None or made_by is None:
        return False
    if not all(crosses_iterations(use, frame.iterations) and not is_beside(use, used) for use in earlier):
        return False
    loops = [loop for loop, _ in frame.iterations if _is_inside(made_by, loop)]
    if not loops or (payload.whole.made_by is not None and _is_inside(payload.whole.made_by, loops[-1])):
        return False
    _report(frame, ("split", value), ("split", value), earlier[0], used)
    return True


def _is_inside(op: Op, loop: Op) -> bool:
    """Does an op stand in a loop?"""
    if op.anchor.origin is not loop.anchor.origin or type(loop) is not Loop:
        return False
    line, column, end, end_column = unpacked(op.place)
    first, first_column, last, last_column = unpacked(loop.place)
    return (first, first_column) <= (line, column) and (end, end_column) <= (last, last_column)


def _parting(
    frame: Frame, mine: list[DerivationStep], other: list[DerivationStep]
) -> tuple[tuple[Derivation, Value], tuple[Derivation, Value]] | None:
    """The first derivation in which two equal keys differ as ops; None if they are different children of one split."""
    found: tuple[Value, Value] | None = None
    for (_, _, one), (_, _, two) in zip(mine, other, strict=True):
        if one is two or _is_same_seed(frame, one, two):
            break
        found = one, two
    if found is None:
        return None
    hows = [_how(one.payload) for one in found]
    if hows == ["split", "split"]:
        return None
    return (hows[0], found[0]), (hows[1], found[1])


def _is_same_seed(frame: Frame, one: Value, two: Value) -> bool:
    """Is it one seed of a module, read by its own code and by a function?"""
    seeds = frame.program.linked.globals
    return one.made_by is two.made_by and (one in seeds or two in seeds) and _how(one.payload) == "seed"


def _how(payload: Payload | None) -> Derivation:
    return payload.how if type(payload) is Derived else "seed" if type(payload) is SeededBy else "split"


def _are_read(frame: Frame, one: Used, used: Used) -> bool:
    if crosses_iterations(one, frame.iterations):
        return used.draw is not None and is_read(used.draw)
    return one.draw is not None and used.draw is not None and readings(one.draw, used.draw).are_both


def _can_meet(frame: Frame, one: Used, used: Used) -> bool:
    """Can results drawn from two equal seeds reach one place, so that their equality matters?"""
    if crosses_iterations(one, frame.iterations) or one.draw is None or used.draw is None:
        return True
    return can_meet(one.draw, used.draw) and not is_beside(one, used)


def _draw_alike(one: Used, used: Used) -> bool:
    """Does one function draw from both?  Of two seeds that are written alike, what others draw is seldom meant to be
    independent: which rows a test takes, and the weights of a model.
    """
    first, second = (frozenset(_drawing(each.draw, phrase(each.op))) for each in (one, used))
    return not first.isdisjoint(second)


def _drawing(draw: DrawSite | None, called: str, depth: int = 0) -> Iterator[str]:
    """The functions of libraries that draw at a place, or below it; what is `called` where that is not known."""
    if draw is None or depth >= MAXIMUM_DEPTH or not (draw.by or draw.inner):
        yield called.partition("(")[0]
    elif draw.by:
        yield draw.by
    for inner in draw.inner if draw is not None and depth < MAXIMUM_DEPTH else ():
        yield from _drawing(inner, called, depth + 1)


def _report(
    frame: Frame, mine: tuple[Derivation, Value], other: tuple[Derivation, Value], one: Used, used: Used
) -> bool:
    """Report two keys at the later derivation of both; is that certain?"""
    crossing = crosses_iterations(one, frame.iterations)
    here, there = (mine, one.use), (other, used.use)
    is_meant = is_only_likely(one, used) or are_inferences(one, used)
    is_meant = is_meant or are_held_together(frame.function, one.op, used.op)
    is_meant = begins_anew(frame, used.op, loops_between(one, frame.iterations)) if crossing else is_meant
    certainty = certain_if(not is_meant)
    if not crossing and is_later(other[1].made_by, mine[1].made_by):
        (mine, _), (other, _) = there, here
    is_item = crossing and mine[0] == other[0]
    made_by, before = (_made_by(value, is_item) for _, value in (mine, other))
    if made_by is None or before is None:
        return False
    is_repeated = crossing and made_by is before
    if mine[0] == "seed" and crossing:
        report_loop(frame, made_by, used)
        return False
    is_apart = not _are_draws(one, used) and not _have_keys_in_common(one, used)
    both = ((one, made_by), (one, before), (used, made_by), (used, before))
    is_apart = is_apart or any(is_for_the_rest(frame.function, *each) for each in both)
    is_apart = is_apart or (one.use.by != used.use.by and _makes_parts(frame, one, used))
    if mine[0] == "seed" and (is_apart or cancels(frame.function, made_by, before)):
        return False
    if mine[0] == "seed" and shows_something(made_by.anchor.origin.path):
        return False  # at first sight one in nine such seeds was worth a change
    is_hidden = any(made_by is each.op for each in (one, used))
    derived: Derivation | Literal["hidden"] = "hidden" if is_hidden else mine[0]
    emit_alike(frame, (made_by, derived), (before, other[0]), (one.use, used.use), is_repeated, certainty)
    return certainty is CERTAIN


def _makes_parts(frame: Frame, one: Used, used: Used) -> bool:
    """Does one of two uses set something up, or make an object?  What other code draws from an equal seed meets that in
    no place where the two should be independent: the weights of a model and the order of its batches.
    """
    calls = [each.op.func for each in (one, used) if type(each.op) is ops.Call]
    made = [peek(frame, func) for func in calls if type(func) is ops.Name or type(func) is ops.Attr]
    return is_set_up(one, used) or any(value is not None and value.kind is CLASS for value in made)


def emit_alike(
    frame: Frame, mine: tuple[Op, Derivation | Literal["hidden"]], other: tuple[Op, Derivation],
    uses: tuple[Use, Use], crossing: bool, certainty: Certainty,
) -> None:  # fmt: skip
    """Report two derivations of one key, `mine` being the later one."""
    (at, how), (before, earlier_how) = mine, other

    def make() -> KeysAlike:
        path, line = before.anchor.origin.shown, before.anchor.line
        context = Context(certainty=certainty)
        return KeysAlike(at, phrase(at), how, earlier_how, phrase(before), path, line, uses, crossing, context)

    emit(frame, (KeysAlike, at, (crossing, certainty)), make)


def _made_by(value: Value, is_item: bool) -> Op | None:
    """The derivation of a key: the split, of one of its keys that is not taken out again and again."""
    return value.payload.whole.made_by if type(value.payload) is KeyPart and not is_item else value.made_by


def _are_draws(one: Used, used: Used) -> bool:
    """Do functions of libraries draw from both keys?  A key that is split or passed on may start something over."""
    return all(isinstance(each.means, ByFunction) and each.means.name not in SPLITTING for each in (one, used))


def _have_keys_in_common(one: Used, used: Used) -> bool:
    """Are two equal keys drawn from and split, or both split and keys of one index used?"""
    if one.draw is None or used.draw is None or used.use.is_possible or one.use.is_possible:
        return False
    splits = [[leaf.by == SPLIT for leaf in leaves(each.draw)] for each in (one, used) if each.draw is not None]
    if not all(any(each) for each in splits):
        return True
    first, second = (_children_of(each) for each in (one, used))
    return bool(first & second) or ("each" in first and bool(second)) or ("each" in second and bool(first))


def _children_of(used: Used) -> frozenset[Hashable]:
    """The keys of a split that are drawn from, without those of which the index is not known."""
    if type(used.means) is ByElement:
        return frozenset((used.means.element,))
    return frozenset(children_read(used.draw)) - {None} if used.draw is not None else frozenset()


def is_later(op: Op | None, than: Op | None) -> bool:
    """Does an op stand behind another one in the same file?"""
    if op is None or than is None or op.anchor.origin is not than.anchor.origin:
        return False
    return unpacked(op.place)[:2] > unpacked(than.place)[:2]
