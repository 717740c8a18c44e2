"""The files of a run: which are checked, and the report on each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from flake8_jax.driver.cli.given import check_paths, off
from flake8_jax.driver.cli.output import WrongUse, note, warn
from flake8_jax.driver.cli.progress import Progress
from flake8_jax.driver.equivalents import in_vain
from flake8_jax.driver.gitignore import Ignored
from flake8_jax.driver.selection import STDIN, SUFFIXES, Selection
from flake8_jax.driver.statistics import of_faults
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.arguments import count
from flake8_jax.model.configurations import Configurations
from flake8_jax.model.diagnostic import Diagnostic

if TYPE_CHECKING:
    from flake8_jax.model.report import Report
    from flake8_jax.syntax.source import SourceFile


@dataclass(slots=True)
class Checked:
    """The files that were checked, the report on each, and what was read from standard input: its text, its bytes."""

    paths: list[str]
    reports: list[Report] = field(default_factory=list)
    given: list[SourceFile] = field(default_factory=list)
    data: bytes = b""

    @property
    def found(self) -> list[Diagnostic]:
        """What was found, in order."""
        return sorted((found for report in self.reports for found in report.diagnostics), key=Diagnostic.sort_key)


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options that say which files are checked to a parser."""
    verb.add_argument("paths", nargs="*", metavar="PATH", help="files and folders; - is standard input; default: here")
    jobs = "at most so many processes, fewer where more do not pay; default: one for each core"
    verb.add_argument("--jobs", "-j", type=_jobs, metavar="N", help=jobs)
    verb.add_argument(
        "--stdin-display-name", "--stdin-filename", default="stdin", metavar="PATH",
        help="what standard input is called",
    )  # fmt: skip


def _jobs(text: str) -> int | None:
    try:
        return None if text == "auto" else count(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, or auto") from None


def chosen(options: argparse.Namespace, configurations: Configurations) -> list[str]:
    """The files that are to be checked, without standard input; raises `WrongUse` for paths that cannot be meant."""
    named = _named(options)
    check_paths(named)
    return _committed(selection(named, configurations).files(named), options)


def selection(named: Sequence[str], configurations: Configurations) -> Selection:
    """Which files a run over some paths judges."""
    return Selection(configurations.of, Ignored(named, warn).holds)


def _named(options: argparse.Namespace) -> list[str]:
    """The paths of a run, without standard input."""
    return [path for path in options.paths or ["."] if path != "-"]


def _committed(found: list[str], options: argparse.Namespace) -> list[str]:
    """The files that git tracks, if the run is that of a hook; raises `WrongUse` for a revision that is none, also
    where nothing will be found that it could know.
    """
    if options.diff_base is None:
        return found
    from flake8_jax.driver.revisions import PRE_COMMIT, RevisionError, commits, tracked

    try:
        commits(options.diff_base)
        return tracked(found) if options.diff_base == PRE_COMMIT else found
    except RevisionError as error:
        raise WrongUse(f"--diff-base: {error}") from None


def checked(options: argparse.Namespace, configurations: Configurations) -> Checked:
    """Check the files that are given, and warn of what checks nothing and of what is selected in vain."""
    paths, named = chosen(options, configurations), _named(options)
    if "-" in options.paths:  # which stands for its file on the disk
        buffer = os.path.abspath(options.stdin_display_name)
        paths = [path for path in paths if os.path.abspath(path) != buffer]
    ruled = [*paths, *([options.stdin_display_name] if "-" in options.paths else [])]
    for code, why in dict.fromkeys(one for config in configurations.groups(ruled) for one in off(config)):
        warn(f"{code} is selected, but {why}")
    for said in dict.fromkeys(one for config in configurations.groups(ruled) for one in in_vain(config)):
        warn(said)
    run = _judged(paths, options, configurations)
    if "-" in options.paths:
        _check_stdin(options.stdin_display_name, configurations, run)
    if (dropped := of_faults(run.reports)) is not None:
        warn(dropped)
    selected = selection(named, configurations)
    hollow = list(selected.empty(named))
    for path, is_left_out in hollow:
        warn(f"{path}: all Python files in it are excluded" if is_left_out else f"{path}: no Python file was found")
    if not run.reports and not hollow:
        warn("everything that was given is excluded")
    return run


def checked_again(run: Checked, options: argparse.Namespace, configurations: Configurations) -> Checked:
    """Check the files of a run again, after some were changed; what was said of them is not said again."""
    return _judged(run.paths, options, configurations, is_first=False)


def _judged(
    paths: list[str], options: argparse.Namespace, configurations: Configurations, is_first: bool = True
) -> Checked:
    """Check files, those of one configuration at a time."""
    from flake8_jax.driver.processes import check_files

    found: dict[str, Report] = {}
    notices: list[str] = []
    with Progress(len(paths), options.quiet) as progress:
        for config, group in configurations.groups(paths).items():

            def shown(done: int, before: int = len(found)) -> None:
                progress.show(before + done)

            reports = list(check_files(group, config, options.jobs, notices.append, shown))
            found |= zip(group, reports)
    for notice in dict.fromkeys(notices) if is_first and not options.quiet else ():
        note(notice)
    return Checked(paths, [found[path] for path in paths])


def _check_stdin(name: str, configurations: Configurations, run: Checked) -> None:
    """Check standard input, unless it is excluded by its name."""
    from flake8_jax.driver.checking import check_data
    from flake8_jax.syntax.notebooks import is_json, is_notebook
    from flake8_jax.syntax.source import Unreadable, decode

    if sys.stdin is None:
        raise WrongUse("standard input is closed")
    data = run.data = sys.stdin.buffer.read()
    if name != STDIN and selection([name], configurations).is_excluded(name):
        return
    try:
        text = decode(data)
    except Unreadable:
        text = data.decode("utf-8", "replace")
    if not name.endswith(SUFFIXES) and is_json(text) and not is_notebook(text):
        raise WrongUse("standard input is JSON; `--stdin-display-name NAME.py` says that it is Python all the same")
    run.paths.append(name)
    run.reports.append(check_data(name, data, configurations.of(name)))
    run.given.append(_given(name, data, text))


def _given(name: str, data: bytes, text: str) -> SourceFile:
    """The file that standard input stands for; its text as it is if it cannot be read as that."""
    from flake8_jax.syntax.source import SourceFile, Unreadable

    try:
        return SourceFile.of(name, data)
    except Unreadable:
        return SourceFile(name, text)
