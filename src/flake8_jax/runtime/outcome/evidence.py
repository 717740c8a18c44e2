"""The evidence that is kept beside the pairs.  A file for each JAX and number of devices holds what each claim came to.

    FIXTURES/evidence/jax-0.10.2-cpu-8.json

A file holds runs, each with its date and versions; a pair stands in the last run that observed it, with the digests of
its two files.  Whoever changes one of them has to observe that pair again, and no other.

    "bad": {"digest": "5f1c...", "confirmed": {"JAX201 raises:TypeError": "stored:6 twice:11"}}
    "good": {"digest": "90ab...", "clean": {"JAX201 raises:TypeError": "stored twice"}}
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import TypeAlias, TypedDict

from flake8_jax.model.documents import Json
from flake8_jax.runtime.claims import Pair
from flake8_jax.runtime.outcome.table import ORDER
from flake8_jax.runtime.records import SCHEMA, Device, ObservationRecord, ObservationStatus, replace_file

FOLDER = "evidence"
PLAIN: tuple[ObservationStatus, ...] = ("confirmed", "clean", "same")
"""What needs no reason."""

Group: TypeAlias = tuple[str, str, int]
Halves: TypeAlias = "dict[str, dict[str, Json]]"
Claims: TypeAlias = "dict[str, list[str]]"


class RunRow(TypedDict):
    """A run as a row of JSON."""

    date: str
    device_kind: str
    jaxlib: str
    python: str
    libraries: dict[str, str]
    pairs: dict[str, Halves]


@dataclass(frozen=True, slots=True)
class EvidenceRun:
    """What is kept of one run in one environment: no times, and not what was seen on which line."""

    date: str
    device: Device
    libraries: Mapping[str, str]
    records: tuple[ObservationRecord, ...]

    @property
    def group(self) -> Group:
        """What a file is about: JAX, platform, number of devices."""
        return self.device.jax, self.device.platform, self.device.device_count

    def only(self, pairs: Collection[str]) -> EvidenceRun:
        """What the run observed of these pairs."""
        return replace(self, records=tuple(each for each in self.records if pair_of(each) in pairs))

    def is_like(self, other: EvidenceRun) -> bool:
        """Were both made on one day in one environment?"""
        return (self.date, self.device, self.libraries) == (other.date, other.device, other.libraries)


def pair_of(record: ObservationRecord) -> str:
    """The name of the pair that a record is about."""
    return record.fixture.rpartition("/")[0]


def read(folder: Path) -> list[EvidenceRun]:
    """All evidence beside the pairs of a folder. Raises `ValueError` if something there cannot be read."""
    return [run for path in sorted((folder / FOLDER).glob("jax-*.json")) for run in read_file(path)]


def read_file(path: Path) -> list[EvidenceRun]:
    """The runs of one file. Raises `ValueError` if it holds none."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        if row["schema"] != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
        return [_run(each, (row["jax"], row["platform"], row["device_count"])) for each in row["runs"]]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: holds no evidence that can be read: {error!r}") from error


def keep(
    folder: Path, observed: Iterable[ObservationRecord], named: Collection[str], libraries: Mapping[str, str], date: str
) -> list[Path]:
    """Keep what was observed in place of what was known of the same pairs.

    Returns the files that hold it now.

    `named` are the pairs of the folder: what is known of others is dropped.
    """
    by_device: dict[Device, list[ObservationRecord]] = {}
    for record in observed:
        if record.device.jax:
            by_device.setdefault(record.device, []).append(record)
    runs = [EvidenceRun(date, device, libraries, tuple(found)) for device, found in by_device.items()]
    renewed: dict[Group, set[str]] = {}
    for run in runs:
        renewed.setdefault(run.group, set()).update(map(pair_of, run.records))
    for old in read(folder):
        if old.group in renewed:
            runs = _joined(runs, old.only(set(named) - renewed[old.group]))
    return [_write(folder, group, [run for run in runs if run.group == group]) for group in renewed]


def libraries_of(pairs: Iterable[Pair]) -> dict[str, str]:
    """The installed versions of the libraries that fixtures import, by distribution, but for JAX itself."""
    roots = {root for pair in pairs for fixture in (pair.bad, pair.good) for root in _imported(fixture.tree())}
    homes = metadata.packages_distributions()  # Python 3.10 finds only those with a list of their packages
    names = {homes.get(root, [root])[0] for root in roots - {"jax", *sys.stdlib_module_names}}
    found: dict[str, str] = {}
    for name in sorted(names, key=str.lower):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _joined(runs: Sequence[EvidenceRun], old: EvidenceRun) -> list[EvidenceRun]:
    """Runs with what is left of an older one: part of the one that is like it, else before them."""
    if not old.records:
        return list(runs)
    if any(run.is_like(old) for run in runs):
        return [replace(run, records=(*run.records, *old.records)) if run.is_like(old) else run for run in runs]
    return [old, *runs]


# A file.


def _write(folder: Path, group: Group, runs: Iterable[EvidenceRun]) -> Path:
    jax, platform, count = group
    path = folder / FOLDER / f"jax-{jax}-{platform}-{count}.json"
    ordered = sorted(runs, key=lambda run: (run.date, str(run.device), sorted(run.libraries.items())))
    row = {"schema": SCHEMA, "jax": jax, "platform": platform, "device_count": count, "runs": list(map(_row, ordered))}
    replace_file(path, json.dumps(row, indent=1, ensure_ascii=False) + "\n")
    return path


def _row(run: EvidenceRun) -> RunRow:
    halves: dict[str, dict[str, list[ObservationRecord]]] = {}
    for record in sorted(run.records, key=lambda each: (each.fixture, each.line or 0, each.case)):
        role = record.fixture.rpartition("/")[2].removesuffix(".py")
        halves.setdefault(pair_of(record), {}).setdefault(role, []).append(record)
    pairs = {name: {role: _half(found) for role, found in roles.items()} for name, roles in halves.items()}
    device = run.device
    return {
        "date": run.date,
        "device_kind": device.device_kind,
        "jaxlib": device.jaxlib,
        "python": device.python,
        "libraries": dict(run.libraries),
        "pairs": pairs,
    }


def _half(found: Sequence[ObservationRecord]) -> dict[str, Json]:
    """One file of a pair: its digest, and under each status the claims with the places where it came out so."""
    half: dict[str, Json] = {"digest": found[0].digest}
    for status in ORDER:
        reasons: dict[str, Claims] = {}
        for record in found:
            if record.status == status:
                claims = reasons.setdefault("" if status in PLAIN else _why(record), {})
                claims.setdefault(f"{record.code} {record.phenomenon}", []).append(_place(record))
        rows = {
            reason: {claim: " ".join(places) for claim, places in sorted(claims.items())}
            for reason, claims in sorted(reasons.items())
        }
        if rows:
            half[status] = rows[""] if status in PLAIN else rows
    return half


def _why(record: ObservationRecord) -> str:
    evidence = record.evidence
    found = evidence.get("reason") or evidence.get("raised") or ("seen elsewhere" if evidence.get("seen") else "")
    return str(found or "seen nowhere")


def _place(record: ObservationRecord) -> str:
    return f"{record.case}:{record.line or ''}" if record.line or not record.case else record.case


def _run(row: RunRow, group: Group) -> EvidenceRun:
    jax, platform, count = group
    device = Device(platform, row["device_kind"], count, jax, row["jaxlib"], row["python"])
    found = [
        record
        for pair, halves in row["pairs"].items()
        for role, half in halves.items()
        for record in _of_half(f"{pair}/{role}.py", half, device)
    ]
    return EvidenceRun(row["date"], device, row["libraries"], tuple(found))


def _of_half(fixture: str, half: Mapping[str, Json], device: Device) -> Iterator[ObservationRecord]:
    for status in ORDER:
        rows = half.get(status, {})
        for reason, claims in _items({"": rows} if status in PLAIN else rows):
            for claim, places in _items(claims):
                for place in str(places).split(" "):
                    yield _record(fixture, str(half["digest"]), place, claim, status, reason, device)


def _items(row: Json) -> Iterable[tuple[str, Json]]:
    if not isinstance(row, Mapping):
        raise TypeError(f"{row!r} is no table")
    return row.items()


_OBSERVED: Mapping[ObservationStatus, bool] = {"confirmed": True, "harmless": True, "clean": False}


def _record(
    fixture: str, digest: str, place: str, claim: str, status: ObservationStatus, reason: str, device: Device
) -> ObservationRecord:
    (code, _, phenomenon), (case, _, line) = claim.partition(" "), place.partition(":")
    is_bad = fixture.endswith("/bad.py")
    return ObservationRecord(
        fixture=fixture,
        digest=digest,
        case=case,
        line=int(line) if line else None,
        code=code,
        phenomenon=phenomenon,
        expected=is_bad or status == "harmless",
        observed=_OBSERVED.get(status),
        status=status,
        evidence={"reason": reason} if reason else {},
        device=device,
    )
