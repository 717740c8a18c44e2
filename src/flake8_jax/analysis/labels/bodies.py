"""What one pass over a body tells of its labels: which calls made them, where they are read, and what is returned.

    def draw(key, scale):           labels: the inputs `key` and `scale`, the results of `normal` and `print`
        noise = normal(key)
        print(scale)                read: `scale`
        return noise * scale        returned: `key` and `scale` as data, the result of `normal`

A body is passed once, whoever asks, and its callers put what they hand it in place of its inputs.  Calls of functions
whose bodies are known have several labels: one for each kind of result of their own that they return.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from flake8_jax.analysis.labels.ways import (
    Arms,
    Flow,
    LabelKind,
    Mask,
    Trail,
    Way,
    outcome,
)
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.parts import Anchor
from flake8_jax.ir.scope import Binding

MAXIMUM_WAYS = 12
"""How many ways of one input are told to callers, and kinds of results of their own."""


class Read(NamedTuple):
    """How labels are read as values: after what was done to them, under which test, in which arms of choices."""

    trail: Trail = ()
    mask: Mask | None = None
    arms: Arms = frozenset()


Reads: TypeAlias = "dict[Read, int]"


class Made(NamedTuple):
    """What a function returns of its own, wherever it was made: what it is, and how it lies in the result."""

    kind: LabelKind
    way: Way


PLAIN = Made("data", Way())
"""The result of a call as such."""


class CallLabel(NamedTuple):
    """A label of a call: its bit, what it stands for, and the loops around that are in a later iteration."""

    label: int
    made: Made
    turned: frozenset[Op]


class LoggedRead(NamedTuple):
    """Labels that are read, in the order of the pass."""

    read: Read
    labels: int


@dataclass(slots=True, eq=False)
class BodyLabels:
    """The labels of a body.

    `calls` are the labels of each call that the pass came to, `inputs` those of parameters and of names from outside;
    `kinds` is what each label was when it was made.  `reads` are made in the body or by what it calls, `returned` lies
    in what it returns, or keeps in the object that it makes.  `published`: bound in a module or class, for others to
    read; `unused`: the results of these calls are bound to names that nothing looks up.  `bound` are the names to which
    the result of each call is bound.  `fed` are the labels that a call is handed, `met` the values with several.
    `log` are the reads in their order, `ended` how many there were when a statement was last done, `ops` what the pass
    has cost.  Of a body `is_beyond` the bound, anything may be read.
    """

    function: Function
    calls: dict[Op, list[CallLabel]] = field(default_factory=dict)
    inputs: dict[Binding, int] = field(default_factory=dict)
    kinds: list[LabelKind] = field(default_factory=list)
    reads: Reads = field(default_factory=dict)
    returned: dict[Way, int] = field(default_factory=dict)
    published: Reads = field(default_factory=dict)
    unused: dict[Op, Reads] = field(default_factory=dict)
    bound: dict[Op, list[frozenset[Binding]]] = field(default_factory=dict)
    fed: dict[Op, int] = field(default_factory=dict)
    met: list[Flow] = field(default_factory=list)
    log: list[LoggedRead] = field(default_factory=list)
    ended: dict[Anchor, int] = field(default_factory=dict)
    ops: int = 0
    is_beyond: bool = False
    is_unanswered: bool = False
    _ways: dict[Binding, list[Way]] | None = None
    _reads: dict[Binding, list[Read]] = field(default_factory=dict)
    _made: tuple[Made, ...] | None = None

    def new(self, kind: LabelKind) -> int:
        """A new label."""
        self.kinds.append(kind)
        return 1 << (len(self.kinds) - 1)

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
            self.log.append(LoggedRead(read, labels))

    def ways_of_inputs(self) -> dict[Binding, list[Way]]:
        """How each input lies in what is returned."""
        if self._ways is None:
            self._ways, self._reads = {}, {}
            for binding, label in self.inputs.items():
                ways = [way for way, labels in self.returned.items() if labels & label]
                if ways:
                    self._ways[binding] = ways if len(ways) <= MAXIMUM_WAYS else [Way()]
                reads = [read for read, labels in self.reads.items() if labels & label]
                if reads:
                    self._reads[binding] = reads if len(reads) <= MAXIMUM_WAYS else [Read()]
        return self._ways

    def reads_of_inputs(self) -> dict[Binding, list[Read]]:
        """How each input is read, other than in what is returned."""
        self.ways_of_inputs()
        return self._reads

    def made(self) -> tuple[Made, ...]:
        """What is returned of its own."""
        if self._made is None:
            own = 0
            for calls in self.calls.values():
                for one in calls:
                    own |= one.label
            found = dict.fromkeys(
                Made(self.kinds[place], _bare(way))
                for way, labels in self.returned.items()
                for place in places_of(labels & own)
            )
            self._made = tuple(found)[:MAXIMUM_WAYS]
        return self._made

    def made_of(self, labels: int) -> set[Made]:
        """As what some labels are returned."""
        return {
            Made(self.kinds[place], _bare(way))
            for way, held in self.returned.items()
            for place in places_of(held & labels)
        }

    def children(self, labels: int, read: Read) -> set[object]:
        """Of which children of splits some labels are that are read like this; empty where none is."""
        found = (outcome(self.kinds[place], read.trail) for place in places_of(labels))
        return {one.child if one.child != "all" else "each" for one in found if one is not None}


def _bare(way: Way) -> Way:
    """A way without the arms of choices that only the body itself can tell apart."""
    return way._replace(arms=frozenset(), mask=None) if way.arms or way.mask is not None else way


def places_of(labels: int) -> Iterator[int]:
    """The numbers of some labels."""
    while labels:
        lowest = labels & -labels
        yield lowest.bit_length() - 1
        labels ^= lowest


def reads_of(flow: Flow, arms: Arms) -> Reads:
    """How the labels in a value are read in some arms."""
    found: Reads = {}
    for way, labels in flow.items():
        read = Read(way.trail, way.mask, arms | way.arms if way.arms else arms)
        found[read] = found.get(read, 0) | labels
    return found


def joined(several: Iterable[Reads]) -> Reads:
    """All of several sets of reads."""
    found: Reads = {}
    for reads in several:
        for read, labels in reads.items():
            found[read] = found.get(read, 0) | labels
    return found
