"""What a report rests on, as it is kept, and whether that still stands: of other files, statement by statement.

    ops.py                      train.py
    def scale(x): ...           import ops              the report on train.py rests on what ops.py imports, on the
    def clip(x): ...            step = jit(ops.scale)   statement that binds `scale`, on no other one binding it

A statement has the digest of its text.  A changed file stands if, in the old version and in the new one, the same
statements follow one another, of all those that were run, that bind a name that one of them binds, or that hold a word
that was searched for; and if no name came or went that those statements, or whoever asked, could mean.  Lines count
only where the report shows any.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.report import EVERY, bit_of
from flake8_jax.snapshots import digest_of
from flake8_jax.syntax.index import WORD, Index, Statement, unpacked
from flake8_jax.syntax.source import SourceFile

if TYPE_CHECKING:
    from flake8_jax.report import Ground
    from flake8_jax.snapshots import Snapshot
    from flake8_jax.store import Memory
    from flake8_jax.syntax.project import Project

FileRow: TypeAlias = "tuple[str, bytes, bytes, int | None, bool]"
"""Of a file: its path, the digests of its text and of where its imports lead, the statements that count, as bits (None:
all of the text), whether it was searched.
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a file counts: the digests of statements and the names that they bind, the words that were searched for
    (None where it was not searched), the names that were asked for in vain, whether lines and all its names count.
    """

    digests: frozenset[bytes]
    names: frozenset[str]
    words: frozenset[str] | None
    missed: frozenset[str]
    lines: bool
    every: bool


@dataclass(slots=True, eq=False)
class Grounds:
    """Keeps and checks what reports on the files of one project rest on."""

    project: Project
    snapshot: Snapshot
    store: Memory
    _olds: dict[tuple[str, bytes], Index | None] = field(default_factory=dict)
    _words: dict[str, list[frozenset[str]]] = field(default_factory=dict)

    def packed(self, ground: Ground, shows_lines: bool) -> bytes | None:
        """What is to be kept; None if a file is not the one any more that was looked at."""
        if not all(self.snapshot.holds(self.project, path) for path in ground.files):
            return None
        rows: list[FileRow] = []
        for path in ground.files:
            standing = self.snapshot.standing(self.project, path)
            rows.append((path, *standing, ground.parts.get(path), path in ground.searched))
        around = [*ground.importers], [*ground.asked]
        return marshal.dumps((rows, *around, self._around(*around), [*ground.words], shows_lines))

    def checked(self, kept: bytes) -> bytes | None:
        """What is to be kept from now on, if all stands; else None."""
        rows, carrying, asked, around, words, shows_lines = marshal.loads(kept)
        if self._around(carrying, asked) != around:
            return None
        digest, leads_of = self.snapshot.digest, self.snapshot.leads_of
        renewed: list[FileRow] = []
        for row in rows:
            path, text, leads, _, is_searched = row
            if leads_of(self.project, path) != leads:
                return None
            now = digest(path)
            if now != text:
                missed = frozenset(name for place, name in asked if place == path)
                found = self._parts_now(row, words if is_searched else None, missed, shows_lines)
                if found is None:
                    return None
                row = path, now, leads, found, is_searched
            renewed.append(row)
        return kept if renewed == rows else marshal.dumps((renewed, carrying, asked, around, words, shows_lines))

    def _around(self, carrying: list[str], asked: list[tuple[str, str]]) -> bytes:
        """A digest of who imports the files that carry a name, and of which modules stand below packages."""
        found = [*map(self.project.importers, carrying)], [self.project.submodule(*one) for one in asked]
        return digest_of(found)

    def _parts_now(
        self, row: FileRow, words: list[str] | None, missed: frozenset[str], shows_lines: bool
    ) -> int | None:
        """The statements of a changed file that count now, as a row has them; None if that is not as it was."""
        path, text, _, parts, _ = row
        old, new = self._old(path, text), self._new(path)
        if parts is None or old is None or new is None:
            return None
        run = [one for number, one in enumerate(old.statements) if parts & bit_of(number)]
        asked = Asked(
            frozenset(one.digest for one in run), frozenset(name for one in run for name in one.binds),
            None if words is None else frozenset(words), missed, shows_lines, bool(parts & EVERY),
        )  # fmt: skip
        numbers = self._standing(asked, old, new)
        return None if numbers is None else sum(map(bit_of, numbers)) | parts & EVERY

    def _standing(self, asked: Asked, old: Index, new: Index) -> list[int] | None:
        """The numbers of the statements of the new version that count; None if they are not those of the old one."""
        before = [one for one in old.statements if _counts(one, asked)]
        now = [
            number for number, one in enumerate(new.statements)
            if _counts(one, asked) or not (asked.words or NOTHING).isdisjoint(self._words_of(new)[number])
        ]  # fmt: skip
        after = [new.statements[number] for number in now]
        if old.stars != new.stars or old.globals != new.globals or (asked.every and old.exports != new.exports):
            return None
        then, today = ([(one.digest, asked.lines and one.line) for one in some] for some in (before, after))
        if then != today:
            return None
        changed = _bound(old) ^ _bound(new)
        if changed and (asked.every or not changed.isdisjoint(asked.missed)):
            return None
        return now if all(changed.isdisjoint(self._words_of(new)[number]) for number in now) else None

    def _old(self, path: str, digest: bytes) -> Index | None:
        """The index of a version of a file that was, if it is still kept."""
        if (path, digest) not in self._olds:
            kept = self.store.get("index", digest)
            self._olds[(path, digest)] = None if kept is None else unpacked(path, digest, marshal.loads(kept))
        return self._olds[(path, digest)]

    def _new(self, path: str) -> Index | None:
        return self.project.index(path) if self.snapshot.holds(self.project, path) else None

    def _words_of(self, index: Index) -> list[frozenset[str]]:
        """The words of each statement of a file as it is now."""
        found = self._words.get(index.path)
        if found is None:
            lines = SourceFile(index.path, self.project.text(index.path) or "").lines
            found = self._words[index.path] = [frozenset(WORD.findall(one.text(lines))) for one in index.statements]
        return found


NOTHING: frozenset[str] = frozenset()


def _counts(statement: Statement, asked: Asked) -> bool:
    if statement.digest in asked.digests or not asked.names.isdisjoint(statement.binds):
        return True
    return asked.words is not None and statement.kind == "import"


def _bound(index: Index) -> frozenset[str]:
    return frozenset(name for one in index.statements for name in one.binds)
