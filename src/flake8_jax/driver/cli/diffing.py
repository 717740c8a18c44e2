"""`flake8-jax check --diff`: what `fix` would change."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flake8_jax.driver.cli.files import Checked
from flake8_jax.driver.cli.output import WrongUse, warn
from flake8_jax.driver.selection import ConfigOf
from flake8_jax.model.diagnostic import Applicability

if TYPE_CHECKING:
    from flake8_jax.driver.fixing import LeftAlone

WRITING = ("write_baseline", "add_noqa", "add_ignores")
"""The options with which `check` writes files, as its parser calls them."""


def add_options(verb: argparse._ArgumentGroup) -> None:
    """Add the options that show fixes to a group of a parser."""
    verb.add_argument("--diff", action="store_true", help="print what `fix` would change, in place of the findings")
    verb.add_argument("--unsafe-fixes", action="store_true", help="with --diff: also fixes that change what runs")


def check_options(options: argparse.Namespace) -> None:
    """Raise `WrongUse` for what does not go with a diff, and for what means nothing without."""
    if not options.diff and options.unsafe_fixes:
        raise WrongUse("--unsafe-fixes goes with --diff; `flake8-jax fix --unsafe-fixes` makes the changes")
    if options.diff and options.output_format is not None:
        raise WrongUse("--diff prints changes in place of findings: it has no --output-format")
    writing = next((name for name in WRITING if getattr(options, name) not in (None, False)), None)
    if options.diff and writing is not None:
        raise WrongUse(f"--diff only shows, and does not go with --{writing.replace('_', '-')}")


def allowed(options: argparse.Namespace) -> tuple[Applicability, ...]:
    """The kinds of fixes that a run shows or makes."""
    return ("safe", "unsafe") if options.unsafe_fixes else ("safe",)


def diffs(run: Checked, known: LeftAlone, options: argparse.Namespace, config_of: ConfigOf) -> Iterator[str]:
    """The changes of each file; why one has none although it could is said."""
    from flake8_jax.driver.fixing import fixed_data, fixed_file, is_fixable
    from flake8_jax.fixes.files import NotFixed

    given = {source.path for source in run.given}
    for path, report in zip(run.paths, run.reports):
        if not is_fixable(report, allowed(options)):
            continue
        try:
            if path in given:
                found = fixed_data(path, run.data, config_of(path), allowed(options), known)
            else:
                found = fixed_file(path, config_of(path), allowed(options), known)
        except NotFixed as error:
            warn(f"{path} is not fixed: {error}")
            continue
        if found is not None and found.fixed:
            yield found.diff
