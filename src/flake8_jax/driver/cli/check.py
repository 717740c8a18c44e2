"""`flake8-jax check`: lints files and folders."""

from __future__ import annotations

import argparse

from flake8_jax.driver import statistics
from flake8_jax.driver.cli import adopting, rendering
from flake8_jax.driver.cli.files import checked, chosen
from flake8_jax.driver.cli.given import off
from flake8_jax.driver.cli.output import CLEAN, FOUND, say, warn, write
from flake8_jax.driver.cli.settings import add_shared_options, configured, shown
from flake8_jax.model.arguments import count
from flake8_jax.model.diagnostic import Diagnostic


def check(options: argparse.Namespace) -> int:
    """Lint files and folders, print what is found.

    The exit status is 0 if nothing is, 1 for findings and files that could not be judged, 2 for a wrong use.
    """
    from flake8_jax.driver.sources import Sources

    config = configured(options)
    if options.show_settings or options.show_files:
        write(shown(config, options) if options.show_settings else "".join(f"{f}\n" for f in chosen(options, config)))
        return CLEAN
    rendering.check_destination(options)
    adopting.check_options(options, config)
    for code, why in off(config):
        warn(f"{code} is selected, but {why}")
    run = checked(options, config)
    found = sorted((d for report in run.reports for d in report.diagnostics), key=Diagnostic.sort_key)
    sources = Sources(run.given, config.root)
    if options.write_baseline is not None:
        left = adopting.write_baseline(options.write_baseline, found, sources, options.quiet)
    else:
        left = adopting.unknown(found, run, sources, options, config)
    known = len(found) - len(left)
    if options.add_noqa or options.add_ignores is not None:
        left = adopting.add_comments(left, options.add_ignores, options.quiet)
    rendering.print_findings(left, sources, options, config)
    if config.analysis_statistics:
        say("\n".join(statistics.of_analysis(zip(run.paths, run.reports, strict=False), config)))
    if not options.quiet:
        say(statistics.summary(run.reports, left, known))
    return FOUND if left and not options.exit_zero else CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax check` to a parser."""
    verb.add_argument("paths", nargs="*", metavar="PATH", help="files and folders; - is standard input; default: here")
    verb.add_argument("--jobs", "-j", type=_jobs, metavar="N", help="processes; default: by the number of files")
    verb.add_argument(
        "--stdin-display-name", "--stdin-filename", default="stdin", metavar="PATH",
        help="what standard input is called",
    )  # fmt: skip
    verb.add_argument("--exit-zero", action="store_true", help="exit with 0 although there are findings")
    rendering.add_options(verb.add_argument_group("output"))
    adopting.add_options(verb.add_argument_group("adoption"))
    add_shared_options(verb)


def _jobs(text: str) -> int | None:
    try:
        return None if text == "auto" else count(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, or auto") from None
