"""What a function tells others by its general summary, as a digest: who asks for no more need not look again while that
stays the same, whatever becomes of the body.

    def scale(x):                   def scale(x):                   told alike: an array of the kind of `x`, which must
        return x * 2.0                  factor = 3.0                be one; an edit that makes it print, or return a
                                        return x * factor           pair, is told to all

All that is reachable from the summary counts, each object by its fields, what is met again by its number.  What stands
elsewhere counts by its place, for somebody may hold the same; ops of the function itself count by what they say, lines
only by which are the same.  Where something is reached of which the fields do not say all (a function made inside, a
frame), nothing is told apart from the body.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from hashlib import blake2b
from types import FunctionType

from flake8_jax.analysis.callables import ClassValue, FunctionValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.record import Record, record_of
from flake8_jax.domain.kinds import API, NUMBER, STATIC, UNKNOWN
from flake8_jax.domain.payload import ModuleAt
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function
from flake8_jax.ir.parts import Anchor, Origin
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import NODE_TYPES, within
from flake8_jax.syntax.positions import unpacked

DIGEST = 8
MAXIMUM_PARTS = 5_000
"""Of so many parts no digest is made."""

PLAIN = frozenset((type(None), str, bytes, int, float, complex, bool, type(...), range))
BARE = frozenset((API, NUMBER, STATIC, UNKNOWN))
"""The kinds of values that need not be told apart from others that are alike."""

AFTERWARDS = frozenset(("line", "is_applied"))
"""Fields that are told otherwise, and those that are set once the run is over."""

PLACES = frozenset(("anchor", "place", "scope"))


class NotTold(Exception):
    """Something is reached of which the fields do not say all."""


def told_by(program: Program, function: FunctionValue, summary: Summary, root: str) -> bytes | None:
    """The digest of what a function tells by its general summary; None where that is not told apart from its body.

    Paths are told as seen from the project's root.
    """
    record = record_of(summary)
    if record is None or record.functions or record.refuted or record.marks or record.faults:
        return None  # what stands inside is run by itself, and what is said of classes is said to all
    telling = _Telling(program, function, summary, os.path.join(root, ""))
    try:
        telling.tell(summary)
    except (NotTold, RecursionError):
        return None
    return blake2b("\0".join(telling.said).encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class _Telling:
    """The text of what is reached from a summary."""

    __slots__ = ("_count", "_function", "_lines", "_numbers", "_own", "_prefix", "_program", "_summary", "said")

    def __init__(self, program: Program, function: FunctionValue, summary: Summary, prefix: str) -> None:
        self._program = program
        self._prefix = prefix
        self._function = function.function
        self._summary = summary
        self._numbers: dict[int, tuple[int, object]] = {}
        self._own = {inner for op in self._function.inner.ops for inner in within(op)}
        self._lines: dict[tuple[str, int], int] = {}
        self._count = 0
        self.said: list[str] = []

    def tell(self, one: object) -> None:
        """Say what an object is, and all that it holds."""
        kind = type(one)
        if kind in PLAIN:
            self.said.append(repr(self._inside(one) if isinstance(one, str) else one))
        elif isinstance(one, Enum):
            self.said.append(f"{kind.__name__}.{one.name}")
        elif isinstance(one, type):
            self.said.append(f"{one.__module__}.{one.__qualname__}")
        elif isinstance(one, (tuple, list)):
            self._tell_all("(", one)
        elif isinstance(one, dict):
            self._tell_all("{", [*one, *one.values()])
        elif isinstance(one, (frozenset, set)):
            self._tell_set(one)
        elif id(one) in self._numbers:
            self.said.append(f"#{self._numbers[id(one)][0]}")
        else:
            self._numbers[id(one)] = len(self._numbers), one  # it is held, so that no other gets its identity
            self._tell_object(one)

    def _inside(self, text: str) -> str:
        return text.removeprefix(self._prefix)

    def _tell_all(self, begin: str, parts: Sequence[object]) -> None:
        self._count += len(parts)
        if self._count > MAXIMUM_PARTS:
            raise NotTold
        self.said.append(begin)
        for part in parts:
            if type(part) in PLAIN and type(part) is not str:
                self.said.append(repr(part))
            else:
                self.tell(part)
        self.said.append(")")

    def _tell_set(self, parts: Iterable[object]) -> None:
        """A set has no order: first what was met before, then inputs by their paths, then what says all by itself."""
        met = [part for part in parts if id(part) in self._numbers]
        new = [part for part in parts if id(part) not in self._numbers]
        inputs = [part for part in new if isinstance(part, Input)]
        others = [part for part in new if not isinstance(part, Input)]
        is_plain = all(type(part) in PLAIN for part in others) or len(others) == 1
        if len({one.path for one in inputs}) < len(inputs) or not is_plain:
            raise NotTold
        met.sort(key=lambda part: self._numbers[id(part)][0])
        inputs.sort(key=lambda one: one.path)
        self._tell_all("<", [*met, *inputs, *(sorted(others, key=repr) if len(others) > 1 else others)])

    def _tell_object(self, one: object) -> None:
        if isinstance(one, Value):
            self._tell_value(one)
        elif type(one) in NODE_TYPES:
            self._tell_op(one)
        elif isinstance(one, Function):
            self._tell_function(one)
        elif isinstance(one, FunctionValue):
            if one.given or not one.is_top_level or one.imitates is not None:
                raise NotTold
            self._tell_function(one.function)
        elif isinstance(one, ClassValue):
            if one.function.outermost is not None:
                raise NotTold
            self._tell_function(one.function)
        elif isinstance(one, Summary):
            self._tell_summary(one)
        elif isinstance(one, ImportTarget):
            self._tell_all("import", (one.path, one.rest))
        elif isinstance(one, ModuleAt):
            self.said.append(f"module {self._inside(one.path)}")
        elif isinstance(one, Anchor):
            self._tell_line(one.origin.path, one.line)
        elif isinstance(one, FunctionType) and one.__closure__ is None and "<" not in one.__qualname__:
            self.said.append(f"{one.__module__}.{one.__qualname__}")
        elif isinstance(one, partial):
            self._tell_all("partial", (one.func, one.args, one.keywords))
        elif isinstance(one, (Origin, Frame, Scope, Record)) or not (_names(type(one)) or _is_bare(type(one))):
            raise NotTold
        else:
            self._tell_data(one)

    def _tell_data(self, one: object) -> None:
        self.said.append(type(one).__name__)
        path, line = getattr(one, "path", None), getattr(one, "line", None)
        has_line = isinstance(path, str) and isinstance(line, int)
        if has_line:
            self._tell_line(str(path), int(str(line)))
        elif line is not None:
            raise NotTold
        self._tell_all("(", [getattr(one, name) for name in _names(type(one))])

    def _tell_line(self, path: str, line: int) -> None:
        """Of a line counts which others are the same."""
        self.said.append(f"{self._inside(path)} {self._lines.setdefault((path, line), len(self._lines))}")

    def _tell_value(self, value: Value) -> None:
        known = self._program.linked.globals.get(value)
        if known is not None:
            self.said.append(f"global {known[0].path} {known[1]}")
        elif value.kind not in BARE and value.made_by is None and not value.dependences:
            raise NotTold  # somebody may hold the same
        self._tell_data(value)

    def _tell_op(self, op: object) -> None:
        """An op: of the function itself by what it says, else by its place."""
        anchor = getattr(op, "anchor", None)
        parts = [getattr(op, name) for name in type(op).__slots__ if name not in PLACES]  # type: ignore[attr-defined]
        if anchor is None:
            self._tell_all(type(op).__name__, parts)
            return
        there = anchor.origin
        self.said.append(f"{type(op).__name__} {self._inside(there.path)}")
        if op not in self._own:
            line, column, end_line, end_column = unpacked(getattr(op, "place", 0))
            self.said.append(f"{there.number} {line - there.line} {column} {end_line - there.line} {end_column}")
            self._tell_line(there.path, anchor.line)
        else:
            self._tell_line(there.path, anchor.line)
            self._tell_all("(", parts)
        for table in (
            self._program.optimizers, self._program.variables, self._program.states, self._program.remembered,
            self._program.resembling,
        ):  # fmt: skip
            if op in table:
                self.tell(table[op])  # type: ignore[index]

    def _tell_function(self, function: Function) -> None:
        """A function that stands elsewhere; of one that is made in this one nothing says all."""
        origin = function.anchor.origin
        if function.outermost is self._function and function is not self._function:
            raise NotTold
        below = function.anchor.line - origin.line
        self.said.append(f"{self._inside(origin.path)} {origin.number} {function.qualname} {below}")

    def _tell_summary(self, summary: Summary) -> None:
        if summary is not self._summary:
            function, record = summary.run.function, record_of(summary)
            if function is None or record is None or record.is_specialized or record.code is not function:
                raise NotTold
            self._tell_function(function)
            return
        record = record_of(summary)
        if record is not None:
            self.tell((record.work.get(summary), record.compiled.get(summary)))
        for name in Summary.__slots__:
            if name != "run":
                self.tell(getattr(summary, name))
        run = summary.run
        self.tell((run.callees, run.reached, run.checks))


def _names(kind: type) -> tuple[str, ...]:
    """The fields of an object that is data."""
    found = NAMES.get(kind)
    if found is None:
        found = NAMES[kind] = (
            tuple(each.name for each in fields(kind) if each.name not in AFTERWARDS) if is_dataclass(kind) else ()
        )
    return found


def _is_bare(kind: type) -> bool:
    """Is it a kind of which all objects are the same?"""
    return is_dataclass(kind) or kind.__dict__.get("__slots__") == ()


NAMES: dict[type, tuple[str, ...]] = {}
