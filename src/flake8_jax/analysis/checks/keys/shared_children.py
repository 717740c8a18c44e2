"""Keys that `fold_in` gives and a split gives, too, wherever the split stands and whatever its keys become.

for i in range(3): normal(fold_in(key, i))      the keys 0, 1, 2
xs = vmap(normal)(split(key, 3))                the same, since JAX 0.5
state = advance(state)                          splits `state.key` inside: the keys 0, 1
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from flake8_jax.analysis.checks.keys.counters import numbers_of
from flake8_jax.analysis.checks.keys.derivations import (
    ancestors,
    are_equal,
    emit_alike,
    is_another_turn,
    is_later,
    kin,
    members,
    related,
    sought_kin,
    steps_of,
)
from flake8_jax.analysis.checks.keys.independence import belong_together, is_only_likely, leaves
from flake8_jax.analysis.checks.naming import imported_name, is_idle
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.labels.questions import children_read, is_read, is_value_read
from flake8_jax.domain.key_parts import KeyPart, Turn, part_of
from flake8_jax.domain.kinds import KEYS
from flake8_jax.domain.payload import Derivation, Derived
from flake8_jax.domain.provenance import CERTAIN, Use, certain_if
from flake8_jax.domain.resources import ByElement, Discarded, DrawSite, Used, crosses_iterations, is_compatible
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import bindings_of, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.positions import line_of

FOLD = "jax.random.fold_in"
SPLIT = "jax.random.split"
SURE = 2
"""So many keys a split is taken to give where nobody sees how many."""


def check_children(frame: Frame, value: Value, used: Used) -> None:
    """Report a split and a `fold_in` of one key of which both give the same key, whichever stands first."""
    if used.draw is None or used.use.is_possible or not frame.program.table.splits_by_folding:
        return
    if not frame.program.record.alike.isdisjoint(ancestors(value)):
        return  # told of the key that it comes of, by the same mistake
    for member in members(value):
        payload = member.payload
        if type(payload) is Derived and payload.how == "fold_in" and payload.parent is not None:
            found = _split_beside(frame, member, payload, used)
        else:
            found = None
        found = found or _folded_beside(frame, member, used)
        if found is not None:
            if _report(frame, *found, used):
                frame.program.record.alike.add(value)
            return


def check_collision(frame: Frame, op: Op, payload: Derived) -> None:
    """Report a `fold_in` that gives a key of an earlier split, where both are read here."""
    state = frame.live()
    uses = state.used.get(payload.parent) if payload.how == "fold_in" and payload.parent is not None else ()
    if not uses or not frame.program.table.splits_by_folding:
        return
    here = Used(op, Use(frame.namespace.path, line_of(op), FOLD), state.path, frame.iterations)
    for one in _met(uses, here):
        if not (_is_split(one) and _is_shared(payload.data, one)) or _takes_the_place(frame, op, one):
            continue
        if not is_idle(op) and not is_idle(one.op) and is_value_read(_drawn(frame, op)):
            emit_alike(frame, (op, "fold_in"), (one.op, "split"), (one.use, here.use), False, CERTAIN)
            return


def _takes_the_place(frame: Frame, op: Op, split: Used) -> bool:
    """Does each turn of a loop fold its key of the last one, bind it to the same name, and hand on its children?

    key = fold_in(key, i); xs = draw(key)       the next key is a child of this one, and `draw` splits it, too: what
                                                its children draw comes one split later
    """
    way = chains_of(frame.function).way_to(op)
    if type(op) is not ops.Call or not op.args or not any(type(one) is ops.Loop for one in way):
        return False
    statement = next((one for one in reversed(way) if type(one) is ops.Store), None)
    is_renewed = statement is not None and phrase(statement.targets[0]) == phrase(op.args[0])
    return is_renewed and not _draws_here(frame, split)


def _draws_here(frame: Frame, split: Used) -> bool:
    """Does the body that splits a key draw from the new ones itself, rather than hand them on?"""
    if _is_within(split):
        return False
    chains = chains_of(frame.function)
    statement = next((one for one in reversed(chains.way_to(split.op)) if type(one) is ops.Store), None)
    if statement is None:
        return True
    bound = [read for one in bindings_of(statement.targets[0]) for read in chains.names.get(one.name, ())]
    around = [chains.parents.get(read) for read in bound]
    return any(type(one) is ops.Call and imported_name(one.func).startswith("jax.random.") for one in around)


def _drawn(frame: Frame, op: Op) -> DrawSite:
    return DrawSite(op, code_of(frame), FOLD)


def _folded_beside(frame: Frame, value: Value, used: Used) -> tuple[Used, Value, Splitting] | None:
    """A use of a key that was folded of one that is split here, or whose children are all used here."""
    splits = list(_splits(value, used))
    if not splits:
        return None
    sought = [mark for split in splits for mark in (split.key, *sought_kin(split.key))]
    for other, uses in related(frame, parents_folded, sought):
        for folded in members(other):
            payload = folded.payload
            if type(payload) is not Derived or payload.how != "fold_in" or payload.parent is None:
                continue
            for split in splits:
                if not are_equal(frame, payload.parent, split.key):
                    continue
                for one in _met(uses, used):
                    is_apart = is_another_turn(frame, list(steps_of(frame, split.key)), payload.parent, one)
                    if not is_apart and split.gives(payload.data) and _is_read(one):
                        return one, folded, split
    return None


def _split_beside(frame: Frame, value: Value, payload: Derived, used: Used) -> tuple[Used, Value, Splitting] | None:
    """A split of the key of which the one that is used here was folded."""
    parent = payload.parent
    if parent is None:
        return None
    for other, uses in related(frame, keys_split, (parent, *sought_kin(parent))):
        for each in members(other):
            for one in _met(uses, used):
                for split in _splits(each, one):
                    if is_another_turn(frame, list(steps_of(frame, parent)), split.key, one):
                        continue
                    if are_equal(frame, parent, split.key) and split.gives(payload.data) and _is_read(used):
                        return one, value, split
    return None


def parents_folded(value: Value) -> Iterator[Hashable]:
    """The marks of the keys from which those of a value were folded."""
    for member in members(value):
        payload = member.payload
        if type(payload) is Derived and payload.how == "fold_in" and payload.parent is not None:
            yield payload.parent
            yield from kin(payload.parent)


def keys_split(value: Value) -> Iterator[Hashable]:
    """The marks of the keys that a use of a value may split: itself, and the one of which it has all keys."""
    for member in members(value):
        derived = _whole_split(member)
        parent = derived.payload.parent if derived is not None and type(derived.payload) is Derived else None
        for key in (member, parent):
            if key is not None:
                yield key
                yield from kin(key)


@dataclass(frozen=True, slots=True)
class Splitting:
    """A split of a key: its op, or the call that hides it, and the use.

    Of a use of all its keys, `count` says how many they are.
    """

    key: Value
    op: Op
    used: Used
    count: int | None = None

    def gives(self, data: Hashable) -> bool:
        """Is one of the keys used that `fold_in` gives with some data?"""
        if self.count is not None:
            return any(0 <= number < self.count for number in numbers_of(data)) and _is_read(self.used)
        return _is_shared(data, self.used)

    @property
    def is_hidden(self) -> bool:
        """Is the split made by something that is called?"""
        return self.count is None and _is_within(self.used)


def _is_within(used: Used) -> bool:
    """Is a key used within what is called?"""
    return used.draw is not None and bool(used.draw.inner)


def _splits(value: Value, used: Used) -> Iterator[Splitting]:
    """The split that a use is, and the one of which it uses all keys."""
    if _is_split(used) and type(used.means) is not ByElement:
        yield Splitting(value, used.op, used)
    whole = _whole_split(value)
    payload = whole.payload if whole is not None else None
    if whole is not None and whole.made_by is not None and type(payload) is Derived and payload.parent is not None:
        count = payload.data if type(payload.data) is int else SURE
        yield Splitting(payload.parent, whole.made_by, used, count)


def _whole_split(value: Value) -> Value | None:
    """The result of a split of which a value has all keys."""
    part = part_of(value) if value.kind is KEYS or type(value.payload) is KeyPart else None
    payload = part.whole.payload if part is not None else None
    if part is None or type(payload) is not Derived or payload.how != "split":
        return None
    return (
        part.whole if all(type(position) is Turn and position.within is None for position in part.positions) else None
    )


def _met(uses: tuple[Used, ...], used: Used) -> Iterator[Used]:
    """The certain uses that one run makes beside another one."""
    for use in uses:
        if type(use.means) is Discarded or use.draw is None or use.use.is_possible:
            continue
        if is_compatible(use, used.path) and not belong_together(use, used):
            yield use


def _is_split(used: Used) -> bool:
    return used.draw is not None and any(leaf.by == SPLIT for leaf in leaves(used.draw))


def _is_read(used: Used) -> bool:
    return used.draw is not None and is_read(used.draw)


def _is_shared(data: Hashable, split: Used) -> bool:
    """Is one of the keys of a split read that `fold_in` gives with some data?"""
    numbers = numbers_of(data)
    if not numbers or split.draw is None:
        return False
    if type(split.means) is ByElement:
        return split.means.element in numbers and is_read(split.draw)
    children = children_read(split.draw)
    return any(number in children or ("each" in children and number < SURE) for number in numbers)


def _is_one_function(one: Op, other: Op) -> bool:
    """Is one function called that makes both keys, which is told there, or called twice with the key itself?"""
    if type(one) is not ops.Call or type(other) is not ops.Call:
        return one is other
    return phrase(one.func) == phrase(other.func)


def _report(frame: Frame, earlier: Used, folded: Value, split: Splitting, used: Used) -> bool:
    """Report the later one of `fold_in` and split; is that certain?"""
    made_by = folded.made_by
    if made_by is None or _takes_the_place(frame, made_by, split.used):
        return False
    is_crossing = crosses_iterations(earlier, frame.iterations)
    if not is_crossing and _is_one_function(made_by, split.op):
        return False
    here: tuple[Op, Derivation] = (split.op, "split")
    there: tuple[Op, Derivation] = (made_by, "fold_in")
    is_in_order = split.op.anchor.origin is made_by.anchor.origin and not is_crossing
    is_split_later = is_later(split.op, made_by) if is_in_order else split.used is used
    mine, other = (here, there) if is_split_later else (there, here)
    is_hidden = split.is_hidden if is_split_later else made_by in (earlier.op, used.op)
    certainty = certain_if(not is_only_likely(earlier, used))
    emit_alike(frame, (mine[0], "hidden" if is_hidden else mine[1]), other, (earlier.use, used.use), False, certainty)
    return certainty is CERTAIN
