"""The summary of a function: what a call requires, uses up, does and returns, in terms of its inputs.

    def draw(key, n):               sinks: key (by jax.random.normal)
        if n > 0:                   precondition: n > 0 must be concrete (dependences {n})
            print(n)                effect: print of n, when n > 0
        return normal(key, (n,))    returns: an array, dependences {ambient, n}

Nothing here is a report.  What depends on an input is *latent*; a caller that passes a tracer, an array or a used key
there makes it certain, or inherits it with one more hop in the chain.  The kinds of preconditions and effects are
defined in `analysis/checks`; here they are protocols.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from flake8_jax.domain.conditions import ALWAYS, Path, common
from flake8_jax.domain.host_views import HandOver
from flake8_jax.domain.outer_writes import OuterWrite, WriteTarget
from flake8_jax.domain.payload import ItemIndex, Step
from flake8_jax.domain.provenance import Context, Hop, Trace, Use
from flake8_jax.domain.resources import DrawSite, KeptOn
from flake8_jax.domain.seeded import SeededDraw
from flake8_jax.domain.staging import NONE, Dependences, Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op

MAXIMUM_PRECONDITIONS = 48
MAXIMUM_EFFECTS = 24
MAXIMUM_GUARDED = 64
MAXIMUM_WRITES = 32
MAXIMUM_READS = 12
MAXIMUM_SEEDED, MAXIMUM_OPERATED = 16, 12
MAXIMUM_PATHS = 4

EventKey: TypeAlias = "tuple[type, Op, Hashable]"
"""What tells events apart: their class, their op, and what else there is."""

ClassField: TypeAlias = "tuple[Hashable, str]"
"""The body of a class, and the name of a field."""


@dataclass(frozen=True, slots=True)
class ByAnnotation:
    """The annotations of parameters as the only ground of an event."""

    key: EventKey


Ground: TypeAlias = "ClassField | ByAnnotation | None"
"""On what a presumed event rests: the declaration of a field, annotations alone, or how a value is used."""


class Event(Protocol):
    """Evidence of a hazard at an op, certain in a context; rules judge events."""

    @property
    def op(self) -> Op:
        """The op at which it is reported."""

    @property
    def context(self) -> Context:
        """The trace and the call chain that make it certain."""


class Latent(Protocol):
    """A fact about a function that depends on its inputs, for its callers to decide."""

    @property
    def op(self) -> Op:
        """The op at which it would be reported."""

    @property
    def when(self) -> Path:
        """The path condition under which the op is reached."""

    @property
    def chain(self) -> tuple[Hop, ...]:
        """The calls between the function and the op, the one nearest to the op last."""

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Report the event at a call site that makes it certain, or let the caller inherit it."""


class Precondition(Latent, Protocol):
    """A condition on inputs, such as "is concrete" or "is an array", with the event of its violation."""

    @property
    def dependences(self) -> Dependences:
        """The dependences of the value at issue."""


class Effect(Latent, Protocol):
    """A change of the outside by the function, such as a print."""


class Repeated(Protocol):
    """An event that is certain only if the traced function is called more than once."""

    @property
    def op(self) -> Op:
        """The op at which it would be reported."""

    @property
    def trace(self) -> Trace:
        """The trace of the function."""

    def event(self, calls: int) -> Event | None:
        """The event, given the number of calls; None where these are too few."""


class CallSite(Protocol):
    """A call at which a summary is applied, as preconditions and effects use it."""

    @property
    def op(self) -> Op:
        """The op of the call."""

    @property
    def ambient(self) -> Dependences:
        """The dependences of arrays made in the callee."""

    derivative: Dependences | None
    """What must be differentiated for a precondition to hold; None while one that holds anyway is applied."""

    def resolve(self, source: Input) -> Value | None:
        """The argument at an input; None if it is an input of another function."""

    def is_owned(self, source: Input) -> bool:
        """Is it an input of the callee, or a part of one?"""

    def source_of(self, target: Input) -> Op | None:
        """The op of the argument for an input, if it is written in the call."""

    def dependences(self, of: Dependences, is_bare: bool, is_shown: bool = False) -> tuple[Dependences, Dependences]:
        """The dependences in terms of the caller: those of arrays, and those of possible containers."""

    def is_used_as_array(self, source: Input) -> bool:
        """Does the callee use an input as only an array can be used?"""

    def is_result_read(self) -> bool:
        """Is what the call gives read, other than for its shape?"""

    @property
    def is_abstract(self) -> bool:
        """Is the call run for the shape of its result alone?"""

    def holds(self, value: Value, source: Op | None) -> bool:
        """Did the caller itself make an object, which it reads at `source`?"""

    def ways_of_use(self) -> Collection[str]:
        """What becomes of the result of the call in the caller (`checks/effects/reading.py`)."""

    def is_unguarded(self) -> bool:
        """Is the call made whatever the tests around it say of its arguments?"""

    def assume(self, when: Path) -> Path:
        """The path of the caller, with a condition in its terms added."""

    def report(self, key: EventKey, make: Callable[[], Event], when: Path) -> None:
        """Report an event."""

    def presume(self, key: EventKey, make: Callable[[], Event], ground: Ground, when: Path) -> None:
        """Report an event that holds unless other code refutes it or its ground."""

    def send(self, key: EventKey, send: Callable[[EventRecorder], None], when: Path) -> None:
        """Report something that is certain in the callee on a path."""

    def refute(self, presumed: EventKey | ByAnnotation) -> None:
        """Refute what is presumed of an op, or what annotations alone say of it."""

    def report_repeated(self, key: EventKey, repeated: Repeated, when: Path) -> None:
        """Report an event if the traced function is called more than once."""

    def require(self, precondition: Precondition) -> None:
        """Make the caller inherit a precondition."""

    def inherit(self, effect: Effect) -> None:
        """Make the caller inherit an effect."""

    def inherit_read(self, read: Effect) -> None:
        """Make the caller inherit a read of what may change."""

    def may_inherit_read(self, op: Op) -> bool:
        """Has the caller not yet inherited the read at an op, and has it room for it?"""


@dataclass(frozen=True, slots=True)
class Sink:
    """A use of a key that is an input of the function (`Input`) or captured (`Value`).

    `place` is the argument that is the key, if that is written there.
    """

    target: Input | Value
    use: Use
    when: Path = ALWAYS
    draw: DrawSite | None = None
    place: Op | None = None


@dataclass(frozen=True, slots=True)
class HandedBack:
    """A key in the result of a function that the function used up, on a path.

    `step` is the field or entry there that it stands in.
    """

    value: Value
    step: Step | None
    kept: KeptOn
    draw: DrawSite
    when: Path


class EventRecorder(Protocol):
    """Receives events."""

    def emit(self, key: EventKey, make: Callable[[], Event]) -> None:
        """Record an event, once for each key."""

    def presume(self, key: EventKey, make: Callable[[], Event], ground: Ground) -> None:
        """Record an event that holds unless its key or ground is refuted."""

    def emit_repeated(self, repeated: Repeated) -> None:
        """Record an event that is certain if the traced function is called more than once."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """An event of a specialized run, certain where a call of this specialization takes the path."""

    send: Callable[[EventRecorder], None]
    when: Path


@dataclass(frozen=True, slots=True)
class Guarded:
    """An event that is certain in a function on a path that its arguments decide; an effect, so that callers decide."""

    op: Op
    key: EventKey
    send: Callable[[EventRecorder], None]
    function: Function
    when: Path
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Certain where the call takes the path, or may take it."""
        site.send(self.key, self.send, when)


@dataclass(slots=True)
class InputUses:
    """How a body uses its inputs.

    `arrays` are used as only an array can be, `called` are called.  `lookups` are the names that are looked up on the
    class of an input, with the attribute found in this run; `spreads` are the inputs `*args` and `**kwargs` that are
    passed on unchanged.  Of `reflected` inputs methods of unknown names are asked for; `operated` are operators, by the
    names of their methods, on inputs, up to a bound.  Attributes of `traced` inputs are read behind a transform.
    """

    arrays: dict[Input, None] = field(default_factory=dict)
    called: dict[Input, None] = field(default_factory=dict)
    lookups: dict[tuple[Input, str], Value | None] = field(default_factory=dict)
    spreads: dict[Input, None] = field(default_factory=dict)
    reflected: dict[Input, None] = field(default_factory=dict)
    operated: dict[tuple[Input, str], None] = field(default_factory=dict)
    traced: dict[Input, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """Something callable that is put into a global dict or list, with its key; both may be inputs."""

    owner: Value
    index: ItemIndex
    value: Value


@dataclass(slots=True)
class Writes:
    """What a body changes outside of itself.

    `parts` are stored into inputs; of the inputs in `invalidated` nothing is known afterwards; `touched` are the
    objects around the function that it may change, `rebound` the names around it that it binds again.  `copies` are
    what copies of objects are given for some fields, by copy; `entered` is put into global dicts and lists.  `outer`
    are the places of the writes, up to a bound.
    """

    parts: dict[tuple[Input, Step], Value] = field(default_factory=dict)
    invalidated: dict[Input, None] = field(default_factory=dict)
    touched: dict[Value, None] = field(default_factory=dict)
    rebound: dict[str, None] = field(default_factory=dict)
    copies: dict[Value, dict[str, Value]] = field(default_factory=dict)
    entered: list[Entry] = field(default_factory=list)
    outer: dict[tuple[Op, WriteTarget], OuterWrite] = field(default_factory=dict)

    def note(self, write: OuterWrite) -> None:
        """Add the place of a write, up to the bound."""
        if len(self.outer) < MAXIMUM_WRITES:
            self.outer[(write.op, write.target)] = write


@dataclass(slots=True)
class Requirements:
    """The latent facts that a body leaves to its callers.

    `seeded` are draws from keys that are made of seeds, `handed_back` are used keys that it returns, `stored` those
    that it stores into inputs. `handed` are the inputs that JAX is handed as buffers; it `waits` for values of arrays,
    or for those of its inputs. `deferred` are the events of a specialized run, by key; `is_applied`: a call of this
    specialization took place.  `reads` are those of variables around it that may change, by what tells them apart.
    """

    preconditions: list[Precondition] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    sinks: list[Sink] = field(default_factory=list)
    seeded: list[SeededDraw] = field(default_factory=list)
    handed_back: list[HandedBack] = field(default_factory=list)
    stored: dict[tuple[Input, Step], KeptOn] = field(default_factory=dict)
    handed: dict[Input, HandOver] = field(default_factory=dict)
    waits: bool = False
    waits_for_inputs: bool = False
    deferred: dict[EventKey, list[Deferred]] = field(default_factory=dict)
    is_applied: bool = False
    reads: dict[Hashable, Effect] = field(default_factory=dict)

    def require(self, precondition: Precondition) -> None:
        """Add a latent precondition, up to the bound."""
        if len(self.preconditions) < MAXIMUM_PRECONDITIONS and precondition.dependences is not NONE:
            self.preconditions.append(precondition)

    def inherit(self, effect: Effect) -> None:
        """Add a latent effect, up to the bound."""
        if len(self.effects) < MAXIMUM_EFFECTS:
            self.effects.append(effect)

    def guard(self, guarded: Guarded) -> bool:
        """Add an event that calls decide, up to a bound of its own; False beyond it."""
        known = [one for one in self.effects if type(one) is Guarded]
        if any(one.key == guarded.key and one.when == guarded.when for one in known):
            return True
        if len(known) >= MAXIMUM_GUARDED:
            return False
        self.effects.append(guarded)
        return True

    def may_read(self, key: Hashable) -> bool:
        """Is a read not there yet, and is there room for it?"""
        return key not in self.reads and len(self.reads) < MAXIMUM_READS

    def read(self, key: Hashable, read: Effect) -> None:
        """Add a read of what may change, the first of each, up to the bound."""
        if self.may_read(key):
            self.reads[key] = read

    def seed(self, draw: SeededDraw) -> None:
        """Add a draw from a key made of a seed, once for each seed and path, up to the bound."""
        known = any(one.op is draw.op and one.seed == draw.seed and one.when == draw.when for one in self.seeded)
        if not known and len(self.seeded) < MAXIMUM_SEEDED:
            self.seeded.append(draw)

    def defer(self, key: EventKey, deferred: Deferred) -> None:
        """Keep an event for the calls to come, under at most a few paths."""
        ways = self.deferred.setdefault(key, [])
        if any(all(fact in deferred.when for fact in way.when) for way in ways):
            return
        ways.append(deferred)
        if len(ways) > MAXIMUM_PATHS:
            last, one = ways.pop(), ways.pop()
            ways.append(Deferred(one.send, common(one.when, last.when)))


@dataclass(slots=True)
class Outside:
    """What a body reads from outside: variables that it captures, and objects.

    `captured` are the values of names at the time of the run, `found` all objects, `rebound` the globals that are bound
    in several places, by what represents them, each with its file's world; `fields` are keys that a function around
    stored into objects of its own, with the object and the step.
    """

    captured: dict[str, Value] = field(default_factory=dict)
    found: dict[Value, None] = field(default_factory=dict)
    rebound: dict[Value, tuple[Value, str]] = field(default_factory=dict)
    fields: dict[Value, tuple[Value, Step]] = field(default_factory=dict)


@dataclass(slots=True)
class BodyRun:
    """The run of a body that made a summary.

    `home` is the file of the body, `record` has the results of the run of `function`; `callees` are the summaries
    applied in it;
    `reached` counts the kinds of arguments of library functions with a row; `homes` are the files of the ops of all
    latent preconditions and effects, computed on demand; `checks` are the tests before calls that never return.
    """

    home: str = ""
    record: EventRecorder | None = None
    function: Function | None = None
    callees: list[Summary] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    homes: frozenset[str] | None = None
    checks: dict[Op, None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Summary:
    """What one function requires, uses up, does and returns, in terms of its inputs.

    `inputs` are the symbolic values of its parameters; `ambient` are the dependences of all arrays made in it;
    `returns` is None where it never returns; `outcome` are the facts that follow if the result is true, and if it is
    false.  `has_effects`: it may do more than compute its result (`checks/purity.py`).  `is_dropped`: making it raised,
    so that nothing is known of the function.  Sets are stored as dictionaries, in the order of insertion: the order of
    a set of objects differs between runs.
    """

    inputs: dict[str, Value] = field(default_factory=dict)
    ambient: Dependences = NONE
    requires: Requirements = field(default_factory=Requirements)
    uses: InputUses = field(default_factory=InputUses)
    writes: Writes = field(default_factory=Writes)
    outside: Outside = field(default_factory=Outside)
    run: BodyRun = field(default_factory=BodyRun)
    returns: Value | None = None
    has_effects: bool = False
    outcome: tuple[Path, Path] = (ALWAYS, ALWAYS)
    is_dropped: bool = False
