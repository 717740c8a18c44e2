"""Frames: one run of one body, with its state, enclosing frame and summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn, Protocol, TypeAlias

from flake8_jax.analysis.callables import Arguments, CallMode, ClassValue, FunctionValue, Presets
from flake8_jax.analysis.program import Namespace, Program
from flake8_jax.api.contracts import ResultParts
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.effects import Event
from flake8_jax.domain.kinds import UNKNOWN, Kind
from flake8_jax.domain.payload import reason
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.resources import Iterations, Repetition
from flake8_jax.domain.staging import NONE, Dependences
from flake8_jax.domain.state import State
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Anchor, Function, Name, Op
from flake8_jax.lazy_dataclasses import dataclass, field

OpEvaluator: TypeAlias = "Callable[[Frame, NoReturn], Value]"
"""Evaluates the ops of one class; which class that is, a table of them says by its keys."""

OpRunner: TypeAlias = "Callable[[Frame, NoReturn], Value | None]"
ValueCaller: TypeAlias = "Callable[[Frame, Op, Value, Arguments, Dependences, CallMode], Value]"


class Interpreter(Protocol):
    """What evaluates and runs each class of op, calls each kind of value, and makes summaries."""

    @property
    def evaluators(self) -> Mapping[type[Op], OpEvaluator]:
        """The value of an expression op; its effects on the state are taken."""

    @property
    def runners(self) -> Mapping[type[Op], OpRunner]:
        """Statement ops."""

    @property
    def callers(self) -> Mapping[Kind, ValueCaller]:
        """Calling a value; arrays made inside depend on the dependences given."""

    @property
    def summarize(self) -> Callable[[Program, FunctionValue, Presets], Summary]:
        """The summary of a function, with some parameters preset."""

    @property
    def summarize_top_level(self) -> Callable[[FunctionValue], Summary]:
        """The summary of a function that belongs to no other one, up to a fixpoint."""

    @property
    def hooks(self) -> Hooks:
        """What is told of what happens while values are read."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Callbacks by which the layers above are told of what happens during evaluation: the roots of a body are run at
    its end (`run_roots`);
    effects note a variable that is read and may change, a property that is read of an object, bound to its class, and a
    call of something of which nobody knows the body.
    """

    run_roots: Callable[[Frame], None]
    variable_read: Callable[[Frame, Name, Value], None]
    property_read: Callable[[Frame, Op, Value, Value], None]
    unknown_called: Callable[[Frame, Op, Value, Arguments], None]


MAXIMUM_NESTING = 40


@dataclass(frozen=True, slots=True)
class EvaluationContext:
    """The context of an evaluation.

    `element`: the one item of the next call's result that is read.  `is_inner`: an outer loop runs its first iteration;
    `is_prepared`: errors are expected, `is_handling`: one is handled; `is_eager`: arrays are concrete; `is_unstaged`:
    JAX stages nothing; `is_entering`: it is the manager of a `with`.  `is_defining`: a function or class is decorated;
    `is_for_shapes`: a call is run for shapes only; `makes_copy`: the value is bound to a name that says it is a copy
    (`target_params`); `is_output`: it is an argument of what prints or logs; `question`: the test that the next op is a
    part of; `is_guard`: the next test guards another one; `is_derivative`: a function is
    differentiated, which returns what is not differentiated beside its result if it `has_auxiliary`; one that is called
    `has_own_rule` for its derivative; if it `is_awaited`, nobody calls it yet, and its arguments are unknown; it
    `may_be_reversed` where it is not known by which arguments a reverse mode goes, and `may_be_compiled` if a decorator
    that is not known has the name of one that compiles.  It `is_run` by a library that keeps its state apart.
    `choice`: one of several functions
    under a transform is called, and what is wrong with the result of each is gathered.
    """

    element: int | Value | None = None
    is_inner: bool = False
    is_prepared: bool = False
    is_handling: bool = False
    is_eager: bool = False
    is_unstaged: bool = False
    is_entering: bool = False
    is_defining: bool = False
    makes_copy: bool = False
    is_for_shapes: bool = False
    is_output: bool = False
    is_guard: bool = False
    is_derivative: bool = False
    has_auxiliary: bool = False
    has_own_rule: bool = False
    is_awaited: bool = False
    may_be_reversed: bool = False
    may_be_compiled: bool = False
    is_run: bool = False
    question: Op | None = None
    choice: list[Callable[[Context], Event] | None] | None = None


LIBRARY_METHOD = "method of a class of a library"
"""Why a method is unknown that has a row: only its result is, not what it does with keys."""

PLAIN, DEFINING = EvaluationContext(), EvaluationContext(is_defining=True)


@dataclass(slots=True)
class Exits:
    """The states that leave a body early, by kind of exit.

    `returned` are the values and states of its returns; `breaks` and `continues` wait for the end of the innermost
    loop, `caught` for the handlers of each enclosing `try`.  `is_unimplemented`: NotImplementedError is raised, which a
    subclass may do without.
    """

    returned: list[tuple[Value, State]] = field(default_factory=list)
    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)
    caught: list[list[State]] = field(default_factory=list)
    is_unimplemented: bool = False


@dataclass(slots=True, eq=False)
class Frame:
    """One run of one body: its position in the program, the variables it closes over, and the summary under
    construction.

    `state` is None where no path arrives.  Closures made in a frame that has ended read its last state; the summary of
    one that `is_told` is in the hands of callers.  `bound_axes` are the names of axes that are bound for what is called
    now, None where these are not known; it `splits` these parameters among devices.
    `is_specialized`: it, or an enclosing one, is a specialized run, for these `presets`; its `generation` is how many
    specializations, each for what the one before made, led to it.  `unit` is the number of the
    top-level statement that runs.  `repetitions` are those under which a function is called now.  `outcomes` are the
    results of calls from which facts follow, `results` what parts they have, `gathered` the elements of comprehensions,
    by op.  `updates` are the values before augmented assignments to names, by what these made.  `work` counts the
    operations that give arrays, by their dependences, `turned` the turns of the loops of one nest
    (`checks/compilation/turn_counts.py`).  `began` is the last statement in which JAX's backend was started.
    `runs_long`: it compiles something for a long loop of its own, once that is asked (`checks/compilation/remade.py`).
    `parted`: its loops whose first turn goes another way than the later ones (`evaluate/first_turns.py`).
    """

    program: Program
    function: Function
    parent: Frame | None
    state: State | None
    summary: Summary
    owner: ClassValue | None = None
    iterations: Iterations = ()
    repetitions: tuple[Repetition, ...] = ()
    bound_axes: tuple[frozenset[str] | None, ...] = ()
    splits: frozenset[str] | None = None
    exits: Exits = field(default_factory=Exits)
    context: EvaluationContext = PLAIN
    discarded: Op | None = None
    is_specialized: bool = False
    presets: Presets = ()
    generation: int = 0
    has_ended: bool = False
    is_told: bool = False
    unit: int | None = None
    outcomes: dict[Op, Value] = field(default_factory=dict)
    results: dict[Op, ResultParts] = field(default_factory=dict)
    gathered: dict[Op, Value] = field(default_factory=dict)
    updates: dict[Value, Value] = field(default_factory=dict)
    work: dict[Dependences, int] = field(default_factory=dict)
    turned: int = 1
    began: Anchor | None = None
    runs_long: bool | None = None
    parted: set[Op] = field(default_factory=set)
    namespace: Namespace = None  # type: ignore[assignment]  # that of the frame around, where none is given

    @property
    def is_expected(self) -> bool:
        """Is an error expected of what runs now, or handled?"""
        return self.context.is_prepared or bool(self.exits.caught)

    @property
    def path(self) -> Path:
        """The current path condition."""
        return self.state.path if self.state is not None else ALWAYS

    @property
    def ambient(self) -> Dependences:
        """The dependences of every array made here."""
        return NONE if self.context.is_eager else self.summary.ambient

    @property
    def name(self) -> str:
        """The name of the running function, for chains and messages."""
        return self.function.name

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.namespace = self.parent.namespace
            self.is_specialized = self.is_specialized or self.parent.is_specialized

    def outwards(self) -> Iterator[Frame]:
        """This frame and those around it, the module last."""
        around: Frame | None = self
        while around is not None:
            yield around
            around = around.parent

    def bound_to(self, name: str) -> Value | None:
        """What a name is bound to here or around, without asking for it; None for a global of another statement."""
        for around in self.outwards():
            found = around.state.names.get(name) if around.state is not None else None
            if found is not None:
                return found
        return None

    @property
    def body(self) -> Frame:
        """The function, or the module, in which a class is made, or the function itself."""
        around = self
        while around.function.kind == "class" and around.parent is not None:
            around = around.parent
        return around

    @property
    def method(self) -> Frame | None:
        """The innermost method, or body of a class, that it is or stands in."""
        return next((around for around in self.outwards() if around.owner is not None), None)

    @property
    def is_outermost(self) -> bool:
        """Does it run a module, or the body of a class outside of all functions?"""
        return all(around.function.kind in ("module", "class") for around in self.outwards())

    @property
    def module(self) -> Frame:
        """The outermost frame around."""
        *_, outermost = self.outwards()
        return outermost

    def live(self) -> State:
        """The state, where a path is known to arrive."""
        assert self.state is not None
        return self.state


def names_copy(name: str) -> bool:
    """Does a name say that its value is a copy on purpose, as target networks do?"""
    return "target" in name.lower()


def never_returns(frame: Frame, op: Op) -> Value:
    """The result of a call that never returns: no path arrives behind its statement."""
    if frame.state is not None:
        frame.state.is_over = True
    return Value(UNKNOWN, NONE, reason("never returns"), op)


def note_unknown(frame: Frame, why: str, op: Op | None = None) -> Value:
    """A new unknown value; its reason is counted in the record."""
    frame.program.record.unknowns[why] += 1
    return Value(UNKNOWN, NONE, reason(why), op)
