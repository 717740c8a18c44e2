"""What the thread that judges does: texts of an editor and files of the disk are judged, with what is known of others.

Everything here runs in that one thread.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from flake8_jax.driver.baseline import BaselineError, compared, read
from flake8_jax.driver.checking import shown
from flake8_jax.driver.fingerprints import Fingerprint, fingerprints
from flake8_jax.driver.linter import lint
from flake8_jax.driver.live import Live
from flake8_jax.driver.sources import Sources
from flake8_jax.fixes.applying import FixedText, fix_text
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Applicability, Diagnostic, Note
from flake8_jax.model.report import Report, Statistics
from flake8_jax.server.judged import JudgedText, JudgedTwice, NotePlace, at_once
from flake8_jax.server.settings import Workspace
from flake8_jax.syntax.folders import path_from, root_of
from flake8_jax.syntax.source import SourceFile, Unreadable, parsed

SAFE: tuple[Applicability, ...] = ("safe",)

MOST_EDITS = 300
"""After how many judged texts the state of projects is made anew, when nothing is asked."""

UNTITLED = "stdin"
"""The path of a text that has none: it belongs to no project."""


class LiveJudge:
    """The files of a workspace, as they stand in the editor and on the disk.  Nothing that it is asked for raises."""

    __slots__ = ("_alone", "_baselines", "_edits", "_lives", "_touched", "_twice", "workspace")

    def __init__(self) -> None:
        self.workspace = Workspace()
        self._edits = 0
        self._lives: dict[Config, Live] = {}
        self._alone: dict[str, JudgedText] = {}
        self._twice: dict[str, JudgedTwice] = {}
        self._touched: dict[str, None] = {}
        self._baselines: dict[str, tuple[float, list[Fingerprint]]] = {}

    def enter(self, workspace: Workspace) -> None:
        """Go on with other folders, settings or files of options."""
        self.workspace = workspace
        self._lives.clear()
        self._alone.clear()
        self._twice.clear()
        self._touched.clear()

    def edited(self, path: str, text: str) -> JudgedText:
        """What is found in a text that stands in the editor.  Other files see it, once Python can read it."""
        if self.workspace.is_left_out(path):
            return self._told(path, text, Report((), None, Statistics()), Config())
        config = self.workspace.config_of(path)
        if path == UNTITLED:
            return self._told(path, text, lint(SourceFile(path, text), config), config)
        live = self._live(config)
        if parsed(text) is None:
            return self._told(path, text, live.tried(path, text), config)
        self._edits += 1
        self._touch(path, text)
        alone = self._judged_alone(path, text, live, config) if live.is_imported(path) else None
        full = self._told(path, text, live.report(path), config)
        if alone is not None:
            self._twice[path] = JudgedTwice(alone, full)
        return full

    def glanced(self, path: str, text: str) -> JudgedText:
        """What can be said at once of a text that was edited: all, or what does not need its callers, who are in other
        files, to be asked again.
        """
        before = self._twice.get(path)
        if before is None or self.workspace.is_left_out(path) or parsed(text) is None:
            return self.edited(path, text)
        config = self.workspace.config_of(path)
        self._touch(path, text)
        if self._live(config).depends(path) is not None:
            return self.edited(path, text)
        return at_once(before, self._judged_alone(path, text, self._live(config), config))

    def _judged_alone(self, path: str, text: str, live: Live, config: Config) -> JudgedText:
        known = self._alone.get(path)
        if known is None or known.text != text:
            known = self._alone[path] = self._told(path, text, live.report(path, is_alone=True), config)
        return known

    def renew(self) -> None:
        """Begin anew after many edits: a little of each text stays in memory."""
        if self._edits > MOST_EDITS:
            self._edits = 0
            self._lives.clear()

    def saved(self, path: str, text: str | None) -> tuple[str, ...]:
        """Take in that a file has this text now, or is gone; returns the others whose findings may be others now."""
        self._touch(path, text)
        touched = tuple(each for each in self._touched if each != path)
        self._touched.clear()
        return touched

    def read_again(self, path: str) -> tuple[str, ...]:
        """Take in what stands on the disk, or that the file is gone; returns the others as `saved` does."""
        try:
            return self.saved(path, SourceFile.read(path).text)
        except Unreadable:
            return self.saved(path, None)

    def judged_on_disk(self, path: str) -> JudgedText | None:
        """What is found in a file as it stands; None if it cannot be read or is left out."""
        if self.workspace.is_left_out(path):
            return None
        try:
            text = SourceFile.read(path).text
        except Unreadable:
            return None
        config = self.workspace.config_of(path)
        return self._told(path, text, self._live(config).report(path), config)

    def fixed(self, path: str, text: str) -> FixedText | None:
        """A text with all fixes that are safe; None if it cannot be judged."""

        def judge(changed: str) -> Sequence[Diagnostic] | None:
            found = self.edited(path, changed)
            return found.found if found.is_python else None

        fixed = fix_text(text, judge, SAFE)
        self.edited(path, text)
        return fixed

    def known(self, path: str, text: str, line: int, column: int) -> list[str]:
        """What is known of a place in a text; the line counts from 1, the column from 0.  Empty if nothing is."""
        config = self.workspace.config_of(path)
        return self._live(config).known(path, text, line, column) if path != UNTITLED else []

    def any_config(self) -> Config:
        """The configuration of a file at the top of the first folder, for what concerns no single file."""
        return self.workspace.config_of(os.path.join(next(iter(self.workspace.folders), os.getcwd()), "it.py"))

    def _touch(self, path: str, text: str | None) -> None:
        for config in (self.workspace.config_of(path), *self._lives):
            touched = self._live(config).saved(path, text)
            self._touched |= dict.fromkeys(touched)
            if touched:
                self._alone.clear()

    def _live(self, config: Config) -> Live:
        if config not in self._lives:
            self._lives[config] = Live(config)
        return self._lives[config]

    def _told(self, path: str, text: str, report: Report, config: Config) -> JudgedText:
        source = SourceFile(path, text)
        found = tuple(self._unknown(shown(source, report, config).diagnostics, source, config))
        root = config.root or root_of(path)
        notes = tuple(tuple(_placed(one.notes, root, path)) for one in found)
        return JudgedText(path, text, found, notes, report.given_up is None, config.docs_url)

    def _unknown(self, found: Sequence[Diagnostic], source: SourceFile, config: Config) -> Sequence[Diagnostic]:
        """The findings that the baseline of their file does not know; all, if it cannot be read."""
        if config.baseline is None or not found:
            return found
        folder = Path(config.baseline).absolute().parent
        try:
            known = self._baseline(config.baseline)
        except (BaselineError, OSError) as error:
            self.workspace.say(str(error))
            return found
        judged = [finding for finding in found if finding.code != UNJUDGED]
        placed = [
            replace(fingerprint, path=path_from(fingerprint.path, folder).replace(os.sep, "/"))
            for fingerprint in fingerprints(judged, Sources([source]))
        ]
        paths = {one.path for one in placed}
        new = {judged[number] for number in compared(placed, [one for one in known if one.path in paths]).new}
        return [finding for finding in found if finding in new or finding.code == UNJUDGED]

    def _baseline(self, file: str) -> list[Fingerprint]:
        written = os.stat(file).st_mtime
        known = self._baselines.get(file)
        if known is None or known[0] != written:
            known = self._baselines[file] = written, read(file)
        return known[1]


def _placed(notes: Iterable[Note], root: str, home: str) -> Iterator[NotePlace]:
    """Where notes stand: those on other files call them as seen from the root of the project."""
    for note in notes:
        path = note.path if note.path == home else os.path.join(root, note.path)
        if path == home or os.path.exists(path):
            yield NotePlace(path, note.line, note.text)
