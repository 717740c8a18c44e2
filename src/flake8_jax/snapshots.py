"""A project's files as a run finds them: which there are, the digests of their texts, where their imports lead."""

from __future__ import annotations

import marshal
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flake8_jax.syntax.project import Place
from flake8_jax.syntax.source import SourceFile, Unreadable, decode

if TYPE_CHECKING:
    from flake8_jax.syntax.project import Project

RACY = 2_000_000_000
"""A file that was changed this many nanoseconds before its digest was kept, or later, may have changed unseen."""

FileRow = tuple[int, int, bytes]
"""Of a file: its size, the time of its last change in nanoseconds, the digest of its text."""


@dataclass(slots=True, eq=False)
class Snapshot:
    """A project's files, by path, and one digest of them all.

    `held` are files whose text the project has as it was digested, `leads` digests of where a file's imports lead.
    """

    files: dict[str, FileRow] = field(default_factory=dict)
    world: bytes = b""
    held: set[str] = field(default_factory=set)
    leads: dict[str, bytes] = field(default_factory=dict)

    def digest(self, path: str) -> bytes:
        """The digest of a file, empty if it is not one of the project's."""
        found = self.files.get(path)
        return b"" if found is None else found[2]

    def holds(self, project: Project, path: str) -> bool:
        """Is the text that the project has of a file the one of its digest?  A file that it has not must not be."""
        if path in self.held:
            return True
        text = project.text(path) if path in self.files else None
        if os.path.exists(path) if text is None else SourceFile(path, text).digest != self.digest(path):
            return False
        self.held.add(path)
        return True

    def standing(self, project: Project, path: str) -> tuple[bytes, bytes]:
        """The digests of a file's text and of where its imports lead."""
        return self.digest(path), self.leads_of(project, path)

    def leads_of(self, project: Project, path: str) -> bytes:
        """A digest of where the imports of a file lead."""
        found = self.leads.get(path)
        if found is None:
            asked = dict.fromkeys(_asked_by(project, path)) if path in self.files else ()
            found = self.leads[path] = digest_of([_lead(project, path, *one) for one in asked])
        return found


def take(project: Project, kept: bytes | None) -> tuple[Snapshot, bytes | None]:
    """The files as they are now, and what is to be kept of them; what is as it was `kept` is not read."""
    known: dict[str, FileRow]
    since, known = marshal.loads(kept) if kept is not None else (0, {})
    now, files = time.time_ns(), {}
    for path in project.files():
        try:
            status = os.stat(path)
            size, changed, digest = known.get(path, (-1, -1, b""))
            if (size, changed) != (status.st_size, status.st_mtime_ns) or changed >= since - RACY:
                digest = _digest(project, path)
        except OSError:
            continue
        files[path] = (status.st_size, status.st_mtime_ns, digest)
    world = digest_of([(path, row[2]) for path, row in files.items()])
    return Snapshot(files, world), marshal.dumps((now, files)) if files != known else None


def digest_of(value: Any) -> bytes:
    """The digest of plain data, 16 bytes."""
    return blake2b(marshal.dumps(value, 2), digest_size=16).digest()  # from 3 on it tells which objects are the same


def _digest(project: Project, path: str) -> bytes:
    """The digest of a file's text, which must not have been read before its size and time were."""
    text = None if project.has_read(path) else project.text(path)
    if text is not None:
        return SourceFile(path, text).digest
    data = Path(path).read_bytes()
    try:
        return SourceFile(path, decode(data)).digest
    except Unreadable:
        return blake2b(data, digest_size=16).digest()


def _asked_by(project: Project, path: str) -> Iterator[tuple[int, str]]:
    """What following the imports of a file asks for: the dots in front, the dotted name."""
    for one in project.imports(path):
        if one.name is None:
            yield 0, one.module.partition(".")[0]
            yield 0, one.module
        else:
            yield one.level, f"{one.module}.{one.name}" if one.module else one.name


def _lead(project: Project, path: str, level: int, dotted: str) -> Any:
    """Where an import leads."""
    found = project.find(path, level, dotted)
    return (found.path, found.rest) if isinstance(found, Place) else found
