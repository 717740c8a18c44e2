"""What a recipe brings back: where a phenomenon was seen, and the evidence; or why it cannot be looked for here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Evidence: TypeAlias = "dict[str, object]"


class Unsupported(Exception):
    """This JAX, platform or program does not let the phenomenon be observed; the message says why."""


@dataclass(slots=True)
class Sightings:
    """The lines on which a phenomenon was seen, with evidence that JSON can hold; line None is an unknown one.

    `refuting` is evidence that is shown when a claim is not met: what was seen instead.
    """

    by_line: dict[int | None, Evidence] = field(default_factory=dict)
    refuting: Evidence = field(default_factory=dict)

    def see(self, line: int | None, **evidence: object) -> None:
        """Note a sighting; the first on a line stands."""
        self.by_line.setdefault(line, dict(evidence))

    def __bool__(self) -> bool:
        return bool(self.by_line)


def first_line(error: object) -> str:
    """The beginning of what an exception or a warning says; nothing if it says nothing."""
    return (str(error).strip().splitlines() or [""])[0][:200]
