"""What is said of each finding when the tests are over, and the report of all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from flake8_jax.model.documents import Json
from flake8_jax.runtime.confirming.manners import manner_of, reasons, watched
from flake8_jax.runtime.confirming.observations import Observations, SeenInTest
from flake8_jax.runtime.confirming.targets import CheckDocument, SoughtFinding
from flake8_jax.runtime.foreign import Foreign

ConfirmationState: TypeAlias = Literal["confirmed", "not seen", "not reached", "not confirmable"]

STATES: tuple[ConfirmationState, ...] = ("confirmed", "not seen", "not reached", "not confirmable")

MEANINGS: Mapping[ConfirmationState, str] = {
    "confirmed": "its line ran in a test, and a phenomenon that its rule claims was seen there",
    "not seen": "its line ran, and no phenomenon that its rule claims was seen there",
    "not reached": "its line did not run",
    "not confirmable": "no phenomenon that its rule claims can be seen by watching tests, or not in this session",
}


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What the tests say of a finding.

    `looked_for` are the phenomena of its rule that were watched, `not_watched` the others with reasons; `reached_by` is
    the first test that ran its line, None if none did.
    """

    target: SoughtFinding
    state: ConfirmationState
    looked_for: tuple[str, ...]
    not_watched: dict[str, str]
    reached_by: str | None = None
    seen: SeenInTest | None = None

    def row(self) -> dict[str, Json]:
        """The confirmation as a row of JSON."""
        seen = self.seen
        return {
            "state": self.state,
            "phenomenon": seen["phenomenon"] if seen is not None else None,
            "test": seen["test"] if seen is not None else None,
            "evidence": seen["evidence"] if seen is not None else None,
            "reached_by": self.reached_by,
            "looked_for": list(self.looked_for),
            "not_watched": self.not_watched,
        }

    def columns(self) -> dict[str, Json]:
        """The confirmation as properties of a result in SARIF, each of one text or of texts."""
        seen = self.seen
        columns: dict[str, Json] = {
            "confirmation": self.state,
            "confirmationPhenomenon": seen["phenomenon"] if seen is not None else "",
            "confirmationTest": seen["test"] if seen is not None else "",
            "confirmationReachedBy": self.reached_by or "",
            "confirmationLookedFor": list(self.looked_for),
        }
        return columns


def confirmations(targets: Iterable[SoughtFinding], observations: Observations) -> list[Confirmation]:
    """What is said of each target."""
    return [_of(target, observations) for target in targets]


def _of(target: SoughtFinding, observations: Observations) -> Confirmation:
    looked_for: list[str] = []
    not_watched = reasons(target.phenomena)
    for phenomenon in watched(target.phenomena):
        blind = observations.blind.get(str(manner_of(phenomenon).how))
        if blind is None:
            looked_for.append(phenomenon)
        else:
            not_watched[phenomenon] = blind
    reached, seen = observations.reached.get(target.number), observations.seen.get(target.number)
    state: ConfirmationState = "not seen" if reached is not None else "not reached"
    if seen is not None:
        state = "confirmed"
    elif not looked_for or (reached is None and LINES in observations.blind):
        state = "not confirmable"
    return Confirmation(target, state, tuple(looked_for), not_watched, reached, seen)


LINES = "exceptions"
"""The manner that also tells which lines run."""


def as_json(document: CheckDocument, found: Sequence[Confirmation], head: Mapping[str, Json]) -> str:
    """The findings as `check` writes them in JSON, each with its confirmation, and what concerns all under
    `confirmation`."""
    rows = [{**row, "confirmation": one.row()} for row, one in zip(document["diagnostics"], found)]
    whole = {**document, "confirmation": {"counts": counts(found), **head}, "diagnostics": rows}
    return json.dumps(whole, indent=2) + "\n"


def as_sarif(document: CheckDocument, found: Sequence[Confirmation], head: Mapping[str, Json]) -> str:
    """The findings as `check` writes them in SARIF, each with columns among its properties."""
    runs: list[Foreign] = document["runs"]
    results = [
        {**result, "properties": {**result.get("properties", {}), **one.columns()}}
        for result, one in zip(runs[0]["results"], found)
    ]
    properties = {**runs[0].get("properties", {}), "confirmation": {"counts": counts(found), **head}}
    first = {**runs[0], "results": results, "properties": properties}
    return json.dumps({**document, "runs": [first, *runs[1:]]}, indent=2) + "\n"


def counts(found: Iterable[Confirmation]) -> dict[str, int]:
    """How many findings are in each state."""
    number = Counter(one.state for one in found)
    return {state: number[state] for state in STATES}
