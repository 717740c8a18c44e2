"""Interpretation of a file: its top level in order, its functions, its roots, and its callers in other files.

`interpret` returns the events of a file.  Summaries are applied where functions are called; functions without callers
are run at the end, because their certain events do not depend on a caller.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flake8_jax.analysis.calls.transforms import run_roots
from flake8_jax.analysis.checks.concrete import first_of_each_flag, without_truths_told
from flake8_jax.analysis.evaluator import run
from flake8_jax.analysis.modules.attributes import check_classes, told_once
from flake8_jax.analysis.modules.callers import Search, report_order, search_callers
from flake8_jax.analysis.modules.files import File
from flake8_jax.analysis.modules.presumptions import presumptions
from flake8_jax.analysis.modules.staleness import stale_reads
from flake8_jax.analysis.modules.untraced import breaking
from flake8_jax.analysis.record import Record, is_weak, stronger
from flake8_jax.analysis.summaries.fixpoint import in_own_record
from flake8_jax.analysis.summaries.records import APART, DEFINING, Records, repeated, total
from flake8_jax.domain.state import State
from flake8_jax.domain.summary import Event, EventKey, Summary
from flake8_jax.model.report import Dependencies

RECURSION = 12_000


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of running a file over abstract values.

    `events` are for the rules; `unknowns` counts why values were not known, `given_up` what was not run, `reached` the
    kinds of values that traced code passes to library functions with a row.  `dependencies` are the files that all this
    depends on.
    """

    events: list[Event]
    unknowns: Counter[str]
    given_up: Counter[str]
    reached: Counter[str]
    dependencies: Dependencies


def interpret(file: File) -> Findings:
    """The events of a file, including those caused by other files of its project."""
    program = file.linked.program
    own, records = Record(), Records(program)
    with deep_recursion():
        in_own_record(program, lambda: _run_top(file), own)
        records.take_record(own)
        for unit in file.units:
            if unit.statement.kind in DEFINING:
                file.run(unit)
                file.finish(unit)
                records.take_record(unit.record)
        foreign = Records(program)
        search = search_callers(file, foreign)
        if search is not None and search.is_exhausted():
            own.given_up["too many importers"] += 1
        in_own_record(program, lambda: check_classes(file, records.found, search, own), own)
    events = without_truths_told(told_once(_at_home(file, records.found, foreign.found, search)))
    traced = [summary for record in records.found for summary in _traced(record, file.path)]
    applied = [*traced, *(summary for record in foreign.found for summary in _traced(record, file.path))]
    events += [event for _, event in breaking(file, records.found, applied, (event.op for event in events))]
    reached = total(summary.run.reached for summary in traced)
    unknowns = total(record.unknowns for record in records.found)
    given_up = total(record.given_up for record in records.found)
    dependencies = _dependencies(file, [*records.found, *foreign.found], search)
    return Findings(events, unknowns, given_up, reached, dependencies)


def _dependencies(file: File, records: list[Record], search: Search | None) -> Dependencies:
    """The dependencies of the results; not computed where no report is kept."""
    if not file.linked.is_cached:
        return Dependencies(frozenset((file.path,)))
    paths, submodules = file.linked.program.dependencies.of(records)
    truncates = file.linked.truncating
    looked, searched = (search.looked, search.importers) if search is not None else ((), ())
    return Dependencies(frozenset((file.path, *paths, *looked)), frozenset(searched), frozenset(submodules), truncates)


def _run_top(file: File) -> None:
    """Run the top level in order; functions and classes are the shared ones."""
    frame = file.frame(file.top())
    for unit in file.units:
        if frame.state is None:
            break
        if unit.statement.kind in APART:
            for name, value in file.run(unit).items():
                frame.state.names[name] = value
        elif unit.module is not None:
            run(frame, unit.module.top.body)
    if frame.state is None:
        frame.state = State()
    run_roots(frame)


def _at_home(file: File, own: list[Record], foreign: list[Record], search: Search | None) -> list[Event]:
    """The events at ops of this file: those of its own code, then the plainest of other files.

    An argument that may be left out is left out by every call that is seen, else the call itself would say so.
    """
    complete = {place for record in (*own, *foreign) for place in record.complete}

    def events(record: Record) -> Iterator[tuple[EventKey, Event]]:
        for key, event in record.events.items():
            trace = event.context.trace
            is_left_out = trace is not None and trace.is_assumed and trace.place in complete
            if key[1].anchor.origin.path == file.path and not is_left_out:
                yield key, event

    found: dict[EventKey, Event] = {}
    for record in own:
        for key, event in events(record):
            found[key] = stronger(found.get(key), event)
    others: dict[EventKey, list[Event]] = {}
    for record in foreign:
        for key, event in events(record):
            if key not in found or is_weak(found[key]):
                others.setdefault(key, []).append(event)
    for key, several in others.items():
        found[key] = stronger(found.get(key), min(several, key=report_order))
    for key, event in repeated(file.path, [*own, *foreign]):
        found[key] = stronger(found.get(key), event)
    for key, event in stale_reads(file, [*own, *foreign]):
        found[key] = stronger(found.get(key), event)
    for key, event in presumptions(file, [*own, *foreign], search.looked if search is not None else ()):
        found.setdefault(key, event)
    return first_of_each_flag(found.values())


def _traced(record: Record, home: str) -> Iterator[Summary]:
    """The summaries of a file that are applied under a trace, and those applied in them."""
    waiting, seen = list(record.traced), set()
    while waiting:
        summary = waiting.pop()
        if summary.run.home == home and id(summary) not in seen:
            seen.add(id(summary))
            yield summary
            waiting.extend(summary.run.callees)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Expressions nest, and calls nest in them: room for both."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
