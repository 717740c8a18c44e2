"""The abstract state at one point of a path: names, heap, uses of resources, path condition.

Objects are compared by identity.  `heap` has what was stored (`self.key = k` -> `heap[(self, ".key")] = k`); what an
object held from the start is not in the state but projected from the object on demand, so that two branches that read
`state.rng` read one value.  *Invalidating* an object gives it a new version: all below it is fresh from then on.

    normal(self.key)            (self, ".key") -> V1
    self._advance()             heap[(self, VERSION)] = a new object
    normal(self.key)            (that version, ".key") -> V2, another identity: no reuse
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from operator import is_
from typing import TypeAlias, TypeGuard

from flake8_jax.domain.conditions import ALWAYS, Path, common_facts, facts_added
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.kinds import HOST_CONSTANTS, TUPLE
from flake8_jax.domain.layered import Layered
from flake8_jax.domain.payload import AnySlice, Each, Elements, Entries, Extended, ItemIndex, Key, Same, Step, elements
from flake8_jax.domain.resources import Used, is_compatible, unite_uses
from flake8_jax.domain.startup import StartSteps, added
from flake8_jax.domain.uses import Uses
from flake8_jax.domain.value import MAXIMUM_DEPTH, Value, join, join_on_paths, unknown, value_after_loop
from flake8_jax.lazy_dataclasses import dataclass, field

VERSION, GROWN, STANDS_FOR = "version", "grown", "stands for"
"""Under which an object has its present version, what each element is of a list that was filled bit by bit, and the
objects of which a loop takes each in turn: what is stored into the one that stands for them is stored into some of
them.
"""

HeapStep: TypeAlias = "Step | str"
"""Where an object holds something: an access step, the name of a global, or a word of the analysis itself."""

Heap: TypeAlias = "dict[tuple[Value, HeapStep], Value]"
Memo: TypeAlias = "dict[tuple[Value, Value], Value]"
Join: TypeAlias = "Callable[[Value, Value], Value]"


@dataclass(slots=True, eq=False)
class PartSteps:
    """The access steps under which parts of an object were stored, in order; `varying` are items at unknown indices."""

    all: dict[HeapStep, None] = field(default_factory=dict)
    varying: dict[HeapStep, None] = field(default_factory=dict)

    def met(self, other: PartSteps) -> PartSteps:
        """The steps of either."""
        return self if self is other else PartSteps({**self.all, **other.all}, {**self.varying, **other.varying})


NO_STEPS = PartSteps()
Steps: TypeAlias = "dict[Value, PartSteps]"


@dataclass(slots=True, eq=False)
class State:
    """The abstract state at a point of a path, copied where paths part and joined where they meet.

    `steps` are those under which anything was ever stored, by object: all copies share them, so that the parts of an
    object are found without a search of the heap.  `started` is how far JAX has come.  `is_over`: a call that never
    returns was made, so that no path arrives at the end of the statement.
    """

    names: Layered = field(default_factory=Layered)
    heap: Heap = field(default_factory=dict)
    used: Uses = field(default_factory=Uses)
    path: Path = ALWAYS
    steps: Steps = field(default_factory=dict)
    is_over: bool = False
    started: StartSteps = ()

    def copy(self) -> State:
        """An independent copy."""
        return State(
            self.names.copy(), self.heap.copy(), self.used.copy(), self.path, self.steps, self.is_over, self.started
        )  # fmt: skip

    def set_part(self, base: Value, step: HeapStep, value: Value) -> None:
        """Store a value as a part of `base`."""
        self.heap[(base, step)] = value
        steps = self.steps.get(base)
        if steps is None:
            steps = self.steps[base] = PartSteps()
        steps.all[step] = None
        if type(step) is tuple and isinstance(step[1], Value):
            steps.varying[step] = None

    def set_fields(self, base: Value, fields: Mapping[str, Value]) -> None:
        """Store values as attributes of an object."""
        steps: dict[HeapStep, Value] = {(".", name): value for name, value in fields.items()}
        self.heap.update({(base, step): value for step, value in steps.items()})
        self.steps.setdefault(base, PartSteps()).all.update(dict.fromkeys(steps))

    def steps_stored(self, base: Value) -> Collection[HeapStep]:
        """The access steps under which parts of `base` were stored, on this path or another."""
        return self.steps.get(base, NO_STEPS).all

    def steps_of(self, base: Value) -> list[HeapStep]:
        """The access steps under which `base` has stored parts."""
        return [step for step in self.steps.get(base, NO_STEPS).all if (base, step) in self.heap]

    def stored_parts(self, base: Value) -> list[tuple[HeapStep, Value]]:
        """The parts that were stored into `base`, each with its access step."""
        return [(step, self.heap[(base, step)]) for step in self.steps_of(base)]

    def version(self, base: Value) -> Value:
        """The identity under which the parts of `base` are stored now."""
        return self.heap.get((base, VERSION), base)

    def invalidate(self, base: Value) -> None:
        """Remove all that is known of the parts of `base`, and of what it stands for."""
        meant = self.heap.get((base, STANDS_FOR))
        if meant is not None:
            for one in meant.parts:
                self.invalidate(one)
        for step in self.steps.get(base, NO_STEPS).all:
            self.heap.pop((base, step), None)
        self.set_part(base, VERSION, unknown("forgotten"))

    def forget_varying(self, base: Value) -> None:
        """Remove what is known of the items of `base` at an index that is not known: one may be what is stored."""
        for step in self.steps.get(base, NO_STEPS).varying:
            self.heap.pop((base, step), None)

    def _extended(self, base: Value, payload: Extended) -> Value:
        """A dict with entries above those of an input, and those that were stored into it by name above these."""
        steps = self.steps_of(base)
        if not steps:
            return base
        stored: dict[Key, Value] = {
            step[1]: self.heap[(base, step)] for step in steps if step[0] == "[]" and isinstance(step[1], str)
        }
        is_known = len(stored) == len(steps) and (base, VERSION) not in self.heap
        held = Extended(payload.below, {**payload.above, **stored}) if is_known else None
        return Value(base.kind, base.dependences, held, base.made_by)

    def contents(self, base: Value, depth: int = 0) -> Value:
        """A container as it is now: the value itself, unless something was stored into it or into a part."""
        payload = base.payload
        if not self.heap or depth >= MAXIMUM_DEPTH or type(payload) not in (Elements, Entries, Extended, Same):
            return base
        if type(payload) is Same and self.steps_of(base):
            return Value(base.kind, base.dependences, None, base.made_by)
        if type(payload) is Extended:
            return self._extended(base, payload)
        if base.kind is not TUPLE and (base, VERSION) in self.heap:
            grown = self.heap.get((base, GROWN))
            return Value(base.kind, base.dependences, None if grown is None else Each(grown), base.made_by)
        stored = {step[1]: self.heap[(base, step)] for step in self.steps_of(base) if step[0] == "[]"}
        if type(payload) is Entries:
            found: dict[Key, Value] = {name: self.contents(part, depth + 1) for name, part in payload.parts.items()}
            found.update((name, part) for name, part in stored.items() if _is_key(name))
            is_same = found.keys() == payload.parts.keys() and all(found[name] is payload.parts[name] for name in found)
            return base if is_same else Value(base.kind, base.dependences, Entries(found), base.made_by)
        if type(payload) is not Elements or payload.parts is None:
            return base
        parts = tuple([self.contents(stored.get(place, part), depth + 1) for place, part in enumerate(payload.parts)])
        if all(map(is_, parts, payload.parts)):
            return base
        return Value(base.kind, base.dependences, elements(parts, payload.form), base.made_by)


def _is_key(index: ItemIndex) -> TypeGuard[Key]:
    return not isinstance(index, (Value, NotConstant, AnySlice))


def join_states(first: State | None, second: State | None) -> State | None:
    """The state after two paths have met.

    None, or a state that is over, is a path that does not arrive.
    """
    if first is None or second is None:
        return second if first is None else first
    if first.is_over or second.is_over:
        return second if first.is_over else first
    memo: Memo = {}
    used = first.used.joined(second.used)
    path = common_facts(first.path, second.path)
    joined = State(path=path, used=used, steps=_join_steps(first.steps, second.steps))
    joined.started = first.started if first.started is second.started else added(first.started, second.started)
    paths = facts_added(first.path, path), facts_added(second.path, path)

    def how(one: Value, other: Value) -> Value:
        return join_on_paths((one, other), paths)

    joined.names = _join_names(first.names, second.names, memo, how)
    joined.heap = _join_heaps(first.heap, second.heap, memo, how)
    for (left, right), value in memo.items():
        uses = unite_uses(_met_on_its_way(first, left), _met_on_its_way(second, right))
        if uses:
            used.add(value, uses)
    return joined


def _met_on_its_way(state: State, value: Value) -> tuple[Used, ...]:
    """The uses of a value that a run which comes to a state may have made: on the way to others there is none of it."""
    return tuple([use for use in state.used.get(value) if is_compatible(use, state.path)])


def state_after_loop(before: State, after: State | None) -> State:
    """The state after a loop, from those before it and after some iterations.

    No iteration at all is no evidence: what the body binds on every path is what it bound there, and a use of the
    value from before is none of the new one.
    """
    if after is None or after.is_over:
        return before
    joined = State(path=common_facts(before.path, after.path), used=before.used.joined(after.used), steps=after.steps)
    joined.steps, joined.started = _join_steps(before.steps, after.steps), added(before.started, after.started)
    memo: Memo = {}
    joined.names = _join_names(before.names, after.names, memo, value_after_loop)
    joined.heap = _heap_after_loop(before.heap, after.heap, memo)
    for (_, later), value in memo.items():
        if value is not later and (uses := after.used.get(later)):
            joined.used.add(value, uses)
    return joined


def _heap_after_loop(before: Heap, after: Heap, memo: Memo) -> Heap:
    heap = after.copy()
    pairs = zip(after, after.values(), map(before.get, after))
    for place, later, earlier in [pair for pair in pairs if pair[1] is not pair[2]]:  # few of many
        if earlier is not None:
            heap[place] = _join_once(earlier, later, memo, value_after_loop)
        elif later.kind in HOST_CONSTANTS:  # of a constant two iterations do not show what all do
            heap[place] = unknown("stored on one path only")
    return heap


def _join_steps(first: Steps, second: Steps) -> Steps:
    if first is second:
        return first
    return {
        base: first[base].met(second[base]) if base in first and base in second else first.get(base) or second[base]
        for base in {**first, **second}
    }


def _join_names(first: Layered, second: Layered, memo: Memo, how: Join = join) -> Layered:
    joined = first.copy()
    for name in first.rebound(second):
        mine, other = first.get(name), second.get(name)
        if mine is None and other is not None:
            joined[name] = other
        elif mine is not None and other is not None and mine is not other:
            joined[name] = _join_once(mine, other, memo, how)
    return joined


def _join_heaps(first: Heap, second: Heap, memo: Memo, how: Join) -> Heap:
    if first == second:
        return first.copy()
    differing = {key for key, _ in first.items() ^ second.items()}
    joined = {key: mine for key, mine in first.items() if key not in differing}
    for key in [key for key in {**first, **second} if key in differing]:
        mine, other = first.get(key), second.get(key)
        if mine is None or other is None:
            joined[key] = unknown("stored on one path only")
        else:
            joined[key] = _join_once(mine, other, memo, how)
    return joined


def _join_once(first: Value, second: Value, memo: Memo, how: Join = join) -> Value:
    found = memo.get((first, second))
    if found is None:
        found = memo[(first, second)] = how(first, second)
        if found is first or found is second:
            del memo[(first, second)]
    return found
