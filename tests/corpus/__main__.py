"""Runs the linter over the pinned packages: `python -m tests.corpus`, from the root of a clone."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from flake8_jax.rules import discover
from flake8_jax.syntax.source import SourceFile

from .judging import Outcome, jobs_of, judge
from .ledger import LEDGER, LedgerError, Row, compare, faults, misquotes, read_ledger, write_findings
from .packages import CACHE, CorpusError, Package, choose, default_cache, fetch, read_packages
from .printing import comparison_lines, outcome_lines, timing_lines, whole_lines
from .timing import time_files, time_packages

GOOD, BAD, WRONG_USE = 0, 1, 2
WHOLE = 4
"""How many packages are timed as a whole."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Lint packages and print what was found; 1 if a file could not be analysed or the ledger says otherwise."""
    options = _parser().parse_args(arguments)
    try:
        packages = choose(options.packages)
        folders = fetch(packages, options.cache)
        rows = [row for row in read_ledger(options.ledger) if row.package in folders] if options.compare else []
    except (CorpusError, LedgerError, OSError) as error:
        print(f"corpus: error: {error}", file=sys.stderr)
        return WRONG_USE
    jobs = jobs_of(packages, folders)
    outcome = judge(jobs, options.jobs)
    _print(outcome_lines(outcome))
    status = BAD if outcome.crashes else GOOD
    if options.write_findings:
        write_findings(outcome.findings, options.write_findings)
    if options.compare and not _agrees(outcome, rows, folders):
        status = BAD
    if options.timed:
        _print(timing_lines(time_files(jobs, options.timed)))
        _print(whole_lines(time_packages(jobs, WHOLE)))
    return status


def faults_of(rows: Sequence[Row], folders: dict[str, Path]) -> list[str]:
    """What is wrong with rows of packages that lie in these folders, their quotes included."""

    @cache
    def lines_of(package: str, path: str) -> list[str]:
        file = folders[package] / path
        return SourceFile.read(str(file)).lines if file.is_file() else []

    wrong = faults(rows, _versions(read_packages()))
    for row in rows:
        wrong += misquotes(row, lambda path, package=row.package: lines_of(package, path))  # type: ignore[misc]
    return wrong


def _agrees(outcome: Outcome, rows: Sequence[Row], folders: dict[str, Path]) -> bool:
    comparison, wrong = compare(outcome.findings, rows), faults_of(rows, folders)
    _print(comparison_lines(comparison, wrong, rows, {found.rule.code for found in discover()}))
    return comparison.agrees and not wrong


def _versions(packages: Sequence[Package]) -> dict[str, str]:
    return {package.name: package.version for package in packages}


def _print(lines: Sequence[str]) -> None:
    print(*lines, "", sep="\n", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.corpus", description=__doc__, allow_abbrev=False)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="pinned packages; default: all of them")
    parser.add_argument(
        "--cache", type=Path, default=default_cache(), metavar="DIR", help=f"where packages are kept; also: ${CACHE}"
    )
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--timed", type=int, default=200, metavar="N", help="files to time, 0 for none; default: 200")
    parser.add_argument("--write-findings", type=Path, metavar="FILE", help="write the findings as CSV, to be judged")
    parser.add_argument("--compare", action="store_true", help="compare the findings with the ledger")
    parser.add_argument("--ledger", type=Path, default=LEDGER, metavar="FILE", help="the ledger to compare with")
    return parser


if __name__ == "__main__":
    sys.exit(main())
