"""Checking many files, in one process or in several, with what flake8 does around a plugin: noqa and selection."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from flake8_jax.config import Config
from flake8_jax.linter import Report, Statistics, lint, unjudged
from flake8_jax.selection import is_chosen
from flake8_jax.syntax.source import SourceFile, Unreadable, decode

FILES_WORTH_A_PROCESS = 20


def check(source: SourceFile, config: Config) -> Report:
    """Lint one file and keep the findings that flake8 would show; never raises."""
    if config.disable_noqa or not source.concerns_jax():
        return _chosen(lint(source, config), config)

    from flake8_jax.syntax.suppressions import skips_file, without_noqa

    if skips_file(source):
        return Report((), None, Statistics(files=1))
    report = lint(source, config)
    return _chosen(replace(report, diagnostics=tuple(without_noqa(source, report.diagnostics))), config)


def check_file(path: str, config: Config) -> Report:
    """Read and check one file; never raises."""
    try:
        return check(SourceFile.read(path), config)
    except Unreadable as error:
        return _chosen(unjudged(path, error.reason), config)


def check_data(path: str, data: bytes, config: Config) -> Report:
    """Check what a file of this path would hold; never raises."""
    try:
        return check(SourceFile(path, decode(data)), config)
    except Unreadable as error:
        return _chosen(unjudged(path, error.reason), config)


def check_files(paths: Sequence[str], config: Config, jobs: int | None = None) -> Iterator[Report]:
    """Check files, reports in their order; without `jobs`, as many processes as the number of files is worth."""
    if jobs is None:
        jobs = min(os.cpu_count() or 1, len(paths) // FILES_WORTH_A_PROCESS)
    if min(jobs, len(paths)) <= 1:
        yield from _check_all(paths, config)
        return

    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    size = -(-len(paths) // (jobs * 4))
    groups = [paths[start : start + size] for start in range(0, len(paths), size)]
    with ProcessPoolExecutor(jobs) as pool:
        pending = [pool.submit(_check_all, group, config) for group in groups]
        for group, reports in zip(groups, pending, strict=True):
            try:
                yield from reports.result()
            except BrokenProcessPool:
                yield from _check_apart(group, config)


def _check_all(paths: Sequence[str], config: Config) -> list[Report]:
    return [check_file(path, config) for path in paths]


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


def _chosen(report: Report, config: Config) -> Report:
    return replace(report, diagnostics=tuple(d for d in report.diagnostics if is_chosen(d.code, d.path, config)))
