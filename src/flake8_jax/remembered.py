"""What was found out about files, kept between runs: said again for as long as nothing that it rests on has changed.

A report on a file rests on the file's own text, on the files that were looked at for it, and on which files import the
file or what carries it on.  The state of a whole project is told by one digest: where it is the one that a report was
last checked against, the report holds; where it is not, what it rests on is compared, file by file.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flake8_jax import __version__
from flake8_jax.api import measured
from flake8_jax.config import Config
from flake8_jax.diagnostic import Diagnostic, Note, Span
from flake8_jax.report import Report, Statistics
from flake8_jax.store import NoStore, Store
from flake8_jax.syntax.project import Place
from flake8_jax.syntax.source import SourceFile, Unreadable, decode

if TYPE_CHECKING:
    from flake8_jax.report import Ground
    from flake8_jax.store import Memory
    from flake8_jax.syntax.project import Project

RACY = 2_000_000_000
"""A file that was changed this many nanoseconds before its digest was kept, or later, may have changed unseen."""

UNNAMED = ("select", "extend_select", "ignore", "extend_ignore", "per_file_ignores", "exclude", "extend_exclude")


@dataclass(slots=True, eq=False)
class Snapshot:
    """A project's files, each with its size, time of change and digest, and one digest of them all.

    `kept` are the reports that were asked for at once, by key.  `held` are files whose text the project has as it was
    digested, `leads` digests of where a file's imports lead.
    """

    files: dict[str, tuple[int, int, bytes]] = field(default_factory=dict)
    world: bytes = b""
    expected: frozenset[str] = frozenset()
    kept: dict[bytes, bytes] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    leads: dict[str, bytes] = field(default_factory=dict)

    def digest(self, path: str) -> bytes:
        """The digest of a file, empty if it is not one of the project's."""
        found = self.files.get(path)
        return b"" if found is None else found[2]

    def holds(self, project: Project, paths: frozenset[str]) -> bool:
        """Is the text that the project has of each file the one of its digest?  A file that it has not must not be."""
        for path in paths - self.held:
            text = project.text(path) if path in self.files else None
            if os.path.exists(path) if text is None else SourceFile(path, text).digest != self.digest(path):
                return False
            self.held.add(path)
        return True

    def leads_of(self, project: Project, path: str) -> bytes:
        """A digest of where the imports of a file lead."""
        found = self.leads.get(path)
        if found is None:
            asked = dict.fromkeys(_asked_by(project, path)) if path in self.files else ()
            found = self.leads[path] = _digest_of([_lead(project, path, *one) for one in asked])
        return found


class Remembered:
    """The reports of earlier runs with this configuration, if a store can be had.

    `expected` are the files whose reports will be asked for, where that is known.
    """

    __slots__ = ("_expected", "_rows", "_snapshots", "store")

    def __init__(self, config: Config, expected: frozenset[str] = frozenset()) -> None:
        self.store: Memory = NoStore() if config.no_store else Store.open(None, _stamp(config))
        self._expected = expected
        self._rows: dict[Project, bytes | None] = {}
        self._snapshots: dict[Project, Snapshot] = {}

    def __del__(self) -> None:
        """Let go of the store, which whoever drops this cannot reach any more."""
        if hasattr(self, "store"):
            self.store.close()

    @property
    def notices(self) -> list[str]:
        """What is to be said of the store, once."""
        return self.store.notices

    def flush(self) -> None:
        """Write what is still to be written."""
        self.store.flush()

    def knows(self, project: Project) -> bool:
        """Was anything remembered of a project?"""
        return self._row(project) is not None

    def find(self, project: Project, path: str, shown: str) -> Report | None:
        """The report on a file (`shown` is what it is called), if there is one and nothing changed that it rests on."""
        snapshot = self._snapshot(project)
        digest = snapshot.digest(path)
        if not digest:
            return None
        key = _key(project, path, digest)
        kept = snapshot.kept.get(key) if path in snapshot.expected else self.store.get("report", key)
        if kept is None:
            return None
        world, data = marshal.loads(kept)
        if world != snapshot.world:
            ground = self.store.get("ground", key)
            if ground is None:
                return None
            *rests_on, standing = marshal.loads(ground)
            if _standing(project, snapshot, *rests_on) != standing:
                return None
            self.store.put("report", key, marshal.dumps((snapshot.world, data)))
        return _report(data, shown)

    def keep(self, project: Project, path: str, report: Report, ground: Ground) -> None:
        """Remember the report on a file."""
        snapshot = self._snapshot(project)
        digest = snapshot.digest(path)
        if not digest or report.given_up is not None or not snapshot.holds(project, ground.files):
            return
        key, files, carrying, below = _key(project, path, digest), [*ground.files], [*ground.importers], [*ground.asked]
        rests_on = (files, carrying, below, _standing(project, snapshot, files, carrying, below))
        self.store.put("ground", key, marshal.dumps(rests_on))
        self.store.put("report", key, marshal.dumps((snapshot.world, _data(report))))

    def _row(self, project: Project) -> bytes | None:
        if project not in self._rows:
            self._rows[project] = self.store.get("files", b"files of " + os.fsencode(project.root))
        return self._rows[project]

    def _snapshot(self, project: Project) -> Snapshot:
        found = self._snapshots.get(project)
        if found is None:
            found = self._snapshots[project] = Snapshot()
            if not isinstance(self.store, NoStore):
                self._take(project, found)
                found.expected = self._expected.intersection(found.files)
                keys = [_key(project, path, found.digest(path)) for path in found.expected]
                found.kept = self.store.get_many("report", keys) if keys else {}
        return found

    def _take(self, project: Project, snapshot: Snapshot) -> None:
        kept = self._row(project)
        known: dict[str, tuple[int, int, bytes]]
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
        snapshot.files = files
        snapshot.world = _digest_of([(path, entry[2]) for path, entry in files.items()])
        if files != known:
            self.store.put("files", b"files of " + os.fsencode(project.root), marshal.dumps((now, files)))


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


def _digest_of(value: Any) -> bytes:
    return blake2b(marshal.dumps(value, 2), digest_size=16).digest()  # from 3 on it tells which objects are the same


def _key(project: Project, path: str, digest: bytes) -> bytes:
    return _digest_of((project.root, path, digest))


def _standing(
    project: Project, snapshot: Snapshot, files: list[str], carrying: list[str], below: list[tuple[str, str]]
) -> bytes:
    """A digest of what a report rests on: texts, where their imports lead, who imports what carries, submodules."""
    texts = [snapshot.digest(file) + snapshot.leads_of(project, file) for file in files]
    return _digest_of((texts, [*map(project.importers, carrying)], [project.submodule(*one) for one in below]))


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


def _stamp(config: Config) -> bytes:
    """What all reports depend on: the code of this tool, its tables, Python, the options that reports depend on."""
    folder = Path(__file__).parent
    sources = [path for path in folder.rglob("*") if path.suffix in (".py", ".json", ".toml")]
    code = sorted((path.as_posix(), path.stat().st_size, path.stat().st_mtime_ns) for path in sources)
    version = measured.choose(config.jax_version or measured.installed(), measured.versions())
    options = [("table", version)] + [
        (name, repr(getattr(config, name))) for name in config.__slots__ if name not in UNNAMED
    ]
    return blake2b(repr((__version__, sys.version, code, options)).encode(), digest_size=16).digest()


def _data(report: Report) -> tuple[Any, ...]:
    statistics = report.statistics
    counters = (statistics.others, statistics.unknowns, statistics.reached, statistics.given_up)
    return (
        [_row(diagnostic) for diagnostic in report.diagnostics],
        (statistics.files, statistics.analysed, *[dict(counter) for counter in counters]),
    )


def _row(found: Diagnostic) -> tuple[Any, ...]:
    span = (found.span.line, found.span.column, found.span.end_line, found.span.end_column)
    notes = [("" if note.path == found.path else note.path, note.line, note.text) for note in found.notes]
    return found.code, found.name, span, found.message, notes


def _report(data: tuple[Any, ...], path: str) -> Report:
    rows, (files, analysed, *counters) = data
    return Report(
        tuple(_diagnostics(rows, path)), None, Statistics(files, analysed, *[Counter(one) for one in counters])
    )


def _diagnostics(rows: Iterable[tuple[Any, ...]], path: str) -> Iterable[Diagnostic]:
    for code, name, span, message, kept in rows:
        notes = tuple(Note(place or path, line, text) for place, line, text in kept)
        yield Diagnostic(code, name, path, Span(*span), message, notes)
