"""Evidence of what a function does or needs at an op, and the call sites at which it is asked what comes of it.

    def draw(n):
        if n > 0: ...                   evidence: `n > 0` must be concrete
    @jax.jit
    def step(x): return draw(x)         here it is asked: `at(site)` resolves `n` to the tracer `x`, and tells an event

What is asked of a call beside its arguments, evidence finds out itself: of the caller's frame, where the call stands.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.effects import ROOM, AnyFinding, ByAnnotation, Effect, EventKey, Room
from flake8_jax.domain.kinds import HARMLESS_AS_ARGUMENT, Kind
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Dependences, Input, in_order
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op
from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.analysis.checks.effects.written import OuterWrite

OutcomeAtCall: TypeAlias = "AnyFinding | LatentEvidence"
"""What comes of evidence at a call: an event, or evidence that the caller leaves to its own callers."""


class CallSite(Protocol):
    """The interface by which evidence looks at the call where it is applied, the op `op` in the `frame` of the caller.

    Arrays that the `function` called makes depend on what is `ambient`; its `summary` is in terms of its inputs, which
    are `owned` by its parameters.  The `effect` is applied now, on the path `when` of the caller, by the calls of the
    `chain`; the call itself is a `hop` of it, unless a transform traces the function.
    """

    op: Op
    hop: Hop | None
    frame: Frame
    function: FunctionValue
    summary: Summary
    ambient: Dependences
    owned: dict[Input, str]
    effect: Effect
    when: Path
    chain: tuple[Hop, ...]

    def resolve(self, source: Input) -> Value | None:
        """The argument at an input; None if it is an input of another function."""

    def input_value(self, subject: Value) -> Value | None:
        """The argument for a symbolic value of the callee, if that was an input."""

    def value(self, value: Value) -> Value:
        """A value of the callee, in terms of the caller."""

    def is_owned(self, source: Input) -> bool:
        """Is it an input of the callee, or a part of one?"""

    def source_of(self, target: Input) -> Op | None:
        """The op of the argument for an input, if it is written in the call."""

    def dependences(
        self, of: Dependences, is_plain_input: bool, is_shown: bool = False
    ) -> tuple[Dependences, Dependences]:
        """The dependences in terms of the caller: those of arrays, and those of possible containers."""

    def held(self, dependences: Dependences, is_plain_input: bool, is_shown: bool = False) -> Dependences:
        """The dependences in terms of the caller, of arrays and of possible containers together."""

    def written(self, write: OuterWrite) -> Iterator[OutcomeAtCall]:
        """What comes of a write of the callee into what outlives it (`checks/effects/escapes.py`)."""

    def translated(self, when: Path) -> Path | None:
        """A condition of the callee in terms of the caller; None if it cannot hold here."""

    def assume(self, when: Path) -> Path:
        """The path of the caller, with a condition in its terms added."""


@dataclass(frozen=True, slots=True)
class LatentEvidence:
    """Evidence of what a function does or needs at an op, to be decided by its callers; one class for each kind.

    A function tells its callers as much of it as there is `room`, and each on so many `paths` at most.  `is_told`: the
    calls that lead to it are a part of what is said of it.  `asks`: the open question and the finding that would follow
    from it, as texts for `flake8-jax explain`, in which 0 is the evidence.  `identified_by`: what tells it from other
    evidence of its class, if that is not all of it: of what is the same, a function tells its callers once, or each
    (`is_each_kept`), where they judge all of it together.
    """

    op: Op
    identified_by: ClassVar[attrgetter[Hashable] | None] = None
    asks: ClassVar[tuple[str, str]] = "{0.__class__.__name__} of `{0.op}`", "more"
    room: ClassVar[Room] = "act"
    paths: ClassVar[int] = 4
    is_told: ClassVar[bool] = True
    is_each_kept: ClassVar[bool] = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """The outcomes of this evidence at a call: events, evidence in terms of the caller's inputs, or nothing.

        As long as nothing decides it, the caller inherits it as it is.
        """
        del site
        yield self

    def refuted(self, site: CallSite) -> Iterable[EventKey | ByAnnotation]:
        """The keys of presumed events that this call refutes."""
        del site
        return ()

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """The keys of the presumed events that calls may refute: if callers are not told of it, none can."""
        return ()

    @property
    def is_open(self) -> bool:
        """Is there anything that decides it?"""
        return True

    @property
    def identity(self) -> Hashable:
        """What tells it from other evidence of its class."""
        return self if self.identified_by is None else self.identified_by(self)


@dataclass(frozen=True, slots=True)
class Need(LatentEvidence):
    """What a function needs of inputs: a precondition.

    Arguments of the kinds that are `harmless` cannot violate it.
    """

    dependences: Dependences
    room: ClassVar[Room] = "need"
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT

    @property
    def is_open(self) -> bool:
        """Is there an input that decides it?"""
        return bool(self.dependences)


def arguments_at(site: CallSite, inputs: Dependences) -> Iterator[tuple[Input, Value]]:
    """The arguments at the inputs among dependences, where they are known."""
    for source in in_order(inputs):
        actual = site.resolve(source)
        if actual is not None:
            yield source, actual


@dataclass(frozen=True, slots=True)
class HeldFinding(LatentEvidence):
    """A finding that is certain in a function on a path that its arguments decide, so that calls of it do.

    In a run that is specialized for some calls, it is left to these whatever its path, and of no `function`.
    """

    identified_by: ClassVar = attrgetter("finding.key")
    room: ClassVar[Room] = "event"
    paths: ClassVar[int] = ROOM["event"]
    finding: AnyFinding
    function: Function | None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where the call takes the path, or may take it."""
        del site
        yield self.finding
