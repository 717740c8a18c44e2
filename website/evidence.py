"""What the kept evidence says of a rule: under which JAX, on how many devices its claims were run and confirmed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "fixtures" / "evidence"


@dataclass(frozen=True, slots=True)
class Proof:
    """Of a rule's pair on one kind of device: hazards seen, twins clean, claims that a version answers otherwise.

    `inspected` counts claims about the text alone, which running shows nothing of.
    """

    jax: str
    platform: str
    devices: int
    date: str
    hazards: int
    clean: int
    inspected: int
    differing: tuple[str, ...]

    @property
    def where(self) -> str:
        """The devices, in words."""
        return f"{self.devices} {self.platform.upper()} device{'s' * (self.devices > 1)}"


@cache
def records() -> tuple[dict[str, Any], ...]:
    """The files of evidence, by version of JAX and number of devices."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")]
    return tuple(sorted(found, key=lambda each: (version(each["jax"]), each["platform"], each["device_count"])))


def version(text: str) -> tuple[int, ...]:
    """A version as numbers."""
    return tuple(int(part) for part in text.split(".") if part.isdecimal())


def proofs(code: str) -> list[Proof]:
    """What was seen of a rule's pair, newest run of each kind of device."""
    return [found for record in records() for found in _of(record, code.lower())]


def _of(record: dict[str, Any], begin: str) -> Iterator[Proof]:
    for run in sorted(record["runs"], key=lambda each: str(each["date"]), reverse=True):
        for pair, parts in run["pairs"].items():
            if pair.startswith(f"{begin}_"):
                bad, good = parts.get("bad", {}), parts.get("good", {})
                yield Proof(
                    record["jax"], record["platform"], record["device_count"], run["date"], _count(bad, "confirmed"),
                    _count(good, "clean"), sum(map(_words, bad.get("inspected", {}).values())),
                    tuple(sorted({why for part in (bad, good) for why in part.get("differs", {})})),
                )  # fmt: skip
                return


def _count(part: dict[str, Any], kind: str) -> int:
    return _words(part.get(kind, {}))


def _words(claims: dict[str, str]) -> int:
    return sum(len(names.split()) for names in claims.values())
