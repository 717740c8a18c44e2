"""What formats are given: the findings of a run in their order, and what else is needed to show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flake8_jax.driver.reporters.places import Places
from flake8_jax.driver.reporters.style import Style
from flake8_jax.driver.sources import Sources
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.diagnostic import Diagnostic, Span

if TYPE_CHECKING:
    from flake8_jax.driver.fingerprints import Fingerprint


@dataclass(frozen=True, slots=True)
class Outcome:
    """The sorted findings of a run, the files they stand in, how paths and words are shown."""

    diagnostics: Sequence[Diagnostic]
    sources: Sources = field(default_factory=Sources)
    places: Places = field(default_factory=Places)
    style: Style = field(default_factory=Style)

    def at(self, path: str, where: Span | int) -> str:
        """A place as it is written behind the path: `:3:5`, in a notebook `:cell 2:3:5`, of a line alone `:3`."""
        if isinstance(where, int):
            cell, line = self.sources.place(path, where)
            place = f":{line}"
        else:
            cell, span = self.sources.span(path, where)
            place = f":{span.line}:{span.column + 1}"
        return place if cell is None else f":cell {cell}{place}"

    def is_in_cell(self, found: Diagnostic) -> bool:
        """Does a finding stand in a cell of a notebook?"""
        return self.sources.span(found.path, found.span)[0] is not None

    def lines_on_disk(self, path: str, span: Span) -> tuple[int, int]:
        """The first and the last line of a span in its file, which are others than those of the text in a notebook."""
        first = self.sources.line_on_disk(path, span.line)
        if first == span.line and self.sources.place(path, span.line)[0] is None:
            return span.line, span.end_line
        return first, max(first, self.sources.line_on_disk(path, span.end_line))

    def fingerprints(self) -> list[Fingerprint]:
        """The fingerprint of each finding."""
        from flake8_jax.driver.fingerprints import fingerprints

        return fingerprints(self.diagnostics, self.sources)
