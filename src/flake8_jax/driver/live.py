"""Projects that are kept in memory between edits, for a program that goes on running: an editor's server.

After an edit only that is found out anew which depends on the functions and classes that were edited: their results,
and those that used them.  The rest, which is most of what a single check costs, is as it was; so are the reports of
files that asked the edited one for nothing that is another now.  For the lines in these results to stay true, a text
that was edited is judged with room in it (`syntax/spacing.py`), and what is found told by the lines that it has.

    live = Live(config)
    live.tried("/p/model.py", text)     the report on what stands in the editor
    live.saved("/p/model.py", text)     the files of which the reports may be others now
    live.report("/p/train.py")          the report of a file as it is; of one that no edit concerns the one from before

A text that Python cannot read, as it stands there while one types, changes nothing for other files: these see the last
one that could be read.  Nothing here raises; what the analysis raises becomes a report that was given up.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator

from flake8_jax.api.versions.target import forget
from flake8_jax.cache.reports import with_lines_told
from flake8_jax.cache.store import EntryStore
from flake8_jax.driver.linter import lint, unjudged
from flake8_jax.driver.projects import Projects, Replaced
from flake8_jax.lazy_dataclasses import dataclass, field, replace
from flake8_jax.model.config import Config
from flake8_jax.model.faults import told
from flake8_jax.model.report import Dependencies, KeptSearch, Report
from flake8_jax.syntax.holding import holding_of
from flake8_jax.syntax.moving import digests_of
from flake8_jax.syntax.project import Project
from flake8_jax.syntax.questions import answer_alike
from flake8_jax.syntax.source import SourceFile, Unreadable, parsed
from flake8_jax.syntax.spacing import SpacedText, spaced


@dataclass(slots=True, eq=False)
class KeptReports:
    """The reports of the files of all projects, and the searches for callers, by path, with what they depend on."""

    store: EntryStore = field(default_factory=lambda: EntryStore(None))
    kept: dict[str, tuple[Report, Dependencies]] = field(default_factory=dict)
    searches: dict[tuple[str, frozenset[str]], tuple[KeptSearch, Dependencies]] = field(default_factory=dict)

    def has(self, project: Project) -> bool:
        """May there be reports for a project?"""
        return True

    def find(self, project: Project, path: str, shown: str) -> Report | None:
        """The report on a file, if nothing changed that it depends on."""
        found = self.kept.get(path)
        return found[0] if found is not None else None

    def add(self, project: Project, path: str, report: Report, dependencies: Dependencies) -> None:
        """Keep the report on a file."""
        if not report.faults:
            self.kept[path] = report, dependencies

    def find_search(
        self, project: Project, path: str, carried: Collection[str]
    ) -> tuple[KeptSearch, Dependencies] | None:
        """The search for the callers of a file, if nothing changed that it depends on."""
        return self.searches.get((path, frozenset(carried)))

    def keep_search(
        self, project: Project, path: str, carried: Collection[str], kept: KeptSearch, dependencies: Dependencies
    ) -> None:
        """Keep a search for the callers of a file."""
        self.searches[path, frozenset(carried)] = kept, dependencies

    def flush(self) -> None:
        """Nothing is written."""

    def drop(self, location: str, is_touched: Callable[[str, Dependencies], bool]) -> list[str]:
        """Forget reports, by their paths and dependencies, and that on an edited file; returns the paths, sorted."""
        dropped = sorted(path for path, (_, on) in self.kept.items() if path == location or is_touched(path, on))
        for path in dropped:
            del self.kept[path]
        self.searches = {key: each for key, each in self.searches.items() if not is_touched(key[0], each[1])}
        return dropped


class Live:
    """The projects of the files that one configuration is for, as they stand in an editor.

    The store of the command is not used.  One thread at a time may call it.  What projects require is read when it is
    made: where that changes, another is due.
    """

    __slots__ = ("_projects", "_reports", "_spaced", "_texts", "config")

    def __init__(self, config: Config) -> None:
        forget()
        self.config = replace(config, no_store=True, daemon=False)
        self._texts: dict[str, str] = {}
        self._spaced: dict[str, SpacedText] = {}
        self._reports = KeptReports()
        self._projects = Projects(self.config, reports=self._reports, texts=self._texts)

    def files(self, root: str) -> tuple[str, ...]:
        """The Python files below a project's root, as they are on the disk now."""
        return Project(root).files()

    def text(self, path: str) -> str | None:
        """The text of a file as it stands here; None for one that no project has."""
        project, held = self._projects.project_of_path(path), self._spaced.get(os.path.abspath(path))
        if held is not None:
            return held.original
        return project.text(path) if project is not None else None

    def depends(self, path: str) -> Dependencies | None:
        """What the report on a file depends on; None if there is none that is kept."""
        found = self._reports.kept.get(os.path.abspath(path))
        return replace(found[1], shown=dict(self._shown(found[1]))) if found is not None else None

    def _shown(self, on: Dependencies) -> Iterator[tuple[str, tuple[tuple[int, bytes], ...]]]:
        """What a report shows of files, as these stand without room in them."""
        for path, several in on.shown.items():
            held, project = self._spaced.get(path), self._projects.project_of_path(path)
            index = project.index(path) if project is not None else None
            if held is not None and index is not None:
                statements = tuple(
                    replace(each, line=held.line_of(each.line), end_line=held.line_of(each.end_line))
                    for each in index.statements
                )
                lines, numbers = held.original.split("\n"), [number for number, _ in several]
                several = tuple(digests_of(replace(index, statements=statements), lines, numbers))
            yield path, several

    def tried(self, path: str, text: str) -> Report:
        """The report on a text that stands in an editor, in the place of the file's."""
        if parsed(text) is None:
            return lint(SourceFile(path, text), self.config, Projects(self.config))
        self.saved(path, text)
        return self.report(path)

    def report(self, path: str, is_alone: bool = False) -> Report:
        """The report on a file as it stands now; alone, without what its callers in other files show."""
        try:
            source = self._projects.read(path)
        except Unreadable as error:
            return unjudged(path, error.reason)
        return self._told(lint(source, self.config, self._projects, is_alone), path)

    def _told(self, report: Report, path: str) -> Report:
        """A report by the lines that its files have without room in them."""
        location = os.path.abspath(path)
        project = self._projects.project_of_path(location) if report.diagnostics and self._spaced else None
        if project is None:
            return report
        lines = {"" if file == location else project.shown(file): each.line_of for file, each in self._spaced.items()}
        return with_lines_told(report, lines)

    def is_imported(self, path: str) -> bool:
        """Do other files of its project import a file?"""
        location = os.path.abspath(path)
        project = self._projects.project_of_path(location)
        return project is not None and bool(project.importers(location))

    def known(self, path: str, text: str, line: int, column: int) -> list[str]:
        """What is known of the value at a place of a text, and why it is traced; empty if nothing is.

        The line counts from 1, the column from 0.
        """
        from flake8_jax.driver.explaining import NotExplained, known_of_value

        if parsed(text) is None:
            return []
        self.saved(path, text)
        location = os.path.abspath(path)
        project = self._projects.project_of_path(location)
        if project is not None and project.text(location) is not None:
            self._unspaced(project)
            self._projects.replace(project, location, self.text(location) or "", is_whole=True)
        try:
            return known_of_value(SourceFile(path, text), line, column, self._projects)
        except NotExplained:
            return []
        except Exception as error:
            self._projects.forget(SourceFile(path, text))
            return [f"a defect of flake8-jax ({told(error)})"]

    def _unspaced(self, project: Project) -> None:
        """Let the files of a project stand as they are: what is told of values names lines in any form."""
        inside = os.path.join(project.root, "")
        for path in [path for path in self._spaced if path.startswith(inside)]:
            text = self._spaced[path].original
            self.saved(path, text, is_spaced=False)

    def saved(self, path: str, text: str | None, is_spaced: bool = True) -> tuple[str, ...]:
        """Take in that a file has this text now, or is gone: the files whose reports may be others, itself first."""
        location = os.path.abspath(path)
        project = self._projects.project_of_path(location)
        if text is None:
            was_open = self._texts.pop(location, None) is not None
            is_new = was_open or (project is not None and location in project.files())
        else:
            is_new = project is None or location not in project.files()
            text = text.removeprefix("\ufeff")
        if not is_new and (text is None or self.text(location) == text) and is_spaced:
            return ()
        held = self._spaced.pop(location, None)
        if text is not None:
            made = spaced(text, held) if is_spaced and not is_new else None
            if made is not None:
                self._spaced[location] = made
            self._texts[location] = text = made.text if made is not None else text
        if project is None:
            return (location,)
        changed: Replaced = "all"
        before = project.index(location) if not is_new else None
        if is_new or text is None:
            self._projects.leave(project)
        else:
            changed = self._projects.replace(project, location, text)
        inside, now = os.path.join(project.root, ""), project.index(location) if changed == "text" else None
        holding = holding_of(project.text(location) or "", now) if now is not None else None

        def is_touched(each: str, on: Dependencies) -> bool:
            if changed == "all":
                return each.startswith(inside)
            if changed == "links" and on.searched:
                return True
            if holding is not None and any(
                holding.answer(words) != answer for words, answer in on.words.get(location, ())
            ):
                return True
            return location in on.shown or (location in on.files and not answer_alike(on.files[location], before, now))

        return (location, *(each for each in self._reports.drop(location, is_touched) if each != location))
