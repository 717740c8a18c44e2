"""Interpretation of a file: its top level in order, its functions, its roots, and its callers in other files.

`interpret` returns the events of a file.  Summaries are applied where functions are called; functions without callers
are run at the end, because their certain events do not depend on a caller.

What raises costs itself alone (`isolation.py`): a function, a statement, a caller, a check at the end.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from flake8_jax.analysis.budget import room_for_callers
from flake8_jax.analysis.calls.transforms import run_roots
from flake8_jax.analysis.certainty import certain, is_assumed, stronger
from flake8_jax.analysis.checks.compilation.constants import ConstantHeld
from flake8_jax.analysis.checks.compilation.objects_traced import ObjectTraced
from flake8_jax.analysis.checks.concrete import declared_together, first_of_each_flag, without_truths_told
from flake8_jax.analysis.checks.contracts.foreign import without_flags_told
from flake8_jax.analysis.checks.effects.frozen_reads import StaleRead
from flake8_jax.analysis.checks.keys.advancing import KeyNotAdvanced
from flake8_jax.analysis.checks.keys.repetition import KeyRepeated
from flake8_jax.analysis.checks.keys.uses import KeyConsumed
from flake8_jax.analysis.checks.releases.checking import imports_changed, with_releases
from flake8_jax.analysis.checks.startup.at_import import ComputedAtImport, told_at_first
from flake8_jax.analysis.checks.startup.missed import SettingMissed
from flake8_jax.analysis.evaluator import run
from flake8_jax.analysis.isolation import DEFECT, FaultBarrier, faults_of, note_fault
from flake8_jax.analysis.modules.attributes import check_classes, without_repeated_attribute_uses
from flake8_jax.analysis.modules.callers import Search, report_order, search_callers
from flake8_jax.analysis.modules.eager_layers import without_eager_layers
from flake8_jax.analysis.modules.files import DROPPED_STATEMENT, File
from flake8_jax.analysis.modules.kept_searches import is_silent, keep_search, traced_in, traced_within
from flake8_jax.analysis.modules.presumptions import presumptions
from flake8_jax.analysis.modules.registrations import named
from flake8_jax.analysis.modules.self_tests import without_self_tests
from flake8_jax.analysis.modules.staleness import stale_reads
from flake8_jax.analysis.modules.starting import imports_of
from flake8_jax.analysis.modules.untraced import breaking
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.summaries.deferral import uncalled
from flake8_jax.analysis.summaries.fixpoint import in_own_record
from flake8_jax.analysis.summaries.records import APART, DEFINING, Records, repeated, total
from flake8_jax.analysis.summaries.unstaged import is_staged, never_staged
from flake8_jax.domain.effects import Event, EventKey
from flake8_jax.domain.startup import added
from flake8_jax.domain.state import State
from flake8_jax.domain.value import unknown
from flake8_jax.ir.ops import Function, Module
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.faults import Fault, collecting
from flake8_jax.model.report import EXACT, UNBOUNDED, Dependencies
from flake8_jax.syntax.questions import CHANGED, CODE, HEAD, TEXT

FinalCheck: TypeAlias = "Callable[[str], FaultBarrier]"
"""What keeps a check at the end of a file, by its name, from ending the others."""

EventElsewhere: TypeAlias = "tuple[str, int, str]"
"""The path and line of an event, and its class."""

RECURSION = 12_000

INCLUDED_IN: dict[type, tuple[type, ...]] = {ConstantHeld: (StaleRead,), KeyNotAdvanced: (KeyRepeated, KeyConsumed)}
"""Events that are not told where one of the others is told of the same op: its remedy is theirs, too."""

MAXIMUM_RERUNS = 8
"""How often a file's top level is run anew without a statement that raised; one more ends it there."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of running a file over abstract values.

    `events` are for the rules; `unknowns` counts why values were not known, `given_up` what was not run, `reached` the
    kinds of values that traced code passes to library functions with a row.  `faults` are what was dropped in it, for
    it raised.  `search` is the search for callers, `elsewhere` are the events in other files that it showed.
    """

    events: list[Event]
    unknowns: Counter[str]
    given_up: Counter[str]
    reached: Counter[str]
    faults: tuple[Fault, ...] = ()
    search: Search | None = None
    elsewhere: frozenset[EventElsewhere] = frozenset()


def interpret(file: File) -> Findings:
    """The events of a file, including those caused by other files of its project.

    A file that can make nothing of JAX is not run itself, unless a caller shows something in it.
    """
    with deep_recursion(), collecting(partial(note_fault, file.linked.program)):
        return _interpreted(file, is_alone=False, is_known=True)


def interpret_searched(file: File) -> Findings:
    """The same, where callers are searched for even if it is known that they show nothing."""
    with deep_recursion(), collecting(partial(note_fault, file.linked.program)):
        return _interpreted(file, is_alone=False)


def interpret_whole(file: File) -> Findings:
    """The events of a file, of which everything is run."""
    with deep_recursion(), collecting(partial(note_fault, file.linked.program)):
        return _interpreted(file, is_alone=False, is_whole=True)


def interpret_alone(file: File) -> Findings:
    """The events of a file, without those that its callers in other files cause."""
    with deep_recursion(), collecting(partial(note_fault, file.linked.program)):
        return _interpreted(file, is_alone=True)


def interpret_copy(file: File, before: Search | None) -> Findings:
    """The events of a changed copy of a file, with those that its callers cause, if there was a search for them."""
    with deep_recursion(), collecting(partial(note_fault, file.linked.program)):
        return _interpreted(file, is_alone=before is None, before=before)


def _interpreted(
    file: File, is_alone: bool, before: Search | None = None, is_whole: bool = False, is_known: bool = False
) -> Findings:
    program = file.linked.program
    records, foreign = Records(program), Records(program)
    own = _run_all(file, records) if file.may_trace else Record()
    check: FinalCheck = partial(_check, file, own)
    search: Search | None = None
    with check("the search for callers"):
        known = [*records.found] if is_known else None
        search = search_callers(file, foreign, own, before, known) if not is_alone else None
        if search is not None and search.is_exhausted():
            own.given_up["too many importers"] += 1
    if not file.may_trace:
        records.take_record(own)
        if is_whole or _shows_something(file, foreign):
            _run_all(file, records)
    with check("the check of classes"):
        in_own_record(program, lambda: check_classes(file, records.found, search, own), own)
    with check("the findings that calls decide"):
        records.take_record(uncalled([*records.found, *foreign.found]))
    with collecting(partial(note_fault, program, into=own)):
        events = _at_home(file, records.found, foreign.found, search, check)
    if search is not None:
        with check("the question whether callers show anything"):
            search.is_silent = is_silent(search)
    for once in (
        first_of_each_flag,
        without_flags_told,
        without_repeated_attribute_uses,
        without_truths_told,
        declared_together,
    ):
        with check("the comparison of findings"):
            events = once(events)
    with check("the question whether a file is a script"):
        events = _without_scripts(file, events)
    with check("the question whether a module is tried where it is run"):
        events = without_self_tests(file, events, search)
    with check("the search for functions that nobody names"):
        events = _without_unused(file, events, search)
    with check("the question whether layers are run as they are"):
        events = without_eager_layers(file, events, search, foreign.found)
    traced = traced_within(records.found, file.path)
    applied = {summary.run.function for summary in traced_within([*records.found, *foreign.found], file.path)}
    if search is not None and search.kept is not None:
        applied |= traced_in(file, search.kept[0])
    with collecting(partial(note_fault, program, into=own)), check("the check of untraced functions"):
        events += [event for _, event in breaking(file, records.found, applied, [event.op for event in events])]
    with collecting(partial(note_fault, program, into=own)), check("the check of releases"):
        events = with_releases(events, _modules(file), file.linked.target.for_file(file.whole))
    reached = total(summary.run.reached for summary in traced)
    unknowns = total(record.unknowns for record in records.found)
    given_up = total(record.given_up for record in records.found)
    both = [*records.found, *foreign.found]
    program.record.uses.update(both)
    elsewhere = _elsewhere(file, foreign.found)
    for record in both:
        record.end()
    return Findings(events, unknowns, given_up, reached, faults_of(program, both), search, elsewhere)


def _run_all(file: File, records: Records) -> Record:
    """Run a file and all functions in it; returns the record of its top level."""
    own = _run_top(file)
    records.take_record(own)
    for unit in file.units:
        if unit.statement.kind in DEFINING:
            file.run(unit)
            file.finish(unit)
            records.take_record(unit.record)
    return own


def _shows_something(file: File, foreign: Records) -> bool:
    """Do callers show something at ops of a file?"""
    keys = (key for record in foreign.found for key in (*record.events, *record.presumed))
    repeated = (one.op for record in foreign.found for one in record.repeated)
    return any(op.anchor.origin.path == file.path for op in (*(key[1] for key in keys), *repeated))


def _without_scripts(file: File, events: list[Event]) -> list[Event]:
    """The events without those that are hazards only where a file is imported, if it is a script; else the first has
    the others."""
    if not any(type(event) is ComputedAtImport for event in events):
        return events
    if not file.is_script:
        return told_at_first(events)
    return [event for event in events if type(event) is not ComputedAtImport]


def _without_unused(file: File, events: list[Event], search: Search | None) -> list[Event]:
    """The events without those of functions that do wrong only where they are called, and that nobody names."""
    asked = {event: function for event in events if (function := _if_called(event)) is not None}
    called = named({*asked.values()}, file.source_text, search)
    return [event for event in events if event not in asked or asked[event] in called]


def _if_called(event: Event) -> Function | None:
    """The function that has to be called, for an event to do harm, and of which no call is seen."""
    if isinstance(event, SettingMissed):
        setter = event.setter
        return setter if setter is not None and setter.kind == "def" and setter.qualname == setter.name else None
    return event.method if isinstance(event, ObjectTraced) else None


def _check(file: File, into: Record, what: str) -> FaultBarrier:
    """A check at the end of a file: one that raises is dropped."""
    return FaultBarrier(file.linked.program, what, (file.namespace.path, 1), into.faults.append)


def dependencies_of(file: File, findings: Findings, asked: Record) -> Dependencies:
    """What the report on a file depends on, where a record has all that was asked meanwhile; not computed where no
    report is kept.
    """
    if not file.linked.is_cached:
        return Dependencies({file.path: TEXT})
    questions, others = file.linked.program.dependencies.of(asked)
    search = findings.search
    looked, searched = (search.looked, search.importers) if search is not None else ((), ())
    leading = file.linked.program.dependencies.of(search.leads)[0].files if search is not None else {}
    for path in looked:
        questions.files[path] = questions.files.get(path, 0) | HEAD | leading.get(path, 0)
    questions.files[file.path] = questions.files.get(file.path, 0) | HEAD | CODE | CHANGED
    found = dict(file.linked.answered(others.sought))
    told = file.linked.told(questions, file.path)
    on = Dependencies(
        questions.files, frozenset(searched), others.submodules, file.linked.truncating, found, told=told,
        room=_room(file, findings),
    )  # fmt: skip
    if search is None:
        return on
    if search.kept is not None:
        return on | search.kept[1]
    if search.is_silent:
        keep_search(search, _asked_by(search, leading))
    return on


def _room(file: File, findings: Findings) -> int:
    """How much more the callers may weigh before the report is another one; remedies of what was found may have been
    tried with callers, which has bounds of its own.
    """
    search = findings.search
    if search is None or search.is_exhausted() or findings.events:
        return EXACT
    within = search.lines if search.kept is None else search.kept[0].within
    return room_for_callers(within, file.size)


def _asked_by(search: Search, leading: Mapping[str, int]) -> Dependencies:
    """What a search for callers depends on, given what leads on in it: of the file itself on what callers run."""
    linked, asked = search.home.linked, search.noted
    asked.uses.update(search.records.found)
    questions, others = linked.program.dependencies.of(asked)
    for path in search.looked:
        questions.files[path] = questions.files.get(path, 0) | HEAD | leading.get(path, 0)
    questions.files[search.home.path] = questions.files.get(search.home.path, 0) | HEAD
    found = dict(linked.answered(others.sought))
    told = linked.told(questions)
    return Dependencies(
        questions.files, frozenset(search.importers), others.submodules, linked.truncating, found, told=told,
        room=EXACT if search.is_exhausted() else UNBOUNDED,
    )  # fmt: skip


def _run_top(file: File) -> Record:
    """Run the top level in order; functions and classes are the shared ones.

    A statement that raises has left half of what it does.  The top level is then run anew without it.
    """
    program, dropped = file.linked.program, dict[int, Fault]()
    while True:
        record, before = Record(), len(dropped)
        in_own_record(program, partial(_run_units, file, dropped), record)
        if not before < len(dropped) <= MAXIMUM_RERUNS:
            if dropped:
                record.faults.extend(dropped.values())
                record.given_up[DEFECT] += len(dropped)
            return record


def _run_units(file: File, dropped: dict[int, Fault]) -> None:
    """Run the statements that are not dropped, up to one that raises."""
    frame = file.frame(file.top())
    file.linked.program.record.code = frame.function
    for unit in file.units:
        if frame.state is None:
            break
        if unit.number in dropped:
            for name in unit.statement.binds:
                frame.state.names[name] = unknown(DEFECT)
        elif unit.statement.kind in APART:
            for name, value in file.run(unit).items():
                frame.state.names[name] = value
            is_import = unit.statement.kind == "import"
            steps = imports_of(file.linked, file, unit.number) if is_import else unit.record.started
            frame.state.started = added(frame.state.started, steps)
        else:
            take = partial(dropped.__setitem__, unit.number)
            with FaultBarrier(file.linked.program, DROPPED_STATEMENT, file.place_of(unit), take, frame):
                lowered = file.lowered(unit)
                run(frame, lowered.top.body if lowered is not None else ())
            if unit.number in dropped:
                break
    if frame.state is None:
        frame.state = State()
    run_roots(frame)


def _at_home(
    file: File, own: list[Record], foreign: list[Record], search: Search | None, check: FinalCheck
) -> list[Event]:
    """The events at ops of this file: those found in its own code, then the ones with the shortest explanation found by
    other files.

    An argument that may be left out is left out by every call that is seen, else the call itself would say so.
    """
    complete = {place for record in (*own, *foreign) for place in record.complete}
    unstaged, places = never_staged([*own, *foreign])

    def events(record: Record) -> Iterator[tuple[EventKey, Event]]:
        is_unstaged = record.code in unstaged
        for key, event in record.events.items():
            place = event.context.place
            is_left_out = is_assumed(event) and place in complete
            if (is_unstaged or place in places) and is_staged(event):
                continue
            if key[1].anchor.origin.path == file.path and not is_left_out:
                yield key, event

    found: dict[EventKey, Event] = {}
    for record in own:
        for key, event in events(record):
            found[key] = stronger(found.get(key), event)
    others: dict[EventKey, list[Event]] = {}
    for record in foreign:
        for key, event in events(record):
            others.setdefault(key, []).append(event)
    for key, several in others.items():
        found[key] = stronger(found.get(key), min(several, key=report_order))
    with check("the count of calls"):
        for key, event in repeated(file.path, [*own, *foreign]):
            found[key] = stronger(found.get(key), event)
    with check("the check of stale reads"):
        for key, event in stale_reads(file, [*own, *foreign]):
            found[key] = stronger(found.get(key), event)
    with check("the check of what is presumed"):
        for key, event in presumptions(file, [*own, *foreign], search):
            found.setdefault(key, event)
    told = {(type(event), event.op) for event in certain(found.values())}
    kept = {(op.anchor.origin.shown, op.anchor.line) for kind, op in told if kind is KeyNotAdvanced}
    return [
        event for key, event in found.items()
        if not any((other, key[1]) in told for other in INCLUDED_IN.get(key[0], ())) and not _is_told(event, kept)
    ]  # fmt: skip


def _is_told(event: Event, kept: set[tuple[str, int]]) -> bool:
    """Is it a key in what a loop hands on, of which it is told where it is used up, in the function that returns it?"""
    within = event.use.within if type(event) is KeyRepeated and event.is_handed_back else None
    return within is not None and (within.path, within.line) in kept


def _modules(file: File) -> Iterator[Module]:
    """The statements of a file as ops; of those that import, the ones with something of a library that has changed."""
    for unit in file.units:
        is_import = unit.statement.kind == "import"
        if is_import and not imports_changed(unit.statement.imports):
            continue
        module = file.lowered(unit) if is_import else unit.module
        if module is not None:
            yield module


def _elsewhere(file: File, foreign: list[Record]) -> frozenset[EventElsewhere]:
    """The events at ops of other files that the callers of those files make certain."""
    places = ((op.anchor, kind) for record in foreign for (kind, op, *_) in record.events)
    return frozenset(
        (anchor.origin.path, anchor.line, kind.__name__) for anchor, kind in places if anchor.origin.path != file.path
    )


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise the recursion limit for the duration of a block: expressions nest, and calls nest within them."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
