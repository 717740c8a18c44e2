"""Runs the linter over pinned packages or applications: `python -m tests.corpus`, from the root of a clone."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tarfile import TarError

from flake8_jax.rules import discover
from flake8_jax.syntax.source import SourceFile

from .apps import find, read_apps
from .costs import COSTS_OF_APPS, COSTS_OF_PACKAGES, cost_lines, read_costs, write_costs
from .judging import Outcome, jobs_of, judge
from .ledger import (
    LEDGER,
    LedgerError,
    Row,
    compare,
    faults,
    misquotes,
    read_ledger,
    write_findings,
    write_ledger,
)
from .marking import marked
from .packages import CACHE, CorpusError, Package, choose, default_cache, fetch, read_packages
from .printing import comparison_lines, outcome_lines, row_lines, timing_lines, whole_lines
from .rows import ROWS_OF_APPS, ROWS_OF_PACKAGES, differences, read_rows, replace_rows, rows_of
from .rows import Row as ListedRow
from .timing import time_files, time_packages

GOOD, BAD, WRONG_USE = 0, 1, 2
APPS_HELP = "run the applications in this folder or archive; may be given more than once"
WHOLE = 4
"""How many packages are timed as a whole."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Lint projects and print what was found; 1 if a file could not be analysed or what is committed says otherwise."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.mark_gone and not options.compare:
        parser.error("--mark-gone needs --compare")
    options.rows = options.rows or (ROWS_OF_APPS if options.apps else ROWS_OF_PACKAGES)
    try:
        pinned = read_apps() if options.apps else read_packages()
        chosen = choose(options.projects, pinned)
        folders = find(chosen, options.apps, options.cache) if options.apps else fetch(chosen, options.cache)
        judged = [row for row in read_ledger(options.ledger) if row.project in folders] if options.compare else []
        listed = [row for row in read_rows(options.rows) if row.project in folders] if options.compare_rows else []
    except (CorpusError, LedgerError, OSError, TarError) as error:
        print(f"corpus: error: {error}", file=sys.stderr)
        return WRONG_USE
    jobs = jobs_of(chosen, folders)
    outcome = judge(jobs, options.jobs)
    _print(outcome_lines(outcome))
    status = BAD if outcome.crashes and not options.compare_rows else GOOD
    if options.write_findings:
        write_findings(outcome.findings, options.write_findings)
    if options.write_rows:
        replace_rows(rows_of(outcome.findings), folders, _versions(pinned), options.rows)
    costs = COSTS_OF_APPS if options.apps else COSTS_OF_PACKAGES
    if options.write_costs:
        write_costs(outcome.costs, _versions(pinned), costs)
    elif costs.is_file():
        _print(cost_lines(outcome.costs, read_costs(costs)))
    if options.compare_rows and not _is_as_listed(outcome, listed):
        status = BAD
    if options.compare and not _agrees(outcome, judged, folders, options.ledger if options.mark_gone else None):
        status = BAD
    if options.timed:
        _print(timing_lines(time_files(jobs, options.timed)))
        _print(whole_lines(time_packages(jobs, WHOLE)))
    return status


def faults_of(rows: Sequence[Row], folders: dict[str, Path]) -> list[str]:
    """What is wrong with rows of projects that lie in these folders, their quotes included."""

    @cache
    def lines_of(project: str, path: str) -> list[str]:
        file = folders[project] / path
        return SourceFile.read(str(file)).lines if file.is_file() else []

    wrong = faults(rows, _versions([*read_packages(), *read_apps()]))
    for row in rows:
        wrong += misquotes(row, lambda path, project=row.project: lines_of(project, path))  # type: ignore[misc]
    return wrong


def _agrees(outcome: Outcome, rows: Sequence[Row], folders: dict[str, Path], mark_gone: Path | None) -> bool:
    """Compare what rules say with the ledger; what no rule says (JAX000: a file was not judged) is no verdict's."""
    codes = {found.rule.code for found in discover()}
    comparison = compare([found for found in outcome.findings if found.code in codes], rows)
    wrong = faults_of(rows, folders)
    _print(comparison_lines(comparison, wrong, rows, codes))
    if mark_gone is not None:
        write_ledger(marked(read_ledger(mark_gone), comparison, lambda *place: _text(folders, *place)), mark_gone)
        _print([f"{len(comparison.vanished)} rows of the ledger are marked as gone, or moved: look at each"])
    return comparison.agrees and not wrong


def _text(folders: dict[str, Path], project: str, path: str) -> str:
    return SourceFile.read(str(folders[project] / path)).text


def _is_as_listed(outcome: Outcome, listed: Sequence[ListedRow]) -> bool:
    different = differences(rows_of(outcome.findings), listed)
    _print(row_lines(different, len(listed)))
    return not different


def _versions(packages: Sequence[Package]) -> dict[str, str]:
    return {package.name: package.version for package in packages}


def _print(lines: Sequence[str]) -> None:
    print(*lines, "", sep="\n", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.corpus", description=__doc__, allow_abbrev=False)
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help="names of those to run; default: all of them")
    parser.add_argument(
        "--cache", type=Path, default=default_cache(), metavar="DIR", help=f"where packages are kept; also: ${CACHE}"
    )
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--timed", type=int, default=200, metavar="N", help="files to time, 0 for none; default: 200")
    parser.add_argument("--write-findings", type=Path, metavar="FILE", help="write the findings as CSV, to be judged")
    parser.add_argument("--apps", type=Path, action="append", metavar="FOLDER", help=APPS_HELP)
    parser.add_argument("--compare", action="store_true", help="compare the findings with the ledger")
    parser.add_argument("--mark-gone", action="store_true", help="write the ledger: what is no longer said is gone")
    parser.add_argument("--ledger", type=Path, default=LEDGER, metavar="FILE", help="the ledger to compare with")
    rows = parser.add_mutually_exclusive_group()
    rows.add_argument("--write-rows", action="store_true", help="write all that was said, to be committed")
    rows.add_argument("--compare-rows", action="store_true", help="compare all that was said with what is committed")
    parser.add_argument("--write-costs", action="store_true", help="write what each project cost, to be committed")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="the rows to write or to compare with")
    return parser


if __name__ == "__main__":
    sys.exit(main())
