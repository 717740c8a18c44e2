"""What formats are given: the findings of a run in their order, and what else is needed to show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from flake8_jax.driver.fingerprints import Fingerprint, fingerprints
from flake8_jax.driver.reporters.places import Places
from flake8_jax.driver.reporters.style import Style
from flake8_jax.driver.sources import Sources
from flake8_jax.model.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class Outcome:
    """The sorted findings of a run, the files they stand in, how paths and words are shown."""

    diagnostics: Sequence[Diagnostic]
    sources: Sources = field(default_factory=Sources)
    places: Places = field(default_factory=Places)
    style: Style = field(default_factory=Style)

    def fingerprints(self) -> list[Fingerprint]:
        """The fingerprint of each finding."""
        return fingerprints(self.diagnostics, self.sources)
