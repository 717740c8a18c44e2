"""What a test session showed so far: lines that ran, phenomena that were seen, and what went wrong in watching.

Processes of pytest-xdist have observations of their own, which are joined.  Nothing here raises into a test: what a
watcher raises is counted, and the finding it was about is said not to be watched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec, TypedDict

from flake8_jax.runtime.confirming.targets import SoughtFinding
from flake8_jax.runtime.sightings import Evidence

WatcherArguments = ParamSpec("WatcherArguments")

BEFORE = "(collection)"
"""The name of what runs outside of all tests."""


class SeenInTest(TypedDict):
    """A sighting: the phenomenon, the test during which it was seen, and the evidence."""

    phenomenon: str
    test: str
    evidence: Evidence


class ObservationsRow(TypedDict):
    """Observations as a row of JSON."""

    reached: dict[str, str]
    seen: dict[str, SeenInTest]
    blind: dict[str, str]
    errors: dict[str, int]
    tests: int


@dataclass(slots=True)
class Observations:
    """By number of target: the first test that reached its lines, and the first sighting.

    `blind` says of a manner of watching why it does not work here, `errors` counts what watchers raised; `tests` is how
    many ran.
    """

    reached: dict[int, str] = field(default_factory=dict)
    seen: dict[int, SeenInTest] = field(default_factory=dict)
    blind: dict[str, str] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    tests: int = 0
    test: str = BEFORE

    def reach(self, targets: Iterable[SoughtFinding]) -> None:
        """The lines of these targets run."""
        for target in targets:
            self.reached.setdefault(target.number, self.test)

    def see(self, target: SoughtFinding, phenomenon: str, evidence: Evidence) -> None:
        """A phenomenon was seen at a target; the first sighting is kept."""
        self.reached.setdefault(target.number, self.test)
        self.seen.setdefault(target.number, {"phenomenon": phenomenon, "test": self.test, "evidence": evidence})

    def caught(self, watcher: str, error: BaseException) -> None:
        """A watcher raised."""
        self.errors[f"{watcher}: {type(error).__name__}: {str(error)[:200]}"] += 1

    def row(self) -> ObservationsRow:
        """The observations as a row of JSON."""
        return {
            "reached": {str(number): test for number, test in self.reached.items()},
            "seen": {str(number): seen for number, seen in self.seen.items()},
            "blind": self.blind,
            "errors": dict(self.errors),
            "tests": self.tests,
        }

    def add(self, row: ObservationsRow) -> None:
        """Add the observations of another process."""
        for number, test in row["reached"].items():
            self.reached.setdefault(int(number), test)
        for number, seen in row["seen"].items():
            self.seen.setdefault(int(number), seen)
        self.blind |= row["blind"]
        self.errors.update(row["errors"])
        self.tests += row["tests"]


def contained(
    observations: Observations, watcher: str, function: Callable[WatcherArguments, None]
) -> Callable[WatcherArguments, None]:
    """The same function, whose exceptions are counted and go no further."""

    @wraps(function)
    def run(*arguments: WatcherArguments.args, **keywords: WatcherArguments.kwargs) -> None:
        try:
            function(*arguments, **keywords)
        except Exception as error:
            observations.caught(watcher, error)

    return run
