"""The state of a project's files in one run: paths, digests of texts, and targets of imports."""

from __future__ import annotations

import marshal
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from flake8_jax.api.versions.target import state_of
from flake8_jax.digests import blake2b
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.project import Place
from flake8_jax.syntax.source import SourceFile, Unreadable
from flake8_jax.syntax.widths import settings_enable_x64, truncates

if TYPE_CHECKING:
    from flake8_jax.syntax.project import Project

RACY = 2_000_000_000
"""A file that was changed this many nanoseconds before its digest was kept, or later, may have changed unseen."""

Version: TypeAlias = "tuple[int, int, int, bytes]"
"""Of a file: its size, the times of its last change and of that of its entry in the folder, in nanoseconds, the digest
of its text.  The first time can be set, and some checkouts set it to the same for all.
"""

ABSENT: Version = (-1, -1, -1, b"")


@dataclass(slots=True, eq=False)
class Snapshot:
    """Versions of a project's files, by path.  Files that the project does not list are added on demand.

    `known` are the versions seen by an earlier run up to `since`; unchanged files are not read.  `name` is that of the
    root, where modules have it, `releases` a digest of what says which releases of libraries the project allows.
    """

    project: Project
    since: int = 0
    known: dict[str, Version] = field(default_factory=dict)
    files: dict[str, Version] = field(default_factory=dict)
    world: bytes = b""
    name: str = ""
    releases: bytes = b""
    _prefix: str = ""
    _taken: int = field(default_factory=time.time_ns)
    _consistent: dict[str, bool] = field(default_factory=dict)
    _imports: dict[str, bytes] = field(default_factory=dict)
    _current: dict[str, bytes] = field(default_factory=dict)
    _links: bytes = b""
    _truncates: bool | None = None

    @classmethod
    def take(cls, project: Project, kept: bytes | None) -> Snapshot:
        """The current versions; `kept` is the packed snapshot of an earlier run."""
        snapshot = cls(project, *(marshal.loads(kept) if kept is not None else ()))
        snapshot._prefix = os.path.join(project.root, "")
        for path in project.files():
            snapshot.digest(path)
        if snapshot.path("__init__.py") in snapshot.files:  # then modules are called by it
            snapshot.name = os.path.basename(project.root)
        digests = sorted((snapshot.inside(path), version[-1]) for path, version in snapshot.files.items())
        snapshot.releases = digest_of(state_of(project.root))
        snapshot.world = digest_of((digests, settings_enable_x64(project.root)))
        return snapshot

    def inside(self, path: str) -> str:
        """A path as seen from the project's root; one outside of it as it is."""
        return path.removeprefix(self._prefix) if path != self.project.root else ""

    def path(self, inside: str) -> str:
        """The path that `inside` made shorter."""
        return os.path.join(self._prefix, inside) if inside else self.project.root

    def truncates(self) -> bool:
        """Are types of 64 bits asked for in the project, where nothing enables them?"""
        if self._truncates is None:
            from flake8_jax.api.stated import enabling

            texts = (self.project.text(path) or "" for path in self.project.files())
            self._truncates = truncates(texts, self.project.root, enabling())
        return self._truncates

    def packed(self) -> bytes | None:
        """The snapshot as bytes; None if nothing changed since the earlier run."""
        files = {path: version for path, version in self.files.items() if version is not ABSENT}
        return marshal.dumps((self._taken, files)) if files != self.known else None

    def digest(self, path: str) -> bytes:
        """The digest of a file; empty if it does not exist."""
        found = self.files.get(path)
        if found is None:
            found = self.files[path] = self._version(path)
        return found[-1]

    def _version(self, path: str) -> Version:
        if path in self.project.overrides:
            return -1, -1, -1, self.project.digest(path)
        try:
            status = os.stat(path)
            now = status.st_size, status.st_mtime_ns, status.st_ctime_ns
            *before, digest = self.known.get(path, ABSENT)
            if tuple(before) != now or status.st_mtime_ns >= self.since - RACY:
                digest = _digest(self.project, path)
        except OSError:
            return ABSENT
        return *now, digest

    def current(self, inside: str) -> bytes:
        """The digest of a file by its path as seen from the project's root."""
        found = self._current.get(inside)
        if found is None:
            found = self._current[inside] = self.digest(self.path(inside))
        return found

    def holds(self, path: str) -> bool:
        """Does the text read by the project still match the digest of the file?"""
        found = self._consistent.get(path)
        if found is None:
            digest, read = self.digest(path), self.project.digest(path)
            found = self._consistent[path] = read == digest if read else digest in (b"", _unread(path))
        return found

    def targets(self, paths: list[str]) -> bytes:
        """One digest over the targets of the imports of files."""
        return digest_of([(self.inside(path), self._targets(path)) for path in paths])

    def _targets(self, path: str) -> bytes:
        """A digest of the targets of a file's imports, including unresolved ones."""
        found = self._imports.get(path)
        if found is None:
            asked = dict.fromkeys(_asked_by(self.project, path)) if self.digest(path) else ()
            targets = [self._target(path, *one) for one in asked]
            found = self._imports[path] = digest_of(targets)
        return found

    def surroundings(self, searched: list[str], submodules: list[tuple[str, str]]) -> bytes:
        """One digest over files and their importers, and which of these lead to JAX, and the submodules of packages."""
        leads, importers = self.project.leads_to_jax, [[path, *self.project.importers(path)] for path in searched]
        joined = [[(self.inside(path), leads(path)) for path in several] for several in importers]
        found = [self.project.submodule(*submodule) for submodule in submodules]
        return digest_of((joined, [one and self.inside(one) for one in found]))

    def links(self) -> bytes:
        """A digest over what ties the project's files to each other: the targets of their imports, which of them lead
        to JAX.  Where it is the same, so are the targets and surroundings of each.
        """
        if not self._links:
            files, leads = self.project.files(), self.project.leads_to_jax
            self._links = digest_of([(self.inside(path), self._targets(path), leads(path)) for path in files])
        return self._links

    def _target(self, path: str, level: int, dotted: str) -> Any:
        """The target of an import."""
        found = self.project.find(path, level, dotted)
        return (self.inside(found.path), found.rest) if isinstance(found, Place) else found


def digest_of(value: Any) -> bytes:
    """The digest of plain data, 16 bytes."""
    return blake2b(marshal.dumps(value, 2), digest_size=16).digest()  # from 3 on it tells which objects are the same


def _digest(project: Project, path: str) -> bytes:
    """The digest of a file's text, which must not have been read before its size and time were."""
    found = b"" if project.has_read(path) else project.digest(path)
    if found:
        return found
    data = Path(path).read_bytes()
    try:
        return SourceFile.of(path, data).digest
    except Unreadable:
        return blake2b(data, digest_size=16).digest()


def _unread(path: str) -> bytes:
    """The digest of a file that is no text."""
    try:
        return blake2b(Path(path).read_bytes(), digest_size=16).digest()
    except OSError:
        return b""


def _asked_by(project: Project, path: str) -> Iterator[tuple[int, str]]:
    """The lookups that resolve the imports of a file: leading dots and dotted name."""
    for one in project.imports(path):
        if one.name is None:
            yield 0, one.module.partition(".")[0]
            yield 0, one.module
        else:
            yield one.level, f"{one.module}.{one.name}" if one.module else one.name
