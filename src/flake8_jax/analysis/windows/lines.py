"""Observing an interpretation: the values of the ops on one line in each run, and all calls of functions.

Nothing is observed unless somebody asks: an interpreter that notes what it passes on is put into the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from flake8_jax.analysis.callables import (
    AccessPath,
    Applied,
    Arguments,
    CallMode,
    FunctionValue,
    KnownArgument,
    Presets,
    Tracer,
    Wrapped,
)
from flake8_jax.analysis.checks.output import Output
from flake8_jax.analysis.frame import EvaluationContext, Frame, Hooks, Interpreter, OpEvaluator, OpRunner, ValueCaller
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.summaries.binding import bind_arguments
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.analysis.windows.fields import position
from flake8_jax.analysis.windows.values import noun
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.effects import KeptEvidence
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.resources import Used, is_compatible
from flake8_jax.domain.staging import NONE, Ambient, Dependence, Dependences, Input, in_order
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.walking import EFFECTS
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.positions import span_of

Owner: TypeAlias = "tuple[Function, str]"
"""A function and its parameter; no name stands for the code of the function."""

COMPOUND = EFFECTS | {ops.Closure, ops.MakeClass}
"""Ops that hold bodies: a column inside does not ask about them."""


@dataclass(frozen=True, slots=True)
class ObservedPlace:
    """A line of a file, and a column on it, if only that is asked about; both from 1."""

    path: str
    line: int
    column: int | None = None

    def holds(self, op: Op) -> bool:
        """Does an op begin on the line, or stand at the column?"""
        if op.anchor.origin.path != self.path:
            return False
        span = span_of(op)
        if self.column is None or span is None or type(op) in COMPOUND:
            return position(op)[0] == self.line
        return (span.line, span.column) < (self.line, self.column) <= (span.end_line, span.end_column)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A value that an op had in one run of its function, on a path and in a context.

    `is_alone`: the statement was run apart from those around it; `earlier` are the uses of a key before, each with
    whether the path excludes it.
    """

    value: Value
    summary: Summary
    run: str
    is_alone: bool
    earlier: tuple[tuple[Used, bool], ...]
    path: Path
    context: EvaluationContext


@dataclass(frozen=True, slots=True)
class CallSeen:
    """A call of a function of the project, with the values of its parameters.

    `parts` are parts of these by path, as far as the observed line asks for them; `caller` is where it stands,
    `applied` the transforms through which it is called.
    """

    op: Op
    caller: Function
    callee: Function
    bound: dict[str, Value]
    parts: dict[str, Value]
    ambient: Dependences
    mode: CallMode
    applied: tuple[Applied, ...]


@dataclass(slots=True, eq=False)
class Observation:
    """What was seen of a run; `home` is how texts call the file of the place.

    `values` by op; `runs` the summaries of the bodies of each function, by the label of the run, the latest; `owners`
    the functions and parameters that dependences belong to.
    """

    place: ObservedPlace
    home: str
    values: dict[Op, list[Sighting]] = field(default_factory=dict)
    calls: dict[Function, list[CallSeen]] = field(default_factory=dict)
    runs: dict[Function, dict[str, Summary]] = field(default_factory=dict)
    owners: dict[Dependence, Owner] = field(default_factory=dict)


@contextmanager
def observing(program: Program, observation: Observation) -> Iterator[None]:
    """Observe a program for as long as a block runs."""
    before = program.interpreter
    program.interpreter = ObservingInterpreter(before, observation)
    try:
        yield
    finally:
        program.interpreter = before


@dataclass(slots=True, eq=False)
class ObservingInterpreter:
    """An interpreter that passes everything on to another one, and notes it.

    `labels` tell runs apart, `running` are the functions whose summaries are being made, `calling` the calls that are
    under way, each with the transform that is called.
    """

    inner: Interpreter
    seen: Observation
    labels: dict[Summary, str] = field(default_factory=dict)
    running: list[tuple[FunctionValue, Presets]] = field(default_factory=list)
    calling: list[tuple[Op, Applied | None]] = field(default_factory=list)
    evaluators: Mapping[type[Op], OpEvaluator] = field(init=False)
    runners: Mapping[type[Op], OpRunner] = field(init=False)
    callers: Mapping[Kind, ValueCaller] = field(init=False)
    hooks: Hooks = field(init=False)

    def __post_init__(self) -> None:
        self.evaluators = {kind: self._watched(evaluate) for kind, evaluate in self.inner.evaluators.items()}
        self.runners, self.hooks = self.inner.runners, self.inner.hooks
        self.callers = {kind: partial(self._call, call) for kind, call in self.inner.callers.items()}

    def _watched(self, evaluate: OpEvaluator) -> OpEvaluator:
        def watched(frame: Frame, op: Op) -> Value:
            value = evaluate(frame, op)  # type: ignore[arg-type]  # it is of the key's class
            self._note(frame, op, value)
            return value

        return watched

    def _call(
        self, call: ValueCaller, frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences,
        mode: CallMode,
    ) -> Value:  # fmt: skip
        """Call a value; noted if it is a function, with the summary that is applied."""
        applied = tuple(applied for at, applied in self.calling if at is op and applied is not None)
        if isinstance(op, ops.Call) and isinstance(op.func, ops.Attr) and all(at is not op for at, _ in self.calling):
            self._note(frame, op.func, callee)  # a method is not evaluated apart from its call
        payload, summaries = callee.payload, frame.summary.run.callees
        before = len(summaries)
        self.calling.append((op, payload.applied if isinstance(payload, Wrapped) else None))
        try:
            value = call(frame, op, callee, arguments, ambient, mode)
        finally:
            self.calling.pop()
        if isinstance(payload, FunctionValue):
            bound, parts = bind_arguments(frame, payload, arguments), dict[str, Value]()
            if len(summaries) > before and frame.state is not None:
                site = Substitution(frame, op, summaries[before], bound, ambient, payload)
                parts = _parts_passed(self.seen.place, site)
            function = payload.function
            seen = CallSeen(op, frame.function, function, bound, parts, ambient, mode, applied)
            self.seen.calls.setdefault(function, []).append(seen)
        return value

    def summarize(self, program: Program, function: FunctionValue, presets: Presets) -> Summary:
        """Make the summary of a function, with some parameters preset."""
        self.running.append((function, presets))
        try:
            return self.inner.summarize(program, function, presets)
        finally:
            self.running.pop()

    def summarize_top_level(self, function: FunctionValue) -> Summary:
        """Make the summary of a top-level function."""
        self.running.append((function, ()))
        try:
            return self.inner.summarize_top_level(function)
        finally:
            self.running.pop()

    def _note(self, frame: Frame, op: Op, value: Value) -> None:
        summary, state, earlier = frame.summary, frame.state, list[tuple[Used, bool]]()
        if summary not in self.labels:
            self._note_run(frame)
        if self.seen.place.holds(op):
            if state is not None:
                earlier = [(one, not is_compatible(one, state.path)) for one in state.used.get(value.original)]
            is_alone, run = frame.unit is not None, self.labels[summary]
            sighting = Sighting(value, summary, run, is_alone, tuple(earlier), frame.path, frame.context)
            self.seen.values.setdefault(op, []).append(sighting)

    def _note_run(self, frame: Frame) -> None:
        """Note a run, and what belongs to it."""
        function, summary = frame.function, frame.summary
        label = self.labels[summary] = self._label(frame)
        self.seen.runs.setdefault(function, {})[label] = summary
        self.seen.owners |= {
            dependence: (function, "") for dependence in summary.ambient if isinstance(dependence, Ambient)
        }
        for name, value in summary.inputs.items():
            self.seen.owners |= {
                dependence: (function, name) for dependence in value.dependences if isinstance(dependence, Input)
            }

    def _label(self, frame: Frame) -> str:
        """What is known to be passed in a run; "" for the general run."""
        for around in frame.outwards():
            runs = (run for run in reversed(self.running) if run[0].function is around.function)
            function, presets = next(runs, (None, ()))
            given = function.given if function is not None else ()
            texts = [f"{_part((name, steps))} is {_handed_in(what)}" for (name, steps), what in given]
            texts += [f"`{name}` is {noun(value)}" for name, value in presets]
            if texts:
                return ", ".join(texts)
        return "in a run for what one call passes" if frame.is_specialized else ""


def _part(path: AccessPath) -> str:
    name, steps = path
    source = Input(name)
    for step in steps:
        source = source.part(step)
    return source.text()


def _handed_in(what: KnownArgument) -> str:
    match what:
        case Value():
            return noun(what)
        case int():
            return f"{what} arguments"
        case tuple():
            return f"{len(what)} keywords"
        case Tracer():
            return "a tracer"
    return f"instance of `{what.name}`"


def _parts_passed(place: ObservedPlace, site: Substitution) -> dict[str, Value]:
    """What a call passes at the parts of inputs that something on the observed line asks for."""
    parts: dict[str, Value] = {}
    for effect in site.summary.requires.effects:
        for source in in_order(held_by(effect.evidence)) if place.holds(effect.evidence.op) else ():
            value = site.resolve(source) if source.parent is not None else None
            if value is not None:
                parts[source.path] = value
    return parts


def held_by(evidence: KeptEvidence) -> Dependences:
    """What a precondition or an effect depends on."""
    if isinstance(evidence, Output):
        return NONE.union(*(dependences for _, dependences in evidence.shown))
    held: Dependences = getattr(evidence, "dependences", NONE)
    return held
