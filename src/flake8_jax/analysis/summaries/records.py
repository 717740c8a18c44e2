"""Completing and collecting the records of a file's statements and functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from flake8_jax.analysis.callables import Wrapped
from flake8_jax.analysis.checks.keys.displays import emit_displays
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.isolation import DEFECT, FaultBarrier, place_of, shown_at, summary_after_fault
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.record import Record, record_of
from flake8_jax.analysis.summaries.deferral import release
from flake8_jax.analysis.summaries.fixpoint import in_own_record
from flake8_jax.domain.effects import Event, EventKey
from flake8_jax.domain.summary import Summary
from flake8_jax.model.faults import Fault

if TYPE_CHECKING:
    from flake8_jax.analysis.callables import FunctionValue

Counted = TypeVar("Counted")

DEFINING = frozenset(("def", "class"))
"""Statements that make functions, to be run apart from the top level around them."""

APART = DEFINING | {"import"}
"""Statements that are run apart from the top level around them, by whoever asks for what they bind."""


class Records:
    """Complete records, each once, in the order in which they were taken."""

    __slots__ = ("_program", "_taken", "found")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._taken: set[int] = set()
        self.found: list[Record] = []

    def take_apart(self, record: Record) -> None:
        """Take the record of a statement, without the functions that it makes."""
        self._take(record)

    def take_function(self, summary: Summary) -> None:
        """Take the record of a function's body, and of those made in it."""
        record = record_of(summary)
        if record is not None:
            self.take_record(record)

    def take_record(self, record: Record) -> None:
        """Take a record, and those of all functions made in it."""
        if self._take(record):
            self._run_inner(record)
            _note_taken(record)

    def _take(self, record: Record) -> bool:
        if id(record) in self._taken:
            return False
        self._taken.add(id(record))
        self.found.append(record)
        return True

    def _run_inner(self, record: Record) -> None:
        is_complete = record.completed == len(record.functions)
        for inner in record.functions:  # grows while they are run
            if inner.is_independent_of_callers:
                self.take_function(summary_of(self._program, inner))
            elif not is_complete:
                self._run_apart(inner, record)
        if is_complete:
            return
        if record.displays:
            _, op, _ = record.displays[0][1]
            with FaultBarrier(self._program, "the check of keys in displays", shown_at(op), record.faults.append):
                in_own_record(self._program, partial(emit_displays, self._program), record)
        record.forget_values()
        record.summaries.clear()  # the runs for single calls: all that they found is in the record
        record.completed = len(record.functions)

    def _run_apart(self, inner: FunctionValue, record: Record) -> None:
        """Run a function that another one made, in a record of its own; if that raises, it is dropped for everybody."""
        found: list[Fault] = []
        with FaultBarrier(self._program, inner.function.title, place_of(inner), found.append):
            in_own_record(self._program, partial(_run, self._program, inner), record)
        if found:
            inner.summary = summary_after_fault(self._program, inner, found)
            record.faults.extend(found)
            record.given_up[DEFECT] += len(found)


def _note_taken(record: Record) -> None:
    """Note that somebody depends on all that was found in a run: on what the function tells by its general one."""
    if record.code is not None and not record.is_specialized:
        record.code.note_told()
    elif record.code is not None:
        record.code.read  # noqa: B018


def says_little(record: Record) -> bool:
    """Was nothing found in a run but which functions call which, and what refutes presumptions?"""
    return not any(getattr(record, name) for name in SAYING) and not any(
        isinstance(one, Wrapped) for one, _ in record.sites
    )


SAYING = (
    "events", "presumed", "repeated", "guarded", "calls", "complete", "traced", "unstaged", "faults", "marks"
)  # fmt: skip


def _run(program: Program, inner: FunctionValue) -> None:
    """Run a function that may never have been called, for its events."""
    release(program.record, summary_of(program, inner))


def total(counts: Iterable[Mapping[Counted, int]]) -> Counter[Counted]:
    """The sum of some counts."""
    found: Counter[Counted] = Counter()
    for count in counts:
        for counted, number in count.items():
            found[counted] += number
    return found


def repeated(home: str, records: Iterable[Record]) -> Iterator[tuple[EventKey, Event]]:
    """The events of one file that are certain because their traced functions are called more than once."""
    records = list(records)
    if any(record.repeated for record in records):
        yield from _repeated(home, records)


def _repeated(home: str, records: list[Record]) -> Iterator[tuple[EventKey, Event]]:
    calls = total(record.calls for record in records)
    for record in records:
        for one in record.repeated:
            count = calls[one.place]
            event = one.event(count) if one.op.anchor.origin.path == home else None
            if event is not None:
                yield (type(event), one.op, ()), event
