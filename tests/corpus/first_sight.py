"""First sight: what rules said of code that nobody had looked at while building them, as people judged it.

    python -m tests.corpus.first_sight --add VERDICTS --envelope NAME --linter COMMIT --projects LIST
    python -m tests.corpus.first_sight --write

An envelope is a set of projects; only its first run is kept in `first_sight.csv`, a row for each finding, and the
envelope that stands last is the newest: its rows are the numbers that the package ships (`rules/precision.json`).
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from flake8_jax.rules import discover
from flake8_jax.rules.precision import MOST, NUMBERS, TOOL, FirstSight, write_numbers
from tests.rules.catalogue import variants_found

from .ledger import JUDGED, LedgerError, mixed, number, read_cells

FIRST_SIGHT = Path(__file__).with_name("first_sight.csv")
VERDICTS = ("project", "path", "line", "code", "verdict", "pattern", "proof", "note")


@dataclass(frozen=True, slots=True)
class Sight:
    """A finding of an envelope's first run, as it was judged."""

    envelope: str
    linter: str
    project: str
    commit: str
    path: str
    line: int
    code: str
    verdict: str
    pattern: str
    proof: str
    note: str


COLUMNS = tuple(field.name for field in fields(Sight))


def read_sights(path: Path = FIRST_SIGHT) -> list[Sight]:
    """All rows; `LedgerError` if there are other columns or a line that is no number."""
    return [
        Sight(**{**cells, "line": number(cells["line"], place)})  # type: ignore[arg-type]
        for place, cells in read_cells(path, COLUMNS)
    ]


def judged_sights(verdicts: Path, envelope: str, linter: str, commits: dict[str, str]) -> list[Sight]:
    """The rows of a new envelope; `LedgerError` for a project without a commit."""
    rows = []
    for place, cells in read_cells(verdicts, VERDICTS):
        if cells["project"] not in commits:
            raise LedgerError(f"{place}: {cells['project']} is not in the list of projects")
        commit, line = commits[cells["project"]], number(cells["line"], place)
        rows.append(Sight(envelope=envelope, linter=linter, commit=commit, **{**cells, "line": line}))  # type: ignore[arg-type]
    return rows


def write_sights(sights: Iterable[Sight], path: Path = FIRST_SIGHT) -> None:
    """Write all rows, in the order given."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(astuple, sights))


def faults_of_sights(sights: Sequence[Sight]) -> list[str]:
    """What is wrong with rows: verdicts, patterns, proofs, an envelope of two runs or in two places."""
    wrong = []
    for sight in sights:
        place = f"{sight.envelope} {sight.project} {sight.path}:{sight.line} {sight.code}"
        if sight.verdict not in JUDGED:
            wrong.append(f"{place}: the verdict is {sight.verdict!r}, not one of {', '.join(JUDGED)}")
        wrong += [f"{place}: no {cell}" for cell in ("pattern", "proof", "note") if not getattr(sight, cell).strip()]
    runs = dict.fromkeys((sight.envelope, sight.linter) for sight in sights)
    names = [sight.envelope for sight in sights]
    starts = Counter(name for before, name in zip([None, *names], names) if name != before)
    wrong += [f"{name}: more than one run" for name, count in Counter(name for name, _ in runs).items() if count > 1]
    wrong += [f"{name}: its rows do not stand together" for name, count in starts.items() if count > 1]
    for name in starts:
        wrong += mixed((one.project, one.code, one.pattern, one.verdict) for one in sights if one.envelope == name)
    return wrong


def numbers(sights: Sequence[Sight]) -> dict[str, FirstSight]:
    """The number of each rule to which one applies: its findings in the newest envelope, and its variants."""
    newest = sights[-1]
    counts: Counter[tuple[str, bool]] = Counter()
    alike: Counter[tuple[str, str, str]] = Counter()
    for sight in sights:
        key = (sight.project, sight.code, sight.pattern)
        if sight.envelope == newest.envelope and alike[key] < MOST:
            alike[key] += 1
            counts[sight.code, sight.verdict == "true"] += 1
    rules = {}
    for code in [found.rule.code for found in discover() if found.rule.group != TOOL]:
        found, variants = variants_found(code)
        true = counts[code, True]
        rules[code] = FirstSight(newest.envelope, newest.linter, true + counts[code, False], true, variants, found)
    return rules


def main(arguments: Sequence[str] | None = None) -> int:
    """Add an envelope, write the numbers that the package ships; 1 if a row is at fault."""
    parser = argparse.ArgumentParser("python -m tests.corpus.first_sight", description=main.__doc__)
    parser.add_argument("--add", type=Path, metavar="VERDICTS", help=f"CSV with the columns {','.join(VERDICTS)}")
    parser.add_argument("--envelope", metavar="NAME", help="how the new envelope is called")
    parser.add_argument("--linter", metavar="COMMIT", help="the version that ran")
    parser.add_argument("--projects", type=Path, metavar="LIST", help="CSV with columns repo and commit")
    parser.add_argument("--write", action="store_true", help=f"write {NUMBERS.name}")
    parser.add_argument("--sights", type=Path, default=FIRST_SIGHT, metavar="FILE", help="the rows")
    parser.add_argument("--numbers", type=Path, default=NUMBERS, metavar="FILE", help="what --write writes")
    options = parser.parse_args(arguments)
    sights = read_sights(options.sights) if options.sights.is_file() else []
    if options.add:
        if not (options.envelope and options.linter and options.projects):
            parser.error("--add needs --envelope, --linter and --projects")
        if options.envelope in {sight.envelope for sight in sights}:
            parser.error(f"{options.envelope} had its first run")
        with options.projects.open(encoding="utf-8", newline="") as file:
            commits = {row["repo"]: row["commit"] for row in csv.DictReader(file)}
        sights += judged_sights(options.add, options.envelope, options.linter, commits)
    wrong = faults_of_sights(sights)
    print(*wrong, sep="\n" if wrong else "", end="\n" if wrong else "")
    if wrong:
        return 1
    if options.add:
        write_sights(sights, options.sights)
    if options.write:
        options.numbers.write_text(write_numbers(numbers(sights)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
