"""Records: the results of running a piece of code, and work that is left for its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sized
from functools import partial
from typing import TypeAlias

from flake8_jax.analysis.callables import ClassValue, FunctionValue, Wrapped
from flake8_jax.analysis.certainty import may_give_way, stronger
from flake8_jax.analysis.dependencies import GENERAL, Sought
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.affine import Affine
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.effects import ByAnnotation, ClassField, Event, EventByCalls, EventKey, Ground, GuardedFinding
from flake8_jax.domain.projections import Projections
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.seeded import CountedSeed
from flake8_jax.domain.staging import Dependences
from flake8_jax.domain.startup import StartSteps
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.faults import Fault, Isolated

COUNTS: Callable[[], Sized] = partial(defaultdict, int)

Task: TypeAlias = "tuple[Hashable, ...]"
"""What may ask for itself while it runs: a function with its presets, a class, a statement, an import."""


@dataclass(slots=True, eq=False)
class Record:
    """The results of running a piece of code, and work that is left for its end.

    `events` by kind and op, so that there is one of each; `presumed` hold as well, but where their keys or their
    grounds are `refuted` anywhere; `repeated` are those that are certain where a traced function is called twice
    (`calls`, from `sites`); `constants` stand for the keys that callees make of constants, by the op and the seed.
    `complete` are those with a call of which all arguments are seen; `functions` were made and `roots` wrapped in
    the run; `traced` are the summaries applied under a trace.  `displays` wait for their uses; a display in
    `abstract` is drawn from for its shape only, one in `setups` is passed to an initializer; a value in `reported`
    was reported, a key in `alike` as equal to another one.  `specialized` counts the specializations of
    each function, `preset` those for what calls preset, `runs` how often each was made.  `affine`: numbers by what
    they were computed from; `counted`: the
    numbers that a range gives, by its op, and where it `stops` if they are not known; `work`: the array operations of
    a body, `compiled` on what those of compiled code in it depend; `viewed`: arrays and their
    indices, by the view through `at`. `summaries`, `projections` and `projected` are memoised, `meanings` are the
    facts that follow from the outcome of a test and from its contrary. `asked` is what was asked of files, by number
    (`dependencies.py`), `submodules` the names that were looked up below packages, `sought` the words that were
    looked for, `uses` the records that the
    results depend on. `started` is how far a statement brings JAX.  `made` are the names of the collections that were
    made.
    `faults` are the pieces that were dropped, because making them raised. `code` is what it is
    of, run for the arguments with the number `given`; `ops` is what it has cost, `charged` what the specializations
    have that it `paid` for.  Of its functions so many are `completed`: run, if only for their events.  It `marks`
    a class, which all see.
    """

    events: dict[EventKey, Event] = field(init=False)
    presumed: dict[EventKey, list[tuple[Event, Ground]]] = field(init=False)
    refuted: set[EventKey | ClassField | ByAnnotation] = field(init=False)
    repeated: list[EventByCalls] = field(init=False)
    calls: defaultdict[tuple[str, str, int], int] = field(init=False)
    sites: set[tuple[Wrapped | FunctionValue | ClassValue, Op]] = field(init=False)
    constants: dict[tuple[Op, int | CountedSeed], Value] = field(init=False)
    complete: frozenset[tuple[str, str, int]] = frozenset()
    functions: list[FunctionValue] = field(init=False)
    roots: list[tuple[Value, Frame, Path]] = field(init=False)
    displays: list[tuple[Value, EventKey, Callable[[Context], Event]]] = field(init=False)
    abstract: set[Value] = field(init=False)
    setups: set[Value] = field(init=False)
    reported: set[Value] = field(init=False)
    affine: dict[Value, Affine] = field(init=False)
    counted: dict[Op, range] = field(init=False)
    stops: dict[Op, Value] = field(init=False)
    work: dict[Summary, int] = field(init=False)
    compiled: dict[Summary, Dependences] = field(init=False)
    viewed: dict[Value, tuple[Value, Value]] = field(init=False)
    alike: set[Value] = field(init=False)
    traced: list[Summary] = field(init=False)
    specialized: defaultdict[Function, int] = field(init=False)
    runs: defaultdict[Function, int] = field(init=False)
    summaries: dict[Task, Summary] = field(init=False)
    projected: set[Value] = field(init=False)
    projections: Projections = field(init=False)
    meanings: dict[Value, tuple[Path, Path]] = field(init=False)
    unknowns: defaultdict[str, int] = field(init=False)
    given_up: defaultdict[str, int] = field(init=False)
    asked: set[int] = field(init=False)
    code: Function | None = None
    is_specialized: bool = False
    given: int = GENERAL
    marks: bool = False
    started: StartSteps = ()
    ops: int = 0
    charged: int = 0
    preset: int = 0
    completed: int = -1
    paid: set[Record] = field(init=False)
    submodules: frozenset[tuple[str, str]] = frozenset()
    sought: frozenset[Sought] = frozenset()
    uses: set[Record] = field(init=False)
    faults: list[Fault] = field(init=False)
    guarded: list[GuardedFinding] = field(init=False)
    unstaged: frozenset[tuple[str, str, int]] = frozenset()
    callers: set[tuple[Function, Function | None]] = field(init=False)
    made: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Sized:
        """An empty collection, made on first use: most records need few of theirs."""
        found = EMPTY[name]()
        setattr(self, name, found)
        self.made.append(name)
        return found

    def undecided(self) -> Iterator[Op]:
        """The ops of findings that other code decides: what rests on a ground, on the number of calls, or on a path."""
        yield from (key[1] for key in self.presumed)
        yield from (each.op for each in self.repeated)
        yield from (held.op for held in self.guarded)

    def forget_values(self) -> None:
        """Forget what is known of single values, once all that was made in the run was run."""
        self._drop([name for name in self.made if name in OF_VALUES])

    def end(self) -> None:
        """Let go, after a run and after each look at its results, the collections in which there is nothing; what is
        known of single values, too, unless something that was made in the run is still to be run.
        """
        if not (self.functions or self.roots or self.displays):
            self.forget_values()
        self._drop([name for name in self.made if not getattr(self, name)])

    def _drop(self, names: list[str]) -> None:
        """Let go some collections, each of which was made."""
        for name in names:
            delattr(self, name)
            self.made.remove(name)

    def emit(self, key: EventKey, make: Callable[[], Event], ground: Ground = None) -> None:
        """Record an event, once for each key; it gives way to a surer one.

        One that rests on a ground holds unless its key or the ground is refuted, in this record or another.
        """
        if ground is not None:
            with _finding(key):
                self.presumed.setdefault(key, []).append((make(), ground))
            return
        held = self.events.get(key)
        if held is None or may_give_way(held):
            with _finding(key):
                self.events[key] = stronger(held, make())

    def emit_repeated(self, repeated: EventByCalls) -> None:
        """Record an event that is certain if the traced function is called more than once."""
        self.repeated.append(repeated)


def _finding(key: EventKey) -> Isolated:
    anchor = key[1].anchor
    return Isolated("a finding", anchor.origin.shown, anchor.line)


def record_of(summary: Summary) -> Record | None:
    """The record of the run that made a summary."""
    found = summary.run.record
    return found if isinstance(found, Record) else None


def tells_all(record: Record) -> bool:
    """Has a run for the arguments of a call found nothing that the caller takes and the function does not tell?"""
    return not any(getattr(record, name) for name in TAKEN)


TAKEN = ("events", "presumed", "guarded", "unstaged")
"""What is found in a run for the arguments of a call, and taken by the caller (`summaries/specialization.py`)."""

OF_VALUES = frozenset(("projections", "projected", "meanings", "affine", "counted", "stops", "viewed"))

EMPTY: dict[str, Callable[[], Sized]] = {
    **dict.fromkeys(
        ("events", "presumed", "summaries", "meanings", "constants", "affine", "counted", "stops",
         "viewed", "work", "compiled"),
        dict,
    ),
    **dict.fromkeys(("repeated", "functions", "roots", "displays", "traced", "faults", "guarded"), list),
    **dict.fromkeys(
        ("sites", "refuted", "abstract", "setups", "reported", "alike", "projected", "asked", "uses", "paid",
         "callers"),
        set,
    ),
    "projections": Projections,
    **dict.fromkeys(("calls", "specialized", "runs", "unknowns", "given_up"), COUNTS),
}  # fmt: skip
