"""The state shared by all runs of bodies of a project: table, summaries, module namespaces.

One `Program` serves all files of a project.  Results are added to the current `Record`: each top-level function has a
record of its own, and so has each statement at a file's top level.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from flake8_jax.analysis.dependencies import DependencyGraph
from flake8_jax.analysis.memory import Memory
from flake8_jax.api.contracts import StateMade, VariablesForm
from flake8_jax.api.table import Table
from flake8_jax.api.versions import LIBRARIES
from flake8_jax.api.versions.target import TargetReleases
from flake8_jax.domain.constants import NOTHING, OPEN, Constant
from flake8_jax.domain.kinds import API, NUMBER, STATIC
from flake8_jax.domain.payload import Named
from flake8_jax.domain.summary import RegistryEntry, Summary
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir.ops import Const, Function, Op
from flake8_jax.ir.scope import Binding, Scope
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.report import Costs
from flake8_jax.syntax.questions import HEAD, TEXT

if TYPE_CHECKING:
    from flake8_jax.analysis.callables import ClassValue, FunctionValue
    from flake8_jax.analysis.frame import Interpreter
    from flake8_jax.analysis.liveness.dead_stores import DeadStores
    from flake8_jax.analysis.record import Record, Task
    from flake8_jax.domain.provenance import Use
    from flake8_jax.domain.startup import StartPhase, StartSteps
    from flake8_jax.ir.ops import Imported

NEVER = 1 << 30
ABSENT = frozenset(("jax.numpy.newaxis", "numpy.newaxis"))
"""Names of libraries for None."""

BUILTINS = "builtins."
"""What stands before a name of Python's own where it is read from its module: `builtins.print`."""


class ModuleFile(Protocol):
    """The file of a module, as an interface for the code in it."""

    @property
    def path(self) -> str:
        """The path of the file."""

    @property
    def makes_references(self) -> bool:
        """May it make references to arrays, or hold kernels that get them?"""

    @property
    def changing(self) -> frozenset[str]:
        """The globals that are bound more than once, and the variables and fields that are changed in place."""

    @property
    def is_notebook(self) -> bool:
        """Was it made of the cells of a notebook, or is it shown as one?"""

    @property
    def is_divided(self) -> bool:
        """Do lines of it stand between cells?"""

    @property
    def libraries(self) -> frozenset[str]:
        """The names that its imports bind to what is in libraries, uses of which lowering notes."""

    @property
    def updates(self) -> frozenset[str]:
        """The settings of JAX that its code updates, by `jax.config.update`, wherever."""

    def ends_cell(self, line: int) -> bool:
        """Does a line end a cell, but for comments, or is its value for the clock of a magic alone?"""

    @property
    def is_script(self) -> bool:
        """Is it run, and not imported, by all that it says of itself?"""

    def words_after(self, unit: int) -> frozenset[str]:
        """The words below a statement."""

    def value(self, name: str, before: int | None = None) -> Value | None:
        """The final value of a name of the module, or that before a statement."""

    def classes_with_property(self, name: str) -> list[ClassValue]:
        """The classes at the top of the module that define a property of this name."""

    def names_for_jitted(self, name: str) -> list[str]:
        """The names of the module that statements bind which jit something called by this name."""

    def names_elsewhere(self, name: str) -> bool:
        """Does a statement name something, beside the one that binds it?"""

    def is_open(self, name: str, value: Value, line: int) -> bool:
        """May a function on a line that reads a global get another value than the final one?"""

    def imported(self, level: int, dotted: str) -> Value:
        """The value of an import statement of the module."""

    def run_filling(self, name: str, pattern: str) -> None:
        """Run the statements that fill a global, and those that call functions which do; once."""


class ModuleGraph(Protocol):
    """The modules of a project, and their imports of each other."""

    @property
    def program(self) -> Program:
        """The state shared by all runs of bodies."""

    @property
    def globals(self) -> dict[Value, tuple[Namespace, str]]:
        """The values that modules bind, but for functions, classes and the like, with their names."""

    @property
    def entered(self) -> dict[Value, list[RegistryEntry]]:
        """What the statements of modules put into those that are dicts or lists."""

    @property
    def truncates(self) -> bool:
        """Are types of 64 bits asked for in the project, where nothing enables them?"""

    @property
    def target(self) -> TargetReleases:
        """Which releases of libraries the project allows."""

    @property
    def equivalents(self) -> Mapping[str, str]:
        """The names of libraries for which names of the project stand, as the configuration says."""

    def starred(self, path: str, level: int, dotted: str, name: str) -> Value | None:
        """The value that a star import in the file at `path` binds to `name`, if any."""

    def own(self, path: str, dotted: str) -> Value | None:
        """What the project binds to a name of the library that it is; None where the table knows the name."""

    def member(self, path: str, name: str) -> Value | None:
        """The value that the module at `path` binds to a name, or the submodule of this name."""

    def variable(self, path: str, name: str, changed: Container[str]) -> tuple[Binding, Value] | None:
        """A variable of the module at `path` that may change, or is `changed` elsewhere, with its final value."""

    def imported_variable(self, value: Value | None) -> Binding | None:
        """The variable of another file that an import stands for."""

    def named_at(self, function: Function) -> tuple[tuple[str, int, str], Value] | None:
        """Where a statement of the project binds the name of a function or class, and what to."""

    def value_at(self, inside: str, number: int, name: str) -> Value | None:
        """What a statement binds a name to, by its number in a file, whose path is as seen from the root."""

    def path_of(self, scope: Scope) -> str:
        """The path of the module whose names are in a scope; empty if it is not among those that were opened."""

    def module_value(self, path: str) -> Value:
        """The value of a module, or of a folder of modules."""

    def steps_before(self, path: str, unit: int) -> StartSteps:
        """What the statements of a file do to start JAX that stand before one of them."""

    def steps_of_import(self, path: str, shown: str, op: Imported) -> StartSteps:
        """What an import in the file at `path` does to start JAX."""

    def step_of_packages(self, path: str, phase: StartPhase) -> Use | None:
        """Where the packages around a file take JAX to a phase."""

    def step_of_import(self, path: str, phase: StartPhase) -> Use | None:
        """Where the import of a file takes JAX to a phase."""


@dataclass(slots=True, eq=False)
class Namespace:
    """The global names of one module, looked up in `file` on demand.

    `path` is the file's name in messages; globals that are bound in several places are kept under `world`.
    """

    path: str
    file: ModuleFile
    rebound_globals: Value = field(default_factory=lambda: unknown("the world"))


@dataclass(frozen=True, slots=True)
class Activation:
    """A running computation: its depth, and the state of dependency tracking at its start.

    `known` is how many `members` there were.
    """

    key: Task
    level: int
    lowest: int
    known: int


@dataclass(slots=True, eq=False)
class Program:
    """What all frames share.

    `summaries` are those of top-level functions, computed once.  `running` are the running computations, with their
    depth; `lowest` is the lowest depth on which results since then depend, `members` the stack of functions summarized
    that depend on one further out, `provisional` their summaries so far, `bound` the names that such statements bind.
    `dependencies` is the dependency graph of all records, `costs` counts the work, of which all
    beyond `base` is that of the current record, `records` are the classes of the
    records of libraries, `stores` the dead stores of the functions that were asked for,
    `answers` the labels of the bodies of which something was asked, `optimizers` what updates of those need that a call
    makes, `composed` the updates of the project's optimizers of which it makes one, `variables` which ops make the
    variables of networks, `states` which make the states of optimizers, `remembered` the state that an update of an
    optimizer gets which remembers things in it, `resembling` which make gradients, and by what.
    `floor` is the depth at which the current stack began (`stacks.py`).
    `has_faults`: something was dropped, because it raised (`isolation.py`).  `memory` is what is kept outside of
    records, and how it is forgotten.
    """

    table: Table
    linked: ModuleGraph
    interpreter: Interpreter
    record: Record
    constants: dict[Const, Value] = field(default_factory=dict)
    apis: dict[str, Value] = field(default_factory=dict)
    texts: dict[str, Value] = field(default_factory=dict)
    records: dict[str, ClassValue] = field(default_factory=dict)
    summaries: dict[FunctionValue, Summary] = field(default_factory=dict)
    provisional: dict[FunctionValue, tuple[Summary, int]] = field(default_factory=dict)
    bound: dict[Task, tuple[dict[str, Value], int]] = field(default_factory=dict)
    members: list[FunctionValue] = field(default_factory=list)
    running: dict[Task, int] = field(default_factory=dict)
    dependencies: DependencyGraph = field(default_factory=DependencyGraph)
    costs: Costs = field(default_factory=Costs)
    stores: dict[Function, DeadStores] = field(default_factory=dict)
    answers: dict[Hashable, object] = field(default_factory=dict)
    optimizers: dict[Op, frozenset[str]] = field(default_factory=dict)
    composed: dict[Op, tuple[Value, ...]] = field(default_factory=dict)
    variables: dict[Op, VariablesForm] = field(default_factory=dict)
    states: dict[Op, StateMade] = field(default_factory=dict)
    remembered: dict[Op, Value] = field(default_factory=dict)
    resembling: dict[Op, tuple[Function, Value]] = field(default_factory=dict)
    base: int = 0
    floor: int = 0
    lowest: int = NEVER
    nesting: int = 0
    depth: int = 0
    has_faults: bool = False
    memory: Memory = field(default_factory=Memory)

    def note(self, path: str, asked: int = TEXT, beyond: int = TEXT) -> None:
        """Record that the current results depend on what is asked of a file."""
        self.record.asked.add(self.dependencies.number(path, asked, beyond))

    def seek(self, path: str, words: Collection[str], pattern: str = "") -> None:
        """Record that the current results depend on which statements of a file hold some words, and a pattern."""
        self.note(path, HEAD)
        self.record.sought |= {(path, pattern, frozenset(words))}

    def api(self, qualified: str) -> Value:
        """The value of a library's name; one object for each name."""
        found = self.apis.get(qualified)
        if found is None:
            name = self.table.canonical(self.linked.equivalents.get(qualified, qualified)).removeprefix(BUILTINS)
            number = self.table.number(name)
            made = Value(API, payload=Named(name)) if not number else Value(NUMBER, payload=OPEN, dtype=number)
            if name in ABSENT:
                made = Value(STATIC, payload=NOTHING)
            found = self.apis[qualified] = made
        return found

    def is_module(self, value: Value) -> bool:
        """Is it a module of a library of which releases are known?"""
        is_of_library = value.kind is API and value.name.partition(".")[0] in LIBRARIES
        return is_of_library and self.table.is_namespace(value.name)

    def text(self, text: str) -> Value:
        """The value of a text, one object for each: functions are run once for a name that many calls pass."""
        return self.texts.setdefault(text, Value(STATIC, payload=Constant(text)))

    def is_running(self, key: Task) -> bool:
        """Is a computation running already?

        Then results are valid only for as long as it runs.
        """
        level = self.running.get(key)
        if level is None:
            return False
        self.lowest = min(self.lowest, level)
        return True

    def enter(self, key: Task) -> Activation:
        """Start a computation whose result is to be valid for all callers."""
        activation = Activation(key, len(self.running), self.lowest, len(self.members))
        self.running[key] = activation.level
        self.lowest = NEVER
        return activation

    def leave(self, activation: Activation) -> bool:
        """End a computation: is its result valid for all callers?

        If it is, provisional results that depend on it are dropped.
        """
        del self.running[activation.key]
        if self.lowest < activation.level and activation.level > 0:
            self.lowest = min(activation.lowest, self.lowest)
            return False
        self.drop(activation.known)
        self.forget(activation.level)
        self.lowest = activation.lowest
        return True

    def drop(self, known: int) -> None:
        """Drop the provisional results of all functions that were summarized since there were so many of them."""
        for member in self.members[known:]:
            self.provisional.pop(member, None)
        del self.members[known:]

    def forget(self, level: int) -> None:
        """Drop the names that statements bind, as far as they depend on this depth or a greater one."""
        if self.bound:
            self.bound = {task: held for task, held in self.bound.items() if held[1] < level}

    @contextmanager
    def tracking(self, record: Record) -> Iterator[None]:
        """Record the dependencies of a shared result in a record of its own."""
        held, self.record = self.record, record
        record.unknowns, record.given_up = held.unknowns, held.given_up  # these count for whoever asks first
        try:
            yield
        finally:
            self.record = held

    def give_up(self, reason: str) -> None:
        """Count code that is not run; results so far are valid only for the current caller."""
        self.record.given_up[reason] += 1
        self.lowest = -1
