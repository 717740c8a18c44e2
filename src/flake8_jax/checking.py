"""Checking many files, in one process or in several, with what flake8 does around a plugin: noqa and selection."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import zip_longest

from flake8_jax.config import Config
from flake8_jax.linter import lint, unjudged
from flake8_jax.projects import Projects
from flake8_jax.report import Report, Statistics
from flake8_jax.selection import is_chosen
from flake8_jax.syntax.source import SourceFile, Unreadable, collector_paused, decode

FILES_WORTH_A_PROCESS = 20
GROUPS = 4
"""How many groups of files a process gets: neighbours together, since they ask for the same of others."""


def check(source: SourceFile, config: Config, projects: Projects | None = None) -> Report:
    """Lint one file and keep the findings that flake8 would show; never raises."""
    return _shown(source, lint(source, config, projects), config)


def check_file(path: str, config: Config, projects: Projects | None = None) -> Report:
    """Read and check one file; never raises."""
    try:
        return check(projects.read(path) if projects is not None else SourceFile.read(path), config, projects)
    except Unreadable as error:
        return _chosen(unjudged(path, error.reason), config)


def check_data(path: str, data: bytes, config: Config) -> Report:
    """Check what a file of this path would hold; never raises."""
    try:
        return check(SourceFile(path, decode(data)), config, Projects(config))
    except Unreadable as error:
        return _chosen(unjudged(path, error.reason), config)


def check_files(
    paths: Sequence[str], config: Config, jobs: int | None = None, say: Callable[[str], None] | None = None
) -> Iterator[Report]:
    """Check files, reports in their order; without `jobs`, as many processes as the number of files is worth.

    What an earlier run remembered is said by this process; others are started for the rest.  `say` is told what is to
    be said of the store.
    """
    projects = Projects(config, paths)
    known = {path: report for path in paths if (report := _recalled(path, config, projects)) is not None}
    rest = [path for path in paths if path not in known]
    if jobs is None:
        jobs = min(os.cpu_count() or 1, len(rest) // FILES_WORTH_A_PROCESS)
    several = min(jobs, len(rest)) > 1
    reports = _check_in_processes(rest, config, jobs) if several else _check_each(rest, config, projects)
    for path in paths:
        yield known.get(path) or next(reports)
    for notice in projects.close():
        if say is not None:
            say(notice)


def _recalled(path: str, config: Config, projects: Projects) -> Report | None:
    """The report on a file that needs no work: it cannot concern JAX, or an earlier run remembers it."""
    try:
        report = projects.recall_unread(path)
        if report is not None and not report.diagnostics:
            return report
        source = projects.read(path)
        if not projects.may_concern_jax(source):
            return Report((), None, Statistics(files=1))
        report = report or projects.recall(source)
    except Exception:  # `lint` will meet it too, and say so
        return None
    return _shown(source, report, config) if report is not None else None


def _check_in_processes(paths: Sequence[str], config: Config, jobs: int) -> Iterator[Report]:
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    size = -(-len(paths) // (jobs * GROUPS))
    groups = [paths[start : start + size] for start in range(0, len(paths), size)]
    with ProcessPoolExecutor(jobs) as pool:
        pending: list[Future[list[Report]]] = []
        with suppress(BrokenProcessPool):  # what was not handed out any more is checked below
            pending += [pool.submit(_check_all, group, config) for group in groups]
        for group, reports in zip_longest(groups, pending):
            try:
                yield from reports.result() if reports is not None else _check_apart(group, config)
            except BrokenProcessPool:
                yield from _check_apart(group, config)


@cache
def _projects_of_process(config: Config) -> Projects:
    return Projects(config)


def _check_all(paths: Sequence[str], config: Config) -> list[Report]:
    projects = _projects_of_process(config)
    reports = list(_check_each(paths, config, projects))
    projects.flush()
    return reports


def _check_each(paths: Sequence[str], config: Config, projects: Projects) -> Iterator[Report]:
    for path in paths:
        with collector_paused():
            report = check_file(path, config, projects)
            gc.freeze()  # what is left is what other files will ask for, not worth being looked through
        yield report


def _check_apart(paths: Sequence[str], config: Config) -> list[Report]:
    """Check files in a process of their own; where it dies, halve them until the file that kills it stands alone."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    try:
        with ProcessPoolExecutor(1) as pool:
            return pool.submit(_check_all, paths, config).result()
    except BrokenProcessPool:
        if len(paths) == 1:
            return [_chosen(unjudged(paths[0], "the process that parsed it died"), config)]
        half = len(paths) // 2
        return _check_apart(paths[:half], config) + _check_apart(paths[half:], config)


def _shown(source: SourceFile, report: Report, config: Config) -> Report:
    """What flake8 would show of a report: without what comments silence, and with the chosen codes."""
    if not config.disable_noqa and report.diagnostics:
        from flake8_jax.syntax.suppressions import skips_file, without_noqa

        if skips_file(source):
            return Report((), None, Statistics(files=1))
        report = replace(report, diagnostics=tuple(without_noqa(source, report.diagnostics)))
    return _chosen(report, config)


def _chosen(report: Report, config: Config) -> Report:
    return replace(report, diagnostics=tuple(d for d in report.diagnostics if is_chosen(d.code, d.path, config)))
