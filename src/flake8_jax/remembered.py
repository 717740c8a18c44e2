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
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flake8_jax import __version__
from flake8_jax.api import measured
from flake8_jax.config import Config
from flake8_jax.diagnostic import Diagnostic, Note, Span
from flake8_jax.report import BELOW_PACKAGE, Report, Statistics
from flake8_jax.store import NoStore, Store
from flake8_jax.syntax.project import Place

if TYPE_CHECKING:
    from flake8_jax.report import Ground
    from flake8_jax.store import Memory
    from flake8_jax.syntax.project import Project

RACY = 2_000_000_000
"""A file that was changed this many nanoseconds before its digest was kept, or later, may have changed unseen."""

UNNAMED = ("select", "extend_select", "ignore", "extend_ignore", "per_file_ignores", "exclude", "extend_exclude")


@dataclass(slots=True, eq=False)
class Snapshot:
    """A project's files, each with its size, time of change and digest, and one digest of them all."""

    files: dict[str, tuple[int, int, bytes]] = field(default_factory=dict)
    world: bytes = b""
    texts: dict[str, bool] = field(default_factory=dict)

    def digest(self, path: str) -> bytes | None:
        """The digest of a file, None if it is not one of the project's."""
        found = self.files.get(path)
        return None if found is None else found[2]

    def holds(self, project: Project, path: str) -> bool:
        """Is the text that the project has of a file the one of its digest?"""
        if path not in self.texts:
            text = project.text(path) if path in self.files else None
            data = text.encode("utf-8", "surrogatepass") if text is not None else None
            digest = blake2b(data, digest_size=16).digest() if data is not None else None
            self.texts[path] = digest == self.digest(path)
        return self.texts[path]

    def is_current(self, path: str) -> bool:
        """Is a file still what it was?"""
        found = self.files.get(path)
        if found is None:
            return not os.path.exists(path)
        try:
            status = os.stat(path)
        except OSError:
            return False
        return found[:2] == (status.st_size, status.st_mtime_ns)


class Remembered:
    """The reports of earlier runs with this configuration, if a store can be had."""

    __slots__ = ("_snapshots", "store")

    def __init__(self, config: Config) -> None:
        self.store: Memory = NoStore() if config.no_store else Store.open(None, _stamp(config))
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

    def find(self, project: Project, path: str, shown: str) -> Report | None:
        """The report on a file (`shown` is what it is called), if there is one and nothing changed that it rests on."""
        digest = self._snapshot(project).digest(path)
        if digest is None:
            return None
        key = _key(project, path, digest)
        kept = self.store.get("report", key)
        if kept is None:
            return None
        world, ground, data = marshal.loads(kept)
        snapshot = self._snapshot(project)
        if world != snapshot.world:
            if not _stands(project, snapshot, ground):
                return None
            self.store.put("report", key, marshal.dumps((snapshot.world, ground, data)))
        return _report(data, shown)

    def keep(self, project: Project, path: str, report: Report, ground: Ground) -> None:
        """Remember the report on a file."""
        snapshot = self._snapshot(project)
        digest = snapshot.digest(path)
        if digest is None or report.given_up is not None or not all(map(snapshot.is_current, ground.files)):
            return
        if not all(snapshot.holds(project, file) for file in ground.files):
            return
        files = {file: snapshot.digest(file) or b"" for file in ground.files}
        rests_on = (files, dict(ground.importers), [(asked, _answer(project, asked)) for asked in ground.asked])
        kept = marshal.dumps((snapshot.world, rests_on, _data(report)))
        self.store.put("report", _key(project, path, digest), kept)

    def _snapshot(self, project: Project) -> Snapshot:
        found = self._snapshots.get(project)
        if found is None:
            found = self._snapshots[project] = Snapshot()
            if not isinstance(self.store, NoStore):
                self._take(project, found)
        return found

    def _take(self, project: Project, snapshot: Snapshot) -> None:
        key = b"files of " + os.fsencode(project.root)
        kept = self.store.get("files", key)
        known: dict[str, tuple[int, int, bytes]]
        since, known = marshal.loads(kept) if kept is not None else (0, {})
        now, files = time.time_ns(), {}
        for path in project.files():
            try:
                status = os.stat(path)
                size, changed, digest = known.get(path, (-1, -1, b""))
                if (size, changed) != (status.st_size, status.st_mtime_ns) or changed >= since - RACY:
                    digest = _digest(path)
            except OSError:
                continue
            files[path] = (status.st_size, status.st_mtime_ns, digest)
        snapshot.files = files
        world = [(path, entry[2]) for path, entry in files.items()]
        snapshot.world = blake2b(marshal.dumps(world), digest_size=16).digest()
        if files != known:
            self.store.put("files", key, marshal.dumps((now, files)))


def _digest(path: str) -> bytes:
    return blake2b(Path(path).read_bytes(), digest_size=16).digest()


def _key(project: Project, path: str, digest: bytes) -> bytes:
    return blake2b(marshal.dumps((project.root, path, digest)), digest_size=16).digest()


def _stands(project: Project, snapshot: Snapshot, ground: tuple[Any, ...]) -> bool:
    """Has nothing changed of what a report rests on?"""
    files, importers, asked = ground
    if any((snapshot.digest(file) or b"") != digest for file, digest in files.items()):
        return False
    if any(_answer(project, one) != answer for one, answer in asked):
        return False
    return all(project.importers(path) == found for path, found in importers.items())


def _answer(project: Project, asked: tuple[str, int, str]) -> Any:
    """Where an import leads."""
    path, level, name = asked
    if level == BELOW_PACKAGE:
        return project.submodule(path, name)
    found = project.find(path, level, name)
    return (found.path, found.rest) if isinstance(found, Place) else found


def _stamp(config: Config) -> bytes:
    """What all reports depend on: the code of this tool, its tables, Python, the options that reports depend on."""
    folder = Path(__file__).parent
    sources = [path for pattern in ("**/*.py", "**/*.json", "**/*.toml") for path in folder.glob(pattern)]
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
