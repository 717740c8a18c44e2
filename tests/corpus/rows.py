"""The rows: all that a run says, committed as it stands, and how another run differs from it.

Lines count from 1, columns from 0, as in `Diagnostic`.  Paths are relative to the folder of the project.  Notes are
joined by `; `: `LINE: text` or, of another file of the project, `PATH:LINE: text`.  The ledger judges; rows do not.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from .judging import Finding
from .ledger import number, read_cells

ROWS_OF_PACKAGES = Path(__file__).with_name("rows_packages.csv")
ROWS_OF_APPS = Path(__file__).with_name("rows_apps.csv")


class Row(NamedTuple):
    """What is said of a line of a project."""

    project: str
    path: str
    line: int
    column: int
    code: str
    message: str
    notes: str = ""

    def __str__(self) -> str:
        return f"{self.project} {self.path}:{self.line}:{self.column} {self.code}"


PAIRINGS = (("project", "path", "line", "code"), ("project", "path", "code", "message"))
"""What two rows must have in common to be one that changed, what is asked first standing first."""


class Difference(NamedTuple):
    """A row that only the run has, one that only the list has, or one that both have with other fields."""

    listed: Row | None
    found: Row | None

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that changed, of a row that both have."""
        if self.listed is None or self.found is None:
            return ()
        return tuple(field for field in Row._fields if getattr(self.listed, field) != getattr(self.found, field))

    @property
    def lines(self) -> list[str]:
        """The difference as text."""
        if self.listed is None:
            return [f"new: {self.found}: {self.found.message}"] if self.found is not None else []
        if self.found is None:
            return [f"gone: {self.listed}: {self.listed.message}"]
        return [
            f"changed: {self.listed} {field}: {getattr(self.listed, field)!r}, now {getattr(self.found, field)!r}"
            for field in self.fields
        ]


def rows_of(findings: Iterable[Finding]) -> list[Row]:
    """Findings as rows, in order."""
    return sorted(Row(f.package, f.path, f.line, f.column, f.code, f.message, f.notes) for f in findings)


def read_rows(path: Path) -> list[Row]:
    """The rows of a file, in its order; `LedgerError` if it has other columns, or no number where one must stand."""
    return [
        Row(**{**cells, **{field: number(cells[field], place) for field in ("line", "column")}})  # type: ignore[arg-type]
        for place, cells in read_cells(path, Row._fields)
    ]


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write rows, in order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(sorted(rows))


def replace_rows(rows: Iterable[Row], run: Collection[str], pinned: Collection[str], path: Path) -> None:
    """Write the rows of the projects that were run; those of other pinned projects stay."""
    others = read_rows(path) if path.is_file() else []
    write_rows([*rows, *(row for row in others if row.project in pinned and row.project not in run)], path)


def differences(found: Iterable[Row], listed: Iterable[Row]) -> list[Difference]:
    """Where a run and a list differ, in order; rows that are alike are paired first, then those that changed."""
    now, before = Counter(found), Counter(listed)
    new, gone = sorted((now - before).elements()), sorted((before - now).elements())
    changed: list[Difference] = []
    for fields in PAIRINGS:
        pairs = _pairs(new, gone, fields)
        changed += pairs
        for pair in pairs:
            assert pair.listed is not None
            assert pair.found is not None
            gone.remove(pair.listed)
            new.remove(pair.found)
    all_of_them = [*changed, *(Difference(None, row) for row in new), *(Difference(row, None) for row in gone)]
    return sorted(all_of_them, key=lambda one: [row for row in one if row is not None])


def _pairs(new: Sequence[Row], gone: Sequence[Row], fields: Sequence[str]) -> list[Difference]:
    """Pairs of rows of which these fields are alike, each row in one of them at most."""
    waiting: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in reversed(gone):
        waiting[tuple(getattr(row, field) for field in fields)].append(row)
    pairs = []
    for row in new:
        same = waiting[tuple(getattr(row, field) for field in fields)]
        if same:
            pairs.append(Difference(same.pop(), row))
    return pairs
