"""The result of a recipe: the lines where a phenomenon was seen, with evidence. `Unsupported` says why it cannot be
looked for here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from flake8_jax.model.documents import Json

Evidence: TypeAlias = "dict[str, Json]"


class Unsupported(Exception):
    """The phenomenon cannot be observed with this JAX, platform or program; the message says why."""


@dataclass(slots=True)
class Sightings:
    """The lines on which a phenomenon was seen, with JSON-serializable evidence; line None is an unknown one.

    `refuting` is evidence that is shown when a claim is not met: what was seen instead.
    """

    by_line: dict[int | None, Evidence] = field(default_factory=dict)
    refuting: Evidence = field(default_factory=dict)

    def see(self, line: int | None, **evidence: Json) -> None:
        """Add a sighting; the first on a line is kept."""
        self.by_line.setdefault(line, dict(evidence))

    def __bool__(self) -> bool:
        return bool(self.by_line)


def first_line(error: object) -> str:
    """The beginning of the message of an exception or a warning, if it has one."""
    return (str(error).strip().splitlines() or [""])[0][:200]
