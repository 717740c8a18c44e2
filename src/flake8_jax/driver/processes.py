"""Checks many files in one or several processes.  Of each project one process checks the most imported files; its forks
share the rest.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.driver import checking
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.scheduling import HAS_FORK, MOST_BYTES, first_and_rest, size_of
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report, Statistics
from flake8_jax.syntax.folders import root_of
from flake8_jax.syntax.source import collector_paused

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

FILES_WORTH_A_PROCESS = 20
PARTS = 8
"""Into how many parts the parent's files are split, so that progress can be shown."""

Found: TypeAlias = "list[tuple[str, Report]]"


def check_files(
    paths: Sequence[str],
    config: Config,
    jobs: int | None = None,
    say: Callable[[str], None] | None = None,
    told: Callable[[int], None] | None = None,
) -> Iterator[Report]:
    """Check files and yield reports in their order.  Without `jobs`, the number of processes depends on the number of
    files.

    What an earlier run remembered is said by this process; others are started for the rest.  `say` is told what is to
    be said of the store, `told` how many files are done.
    """
    projects = Projects(config, paths)
    found = {path: report for path in paths if (report := _recalled(path, config, projects)) is not None}
    rest = [path for path in dict.fromkeys(paths) if path not in found]
    if jobs is None:
        jobs = min(os.cpu_count() or 1, len(rest) // FILES_WORTH_A_PROCESS)
    several = min(jobs, len(rest)) > 1
    news = _in_processes(rest, config, jobs) if several else _each(rest, config, projects)
    for path in paths:
        while path not in found:
            found.update(next(news))
            if told is not None:
                told(len(found))
        yield found[path]
    for notice in projects.close():
        if say is not None:
            say(notice)


def _recalled(path: str, config: Config, projects: Projects) -> Report | None:
    """The report on a file that needs no work: it cannot concern JAX, or an earlier run remembers it."""
    try:
        report = projects.cached_report_unread(path)
        if report is not None and not report.diagnostics:
            return report
        source = projects.read(path)
        if not projects.may_concern_jax(source):
            return Report((), None, Statistics(files=1))
        report = report or projects.cached_report(source)
    except Exception:  # `lint` will meet it too, and say so
        return None
    return checking.shown(source, report, config) if report is not None else None


def _each(paths: Sequence[str], config: Config, projects: Projects) -> Iterator[Found]:
    for path in paths:
        with collector_paused():
            report = checking.check_file(path, config, projects)
            gc.freeze()  # what is left is what other files will ask for, not worth being looked through
        yield [(path, report)]


def _in_processes(paths: Sequence[str], config: Config, jobs: int) -> Iterator[Found]:
    """Check files in several processes; where one dies, what is missing is checked apart."""
    from concurrent.futures.process import BrokenProcessPool

    projects: dict[str, list[str]] = {}
    for path in paths:
        projects.setdefault(config.root or root_of(os.path.abspath(path)), []).append(path)
    groups = sorted(projects.values(), key=size_of, reverse=True)
    if len(groups) >= jobs:
        ways = [_apart_from_each_other(groups, config, jobs)]
    else:
        ways = [_one_project(group, config, jobs) for group in groups]
    missing = dict.fromkeys(paths)
    for way in ways:
        with suppress(BrokenProcessPool):
            for found in way:
                for path, _ in found:
                    missing.pop(path, None)
                yield found
    if missing:
        yield _check_apart(list(missing), config)


def _apart_from_each_other(groups: Sequence[Sequence[str]], config: Config, jobs: int) -> Iterator[Found]:
    """Each group of files in one process."""
    with _pool(jobs) as pool:
        yield from _results([pool.submit(_check_all, group, config) for group in groups])


def _one_project(paths: Sequence[str], config: Config, jobs: int) -> Iterator[Found]:
    """The files of one project: some in a parent process, the others in its forks."""
    if not HAS_FORK or size_of(paths) > MOST_BYTES:
        size = -(-len(paths) // (jobs * 4))
        pieces = [paths[start : start + size] for start in range(0, len(paths), size)]
        yield from _apart_from_each_other(pieces, config, jobs)
        return
    with _pool(1, (paths, config)) as pool:
        first = [pool.submit(_check_first, part) for part in range(PARTS)]
        yield from _results([*first, pool.submit(_check_rest, jobs)])


def _results(pending: Sequence[Future[Found]]) -> Iterator[Found]:
    from concurrent.futures import as_completed

    for done in as_completed(pending):
        yield done.result()


def _pool(jobs: int, project: tuple[Sequence[str], Config] | None = None) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    context = get_context("fork") if HAS_FORK else None
    if project is None:
        return ProcessPoolExecutor(jobs, context)
    return ProcessPoolExecutor(jobs, context, _start_parent, project)


# In a process of its own.


@dataclass(slots=True)
class Parent:
    """The state of a project's parent process, inherited by its forks.  `parts` are the files that it checks itself,
    `rest` those of the forks.
    """

    config: Config
    projects: Projects
    parts: list[list[str]]
    rest: list[str]


_parent: Parent | None = None


def _start_parent(paths: Sequence[str], config: Config) -> None:
    global _parent
    projects = Projects(config, paths)
    first, rest = first_and_rest(paths, projects)
    _parent = Parent(config, projects, [first[part::PARTS] for part in range(PARTS)], rest)


def _check_first(part: int) -> Found:
    assert _parent is not None
    return [one for found in _each(_parent.parts[part], _parent.config, _parent.projects) for one in found]


def _check_rest(jobs: int) -> Found:
    assert _parent is not None
    _parent.projects.close()
    share = -(-len(_parent.rest) // jobs) or 1
    with _pool(jobs) as pool:
        starts = range(0, len(_parent.rest), share)
        return [one for found in _results([pool.submit(_check_share, at, share) for at in starts]) for one in found]


def _check_share(start: int, count: int) -> Found:
    assert _parent is not None
    paths = _parent.rest[start : start + count]
    found = [one for each in _each(paths, _parent.config, _parent.projects) for one in each]
    _parent.projects.close()
    return found


def _check_all(paths: Sequence[str], config: Config) -> Found:
    projects = Projects(config, paths)
    found = [one for each in _each(paths, config, projects) for one in each]
    projects.close()
    return found


def _check_apart(paths: Sequence[str], config: Config) -> Found:
    """Check files in a process of their own; where it dies, halve them until the file that kills it stands alone."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        with _pool(1) as pool:
            return pool.submit(_check_all, paths, config).result()
    except BrokenProcessPool:
        if len(paths) == 1:
            return [(paths[0], checking.dead(paths[0], config))]
        half = len(paths) // 2
        return _check_apart(paths[:half], config) + _check_apart(paths[half:], config)
