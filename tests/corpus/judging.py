"""Runs the linter on the files of packages, in worker processes, and counts what it found, gave up and did not know."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path

from flake8_jax.config import Config
from flake8_jax.ir.invariants import walk
from flake8_jax.ir.lower.files import lower
from flake8_jax.linter import lint
from flake8_jax.projects import Projects
from flake8_jax.syntax.source import SourceFile, Unreadable

from .packages import Package, python_files

CONFIG = Config(preview=True, disable_noqa=True, no_store=True)
"""Comments of the linted code do not hide findings here: the ledger judges rules, not comments."""


@cache
def projects_of(folder: str) -> Projects:
    """The project that a package's folder is, read once by each process."""
    return Projects(replace(CONFIG, root=folder))


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What a rule says of a line of a package."""

    package: str
    version: str
    path: str
    line: int
    code: str
    column: int = 0
    message: str = ""


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

    `concerned` files were analysed; `ops` of them are lowered, `others` are those without an op of their own, by
    reason; `unknowns` are the reasons of unknown values, `reached` the kinds of the values that traced code hands to
    library functions with a row; `given_up` counts functions by reason; `crashes` are files that could not be analysed.
    """

    files: int = 0
    concerned: int = 0
    functions: int = 0
    ops: int = 0
    others: Counter[str] = field(default_factory=Counter)
    unknowns: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)

    def add(self, more: Outcome) -> None:
        """Count another outcome in."""
        self.files += more.files
        self.concerned += more.concerned
        self.functions += more.functions
        self.ops += more.ops
        self.others.update(more.others)
        self.unknowns.update(more.unknowns)
        self.reached.update(more.reached)
        self.given_up.update(more.given_up)
        self.findings += more.findings
        self.crashes += more.crashes


def jobs_of(packages: Sequence[Package], folders: Mapping[str, Path]) -> list[Job]:
    """Every Python file of the packages."""
    return [
        Job(package, str(folders[package.name]), path)
        for package in packages
        for path in python_files(folders[package.name])
    ]


def judge(jobs: Sequence[Job], processes: int = 1) -> Outcome:
    """Lint files; the findings come in order, and a process that dies costs only the file that killed it."""
    total = Outcome()
    if processes <= 1:
        total.add(_judge_group(jobs))
    else:
        groups = [list(group) for _, group in groupby(jobs, lambda job: job.folder)]
        with ProcessPoolExecutor(processes) as pool:
            pending = [pool.submit(_judge_group, group) for group in groups]
            for group, outcome in zip(groups, pending, strict=True):
                try:
                    total.add(outcome.result())
                except BrokenProcessPool:
                    total.add(_judge_apart(group))
    total.findings.sort()
    total.crashes.sort()
    return total


def judge_file(job: Job) -> Outcome:
    """Lint one file; never raises."""
    outcome = Outcome(files=1)
    try:
        _lint(SourceFile.read(str(job.file)), job, outcome)
    except Unreadable as error:
        outcome.crashes.append(_crash(job, error.reason))
    except Exception as error:
        outcome.crashes.append(_crash(job, f"{type(error).__name__}: {error}"))
    return outcome


def _lint(source: SourceFile, job: Job, outcome: Outcome) -> None:
    report = lint(source, CONFIG, projects_of(job.folder))
    if report.given_up is not None:
        outcome.crashes.append(_crash(job, report.given_up))
        return
    if not report.statistics.analysed:
        return
    outcome.concerned = 1
    package = job.package
    outcome.findings += [
        Finding(package.name, package.version, job.path, d.span.line, d.code, d.span.column, d.message)
        for d in report.diagnostics
    ]
    module = lower(source)
    outcome.functions = len(module.functions)
    outcome.ops = sum(1 for _ in walk(module))
    outcome.others.update(report.statistics.others)
    outcome.unknowns.update(report.statistics.unknowns)
    outcome.reached.update(report.statistics.reached)
    outcome.given_up.update(report.statistics.given_up)


def _judge_group(jobs: Sequence[Job]) -> Outcome:
    total = Outcome()
    for job in jobs:
        total.add(judge_file(job))
        gc.freeze()
    projects_of.cache_clear()
    return total


def _judge_apart(jobs: Sequence[Job]) -> Outcome:
    """Lint files in a process each."""
    total = Outcome()
    for job in jobs:
        try:
            with ProcessPoolExecutor(1) as pool:
                total.add(pool.submit(judge_file, job).result())
        except BrokenProcessPool:
            total.add(Outcome(files=1, crashes=[_crash(job, "the process died")]))
    return total


def _crash(job: Job, reason: str) -> str:
    return f"{job.package.name} {job.path}: {' '.join(reason.split())}"
