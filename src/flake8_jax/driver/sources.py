"""The files that findings and notes stand in, read again when something is shown or compared."""

from __future__ import annotations

import os
from collections.abc import Iterable

from flake8_jax.driver.selection import ConfigOf
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Note
from flake8_jax.syntax.folders import path_from, root_of
from flake8_jax.syntax.source import SourceFile, Unreadable


class Sources:
    """Files by their paths, each read once.

    `given` are texts that the disk does not have, such as standard input; by the configuration of a file its project
    may have another root.
    """

    __slots__ = ("_config_of", "_known", "_roots")

    def __init__(self, given: Iterable[SourceFile] = (), config_of: ConfigOf = lambda _: Config()) -> None:
        self._known: dict[str, SourceFile | None] = {source.path: source for source in given}
        self._config_of = config_of
        self._roots: dict[str, str] = {}

    def get(self, path: str) -> SourceFile | None:
        """A file; None if it cannot be read."""
        if path not in self._known:
            try:
                self._known[path] = SourceFile.read(path)
            except Unreadable:
                self._known[path] = None
        return self._known[path]

    def lines(self, path: str) -> list[str]:
        """The lines of a file; none if it cannot be read."""
        source = self.get(path)
        return source.lines if source is not None else []

    def line(self, path: str, number: int) -> str:
        """A line of a file, without white space at its end; empty if there is none."""
        lines = self.lines(path)
        return lines[number - 1].rstrip() if 0 < number <= len(lines) else ""

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
