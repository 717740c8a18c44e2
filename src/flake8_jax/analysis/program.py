"""What the runs of bodies share: the table, what is memoised, the record of what was found, the names of each module.

One `Program` serves all files of a project.  What is found goes to the current `Record`: each function that stands
alone has one of its own, and so has each statement at a file's top level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.analysis.modules.dependencies import DependencyGraph
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.payload import Named, Step
from flake8_jax.domain.summary import Event, EventKey, Repeated, Summary
from flake8_jax.domain.value import API, Value, unknown
from flake8_jax.ir.ops import Const, Function, Op
from flake8_jax.model.report import Costs

if TYPE_CHECKING:
    from flake8_jax.analysis.callables import ClassValue, FunctionValue, Wrapped
    from flake8_jax.analysis.evaluator import Presets
    from flake8_jax.analysis.frame import Frame
    from flake8_jax.analysis.modules.files import File, Unit
    from flake8_jax.analysis.modules.imports import ImportTarget
    from flake8_jax.analysis.modules.linking import Linked
    from flake8_jax.analysis.modules.reachability import Reachability
    from flake8_jax.api.table import Table

NEVER = 1 << 30
COUNTS: Callable[[], Sized] = partial(defaultdict, int)

Task: TypeAlias = (
    "tuple[FunctionValue] | tuple[FunctionValue, Presets] | tuple[ClassValue] | tuple[Unit] | tuple[ImportTarget]"
)
"""What may ask for itself while it runs."""


@dataclass(slots=True, eq=False)
class Record:
    """What running a piece of code found, and what waits to be run at its end.

    `events` by kind and op, so that there is one of each; `repeated` are those that are certain where a
    traced function is called twice (`calls`, from `sites`); `functions` were made and `roots` wrapped on the way;
    `traced` are the summaries of what was called under a trace.  `displays` waits for what becomes of them; a display
    in `abstract` is drawn from for its shape only, a value in `excused` was reported.  `specialized` counts how often
    a function was run again for the functions that it was given.  `summaries`, `projections` and `projected` are what
    is memoised of what was made on the way, `meanings` what follows from the outcome of a test and from its contrary.
    `files` are those that were looked at, as bits (`dependencies.py`), `submodules` the names that were looked up below
    packages, `uses` the records of what was asked for.
    """

    events: dict[EventKey, Event] = field(init=False)
    repeated: list[Repeated] = field(init=False)
    calls: defaultdict[tuple[str, str, int], int] = field(init=False)
    sites: set[tuple[Wrapped, Op]] = field(init=False)
    functions: list[FunctionValue] = field(init=False)
    roots: list[tuple[Value, Frame]] = field(init=False)
    displays: list[tuple[Value, EventKey, Event]] = field(init=False)
    abstract: set[Value] = field(init=False)
    excused: set[Value] = field(init=False)
    traced: list[Summary] = field(init=False)
    specialized: defaultdict[Function, int] = field(init=False)
    summaries: dict[Task, Summary] = field(init=False)
    projected: set[Value] = field(init=False)
    projections: dict[tuple[Value, Step], Value] = field(init=False)
    meanings: dict[Value, tuple[Path, Path]] = field(init=False)
    unknowns: defaultdict[str, int] = field(init=False)
    given_up: defaultdict[str, int] = field(init=False)
    files: int = 0
    submodules: set[tuple[str, str]] = field(init=False)
    uses: set[Record] = field(init=False)

    def __getattr__(self, name: str) -> Sized:
        """What nobody asked for yet, empty: most of what most records could hold, they never do."""
        found = EMPTY[name]()
        setattr(self, name, found)
        return found

    def emit(self, key: EventKey, make: Callable[[], Event]) -> None:
        """Record an event, once for each key."""
        if key not in self.events:
            self.events[key] = make()

    def emit_repeated(self, repeated: Repeated) -> None:
        """Record an event that is certain if the traced function is called more than once."""
        self.repeated.append(repeated)


def record_of(summary: Summary) -> Record | None:
    """What the run found that made a summary."""
    found = summary.run.record
    return found if isinstance(found, Record) else None


EMPTY: dict[str, Callable[[], Sized]] = {
    **dict.fromkeys(("events", "summaries", "projections", "meanings"), dict),
    **dict.fromkeys(("repeated", "functions", "roots", "displays", "traced"), list),
    **dict.fromkeys(("sites", "abstract", "excused", "projected", "submodules", "uses"), set),
    **dict.fromkeys(("calls", "specialized", "unknowns", "given_up"), COUNTS),
}


@dataclass(slots=True, eq=False)
class Namespace:
    """The global names of one module, found by `file` when they are asked for.

    `path` is how messages name the file; what a name of several bindings holds is kept under `world`.
    """

    path: str
    file: File
    world: Value = field(default_factory=lambda: unknown("the world"))


@dataclass(frozen=True, slots=True)
class Activation:
    """Something that runs: its depth, and what was known of dependence on others when it began."""

    key: Task
    level: int
    lowest: int
    members: list[FunctionValue]


@dataclass(slots=True, eq=False)
class Program:
    """What all frames share.

    `summaries` are the summaries of functions that stand alone: found once, whoever asks first.  `running` is what runs
    at the moment, with its depth; `lowest` is the lowest depth that what was found since depends on, `members` the
    functions found meanwhile that depend on one further out, `provisional` what is known of them so far.
    `reachability` is computed once it is asked for, `dependencies` which files all records depend on, `costs` what was
    run.
    """

    table: Table
    linked: Linked
    record: Record = field(default_factory=Record)
    constants: dict[Const, Value] = field(default_factory=dict)
    apis: dict[str, Value] = field(default_factory=dict)
    summaries: dict[FunctionValue, Summary] = field(default_factory=dict)
    provisional: dict[FunctionValue, tuple[Summary, int]] = field(default_factory=dict)
    members: list[FunctionValue] = field(default_factory=list)
    running: dict[Task, int] = field(default_factory=dict)
    recursive: set[Task] = field(default_factory=set)
    reachability: Reachability | None = None
    dependencies: DependencyGraph = field(default_factory=DependencyGraph)
    costs: Costs = field(default_factory=Costs)
    lowest: int = NEVER
    nesting: int = 0
    depth: int = 0

    def note(self, path: str) -> None:
        """What is found out now depends on a file."""
        self.record.files |= self.dependencies.bit(path)

    def api(self, qualified: str) -> Value:
        """The value of a library's name; one object for each name."""
        found = self.apis.get(qualified)
        if found is None:
            found = self.apis[qualified] = Value(API, payload=Named(self.table.canonical(qualified)))
        return found

    def is_running(self, key: Task) -> bool:
        """Does something run already?  Then what is found holds only for as long as that runs."""
        level = self.running.get(key)
        if level is None:
            return False
        self.lowest = min(self.lowest, level)
        return True

    def enter(self, key: Task) -> Activation:
        """Note that something runs, whose result is to hold for everybody."""
        activation = Activation(key, len(self.running), self.lowest, self.members)
        self.running[key] = activation.level
        self.lowest, self.members = NEVER, []
        return activation

    def leave(self, activation: Activation) -> bool:
        """The end of what was entered: does its result hold for everybody?  What was found on the way and depends on it
        is forgotten then.
        """
        del self.running[activation.key]
        if self.lowest < activation.level and activation.level > 0:
            self.lowest, self.members = min(activation.lowest, self.lowest), [*activation.members, *self.members]
            return False
        for member in self.members:
            self.provisional.pop(member, None)
        self.lowest, self.members = activation.lowest, activation.members
        return True

    @contextmanager
    def noting(self, record: Record) -> Iterator[None]:
        """Note in a record of its own what something depends on that is kept for whoever asks for it later."""
        held, self.record = self.record, record
        record.unknowns, record.given_up = held.unknowns, held.given_up  # these count for whoever asks first
        yield
        self.record = held

    def give_up(self, reason: str) -> None:
        """Count what is not run any further; what was found so far holds only for whoever asked from out there."""
        self.record.given_up[reason] += 1
        self.lowest = -1
