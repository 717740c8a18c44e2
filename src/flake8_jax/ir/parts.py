"""Parts of ops: source origins, comprehension clauses, match patterns, exception handlers."""

from __future__ import annotations

import re
from types import EllipsisType
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection

    from flake8_jax.ir.ops import Body, Name, Op, Target
    from flake8_jax.syntax.positions import Field
    from flake8_jax.syntax.source import SourceFile

Host: TypeAlias = bool | int | float | complex | str | bytes | EllipsisType | None
"""What a literal stands for: a constant of the host language."""


class HomeFile(Protocol):
    """A file of a project, which notes what is asked of it."""

    @property
    def plain(self) -> SourceFile:
        """The file without its comments, on the same lines."""

    def note_body(self, number: int, line: int) -> None:
        """Record that results depend on the body of a `def` that begins on a line of a statement; without one (0), on
        its definition.
        """

    def note_told(self, number: int, line: int, given: int = 0) -> None:
        """Record that results depend on what a `def` that begins on a line of a statement tells others, run for
        arguments with this number.
        """

    def below(self, number: int, line: int) -> tuple[int, int]:
        """How many functions of a statement begin down to a line, and how far it is below the last of them."""

    def note_stored(self, number: int) -> None:
        """Record that results depend on which attributes are stored by the functions in a statement."""

    def note_text(self, number: int) -> None:
        """Record that results depend on the text of a statement, with its comments, or of the whole file (-1)."""

    def without_comments(self, number: int) -> SourceFile:
        """The file without its comments, for who looks at the lines of one statement."""

    def seek(self, words: Collection[str], pattern: str) -> bool:
        """Does a statement that holds one of some words have a pattern?"""

    def imported_from(self, dotted: str) -> tuple[HomeFile, str] | None:
        """The file of the project in which a dotted name that an import here begins is bound, and its name there."""


@dataclass(slots=True, eq=False)
class Origin:
    """The top-level statement of some ops: file, displayed path, first and last line, text of the file.

    `number` is that of the statement among those of the file, -1 if they are of several; `home` is the file in its
    project, if it has one.
    """

    path: str
    shown: str
    line: int
    end_line: int
    file: SourceFile
    number: int = -1
    home: HomeFile | None = None

    @property
    def source(self) -> SourceFile:
        """The text of the file, for who looks at this statement: of its comments he depends on those there alone."""
        if self.home is not None:
            self.home.note_text(self.number)
        return self.file

    def note_stored(self) -> None:
        """Note that somebody depends on which attributes are stored by the functions in it, and on no more of them."""
        if self.home is not None:
            self.home.note_stored(self.number)

    @property
    def code(self) -> SourceFile:
        """The file without its comments, on the same lines: whoever asks for it depends on the code alone."""
        return self.home.plain if self.home is not None else self.file

    def code_up_to(self, line: int) -> SourceFile:
        """The file without its comments, for who looks at lines of this statement, up to one that may stand below."""
        if self.home is None or line > self.end_line:
            return self.code
        return self.home.without_comments(self.number)

    def finds(self, words: Collection[str], pattern: str) -> bool:
        """Does a statement of the file that holds one of some words have a pattern?  Comments do not count."""
        if self.home is None:
            return re.search(pattern or rf"\b(?:{'|'.join(words)})\b", self.file.text) is not None
        return self.home.seek(words, pattern)


@dataclass(slots=True, eq=False)
class Anchor:
    """The line of the statement, header or decorator around some ops.

    `field` is the replacement field around them where the running Python does not place what stands in f-strings.
    """

    line: int
    origin: Origin
    field: Field | None = None


@dataclass(slots=True, eq=False)
class Clause:
    """One `for target in source if test if test` of a comprehension."""

    target: Target
    source: Op
    tests: tuple[Op, ...]
    is_async: bool


PatternKind: TypeAlias = Literal["value", "singleton", "sequence", "mapping", "class", "or", "capture", "wildcard"]


@dataclass(slots=True, eq=False)
class Pattern:
    """A match pattern.

    `value`: the ops compared with (value pattern, class, mapping keys); `parts`: sub-patterns;
    `capture`: the name bound, if any (`case x`, `case P() as x`, `*rest`, `**rest`).
    """

    kind: PatternKind
    value: tuple[Op, ...]
    parts: tuple[Pattern, ...]
    capture: Name | None
    starred: bool = False


@dataclass(slots=True, eq=False)
class Handler:
    """One `except` clause."""

    anchor: Anchor
    catches: Op | None
    name: Name | None
    body: Body
