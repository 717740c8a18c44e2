"""First sight: what rules said of code that nobody had looked at while building them, as people judged it.

    python -m tests.corpus.first_sight --add VERDICTS --envelope NAME --linter COMMIT --projects LIST
    python -m tests.corpus.first_sight --again FOLDER
    python -m tests.corpus.first_sight --write

An envelope is a set of projects; only its first run is kept in `first_sight.csv`, a row for each finding, and stays as
it was judged.  Where readers judged the same code of two projects differently, `settled.csv` has one verdict for both,
with its reason; it holds for what is said still.  The envelopes that `envelopes.csv` lists count, together: of their
rows are the numbers that the package ships (`rules/precision.json`) and that `docs/precision.md` shows.  `--again`
judges their projects once more, laid out in FOLDER as `owner+name` at the commits of their rows, and writes to
`silent.csv` which of the rows are said no longer.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import TypeAlias

from flake8_jax.rules import discover
from flake8_jax.rules.precision import MOST, NUMBERS, TOOL, Precision, Sights, Verdicts, table, write_numbers
from tests.rules.catalogue import variants_found

from .judging import Finding, jobs_of, judge
from .ledger import JUDGED, LedgerError, mixed, number, read_cells
from .packages import Package

FIRST_SIGHT = Path(__file__).with_name("first_sight.csv")
ENVELOPES = Path(__file__).with_name("envelopes.csv")
SILENT = Path(__file__).with_name("silent.csv")
SETTLED = Path(__file__).with_name("settled.csv")
PAGE = Path(__file__).parents[2] / "docs/precision.md"
TABLE = "<!-- The table below is written by `python -m tests.corpus.first_sight --write`. -->"
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


@dataclass(frozen=True, slots=True)
class Envelope:
    """A set of projects that counts: when it was first seen, how many projects it has, and lines that name JAX."""

    envelope: str
    when: str
    projects: int
    lines: int


Place: TypeAlias = tuple[str, str, int, str]
"""Where a finding of a first run stands, and its code: project, path, line, code."""


def read_envelopes(path: Path = ENVELOPES) -> list[Envelope]:
    """The envelopes that count, the oldest first."""
    names = tuple(field.name for field in fields(Envelope))
    return [
        Envelope(cells["envelope"], cells["when"], number(cells["projects"], place), number(cells["lines"], place))
        for place, cells in read_cells(path, names)
    ]


def read_silent(path: Path = SILENT) -> set[Place]:
    """What was said at first sight and is said no longer."""
    columns = ("project", "path", "line", "code")
    return {
        (cells["project"], cells["path"], number(cells["line"], place), cells["code"])
        for place, cells in read_cells(path, columns)
    }


def read_settled(path: Path = SETTLED) -> dict[Place, str]:
    """The verdicts that were settled later, by one reason for what was judged differently; each has its reason."""
    columns, settled = ("project", "path", "line", "code", "verdict", "reason"), dict[Place, str]()
    for place, cells in read_cells(path, columns):
        if cells["verdict"] not in JUDGED or not cells["reason"].strip():
            raise LedgerError(f"{place}: no verdict with a reason")
        settled[cells["project"], cells["path"], number(cells["line"], place), cells["code"]] = cells["verdict"]
    return settled


def said_still(sights: Iterable[Sight], silent: Container[Place], settled: Mapping[Place, str]) -> list[Sight]:
    """The rows that are said still, with the verdicts that were settled."""
    return [
        replace(one, verdict=settled.get(place_of(one), one.verdict)) for one in sights if place_of(one) not in silent
    ]


def place_of(sight: Sight) -> Place:
    """Where it stands, and its code."""
    return sight.project, sight.path, sight.line, sight.code


def silent_now(sights: Sequence[Sight], folder: Path, processes: int) -> list[Place]:
    """Which rows are said no longer, of the projects that lie in a folder, judged once more."""
    commits = {sight.project: sight.commit for sight in sights}
    homes = {name: folder / name.replace("/", "+") for name in commits}
    missing = [name for name, home in homes.items() if not home.is_dir()]
    if missing:
        raise LedgerError(f"not in {folder}: {', '.join(missing)}")
    packages = [Package(name, commit, 0, 0) for name, commit in commits.items()]
    found = {_place(one) for one in judge(jobs_of(packages, homes), processes).findings}
    return sorted(set(map(place_of, sights)) - found)


def _place(finding: Finding) -> Place:
    return finding.package, finding.path, finding.line, finding.code


def verdicts_of(sights: Iterable[Sight]) -> dict[str, Verdicts]:
    """What was judged of each rule; at most three findings of a pattern and project count."""
    counts: Counter[tuple[str, str]] = Counter()
    alike: Counter[tuple[str, str, str]] = Counter()
    for sight in sights:
        key = (sight.project, sight.code, sight.pattern)
        if alike[key] < MOST:
            alike[key] += 1
            counts[sight.code, sight.verdict] += 1
    return {code: Verdicts(*(counts[code, verdict] for verdict in JUDGED)) for code, _ in counts}


def numbers(
    sights: Sequence[Sight], envelopes: Sequence[Envelope], silent: Container[Place], settled: Mapping[Place, str]
) -> Sights:
    """The numbers of each rule to which they apply: what was judged in the envelopes, and its variants."""
    names = {each.envelope for each in envelopes}
    counted = [sight for sight in sights if sight.envelope in names]
    first, now = verdicts_of(counted), verdicts_of(said_still(counted, silent, settled))
    rules = {}
    for code in [found.rule.code for found in discover() if found.rule.group != TOOL]:
        found, variants = variants_found(code)
        rules[code] = Precision(first.get(code, Verdicts()), now.get(code, Verdicts()), variants, found)
    when = " and ".join(dict.fromkeys(each.when for each in envelopes))
    return Sights(when, sum(each.projects for each in envelopes), sum(each.lines for each in envelopes), rules)


def page(text: str) -> str:
    """The page of the numbers, with its table as it must be."""
    head, mark, _ = text.partition(TABLE)
    rules = [found.rule for found in discover()]
    return head + mark + "\n\n" + table((rule.code, rule.name, rule.status) for rule in rules)


def main(arguments: Sequence[str] | None = None) -> int:
    """Add an envelope, judge all again, write the numbers that the package ships; 1 if a row is at fault."""
    parser = argparse.ArgumentParser("python -m tests.corpus.first_sight", description=main.__doc__)
    parser.add_argument("--add", type=Path, metavar="VERDICTS", help=f"CSV with the columns {','.join(VERDICTS)}")
    parser.add_argument("--envelope", metavar="NAME", help="how the new envelope is called")
    parser.add_argument("--linter", metavar="COMMIT", help="the version that ran")
    parser.add_argument("--projects", type=Path, metavar="LIST", help="CSV with columns repo and commit")
    parser.add_argument("--again", type=Path, metavar="FOLDER", help=f"judge the projects anew, write {SILENT.name}")
    parser.add_argument("--write", action="store_true", help=f"write {NUMBERS.name} and {PAGE.name}")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many projects are judged at a time")
    parser.add_argument("--sights", type=Path, default=FIRST_SIGHT, metavar="FILE", help="the rows")
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
    envelopes = read_envelopes()
    if options.again:
        names = {each.envelope for each in envelopes}
        silent = silent_now([one for one in sights if one.envelope in names], options.again, options.jobs)
        with SILENT.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("project", "path", "line", "code"), *silent])
    if options.write:
        NUMBERS.write_text(write_numbers(numbers(sights, envelopes, read_silent(), read_settled())), encoding="utf-8")
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
