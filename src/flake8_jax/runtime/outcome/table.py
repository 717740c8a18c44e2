"""The closing table of a run: each rule on each platform, and each failure by name.

rule                     cpu x 8 (jax 0.10.2)
JAX101 key-reused        114 claims confirmed, 205 good clean
skipped: 4 observations on cpu: equinox is not installed
nothing is known from a gpu: none was reached, and no evidence of one is kept
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from flake8_jax.runtime.claims import Pair
from flake8_jax.runtime.records import FAILED, PROVED, Device, ObservationRecord, ObservationStatus, kept

ORDER: tuple[ObservationStatus, ...] = (
    "confirmed", "clean", "harmless", "inspected", "differs", "same", "incomparable",
    "refuted", "error", "unsupported", "skipped",
)  # fmt: skip
WORDS: Mapping[ObservationStatus, str] = {
    "confirmed": "confirmed",
    "clean": "good clean",
    "harmless": "shown and harmless",
    "inspected": "by inspection",
    "differs": "different on this JAX",
    "same": "with the same values by their remedy",
    "incomparable": "with a remedy that nothing compares with",
    "refuted": "REFUTED",
    "error": "ERROR",
    "unsupported": "UNSUPPORTED",
    "skipped": "skipped",
}
NAMED = 12
GPU = "a gpu"


def lines(records: Sequence[ObservationRecord], names: Mapping[str, str]) -> Iterator[str]:
    """The table's lines; `names` gives the names of rules."""
    columns = sorted({_column(record.device) for record in records})
    codes = sorted({record.code for record in records})
    cells = [[f"{code} {names.get(code, '')}".strip(), *(_cell(records, code, c) for c in columns)] for code in codes]
    rows = [["rule", *columns], *cells]
    widths = [max(len(row[at]) for row in rows) for at in range(len(columns) + 1)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()


def failures(records: Iterable[ObservationRecord]) -> Iterator[str]:
    """One line for each failed observation."""
    for record in sorted(records, key=lambda each: (each.fixture, each.line or 0, each.case)):
        if record.status in FAILED:
            place = f"{record.fixture}:{record.line}" if record.line else record.fixture
            case = f" in {record.case}" if record.case else ""
            claim = f"{record.code} {record.phenomenon}".strip()
            yield f"{place}: {claim}{case}: {record.status}: {_why(record)}"


def gathered(records: Sequence[ObservationRecord], status: ObservationStatus) -> Iterator[str]:
    """One line for each reason of this status, with the number and names of observations."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if record.status == status:
            key = record.device.platform, str(record.evidence.get("reason", ""))
            reasons.setdefault(key, []).append(f"{record.fixture.removesuffix('.py')} {record.case}")
    for (platform, reason), found in sorted(reasons.items()):
        yield f"{WORDS[status]} on {platform}: {len(found)}: {reason}: {_listed(sorted(found))}"


def disagreements(records: Iterable[ObservationRecord]) -> Iterator[str]:
    """Disagreements between JAX's own key checker and the ledger, counted by the checker's answer."""
    found = Counter(
        (record.device.platform, record.status, str(record.evidence.get("checker")))
        for record in records
        if record.evidence.get("checker") not in (None, "agrees")
    )
    for (platform, status, checker), number in sorted(found.items()):
        yield f"key checker of JAX on {platform}: {checker} where the ledger says {WORDS[status]}: {number}"


def without_evidence(
    pairs: Sequence[Pair], known: Iterable[ObservationRecord], found: Sequence[ObservationRecord]
) -> Iterator[str]:
    """Pairs without a record from a device whose records are kept, and those with stale ones.

    Of GPUs, it is said at least that nothing is known.
    """
    fresh = {(record.device, record.fixture) for record in found}
    kept_records = [record for record in known if (record.device, record.fixture) not in fresh]
    devices: dict[str, list[ObservationRecord]] = {}
    for record in kept_records:
        devices.setdefault(_named(record.device), []).append(record)
    if any(_named(record.device) == GPU and record.device.jax for record in found):
        devices.setdefault(GPU, [])
    for record in found:
        devices.get(_named(record.device), []).append(record)
    for name, records in sorted(devices.items()):
        state = kept(pairs, records, records[0].device.platform if records else "")
        if state.missing:
            yield f"without evidence from {name}: {_listed(state.missing)}"
        if state.stale:
            yield f"evidence from {name} is stale, the fixture has changed: {_listed(state.stale)}"
    if GPU not in devices:
        yield f"nothing is known from {GPU}: none was reached, and no evidence of one is kept"


def _named(device: Device) -> str:
    return GPU if device.platform == "gpu" else _column(device)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def is_proved(records: Iterable[ObservationRecord]) -> bool:
    """Did no observation fail?"""
    return not any(record.status in FAILED for record in records)


def _column(device: Device) -> str:
    many = f" x {device.device_count}" if device.device_count > 1 else ""
    return f"{device.platform}{many}" + (f" (jax {device.jax})" if device.jax else "")


def _cell(records: Iterable[ObservationRecord], code: str, column: str) -> str:
    counts = Counter(each.status for each in records if each.code == code and _column(each.device) == column)
    return ", ".join(f"{counts[status]} {WORDS[status]}" for status in ORDER if counts[status]) or "-"


def _why(record: ObservationRecord) -> str:
    evidence = record.evidence
    parts = [str(evidence["reason"])] if "reason" in evidence else []
    if "raised" in evidence:
        parts.append(f"raised {evidence['raised']} on lines {evidence.get('lines')}")
    if evidence.get("seen"):
        seen = evidence["seen"]
        parts.append(f"seen on lines {', '.join(seen)}" if isinstance(seen, dict) else f"seen: {seen}")
    elif record.expected and not parts:
        parts.append("seen nowhere")
    rest = {name: each for name, each in evidence.items() if name not in ("reason", "raised", "lines", "seen")}
    return "; ".join([*parts, *(f"{name} {each}" for name, each in rest.items())])


__all__ = ["PROVED", "disagreements", "failures", "gathered", "is_proved", "lines", "without_evidence"]
