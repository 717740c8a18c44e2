"""The programs of several files in `fixtures/programs`: their halves, what they claim, and rows that can be compared.

A program is two small projects with the same files, `bad` and `good`, which differ in the repaired lines only.  Each
has a `run.py` with functions `case_NAME`, which execute the hazards, and `innocent_NAME`, which execute what is none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from flake8_jax.runtime.claims import Expectation
from flake8_jax.runtime.linted import OF_MODULES
from tests.support.expectations import FIXTURES, expectations

PROGRAMS = FIXTURES / "programs"
ROW = re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+): (?P<code>JAX\d+) (?P<message>.+)")
REACH = 3  # so far from a marked line a repair may have lines of its own


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """A finding; the path is relative to the folder of the programs."""

    path: str
    line: int
    column: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.code} {self.message}"


@dataclass(frozen=True, slots=True)
class Half:
    """One of the two projects of a program."""

    program: str
    name: str

    def __str__(self) -> str:
        return f"{self.program}/{self.name}"

    @property
    def root(self) -> Path:
        """The folder of the project."""
        return PROGRAMS / self.program / self.name

    @property
    def files(self) -> list[Path]:
        """Its Python files."""
        return sorted(path for path in self.root.rglob("*.py") if "__pycache__" not in path.parts)

    @property
    def twin(self) -> Half:
        """The other one."""
        return Half(self.program, "good" if self.name == "bad" else "bad")

    @property
    def claims(self) -> dict[tuple[str, int], Expectation]:
        """What it expects, by file (relative to the project) and line."""
        return {
            (path.relative_to(self.root).as_posix(), claim.line): claim
            for path in self.files
            for claim in expectations(path.read_text(encoding="utf-8"))
        }


HALVES = [
    Half(folder.name, name) for folder in sorted(PROGRAMS.iterdir()) if folder.is_dir() for name in ("bad", "good")
]
BAD = [half for half in HALVES if half.name == "bad"]
GOOD = [half for half in HALVES if half.name == "good"]
FILES = [path for half in HALVES for path in half.files]


def rows_of(output: str, folder: Path) -> set[Row]:
    """The rows about JAX that a process printed in a folder, but for what modules do when they are imported."""
    found = (ROW.fullmatch(line) for line in output.splitlines())
    return {
        Row(place(folder / row["path"]), int(row["line"]), int(row["column"]), row["code"], row["message"])
        for row in found
        if row and row["code"] not in OF_MODULES
    }


def place(path: Path) -> str:
    """A path relative to the folder of the programs, without a look at the disk."""
    return Path(os.path.normpath(path)).relative_to(PROGRAMS).as_posix()


def difference(expected: Iterable[Row], found: Iterable[Row]) -> str:
    """How two sets of rows differ, a line for each row; empty if they do not."""
    expected, found = set(expected), set(found)
    lines = [(row, "-") for row in expected - found] + [(row, "+") for row in found - expected]
    return "".join(f"\n{sign} {row}" for row, sign in sorted(lines))


def stray_changes(half: Half) -> Iterator[str]:
    """The changes between a bad half and its twin that are not near a marked line, and are no imports."""
    for path in half.files:
        bad = path.read_text(encoding="utf-8")
        marked = [claim.line for claim in expectations(bad)]
        ours, theirs = bad.splitlines(), _twin_of(half, path).read_text(encoding="utf-8").splitlines()
        for tag, first, last, start, end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
            near = any(first + 1 - REACH <= line <= last + REACH for line in marked)
            changed = ours[first:last] + theirs[start:end]
            if tag != "equal" and not near and not all("import" in line for line in changed):
                yield f"{path.relative_to(half.root)}:{first + 1}: {changed}"


def _twin_of(half: Half, path: Path) -> Path:
    return half.twin.root / path.relative_to(half.root)
