"""What an editor has open, each as one text, and where the parts of that text stand in the editor's documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Protocol

from lsprotocol import types
from pygls import uris

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.diagnostic import Span
from flake8_jax.server.judging import UNTITLED
from flake8_jax.server.texts import TextPlaces, edits_between


@dataclass(frozen=True, slots=True)
class DocumentEdits:
    """The changes of one document of the editor, of which it has a version if it is open."""

    uri: str
    version: int | None
    edits: list[types.TextEdit]


class EditorBuffer(Protocol):
    """A file or a notebook as the editor has it."""

    @property
    def uri(self) -> str:
        """The address that the editor gave it."""

    @property
    def path(self) -> str:
        """The path of its file."""

    @property
    def tick(self) -> int:
        """The number of the state that it is in."""

    @property
    def text(self) -> str:
        """The Python of it, as one text."""

    def documents(self) -> Iterator[tuple[str, int | None]]:
        """The documents of the editor that it consists of, with their versions."""

    def range(self, span: Span) -> tuple[str, types.Range] | None:
        """The document and the range of a span of the text; None if it stands in none."""

    def line(self, number: int) -> tuple[str, types.Range] | None:
        """The document and the range of a line of the text; None if it stands in none."""

    def place(self, uri: str, position: types.Position) -> tuple[int, int] | None:
        """The line in the text, from 1, and the column, from 0, of a place in a document; None if there is none."""

    def edits(self, new: str) -> list[DocumentEdits] | None:
        """What makes the text another one; None if that cannot be told."""


class FileBuffer:
    """A file, open or on the disk."""

    __slots__ = ("_encoding", "_places", "path", "text", "tick", "uri", "version")

    def __init__(self, uri: str, text: str, encoding: str, version: int | None = None) -> None:
        self.uri = uri
        self.path = path_of(uri)
        self.version = version
        self.tick = 0
        self._encoding = encoding
        self.become(text, version)

    def become(self, text: str, version: int | None) -> None:
        """It has another text now."""
        self.text, self.version = text, version
        self.tick += 1
        self._places: TextPlaces | None = None

    @property
    def places(self) -> TextPlaces:
        """The places of the text."""
        if self._places is None:
            self._places = TextPlaces(self.text, self._encoding)
        return self._places

    def documents(self) -> Iterator[tuple[str, int | None]]:
        """The file alone."""
        yield self.uri, self.version

    def range(self, span: Span) -> tuple[str, types.Range]:
        """The range of a span."""
        return self.uri, self.places.range(span)

    def line(self, number: int) -> tuple[str, types.Range]:
        """The range of a line."""
        return self.uri, self.places.line(number)

    def place(self, uri: str, position: types.Position) -> tuple[int, int]:
        """The line and the column of a position."""
        return self.places.place(position)

    def edits(self, new: str) -> list[DocumentEdits]:
        """What makes the text another one."""
        return [DocumentEdits(self.uri, self.version, edits_between(self.text, new, self._encoding))]


class Documents:
    """All that the editor has open, by the addresses of its documents and by path."""

    __slots__ = ("_by_path", "_by_uri", "encoding")

    def __init__(self) -> None:
        self.encoding: str = types.PositionEncodingKind.Utf16
        self._by_uri: dict[str, EditorBuffer] = {}
        self._by_path: dict[str, EditorBuffer] = {}

    def open(self, buffer: EditorBuffer) -> None:
        """Something is open now."""
        if buffer.path != UNTITLED:
            self._by_path[buffer.path] = buffer
        self._by_uri[buffer.uri] = buffer
        self.cover(buffer)

    def cover(self, buffer: EditorBuffer) -> None:
        """Something consists of these documents now."""
        for uri in [uri for uri, known in self._by_uri.items() if known is buffer and uri != buffer.uri]:
            del self._by_uri[uri]
        for uri, _ in buffer.documents():
            self._by_uri[uri] = buffer

    def close(self, buffer: EditorBuffer) -> None:
        """Something is not open any more."""
        for uri in [uri for uri, known in self._by_uri.items() if known is buffer]:
            del self._by_uri[uri]
        if self._by_path.get(buffer.path) is buffer:
            del self._by_path[buffer.path]

    def get(self, uri: str) -> EditorBuffer | None:
        """What a document belongs to; None if that is not open."""
        return self._by_uri.get(uri)

    def at(self, path: str) -> EditorBuffer | None:
        """What is open of a file."""
        return self._by_path.get(path)

    def __iter__(self) -> Iterator[EditorBuffer]:
        return iter({id(buffer): buffer for buffer in self._by_uri.values()}.values())


def path_of(uri: str) -> str:
    """The path of a document; that of what has none, if it stands nowhere."""
    path = uris.to_fs_path(uri)
    return os.path.normpath(path) if path else UNTITLED


def uri_of(path: str) -> str:
    """The address of a file."""
    return uris.from_fs_path(path) or ""
