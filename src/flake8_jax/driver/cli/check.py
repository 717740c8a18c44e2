"""`flake8-jax check`: lints files and folders."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from flake8_jax.driver.cli.output import CLEAN, FOUND, note, write
from flake8_jax.driver.reporters import FORMATS
from flake8_jax.model.config import OPTIONS, Config, load
from flake8_jax.model.diagnostic import Diagnostic

if TYPE_CHECKING:
    from flake8_jax.model.report import Report

PATIENCE, REFRESH = 2.0, 0.1
"""After how many seconds the progress of a run is shown, and how often."""


def check(options: argparse.Namespace) -> int:
    """Lint files and folders, print what is found."""
    from flake8_jax.driver import statistics
    from flake8_jax.driver.processes import check_files
    from flake8_jax.driver.selection import files

    config = load(Path.cwd()).given({o.key: getattr(options, o.name) for o in OPTIONS}, Path.cwd())
    for key in config.inert():
        note(f"{key} has no effect in this version")
    paths = options.paths or ["."]
    chosen = files([path for path in paths if path != "-"], config)
    progress = _Progress(len(chosen))
    reports = list(check_files(chosen, config, options.jobs, note, progress.show))
    progress.end()
    if "-" in paths:
        reports += _check_stdin(options.stdin_display_name, config)
        chosen.append(options.stdin_display_name)
    diagnostics = sorted((d for report in reports for d in report.diagnostics), key=Diagnostic.sort_key)
    write(import_module(f"flake8_jax.driver.reporters.{options.format}").render(diagnostics))
    if config.statistics and options.format != "json":
        write("".join(f"{line}\n" for line in statistics.of_findings(diagnostics)))
    if config.analysis_statistics:
        print("\n".join(statistics.of_analysis(zip(chosen, reports, strict=False), config)), file=sys.stderr)
    return FOUND if diagnostics and not options.exit_zero else CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax check` to a parser."""
    verb.add_argument("paths", nargs="*", metavar="PATH", help="files and folders; - is standard input; default: here")
    verb.add_argument("--format", choices=FORMATS, default="text", help="how to print findings; default: text")
    verb.add_argument("--jobs", "-j", type=_jobs, metavar="N", help="processes; default: by the number of files")
    verb.add_argument("--stdin-display-name", default="stdin", metavar="PATH", help="what standard input is called")
    verb.add_argument("--exit-zero", action="store_true", help="exit with 0 although there are findings")
    for option in OPTIONS:
        if option.kind == "flag":
            verb.add_argument(f"--{option.key}", action="store_true", default=None, help=option.description())
        else:
            metavar = option.kind.upper()
            verb.add_argument(f"--{option.key}", default=None, metavar=metavar, help=option.description())


def _jobs(text: str) -> int | None:
    if text == "auto":
        return None
    number = int(text)
    if number < 1:
        raise ValueError
    return number


class _Progress:
    """On a terminal, a run that takes long shows how far it is."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.started, self.shown = monotonic(), 0.0

    def show(self, done: int) -> None:
        """So many files are done."""
        now = monotonic()
        if now - self.started > PATIENCE and now - self.shown > REFRESH and sys.stderr.isatty():
            print(f"\r{done} of {self.total} files", end="", file=sys.stderr, flush=True)
            self.shown = now

    def end(self) -> None:
        """All is done."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _check_stdin(name: str, config: Config) -> list[Report]:
    import io
    import linecache

    from flake8_jax.driver.checking import check_data
    from flake8_jax.driver.selection import STDIN, is_excluded

    if name != STDIN and is_excluded(name, config):
        return []
    data = sys.stdin.buffer.read()
    lines = io.StringIO(data.decode("utf-8", "replace"), newline=None).readlines()
    linecache.cache[name] = (len(data), None, lines, name)  # what the full format shows of it
    return [check_data(name, data, config)]
