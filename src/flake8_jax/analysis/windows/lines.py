"""Observing an interpretation: the values of the ops on one line in each run, and all calls of functions.

Nothing is observed unless somebody asks: the evaluators are wrapped while the block of `observing` runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from flake8_jax.analysis import evaluator, interpretation  # noqa: F401  (it fills the tables of evaluators)
from flake8_jax.analysis.callables import Applied, Arguments, CallMode, FunctionValue, underlying
from flake8_jax.analysis.calls.binding import bind_arguments
from flake8_jax.analysis.evaluator import Caller, Evaluator
from flake8_jax.analysis.frame import EvaluationContext, Frame
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.analysis.windows.fields import position
from flake8_jax.analysis.windows.values import function_in, noun, path_of, wrapping_of
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.resources import Used, meets
from flake8_jax.domain.staging import NONE, Ambient, Dependence, Dependences, Input, in_order
from flake8_jax.domain.summary import Latent, Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.invariants import EFFECTS
from flake8_jax.ir.ops import Closure, Function, MakeClass, Op
from flake8_jax.syntax.positions import unpacked

Owner: TypeAlias = "tuple[Function, str]"
"""A function and its parameter; no name stands for the code of the function."""

COMPOUND = EFFECTS | {Closure, MakeClass}
"""Ops that hold bodies: a column inside does not ask about them."""

SPECIALIZED = "in a run for what one call passes"


@dataclass(frozen=True, slots=True)
class ObservedPlace:
    """A line of a file, and a column in bytes on it, if only that is asked about."""

    path: str
    line: int
    column: int | None = None

    def holds(self, op: Op) -> bool:
        """Does an op begin on the line, or stand at the column?"""
        if op.anchor.origin.path != self.path:
            return False
        if self.column is None or not op.place or op.anchor.field is not None or type(op) in COMPOUND:
            return position(op)[0] == self.line
        line, column, end_line, end_column = unpacked(op.place)
        return (line, column) <= (self.line, self.column) < (end_line, end_column)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A value that an op had in one run of its function, on a path and in a context.

    `is_alone`: the statement was run apart from those around it; `earlier` are the uses of a key before, each with
    whether the path excludes it.
    """

    op: Op
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
    manner: CallMode
    applied: tuple[Applied, ...]


@dataclass(slots=True, eq=False)
class Observation:
    """What was seen of a run; `home` is how texts call the file of the place.

    `values` by op; `callees` what was called by the calls on the line; `runs` the summaries of the bodies of each
    function, by the label of the run, the latest; `owners` the functions and parameters that dependences belong to.
    """

    place: ObservedPlace
    home: str
    values: dict[Op, list[Sighting]] = field(default_factory=dict)
    callees: dict[Op, list[Sighting]] = field(default_factory=dict)
    calls: dict[Function, list[CallSeen]] = field(default_factory=dict)
    runs: dict[Function, dict[str, Summary]] = field(default_factory=dict)
    owners: dict[Dependence, Owner] = field(default_factory=dict)
    _applied: dict[tuple[Op, Function], tuple[Applied, ...]] = field(default_factory=dict)
    _known: dict[int, tuple[Summary, str]] = field(default_factory=dict)

    def see(self, frame: Frame, op: Op, value: Value) -> None:
        """An op was evaluated."""
        run = self._run(frame)
        if self.place.holds(op):
            self.values.setdefault(op, []).append(_sighting(frame, op, value, run))

    def call(
        self, frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, manner: CallMode
    ) -> None:
        """A value is about to be called."""
        run = self._run(frame)
        if self.place.holds(op) and manner != "root":
            self.callees.setdefault(op, []).append(_sighting(frame, op, callee, run))
        applied, wrapped = wrapping_of(callee), underlying(callee)
        if applied is not None and wrapped is not None:
            known = self._applied.get((op, wrapped.function), ())
            if applied not in known:
                self._applied[(op, wrapped.function)] = (*known, applied)

    def called(
        self, frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, manner: CallMode,
        summary: Summary | None,
    ) -> None:  # fmt: skip
        """A value was called, if it is a function by applying a summary."""
        function = function_in(callee)
        if function is not None:
            bound = bind_arguments(frame, function, arguments)
            parts = _parts_passed(self, frame, op, summary, bound, ambient) if summary is not None else {}
            through = self._applied.get((op, function.function), ())
            seen = CallSeen(op, frame.function, function.function, bound, parts, ambient, manner, through)
            self.calls.setdefault(function.function, []).append(seen)

    def _run(self, frame: Frame) -> str:
        """The label of a run; what the run belongs to is noted once."""
        known = self._known.get(id(frame.summary))
        if known is None:
            known = self._known[id(frame.summary)] = frame.summary, _label(frame)
            self.runs.setdefault(frame.function, {})[known[1]] = frame.summary
            for one in frame.summary.ambient:
                if isinstance(one, Ambient):
                    self.owners[one] = frame.function, ""
            for name, value in frame.summary.inputs.items():
                self.owners |= {one: (frame.function, name) for one in value.dependences if isinstance(one, Input)}
        return known[1]


def _sighting(frame: Frame, op: Op, value: Value, run: str) -> Sighting:
    state, earlier = frame.state, tuple[tuple[Used, bool], ...]()
    if state is not None:
        used = state.used.get(value.original, ())
        earlier = tuple((one, not meets(one, state.path)) for one in used)
    return Sighting(op, value, frame.summary, run, frame.unit is not None, earlier, frame.path, frame.context)


def _parts_passed(
    observation: Observation, frame: Frame, op: Op, summary: Summary, bound: dict[str, Value], ambient: Dependences
) -> dict[str, Value]:
    """What a call passes at the parts of inputs that something on the observed line asks for."""
    parts: dict[str, Value] = {}
    for latent in (*summary.requires.preconditions, *summary.requires.effects):
        if frame.state is not None and observation.place.holds(latent.op):
            site = Substitution(frame, op, summary, bound, ambient)
            for source in in_order(held_by(latent)):
                value = site.resolve(source) if source.parent is not None else None
                if value is not None:
                    parts[path_of(source)] = value
    return parts


def held_by(latent: Latent) -> Dependences:
    """What a precondition or an effect depends on."""
    found: Dependences = getattr(latent, "dependences", NONE)
    for _, dependences in getattr(latent, "shown", ()):
        found |= dependences
    return found


def _label(frame: Frame) -> str:
    """What is known to be passed in a run; "" for the general run."""
    around: Frame | None = frame
    while around is not None:
        for key in reversed(list(frame.program.running)):
            if isinstance(key[0], FunctionValue) and key[0].function is around.function:
                given = [f"`{_path_text(path)}` is {_given_text(what)}" for path, what in key[0].given]
                given += [f"`{name}` is {noun(value)}" for name, value in (key[1] if len(key) > 1 else ())]
                if given or around is frame:
                    return ", ".join(given)
        around = around.parent
    return SPECIALIZED if frame.is_specialized else ""


def _path_text(path: tuple[Any, ...]) -> str:
    source = Input(path[0])
    for step in path[1:]:
        source = source.part(step)
    return path_of(source)


def _given_text(what: Any) -> str:
    if isinstance(what, Value):
        return noun(what)
    if isinstance(what, int):
        return f"{what} arguments"
    return f"{len(what)} keywords" if isinstance(what, tuple) else f"instance of `{what.name}`"


@contextmanager
def observing(observation: Observation) -> Iterator[None]:
    """Wrap the evaluators of the interpreter for as long as a block runs."""
    tables: tuple[dict[Any, Any], ...] = (evaluator.EVALUATE, evaluator.CALL)
    before = [dict(table) for table in tables]
    evaluator.EVALUATE |= {kind: _watched(observation, one) for kind, one in evaluator.EVALUATE.items()}
    evaluator.CALL |= {kind: _watched_call(observation, one) for kind, one in evaluator.CALL.items()}
    try:
        yield
    finally:
        for table, old in zip(tables, before, strict=True):
            table.update(old)


def _watched(observation: Observation, evaluate: Evaluator) -> Evaluator:
    def watched(frame: Frame, op: Any) -> Value:
        value = evaluate(frame, op)
        observation.see(frame, op, value)
        return value

    return watched


def _watched_call(observation: Observation, call: Caller) -> Caller:
    def watched(
        frame: Frame, op: Any, callee: Value, arguments: Arguments, ambient: Dependences, manner: CallMode
    ) -> Value:
        observation.call(frame, op, callee, arguments, ambient, manner)
        applied = frame.summary.run.callees
        before = len(applied)
        value = call(frame, op, callee, arguments, ambient, manner)
        summary = applied[before] if len(applied) > before else None
        observation.called(frame, op, callee, arguments, ambient, manner, summary)
        return value

    return watched
