"""The ledger: what people said of each finding on the pinned packages and applications, and how a run compares with it.

Who judges sees the source and the rule's page, not the analysis.  A row is a finding with a verdict:

- `true`: who knows JAX would want the line changed; `harmless`: what is said is so, but does no harm worth a change;
  `false`: what is said is not so.  `proof` quotes the lines that prove it: `LINE: code` or, of another file of the
  project, `PATH:LINE: code`, joined by `; `; a quote is a stretch of its line; `...` leaves out.
- `gone`: the linter no longer says it, on purpose; the reason is in `note`.  What it once said need not be proved.

`pattern` is a short name for the idiom, one for all findings of a project that are alike; they have one verdict.
`second` is the verdict of another judge, who did not see the first; empty where nobody was asked.  A line may have
several findings of one code; then it has as many rows.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from .judging import Finding

LEDGER = Path(__file__).with_name("ledger.csv")
COLUMNS = ("project", "version", "path", "line", "code", "verdict", "pattern", "proof", "note", "second")
JUDGED = ("true", "harmless", "false")

Key: TypeAlias = tuple[str, str, str, int, str]

_NEXT_QUOTE = re.compile(r";\s*(?=(?:[\w./-]+:)?\d+: )")
_PATTERN = re.compile(r"[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*")
_QUOTE = re.compile(r"(?:(?P<path>[\w./-]+):)?(?P<line>\d+): (?P<code>.*\S)", re.DOTALL)


class LedgerError(Exception):
    """A ledger that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A judged finding."""

    project: str
    version: str
    path: str
    line: int
    code: str
    verdict: str
    pattern: str = ""
    proof: str = ""
    note: str = ""
    second: str = ""

    @property
    def key(self) -> Key:
        """What the row and its finding have in common."""
        return (self.project, self.version, self.path, self.line, self.code)

    def __str__(self) -> str:
        return f"{self.project} {self.version} {self.path}:{self.line} {self.code}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Where a run and the ledger differ.

    `unlisted`: findings without a row of their own; `returned`: those of them that a row says are gone; `vanished`:
    rows whose finding is no longer there.
    """

    unlisted: list[Finding]
    returned: list[Finding]
    vanished: list[Row]

    @property
    def agrees(self) -> bool:
        """Are the findings those of the ledger, no more and no fewer?"""
        return not (self.unlisted or self.vanished)


@dataclass(frozen=True, slots=True)
class Precision:
    """How many findings of a rule were judged to be what."""

    true: int = 0
    harmless: int = 0
    false: int = 0

    @property
    def share(self) -> float | None:
        """True findings among all that were judged; None where none was."""
        judged = self.true + self.harmless + self.false
        return self.true / judged if judged else None

    def __str__(self) -> str:
        share = "none judged" if self.share is None else f"{self.share:.1%}"
        return f"{share} ({self.true} true, {self.harmless} harmless, {self.false} false)"


def read_ledger(path: Path = LEDGER) -> list[Row]:
    """The rows of a ledger; `LedgerError` if it has other columns or a line that is no number."""
    return [
        Row(**{**cells, "line": number(cells["line"], place)})  # type: ignore[arg-type]
        for place, cells in read_cells(path, COLUMNS)
    ]


def write_ledger(rows: Iterable[Row], path: Path = LEDGER) -> None:
    """Write the rows of a ledger, in the order given."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([getattr(row, column) for column in COLUMNS] for row in rows)


def read_cells(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each row of a CSV file stands, and its cells; `LedgerError` if the file has not these columns."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            if tuple(reader.fieldnames or ()) != tuple(columns):
                raise LedgerError(f"{path.name}: the columns must be {','.join(columns)}")
            for cells in reader:
                place = f"{path.name}:{reader.line_num}"
                if len(cells) != len(columns) or None in cells.values():
                    raise LedgerError(f"{place}: a row has {len(columns)} cells")
                yield place, cells
        except csv.Error as error:
            raise LedgerError(f"{path.name}:{reader.line_num}: {error}") from error


def number(cell: str, place: str) -> int:
    """The number of a line or column that a cell holds."""
    if not cell.isdecimal():
        raise LedgerError(f"{place}: {cell!r} is not the number of a line or column")
    return int(cell)


def write_findings(findings: Iterable[Finding], path: Path) -> None:
    """Write findings as rows of a ledger without verdicts, with their columns and messages for whoever judges them."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*COLUMNS, "column", "message"])
        for found in findings:
            place = [found.package, found.version, found.path, found.line, found.code]
            writer.writerow([*place, *[""] * len(COLUMNS[5:]), found.column, found.message])


def compare(findings: Sequence[Finding], rows: Sequence[Row]) -> Comparison:
    """Lay findings and rows of the same projects side by side; where one place has several, their numbers count."""
    found, listed, left = defaultdict(list), defaultdict(list), set()
    for finding in findings:
        found[_key(finding)].append(finding)
    for row in rows:
        if row.verdict == "gone":
            left.add(row.key)
        else:
            listed[row.key].append(row)
    unlisted = [extra for key, here in found.items() for extra in here[len(listed[key]) :]]
    vanished = [row for key, here in listed.items() for row in here[len(found[key]) :]]
    return Comparison(unlisted, [finding for finding in unlisted if _key(finding) in left], vanished)


def gone(row: Row) -> Row:
    """The row of a finding that is no longer said: what it was is kept in the note."""
    return replace(row, verdict="gone", note=f"was {row.verdict}: {row.note}")


def faults(rows: Sequence[Row], versions: dict[str, str]) -> list[str]:
    """What is wrong with rows: verdicts, patterns, proofs, reasons, versions that are not the pinned ones."""
    wrong = [f"{row}: {fault}" for row in rows for fault in _faults_of(row, versions)]
    return wrong + mixed((row.project, row.code, row.pattern, row.verdict) for row in rows)


def mixed(judged: Iterable[tuple[str, str, str, str]]) -> list[str]:
    """The patterns of a project that have several verdicts, of those who say project, code, pattern and verdict."""
    verdicts: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for project, code, pattern, verdict in judged:
        if verdict != "gone":
            verdicts[project, code, pattern].add(verdict)
    several = {key: sorted(said) for key, said in verdicts.items() if len(said) > 1}
    return [f"{' '.join(key)}: one pattern, but the verdicts {', '.join(said)}" for key, said in several.items()]


def misquotes(row: Row, lines_of: Callable[[str], Sequence[str]]) -> list[str]:
    """The quotes of a row's proof that do not stand where they are said to; `lines_of` gives the lines of a path."""
    if row.verdict == "gone":
        return []
    wrong = []
    for part in _NEXT_QUOTE.split(row.proof):
        quote = _QUOTE.fullmatch(part.strip())
        if quote is None:
            wrong.append(f"{row}: the proof {part!r} has not the form `LINE: code` or `PATH:LINE: code`")
            continue
        lines, number = lines_of(quote["path"] or row.path), int(quote["line"])
        if not 1 <= number <= len(lines) or not _stands_in(quote["code"], lines[number - 1]):
            wrong.append(f"{row}: {part.strip()!r} does not stand there")
    return wrong


def precision(rows: Iterable[Row], codes: Iterable[str]) -> dict[str, Precision]:
    """The verdicts of each rule, those without any row included."""
    counts = Counter((row.code, row.verdict) for row in rows)
    return {code: Precision(*(counts[code, verdict] for verdict in JUDGED)) for code in sorted(codes)}


def agreement(rows: Iterable[Row]) -> tuple[int, int]:
    """How many rows were judged twice and alike, and how many twice."""
    twice = [row for row in rows if row.second and row.verdict in JUDGED]
    return sum(row.verdict == row.second for row in twice), len(twice)


def _key(finding: Finding) -> Key:
    return (finding.package, finding.version, finding.path, finding.line, finding.code)


def _faults_of(row: Row, versions: dict[str, str]) -> list[str]:
    wrong = []
    if row.version != versions.get(row.project):
        wrong.append("not a pinned project, or another version of it")
    if row.verdict not in (*JUDGED, "gone"):
        wrong.append(f"the verdict is {row.verdict!r}, not one of {', '.join((*JUDGED, 'gone'))}")
    if not _PATTERN.fullmatch(row.pattern):
        wrong.append(f"the pattern {row.pattern!r} is not words-with-hyphens")
    if row.verdict in JUDGED and not row.proof.strip():
        wrong.append("no proof")
    if row.verdict == "gone" and not row.note.strip():
        wrong.append("gone without a reason in the note")
    if row.second not in ("", *JUDGED):
        wrong.append(f"the second verdict is {row.second!r}, not one of {', '.join(JUDGED)}")
    return wrong


def _stands_in(code: str, line: str) -> bool:
    """Is the quote a stretch of the line, whatever the white space?"""
    stretches = [re.escape("".join(stretch.split())) for stretch in code.strip("` ").split("...")]
    return re.search(".*".join(stretches), "".join(line.split())) is not None
