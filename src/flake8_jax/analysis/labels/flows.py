"""Ways and flows: which labels are in a value, and how each of them came there.

A *label* is the identity of a result: of one call in a body, in the first iteration of the loops around it or in a
later one; or of what the body is handed, in a parameter or a name around it.  The labels of a body are numbered, so
that a set of them is one integer with a bit for each.  A *placement* is how labels lie in a value: the steps that lead
to them, and the *trail*, what was done to them since they were made.  A *flow* maps the placements in a value to the
labels:

    pair = normal(k1), split(k2)        [0]: label 1      [1]: label 2
    x = pair[1][0]                      label 2, trail: taken at 0
    y = x + 1                           label 2, trail: taken at 0, computed with
    jnp.where(c, *pair)                 labels 1 and 2, each in its arm of the choice

Nothing here asks what a label stands for.  So a body is passed once for all of its calls and for whatever it is handed;
its callers put their own flows in place of its inputs (`replayed`), and what a label is, a key or data, is looked at
when somebody asks (`state_after`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from flake8_jax.domain.payload import Key
from flake8_jax.ir.parts import Host

HeldAt: TypeAlias = "tuple[str, Key]"
"""An attribute `(".", name)` or an item `("[]", index)`."""

TrailStep: TypeAlias = HeldAt
"""What was done to a value: a part of it was taken, or one of the names below."""

Trail: TypeAlias = "tuple[TrailStep, ...]"

ANY: TrailStep = ("any", None)
"""An item at an unknown index was taken."""
EACH: TrailStep = ("each", None)
"""Its items were taken, one after the other."""
MIXED: TrailStep = ("mixed", None)
"""It was put together with others, at no known place."""
DATA: TrailStep = ("data", None)
"""Something that is no key was computed from it."""
LEAVES: TrailStep = ("leaves", None)
"""Data was computed from each of its leaves, at the same places."""
FOLDED: TrailStep = ("folded", None)
"""It was folded into other keys."""
KEYS: TrailStep = ("keys", None)
"""It is kept only if it is a key."""
OTHERS: TrailStep = ("others", None)
"""It is kept only if it is no key."""
SHOWN: TrailStep = ("shown", None)
"""It was handed to what only shows it: a picture, a line of text, a log."""
SEED: TrailStep = ("seed", None)
"""It is the number that a generator starts from."""

TAKING = frozenset((".", "[]", "any", "each"))
MAKING = frozenset(("mixed", "data", "folded"))
"""Something is made of a value, at no known place in it."""

Arms: TypeAlias = "frozenset[tuple[Hashable, int]]"
"""Choices that were made, and which arm of each was taken."""

Child: TypeAlias = "int | Literal['all', 'each'] | None"
"""Which key of a split: its index, all of them, each in something made of them, or None where this is not known."""

FlowKey = TypeVar("FlowKey", bound=Hashable)

MAXIMUM_STEPS = 4
MAXIMUM_ARMS = 4
MAXIMUM_TRAIL = 6
MAXIMUM_CHOSEN = 16
"""In so many placements labels lie at most where a further choice tells them apart."""

MAXIMUM_APART = 128
"""In more placements no choice tells labels apart: where choices follow one another their combinations multiply.
If there are still more, no place does.
"""

BRANCH, TURNS, SELECT = "branch", "turns", "select"


class Mask(NamedTuple):
    """The test under which a label counts: the text of what is tested, what it is compared with, the outcome."""

    tested: str
    other: Host
    holds: bool

    def excludes(self, other: Mask) -> bool:
        """Can the two tests not come out like this at once?"""
        if self.tested != other.tested:
            return False
        is_same = type(self.other) is type(other.other) and self.other == other.other
        return self.holds != other.holds if is_same else self.holds and other.holds


class Placement(NamedTuple):
    """How labels lie in a value.

    `steps` lead from the value to them; the `trail` is what was done to them; `mask`: where they are selected or
    multiplied by the outcome of a test, that test; `arms`: the choices without which they are not there.
    """

    steps: tuple[HeldAt, ...] = ()
    trail: Trail = ()
    mask: Mask | None = None
    arms: Arms = frozenset()

    def then(self, token: TrailStep) -> Placement:
        """The placement after something more was done."""
        trail = _then(self.trail, token)
        return self if trail is self.trail else Placement(self.steps, trail, self.mask, self.arms)

    def at(self, steps: tuple[HeldAt, ...]) -> Placement:
        """The placement with other steps."""
        return Placement(steps, self.trail, self.mask, self.arms)

    def without_steps(self, token: TrailStep) -> Placement:
        """The placement in something made of the value, at no known place."""
        trail = _then(self.trail, token)
        return Placement((), trail, self.mask, self.arms) if self.steps or trail is not self.trail else self


Flow: TypeAlias = "Mapping[Placement, int]"
"""The labels in a value, by the placements in which they are in it; never changed."""

NOTHING: Flow = {}


@lru_cache(maxsize=10_000)
def _then(trail: Trail, token: TrailStep) -> Trail:
    """A trail with one more token, in its shortest equivalent form; the few that there are come again and again."""
    if token in trail[-1:]:
        return trail if token[0] not in (".", "[]") else _cut(trail, token)
    if DATA in trail and token not in (FOLDED, KEYS, OTHERS, SHOWN, SEED):
        return trail
    if token == DATA and trail[-1:] == (MIXED,):
        return (*trail[:-1], DATA)
    if token[0] in TAKING and MIXED in trail:
        return trail if ANY in trail[trail.index(MIXED) :] else (*trail, ANY)
    return _cut(trail, token)


@lru_cache(maxsize=10_000)
def _then_all(trail: Trail, tokens: Trail) -> Trail:
    """A trail with several more tokens."""
    for token in tokens:
        trail = _then(trail, token)
    return trail


def _cut(trail: Trail, token: TrailStep) -> Trail:
    if len(trail) < MAXIMUM_TRAIL:
        return (*trail, token)
    return trail if token[0] in TAKING or token in trail else (*trail[:MAXIMUM_TRAIL], token)


class LabelState(NamedTuple):
    """What became of a label on a trail: a key or not, which child of a split, and was it folded?"""

    is_key: bool
    child: Child
    is_folded: bool

    @property
    def is_other(self) -> bool:
        """Is it a key of which nothing is drawn yet, or made of a key that was folded of that of the split?"""
        return self.is_key or self.is_folded


LabelKind: TypeAlias = Literal["split", "key", "data"]
"""What a label is when it is made: all keys of a split, a key, or anything else."""

MADE: dict[LabelKind, LabelState] = {
    "split": LabelState(True, "all", False),
    "key": LabelState(True, None, False),
    "data": LabelState(False, None, False),
}


def state_after(kind: LabelKind, trail: Trail) -> LabelState | None:
    """What a label of some kind is at the end of a trail; None where it was left behind."""
    is_key, child, is_folded = MADE[kind]
    for token in trail:
        name, index = token
        if name in (".", "[]", "any"):
            if child == "all":
                child = index if name == "[]" and type(index) is int and index >= 0 else None
            elif child == "each" and is_key:
                child = None
        elif (token == KEYS and not is_key) or (token == OTHERS and is_key):
            return None
        elif child == "all" and token not in (LEAVES, KEYS, OTHERS, SHOWN, SEED):
            child = "each"
        is_key = is_key and token not in (DATA, LEAVES)
        is_folded = is_folded or token == FOLDED
    return LabelState(is_key, child, is_folded)


def changed(flow: Flow, change: Callable[[Placement], Placement | None]) -> Flow:
    """A flow with other placements, without those that end."""
    if not flow:
        return flow
    found: dict[Placement, int] = {}
    if len(flow) == 1:
        for placement, labels in flow.items():
            new = change(placement)
            return flow if new is placement else found if new is None else {new: labels}
    for placement, labels in flow.items():
        new = change(placement)
        if new is not None:
            known = found.setdefault(new, labels)
            if known != labels:
                found[new] = known | labels
    return found


def united(*flows: Flow) -> Flow:
    """The labels of several values together."""
    filled = [one for one in flows if one]
    if len(filled) < 2:
        return filled[0] if filled else NOTHING
    found = dict(filled[0])
    for flow in filled[1:]:
        for placement, labels in flow.items():
            _put(found, placement, labels)
    return found if len(found) <= MAXIMUM_APART else _together(found)


def _together(flow: Flow) -> Flow:
    """A flow of which no choice and no mask tells the labels apart.  If there are still so many placements, as of a
    dict that is filled entry by entry, they lie at no known place.
    """
    found: dict[Placement, int] = {}
    for placement, labels in flow.items():
        is_apart = placement.mask is not None or placement.arms
        _put(found, Placement(placement.steps, placement.trail) if is_apart else placement, labels)
    return found if len(found) <= MAXIMUM_APART else changed(found, lambda placement: placement.without_steps(MIXED))


def labels_in(flow: Flow) -> int:
    """All labels in a value."""
    found = 0
    for labels in flow.values():
        found |= labels
    return found


def with_labels(flow: Mapping[FlowKey, int], wanted: int) -> dict[FlowKey, int]:
    """A flow, or reads, with some labels only."""
    return {placement: labels & wanted for placement, labels in flow.items() if labels & wanted}


def without_labels(flow: Flow, left_out: Flow) -> Flow:
    """A flow without what another one has."""
    rest = {placement: labels & ~left_out.get(placement, 0) for placement, labels in flow.items()}
    return {placement: labels for placement, labels in rest.items() if labels}


def part(flow: Flow, step: HeldAt) -> Flow:
    """The labels in a part of a value."""
    return changed(flow, lambda placement: _after(placement, (step,)))


def items(flow: Flow, count: int) -> list[Flow]:
    """The labels in each of the first items of a value."""
    found: dict[HeldAt, dict[Placement, int]] = {("[]", place): {} for place in range(count)}
    for placement, labels in flow.items():
        if not placement.steps:
            for step, one in found.items():
                _put(one, placement.then(step), labels)
        elif (held := found.get(placement.steps[0])) is not None:
            _put(held, placement.at(placement.steps[1:]), labels)
    return list(found.values())


def _put(found: dict[Placement, int], placement: Placement, labels: int) -> None:
    known = found.setdefault(placement, labels)
    if known != labels:
        found[placement] = known | labels


def each_item(flow: Flow) -> Flow:
    """The labels in the items, one after the other."""
    return changed(flow, lambda placement: _after(placement, (EACH,)))


def any_item(flow: Flow) -> Flow:
    """The labels in an item at an unknown index."""
    return changed(flow, lambda placement: _after(placement, (ANY,)))


def below(step: HeldAt, flow: Flow) -> Flow:
    """The labels in a value that holds another one at a step."""

    def put(placement: Placement) -> Placement:
        is_deep = len(placement.steps) >= MAXIMUM_STEPS
        return placement.at((step,) if is_deep else (step, *placement.steps))

    return changed(flow, put)


def without(flow: Flow, steps: tuple[HeldAt, ...]) -> Flow:
    """The labels that are left when the part at some steps is replaced."""
    depth = len(steps)
    rest = {placement: labels for placement, labels in flow.items() if placement.steps[:depth] != steps}
    return flow if len(rest) == len(flow) else rest


def mixed(*flows: Flow) -> Flow:
    """The labels in something put together of values, at no known place in it."""
    return changed(united(*flows), lambda placement: placement.without_steps(MIXED))


def data(*flows: Flow) -> Flow:
    """The labels in something computed from values that is no key."""
    return changed(united(*flows), lambda placement: placement.without_steps(DATA))


def folded(flow: Flow) -> Flow:
    """The labels in keys that were folded of others: other keys than these."""
    return changed(flow, lambda placement: placement.without_steps(FOLDED))


def keys_only(flow: Flow) -> Flow:
    """The labels of keys."""
    return changed(flow, lambda placement: placement.then(KEYS))


def others_only(flow: Flow) -> Flow:
    """The labels of what is no key."""
    return changed(flow, lambda placement: placement.then(OTHERS))


def skeleton(flow: Flow, is_new: bool = False) -> Flow:
    """The labels in a value that is filled anew: what was drawn for it as a whole is gone, and in a new object what the
    constructors of its bases drew.
    """

    def emptied(placement: Placement) -> Placement:
        is_kept = placement.steps or (MIXED in placement.trail and not is_new)
        return placement if is_kept else placement.then(KEYS)

    return changed(flow, emptied)


def shown(flow: Flow) -> Flow:
    """The labels in what is only shown."""
    return changed(flow, lambda placement: placement.then(SHOWN))


def seeds(flow: Flow) -> Flow:
    """The labels in what a generator draws that starts from them."""
    return changed(flow, lambda placement: placement.without_steps(DATA).then(SEED))


def masked(flow: Flow, mask: Mask) -> Flow:
    """The labels in a value that counts under a test only."""
    return changed(
        flow,
        lambda placement: Placement(placement.steps, placement.trail, placement.mask or mask, placement.arms),
    )


def under(flow: Flow, choice: Hashable, arm: int) -> Flow:
    """The labels in a value that exists only if a choice has this outcome."""
    taken = choice, arm

    def put(placement: Placement) -> Placement:
        is_full = len(placement.arms) >= MAXIMUM_ARMS
        if is_full or taken in placement.arms:
            return placement
        return Placement(placement.steps, placement.trail, placement.mask, placement.arms | {taken})

    return changed(flow, put)


def placed(flow: Flow, inside: Placement) -> Flow:
    """The labels in a tree of which each leaf lies like this in what is made of it."""
    is_data, mask, taken = DATA in inside.trail, inside.mask, tuple(inside.arms)
    if not is_data and mask is None and not taken:
        return flow

    def put(placement: Placement) -> Placement:
        one = placement.then(LEAVES) if is_data else placement
        return Placement(one.steps, one.trail, one.mask or mask, _with_arms(one.arms, taken) if taken else one.arms)

    return changed(flow, put)


def chosen(choice: Hashable, arms: Iterable[Flow]) -> Flow:
    """The labels in a value that is one of several: those of different arms exclude each other.

    A label that several arms have lies in each of them, beside the others there.  Of many choices one after the other
    the later ones tell nothing apart.
    """
    filled = [arm for arm in arms if arm]
    found = united(*filled)
    if len(filled) < 2 or len(found) > MAXIMUM_CHOSEN:
        return found
    return united(*[under(arm, (SELECT, choice), place) for place, arm in enumerate(filled)])


def are_apart(one: Arms, other: Arms) -> bool:
    """Can no run take all of these arms?"""
    few, many = sorted((one - other, other - one), key=len)
    if not few:
        return False
    taken = dict(many)
    return any(taken.get(choice, arm) != arm for choice, arm in few)


def replayed(flow: Flow, placement: Placement, site: Hashable) -> Flow:
    """The labels that a callee returns of a flow passed to it, given how its input lies in its result."""
    taken = tuple(_taken_in_caller(placement.arms, site)) if placement.arms else ()
    is_moved = bool(placement.steps or taken) or placement.mask is not None
    if not is_moved and not placement.trail:
        return flow

    done, inside = placement.trail, placement if is_moved else None
    found: dict[Placement, int] = {}
    for one, labels in flow.items():
        after = _after(one, done)
        if after is not None:
            _put(found, after if inside is None else _in_caller(after, inside, taken), labels)
    return found


def _after(placement: Placement, done: Trail) -> Placement | None:
    """The placement after operations on the value, named by tokens; None if the labels do not survive them."""
    if not placement.steps:
        trail = _then_all(placement.trail, done)
        return placement if trail is placement.trail else Placement((), trail, placement.mask, placement.arms)
    steps, trail = placement.steps, placement.trail
    for token in done:
        name = token[0]
        if steps and name in TAKING:
            if steps[0][0] != "[]" if name in ("any", "each") else steps[0] != token:
                return None
            steps = steps[1:]
        else:
            trail = _then(trail, token)
            steps = () if name in MAKING else steps
    is_same = steps is placement.steps and trail is placement.trail
    return placement if is_same else Placement(steps, trail, placement.mask, placement.arms)


def _taken_in_caller(arms: Arms, site: Hashable) -> Iterator[tuple[Hashable, int]]:
    for choice, arm in arms:
        if isinstance(choice, tuple) and choice[0] == SELECT:
            yield (SELECT, (site, choice[1])), arm


def _in_caller(placement: Placement, inside: Placement, taken: tuple[tuple[Hashable, int], ...]) -> Placement:
    """The placement of labels that lie in what a callee returns like this, in arms that were `taken`."""
    steps = placement.steps
    for step in reversed(inside.steps):
        steps = (step,) if len(steps) >= MAXIMUM_STEPS else (step, *steps)
    return Placement(steps, placement.trail, placement.mask or inside.mask, _with_arms(placement.arms, taken))


def _with_arms(arms: Arms, taken: tuple[tuple[Hashable, int], ...]) -> Arms:
    for one in taken:
        if len(arms) < MAXIMUM_ARMS:
            arms |= {one}
    return arms
