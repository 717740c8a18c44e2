"""What was found out about files, kept between runs: said again for as long as nothing that it rests on has changed.

A report on a file rests on the file's own text, on the statements of other files that were run for it, and on which
files import the file or what carries it on.  The state of a whole project is told by one digest: where it is the one
that a report was last checked against, the report holds; where it is not, what it rests on is compared (`grounds.py`).
"""

from __future__ import annotations

import marshal
import os
import sys
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flake8_jax import __version__
from flake8_jax.api import measured
from flake8_jax.config import Config
from flake8_jax.diagnostic import Diagnostic, Note, Span
from flake8_jax.grounds import Grounds
from flake8_jax.report import Report, Statistics
from flake8_jax.signposts import Signposts
from flake8_jax.snapshots import Snapshot, digest_of, take
from flake8_jax.store import NoStore, Store

if TYPE_CHECKING:
    from flake8_jax.report import Ground
    from flake8_jax.store import Memory
    from flake8_jax.syntax.project import Project

UNNAMED = ("select", "extend_select", "ignore", "extend_ignore", "per_file_ignores", "exclude", "extend_exclude")


class Remembered:
    """The reports of earlier runs with this configuration, if a store can be had.

    `expected` are the files whose reports will be asked for, where that is known: they are fetched at once (`_kept`).
    """

    __slots__ = ("_expected", "_grounds", "_kept", "_rows", "store")

    def __init__(self, config: Config, expected: frozenset[str] = frozenset()) -> None:
        self.store: Memory = NoStore() if config.no_store else Store.open(None, _stamp(config))
        self._expected = expected
        self._rows: dict[Project, bytes | None] = {}
        self._grounds: dict[Project, Grounds] = {}
        self._kept: dict[bytes, bytes] = {}

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
        grounds = self._grounds_of(project)
        snapshot = grounds.snapshot
        digest = snapshot.digest(path)
        if not digest:
            return None
        key = _key(project, path, digest)
        kept = self._kept.get(key) if path in self._expected else self.store.get("report", key)
        if kept is None:
            return None
        world, data = marshal.loads(kept)
        if world != snapshot.world:
            ground = self.store.get("ground", key)
            standing = None if ground is None else grounds.checked(ground)
            if standing is None:
                return None
            if standing != ground:
                self.store.put("ground", key, standing)
            self.store.put("report", key, marshal.dumps((snapshot.world, data)))
        return _report(data, shown)

    def keep(self, project: Project, path: str, report: Report, ground: Ground) -> None:
        """Remember the report on a file."""
        grounds = self._grounds_of(project)
        digest = grounds.snapshot.digest(path)
        if not digest or report.given_up is not None:
            return
        standing = grounds.packed(ground, bool(report.diagnostics))
        if standing is not None:
            key = _key(project, path, digest)
            self.store.put("ground", key, standing)
            self.store.put("report", key, marshal.dumps((grounds.snapshot.world, _data(report))))

    def signposts(self, project: Project, changed: frozenset[str]) -> Signposts:
        """Where the names of a project lead; files that `changed` are not as they are on the disk."""
        return Signposts(self._grounds_of(project), changed)

    def _row(self, project: Project) -> bytes | None:
        if project not in self._rows:
            self._rows[project] = self.store.get("files", b"files of " + os.fsencode(project.root))
        return self._rows[project]

    def _grounds_of(self, project: Project) -> Grounds:
        found = self._grounds.get(project)
        if found is None:
            found = self._grounds[project] = Grounds(project, Snapshot(), self.store)
            if not isinstance(self.store, NoStore):
                found.snapshot, row = take(project, self._row(project))
                if row is not None:
                    self.store.put("files", b"files of " + os.fsencode(project.root), row)
                snapshot = found.snapshot
                keys = [_key(project, path, snapshot.digest(path)) for path in self._expected & snapshot.files.keys()]
                self._kept |= self.store.get_many("report", keys) if keys else {}
        return found


def _key(project: Project, path: str, digest: bytes) -> bytes:
    return digest_of((project.root, path, digest))


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
