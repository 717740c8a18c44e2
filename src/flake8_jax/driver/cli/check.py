"""`flake8-jax check`: lints files and folders."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
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
from flake8_jax.model.diagnostic import Applicability, Diagnostic

if TYPE_CHECKING:
    from flake8_jax.model.report import Report

PATIENCE, REFRESH = 2.0, 0.1
"""After how many seconds the progress of a run is shown, and how often."""


def check(options: argparse.Namespace) -> int:
    """Lint files and folders, print what is found.

    The exit status is 0 if nothing is, 1 for findings and files that could not be judged, 2 for a wrong use.
    """
    config = configured(options)
    data = read_stdin() if "-" in options.paths else b""
    chosen, reports = reports_on(options, config, data)
    diagnostics = sorted((d for report in reports for d in report.diagnostics), key=Diagnostic.sort_key)
    if options.diff:
        _write_diffs(options, zip(chosen, reports, strict=False), config, data)
    else:
        write(import_module(f"flake8_jax.driver.reporters.{options.format}").render(diagnostics))
    if config.statistics and options.format != "json":
        write("".join(f"{line}\n" for line in statistics.of_findings(diagnostics)))
    if config.analysis_statistics:
        say("\n".join(statistics.of_analysis(zip(chosen, reports, strict=False), config)))
    say(statistics.summary(reports))
    return FOUND if diagnostics and not options.exit_zero else CLEAN


def configured(options: argparse.Namespace) -> Config:
    """The configuration of a run; what is selected in vain is said."""
    config = load(Path.cwd()).given({o.key: getattr(options, o.name) for o in OPTIONS}, Path.cwd())
    for code, why in off(config):
        warn(f"{code} is selected, but {why}")
    return config


def allowed(options: argparse.Namespace) -> tuple[Applicability, ...]:
    """The kinds of fixes that a run shows or makes."""
    return ("safe", "unsafe") if options.unsafe_fixes else ("safe",)


def _write_diffs(
    options: argparse.Namespace, reports: Iterable[tuple[str, Report]], config: Config, data: bytes
) -> None:
    """Print what `fix` would change."""
    from flake8_jax.driver.fixing import fixed_data, fixed_file, is_fixable
    from flake8_jax.fixes.files import NotFixed

    for path, report in reports:
        if not is_fixable(report, allowed(options)):
            continue
        is_given = "-" in options.paths and path == options.stdin_display_name
        try:
            found = fixed_data(path, data, config, allowed(options)) if is_given else None
            found = found if is_given else fixed_file(path, config, allowed(options))
        except NotFixed as error:
            warn(f"{path} is not fixed: {error}")
            continue
        if found is not None and found.fixed:
            write(found.diff)


def reports_on(options: argparse.Namespace, config: Config, data: bytes) -> tuple[list[str], list[Report]]:
    """The files that are checked, and the report on each; `data` is standard input."""
    from flake8_jax.driver.processes import check_files

    paths = options.paths or ["."]
    named = [path for path in paths if path != "-"]
    check_paths([*named, *([options.stdin_display_name] if "-" in paths else [])], named)
    chosen = files(named, config)
    progress = _Progress(len(chosen))
    reports = list(check_files(chosen, config, options.jobs, note, progress.show))
    progress.end()
    if "-" in paths and (found := _check_stdin(options.stdin_display_name, data, config)) is not None:
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
    add_shared_options(verb)
    verb.add_argument("--diff", action="store_true", help="print what `fix` would change, in place of the findings")
    verb.add_argument("--unsafe-fixes", action="store_true", help="with --diff: also fixes that change what runs")


def add_shared_options(verb: argparse.ArgumentParser) -> None:
    """Add what `check` and `fix` have in common."""
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


def read_stdin() -> bytes:
    """What standard input holds; raises `WrongUse` if it is closed."""
    if sys.stdin is None:
        raise WrongUse("standard input is closed")
    return sys.stdin.buffer.read()


def _check_stdin(name: str, data: bytes, config: Config) -> Report | None:
    """The report on standard input; None if it is excluded by its name."""
    import io
    import linecache

    from flake8_jax.driver.checking import check_data
    from flake8_jax.driver.selection import STDIN, is_excluded

    if name != STDIN and is_excluded(name, config):
        return None
    lines = io.StringIO(data.decode("utf-8", "replace"), newline=None).readlines()
    linecache.cache[name] = (len(data), None, lines, name)  # what the full format shows of it
    return check_data(name, data, config)
