"""Faults in the analysis, kept to one function, statement, caller or check; the state of the program is put back.

    def broken(x): ...          making its summary raises: it is unknown from then on, with a reason
    def fine(key): ...          judged as ever
    broken(state)               like a call of a function that nobody knows

Why the state is exactly what it was.  Everything that a run of a body changes is of one of four sorts:

- *What runs* (`running`, `nesting`, `depth`, `lowest`, `members`, `provisional`, `bound`, `record`):
  nobody who raises puts these back, so that `ProgramSnapshot` holds them as they were when the piece began.
  `running` is a stack: what was entered since is what stands above its height.  What depended on what is cut off now
  (`provisional`, `bound`) is forgotten; it is found out again when somebody asks.
- *The record and the frame of the run* are let go with it.  A function or statement that is dropped gets a new record,
  so that none of its events is there, and the fault in it.
- *Frames around it*: a function that is dropped has not touched them, since what it does to them is in its summary.
  Where a piece runs in a frame that outlives it, that of a module, `FrameSnapshot` holds where that stood.  What such a
  piece had told before it raised stays: an event is told once it is certain, and whole.
- *What is remembered for all* (`summaries`, values of names, what was read of a file) is stored in one step, once it
  is complete.  Of what others computed meanwhile it stays true.

A result that a fault took part in is remembered, too: a defect in a function that a thousand files import costs one
fault, not one for each.  The fault lies in the record of that result, records name those that they depend on, and so
each file that depends on it knows (`faults_of`): the report is the same whichever file was judged first.

An expression that is nested too deeply for the interpreter depends on how deep its caller stands: such a result holds
for that caller only, like one that is cut off (`Program.give_up`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from types import TracebackType
from typing import ParamSpec, TypeVar

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.frame import EvaluationContext, Frame
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.record import Record
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import Iterations, Repetition
from flake8_jax.domain.state import State
from flake8_jax.domain.summary import BodyRun, Summary
from flake8_jax.domain.value import unknown
from flake8_jax.ir.ops import Anchor, Op
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model import faults
from flake8_jax.model.faults import Fault, Isolated, Taker

Taken = ParamSpec("Taken")
Made = TypeVar("Made")
Otherwise = TypeVar("Otherwise")

DEFECT = "a defect of flake8-jax"
"""Why something is unknown, or was given up, that raised."""

ADVICE = "the advice of a finding"
NOTES = "the notes of a finding"
"""What a fault calls pieces of findings."""

NOWHERE = ("", 0)


@dataclass(frozen=True, slots=True)
class ProgramSnapshot:
    """What runs in a program at one moment: `height` computations; `known` of the `members` were there,
    and the record had `spent` so many ops."""

    record: Record
    height: int
    known: int
    lowest: int
    nesting: int
    depth: int
    spent: int

    @classmethod
    def of(cls, program: Program) -> ProgramSnapshot:
        """What runs now."""
        return cls(
            program.record, len(program.running), len(program.members), program.lowest,
            program.nesting, program.depth, program.costs.ops - program.base,
        )  # fmt: skip

    def restore(self, program: Program) -> None:
        """Put the program back."""
        while len(program.running) > self.height:
            program.running.popitem()
        program.drop(self.known)
        program.forget(self.height)
        program.record, program.lowest = self.record, self.lowest
        program.nesting, program.depth = self.nesting, self.depth
        program.base = program.costs.ops - self.spent  # nobody pays for what is dropped


@dataclass(frozen=True, slots=True)
class FrameSnapshot:
    """Where a frame stands at one moment."""

    state: State | None
    path: Path
    context: EvaluationContext
    iterations: Iterations
    repetitions: tuple[Repetition, ...]
    discarded: Op | None
    waiting: tuple[int, int, int, int]

    @classmethod
    def of(cls, frame: Frame) -> FrameSnapshot:
        """Where it stands now."""
        exits = frame.exits
        waiting = len(exits.returned), len(exits.breaks), len(exits.continues), len(exits.caught)
        return cls(
            frame.state, frame.path, frame.context, frame.iterations, frame.repetitions, frame.discarded, waiting
        )

    def restore(self, frame: Frame) -> None:
        """Put the frame back."""
        frame.state, frame.context, frame.discarded = self.state, self.context, self.discarded
        frame.iterations, frame.repetitions = self.iterations, self.repetitions
        returned, breaks, continues, caught = self.waiting
        del frame.exits.returned[returned:], frame.exits.breaks[breaks:]
        del frame.exits.continues[continues:], frame.exits.caught[caught:]
        if frame.state is not None:
            frame.state.path, frame.state.is_over = self.path, False


class FaultBarrier:
    """A context manager that ends an exception of the analysis raised in its body, and restores the program and the
    given frame.

    The fault is taken by `take`, or goes to the record that is current around it.
    """

    __slots__ = ("_frame", "_line", "_path", "_program", "_standing", "_take", "_what", "_where")

    def __init__(
        self, program: Program, what: str, place: tuple[str, int], take: Taker | None = None, frame: Frame | None = None
    ) -> None:
        self._program = program
        self._what = what
        self._path, self._line = place
        self._take = take
        self._frame = frame

    def __enter__(self) -> None:
        self._standing = ProgramSnapshot.of(self._program)
        self._where = FrameSnapshot.of(self._frame) if self._frame is not None else None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None or not faults.is_contained(error):
            return False
        program = self._program
        self._standing.restore(program)
        if self._frame is not None and self._where is not None:
            self._where.restore(self._frame)
        if isinstance(error, RecursionError):
            program.lowest = -1
        fault = faults.fault_of(error, self._what, self._path, self._line)
        if self._take is not None:
            program.has_faults = True
            self._take(fault)
        else:
            note_fault(program, fault)
        return True


def note_fault(program: Program, fault: Fault, into: Record | None = None) -> None:
    """Put a fault into a record, by default the current one: whoever depends on that depends on it."""
    program.has_faults = True
    (into or program.record).faults.append(fault)


def shown_at(op: Op) -> tuple[str, int]:
    """The path and line of an op, as messages show them."""
    return op.anchor.origin.shown, op.anchor.line


def place_of(function: FunctionValue) -> tuple[str, int]:
    """The path and line of a function, as messages show them."""
    anchor = function.function.anchor
    return anchor.origin.shown, anchor.line


def summary_after_fault(program: Program, function: FunctionValue, found: list[Fault]) -> Summary:
    """The summary of a function whose analysis raised an exception: calls of it are calls of unknown code."""
    record = record_of_fault(program, function.frame.namespace.file.path, found)
    run = BodyRun(function.frame.namespace.file.path, record, function.function)
    return Summary(run=run, returns=unknown(DEFECT), is_dropped=True)


def record_of_fault(program: Program, path: str, found: list[Fault]) -> Record:
    """The record of a piece of code whose analysis raised: it depends on the file of the code and holds the faults."""
    record = Record()
    record.asked.add(program.dependencies.number(path))
    record.given_up[DEFECT] += len(found)
    record.faults.extend(found)
    return record


def faults_of(program: Program, records: Iterable[Record]) -> tuple[Fault, ...]:
    """The faults in records and in all that they depend on, each once, in the order of their places."""
    if not program.has_faults:
        return ()
    waiting, seen, found = list(records), set[Record](), dict[Fault, None]()
    while waiting:
        record = waiting.pop()
        if record not in seen:
            seen.add(record)
            found.update(dict.fromkeys(record.faults))
            waiting.extend(record.uses)
    return tuple(sorted(found, key=lambda one: (one.path, one.line, one.what, one.error)))


def advising(what: str, otherwise: Otherwise) -> Callable[[Callable[Taken, Made]], Callable[Taken, Made | Otherwise]]:
    """Decorates what makes a piece of a finding: where that raises, the finding has another one in its place, or none.

    The piece belongs to the first op, event, use or frame that is given.
    """

    def decorate(make: Callable[Taken, Made]) -> Callable[Taken, Made | Otherwise]:
        @wraps(make)
        def made(*args: Taken.args, **keywords: Taken.kwargs) -> Made | Otherwise:
            with Isolated(what, *_place(args)):
                return make(*args, **keywords)
            return otherwise

        return made

    return decorate


def _place(given: tuple[object, ...]) -> tuple[str, int]:
    for one in given:
        if isinstance(one, Use):
            return one.path, one.line
        anchor = one.function.anchor if isinstance(one, Frame) else getattr(getattr(one, "op", one), "anchor", None)
        if isinstance(anchor, Anchor):
            return anchor.origin.shown, anchor.line
    return NOWHERE
