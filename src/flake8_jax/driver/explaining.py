"""What is known of a line of a file, what is reported there, and why nothing else is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from flake8_jax.driver.linter import active_rules, diagnosed, events_of_text, interpreted_whole, why_inactive
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.remedies import settling
from flake8_jax.driver.selection import is_chosen
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.model.faults import collecting
from flake8_jax.syntax.broken import BROKEN
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep, Unreadable

if TYPE_CHECKING:
    from flake8_jax.analysis.interpretation import Findings
    from flake8_jax.analysis.modules.files import File
    from flake8_jax.analysis.modules.linking import LinkedProject
    from flake8_jax.analysis.windows.lines import Observation
    from flake8_jax.analysis.windows.rows import ValueRow
    from flake8_jax.rules.rule import RuleEvent


class NotExplained(Exception):
    """A place of which nothing can be said; the message says why."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A line of a file, in a notebook of one of its cells, and a column on it, if only that is asked about; from 1."""

    path: str
    line: int
    column: int | None = None
    cell: int | None = None

    @property
    def text(self) -> str:
        """The place as it is asked for."""
        cell = f"cell {self.cell}:" if self.cell is not None else ""
        return f"{self.path}:{cell}{self.line}" + (f":{self.column}" if self.column is not None else "")

    def in_text(self, source: SourceFile) -> SourcePlace:
        """The place in the text of the file, which of a notebook is made of its cells; raises `NotExplained`."""
        cells = source.cells
        if self.cell is None:
            if cells is not None:
                example = f"{self.path}:cell 1:{self.line}"
                raise NotExplained(f"{self.path} is a notebook: name the cell, too, as in {example}")
            return self
        line = cells.line_of(self.cell, self.line) if cells is not None else None
        if line is None or cells is None:
            raise NotExplained(f"{self.path} has no line {self.line} in a cell {self.cell} of Python")
        is_same = cells.shown(line) == source.lines[line - 1]
        return SourcePlace(self.path, line, self.column if is_same else None)


def explained(place: SourcePlace, config: Config, is_excluded: bool) -> list[str]:
    """The explanation of a line, under the configuration of its file, which may exclude it; raises `NotExplained`."""
    projects = Projects(replace(config, no_store=True), [place.path])
    try:
        source = projects.read(place.path)
        place = place.in_text(source)
        _check(source, place)
        if not projects.may_concern_jax(source):
            return ["nothing is reported: no file of its project names JAX or a library built on it"]
        if not projects.near_jax(source)[0]:
            return ["nothing is reported: neither the file, nor one that it imports or that imports it, names JAX"]
        found = _lines(source, place, config, is_excluded, projects)
        cells = source.cells
        return found if cells is None else [cells.told(line, place.line) for line in found]
    except (NotPython, TooDeep, Unreadable) as error:
        raise NotExplained(f"{place.path}: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise NotExplained(f"{place.path}: nested too deeply") from error


def _check(source: SourceFile, place: SourcePlace) -> None:
    count = len(source.lines) - (not source.lines[-1]) if source.lines else 0
    if not 1 <= place.line <= count:
        raise NotExplained(f"{place.path} has {count} line{'s' * (count != 1)}, there is no line {place.line}")
    width = len(source.lines[place.line - 1])
    if place.column is not None and not 1 <= place.column <= width:
        raise NotExplained(f"{place.path}:{place.line} has {width} columns, there is no column {place.column}")


def known_of_value(source: SourceFile, line: int, column: int, projects: Projects) -> list[str]:
    """What is known of the value at a place of a text, and why it is traced; the line counts from 1, the column from 0.

    Nothing may have been found out yet from the text itself: only what is run again can be observed.  Raises
    `NotExplained`.
    """
    place = SourcePlace(source.path, line, column + 1)
    try:
        _check(source, place)
        if not projects.may_concern_jax(source) or not projects.near_jax(source)[0]:
            raise NotExplained(f"{place.text}: nothing there concerns JAX")
        found, cells = _seen(source, place, projects).lines, source.cells
        return found if cells is None else [cells.told(one, line) for one in found]
    except (NotPython, TooDeep) as error:
        raise NotExplained(f"{place.path}: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise NotExplained(f"{place.path}: nested too deeply") from error


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen of a line, with the interpretation of its file."""

    lines: list[str]
    observation: Observation
    rows: list[ValueRow]
    home: str
    linked: LinkedProject
    file: File
    findings: Findings


def _seen(source: SourceFile, place: SourcePlace, projects: Projects) -> _Seen:
    """Interpret a file, and look at a place; raises `NotExplained` where nothing is evaluated."""
    from flake8_jax.analysis.windows.callers import traces_text
    from flake8_jax.analysis.windows.lines import Observation, ObservedPlace, observing
    from flake8_jax.analysis.windows.reasons import calls_text
    from flake8_jax.analysis.windows.rows import conditions_text, rows_of, rows_text

    text = source.lines[place.line - 1] if source.cells is None else source.cells.shown(place.line)
    linked, path = projects.linked(source), os.path.abspath(place.path)
    home = linked.project.shown(path) if linked.project is not None else path
    observation = Observation(ObservedPlace(path, place.line, place.column), home)
    with observing(linked.program, observation):
        file, findings = interpreted_whole(source, linked)
        rows = rows_of(file, observation)
    if not rows:
        raise NotExplained(_not_evaluated(source, place))
    functions = dict.fromkeys(row.function.title for row in rows if row.function is not None)
    lines = [f"in {', '.join(functions)}: {text.strip()}" if functions else text.strip()]
    lines += [f"  {line}" for line in (*rows_text(rows, observation), *conditions_text(rows))]
    lines += [f"  {line}" for line in (*calls_text(observation, rows), *traces_text(observation, rows))]
    return _Seen(lines, observation, rows, home, linked, file, findings)


def _not_evaluated(source: SourceFile, place: SourcePlace) -> str:
    """Why nothing is known of a place of a text, in the words of whoever asked: of a notebook it is one of a cell."""
    cells = source.cells
    if cells is None or (found := cells.place(place.line)) is None:
        return f"{place.text}: nothing is evaluated there"
    asked = SourcePlace(place.path, found.line, place.column, found.cell).text
    if BROKEN in cells.tags(place.line):
        return f"{asked}: nothing is evaluated there, as its cell could not be read as Python"
    return f"{asked}: nothing is evaluated there"


def _lines(source: SourceFile, place: SourcePlace, config: Config, is_excluded: bool, projects: Projects) -> list[str]:
    from flake8_jax.analysis.windows.reasons import nothing_asked, reasons
    from flake8_jax.syntax.suppressions import Suppressions

    seen = _seen(source, place, projects)
    lines, observation, rows, home = seen.lines, seen.observation, seen.rows, seen.home
    linked, file, findings = seen.linked, seen.file, seen.findings
    events = [event for event in findings.events if observation.place.holds(event.op)]
    faults = list(findings.faults)
    with collecting(faults.append):
        texts = events_of_text(source, file, findings, Suppressions(source), active_rules(file, config), config)
        beside = [each for each in texts if each.span.line == place.line]
        settled = _settled(source, file, findings, [*findings.events, *beside], config)
        reported, dropped = _findings(source, file, [*events, *beside], config, is_excluded, settled)
    lines += _block("reported", reported)
    lines += _block("not reported", dropped)
    why = reasons(observation, rows, [event.op for event in events], linked.program.table)
    lines += _block("why nothing else is reported" if reported or dropped else "why nothing is reported", why)
    if not reported and not dropped and not why:
        lines.append(nothing_asked(rows))
    lines += _block("given up in this file", [f"{reason}: {n}" for reason, n in findings.given_up.items()])
    told = dict.fromkeys(f"{fault.what}, line {fault.line} of {fault.path or home}: {fault.error}" for fault in faults)
    return lines + _block("dropped by a defect of flake8-jax", list(told))


def _block(title: str, lines: list[str]) -> list[str]:
    return [f"{title}:", *(f"  {line}" for line in lines)] if lines else []


def _findings(
    source: SourceFile, file: File, events: Iterable[RuleEvent], config: Config, is_excluded: bool,
    settled: dict[Diagnostic, Diagnostic],
) -> tuple[list[str], list[str]]:  # fmt: skip
    """What the rules say of the line, reported and not."""
    from flake8_jax.analysis.windows.fields import own_fields
    from flake8_jax.rules import discover
    from flake8_jax.syntax.directives import CommentEvent
    from flake8_jax.syntax.namesakes import NamesakeImported

    reported: list[str] = []
    dropped: list[str] = []
    for event in events:
        told = [discovered for discovered in discover() if type(event) is discovered.event]
        found = [(each, one) for each in told for one in diagnosed(source, file, [event], [each], config)]
        if told and not found and not isinstance(event, (CommentEvent, NamesakeImported)):
            codes = ", ".join(each.rule.code for each in told)
            fields = "; ".join(own_fields(event))
            dropped.append(f"{codes}: told of it, and nothing is reported: {type(event).__name__}: {fields}")
        for each, one in found:
            why = [why_inactive(each.rule, file, config), *_hidden(source, one, config, is_excluded)]
            reason = next((each for each in why if each is not None), None)
            text = f"{one.code} {settled.get(one, one).message}"
            reported += [text] * (reason is None)
            dropped += [f"{text} - {reason}"] * (reason is not None)
    return sorted(reported), sorted(dropped)


def _settled(
    source: SourceFile, file: File, findings: Findings, events: list[RuleEvent], config: Config
) -> dict[Diagnostic, Diagnostic]:  # fmt: skip
    """The findings of the file with the remedies that hold: those that are reported are tried as in a run."""
    from flake8_jax.rules import discover

    every = replace(config, strict=True)
    found = settling(source, file, diagnosed(source, file, events, discover(), every), discover(), findings)
    active = active_rules(file, config)
    return found | settling(source, file, diagnosed(source, file, events, active, config), active, findings)


def _hidden(source: SourceFile, found: Diagnostic, config: Config, is_excluded: bool) -> Iterator[str | None]:
    """What keeps a finding from being shown: a comment, the selection of codes, an excluded file."""
    from flake8_jax.syntax.suppressions import suppressing

    if not config.disable_noqa:
        comment = suppressing(source, found)
        yield None if comment is None else f"suppressed by {comment}"
    if not is_chosen(found.code, source.path, config):
        yield "the selection of codes leaves it out"
    if is_excluded:
        yield "the configuration excludes the file"
