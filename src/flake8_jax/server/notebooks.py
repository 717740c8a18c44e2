"""Notebooks that an editor has open: every cell is a document of its own there, and all of them are one text for us.

How that text says where its cells begin, and what becomes of magics: `syntax/notebooks.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from lsprotocol import types

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.diagnostic import Span
from flake8_jax.server.documents import DocumentEdits, FileBuffer, path_of
from flake8_jax.syntax.notebooks import CellsLost, cells_in, python_of
from flake8_jax.syntax.source import SourceFile
from flake8_jax.syntax.text import Unreadable


@dataclass(slots=True)
class OpenCell:
    """A cell of a notebook: its document, and whether it is one of code."""

    buffer: FileBuffer
    is_code: bool


@dataclass(slots=True)
class NotebookBuffer:
    """A notebook that is open.  `made` is the text of its cells, until one is changed."""

    uri: str
    encoding: str
    cells: list[OpenCell] = field(default_factory=list)
    tick: int = 0
    made: SourceFile | None = None

    @property
    def path(self) -> str:
        """The path of its file."""
        return path_of(self.uri)

    @property
    def text(self) -> str:
        """The Python of its cells."""
        return self.source.text

    @property
    def source(self) -> SourceFile:
        """The text of its cells, which knows where these stand in it."""
        if self.made is None:
            cells: list[dict[str, object]] = [
                {"cell_type": "code" if cell.is_code else "markdown", "metadata": {}, "source": cell.buffer.text}
                for cell in self.cells
            ]
            try:
                text = python_of(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
            except Unreadable:
                text = ""
            self.made = SourceFile(self.path, text)
        return self.made

    def changed(self) -> None:
        """Something in it is not as it was."""
        self.tick += 1
        self.made = None

    def cell(self, uri: str) -> FileBuffer | None:
        """The document of a cell."""
        return next((cell.buffer for cell in self.cells if cell.buffer.uri == uri), None)

    def documents(self) -> Iterator[tuple[str, int | None]]:
        """The cells of code."""
        for cell in self.cells:
            if cell.is_code:
                yield cell.buffer.uri, cell.buffer.version

    def range(self, span: Span) -> tuple[str, types.Range] | None:
        """The cell and the range there of a span."""
        cells = self.source.cells
        found = cells.span(span) if cells is not None else None
        if found is None or found[0] > len(self.cells):
            return None
        return self.cells[found[0] - 1].buffer.range(found[1])

    def line(self, number: int) -> tuple[str, types.Range] | None:
        """The cell and the range there of a line."""
        cells = self.source.cells
        found = cells.place(number) if cells is not None else None
        return self.cells[found.cell - 1].buffer.line(found.line) if found is not None else None

    def place(self, uri: str, position: types.Position) -> tuple[int, int] | None:
        """The line and the column in the text of a position in a cell."""
        for number, cell in enumerate(self.cells, 1):
            cells = self.source.cells
            if cell.buffer.uri == uri and cells is not None:
                line, column = cell.buffer.places.place(position)
                found = cells.line_of(number, line)
                return (found, column) if found is not None else None
        return None

    def edits(self, new: str) -> list[DocumentEdits] | None:
        """What makes the text another one, cell by cell."""
        try:
            before, after = cells_in(self.text), cells_in(new)
        except CellsLost:
            return None
        if before.keys() != after.keys():
            return None
        return [
            edits for number, text in after.items() if text != before[number]
            for edits in self.cells[number - 1].buffer.edits(text)
        ]  # fmt: skip


def open_cells(
    cells: Iterable[types.NotebookCell], texts: Iterable[types.TextDocumentItem], encoding: str
) -> list[OpenCell]:
    """The cells of a notebook, with their texts."""
    known = {text.uri: text for text in texts}
    made = []
    for cell in cells:
        text = known.get(cell.document)
        is_code = cell.kind == types.NotebookCellKind.Code and (text is None or text.language_id == "python")
        buffer = FileBuffer(
            cell.document, text.text if text is not None else "", encoding, text.version if text is not None else None
        )
        made.append(OpenCell(buffer, is_code))
    return made
