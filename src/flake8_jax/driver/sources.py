"""The files that findings and notes stand in, read again when something is shown or compared."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from flake8_jax.driver.selection import ConfigOf
from flake8_jax.fixes.texts import Offsets, applied
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Edit, Note, Span
from flake8_jax.syntax.folders import path_from, root_of
from flake8_jax.syntax.notebooks import SUFFIX, CellsLost, narrowed, raw_edits, raw_lines
from flake8_jax.syntax.source import SourceFile, Unreadable, decode

if TYPE_CHECKING:
    from flake8_jax.syntax.cells import Cells


class Sources:
    """Files by their paths, each read once.

    `given` are texts that the disk does not have, such as standard input; by the configuration of a file its project
    may have another root.
    """

    __slots__ = ("_config_of", "_known", "_raw", "_roots")

    def __init__(self, given: Iterable[SourceFile] = (), config_of: ConfigOf = lambda _: Config()) -> None:
        self._known: dict[str, SourceFile | None] = {source.path: source for source in given}
        self._config_of = config_of
        self._roots: dict[str, str] = {}
        self._raw: dict[str, dict[int, list[int]]] = {}

    def get(self, path: str) -> SourceFile | None:
        """A file; None if it cannot be read."""
        if path not in self._known:
            try:
                self._known[path] = SourceFile.read(path)
            except Unreadable:
                self._known[path] = None
        return self._known[path]

    def line(self, path: str, number: int) -> str:
        """A line of a file, without white space at its end; empty if there is none, or if it stands in no cell."""
        source = self.get(path)
        if source is None or not 0 < number <= len(source.lines):
            return ""
        if source.cells is None:
            return source.lines[number - 1].rstrip()
        return source.cells.shown(number).rstrip() if source.cells.is_in_cell(number) else ""

    def span(self, path: str, span: Span) -> tuple[int | None, Span]:
        """The cell of a span, if its file is a notebook, and the span there."""
        cells = self._cells(path)
        found = cells.span(span) if cells is not None else None
        return found if found is not None else (None, span)

    def place(self, path: str, line: int) -> tuple[int | None, int]:
        """The cell of a line, if its file is a notebook, and the line there."""
        cell, span = self.span(path, Span(line, 0, line, 0))
        return cell, span.line

    def line_on_disk(self, path: str, line: int) -> int:
        """The line of a file on which a line of its text stands: of a notebook the text is a part of the file."""
        cell, number = self.place(path, line)
        if cell is None:
            return line
        if path not in self._raw:
            self._raw[path] = _raw_lines(path)
        found = self._raw[path].get(cell, ())
        return found[number - 1] if number <= len(found) else 1

    def edits_on_disk(self, path: str, edits: Sequence[Edit]) -> list[Edit]:
        """Changes of the text of a file as those of the file itself; none if its text cannot be written back."""
        source = self.get(path)
        if source is None or source.cells is None:
            return list(edits)
        try:
            raw = decode(Path(path).read_bytes())
            made = raw_edits(raw, applied(source.text, edits))
        except (OSError, Unreadable, CellsLost):
            return []
        at = Offsets(raw)
        return [Edit(at.span(one.begin, one.end), one.text) for one in map(narrowed, repeat(raw), made)]

    def _cells(self, path: str) -> Cells | None:
        source = self.get(path) if path in self._known or path.endswith(SUFFIX) else None
        return source.cells if source is not None else None

    def path_of(self, note: Note, found: Diagnostic) -> str:
        """The path of the file of a note; notes on other files call them as seen from the project's root."""
        if note.path == found.path or note.path in self._known or os.path.isabs(note.path):
            return note.path
        folder = os.path.dirname(found.path)
        root = self._roots.get(folder)
        if root is None:
            root = self._roots[folder] = self._config_of(found.path).root or root_of(found.path)
        path = path_from(os.path.join(root, note.path))
        return path if os.path.exists(path) else note.path


def _raw_lines(path: str) -> dict[int, list[int]]:
    """The lines of a notebook's file on which those of each cell stand; nothing if that cannot be said any more."""
    try:
        return raw_lines(decode(Path(path).read_bytes()))
    except (OSError, Unreadable, ValueError, LookupError):
        return {}
