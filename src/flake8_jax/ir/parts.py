"""Parts of ops: source origins, comprehension clauses, match patterns, exception handlers."""

from __future__ import annotations

from types import EllipsisType
from typing import TYPE_CHECKING, Literal, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from flake8_jax.ir.ops import Body, Name, Op, Target
    from flake8_jax.syntax.positions import Field
    from flake8_jax.syntax.source import SourceFile

Host: TypeAlias = bool | int | float | complex | str | bytes | EllipsisType | None
"""What a literal stands for: a constant of the host language."""


@dataclass(slots=True, eq=False)
class Origin:
    """The top-level statement of some ops: file, displayed path, first and last line, text of the file.

    `number` is that of the statement among those of the file, -1 if they are of several; `note` is told where somebody
    asks for the text of the whole file.
    """

    path: str
    shown: str
    line: int
    end_line: int
    file: SourceFile
    number: int = -1
    note: Callable[[], None] | None = None

    @property
    def source(self) -> SourceFile:
        """The text of the whole file, of which whoever asks for it depends on all."""
        if self.note is not None:
            self.note()
        return self.file


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
