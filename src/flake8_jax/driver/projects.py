"""The projects of the files of one run, each read once, with bounded caches.

The analysis state of the current project is kept until its files exceed `MOST_OF_ONE` lines and one in `SHARE` of these
was checked, so that recomputation stays in proportion.  Of earlier projects, the latest up to `MOST_LINES` lines in all
are kept.

For a file that no other imports asks only who looks for its own callers, through what that file imports.  So those that
others import are judged first; of the rest nothing is kept that is more than `MOST_ENDED` lines.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from flake8_jax.call_room import with_room
from flake8_jax.model.config import Config
from flake8_jax.model.report import Dependencies
from flake8_jax.syntax.exports import reached_by
from flake8_jax.syntax.folders import in_environment
from flake8_jax.syntax.project import ByteCache, Project, root_of
from flake8_jax.syntax.questions import HEAD
from flake8_jax.syntax.source import SourceFile
from flake8_jax.syntax.widths import are_alike

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.linking import LinkedProject
    from flake8_jax.cache.store import EntryStore
    from flake8_jax.driver.asking import Daemon
    from flake8_jax.model.report import KeptSearch, PlainArguments, Report

NAMELESS = ("stdin", "-", "")
MANY = 3
MOST_LINES = 250_000
MOST_OF_ONE = 1_000_000
SHARE = 4
"""One line in so many must be checked with the state of a project before it is dropped and recomputed."""

MOST_ENDED = 40_000
"""Of so many lines it is kept what was found out of files that are judged, and for which nobody will ask any more."""


Replaced: TypeAlias = Literal["text", "links", "all"]
"""What became another by the new text of a file: that alone, its imports or that it names JAX, or what is asked of the
whole project.
"""


class ReportCache(Protocol):
    """Reports that are kept, by file."""

    @property
    def store(self) -> EntryStore:
        """Where the indices of files are kept."""

    def has(self, project: Project) -> bool:
        """May there be reports for a project?"""

    def find(self, project: Project, path: str, shown: str) -> Report | None:
        """The report on a file, displayed as `shown`, if it still holds."""

    def add(self, project: Project, path: str, report: Report, dependencies: Dependencies) -> None:
        """Keep the report on a file."""

    def find_search(
        self, project: Project, path: str, carried: Collection[str]
    ) -> tuple[KeptSearch, Dependencies] | None:
        """The kept search for the callers of a file by the names that carry, if it still holds."""

    def keep_search(
        self, project: Project, path: str, carried: Collection[str], kept: KeptSearch, dependencies: Dependencies
    ) -> None:
        """Keep a search for the callers of a file."""

    def flush(self) -> None:
        """Write what is pending."""


class ProjectSearches:
    """The searches for callers that are kept for the files of one project."""

    __slots__ = ("_project", "_reports")

    def __init__(self, reports: ReportCache, project: Project) -> None:
        self._reports = reports
        self._project = project

    def find(self, path: str, carried: Collection[str]) -> tuple[KeptSearch, Dependencies] | None:
        """The search for the callers of a file that holds, with what it asked."""
        return self._reports.find_search(self._project, path, carried)

    def keep(self, path: str, carried: Collection[str], kept: KeptSearch, on: Dependencies) -> None:
        """Keep a search."""
        self._reports.keep_search(self._project, path, carried, kept, on)


class Projects:
    """Per-run cache of projects and of the analysis of their files, as first read.

    `expected` are the files that will be checked, if known; `reports` stand in for those of the store, `texts`
    for those of the disk, by absolute path.
    """

    __slots__ = (
        "_alone", "_count", "_daemons", "_dropped", "_ended", "_expected", "_is_remembered", "_last", "_linked",
        "_projects", "_reports", "_roots", "_texts", "_unsaved", "_with_jax", "config",
    )  # fmt: skip

    def __init__(
        self, config: Config, expected: Iterable[str] | None = None, reports: ReportCache | None = None,
        texts: Mapping[str, str] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.config = config
        self._expected = None if expected is None else frozenset(map(os.path.abspath, expected))
        self._count = self._dropped = 0
        self._projects: dict[str, Project] = {}
        self._roots: dict[str, str] = {}
        self._ended: dict[str, int] = {}
        self._alone: dict[str, bool] = {}
        self._daemons: dict[str, Daemon] = {}
        self._linked: dict[Project, LinkedProject] = {}
        self._unsaved: LinkedProject | None = None
        self._with_jax: dict[Project, bool] = {}
        self._last: tuple[SourceFile, Project] | None = None
        self._reports: ReportCache | None = reports
        self._texts = texts
        self._is_remembered = reports is not None or not config.no_store

    def project(self, source: SourceFile) -> Project | None:
        """The project of a file; None for a text without a path, and for a file in a virtual environment: around it is
        nothing of the user's.  A text that differs from the disk gets a project of its own.
        """
        if self._is_alone(source.path):
            return None
        if self._last is None or self._last[0] is not source:
            self._last = source, self._find(source)
        return self._last[1]

    def _is_alone(self, path: str) -> bool:
        if path in NAMELESS:
            return True
        folder = os.path.dirname(os.path.abspath(path))
        found = self._alone.get(folder)
        if found is None:
            found = self._alone[folder] = in_environment(path, self.config.root)
        return found

    def _find(self, source: SourceFile) -> Project:
        location = os.path.abspath(source.path)
        project = self._at(location)
        if project.text(location) != source.text:
            return Project(project.root, {location: source.text}, self._cache)
        return project

    def _at(self, location: str) -> Project:
        """The project of a file as it is on the disk."""
        folder = os.path.dirname(location)
        root = self.config.root or self._roots.get(folder)
        if root is None:
            root = self._roots[folder] = root_of(location)
        project = self._projects.get(root)
        if project is None:
            inside = os.path.join(os.path.abspath(root), "")
            texts = {path: text for path, text in self._texts.items() if path.startswith(inside)}
            project = self._projects[root] = Project(root, texts, self._cache)
        return project

    def read(self, path: str) -> SourceFile:
        """Read a file once for its project and for itself; raises `Unreadable` if it has no text."""
        location = os.path.abspath(path)
        text = self._at(location).text(location) if not self._is_alone(path) else None
        return SourceFile(path, text) if text is not None else SourceFile.read(path)

    def linked(self, source: SourceFile) -> LinkedProject:
        """The linked files of a file's project; a text without a path is linked alone."""
        from flake8_jax.analysis.modules.linking import LinkedProject
        from flake8_jax.api import table
        from flake8_jax.api.versions.target import TargetReleases

        project = self.project(source)
        self._count += 1
        if project is not None:
            return self._linked_of(project)
        return LinkedProject(
            None, table.load(self.config.jax_version), equivalents=self.config.equivalents(),
            is_wide=self.config.x64,
            target=TargetReleases(self.config.jax_target),
        )  # fmt: skip

    def _told(self, project: Project, path: str, asked: int, given: PlainArguments) -> bytes:
        """The digests of what functions of a file tell by their summaries, for arguments that are given."""
        from flake8_jax.analysis.interpretation import deep_recursion

        with deep_recursion():
            return with_room(self._linked_of(project).answer_told)(path, asked, given)

    def _linked_of(self, project: Project) -> LinkedProject:
        from flake8_jax.analysis.modules.linking import LinkedProject
        from flake8_jax.api import table
        from flake8_jax.api.versions.target import TargetReleases

        linked = self._linked.get(project)
        if linked is None and self._unsaved is not None and self._unsaved.project is project:
            linked = self._unsaved
        if linked is None or _is_spent(linked):
            found, is_shared = table.load(self.config.jax_version), self._is_shared(project)
            is_cached = self._is_remembered and self._has_reports(project)
            equivalents = self.config.equivalents()
            linked = LinkedProject(
                project, found, self._judges, self.config.assume_traced, is_cached, equivalents, self.config.x64,
                TargetReleases(self.config.jax_target, project.root),
                ProjectSearches(self._open_reports(), project) if is_cached else None,
            )  # fmt: skip
            if is_shared:
                self._keep(project, linked)
            else:
                self._unsaved = linked
        return linked

    def _keep(self, project: Project, linked: LinkedProject) -> None:
        """Keep the latest states within the limit of lines.  Dropped ones are full of cycles, and are collected once
        they are large.
        """
        self._drop(self._linked.pop(project, None))
        kept, lines = {project: linked}, 0
        for other, one in reversed(self._linked.items()):
            lines += one.lines
            if lines > MOST_LINES:
                self._drop(one)
            else:
                kept[other] = one
        self._linked = dict(reversed(kept.items()))
        if self._dropped > MOST_LINES:
            self._dropped = 0
            gc.unfreeze()
            gc.collect()

    def _drop(self, linked: LinkedProject | None) -> None:
        if linked is not None:
            self._dropped += linked.lines

    def project_of_path(self, path: str) -> Project | None:
        """The project that a file is in, or would be; None for one without a project."""
        return None if self._is_alone(path) else self._at(os.path.abspath(path))

    def replace(self, project: Project, path: str, text: str, is_whole: bool = False) -> Replaced:
        """Give a file of a project another text, and forget what depended on the one before; of the `whole` file, even
        if the text is the same.
        """
        old, index = project.text(path) or "", project.index(path)
        is_linked_otherwise = project.replace(path, text)
        self._last = None
        if is_linked_otherwise:
            self._with_jax.pop(project, None)
        linked = self._linked.get(project)
        if linked is not None:
            before = linked.truncating
            linked.replace(path, old, None if is_whole or is_linked_otherwise else index)
            if before is not None and are_alike(old, text, linked.program.table.enabling):
                linked.truncating = before
            elif before is not None and linked.truncates != before:
                self.leave(project)
                return "all"
        return "links" if is_linked_otherwise else "text"

    def is_imported(self, path: str) -> bool:
        """Does a file of its project import a file?"""
        project = self.project_of_path(path)
        return project is not None and bool(project.importers(path))

    def in_order(self, paths: Iterable[str]) -> list[str]:
        """The files that others import, and then the rest, for which nobody asks once these are judged."""
        return sorted(paths, key=lambda path: not self.is_imported(path))

    def end(self, path: str) -> None:
        """Let go what is known of a judged file for which nobody will ask any more, once there is much of it."""
        location, project = os.path.abspath(path), self.project_of_path(path)
        linked = self._linked.get(project) if project is not None else None
        if linked is None:
            return
        self._ended[location] = linked.lines_of(location)
        if sum(self._ended.values()) > MOST_ENDED:
            linked.let_go(self._ended.keys())
            self._ended = {}
            gc.collect()
            gc.freeze()

    def leave(self, project: Project) -> None:
        """Forget a project, which is read anew when it is asked for."""
        self._drop(self._linked.pop(project, None))
        self._projects.pop(project.root, None)
        self._with_jax.pop(project, None)
        self._last = None

    def freeze(self) -> None:
        """Exclude long-lived analysis state from garbage collection.  For processes that belong to another program."""
        if self._count > MANY:
            gc.freeze()

    def forget(self, source: SourceFile) -> None:
        """Drop the analysis state of a file's project; an error may have left it inconsistent."""
        project = self.project(source)
        if project is not None:
            linked = self._linked.pop(project, None)
            self._dropped += linked.lines if linked is not None else 0
            self._unsaved = None

    def _judges(self, path: str) -> bool:
        """Will a file be checked in this run?  If `expected` is unknown, assume so once several were."""
        return path in self._expected if self._expected is not None else self._count > MANY

    def may_concern_jax(self, source: SourceFile) -> bool:
        """Does any file of the file's project contain the name of JAX?"""
        if source.concerns_jax():
            return True
        project = self.project(source)
        if project is None:
            return False
        found = self._with_jax.get(project)
        if found is None:
            found = self._with_jax[project] = any(map(project.names_jax, project.files()))
        return found

    def near_jax(self, source: SourceFile) -> tuple[bool, Dependencies]:
        """Does a file, an importer, or a file that an import leads to name JAX?  With what the answer depends on."""
        location, project = os.path.abspath(source.path), self.project(source)
        if project is None or source.concerns_jax():
            return True, Dependencies({location: HEAD})
        importers = project.importers(location)
        imported = reached_by(project, location)
        near = any(map(project.names_jax, (*importers, *imported)))
        files = dict.fromkeys((location, *importers, *imported), HEAD)
        return near, Dependencies(files, frozenset((location,)))

    def cached_report(self, source: SourceFile) -> Report | None:
        """The cached report on a file, if its dependencies are unchanged."""
        project = self.project(source)
        if project is None or not self._has_reports(project):
            return None
        return self._open_reports().find(project, os.path.abspath(source.path), source.path)

    def answered_report(self, source: SourceFile) -> Report | None:
        """The report on a file by the background process of its project, if there is one."""
        project = self.project(source)
        if not self.config.daemon or not self._is_remembered or project is None:
            return None
        from flake8_jax.driver.asking import Daemon

        daemon = self._daemons.get(project.root)
        if daemon is None:
            daemon = self._daemons[project.root] = Daemon(self.config, project.root)
        answer = daemon.report(os.path.abspath(source.path), source.text, source.path)
        if answer is None:
            return None
        self.cache_report(source, *answer)
        return answer[0]

    def cached_report_unread(self, path: str) -> Report | None:
        """The cached report on a file on disk.  The file is not read if the cache knows its project."""
        from flake8_jax.cache.store import FILE, folder_of

        folder = self.config.cache_dir
        if self.config.no_store or self._is_alone(path) or not (self._reports or (folder_of(folder) / FILE).exists()):
            return None
        location = os.path.abspath(path)
        project, cached = self._at(location), self._open_reports()
        return cached.find(project, location, path) if cached.has(project) else None

    def _open_reports(self) -> ReportCache:
        if self._reports is None:
            from flake8_jax.cache.reports import Reports

            self._reports = Reports(self.config, self._told)
        return self._reports

    def _cache(self) -> ByteCache:
        return self._open_reports().store

    def cache_report(self, source: SourceFile, report: Report, dependencies: Dependencies) -> None:
        """Cache the report on a file for later runs."""
        project = self.project(source)
        if project is not None and self._reports is not None and self._has_reports(project):
            self._reports.add(project, os.path.abspath(source.path), report, dependencies)

    def flush(self) -> list[str]:
        """Write pending cache entries; returns notices for the user, each once."""
        if self._reports is None:
            return []
        self._reports.flush()
        return self._reports.store.notices

    def close(self) -> list[str]:
        """Write pending cache entries and close the store; returns notices for the user, each once."""
        notices = self.flush()
        for daemon in self._daemons.values():
            daemon.close()
        if self._reports is not None:
            self._reports.store.close()
            self._reports = None  # who asks again, perhaps a fork, opens it again
        return notices

    def _has_reports(self, project: Project) -> bool:
        """Are reports on a project kept?  They are for texts that were not saved, too: editors ask again and again."""
        return self._is_shared(project) or bool(project.overrides)

    def _is_shared(self, project: Project) -> bool:
        """Is it the project as it is on the disk?"""
        return self._projects.get(project.root) is project


def _is_spent(linked: LinkedProject) -> bool:
    """Does the state of a project exceed the limit, and were enough files checked with it?"""
    return linked.lines > MOST_OF_ONE and linked.judged_lines * SHARE > linked.lines
