"""A persistent cache of reports, each valid while the inputs it depends on are unchanged.

A report depends on what was asked of files (`syntax/questions.py`), on the targets of their imports, and on the
importers of files whose callers were searched.  One digest covers a whole project: if it equals the one that the report
was last validated against, the report is valid; otherwise, and where a report depends on files that its project does
not list, its dependencies are compared: of a file with another text, the answers to what was asked.  Paths are kept as
seen from the project's root, so that a copy of a project in another place, such as the next job of a CI service, has
the same reports.  A copy that is marked as one, such as the files of an earlier revision, keeps its own beside them.

    report on ops.py        files: ops.py, train.py (it was searched)       importers of: ops.py
    train.py is edited      its code differs, all of which was searched: ops.py is analysed again; a comment is nothing
    new.py imports ops      the digest of its importers differs: ops.py is analysed again

A search for callers that showed nothing is kept in the same way, by the names that were searched for: who analyses a
file again need not search for its callers again.
"""

from __future__ import annotations

import marshal
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from flake8_jax.cache.snapshot import Snapshot, digest_of
from flake8_jax.cache.stamp import stamp
from flake8_jax.cache.store import EntryStore, folder_of
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Edit, Fix, Note, Span
from flake8_jax.model.report import EXACT, Dependencies, KeptSearch, Report, Statistics
from flake8_jax.syntax.directives import holds_any
from flake8_jax.syntax.holding import Holding, holding_of
from flake8_jax.syntax.index import Index, unpacked
from flake8_jax.syntax.moving import digests_of, moving, with_lines_moved
from flake8_jax.syntax.questions import TEXT, answer_alike, told_anew, weighed
from flake8_jax.syntax.source import SourceFile

if TYPE_CHECKING:
    from flake8_jax.model.report import PlainArguments, ToldFound, WordsFound
    from flake8_jax.syntax.project import Project


class Reports:
    """The cached reports of earlier runs with this configuration, if a store is available."""

    __slots__ = ("_former", "_holdings", "_kept", "_snapshots", "_told", "store")

    def __init__(
        self, config: Config, told: Callable[[Project, str, int, PlainArguments], bytes] = lambda *_: b""
    ) -> None:
        self.store = _open(config)
        self._told = told
        self._kept: dict[Project, bytes | None] = {}
        self._snapshots: dict[Project, Snapshot] = {}
        self._former: dict[tuple[str, bytes], Index | None] = {}
        self._holdings: dict[tuple[Project, str], Holding] = {}

    def flush(self) -> None:
        """Write pending entries to the store."""
        for project, snapshot in self._snapshots.items():
            is_of_disk = project.original == project.root and not project.overrides
            packed = snapshot.packed() if is_of_disk else None
            if packed is not None:
                self.store.put("files", _name(project), packed)
                snapshot.known = dict(snapshot.files)
        self.store.flush()

    def has(self, project: Project) -> bool:
        """Does the cache have entries for a project?"""
        if project not in self._kept:
            self._kept[project] = self.store.get("files", _name(project))
        return self._kept[project] is not None

    def find(self, project: Project, path: str, shown: str) -> Report | None:
        """The cached report on a file, displayed as `shown`, if its dependencies are unchanged."""
        if self.store.folder is None:
            return None
        snapshot = self._snapshot(project)
        own, *others = self._keys(project, path)
        for key in chain((own, *others), self._keys_of_code(project, path)):
            kept = self.store.get("report", key)
            if kept is None:
                continue
            world, data = marshal.loads(kept)
            if world == snapshot.world and key == own:
                return unpacked_report(data, shown)
            dependencies = self.store.get("dependencies", key)
            current = None if dependencies is None else self._renewed(snapshot, dependencies, world)
            if dependencies is not None and current is not None:
                data = self._moved(snapshot, path, data, dependencies)
            if current is not None and data is not None:
                self.store.put("report", own, marshal.dumps((world and snapshot.world, data)))
                if key != own or current != dependencies:
                    self.store.put("dependencies", own, current)
                return unpacked_report(data, shown)
        return None

    def add(self, project: Project, path: str, report: Report, dependencies: Dependencies) -> None:
        """Cache the report on a file, unless something is missing in it that another run may find."""
        if self.store.folder is None or report.faults:
            return
        snapshot = self._snapshot(project)
        if not all(map(snapshot.holds, dependencies.files)):
            return  # a file is not the one any more that was looked at
        key = self._keys(project, path)[0]
        self.store.put("dependencies", key, _packed_dependencies(snapshot, dependencies))
        world = b"" if project.leaves_files(dependencies.files) else snapshot.world
        self.store.put("report", key, marshal.dumps((world, packed_report(report))))
        if dependencies.files.get(path) != TEXT and (same_code := self._name_of_code(project, path)):
            self.store.put("same code", same_code, key)

    def find_search(
        self, project: Project, path: str, carried: Collection[str]
    ) -> tuple[KeptSearch, Dependencies] | None:
        """The kept search for the callers of a file by the names that carry, if what it asked is answered alike."""
        snapshot, key = self._snapshot(project), self._key_of_search(project, path, carried)
        kept = self.store.get("search", key)
        if kept is None:
            return None
        fields, dependencies = marshal.loads(kept)
        current = self._renewed(snapshot, dependencies, b"")
        if current is None:
            return None
        if current != dependencies:
            grown = marshal.loads(dependencies)[-1] - marshal.loads(current)[-1]
            fields = (fields[0] + grown, *fields[1:])
            self.store.put("search", key, marshal.dumps((fields, current)))
        return KeptSearch(*fields), _unpacked_dependencies(snapshot, current)

    def keep_search(
        self, project: Project, path: str, carried: Collection[str], kept: KeptSearch, dependencies: Dependencies
    ) -> None:
        """Keep a search for the callers of a file."""
        snapshot = self._snapshot(project)
        if self.store.folder is None or not all(map(snapshot.holds, dependencies.files)):
            return
        fields = kept.within, kept.beyond, kept.is_exhausted, kept.traced, kept.is_unstaged
        packed = marshal.dumps((fields, _packed_dependencies(snapshot, dependencies)))
        self.store.put("search", self._key_of_search(project, path, carried), packed)

    def _key_of_search(self, project: Project, path: str, carried: Collection[str]) -> bytes:
        snapshot = self._snapshot(project)
        copy = "" if project.original == project.root else "copy"
        return digest_of((snapshot.name, snapshot.inside(path), snapshot.releases, sorted(carried), copy))

    def _keys(self, project: Project, path: str) -> tuple[bytes, ...]:
        """What the report on a file is kept under, and for a copy that of the original."""
        snapshot = self._snapshot(project)
        name = (snapshot.name, snapshot.inside(path), snapshot.digest(path), snapshot.releases)
        original = digest_of(name)
        return (original,) if project.original == project.root else (digest_of((*name, "copy")), original)

    def _keys_of_code(self, project: Project, path: str) -> Iterator[bytes]:
        """What the report is kept under on a text of the file with the same code, if there may be one."""
        is_new = self._kept[project] is None and project.original == project.root
        if is_new or not self._snapshot(project).holds(path) or holds_any(project.text(path) or ""):
            return
        name = self._name_of_code(project, path)
        key = self.store.get("same code", name) if name else None
        if key is not None:
            yield key

    def _name_of_code(self, project: Project, path: str) -> bytes:
        """The code of a file by which a report is found that does not depend on comments; empty if there is none."""
        index, snapshot = project.index(path), self._snapshot(project)
        if index is None:
            return b""
        return digest_of((snapshot.name, snapshot.inside(path), snapshot.releases, index.head, index.code))

    def _renewed(self, snapshot: Snapshot, kept: bytes, world: bytes) -> bytes | None:
        """The dependencies of a report for the files as they are now; None if an answer is another."""
        if world == snapshot.world:
            return kept
        rows, searched, submodules, truncates, links, targets, surroundings, words, shown, told, room = marshal.loads(
            kept
        )
        if truncates is not None and truncates != snapshot.truncates():
            return None
        several, found = words
        changed = [row for row in rows if snapshot.current(row[0]) != row[1]]
        for file, digest, asked in changed:
            path = snapshot.path(file)
            bits, more = self._weighed(snapshot, path, digest, asked) if room != EXACT else (0, 0)
            room -= more
            if room < 0 and more:
                return None
            if not self._answers_alike(snapshot, path, digest, asked & ~bits, told.get(file, ())) or not all(
                self._holds_alike(snapshot, path, several, *each) for each in found.get(file, ())
            ):
                return None
        if links != snapshot.links():
            paths, around = [snapshot.path(file) for file, *_ in rows], [snapshot.path(one) for one in searched]
            within = [(snapshot.path(package), name) for package, name in submodules]
            if (targets, surroundings) != (snapshot.targets(paths), snapshot.surroundings(around, within)):
                return None
        elif not changed:
            return kept
        for file, digest, _ in changed:
            path = snapshot.path(file)
            for bits, given, answer in told.get(file, ()):
                if not self._tells_alike(snapshot, path, digest, bits, given, answer):
                    return None
        now = [(file, snapshot.current(file), asked) for file, _, asked in rows] if changed else rows
        links = links and snapshot.links()
        found = links, targets, surroundings, words, shown, told, room
        return marshal.dumps((now, searched, submodules, truncates, *found))

    def _moved(self, snapshot: Snapshot, home: str, data: tuple[Any, ...], kept: bytes) -> tuple[Any, ...] | None:
        """A report for the lines of its files as they are; None if it does not hold there."""
        if not data[0]:
            return data
        rows, *_, shown, _, _ = marshal.loads(kept)
        project, moved = snapshot.project, dict[str, Callable[[int], int]]()
        for file, digest, _ in rows:
            path = snapshot.path(file)
            if file not in shown or snapshot.digest(path) == digest:
                continue
            before, now, text = self._index_of(path, digest), project.index(path), project.text(path)
            if before is None or now is None or text is None or len(before.statements) != len(now.statements):
                return None
            if digests_of(now, SourceFile(path, text).lines, [number for number, _ in shown[file]]) != shown[file]:
                return None
            moved["" if path == home else project.shown(path)] = moving(before, now)
        return moved_report(data, moved) if moved else data

    def _answers_alike(
        self, snapshot: Snapshot, path: str, digest: bytes, asked: int, told: Iterable[ToldFound]
    ) -> bool:
        """Does a file answer what was asked of it as did its text with a digest, but for what its functions tell?"""
        if asked == TEXT or not snapshot.holds(path):
            return False
        for bits, *_ in told:
            asked &= ~bits
        return answer_alike(asked, self._index_of(path, digest), snapshot.project.index(path))

    def _weighed(self, snapshot: Snapshot, path: str, digest: bytes, asked: int) -> tuple[int, int]:
        """The questions how much statements of a file weigh that are answered otherwise, and how much more that is."""
        before, now = self._index_of(path, digest), snapshot.project.index(path)
        return weighed(asked, before, now) if asked != TEXT and before is not None and now is not None else (0, 0)

    def _tells_alike(
        self, snapshot: Snapshot, path: str, digest: bytes, asked: int, given: PlainArguments, answer: bytes
    ) -> bool:
        """Do functions of a file, of which all else is answered as before, tell what they told?"""
        before, now = self._index_of(path, digest), snapshot.project.index(path)
        if before is None or now is None:
            return False
        anew, answers = told_anew(asked, answer, before, now)
        return not anew or self._told(snapshot.project, path, anew, given) == answers

    def _index_of(self, path: str, digest: bytes) -> Index | None:
        """The index of a text that a file had, by its digest; None if it is not known any more."""
        key = path, digest
        if key not in self._former:
            kept = self.store.get("index", digest)
            self._former[key] = unpacked(path, marshal.loads(kept)) if kept is not None else None
        return self._former[key]

    def _holds_alike(
        self, snapshot: Snapshot, path: str, words: list[list[str]], asked: list[tuple[str, int]], answer: bytes
    ) -> bool:
        """Do the words that were looked for in a file stand where they stood?"""
        found = self._holdings.get((snapshot.project, path))
        if found is None:
            index, text = snapshot.project.index(path), snapshot.project.text(path)
            if index is None or text is None:
                return False
            found = self._holdings[snapshot.project, path] = holding_of(text, index)
        return found.answer([(pattern, frozenset(words[number])) for pattern, number in asked]) == answer

    def _snapshot(self, project: Project) -> Snapshot:
        found = self._snapshots.get(project)
        if found is None:
            self.has(project)
            found = self._snapshots[project] = Snapshot.take(project, self._kept[project])
        return found


def _open(config: Config) -> EntryStore:
    if config.no_store:
        return EntryStore(None)
    try:
        return EntryStore(folder_of(config.cache_dir), stamp(config))
    except RuntimeError as error:
        return EntryStore(None, notices=[f"there is no folder for a store ({error}): nothing is remembered"])


def _packed_dependencies(snapshot: Snapshot, on: Dependencies) -> bytes:
    files, searched, submodules = sorted(on.files), sorted(on.searched), sorted(on.submodules)
    rows = [(snapshot.inside(file), snapshot.digest(file), on.files[file]) for file in files]
    around = [snapshot.inside(one) for one in searched]
    within = [(snapshot.inside(package), name) for package, name in submodules]
    digests = snapshot.targets(files), snapshot.surroundings(searched, submodules)
    shown = {snapshot.inside(path): [*several] for path, several in on.shown.items()}
    told = {snapshot.inside(path): [*several] for path, several in on.told.items()}
    words = _packed_words(snapshot, on.words)
    links = b"" if snapshot.project.leaves_files(files) else snapshot.links()
    return marshal.dumps((rows, around, within, on.truncates, links, *digests, words, shown, told, on.room))


def _unpacked_dependencies(snapshot: Snapshot, kept: bytes) -> Dependencies:
    rows, around, within, truncates, _, _, _, (several, found), _, told, room = marshal.loads(kept)
    sets = [frozenset(words) for words in several]
    return Dependencies(
        {snapshot.path(file): asked for file, _, asked in rows},
        frozenset(map(snapshot.path, around)),
        frozenset((snapshot.path(package), name) for package, name in within),
        truncates,
        {
            snapshot.path(file): tuple(
                (tuple((pattern, sets[number]) for pattern, number in asked), answer) for asked, answer in each
            )
            for file, each in found.items()
        },
        told={snapshot.path(file): tuple(map(tuple, each)) for file, each in told.items()},
        room=room,
    )


def _packed_words(snapshot: Snapshot, words: Mapping[str, tuple[WordsFound, ...]]) -> tuple[Any, ...]:
    """Where words stand, by file, as plain data: each set of words is there once."""
    sets = dict[frozenset[str], int]()
    found = {
        snapshot.inside(path): [
            ([(pattern, sets.setdefault(several, len(sets))) for pattern, several in asked], answer)
            for asked, answer in each
        ]
        for path, each in sorted(words.items())
    }
    return [sorted(several) for several in sets], found


def _name(project: Project) -> bytes:
    return os.fsencode(project.root)


def packed_report(report: Report) -> tuple[Any, ...]:
    """A report as plain data, without its faults."""
    statistics = report.statistics
    counters = (statistics.others, statistics.unknowns, statistics.reached, statistics.given_up)
    return (
        [_row(diagnostic) for diagnostic in report.diagnostics],
        report.given_up,
        (statistics.files, statistics.analysed, *[dict(counter) for counter in counters]),
    )


def _row(found: Diagnostic) -> tuple[Any, ...]:
    span = (found.span.line, found.span.column, found.span.end_line, found.span.end_column)
    notes = [("" if note.path == found.path else note.path, note.line, note.text) for note in found.notes]
    return found.code, found.name, span, found.message, notes, _packed(found.fix)


def _packed(fix: Fix | None) -> tuple[Any, ...] | None:
    if fix is None:
        return None
    edits = [
        (edit.span.line, edit.span.column, edit.span.end_line, edit.span.end_column, edit.text) for edit in fix.edits
    ]
    return fix.title, fix.applicability, edits


def _unpacked(kept: tuple[Any, ...] | None) -> Fix | None:
    if kept is None:
        return None
    title, applicability, edits = kept
    return Fix(title, applicability, tuple(Edit(Span(*span), text) for *span, text in edits))


def moved_report(data: tuple[Any, ...], moved: Mapping[str, Callable[[int], int]]) -> tuple[Any, ...]:
    """A packed report in the order that it has once lines of files have moved, by the name in it: "" for its own."""
    rows, *rest = data
    found = []
    for code, name, span, message, notes, fix in rows:
        told = [
            (path, moved[path](line) if path in moved else line, text if path else with_lines_moved(text, moved))
            for path, line, text in notes
        ]
        if fix is not None:
            title, applicability, edits = fix
            edits = [(*_moved_span(each, moved), each[4]) for each in edits]
            fix = with_lines_moved(title, moved), applicability, edits
        found.append((code, name, _moved_span(span, moved), with_lines_moved(message, moved), told, fix))
    found.sort(key=lambda row: (row[2][:2], row[0], row[3]))
    return found, *rest


def with_lines_told(report: Report, moved: Mapping[str, Callable[[int], int]]) -> Report:
    """A report with the lines that files have otherwise, by their names in it: "" for its own."""
    found = list[Diagnostic]()
    for each in report.diagnostics:
        [rows] = moved_report(([_row(each)],), moved)
        remedy = each.remedy
        if remedy is not None:
            remedy = replace(remedy, edits=tuple(_moved_edit(edit, moved) for edit in remedy.edits))
        found += (replace(one, remedy=remedy) for one in _diagnostics(rows, each.path))
    return replace(report, diagnostics=tuple(sorted(found, key=Diagnostic.sort_key)))


def _moved_edit(edit: Edit, moved: Mapping[str, Callable[[int], int]]) -> Edit:
    span = edit.span
    return Edit(Span(*_moved_span((span.line, span.column, span.end_line, span.end_column), moved)), edit.text)


def _moved_span(span: tuple[Any, ...], moved: Mapping[str, Callable[[int], int]]) -> tuple[Any, ...]:
    line, column, end_line, end_column = span[:4]
    return (moved[""](line), column, moved[""](end_line), end_column) if "" in moved else span[:4]


def unpacked_report(data: tuple[Any, ...], path: str) -> Report:
    """The inverse of `packed_report`; the file is displayed as `path`."""
    rows, given_up, (files, analysed, *counters) = data
    return Report(
        tuple(_diagnostics(rows, path)),
        given_up,
        Statistics(files, analysed, *[Counter(counter) for counter in counters]),
    )


def _diagnostics(rows: Iterable[tuple[Any, ...]], path: str) -> Iterable[Diagnostic]:
    for code, name, span, message, kept, fix in rows:
        notes = tuple(Note(place or path, line, text) for place, line, text in kept)
        yield Diagnostic(code, name, path, Span(*span), message, notes, _unpacked(fix))
