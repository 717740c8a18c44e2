"""The pipeline from a file to its diagnostics.  It is the only module that knows all stages; each is imported when a
file first needs it.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flake8_jax.call_room import with_room
from flake8_jax.driver.gave_up import CELL, NOTEBOOK, cell_gave_up, gave_up, in_part
from flake8_jax.driver.projects import Projects
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.codes import UNJUDGED, UNUSED
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Edit, Fix, Note, Span, printable
from flake8_jax.model.faults import Fault, Isolated, collecting, told, traced
from flake8_jax.model.report import Dependencies, Report, Statistics
from flake8_jax.syntax.notebooks import is_notebook
from flake8_jax.syntax.questions import TEXT
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep, Unreadable
from flake8_jax.syntax.tests import is_test_file

if TYPE_CHECKING:
    from flake8_jax.analysis.interpretation import Findings
    from flake8_jax.analysis.modules.files import File
    from flake8_jax.analysis.modules.linking import LinkedProject
    from flake8_jax.ir.ops import Op
    from flake8_jax.rules import Discovered, Rule
    from flake8_jax.rules.rule import Remedied, RuleEvent
    from flake8_jax.syntax.directives import CommentEvent
    from flake8_jax.syntax.namesakes import NamesakeImported
    from flake8_jax.syntax.positions import Locator
    from flake8_jax.syntax.suppressions import Suppressions

RAISING = "raises:"
"""How the hazard of a rule begins that raises."""

RAISES = "raises-exception"
"""The tag of a cell by which Jupyter goes on where it raises."""


def lint(
    source: SourceFile, config: Config, projects: Projects | None = None, is_alone: bool = False
) -> Report:  # fmt: skip
    """Analyse one file; never raises.

    `source` is its text with its path, `config` the options that rule it.  `projects` are those that were read for
    files judged before: what is on disk is not looked at again; without them they are made for this file alone.
    `is_alone` leaves out what callers in other files do with it; such a report is not kept.

    A failure of the analysis becomes a report that was given up (JAX000), one that costs a part of the file a report
    with faults.
    """
    if projects is None:
        projects = Projects(config)
        report = lint(source, config, projects, is_alone)
        projects.close()
        return report
    failed: BaseException
    try:
        if not projects.may_concern_jax(source):
            return Report((), None, Statistics(files=1))
        if source.concerns_jax() and is_notebook(source.text):
            return unjudged(source.path, NOTEBOOK)
        known = projects.cached_report(source) or projects.answered_report(source)
        return known if known is not None else _found_out(source, config, projects, is_alone)
    except Unreadable as error:
        return unjudged(source.path, error.reason)
    except RecursionError as error:
        failed, reason = error, "nested too deeply"
    except MemoryError as error:
        failed, reason = error, "out of memory"
    except Exception as error:
        failed, reason = error, f"a defect of flake8-jax ({told(error)})"
    if config.debug:
        _show(source.path, traced(failed))
    projects.forget(source)
    return unjudged(source.path, reason)


def _show(place: str, trace: str) -> None:
    """Where an error was raised, in one piece: other processes may write, too."""
    import sys

    sys.stderr.write(f"flake8-jax: {place}:\n{trace}")
    sys.stderr.flush()


def _found_out(source: SourceFile, config: Config, projects: Projects, is_alone: bool) -> Report:
    is_near, why = projects.near_jax(source)
    if not is_near:
        report, dependencies = Report((), None, Statistics(files=1)), why
    else:
        try:
            report, dependencies = _judged(source, config, projects, is_alone)
        except (NotPython, TooDeep) as error:
            from flake8_jax.syntax.unread import why_unread

            unread = why_unread(source, error)
            report = unjudged(source.path, unread.reason, getattr(error, "line", 1))
            if unread.is_of_project:
                return report  # not remembered: no report depends on a project's configuration
            dependencies = Dependencies({os.path.abspath(source.path): TEXT})
        if not source.concerns_jax():
            dependencies |= why
    if not is_alone:
        projects.cache_report(source, report, dependencies)
    return report


def unjudged(path: str, reason: str, line: int = 1) -> Report:
    """The report of a file that could not be analysed at all."""
    return Report((gave_up(path, reason, line),), reason, Statistics(1, 0, given_up=Counter(["the whole file"])))


@with_room
def _judged(source: SourceFile, config: Config, projects: Projects, is_alone: bool) -> tuple[Report, Dependencies]:
    from flake8_jax.analysis.interpretation import dependencies_of
    from flake8_jax.analysis.record import Record
    from flake8_jax.driver.remedies import settled
    from flake8_jax.syntax.source import collector_paused
    from flake8_jax.syntax.suppressions import Suppressions
    from flake8_jax.syntax.unread import unread_cells

    dropped, asked = list[Fault](), Record()
    linked = projects.linked(source)
    with collector_paused(), collecting(dropped.append), linked.program.tracking(asked):
        before = replace(linked.program.costs)
        unread, comments, is_searched = list(unread_cells(source)), Suppressions(source), False
        while True:
            file, findings = interpreted(source, linked, is_alone, is_searched)
            if unread:
                findings.given_up[CELL] += len(unread)
            rules = active_rules(file, config)
            beside = events_of_text(source, file, findings, comments, rules, config)
            found = diagnosed(source, file, [*findings.events, *beside], rules, config)
            if is_searched or not _needs_callers(found, findings):
                break
            is_searched = True
        known = [*findings.faults, *dropped]
        diagnostics = settled(source, file, found, rules, findings, known)
        linked.program.costs.judged += 1
        statistics = _counted(file, findings)
        statistics.costs.add(linked.program.costs.since(before))
        source.release()
    if not config.disable_noqa:
        diagnostics = comments.without(diagnostics)
    diagnostics = in_cells(source, diagnostics)
    if unread and source.cells is not None:  # what stands beside the cells stands for one that is not Python
        diagnostics = [each for each in diagnostics if source.cells.is_in_cell(each.span.line)]
        diagnostics += (cell_gave_up(source.path, each.line, each.reason) for each in unread)
        diagnostics.sort(key=Diagnostic.sort_key)
    faults = _seen_from(source, file, [*known, *dropped], config)
    if faults:
        diagnostics = sorted([*diagnostics, in_part(source.path, faults)], key=Diagnostic.sort_key)
    report, on = Report(tuple(diagnostics), None, statistics, faults), dependencies_of(file, findings, asked)
    on |= read_whole(report, on, source, file)
    linked.fold()
    return report, on


def _needs_callers(found: Iterable[Diagnostic], findings: Findings) -> bool:
    """Are remedies to be tried with callers that were not run, since it is known that they show nothing?"""
    is_kept = findings.search is not None and findings.search.kept is not None
    return is_kept and any(each.remedy is not None and each.remedy.by_callers for each in found)


def read_whole(report: Report, on: Dependencies, source: SourceFile, file: File) -> Dependencies:
    """What counts of comments and lines: of the files of which a report names lines the statements where these are, all
    of a file where that does not tell, as of the judged one where something is suppressed in it.
    """
    from flake8_jax.syntax.directives import holds_any
    from flake8_jax.syntax.moving import digests_of, stretch_of

    project = file.linked.project
    is_whole = holds_any(source.text) or (report.diagnostics and source.cells is not None)
    whole = {file.path: TEXT} if is_whole else {}
    if project is None or not report.diagnostics:
        return Dependencies(whole)
    words = "\n".join(each.message for each in report.diagnostics)
    places = {note.path for each in report.diagnostics for note in each.notes}
    lines, shown = lines_shown(report), dict[str, tuple[tuple[int, bytes], ...]]()
    for path in on.files:
        name = "" if path == file.path else project.shown(path)
        text, index = project.text(path), project.index(path)
        if name and name not in places and name not in words:
            continue
        if lines is None or text is None or index is None:
            whole[path] = TEXT
        elif path not in whole:
            found = {stretch_of(index, line) for line in lines.get(name, ())}
            shown[path] = tuple(digests_of(index, SourceFile(path, text).lines, found))
    return Dependencies(whole, shown=shown)


def lines_shown(report: Report) -> dict[str, set[int]] | None:
    """The lines that a report names or changes, by the names of files, which is "" for its own; None where it does not
    tell of which file a line is.
    """
    from flake8_jax.syntax.moving import lines_said

    found = defaultdict[str, set[int]](set)
    for each in report.diagnostics:
        found[""] |= {each.span.line, each.span.end_line}
        own = [each.message, *([each.fix.title] if each.fix is not None else ())]
        for note in each.notes:
            found["" if note.path == each.path else note.path].add(note.line)
            if note.path == each.path:
                own.append(note.text)
            elif any(True for _ in lines_said(note.text)):
                return None
        for lines in (lines for text in own for lines in lines_said(text)):
            found[lines.file].update(lines.numbers)
        edits = (*(each.fix.edits if each.fix is not None else ()), *(each.remedy.edits if each.remedy else ()))
        for edit in edits:  # what stands above a line may decide where another is put
            found[""] |= {edit.span.line - 1, edit.span.line, edit.span.end_line}
    return found


def _seen_from(source: SourceFile, file: File, faults: Iterable[Fault], config: Config) -> tuple[Fault, ...]:
    """What was dropped for a file, each once, in order, its own first; its places are called as the file was given."""
    found: dict[Fault, None] = {}
    for fault in faults:
        path = source.path if fault.path in ("", file.namespace.path) else fault.path
        one = replace(fault, path=path)
        if one not in found and config.debug:
            _show(f"{path}:{fault.line}: {fault.what}", fault.trace)
        found[replace(one, trace="")] = None
    return tuple(sorted(found, key=lambda one: (one.path != source.path, one.path, one.line, one.what, one.error)))


def interpreted(
    source: SourceFile, linked: LinkedProject, is_alone: bool = False, is_searched: bool = False
) -> tuple[File, Findings]:
    """Interpret a file in its project, with its callers unless alone; raises `NotPython` or `TooDeep`.

    `is_searched`: these are run even if it is known that they show nothing.
    """
    from flake8_jax.analysis import interpretation

    file = linked.judged(source, os.path.abspath(source.path))
    if is_searched:
        return file, interpretation.interpret_searched(file)
    return file, interpretation.interpret_alone(file) if is_alone else interpretation.interpret(file)


def interpreted_whole(source: SourceFile, linked: LinkedProject) -> tuple[File, Findings]:
    """Interpret all of a file, also what cannot make anything of JAX; raises `NotPython` or `TooDeep`."""
    from flake8_jax.analysis.interpretation import interpret_whole

    file = linked.judged(source, os.path.abspath(source.path))
    return file, interpret_whole(file)


def in_cells(source: SourceFile, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Findings whose words count lines as the cells of their notebook do; their places are still those of the text."""
    from flake8_jax.syntax.cells import cells_of_nbqa

    cells = (source.cells or cells_of_nbqa(source.lines)) if diagnostics else None
    if cells is None:
        return diagnostics
    told = []
    for found in diagnostics:
        notes = tuple(
            replace(note, text=cells.told(note.text, note.line)) if note.path == source.path else note
            for note in found.notes
        )
        told.append(replace(found, message=cells.told(found.message, found.span.line), notes=notes))
    return told


def active_rules(file: File, config: Config) -> list[Discovered]:
    """The rules that speak in a file."""
    from flake8_jax.rules import discover

    return [found for found in discover() if why_inactive(found.rule, file, config) is None]


def why_inactive(rule: Rule, file: File, config: Config) -> str | None:
    """Why a rule does not speak in a file; None if it does.

    Flake8's own lists cannot say so: any `--select` undoes them.
    """
    if (reason := why_off(rule, config)) is not None:
        return reason
    if not rule.in_tests and not config.tests and is_test_file(file.namespace.path):
        return "it rests in test files: `--tests` runs it there"
    return None


def why_off(rule: Rule, config: Config) -> str | None:
    """Why a rule speaks in no file; None if it is on by default, or was asked for."""
    if rule.status == "on" or rule.code.startswith(config.enable) or (rule.status == "strict" and config.strict):
        return None
    option = "--strict" if rule.status == "strict" else f"--enable {rule.code}"
    return f"its status is {rule.status}: `{option}` runs it"


def events_of_text(
    source: SourceFile, file: File, findings: Findings, comments: Suppressions,
    rules: Iterable[Discovered], config: Config,
) -> list[CommentEvent | NamesakeImported]:  # fmt: skip
    """The events of the comments and imports of a file, given the rules that speak in it.

    Where something was given up or dropped, a comment may be there for what was not judged: then none is known to be
    unused.
    """
    from flake8_jax.syntax.namesakes import NamesakeImported, namesakes

    is_asked = any(each.event is NamesakeImported for each in rules)
    events: list[CommentEvent | NamesakeImported] = [*comments.invalid(), *(namesakes(source) if is_asked else ())]
    if comments and not findings.given_up:
        ran, dropped = {UNJUDGED, *(each.rule.code for each in rules)}, list[Fault]()
        with collecting(dropped.append):  # it is dropped once more where the findings are made
            found = diagnosed(source, file, [*findings.events, *events], rules, config)
        events += comments.unused(found, ran, UNUSED) if not dropped else ()
    return events


def diagnosed(
    source: SourceFile, file: File, events: Iterable[RuleEvent], rules: Iterable[Discovered], config: Config
) -> list[Diagnostic]:
    """What rules make of events, each finding once, in order: of those that say one thing on one line the first alone,
    unless each is fixed where it stands.

    What raises in a check drops what it was to report, what raises in the making of a fix drops that.
    """
    from flake8_jax.driver.remedies import ended, is_found_here, tried_with
    from flake8_jax.syntax.positions import Locator

    found: dict[Diagnostic, None] = {}
    locator, home = Locator(), file.namespace.path
    for discovered in rules:
        said: list[Diagnostic] = []

        def report(
            at: Op | Span, message: str, notes: tuple[Note, ...] = (),
            *, remedy: Remedied | None = None, _rule: Rule = discovered.rule, _said: list[Diagnostic] = said,
        ) -> None:  # fmt: skip
            if not (_rule.in_tests or config.tests or isinstance(at, Span)) and is_in_test(at, source):
                return
            if _rule.hazard.startswith(RAISING) and raises_on_purpose(at, notes, source, home):
                return
            notes = tuple(
                replace(note, path=source.path if note.path == home else note.path, text=printable(note.text))
                for note in notes
            )
            span = at if isinstance(at, Span) else locator.span(at)
            tried = remedy.remedy if remedy is not None else None
            message = ended(message, tried.words if tried is not None else "")
            _said.append(Diagnostic(_rule.code, _rule.name, source.path, span, message, notes, remedy=tried))

        for event in events:
            if type(event) is discovered.event:
                code, at, fix, tried = discovered.rule.code, _place(event, source), None, None
                with Isolated(f"a finding of {code}", *at):
                    discovered.check(event, report)
                with Isolated(f"the fix of {code}", *at):
                    fix = _fix(discovered, event, source, locator) if said else None
                    tried = fix or _fix_tried(discovered, event, source, locator, said)
                by_callers = not is_found_here(event, home)
                made = [
                    replace(finding, fix=fix, remedy=tried_with(finding.remedy, tried, by_callers)) for finding in said
                ]
                found.update(dict.fromkeys(one for one in made if one not in found))
                said.clear()
    told: dict[object, Diagnostic] = {}
    for one in sorted(found, key=Diagnostic.sort_key):
        reason = one.message.partition("; ")[0]  # what is to be done may name each of two arrays under one mask
        told.setdefault(one if one.fix is not None else (one.code, one.span.line, reason), one)
    return list(told.values())


def _place(event: RuleEvent, source: SourceFile) -> tuple[str, int]:
    """Where an event is found."""
    from flake8_jax.syntax.directives import CommentEvent
    from flake8_jax.syntax.namesakes import NamesakeImported

    if isinstance(event, (CommentEvent, NamesakeImported)):
        return source.path, event.span.line
    return event.op.anchor.origin.shown, event.op.anchor.line


def _fix_tried(
    discovered: Discovered, event: RuleEvent, source: SourceFile, locator: Locator, said: Iterable[Diagnostic]
) -> Fix | None:
    """What is only tried: the rewrite of an event whose rule fixes nothing."""
    from flake8_jax.fixes.making import fix_of

    is_asked = any(finding.remedy is not None and finding.remedy.code and not finding.remedy.edits for finding in said)
    rewrite = getattr(event, "rewrite", None) if is_asked else None
    return fix_of(rewrite, source, locator) if rewrite is not None else None


def _fix(discovered: Discovered, event: RuleEvent, source: SourceFile, locator: Locator) -> Fix | None:
    """What repairs an event, if its rule knows."""
    rewrite = discovered.fix(event) if discovered.fix is not None else None
    if rewrite is None:
        return None
    if isinstance(rewrite, Edit):
        from flake8_jax.fixes.texts import described

        return Fix(described(source.text, [rewrite]), "safe", (rewrite,))
    from flake8_jax.fixes.making import fix_of

    return fix_of(rewrite, source, locator)


def raises_on_purpose(at: Op | Span, notes: Iterable[Note], source: SourceFile, home: str) -> bool:
    """Does a finding, or what makes it one, stand in a cell of a notebook that is tagged as one that raises?"""
    if source.cells is None:
        return False
    lines = [at.line if isinstance(at, Span) else at.anchor.line, *(note.line for note in notes if note.path == home)]
    return any(RAISES in source.cells.tags(line) for line in lines)


def is_in_test(op: Op, source: SourceFile) -> bool:
    """Does an op stand in a test function or class of any file?"""
    for number in range(op.anchor.origin.line - 1, len(source.lines)):
        line = source.lines[number]
        words = line.split("(")[0].split(":")[0].split()
        if words[:1] in (["def"], ["async"], ["class"]):
            is_case = words[0] == "class" and "TestCase" in line
            return (is_case or words[-1].startswith(("test_", "Test"))) and not line[0].isspace()
        if words and not line.startswith("@") and not line[0].isspace() and line[0] not in ")]}#":
            return False
    return False


def _counted(file: File, findings: Findings) -> Statistics:
    others: Counter[str] = Counter()
    for unit in file.units:
        others.update(unit.module.others if unit.module is not None else {})
    return Statistics(1, 1, others, findings.unknowns, findings.reached, findings.given_up)
