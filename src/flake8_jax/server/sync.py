"""Texts and notebooks that are opened, edited, saved and closed in the editor."""

from __future__ import annotations

from functools import partial

from lsprotocol import types

from flake8_jax.server.documents import FileBuffer
from flake8_jax.server.notebooks import NotebookBuffer, open_cells
from flake8_jax.server.service import Service
from flake8_jax.server.texts import changed

NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook(types.NotebookDocumentFilterNotebookType("jupyter-notebook"))], save=True
)
"""All cells are wanted, those of prose, too: findings are told by the number that a cell has for its reader."""

OF_PYGLS = (
    types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN, types.NOTEBOOK_DOCUMENT_DID_CHANGE, types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)  # fmt: skip
"""What pygls would do with documents is left out: they are kept here, with the line ends that Python knows."""


def synchronized(service: Service) -> None:
    """Keep texts and notebooks as they are in the editor."""
    for method in OF_PYGLS:
        service.server.protocol.fm.builtin_features.pop(method, None)
    _TextSync(service)
    _NotebookSync(service)


class _TextSync:
    """Texts that are opened, edited, saved and closed."""

    def __init__(self, service: Service) -> None:
        self.service, server = service, service.server
        server.feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(self.did_open))
        server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(self.did_change))
        server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))(partial(self.did_save))
        server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(partial(self.did_close))

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """A file was opened."""
        document = params.text_document
        encoding = self.service.documents.encoding
        self.service.opened(FileBuffer(document.uri, document.text, encoding, document.version))

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """A text was edited."""
        buffer = self.service.documents.get(params.text_document.uri)
        if isinstance(buffer, FileBuffer):
            encoding = self.service.documents.encoding
            buffer.become(changed(buffer.text, params.content_changes, encoding), params.text_document.version)
            self.service.edited(buffer)

    async def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """A text was written to its file."""
        buffer = self.service.documents.get(params.text_document.uri)
        if buffer is not None:
            await self.service.saved(buffer)

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """A file was closed."""
        buffer = self.service.documents.get(params.text_document.uri)
        if buffer is not None:
            self.service.closed(buffer)


class _NotebookSync:
    """Notebooks, which come with their cells."""

    def __init__(self, service: Service) -> None:
        self.service, server = service, service.server
        server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(partial(self.did_open))
        server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(partial(self.did_change))
        server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(partial(self.did_save))
        server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(partial(self.did_close))

    def did_open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """A notebook was opened."""
        notebook, encoding = params.notebook_document, self.service.documents.encoding
        cells = open_cells(notebook.cells, params.cell_text_documents, encoding)
        self.service.opened(NotebookBuffer(notebook.uri, encoding, cells))

    def did_change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Cells were edited, made, moved or deleted."""
        buffer = self.service.documents.get(params.notebook_document.uri)
        change = params.change.cells
        if not isinstance(buffer, NotebookBuffer) or change is None:
            return
        if change.structure is not None:
            self._take_in(buffer, change.structure)
        for text in change.text_content or ():
            cell = buffer.cell(text.document.uri)
            if cell is not None:
                cell.become(changed(cell.text, text.changes, buffer.encoding), text.document.version)
        buffer.changed()
        self.service.edited(buffer)

    def _take_in(self, buffer: NotebookBuffer, structure: types.NotebookDocumentCellChangeStructure) -> None:
        """The cells are others, or stand elsewhere; those that only moved keep their texts."""
        array, known = structure.array, {cell.buffer.uri: cell for cell in buffer.cells}
        made = open_cells(array.cells or (), structure.did_open or (), buffer.encoding)
        opened = {document.uri for document in structure.did_open or ()}
        cells = [cell if cell.buffer.uri in opened else known.get(cell.buffer.uri, cell) for cell in made]
        buffer.cells[array.start : array.start + array.delete_count] = cells
        for document in structure.did_close or ():
            self.service.publish(document.uri, None, [])

    async def did_save(self, params: types.DidSaveNotebookDocumentParams) -> None:
        """A notebook was written to its file."""
        buffer = self.service.documents.get(params.notebook_document.uri)
        if buffer is not None:
            await self.service.saved(buffer)

    def did_close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """A notebook was closed."""
        buffer = self.service.documents.get(params.notebook_document.uri)
        if buffer is not None:
            self.service.closed(buffer)
