"""One run of one body, and what all runs in a file share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flake8_jax.analysis.callables import ClassValue, FunctionValue
from flake8_jax.analysis.events import Consumed, Event, Hop
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.resources import Turns
from flake8_jax.domain.signature import Effect, Signature
from flake8_jax.domain.staging import NONE, Dependences, Token
from flake8_jax.domain.state import State
from flake8_jax.domain.value import UNKNOWN, Value, unknown
from flake8_jax.ir.ops import Function

if TYPE_CHECKING:
    from flake8_jax.api.table import Table

MAXIMUM_NESTING = 40


@dataclass(slots=True, eq=False)
class Program:
    """What the frames of one file share: the table, the events so far, memoised projections and signatures."""

    path: str
    table: Table
    events: list[Event] = field(default_factory=list)
    reported: set[tuple[Any, ...]] = field(default_factory=set)
    unknowns: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    constants: dict[Any, Value] = field(default_factory=dict)
    projected: set[Value] = field(default_factory=set)
    projections: dict[tuple[Value, Any], Value] = field(default_factory=dict)
    signatures: dict[tuple[Any, ...], Signature] = field(default_factory=dict)
    running: set[tuple[Any, ...]] = field(default_factory=set)
    recursive: set[tuple[Any, ...]] = field(default_factory=set)
    specialised: Counter[Function] = field(default_factory=Counter)
    globals: dict[str, Value] = field(default_factory=dict)
    world: Value = field(default_factory=lambda: unknown("the world"))
    rebound: set[str] = field(default_factory=set)
    frames: list[Frame] = field(default_factory=list)
    displays: list[tuple[Value, tuple[Any, ...], Consumed]] = field(default_factory=list)
    abstract: set[Value] = field(default_factory=set)
    functions: list[FunctionValue] = field(default_factory=list)
    roots: list[tuple[Value, Frame]] = field(default_factory=list)
    excused: set[Value] = field(default_factory=set)
    apis: dict[str, Value] = field(default_factory=dict)
    module: Frame | None = None
    traced: list[Signature] = field(default_factory=list)
    texts: list[tuple[Effect, Token, tuple[Hop, ...]]] = field(default_factory=list)
    calls: Counter[tuple[str, int]] = field(default_factory=Counter)
    nesting: int = 0
    depth: int = 0

    def emit(self, key: tuple[Any, ...], make: Callable[[], Event]) -> None:
        """Send an event, once for each op and kind."""
        if key not in self.reported:
            self.reported.add(key)
            self.events.append(make())

    def release(self) -> None:
        """Cut what ties frames, functions and classes together, so that the syntax trees that their ops hold can go at
        once and need not wait for the garbage collector (a large file's tree takes it as long as half a parse).
        """
        for frame in self.frames:
            frame.state, frame.parent, frame.owner = None, None, None
            frame.signature = Signature()
            frame.returned, frame.caught = [], []
        for function in self.functions:
            function.owner = None
        for held in (self.frames, self.functions, self.roots, self.texts, self.traced, self.displays):
            held.clear()
        for known in (self.globals, self.projections, self.signatures, self.constants, self.specialised):
            known.clear()
        self.projected.clear()
        self.excused, self.abstract, self.module = set(), set(), None


@dataclass(slots=True, eq=False)
class Frame:
    """One run of a body: where it stands, what it closes over, what it has found out for its signature.

    `state` is None where no path arrives.  `returned` are the values and states of its returns; `breaks` and
    `continues` those that wait for the end of the innermost loop.
    """

    program: Program
    function: Function
    parent: Frame | None
    state: State | None
    signature: Signature
    owner: ClassValue | None = None
    turns: Turns = ()
    returned: list[tuple[Value, State]] = field(default_factory=list)
    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)
    caught: list[list[State]] = field(default_factory=list)
    element: int | None = None
    once: int = 0
    prepared: int = 0
    eager: int = 0
    discards: Any = None
    storing: str = ""
    defining: bool = False

    @property
    def path(self) -> Path:
        """The tests that were taken to get here."""
        return self.state.path if self.state is not None else ALWAYS

    @property
    def ambient(self) -> Dependences:
        """What an array made here depends on, whatever it is made from."""
        return NONE if self.eager else self.signature.ambient

    @property
    def name(self) -> str:
        """The name of the function that runs, for chains and messages."""
        return self.function.name

    def __post_init__(self) -> None:
        self.program.frames.append(self)

    def live(self) -> State:
        """The state, where a path is known to arrive."""
        assert self.state is not None
        return self.state


def lost(frame: Frame, reason: str, op: Any = None) -> Value:
    """An unknown value, counted by its reason."""
    frame.program.unknowns[reason] += 1
    return Value(UNKNOWN, NONE, reason, None, op)
