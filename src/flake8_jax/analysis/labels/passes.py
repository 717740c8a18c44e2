"""The state of a pass over a body: what the names hold at one point, and what has left the body early.

noise = normal(key)             noise: the result of `normal`
buffer.init(noise)              asked for its shape: not read
noise = normal(sub)             replaced: the first result was never read
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import repeat
from typing import TypeAlias

from flake8_jax.analysis.labels.bodies import BodyLabels, CallLabel, OwnResult, reads_of
from flake8_jax.analysis.labels.callees import Code
from flake8_jax.analysis.labels.flows import (
    BRANCH,
    MAXIMUM_APART,
    NOTHING,
    TURNS,
    Arms,
    Flow,
    HeldAt,
    Placement,
    replayed,
    under,
    united,
    without_labels,
)
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.scope import Binding
from flake8_jax.lazy_dataclasses import dataclass, field

Held: TypeAlias = "dict[Binding, Flow]"
NamedPart: TypeAlias = "tuple[Binding, tuple[HeldAt, ...]]"
"""A name and the steps from there to a part of its value."""

MAXIMUM_OPS = 20_000


@dataclass(slots=True)
class Waiting:
    """What left a body early: the states at breaks, continues, raises and ends."""

    breaks: list[Held] = field(default_factory=list)
    continues: list[Held] = field(default_factory=list)
    raised: list[Held] = field(default_factory=list)
    ends: list[Held] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Pass:
    """One pass over a body.

    `held` is what each name holds now, None where no path arrives.  `functions` are the local functions by name,
    `statement` is the expression statement that is evaluated, `arms` are those of the tests around, outside of `loops`,
    where a test is made again and again; `turned` are the loops that are in a later iteration.  `globals` are the names
    of the module that its statements bind to what is no function.
    """

    code: Code
    found: BodyLabels
    flow_of: Callable[[Pass, Op], Flow]
    run: Callable[[Pass, Body], None]
    labels_of: Callable[[Code], BodyLabels | None]
    globals: frozenset[Binding]
    held: Held | None = field(default_factory=dict)
    functions: dict[Binding, Function] = field(default_factory=dict)
    waiting: Waiting = field(default_factory=Waiting)
    statement: Op | None = None
    arms: Arms = frozenset()
    loops: int = 0
    turned: frozenset[Op] = frozenset()

    @property
    def is_over(self) -> bool:
        """Is the body too long?"""
        return self.found.ops > MAXIMUM_OPS

    def read(self, flow: Flow) -> None:
        """Note that labels are read as values."""
        if flow:
            self.found.note_read(reads_of(flow, self.arms))

    def hand_back(self, flow: Flow) -> None:
        """Note that labels are returned."""
        for placement, labels in flow.items():
            here = placement._replace(arms=placement.arms | self.arms) if self.arms else placement
            self.found.returned[here] = self.found.returned.get(here, 0) | labels

    def note_met(self, flow: Flow) -> Flow:
        """Note a value in which several labels may be at once."""
        if self.found.details is not None:
            self.found.details.note_met(flow)
        return flow

    def lookup(self, binding: Binding) -> Flow:
        """What a name holds; a name from outside is an input."""
        if self.held is None:
            return NOTHING
        found = self.held.get(binding)
        if found is None:
            found = NOTHING
            owner = binding.owner
            if owner is not None and owner is not self.code.function.scope and _is_outside(owner.kind, self, binding):
                found = {Placement(): self.found.input(binding)}
            self.held[binding] = found
        return found

    def bind(self, binding: Binding, flow: Flow) -> None:
        """Bind a name."""
        if self.held is not None:
            self.held[binding] = self.note_met(flow)

    def enter_arm(self, test: Op, outcome: bool) -> None:
        """From here on a test has come out like this."""
        if not self.loops:
            self.arms |= {((BRANCH, test), int(outcome))}

    def labelled(self, op: Op, made: Iterable[OwnResult]) -> Flow:
        """New labels for a call, one for each kind of what it makes."""
        known = self.found.calls.setdefault(op, [])
        if self.arms:
            self.found.arms[op] = self.arms
        flow: dict[Placement, int] = {}
        for one in made:
            label = next((each.label for each in known if each.made == one and each.turned == self.turned), 0)
            if not label:
                label = self.found.new(one.kind)
                known.append(CallLabel(label, one, self.turned))
            flow[one.placement] = flow.get(one.placement, 0) | label
        return flow


def _is_outside(kind: str, walk: Pass, binding: Binding) -> bool:
    return kind in ("function", "comprehension") or (kind == "module" and binding in walk.globals)


def join_environments(first: Held | None, second: Held | None, test: Op | None = None) -> Held | None:
    """The join of two environments (names with their labels) after a test, whose outcomes tell the labels apart."""
    if first is None or second is None:
        return second if first is None else first
    met = dict(first)
    for name, one, other in [*_apart(first, second), *((name, NOTHING, held) for name, held in _added(first, second))]:
        joined = united(one, other)
        if test is not None and one != other and len(joined) <= MAXIMUM_APART:
            choice = (BRANCH, test)
            mine, theirs = without_labels(one, other), without_labels(other, one)
            both = without_labels(one, mine)
            joined = united(both, under(mine, choice, 1), under(theirs, choice, 0))
        met[name] = joined
    return met


def ended_early(first: Held | None, second: Held | None, loop: Op) -> Held | None:
    """What names may hold after a loop of one iteration or of more; what only the `first` left is marked."""
    if first is None or second is None:
        return second if first is None else first
    met = dict(second)
    for name, flow, other in _apart(first, second):
        met[name] = united(other, under(without_labels(flow, other), (TURNS, loop), 1))
    return met


def _apart(first: Held, second: Held) -> list[tuple[Binding, Flow, Flow]]:
    """The names of the first environment whose labels are others in the second, with both: mostly few of many."""
    others = map(second.get, first, repeat(NOTHING))
    return [(name, one, other) for name, one, other in zip(first, first.values(), others) if one is not other]


def _added(first: Held, second: Held) -> list[tuple[Binding, Flow]]:
    """The names that the second environment alone has."""
    return [(name, held) for name, held in second.items() if name not in first]


def copy(held: Held | None) -> Held | None:
    """An independent copy."""
    return None if held is None else dict(held)


def entered(walk: Pass, code: Code, arguments: dict[str, Flow], at: Hashable) -> Flow:
    """The labels in what a function returns when it gets these; what it reads is noted.

    A function that runs already may read all of them.
    """
    callee = walk.labels_of(code)
    if callee is None or callee.is_beyond:
        for flow in arguments.values():
            walk.read(flow)
        return NOTHING
    given: dict[Binding, Flow] = {}
    names = code.function.scope.names
    for name, flow in arguments.items():
        if flow and name in names:
            given[names[name]] = flow

    def handed(binding: Binding) -> Flow:
        return given.get(binding, NOTHING) if binding.owner is code.function.scope else walk.lookup(binding)

    found: list[Flow] = []
    for binding, placements in callee.placements_of_inputs.items():
        flow = handed(binding)
        found.extend(replayed(flow, placement, at) for placement in placements if flow)
    for binding, reads in callee.reads_of_inputs.items():
        flow = handed(binding)
        for read in reads if flow else ():
            walk.read(replayed(flow, Placement((), read.trail, read.mask, read.arms), at))
    returned = united(*found)
    if code.function.is_generator:
        walk.read(returned)
    return returned


def own_results(walk: Pass, code: Code) -> tuple[OwnResult, ...]:
    """What a function returns of its own."""
    callee = walk.labels_of(code)
    return callee.made if callee is not None else ()
