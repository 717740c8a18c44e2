"""Effects: what a function needs and does at an op, for its callers to decide.

    def draw(key, n):
        if n > 0:               an effect: `n > 0` must be concrete
            print(n)            an effect on the path n > 0: `n` is printed

Of what sort an effect is, its *evidence* says, a class of `analysis/checks`.  At a call it tells by the arguments what
comes of it there (`LatentEvidence.at`): an event, evidence of which inputs of the caller decide, or nothing.  The rest
is the same for all (`analysis/summaries/effects.py`): the path in the caller's terms, one hop more, the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeAlias, TypeVar

from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.dtypes import Promotions
from flake8_jax.domain.kinds import HARMLESS_AS_ARGUMENT, Kind
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import Dependences, Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, field

if TYPE_CHECKING:
    from flake8_jax.api.contracts import Freezing, StateMade, VariablesForm
    from flake8_jax.domain.outer_writes import OuterWrite
    from flake8_jax.ir.scope import Scope

Room: TypeAlias = Literal["need", "act", "event", "read", "write", "cost"]
"""What effects of a function share a bound: what it needs, what it does, events that its calls decide, its reads and
writes of what is outside of it, what it costs to compile."""

ROOM: dict[Room, int] = {"need": 48, "act": 24, "event": 64, "read": 12, "write": 32, "cost": 64}
"""How many effects of each sort a function leaves to its callers at most."""

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


Ground: TypeAlias = "ClassField | ByAnnotation | UntracedCode | None"
"""On what a presumed event rests: the declaration of a field, annotations alone, no trace, or how a value is used."""


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

    def emit(self, key: EventKey, make: Callable[[], Event]) -> None:
        """Record an event, once for each key."""

    def presume(self, key: EventKey, make: Callable[[], Event], ground: Ground) -> None:
        """Record an event that holds unless its key or ground is refuted."""

    def emit_repeated(self, repeated: EventByCalls) -> None:
        """Record an event that is certain if the traced function is called more than once."""


@dataclass(frozen=True, slots=True)
class CertainEvent:
    """An event that holds."""

    key: EventKey
    make: Callable[[], Event]

    def send(self, record: EventRecorder) -> None:
        """Record it."""
        record.emit(self.key, self.make)


@dataclass(frozen=True, slots=True)
class PresumedEvent:
    """An event that holds unless other code refutes it or its ground."""

    key: EventKey
    make: Callable[[], Event]
    ground: Ground

    def send(self, record: EventRecorder) -> None:
        """Record it."""
        record.presume(self.key, self.make, self.ground)


@dataclass(frozen=True, slots=True)
class RepeatedEvent:
    """An event that holds if the traced function is called more than once."""

    key: EventKey
    event: EventByCalls

    def send(self, record: EventRecorder) -> None:
        """Record it."""
        record.emit_repeated(self.event)


Finding: TypeAlias = "CertainEvent | PresumedEvent | RepeatedEvent"
"""An event, and how sure it is."""

OutcomeAtCall: TypeAlias = "Finding | LatentEvidence"
"""What comes of evidence at a call: an event, or evidence that the caller leaves to its own callers."""


class CallSite(Protocol):
    """The interface by which evidence looks at the call where it is applied."""

    @property
    def op(self) -> Op:
        """The op of the call."""

    @property
    def ambient(self) -> Dependences:
        """The dependences of arrays made in the callee."""

    @property
    def effect(self) -> Effect:
        """The effect of the callee that is applied."""

    @property
    def when(self) -> Path:
        """The path of the effect, in terms of the caller."""

    @property
    def chain(self) -> tuple[Hop, ...]:
        """The calls between the caller and the op."""

    def resolve(self, source: Input) -> Value | None:
        """The argument at an input; None if it is an input of another function."""

    def input_value(self, subject: Value) -> Value | None:
        """The argument for a symbolic value of the callee, if that was an input."""

    def number_behind(self, source: Input) -> Value | None:
        """The number that the argument at an input is a known distance from, or that argument."""

    def value(self, value: Value) -> Value:
        """A value of the callee, in terms of the caller."""

    def contents(self, base: Value) -> Value:
        """A container as it is at the call."""

    @property
    def promotions(self) -> Promotions:
        """JAX's rules for dtypes."""

    def is_owned(self, source: Input) -> bool:
        """Is it an input of the callee, or a part of one?"""

    def source_of(self, target: Input) -> Op | None:
        """The op of the argument for an input, if it is written in the call."""

    def dependences(
        self, of: Dependences, is_plain_input: bool, is_shown: bool = False
    ) -> tuple[Dependences, Dependences]:
        """The dependences in terms of the caller: those of arrays, and those of possible containers."""

    def is_used_as_array(self, source: Input) -> bool:
        """Does the callee use an input as only an array can be used?"""

    def is_result_read(self) -> bool:
        """Is what the call gives read, other than for its shape?"""

    @property
    def is_left_out(self) -> bool:
        """Is the call left out, or for NumPy alone, as a test of its path says?"""

    @property
    def may_be_compiled(self) -> bool:
        """Does the callee have a decorator that may compile it?"""

    @property
    def has_own_rule(self) -> bool:
        """Is the callee never differentiated, since there is a rule for its derivative?"""

    @property
    def may_be_reversed(self) -> bool:
        """May the callee be differentiated in reverse mode, by arguments that are not known?"""

    @property
    def has_auxiliary(self) -> bool:
        """Is the callee differentiated by what is first in its result alone?"""

    @property
    def is_expected(self) -> bool:
        """Is an error expected of the call, or handled?"""

    @property
    def is_unstaged(self) -> bool:
        """Does what is called run as it is, without compilation?"""

    @property
    def has_host_turns(self) -> bool:
        """Does the caller, where a test says so, run the callee in a loop of its own instead: by numbers of Python?"""

    @property
    def is_awaited(self) -> bool:
        """Does nobody make the call yet, so that its arguments are unknown?"""

    def moved(self, of: Dependences) -> Dependences:
        """The dependences in terms of the caller, by which derivatives go through the call."""

    def places_returned(self, part: int | None) -> Collection[int | None]:
        """Where in what the caller returns a part of the result of the call lies."""

    def is_seeded(self, stream: str) -> bool:
        """Was the generator of a module given a seed before the call, in the same trace?"""

    def seed(self, stream: str) -> None:
        """Note that the call gives a seed to the generator of a module."""

    @property
    def is_for_shapes(self) -> bool:
        """Is the call run for the shape of its result alone?"""

    @property
    def loops(self) -> Collection[Op]:
        """The loops of the caller in which it is made on each turn, outermost first."""

    @property
    def long_loops(self) -> Collection[Op]:
        """Those of them that do not go through a few things that are written out."""

    @property
    def bound_axes(self) -> Collection[frozenset[str] | None]:
        """The names of axes that the transforms bind under which the call is made; None for what is not known."""

    @property
    def splits(self) -> frozenset[str] | None:
        """The parameters that are split among devices, where the call is made under `shard_map`; else None."""

    @property
    def is_of_host(self) -> bool:
        """Is the caller evidently run by the host?"""

    def holds(self, value: Value, source: Op | None) -> bool:
        """Did the caller itself make an object, which it reads at `source`?"""

    def ways_of_use(self) -> Collection[str]:
        """What becomes of the result of the call in the caller (`checks/effects/reading.py`)."""

    def written(self, write: OuterWrite) -> Iterator[OutcomeAtCall]:
        """What comes of a write of the callee into what outlives it (`checks/effects/escapes.py`)."""

    def freezing(self, value: Value) -> Freezing | None:
        """What freezes the fields of an object of the caller's (`checks/contracts/frozen.py`)."""

    def update_needs(self, value: Value) -> frozenset[str]:
        """What the update of an optimizer of the caller's needs (`checks/contracts/optimizers.py`)."""

    def state_made(self, value: Value) -> StateMade | None:
        """What a state of an optimizer was made of in the caller (`checks/contracts/optimizer_states.py`)."""

    def turns_with(self, kept: Input, renewed: Input) -> tuple[Op, Op, Op] | None:
        """The innermost loop of the caller whose turns bind the argument for one input and never that for another,
        with both arguments (`checks/contracts/stale_states.py`).
        """

    def updated_by(self, value: Value) -> str:
        """The transform that puts back what is updated in an object (`checks/contracts/lost_updates.py`)."""

    def gives_back(self, name: str) -> bool:
        """Does the caller return anything of what it calls by this name, other than what the call gives?"""

    @property
    def is_run(self) -> bool:
        """Does a library run the callee, which keeps its state apart?"""

    def is_zeros(self, value: Value) -> bool:
        """Is a value of the caller's an array that was made of zeros (`checks/derivatives/zeros.py`)?"""

    def names_anything(self, name: str) -> bool:
        """Does the caller name something like this, anywhere?"""

    def is_called_before(self, name: str) -> bool:
        """Does the caller call what it calls by this name, before the call?"""

    def home_of(self, source: Input, value: Value) -> Scope | None:
        """The function around the caller that holds an object, which it passes for an input; None for its own."""

    def is_home(self, scope: Scope) -> bool:
        """Is it the scope of the caller?"""

    def form_of_variables(self, value: Value) -> VariablesForm | None:
        """What a value of the caller's is of the variables of a network (`checks/contracts/variables.py`)."""

    def is_network(self, value: Value) -> bool:
        """Is it an object of a library that runs as a network, by `apply`?"""

    def is_unguarded(self) -> bool:
        """Is the op reached whatever tests around it or around the call say of inputs?"""

    def assume(self, when: Path) -> Path:
        """The path of the caller, with a condition in its terms added."""


@dataclass(frozen=True, slots=True)
class LatentEvidence:
    """Evidence of what a function does or needs at an op, to be decided by its callers; one class for each kind.

    A function tells its callers as much of it as there is `room`, and each on so many `paths` at most.  `is_told`: the
    calls that lead to it are a part of what is said of it.
    """

    op: Op
    room: ClassVar[Room] = "act"
    paths: ClassVar[int] = 4
    is_told: ClassVar[bool] = True

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """The outcomes of this evidence at a call: events, evidence in terms of the caller's inputs, or nothing."""
        raise NotImplementedError

    def refuted(self, site: CallSite) -> Iterable[EventKey | ByAnnotation]:
        """The keys of presumed events that this call refutes."""
        del site
        return ()

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """The keys of the presumed events that calls may refute: if callers are not told of it, none can."""
        return ()

    @property
    def identity(self) -> Hashable:
        """What tells it from other evidence of its class: of what is the same, a function tells its callers once."""
        return self

    def explanation(self) -> tuple[str, str]:
        """The open question and the finding that would follow from it, as texts for `flake8-jax explain`."""
        return f"{type(self).__name__} of `{phrase(self.op)}`", "more"


@dataclass(frozen=True, slots=True)
class Need(LatentEvidence):
    """What a function needs of inputs: a precondition.

    Arguments of the kinds that are `harmless` cannot violate it.
    """

    dependences: Dependences
    room: ClassVar[Room] = "need"
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT


@dataclass(frozen=True, slots=True)
class HeldFinding(LatentEvidence):
    """A finding that is certain in a function on a path that its arguments decide, so that calls of it do.

    In a run that is specialized for some calls, it is left to these whatever its path, and of no `function`.
    """

    room: ClassVar[Room] = "event"
    paths: ClassVar[int] = ROOM["event"]
    finding: Finding
    function: Function | None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where the call takes the path, or may take it."""
        del site
        yield self.finding

    @property
    def identity(self) -> Hashable:
        """One is enough for each event."""
        return self.finding.key


@dataclass(frozen=True, slots=True)
class Effect:
    """Evidence in a function: on the path `when`, by the calls of the `chain`, the one nearest to the op last."""

    evidence: LatentEvidence
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()


KindOfEvidence = TypeVar("KindOfEvidence", bound=LatentEvidence)


@dataclass(slots=True)
class LatentEffects:
    """The effects that a function leaves to its callers: of each kind a bounded number, without duplicates."""

    known: dict[tuple[type[LatentEvidence], Hashable], tuple[Effect, ...]] = field(default_factory=dict)
    taken: dict[Room, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Effect]:
        for ways in self.known.values():
            yield from ways

    def __len__(self) -> int:
        return sum(self.taken.values())

    def count_but(self, room: Room) -> int:
        """The number of effects of all kinds but one."""
        return len(self) - self.taken.get(room, 0)

    def is_full(self, room: Room) -> bool:
        """Is there no room for more effects of a sort?"""
        return self.taken.get(room, 0) >= ROOM[room]

    def add(self, effect: Effect) -> bool:
        """Add an effect, unless nothing decides it, or it is there on a path that this one goes; False without room."""
        evidence = effect.evidence
        if isinstance(evidence, Need) and not evidence.dependences:
            return True
        key = (type(evidence), evidence.identity)
        ways = self.known.get(key, ())
        when = effect.when
        for way in ways:
            if not way.when or way.when is when or all(fact in when for fact in way.when):
                return True
        if len(ways) >= evidence.paths or self.is_full(evidence.room):
            return False
        self.taken[evidence.room] = self.taken.get(evidence.room, 0) + 1
        self.known[key] = (*ways, effect)
        return True

    def take(self, kind: type[LatentEvidence]) -> list[Effect]:
        """Remove the effects of one kind, and return them."""
        found = [one for one in self if type(one.evidence) is kind]
        if found:
            self.taken[kind.room] -= len(found)
            self.known = {key: ways for key, ways in self.known.items() if key[0] is not kind}
        return found

    def count(self, kind: type[LatentEvidence]) -> int:
        """The number of effects of one kind."""
        return sum([len(ways) for (one, _), ways in self.known.items() if one is kind])

    def of(self, kind: type[KindOfEvidence]) -> Iterator[tuple[KindOfEvidence, Effect]]:
        """The effects of one kind, each with its evidence."""
        for one in self:
            if type(one.evidence) is kind:
                yield one.evidence, one
