"""The deterministic costs of a run, a row for each project: what was judged, evaluated, run, made and lowered.

They are counts, not seconds: the same for the same code on every machine, as long as one process runs a project.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping
from dataclasses import fields
from pathlib import Path

from flake8_jax.model.report import Costs

from .ledger import number, read_cells

COSTS_OF_PACKAGES = Path(__file__).with_name("costs_packages.csv")
COSTS_OF_APPS = Path(__file__).with_name("costs_apps.csv")
COUNTS = tuple(field.name for field in fields(Costs) if field.name != "walked")
"""What is committed; walks of liveness are counted since later."""

COLUMNS = ("project", *COUNTS)


def read_costs(path: Path) -> dict[str, Costs]:
    """The costs of each project; `LedgerError` if the file has other columns, or no number where one must stand."""
    return {
        cells["project"]: Costs(*[number(cells[name], place) for name in COUNTS])
        for place, cells in read_cells(path, COLUMNS)
    }


def write_costs(costs: Mapping[str, Costs], pinned: Collection[str], path: Path) -> None:
    """Write the costs of the projects that were run; those of other pinned projects stay."""
    others = read_costs(path) if path.is_file() else {}
    merged = {name: one for name, one in others.items() if name in pinned} | dict(costs)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([name, *(getattr(one, count) for count in COUNTS)] for name, one in sorted(merged.items()))


def cost_lines(costs: Mapping[str, Costs], listed: Mapping[str, Costs]) -> list[str]:
    """What a run cost beside what is committed, where that differs."""
    lines = [
        f"  {name}: {count} {getattr(before, count)}, now {getattr(now, count)}"
        for name, now in sorted(costs.items())
        for before in [listed.get(name, Costs())]
        for count in COUNTS
        if getattr(before, count) != getattr(now, count)
    ]
    return [f"costs of {len(costs)} projects, {len(lines) or 'none'} of the counts differ", *lines]
