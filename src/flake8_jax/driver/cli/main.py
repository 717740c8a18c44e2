"""The command line: `flake8-jax check`, `explain`, `rules`, `show`, `verify`, `measure`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from flake8_jax import __version__
from flake8_jax.driver.reporters import FORMATS
from flake8_jax.model.config import OPTIONS, Config, ConfigError, load
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.runtime.measuring.options import add_options as add_measuring
from flake8_jax.runtime.options import add_options

if TYPE_CHECKING:
    from flake8_jax.model.report import Report

CLEAN, FOUND, FAILED = 0, 1, 2
PATIENCE, REFRESH = 2.0, 0.1
"""After how many seconds the progress of a run is shown, and how often."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; the exit status is 0 for clean, 1 for findings, 2 for a wrong use."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.verb(options)
    except ConfigError as error:
        status = _failed(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FOUND
    except KeyboardInterrupt:
        status = 130
    return status


def check(options: argparse.Namespace) -> int:
    """Lint files and folders, print what is found."""
    from flake8_jax.driver import statistics
    from flake8_jax.driver.processes import check_files
    from flake8_jax.driver.selection import files

    config = load(Path.cwd()).given({o.key: getattr(options, o.name) for o in OPTIONS}, Path.cwd())
    for key in config.inert():
        _note(f"{key} has no effect in this version")
    paths = options.paths or ["."]
    chosen = files([path for path in paths if path != "-"], config)
    progress = _Progress(len(chosen))
    reports = list(check_files(chosen, config, options.jobs, _note, progress.show))
    progress.end()
    if "-" in paths:
        reports += _check_stdin(options.stdin_display_name, config)
        chosen.append(options.stdin_display_name)
    diagnostics = sorted((d for report in reports for d in report.diagnostics), key=Diagnostic.sort_key)
    _write(import_module(f"flake8_jax.driver.reporters.{options.format}").render(diagnostics))
    if config.statistics and options.format != "json":
        _write("".join(f"{line}\n" for line in statistics.of_findings(diagnostics)))
    if config.analysis_statistics:
        print("\n".join(statistics.of_analysis(zip(chosen, reports, strict=False), config)), file=sys.stderr)
    return FOUND if diagnostics and not options.exit_zero else CLEAN


def explain(options: argparse.Namespace) -> int:
    """Print the page of one or more rules."""
    pages = {code: (f"{code} {name} ({state})", page) for code, name, state, _, page in _cards()}
    codes = {name: code for code, name, *_ in _cards()}
    for name in options.rules:
        code = codes.get(name, name.upper())
        if code not in pages:
            return _failed(f"there is no rule {name}; there are {', '.join(sorted(pages))}")
        title, page = pages[code]
        _write(f"# {title}\n\n{page.strip()}\n")
    return CLEAN


def rules(options: argparse.Namespace) -> int:
    """List the rules: code, name, status, what each says."""
    rows = [(code, name, state, summary) for code, name, state, summary, _ in _cards()]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for code, name, state, summary in rows:
        _write(f"{code:{widths[0]}}  {name:{widths[1]}}  {state:{widths[2]}}  {summary}\n")
    return CLEAN


def show(options: argparse.Namespace) -> int:
    """Print the ops that a file is lowered to."""
    from flake8_jax.ir.lower.files import lower
    from flake8_jax.ir.show import show as shown
    from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep, Unreadable

    try:
        _write(shown(lower(SourceFile.read(options.file))))
    except (NotPython, TooDeep, Unreadable) as error:
        return _failed(f"{options.file}: {error}")
    return CLEAN


def verify(options: argparse.Namespace) -> int:
    """Run the claims of fixtures with JAX, under its transforms, and say which are proved."""
    from flake8_jax.runtime.command import run

    return run(options)


def measure(options: argparse.Namespace) -> int:
    """Measure what JAX and the libraries around it do, and write the tables of this package."""
    from flake8_jax.runtime.measuring.command import run

    return run(options)


def _note(text: str) -> None:
    print(f"flake8-jax: note: {text}", file=sys.stderr)


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


def _cards() -> list[tuple[str, str, str, str, str]]:
    """Code, name, status, first sentence and page of every rule."""
    from flake8_jax.driver import gave_up
    from flake8_jax.rules import discover

    cards = [(gave_up.CODE, gave_up.NAME, "on", gave_up.__doc__ or "")]
    cards += [(found.rule.code, found.rule.name, found.rule.status, found.page) for found in discover()]
    return [(code, name, status, _summary(page), page) for code, name, status, page in cards]


def _summary(page: str) -> str:
    return " ".join(page.partition("\n\n")[0].split())


def _write(text: str) -> None:
    """Write to standard output as UTF-8, whatever the locale, as flake8 does."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _failed(message: str) -> int:
    print(f"flake8-jax: error: {message}", file=sys.stderr)
    return FAILED


def _jobs(text: str) -> int | None:
    if text == "auto":
        return None
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("flake8-jax", description="Find JAX hazards before they run.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _add_check(verbs.add_parser("check", help=check.__doc__, description=check.__doc__, allow_abbrev=False))
    verb = verbs.add_parser("explain", help=explain.__doc__, description=explain.__doc__)
    verb.add_argument("rules", nargs="+", metavar="RULE", help="a code or a name")
    verb.set_defaults(verb=explain)
    verbs.add_parser("rules", help=rules.__doc__, description=rules.__doc__).set_defaults(verb=rules)
    verb = verbs.add_parser("show", help=show.__doc__, description=show.__doc__)
    verb.add_argument("file")
    verb.set_defaults(verb=show)
    verb = verbs.add_parser("verify", help=verify.__doc__, description=verify.__doc__, allow_abbrev=False)
    add_options(verb)
    verb.set_defaults(verb=verify)
    verb = verbs.add_parser("measure", help=measure.__doc__, description=measure.__doc__, allow_abbrev=False)
    add_measuring(verb)
    verb.set_defaults(verb=measure)
    return parser


def _add_check(verb: argparse.ArgumentParser) -> None:
    verb.set_defaults(verb=check)
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
