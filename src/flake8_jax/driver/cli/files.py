"""The files of a run: which are checked, and the report on each."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flake8_jax.driver.cli.given import check_paths
from flake8_jax.driver.cli.output import WrongUse, note, warn
from flake8_jax.driver.cli.progress import Progress
from flake8_jax.driver.gitignore import GitFailed, Ignored
from flake8_jax.driver.selection import STDIN, empty, files, is_excluded
from flake8_jax.model.config import Config

if TYPE_CHECKING:
    from flake8_jax.model.report import Report
    from flake8_jax.syntax.source import SourceFile


@dataclass(slots=True)
class Checked:
    """The files that were checked, the report on each, and what was read from standard input."""

    paths: list[str]
    reports: list[Report] = field(default_factory=list)
    given: list[SourceFile] = field(default_factory=list)


def chosen(options: argparse.Namespace, config: Config) -> list[str]:
    """The files that are to be checked, without standard input; raises `WrongUse` for paths that cannot be meant."""
    paths = options.paths or ["."]
    named = [path for path in paths if path != "-"]
    check_paths([*named, *([options.stdin_display_name] if "-" in paths else [])], named)
    return _kept(files(named, config), config)


def _kept(found: list[str], config: Config) -> list[str]:
    """The files that git does not ignore, if that is asked for."""
    if config.respect_gitignore:
        try:
            return Ignored().kept(found)
        except GitFailed as error:
            warn(f"--respect-gitignore has no effect: {error}")
    return found


def checked(options: argparse.Namespace, config: Config) -> Checked:
    """Check the files that are given, and warn of what checks nothing."""
    from flake8_jax.driver.processes import check_files

    run = Checked(chosen(options, config))
    progress = Progress(len(run.paths), options.quiet)
    say = None if options.quiet else note
    run.reports += check_files(run.paths, config, options.jobs, say, progress.show)
    progress.end()
    if "-" in options.paths:
        _check_stdin(options.stdin_display_name, config, run)
    hollow = list(empty([path for path in options.paths or ["."] if path != "-"], config))
    for path, is_left_out in hollow:
        warn(f"{path}: all Python files in it are excluded" if is_left_out else f"{path}: no Python file was found")
    if not run.reports and not hollow:
        warn("everything that was given is excluded")
    return run


def _check_stdin(name: str, config: Config, run: Checked) -> None:
    """Check standard input, unless it is excluded by its name."""
    from flake8_jax.driver.checking import check_data
    from flake8_jax.syntax.source import SourceFile, Unreadable, decode

    if name != STDIN and (is_excluded(name, config) or not _kept([name], config)):
        return
    if sys.stdin is None:
        raise WrongUse("standard input is closed")
    data = sys.stdin.buffer.read()
    run.paths.append(name)
    run.reports.append(check_data(name, data, config))
    try:
        run.given.append(SourceFile(name, decode(data)))
    except Unreadable:
        run.given.append(SourceFile(name, data.decode("utf-8", "replace")))
