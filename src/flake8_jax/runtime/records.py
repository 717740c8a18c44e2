"""The records of observations, one line of JSON each, and the evidence kept of them.  A record says what was claimed,
what was seen, and on which device.

The folder `evidence` beside the pairs keeps the records of the last run on a device that is not always at hand.  A
record speaks for the fixture whose digest it carries: when the file has changed since, the record is stale.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Literal, TypeAlias

from flake8_jax.runtime.claims import Pair
from flake8_jax.runtime.sightings import Evidence

SCHEMA = 1
ObservationStatus: TypeAlias = Literal[
    "confirmed", "clean", "harmless", "inspected", "differs", "same", "incomparable",
    "refuted", "error", "unsupported", "skipped",
]  # fmt: skip
PROVED: frozenset[ObservationStatus] = frozenset(
    {"confirmed", "clean", "harmless", "inspected", "differs", "same", "incomparable"}
)
OF_REMEDIES: frozenset[ObservationStatus] = frozenset({"same", "incomparable"})
FAILED: frozenset[ObservationStatus] = frozenset({"refuted", "error", "unsupported"})


@dataclass(frozen=True, slots=True)
class Device:
    """The environment of an observation: platform, kind and number of devices, versions."""

    platform: str
    device_kind: str = ""
    device_count: int = 0
    jax: str = ""
    jaxlib: str = ""
    python: str = ""


@dataclass(frozen=True, slots=True)
class ObservationRecord:
    """The record of one observation: one phenomenon in one case.

    `line` is the claim's in a bad fixture, None in a good one; `observed` is None if nothing could be observed;
    `milliseconds` is the time that the observation took, of which claims of one case share.
    """

    fixture: str
    digest: str
    case: str
    line: int | None
    code: str
    phenomenon: str
    expected: bool
    observed: bool | None
    status: ObservationStatus
    evidence: Evidence
    device: Device
    milliseconds: float = 0.0
    schema: int = field(default=SCHEMA)

    def as_json(self) -> str:
        """The record as a line of JSON."""
        row = asdict(self)
        row |= row.pop("device")
        row["ms"] = round(row.pop("milliseconds"), 1)
        return json.dumps({"schema": row.pop("schema"), **row}, default=str)

    @staticmethod
    def from_json(text: str) -> ObservationRecord:
        """Parse a line of JSON; raises `ValueError` if it is no record."""
        row = json.loads(text)
        if not isinstance(row, dict) or row.get("schema") != SCHEMA:
            raise ValueError(f"no record of schema {SCHEMA}: {text[:80]}")
        try:
            device = Device(**{each.name: row.pop(each.name) for each in fields(Device)})
            return ObservationRecord(device=device, milliseconds=row.pop("ms"), **row)
        except (KeyError, TypeError) as error:
            raise ValueError(f"no record: {error}") from error


def write(records: Iterable[ObservationRecord], path: Path) -> None:
    """Write records as JSON lines, sorted, atomically."""
    replace_file(path, "".join(record.as_json() + "\n" for record in sorted(records, key=_order)))


def replace_file(path: Path, text: str) -> None:
    """Write a file atomically, and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def read(path: Path) -> list[ObservationRecord]:
    """The records of a file; raises `ValueError` with the line number of a malformed one."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(ObservationRecord.from_json(line))
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from error
    return found


def evidence(folder: Path) -> list[ObservationRecord]:
    """The records kept beside the pairs of a folder."""
    return [record for path in sorted((folder / "evidence").glob("*.jsonl")) for record in read(path)]


@dataclass(frozen=True, slots=True)
class Kept:
    """The pairs by the state of a platform's kept evidence: proved, stale (a file has changed), or missing."""

    proved: tuple[str, ...]
    stale: tuple[str, ...]
    missing: tuple[str, ...]


def kept(pairs: Sequence[Pair], records: Iterable[ObservationRecord], platform: str) -> Kept:
    """Classify pairs by a platform's records; an incomplete run proves nothing.

    Of a pair whose claims are all made by inspection nothing runs, so that `good.py` has no records.
    """
    of: dict[str, list[ObservationRecord]] = {}
    for record in records:
        if record.device.platform == platform:
            of.setdefault(record.fixture, []).append(record)
    state: dict[str, list[str]] = {"proved": [], "stale": [], "missing": []}
    for pair in pairs:
        bad, good = of.get(f"{pair.name}/bad.py", []), of.get(f"{pair.name}/good.py", [])
        runs = any(record.status != "inspected" for record in bad)
        if not bad or (runs and not good):
            state["missing"].append(pair.name)
        elif {r.digest for r in bad} != {pair.bad.digest} or {r.digest for r in good} - {pair.good.digest}:
            state["stale"].append(pair.name)
        else:
            state["proved" if _is_whole(pair, bad, good, runs) else "missing"].append(pair.name)
    return Kept(**{name: tuple(found) for name, found in state.items()})


def _is_whole(pair: Pair, bad: Iterable[ObservationRecord], good: Iterable[ObservationRecord], runs: bool) -> bool:
    claimed = {(claim.line, claim.code) for claim in pair.bad.expectations}
    cases = {case.name for case in pair.good.cases if runs}
    proved = {(r.line, r.code) for r in bad if r.status in PROVED and r.status not in OF_REMEDIES}
    return claimed <= proved and cases <= {r.case for r in good if r.status in PROVED}


def _order(record: ObservationRecord) -> tuple[str, str, int, str, str, int]:
    device = record.device
    return record.fixture, record.case, record.line or 0, record.phenomenon, device.platform, device.device_count
