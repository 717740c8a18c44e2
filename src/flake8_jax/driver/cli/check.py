"""`flake8-jax check`: lints files and folders."""

from __future__ import annotations

import argparse

from flake8_jax.driver import statistics
from flake8_jax.driver.cli import adopting, diffing, rendering
from flake8_jax.driver.cli.files import checked
from flake8_jax.driver.cli.output import CLEAN, FOUND, note, say
from flake8_jax.driver.cli.settings import add_run_options, add_shared_options, prepared
from flake8_jax.driver.gave_up import for_a_newer_python


def check(options: argparse.Namespace) -> int:
    """Lint files and folders, print what is found.

    The exit status is 0 if nothing is, 1 for findings and files that could not be judged, or not all of them, 2 for a
    wrong use.
    """
    from flake8_jax.driver.cli.watching import watch

    return watch(options, _once) if options.watch else _once(options)


def _once(options: argparse.Namespace) -> int:
    """Check once."""
    from flake8_jax.driver.sources import Sources

    configurations = prepared(options)
    if configurations is None:
        return CLEAN
    config = configurations.run
    adopting.check_options(options, config)
    diffing.check_options(options)
    run = checked(options, configurations)
    found, sources = run.found, Sources(run.given, configurations.of)
    if options.write_baseline is not None:
        left = adopting.write_baseline(options.write_baseline, found, sources, options.quiet)
    else:
        left = adopting.unknown(found, run, sources, options, configurations)
    known = statistics.judged(found) - statistics.judged(left)
    if options.add_noqa or options.add_ignores is not None:
        left = adopting.add_comments(left, options.add_ignores, options.quiet)
    if options.diff:
        changes = diffing.diffs(run, adopting.known_of(found, left, sources), options, configurations.of)
        rendering.print_diffs(changes, left, options, config)
    else:
        rendering.print_findings(left, sources, options, config)
    if config.analysis_statistics:
        say("\n".join(statistics.of_analysis(zip(run.paths, run.reports, strict=False), configurations.of)))
    newer = for_a_newer_python(run.reports)
    if newer is not None and not options.quiet:
        note(newer)
    if not options.quiet:
        say(statistics.summary(run.reports, left, known))
    return FOUND if left and not options.exit_zero else CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax check` to a parser."""
    add_run_options(verb)
    verb.add_argument("--watch", action="store_true", help="check again after each change, until Ctrl-C")
    diffing.add_options(verb.add_argument_group("fixes"))
    adopting.add_options(verb.add_argument_group("adoption"))
    add_shared_options(verb)
