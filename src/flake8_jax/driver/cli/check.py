"""`flake8-jax check`: lints files and folders."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from flake8_jax.driver import statistics
from flake8_jax.driver.cli.given import check_paths, off
from flake8_jax.driver.cli.output import CLEAN, FOUND, WrongUse, note, say, warn, write
from flake8_jax.driver.reporters import FORMATS
from flake8_jax.driver.selection import empty, files
from flake8_jax.model.arguments import count, one_of
from flake8_jax.model.config import OPTIONS, Config, load
from flake8_jax.model.diagnostic import Diagnostic

if TYPE_CHECKING:
    from flake8_jax.model.report import Report

PATIENCE, REFRESH = 2.0, 0.1
"""After how many seconds the progress of a run is shown, and how often."""


def check(options: argparse.Namespace) -> int:
    """Lint files and folders, print what is found.

    The exit status is 0 if nothing is, 1 for findings and files that could not be judged, 2 for a wrong use.
    """
    config = load(Path.cwd()).given({o.key: getattr(options, o.name) for o in OPTIONS}, Path.cwd())
    for code, why in off(config):
        warn(f"{code} is selected, but {why}")
    chosen, reports = _reports(options, config)
    diagnostics = sorted((d for report in reports for d in report.diagnostics), key=Diagnostic.sort_key)
    write(import_module(f"flake8_jax.driver.reporters.{options.format}").render(diagnostics))
    if config.statistics and options.format != "json":
        write("".join(f"{line}\n" for line in statistics.of_findings(diagnostics)))
    if config.analysis_statistics:
        say("\n".join(statistics.of_analysis(zip(chosen, reports, strict=False), config)))
    say(statistics.summary(reports))
    return FOUND if diagnostics and not options.exit_zero else CLEAN


def _reports(options: argparse.Namespace, config: Config) -> tuple[list[str], list[Report]]:
    """The files that are checked, and the report on each."""
    from flake8_jax.driver.processes import check_files

    paths = options.paths or ["."]
    named = [path for path in paths if path != "-"]
    check_paths([*named, *([options.stdin_display_name] if "-" in paths else [])], named)
    chosen = files(named, config)
    progress = _Progress(len(chosen))
    reports = list(check_files(chosen, config, options.jobs, note, progress.show))
    progress.end()
    if "-" in paths and (found := _check_stdin(options.stdin_display_name, config)) is not None:
        reports.append(found)
        chosen.append(options.stdin_display_name)
    hollow = list(empty(named, config))
    for path, is_excluded in hollow:
        warn(f"{path}: all Python files in it are excluded" if is_excluded else f"{path}: no Python file was found")
    if not reports and not hollow:
        warn("everything that was given is excluded")
    return chosen, reports


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax check` to a parser."""
    verb.add_argument("paths", nargs="*", metavar="PATH", help="files and folders; - is standard input; default: here")
    formats: dict[str, Any] = {"type": one_of(FORMATS), "metavar": f"{{{','.join(FORMATS)}}}"}
    verb.add_argument("--format", default="text", help="how to print findings; default: text", **formats)
    verb.add_argument("--jobs", "-j", type=_jobs, metavar="N", help="processes; default: by the number of files")
    verb.add_argument("--stdin-display-name", default="stdin", metavar="PATH", help="what standard input is called")
    verb.add_argument("--exit-zero", action="store_true", help="exit with 0 although there are findings")
    for option in OPTIONS:
        if option.kind == "flag":
            verb.add_argument(f"--{option.key}", action="store_true", default=None, help=option.help)
        else:
            metavar = option.kind.upper()
            verb.add_argument(f"--{option.key}", default=None, metavar=metavar, help=option.help)


def _jobs(text: str) -> int | None:
    try:
        return None if text == "auto" else count(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, or auto") from None


class _Progress:
    """On a terminal, a run that takes long shows how far it is."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.started, self.shown = monotonic(), 0.0

    def show(self, done: int) -> None:
        """So many files are done."""
        now = monotonic()
        if sys.stderr is None or now - self.started <= PATIENCE or now - self.shown <= REFRESH:
            return
        if sys.stderr.isatty():
            print(f"\r{done} of {self.total} files", end="", file=sys.stderr, flush=True)
            self.shown = now

    def end(self) -> None:
        """All is done."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _check_stdin(name: str, config: Config) -> Report | None:
    """The report on standard input; None if it is excluded by its name."""
    import io
    import linecache

    from flake8_jax.driver.checking import check_data
    from flake8_jax.driver.selection import STDIN, is_excluded

    if name != STDIN and is_excluded(name, config):
        return None
    if sys.stdin is None:
        raise WrongUse("standard input is closed")
    data = sys.stdin.buffer.read()
    lines = io.StringIO(data.decode("utf-8", "replace"), newline=None).readlines()
    linecache.cache[name] = (len(data), None, lines, name)  # what the full format shows of it
    return check_data(name, data, config)
