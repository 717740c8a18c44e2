"""The scale of a judge: what is true, harmless or false is an opinion, and readers differ in how strict they are.

    python -m tests.corpus.scale

`scale.csv` has verdicts of those who set the goals of this project (75 % true, 8 % false, 95 % of remedies right), each
with its reason.  A reader reads all of them before the first finding, and gives what they would have given: neither
stricter nor milder.  Whether readers do so was measured: `scale_check.csv` has findings in other repositories, which
were judged by the same people; the readers saw neither their verdicts nor that they were any different from the rest.

`looks.csv` has what was judged on this scale at first sight, each look a run over repositories that nobody here had
opened.  The command prints how often readers and scale agree, and the shares of each look with their 95 % intervals.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from flake8_jax.rules.precision import Verdicts

from .ledger import JUDGED, LedgerError, number, read_cells

HERE = Path(__file__).parent
SCALE, CHECK, LOOKS = HERE / "scale.csv", HERE / "scale_check.csv", HERE / "looks.csv"
SCALE_COLUMNS = ("code", "verdict", "pattern", "why", "advice")
CHECK_COLUMNS = ("project", "commit", "path", "line", "code", "scale", "why", "reader", "note")
LOOK_COLUMNS = ("look", "project", "commit", "path", "line", "code", "verdict", "advice", "pattern", "note")
ADVICE = ("right", "wrong")


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding of a look, with what a reader said of it and of its remedy."""

    look: str
    project: str
    path: str
    line: int
    code: str
    verdict: str
    advice: str


@dataclass(frozen=True, slots=True)
class Shares:
    """How many findings of a look were what, and how many of their remedies were right."""

    verdicts: Verdicts
    remedies: int

    def __str__(self) -> str:
        many = self.verdicts.judged
        parts = [
            f"{part} {name} ({interval(part, many)})" for name, part in (
                ("true", self.verdicts.true), ("harmless", self.verdicts.harmless), ("false", self.verdicts.false),
                ("remedies right", self.remedies),
            )
        ]  # fmt: skip
        return f"{', '.join(parts)} of {many}"


def interval(part: int, whole: int) -> str:
    """A share and its 95 % Wilson interval, in percent."""
    low, high = Verdicts(part, whole - part).interval
    return f"{part / whole:.0%}, {low:.0%} to {high:.0%}"


def agreement() -> tuple[int, int, int]:
    """Of the findings that both judged: how many, how many alike, and how many the readers judged to be worse."""
    rows = [(cells["scale"], cells["reader"]) for _, cells in read_cells(CHECK, CHECK_COLUMNS)]
    worse = sum(JUDGED.index(reader) > JUDGED.index(scale) for scale, reader in rows)
    return len(rows), sum(scale == reader for scale, reader in rows), worse


def read_looks() -> list[Judged]:
    """All that was judged on the scale; `LedgerError` for a verdict that there is not."""
    found = []
    for place, cells in read_cells(LOOKS, LOOK_COLUMNS):
        if cells["verdict"] not in JUDGED or cells["advice"] not in ADVICE:
            raise LedgerError(f"{place}: {cells['verdict']!r}, {cells['advice']!r}")
        line = number(cells["line"], place)
        project, path, code = cells["project"], cells["path"], cells["code"]
        found.append(Judged(cells["look"], project, path, line, code, cells["verdict"], cells["advice"]))
    return found


def shares(rows: Iterable[Judged]) -> Shares:
    """The shares of some findings."""
    rows = list(rows)
    counts = Counter(row.verdict for row in rows)
    right = sum(row.advice == "right" for row in rows)
    return Shares(Verdicts(counts["true"], counts["harmless"], counts["false"]), right)


def by_look(rows: Sequence[Judged]) -> dict[str, Shares]:
    """The shares of each look, in their order."""
    names = dict.fromkeys(row.look for row in rows)
    return {name: shares(row for row in rows if row.look == name) for name in names}


def main() -> int:
    """Print how often readers agree with the scale, and the shares of each look and of all."""
    many, alike, worse = agreement()
    print(f"readers and scale: {alike} of {many} alike, {worse} judged to be worse by the reader")
    rows = read_looks()
    for name, one in by_look(rows).items():
        print(f"{name}: {one}")
    print(f"all: {shares(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
