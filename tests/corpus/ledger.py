"""The ledger: what people said of each finding on the pinned packages, and how a run compares with it.

A row is a finding with a verdict:

- `true`: who knows JAX would want the line changed; `false`: not; `debatable`: could be said either way.
  `proof` quotes the lines that prove it: `LINE: code` or, of another file of the package, `PATH:LINE: code`, joined
  by `; `; a quote is a stretch of its line, in which `...` stands for what is left out.
- `gone`: the linter no longer says it, on purpose; the reason is in `note`.  What it once said need not be proved.

`second` is the verdict of another judge, who did not see the first; empty where nobody was asked.  A line may have
several findings of one code; then it has as many rows.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from .judging import Finding

LEDGER = Path(__file__).with_name("ledger.csv")
COLUMNS = ("package", "version", "path", "line", "code", "verdict", "proof", "note", "second")
JUDGED = ("true", "debatable", "false")
ENOUGH = 20
"""With fewer true and false findings than this, the precision of a rule is not measured."""

Key: TypeAlias = tuple[str, str, str, int, str]

_NEXT_QUOTE = re.compile(r";\s*(?=(?:[\w./-]+:)?\d+: )")
_QUOTE = re.compile(r"(?:(?P<path>[\w./-]+):)?(?P<line>\d+): (?P<code>.*\S)", re.DOTALL)


class LedgerError(Exception):
    """A ledger that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A judged finding."""

    package: str
    version: str
    path: str
    line: int
    code: str
    verdict: str
    proof: str = ""
    note: str = ""
    second: str = ""

    @property
    def key(self) -> Key:
        """What the row and its finding have in common."""
        return (self.package, self.version, self.path, self.line, self.code)

    def __str__(self) -> str:
        return f"{self.package} {self.version} {self.path}:{self.line} {self.code}"


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
    debatable: int = 0
    false: int = 0

    @property
    def share(self) -> float | None:
        """True findings among the true and the false; None where too few were judged to say."""
        judged = self.true + self.false
        return self.true / judged if judged >= ENOUGH else None

    def __str__(self) -> str:
        share = "unmeasured" if self.share is None else f"{self.share:.1%}"
        return f"{share} ({self.true} true, {self.false} false, {self.debatable} debatable)"


def read_ledger(path: Path = LEDGER) -> list[Row]:
    """The rows of a ledger; `LedgerError` if it has other columns or a line that is no number."""
    return [
        Row(**{**cells, "line": number(cells["line"], place)})  # type: ignore[arg-type]
        for place, cells in read_cells(path, COLUMNS)
    ]


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
            writer.writerow([*place, "", "", "", "", found.column, found.message])


def compare(findings: Sequence[Finding], rows: Sequence[Row]) -> Comparison:
    """Lay findings and rows of the same packages side by side; where one place has several, their numbers count."""
    found, listed, gone = defaultdict(list), defaultdict(list), set()
    for finding in findings:
        found[_key(finding)].append(finding)
    for row in rows:
        if row.verdict == "gone":
            gone.add(row.key)
        else:
            listed[row.key].append(row)
    unlisted = [extra for key, here in found.items() for extra in here[len(listed[key]) :]]
    vanished = [row for key, here in listed.items() for row in here[len(found[key]) :]]
    return Comparison(unlisted, [finding for finding in unlisted if _key(finding) in gone], vanished)


def faults(rows: Sequence[Row], versions: dict[str, str]) -> list[str]:
    """What is wrong with rows in themselves: verdicts, proofs, reasons, versions that are not the pinned ones."""
    return [f"{row}: {fault}" for row in rows for fault in _faults_of(row, versions)]


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
    if row.version != versions.get(row.package):
        wrong.append("not a pinned package, or another version of it")
    if row.verdict not in (*JUDGED, "gone"):
        wrong.append(f"the verdict is {row.verdict!r}, not one of {', '.join((*JUDGED, 'gone'))}")
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
