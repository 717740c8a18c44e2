"""Runs the linter on projects, a process for each, and counts what it found, gave up and did not know."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path

from flake8_jax.driver.processes import check_files
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Note
from flake8_jax.model.report import Costs, Report

from .packages import Package, python_files

CONFIG = Config(strict=True, disable_noqa=True, no_store=True)
"""Comments of the linted code do not hide findings here: the ledger judges rules, not comments."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What a rule says of a line of a package; `rows.py` says how its notes are written."""

    package: str
    version: str
    path: str
    line: int
    code: str
    column: int = 0
    message: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to lint: its package, the folder of the package, its path below it."""

    package: Package
    folder: str
    path: str

    @property
    def file(self) -> Path:
        """Where it lies."""
        return Path(self.folder, self.path)


@dataclass(slots=True)
class Outcome:
    """What linting one file or many yields.

    `concerned` files were analysed; `others` are ops that were not lowered, by reason; `unknowns` are the reasons of
    unknown values, `reached` the kinds of the values that traced code hands to library functions with a row;
    `given_up` counts functions by reason; `crashes` are files that could not be analysed; `costs` are those of each
    project.
    """

    files: int = 0
    concerned: int = 0
    others: Counter[str] = field(default_factory=Counter)
    unknowns: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    costs: dict[str, Costs] = field(default_factory=dict)

    def add(self, more: Outcome) -> None:
        """Count another outcome in."""
        self.files += more.files
        self.concerned += more.concerned
        self.others.update(more.others)
        self.unknowns.update(more.unknowns)
        self.reached.update(more.reached)
        self.given_up.update(more.given_up)
        self.findings += more.findings
        self.crashes += more.crashes
        self.costs |= more.costs


def jobs_of(packages: Sequence[Package], folders: Mapping[str, Path]) -> list[Job]:
    """Every Python file of the packages."""
    return [
        Job(package, str(folders[package.name]), path)
        for package in packages
        for path in python_files(folders[package.name])
    ]


def judge(jobs: Sequence[Job], processes: int = 1) -> Outcome:
    """Lint files; the findings come in order.

    Each project has a process of its own, the biggest ones first; one alone is judged by this process.
    """
    groups = [list(group) for _, group in groupby(jobs, lambda job: job.folder)]
    groups.sort(key=lambda group: group[0].package.lines, reverse=True)
    total = Outcome()
    if len(groups) == 1:
        total.add(_judge_project(groups[0]))
    else:
        with ThreadPoolExecutor(max(processes, 1)) as threads:
            for outcome in threads.map(_judge_apart, groups):
                total.add(outcome)
    total.findings.sort()
    total.crashes.sort()
    return total


def _judge_apart(jobs: Sequence[Job]) -> Outcome:
    """Lint a project in a process of its own; if that dies, as users do with several, so that one file is blamed."""
    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            return pool.submit(_judge_project, jobs).result()
    except BrokenProcessPool:
        return _judge_project(jobs, 2)


def _judge_project(jobs: Sequence[Job], processes: int = 1) -> Outcome:
    config = replace(CONFIG, root=jobs[0].folder)
    total = Outcome()
    for job, report in zip(jobs, check_files([str(job.file) for job in jobs], config, processes), strict=True):
        _count(report, job, total)
    return total


def _count(report: Report, job: Job, total: Outcome) -> None:
    statistics = report.statistics
    total.files += 1
    total.concerned += statistics.analysed
    total.others.update(statistics.others)
    total.unknowns.update(statistics.unknowns)
    total.reached.update(statistics.reached)
    total.given_up.update(statistics.given_up)
    total.costs.setdefault(job.package.name, Costs()).add(statistics.costs)
    if report.given_up is not None:
        total.crashes.append(f"{job.package.name} {job.path}: {' '.join(report.given_up.split())}")
    total.crashes += [
        f"{job.package.name} {job.path}: {one.what}, line {one.line}: {one.error}" for one in report.faults
    ]
    total.findings += [_finding(found, job) for found in report.diagnostics]


def _finding(found: Diagnostic, job: Job) -> Finding:
    package, span = job.package, found.span
    notes = "; ".join(_note(note, job) for note in found.notes)
    return Finding(package.name, package.version, job.path, span.line, found.code, span.column, found.message, notes)


def _note(note: Note, job: Job) -> str:
    path = Path(os.path.abspath(Path(job.folder, note.path))).relative_to(os.path.abspath(job.folder)).as_posix()
    place = note.line if path == job.path else f"{path}:{note.line}"
    return f"{place}: {note.text}"
