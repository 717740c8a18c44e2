"""Takes known findings out of a run: those of a baseline, and those of a revision."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flake8_jax.driver.cli.files import Checked, selection
from flake8_jax.driver.cli.output import FileNotWritten, WrongUse, note, write_file
from flake8_jax.driver.cli.progress import Progress
from flake8_jax.driver.gave_up import CELL
from flake8_jax.driver.selection import ConfigOf, is_chosen
from flake8_jax.driver.statistics import counted
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.config import Config
from flake8_jax.model.configurations import Configurations
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.folders import path_from

if TYPE_CHECKING:
    from flake8_jax.driver.fingerprints import Fingerprint
    from flake8_jax.driver.sources import Sources
    from flake8_jax.model.report import Report

MOST_SHOWN = 10
"""How many findings that are gone are named."""


def add_options(verb: argparse._ArgumentGroup) -> None:
    """Add the options of known findings to a group of a parser."""
    one = verb.add_mutually_exclusive_group()
    one.add_argument("--write-baseline", metavar="FILE", help="write what is found to a file, for --baseline")
    one.add_argument("--add-noqa", action="store_true", help="add `# noqa` comments for what is found")
    one.add_argument("--add-ignores", metavar="REASON", help="add `# jax: ignore[...] REASON` comments for it")
    add_base_option(verb)


def add_base_option(verb: argparse._ArgumentGroup) -> None:
    """Add the option that names a revision to a group of a parser."""
    verb.add_argument(
        "--diff-base", metavar="REV",
        help="leave out what is found in this git revision, too; main... is the common ancestor with it; :PRE-COMMIT: "
        "leaves out what git does not track, and is HEAD, or what pre-commit compares with",
    )  # fmt: skip


def check_options(options: argparse.Namespace, config: Config) -> None:
    """Raise `WrongUse` for a baseline that is given and cannot be read, and one or comments that cannot be written."""
    folder = os.path.dirname(options.write_baseline or "")
    if folder and not os.path.isdir(folder):
        raise WrongUse(f"--write-baseline: there is no folder {folder}")
    if options.baseline and config.baseline is not None and options.write_baseline is None:
        _read(config.baseline)
    if not options.add_noqa and options.add_ignores is None:
        return
    from flake8_jax.syntax.silencing import wrong_reason

    option = "--add-noqa" if options.add_noqa else "--add-ignores"
    if options.add_ignores is not None and (why := wrong_reason(options.add_ignores)):
        raise WrongUse(f"{option}: {why}")
    if "-" in options.paths:
        raise WrongUse(f"{option}: comments are added to files, not to standard input")
    if config.disable_noqa:
        raise WrongUse(f"{option}: with --disable-noqa no comment has an effect")


def write_baseline(path: str, diagnostics: Sequence[Diagnostic], sources: Sources, quiet: bool) -> list[Diagnostic]:
    """Write the findings of a run to a file.  That a file could not be judged is none: it is left."""
    kept, left = _split(diagnostics)
    write_file(path, baseline_text(path, kept, sources).encode())
    if not quiet:
        note(f"wrote {counted(len(kept), 'finding')} to {path}")
    return left


def baseline_text(path: str, diagnostics: Sequence[Diagnostic], sources: Sources) -> str:
    """The baseline of what is found, as the file at a path has it; that a file could not be judged is none."""
    from flake8_jax.driver.baseline import text_of

    kept, _ = _split(diagnostics)
    return text_of(_placed(kept, sources, Path(path).absolute().parent))


def unknown(
    diagnostics: Sequence[Diagnostic],
    run: Checked,
    sources: Sources,
    options: argparse.Namespace,
    configurations: Configurations,
) -> list[Diagnostic]:
    """The findings that are not known, and the files that could not be judged.  What is gone is said.

    A finding is known by the baseline that the configuration of its file names.  No baseline knows that a file could
    not be judged; a revision does, where it could not be judged either.
    """  # fmt: skip
    found, left = _split(diagnostics)
    files = {configurations.of(path).baseline for path in run.paths} if run.paths else {configurations.run.baseline}
    for file in sorted(file for file in files if file is not None):
        ruled = [each for each in found if configurations.of(each.path).baseline == file]
        new = set(_not_in_baseline(file, ruled, run, sources, options, configurations.of))
        found = [each for each in found if each in new or configurations.of(each.path).baseline != file]
    left = sorted([*found, *left], key=Diagnostic.sort_key)
    return _not_in_revision(left, sources, options, configurations) if options.diff_base is not None and left else left


def known_of(
    diagnostics: Sequence[Diagnostic], left: Sequence[Diagnostic], sources: Sources
) -> dict[str, list[Fingerprint]]:
    """Of each file the fingerprints of those findings that are not left, which fixes leave alone."""
    from flake8_jax.driver.fingerprints import fingerprints

    if len(left) == len(diagnostics):
        return {}
    new, known = set(left), dict[str, list["Fingerprint"]]()
    for found, fingerprint in zip(diagnostics, fingerprints(diagnostics, sources)):
        if found not in new:
            known.setdefault(found.path, []).append(fingerprint)
    return known


def add_comments(diagnostics: Sequence[Diagnostic], reason: str | None, quiet: bool) -> list[Diagnostic]:
    """Add comments for findings, flake8's if there is no reason; returns those that no comment suppresses."""
    from flake8_jax.driver.silencing import NotSilenced, silence

    try:
        files, left = silence(diagnostics, reason)
    except NotSilenced as error:
        raise FileNotWritten(str(error)) from error
    if not quiet:
        count = counted(len(diagnostics) - len(left), "finding")
        note(f"added comments for {count} in {counted(files, 'file')}")
    return left


def _split(diagnostics: Sequence[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """The findings, and the files that could not be judged."""
    found = [each for each in diagnostics if each.code != UNJUDGED]
    return found, [each for each in diagnostics if each.code == UNJUDGED]


def _not_in_baseline(
    file: str, found: list[Diagnostic], run: Checked, sources: Sources, options: argparse.Namespace, config_of: ConfigOf
) -> list[Diagnostic]:
    from flake8_jax.driver.baseline import compared

    path, folder = path_from(file), Path(file).absolute().parent
    known = _read(file)
    comparison = compared(_placed(found, sources, folder), known)
    gone = list(_gone(comparison.gone, run, folder, config_of)) if not options.quiet else []
    for one in gone[:MOST_SHOWN]:
        note(f"no longer found: {one.code} in {one.path}{f', {one.function}' * bool(one.function)}: {one.statement}")
    if gone:
        more = f"{len(gone)} of {path} are no longer found" if len(gone) > MOST_SHOWN else f"{path} can be shortened"
        note(f"{more}: `--write-baseline {path}` writes it anew")
    return [found[number] for number in comparison.new]


def _read(file: str) -> list[Fingerprint]:
    """The findings that a baseline has; raises `WrongUse` for one that cannot be used."""
    from flake8_jax.driver.baseline import BaselineError, read

    try:
        return read(path_from(file))
    except BaselineError as error:
        raise WrongUse(str(error)) from None


def _not_in_revision(
    found: list[Diagnostic], sources: Sources, options: argparse.Namespace, configurations: Configurations
) -> list[Diagnostic]:
    from flake8_jax.driver.baseline import compared
    from flake8_jax.driver.revisions import RevisionError, commits, revision, top_folder
    from flake8_jax.driver.sources import Sources

    def told(done: int, total: int) -> None:
        progress.total = total
        progress.show(done)

    paths = [path if path != "-" else options.stdin_display_name for path in options.paths or ["."]]
    chosen = selection(paths, configurations)
    new = set(range(len(found)))
    try:
        placed = _placed(found, sources, top_folder())
        with Progress(0, options.quiet) as progress:
            for commit in commits(options.diff_base):
                with revision(commit) as there:
                    before = there.findings(paths, chosen, configurations, options.jobs, told)
                    known = _placed(before, Sources(), there.copy)
                    new.intersection_update(compared(placed, known).new)
    except RevisionError as error:
        raise WrongUse(f"--diff-base: {error}") from None
    return [found[number] for number in sorted(new)]


def _placed(diagnostics: Sequence[Diagnostic], sources: Sources, folder: Path) -> list[Fingerprint]:
    """The fingerprints of findings, with paths from a folder."""
    from flake8_jax.driver.fingerprints import fingerprints

    found = fingerprints(diagnostics, sources)
    return [replace(fingerprint, path=_path_from(folder, fingerprint.path)) for fingerprint in found]


def _path_from(folder: Path, path: str) -> str:
    """A path from a folder, the same on every system."""
    return path_from(path, folder).replace(os.sep, "/")


def _is_judged(report: Report) -> bool:
    """Was all of a file judged?"""
    return report.given_up is None and not report.faults and CELL not in report.statistics.given_up


def _gone(known: Sequence[Fingerprint], run: Checked, folder: Path, config_of: ConfigOf) -> Iterator[Fingerprint]:
    """What would have been found in this run if it were there."""
    from flake8_jax.driver.linter import why_off
    from flake8_jax.rules import discover

    rules = {each.rule.code: each.rule for each in discover()}
    judged = {_path_from(folder, path) for path, one in zip(run.paths, run.reports) if _is_judged(one)}
    for one in known:
        path = os.path.join(folder, one.path)
        config = config_of(path)
        is_run = one.code not in rules or why_off(rules[one.code], config) is None
        is_looked_for = is_run and is_chosen(one.code, path, config)
        if is_looked_for and (one.path in judged or not os.path.exists(path)):
            yield one
