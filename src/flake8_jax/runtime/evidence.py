"""The evidence that is kept beside the pairs: what was observed of each claim, a file for each JAX and device count.

    FIXTURES/evidence/jax-0.10.2-cpu-8.json

A file holds runs, each with its date and versions; a pair stands in the last run that observed it, with the digests of
its two files.  Whoever changes one of them has to observe that pair again, and no other.

    "bad": {"digest": "5f1c...", "confirmed": {"JAX201 raises:TypeError": "stored:6 twice:11"}},
    "good": {"digest": "90ab...", "clean": {"JAX201 raises:TypeError": "stored twice"}}
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, TypedDict

from flake8_jax.runtime import records
from flake8_jax.runtime.claims import Pair
from flake8_jax.runtime.records import SCHEMA, Device, ObservationRecord, ObservationStatus
from flake8_jax.runtime.table import ORDER

FOLDER = "evidence"
PLAIN: tuple[ObservationStatus, ...] = ("confirmed", "clean")
"""What needs no reason."""

Group = tuple[str, int, str]
Places = dict[str, list[str]]


class RunRow(TypedDict):
    """One run in a file."""

    date: str
    device_kind: str
    jaxlib: str
    python: str
    libraries: dict[str, str]
    pairs: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kept:
    """The evidence of one JAX on one platform with one number of devices; `records` are what its runs observed."""

    platform: str
    device_count: int
    jax: str
    runs: list[RunRow] = field(default_factory=list)

    @property
    def group(self) -> Group:
        """What one file is about."""
        return self.platform, self.device_count, self.jax

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"jax-{self.jax}-{self.platform}-{self.device_count}.json"

    @property
    def records(self) -> list[ObservationRecord]:
        """What was observed, without times and without what was seen on which line."""
        return [record for run in self.runs for record in _read_run(run, self.group)]

    def text(self) -> str:
        """The file's text: the same for the same evidence."""
        row = {"schema": SCHEMA, "jax": self.jax, "platform": self.platform, "device_count": self.device_count}
        runs = sorted(self.runs, key=lambda run: (run["date"], run["python"], run["jaxlib"], sorted(run["pairs"])))
        return json.dumps({**row, "runs": [_ordered(run) for run in runs]}, indent=1, ensure_ascii=False) + "\n"


def read_file(path: Path) -> Kept:
    """The evidence of one file. Raises `ValueError` if it is none."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        if row["schema"] != SCHEMA:
            raise ValueError(f"it is no evidence of schema {SCHEMA}")
        found = Kept(row["platform"], row["device_count"], row["jax"], row["runs"])
        found.records  # noqa: B018  what cannot be read is said here
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: no evidence can be read here: {error!r}") from error
    return found


def read(folder: Path) -> list[Kept]:
    """All evidence beside the pairs of a folder."""
    return [read_file(path) for path in sorted((folder / FOLDER).glob("jax-*.json"))]


def without(
    pairs: Sequence[Pair], known: Iterable[Kept], concerns: Callable[[Kept], bool], platform: str
) -> list[Pair]:
    """The pairs that no evidence of some kind speaks for; see `records.kept`."""
    found = [record for each in known if concerns(each) for record in each.records]
    proved = set(records.kept(pairs, found, platform).proved)
    return [pair for pair in pairs if pair.name not in proved]


def keep(
    folder: Path, observed: Iterable[ObservationRecord], *, named: Iterable[str], libraries: Mapping[str, str], date: str
) -> list[Path]:
    """Keep what was observed in place of what was known of the same pairs; returns the files that hold it now.

    `named` are the pairs that the folder has: what is known of others is dropped.
    """
    groups: dict[Group, list[ObservationRecord]] = {}
    for record in observed:
        device = record.device
        if device.jax:
            groups.setdefault((device.platform, device.device_count, device.jax), []).append(record)
    before = {each.group: each for each in read(folder)}
    homes, files = set(named), []
    for group, found in sorted(groups.items()):
        runs = list(_run_rows(found, libraries, date))
        renewed = {name for run in runs for name in run["pairs"]}
        for old in before[group].runs if group in before else ():
            rest = {name: row for name, row in old["pairs"].items() if name in homes - renewed}
            same = next((run for run in runs if _circumstances(run) == _circumstances(old)), None)
            if same is not None:
                same["pairs"] |= rest
            elif rest:
                runs.append({**old, "pairs": rest})
        kept = Kept(*group, runs)
        path = folder / FOLDER / kept.name
        records.replace_text(path, kept.text())
        files.append(path)
    return files


def libraries_of(pairs: Iterable[Pair]) -> dict[str, str]:
    """The installed versions of the libraries that fixtures import, by distribution, but for JAX itself."""
    roots = {root for pair in pairs for fixture in (pair.bad, pair.good) for root in _imported(fixture.tree())}
    homes = metadata.packages_distributions()
    names = {homes[root][0] for root in roots - {"jax"} if root in homes}
    return {name: metadata.version(name) for name in sorted(names, key=str.lower)}


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _run_rows(found: Iterable[ObservationRecord], libraries: Mapping[str, str], date: str) -> Iterator[RunRow]:
    """The observations of one group, a run for each environment."""
    by_device: dict[Device, list[ObservationRecord]] = {}
    for record in found:
        by_device.setdefault(record.device, []).append(record)
    for device, of in by_device.items():
        yield {
            "date": date,
            "device_kind": device.device_kind,
            "jaxlib": device.jaxlib,
            "python": device.python,
            "libraries": dict(libraries),
            "pairs": _pair_rows(of),
        }


def _pair_rows(found: Iterable[ObservationRecord]) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for record in sorted(found, key=lambda each: (each.fixture, each.line or 0, each.case, each.phenomenon)):
        pair, _, file = record.fixture.rpartition("/")
        half = rows.setdefault(pair, {}).setdefault(file.removesuffix(".py"), {"digest": record.digest})
        places: Places = half.setdefault(record.status, {})
        if record.status not in PLAIN:
            places = half[record.status].setdefault(_why(record), {})
        places.setdefault(f"{record.code} {record.phenomenon}", []).append(_place(record))
    return rows


def _why(record: ObservationRecord) -> str:
    evidence = record.evidence
    return str(evidence.get("reason") or evidence.get("raised") or ("seen" if evidence.get("seen") else "not seen"))


def _place(record: ObservationRecord) -> str:
    return f"{record.case}:{record.line}" if record.line else record.case or ":"


def _ordered(run: RunRow) -> dict[str, Any]:
    pairs = {
        name: {role: _ordered_half(run["pairs"][name][role]) for role in ("bad", "good") if role in run["pairs"][name]}
        for name in sorted(run["pairs"])
    }
    return {**run, "pairs": pairs}


def _ordered_half(half: Mapping[str, Any]) -> dict[str, Any]:
    statuses = {status: _joined(half[status]) for status in ORDER if status in half}
    return {"digest": half["digest"], **statuses}


def _joined(row: Mapping[str, Any]) -> dict[str, Any]:
    """A status's rows in order, the places of each claim as one text."""
    return {
        name: _joined(each) if isinstance(each, dict) else each if isinstance(each, str) else " ".join(each)
        for name, each in sorted(row.items())
    }


def _circumstances(run: RunRow) -> dict[str, Any]:
    return {name: each for name, each in run.items() if name != "pairs"}


def _read_run(run: RunRow, group: Group) -> Iterator[ObservationRecord]:
    platform, count, jax = group
    device = Device(platform, run["device_kind"], count, jax, run["jaxlib"], run["python"])
    for pair, halves in run["pairs"].items():
        for role in halves:
            yield from _read_half(pair, "bad" if role == "bad" else "good", halves[role], device)


def _read_half(
    pair: str, role: Literal["bad", "good"], half: Mapping[str, Any], device: Device
) -> Iterator[ObservationRecord]:
    for status in ORDER:
        rows = half.get(status, {})
        for reason, claims in ({"": rows} if status in PLAIN else rows).items():
            for claim, places in claims.items():
                code, _, phenomenon = claim.partition(" ")
                for place in places.split(" ") if isinstance(places, str) else places:
                    case, _, line = place.partition(":")
                    yield ObservationRecord(
                        fixture=f"{pair}/{role}.py",
                        digest=half["digest"],
                        case=case,
                        line=int(line) if line else None,
                        code=code,
                        phenomenon=phenomenon,
                        expected=role == "bad" or status == "harmless",
                        observed={"confirmed": True, "harmless": True, "clean": False}.get(status),
                        status=status,
                        evidence={"reason": reason} if reason else {},
                        device=device,
                    )
