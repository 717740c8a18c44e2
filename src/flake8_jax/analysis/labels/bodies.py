"""What one pass over a body tells of its labels: which calls made them, where they are read, and what is returned.

    def draw(key, scale):           labels: the inputs `key` and `scale`, the results of `normal` and `print`
        noise = normal(key)
        print(scale)                read: `scale`
        return noise * scale        returned: `key` and `scale` as data, the result of `normal`

A body is passed once, whoever asks, and its callers put what they hand it in place of its inputs.  Calls of functions
whose bodies are known have several labels: one for each kind of result of their own that they return.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from flake8_jax.analysis.labels.flows import (
    MIXED,
    Arms,
    Child,
    Flow,
    LabelKind,
    Mask,
    Placement,
    Trail,
    labels_in,
    state_after,
    with_labels,
)
from flake8_jax.ir.ops import Function, Op, Store
from flake8_jax.ir.parts import Anchor
from flake8_jax.ir.scope import Binding
from flake8_jax.lazy_dataclasses import dataclass, field

Labelled = TypeVar("Labelled")

MAXIMUM_PLACEMENTS = 12
"""How many placements of one input are told to callers, and kinds of results of their own."""

ANYWHERE = [Placement((), (MIXED,))]
"""How an input is told to lie in what is returned if there are more placements."""

MAXIMUM_STANDING = 8
"""With how many reads under fewer choices one is compared that they may stand for."""


class LabelRead(NamedTuple):
    """How labels are read as values: after what was done to them, under which test, in which arms of choices."""

    trail: Trail = ()
    mask: Mask | None = None
    arms: Arms = frozenset()


Reads: TypeAlias = "dict[LabelRead, int]"


class OwnResult(NamedTuple):
    """What a function returns of its own, wherever it was made: what it is, and how it lies in the result."""

    kind: LabelKind
    placement: Placement


PLAIN = OwnResult("data", Placement())
"""The result of a call as such."""


class CallLabel(NamedTuple):
    """A label of a call: its bit, what it stands for, and the loops around that are in a later iteration."""

    label: int
    made: OwnResult
    turned: frozenset[Op]


class LoggedRead(NamedTuple):
    """Labels that are read, in the order of the pass."""

    read: LabelRead
    labels: int


@dataclass(eq=False)
class PassDetails:
    """What few questions ask of a pass.

    `met` are the values in which several labels are at once, in the order of the pass; `stored` is what statements
    bind; `log` the reads in their order, `ended` how many there were when a statement was last done.
    """

    met: list[Flow] = field(default_factory=list)
    stored: list[tuple[Store, Flow]] = field(default_factory=list)
    log: list[LoggedRead] = field(default_factory=list)
    ended: dict[Anchor, int] = field(default_factory=dict)

    def note_met(self, flow: Flow) -> None:
        """Note a value, if several labels are in it."""
        labels = labels_in(flow)
        if labels & (labels - 1) and (not self.met or self.met[-1] is not flow):
            self.met.append(flow)

    def note_stored(self, statement: Store, flow: Flow) -> None:
        """Note what a statement binds."""
        if flow:
            self.stored.append((statement, flow))

    def stored_of(self, labels: int) -> Iterator[tuple[Store, Flow]]:
        """The statements that bind what has some labels, and these as they lie there."""
        for statement, flow in (self.stored[place] for place in sorted(_with_any(self._stored_at, labels))):
            yield statement, with_labels(flow, labels)

    def met_with(self, one: int, other: int) -> Iterator[Flow]:
        """The values in which some labels are together with others."""
        places = _with_any(self._met_at, one) & _with_any(self._met_at, other)
        yield from (self.met[place] for place in sorted(places))

    @cached_property
    def _stored_at(self) -> dict[int, list[int]]:
        return _places(flow for _, flow in self.stored)

    @cached_property
    def _met_at(self) -> dict[int, list[int]]:
        return _places(self.met)


def _places(flows: Iterable[Flow]) -> dict[int, list[int]]:
    """For each label the places of those of several flows in which it is."""
    found: dict[int, list[int]] = {}
    for place, flow in enumerate(flows):
        for bit in bits(labels_in(flow)):
            found.setdefault(bit, []).append(place)
    return found


def _with_any(places: dict[int, list[int]], labels: int) -> set[int]:
    """The places at which any of some labels is."""
    return {place for bit in bits(labels) for place in places.get(bit, ())}


def bits(labels: int) -> Iterator[int]:
    """Each of some labels alone."""
    while labels:
        bit = labels & -labels
        yield bit
        labels ^= bit


@dataclass(eq=False)
class BodyLabels:
    """The labels of a body.

    `calls` are the labels of each call that the pass came to, with its `arms` of choices; `inputs` are those of
    parameters and of names from outside; there are `count` labels, and `kinds` has those that were of each kind when
    they were made.  `reads` are made in the body or by what it calls, `returned` lies in what it returns, or keeps in
    the object that it makes.  `published`: bound in a module or class, for others to read; `unused`: the results of
    these calls are bound to names that nothing looks up.  `bound` are the names to which the result of each call is
    bound.  `fed` are the labels that a call is handed.  The `detailed` pass has noted `details` as well.  `ops` is what
    the pass has cost; of a body `is_beyond` the bound, anything may be read.
    """

    function: Function
    calls: dict[Op, list[CallLabel]] = field(default_factory=dict)
    arms: dict[Op, Arms] = field(default_factory=dict)
    inputs: dict[Binding, int] = field(default_factory=dict)
    count: int = 0
    kinds: dict[LabelKind, int] = field(default_factory=dict)
    reads: Reads = field(default_factory=dict)
    returned: dict[Placement, int] = field(default_factory=dict)
    published: Reads = field(default_factory=dict)
    unused: dict[Op, Reads] = field(default_factory=dict)
    bound: dict[Op, list[frozenset[Binding]]] = field(default_factory=dict)
    fed: dict[Op, int] = field(default_factory=dict)
    details: PassDetails | None = None
    detailed: BodyLabels | None = None
    ops: int = 0
    is_beyond: bool = False
    _made_of: dict[int, set[OwnResult]] = field(default_factory=dict)
    _all: dict[bool, Reads] = field(default_factory=dict)
    _with: dict[tuple[int, bool], Reads] = field(default_factory=dict)
    _children: dict[tuple[int, Trail], frozenset[Child]] = field(default_factory=dict)

    def new(self, kind: LabelKind) -> int:
        """A new label."""
        label = 1 << self.count
        self.count += 1
        self.kinds[kind] = self.kinds.get(kind, 0) | label
        return label

    def kinds_of(self, labels: int) -> list[LabelKind]:
        """What labels were when they were made: each kind of which there is one among them."""
        return [kind for kind, those in self.kinds.items() if those & labels]

    def input(self, binding: Binding) -> int:
        """The label of an input."""
        found = self.inputs.get(binding)
        if found is None:
            found = self.inputs[binding] = self.new("data")
        return found

    def note_read(self, reads: Reads) -> None:
        """Note that labels are read."""
        for read, labels in reads.items():
            self.reads[read] = self.reads.get(read, 0) | labels
            if self.details is not None:
                self.details.log.append(LoggedRead(read, labels))

    @cached_property
    def placements_of_inputs(self) -> dict[Binding, list[Placement]]:
        """How each input lies in what is returned."""
        found = _with_each(self.inputs, self.returned)
        return {one: held if len(held) <= MAXIMUM_PLACEMENTS else ANYWHERE for one, held in found}

    @cached_property
    def reads_of_inputs(self) -> dict[Binding, list[LabelRead]]:
        """How each input is read, other than in what is returned."""
        found = _with_each(self.inputs, self.reads)
        return {one: held if len(held) <= MAXIMUM_PLACEMENTS else [LabelRead()] for one, held in found}

    def all_reads(self, is_closed: bool) -> Reads:
        """All reads, those of what is returned included; nobody else reads what is bound there, if it `is_closed`."""
        found = self._all.get(is_closed)
        if found is None:
            several = [self.reads, reads_of(self.returned, frozenset()), {} if is_closed else self.published]
            found = self._all[is_closed] = joined(several)
        return found

    def reads_with(self, labels: int, is_closed: bool) -> Reads:
        """All reads of some labels, without those that others stand for."""
        found = self._with.get((labels, is_closed))
        if found is None:
            found = self._with[labels, is_closed] = weakest(with_labels(self.all_reads(is_closed), labels))
        return found

    @cached_property
    def made(self) -> tuple[OwnResult, ...]:
        """What is returned of its own."""
        own = 0
        for calls in self.calls.values():
            for call in calls:
                own |= call.label
        found = dict.fromkeys(
            OwnResult(kind, _bare(placement))
            for placement, labels in self.returned.items()
            for kind in self.kinds_of(labels & own)
        )
        return tuple(found)[:MAXIMUM_PLACEMENTS]

    def made_of(self, labels: int) -> set[OwnResult]:
        """As what some labels are returned."""
        found = self._made_of.get(labels)
        if found is None:
            found = self._made_of[labels] = {
                OwnResult(kind, _bare(placement))
                for placement, held in self.returned.items()
                for kind in self.kinds_of(held & labels)
            }
        return found

    def children(self, labels: int, read: LabelRead) -> frozenset[Child]:
        """Of which children of splits some labels are that are read like this; empty where none is."""
        known = self._children.get((labels, read.trail))
        if known is None:
            found = [state_after(kind, read.trail) for kind in self.kinds_of(labels)]
            known = frozenset(["each" if one.child == "all" else one.child for one in found if one is not None])
            self._children[labels, read.trail] = known
        return known


def _with_each(inputs: dict[Binding, int], found: Mapping[Labelled, int]) -> Iterator[tuple[Binding, list[Labelled]]]:
    """The inputs of which the labels are among those of some things, with these."""
    for binding, label in inputs.items():
        held = [one for one, labels in found.items() if labels & label]
        if held:
            yield binding, held


def _bare(placement: Placement) -> Placement:
    """A placement without those arms of choices that only the body itself can tell apart."""
    is_on_every_path = not placement.arms and placement.mask is None
    return placement if is_on_every_path else placement._replace(arms=frozenset(), mask=None)


def reads_of(flow: Flow, arms: Arms) -> Reads:
    """How the labels in a value are read in some arms."""
    found: Reads = {}
    for placement, labels in flow.items():
        read = LabelRead(placement.trail, placement.mask, arms | placement.arms if placement.arms else arms)
        found[read] = found.get(read, 0) | labels
    return found


def weakest(reads: Reads) -> Reads:
    """Some reads without those that another one of them stands for: of the same labels in the same manner, under fewer
    choices.

    What is read again and again behind one return after the other is read once, then.
    """
    found: Reads = {}
    alike: dict[tuple[Trail, Mask | None], list[tuple[Arms, int]]] = {}
    for read, labels in sorted(reads.items(), key=_many_arms):
        others = alike.setdefault((read.trail, read.mask), [])
        if not any(arms <= read.arms and held & labels == labels for arms, held in others[:MAXIMUM_STANDING]):
            others.append((read.arms, labels))
            found[read] = labels
    return found


def _many_arms(item: tuple[LabelRead, int]) -> int:
    return len(item[0].arms)


def joined(several: Iterable[Reads]) -> Reads:
    """All of several sets of reads."""
    found: Reads = {}
    for reads in several:
        for read, labels in reads.items():
            found[read] = found.get(read, 0) | labels
    return found
