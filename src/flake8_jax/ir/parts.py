"""What ops are made of beside other ops: where they stand, clauses of comprehensions, patterns, handlers of tries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from flake8_jax.ir.ops import Body, Name, Op, Target


@dataclass(slots=True, eq=False)
class Origin:
    """Where ops come from: the file, how messages name it, the first line of their statement at its top level."""

    path: str
    shown: str
    line: int


@dataclass(slots=True, eq=False)
class Anchor:
    """The statement, header or decorator that ops stand in: its line, its CST node and its `ast` twin.

    Ops that outlive the tree keep no nodes: then `origin` tells where to find them again.
    """

    line: int
    node: object
    twin: object
    origin: Origin


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
