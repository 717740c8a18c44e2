"""Effects: what a function needs and does at an op, for its callers to decide.

    def draw(key, n):
        if n > 0:               an effect: `n > 0` must be concrete
            print(n)            an effect on the path n > 0: `n` is printed

Of what sort an effect is, its *evidence* says, a class of `analysis/checks`.  At a call it tells by the arguments what
comes of it there (`analysis/evidence.py`): an event, evidence of which inputs of the caller decide, or nothing.  The
rest is the same for all (`analysis/summaries/effects.py`): the path in the caller's terms, one hop more, the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar

from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.ir.ops import Function, Op
from flake8_jax.lazy_dataclasses import dataclass, field

Room: TypeAlias = Literal["need", "act", "event", "read", "write", "cost", "use", "seed", "return", "buffer", "start"]
"""What effects of a function share a bound: what it needs, what it does, events that its calls decide, its reads and
writes of what is outside of it, what it costs to compile; keys that it uses up, its draws from keys of seeds, used keys
that it hands back, buffers that it hands to JAX, how it starts JAX."""

ROOM: dict[Room, int] = {
    "need": 48, "act": 24, "event": 64, "read": 12, "write": 32, "cost": 64,
    "use": 1 << 16, "seed": 16, "return": 16, "buffer": 64, "start": 12,
}  # fmt: skip
"""How many effects of each sort a function leaves to its callers at most."""

REPEATED: frozenset[Room] = frozenset(("use", "seed", "return", "buffer", "start"))
"""What a call repeats in the state of its caller; of the rest the arguments decide what comes of it."""

EventKey: TypeAlias = "tuple[type, Op, Hashable]"
"""What tells events apart: their class, their op, and what else there is."""

ClassField: TypeAlias = "tuple[Hashable, str]"
"""The body of a class, and the name of a field."""


@dataclass(frozen=True, slots=True)
class ByAnnotation:
    """The ground of an event that rests on nothing but the annotations of parameters."""

    key: EventKey


@dataclass(frozen=True, slots=True)
class UntracedCode:
    """The ground of an event that holds only if no trace ever runs the code."""


@dataclass(frozen=True, slots=True)
class ByUse:
    """The ground of an event that rests on how a value is used: only what is handed in refutes it."""


Ground: TypeAlias = "ClassField | ByAnnotation | UntracedCode | ByUse | None"
"""On what a finding rests: the declaration of a field, annotations alone, no trace, or how a value is used; None where
it holds whatever other code does.
"""


class Event(Protocol):
    """Evidence of a hazard at an op, certain in a context; rules judge events."""

    @property
    def op(self) -> Op:
        """The op at which it is reported."""

    @property
    def context(self) -> Context:
        """The trace and the call chain that make it certain."""


class EventByCalls(Protocol):
    """An event that is certain only if the traced function is called more than once."""

    @property
    def op(self) -> Op:
        """The op at which it would be reported."""

    @property
    def place(self) -> tuple[str, str, int]:
        """What tells the traced function from others."""

    def event(self, calls: int) -> Event | None:
        """The event, given the number of calls; None where these are too few."""


class EventRecorder(Protocol):
    """Receives events."""

    def emit(self, key: EventKey, make: Callable[[], Event], ground: Ground = None) -> None:
        """Record an event, once for each key; with a ground one that holds unless its key or the ground is refuted."""

    def emit_repeated(self, repeated: EventByCalls) -> None:
        """Record an event that is certain if the traced function is called more than once."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An event that holds, where it rests on a `ground` unless other code refutes it or that."""

    key: EventKey
    make: Callable[[], Event]
    ground: Ground = None

    def send(self, record: EventRecorder) -> None:
        """Record it."""
        record.emit(self.key, self.make, self.ground)


@dataclass(frozen=True, slots=True)
class FindingByCalls:
    """An event that holds if the traced function is called more than once."""

    key: EventKey
    event: EventByCalls

    def send(self, record: EventRecorder) -> None:
        """Record it."""
        record.emit_repeated(self.event)


AnyFinding: TypeAlias = "Finding | FindingByCalls"
"""An event, and what decides whether it holds."""


@dataclass(frozen=True, slots=True)
class GuardedFinding:
    """A finding that is certain in a function on a path that its arguments decide: calls of the function take it."""

    finding: AnyFinding
    function: Function

    @property
    def op(self) -> Op:
        """The op at which it is reported."""
        return self.finding.key[1]


class KeptEvidence(Protocol):
    """What a function does or needs at an op, as its summary keeps it (`analysis/evidence.py`).

    A function tells its callers as much of it as there is `room`, and each on so many `paths` at most.  `is_told`: the
    calls that lead to it are a part of what is said of it.  `is_each_kept`: what is the same is told more than once,
    since the callers judge all of it together.  `asks`: the open question and the finding that would follow from it, as
    texts for `flake8-jax explain`.
    """

    asks: ClassVar[tuple[str, str]]
    room: ClassVar[Room]
    paths: ClassVar[int]
    is_told: ClassVar[bool]
    is_each_kept: ClassVar[bool]

    @property
    def op(self) -> Op:
        """The op at which it stands."""

    @property
    def is_open(self) -> bool:
        """Is there anything that decides it?"""

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """The keys of the presumed events that calls may refute: if callers are not told of it, none can."""

    @property
    def identity(self) -> Hashable:
        """What tells it from other evidence of its class: of what is the same, a function tells its callers once."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Evidence in a function: on the path `when`, by the calls of the `chain`, the one nearest to the op last."""

    evidence: KeptEvidence
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()


KindOfEvidence = TypeVar("KindOfEvidence", bound=KeptEvidence)


@dataclass(slots=True)
class LatentEffects:
    """The effects that a function leaves to its callers, by kind and identity: of each kind a bounded number, without
    duplicates.
    """

    known: dict[type[KeptEvidence], dict[Hashable, tuple[Effect, ...]]] = field(default_factory=dict)
    taken: dict[Room, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Effect]:
        """The effects of which the arguments of a call decide what comes of them."""
        for kind, held in self.known.items():
            if kind.room not in REPEATED:
                for ways in held.values():
                    yield from ways

    def count_but(self, room: Room) -> int:
        """The number of those effects, but for one room."""
        return sum([many for one, many in self.taken.items() if one != room and one not in REPEATED])

    def is_full(self, room: Room) -> bool:
        """Is there no room for more effects of a sort?"""
        return self.taken.get(room, 0) >= ROOM[room]

    def add(self, effect: Effect) -> bool:
        """Add an effect, unless nothing decides it, or it is there on a path that this one goes; False without room."""
        evidence = effect.evidence
        if not evidence.is_open:
            return True
        held, identity, when = self.known.setdefault(type(evidence), {}), evidence.identity, effect.when
        ways = held.get(identity, ())
        for way in ways if not evidence.is_each_kept else ():
            if not way.when or way.when is when or all(fact in when for fact in way.when):
                return True
        if len(ways) >= evidence.paths or self.is_full(evidence.room):
            return False
        self.taken[evidence.room] = self.taken.get(evidence.room, 0) + 1
        held[identity] = (*ways, effect)
        return True

    def exchange(self, old: Effect, new: Effect) -> None:
        """Put an effect in the place of another one, of which it is an extension."""
        held, identity = self.known[type(old.evidence)], old.evidence.identity
        held[identity] = tuple(new if one is old else one for one in held[identity])

    def take(self, kind: type[KeptEvidence]) -> list[Effect]:
        """Remove the effects of one kind, and return them."""
        found = [one for ways in self.known.pop(kind, {}).values() for one in ways]
        if found:
            self.taken[kind.room] -= len(found)
        return found

    def count(self, kind: type[KeptEvidence]) -> int:
        """The number of effects of one kind."""
        return sum([len(ways) for ways in self.known.get(kind, {}).values()])

    def of(self, kind: type[KindOfEvidence]) -> Iterator[tuple[KindOfEvidence, Effect]]:
        """The effects of one kind, each with its evidence."""
        for ways in self.known.get(kind, {}).values():
            for one in ways:
                assert type(one.evidence) is kind
                yield one.evidence, one
