"""Finds the line on which two runs of the same code diverge.  That is the first line after which one goes where the
other never does, or the first expression that has another static value before that.

    if isinstance(x, float):      plain: True, line 2, then 3     traced: False, line 2, then 4     they part on line 2
        return x * 2
    return x

A run is the steps from line to line in each function, taken over all of its calls, so that a body that runs three times
in one run and once in the other does not count as parting.  Values are those of calls, comparisons and subscripts, if
they are *static*: flags, numbers, functions, types.  For them the fixture is edited, each such expression e becomes
seen(number, e).  That a value is a type counts for less: a program that shows its types has not gone another way yet.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import TypeAlias

from flake8_jax.runtime.foreign import Foreign

CodeLine: TypeAlias = "tuple[str, int]"
LineSteps: TypeAlias = "dict[tuple[CodeLine, CodeLine], int]"
OUT = ("", 0)
SEEN = "__flake8_jax_seen__"


@dataclass(slots=True)
class Course:
    """The course of a run: its steps, entered functions and static values, each with its first time. Values are kept
    while it is `telling`."""

    telling: bool = False
    steps: LineSteps = field(default_factory=dict)
    entered: LineSteps = field(default_factory=dict)
    values: dict[int, list[tuple[Foreign, int]]] = field(default_factory=dict)
    _frames: list[tuple[int, CodeLine]] = field(default_factory=list)
    _clock: Iterator[int] = field(default_factory=itertools.count)

    def next(self, frame: FrameType) -> None:
        """A frame is about to run a line."""
        place = (frame.f_code.co_name, frame.f_lineno)
        if self._frames and self._frames[-1][0] == id(frame):
            self.steps.setdefault((self._frames[-1][1], place), next(self._clock))
            self._frames[-1] = (id(frame), place)
        else:
            if self._frames:
                self.entered.setdefault((self._frames[-1][1], place), next(self._clock))
            self._frames.append((id(frame), place))

    def left(self, frame: FrameType) -> None:
        """A frame has been left, or has yielded."""
        if self._frames and self._frames[-1][0] == id(frame):
            self.steps.setdefault((self._frames.pop()[1], OUT), next(self._clock))

    def seen(self, number: int, value: Foreign) -> Foreign:
        """Keep a value, if it is static, and pass it on."""
        if self.telling and (
            value is None or isinstance(value, (bool, int, float, complex, str, type)) or _is_function(value)
        ):
            kept = self.values.setdefault(number, [])
            if not any(_is_equal(value, each) for each, _ in kept):
                kept.append((value, next(self._clock)))
        return value


def parting(plain: Course, traced: Course, lines: list[int]) -> int | None:
    """The line on which two runs diverge, None if they do not; `lines` has the line of each numbered expression."""
    odd = [
        (tick, lines[number], value)
        for number, found in traced.values.items()
        for value, tick in found
        if number in plain.values and not any(_is_equal(value, each) for each, _ in plain.values[number])
    ]
    first = [(tick, line) for tick, line, value in odd if not isinstance(value, type)]
    first += _unknown(traced.steps, plain.steps)
    fewer = [
        (found[0][1], lines[number])
        for number, found in plain.values.items()
        if 0 < len(traced.values.get(number, ())) < len(found)
    ]
    entered = [
        (tick, caller[1])
        for (caller, callee), tick in plain.entered.items()
        if (caller, callee) not in traced.entered and any(caller == place for place, _ in traced.entered)
    ]
    types = [(tick, line) for tick, line, _ in odd]
    for found in (first, _unknown(plain.steps, traced.steps), entered, types, fewer):
        if found:
            return min(found)[1]
    return None


def _unknown(some: LineSteps, others: LineSteps) -> list[tuple[int, int]]:
    """The steps that only one run makes from where the other has been too: when, and from which line."""
    known = {place for place, _ in others}
    return [
        (tick, before[1]) for (before, after), tick in some.items() if before in known and (before, after) not in others
    ]


@dataclass(slots=True)
class Numbering:
    """An edit of a module that reports the values of its expressions; `lines` has the line of each number."""

    lines: list[int] = field(default_factory=list)

    def edited(self, tree: ast.Module) -> ast.Module:
        """The module with the expressions in its functions numbered and reported."""
        self.lines.clear()
        self._edit(tree, False)
        return tree

    def _edit(self, node: ast.AST, is_inside: bool) -> ast.AST:
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "pattern") or (is_function and name != "body"):
                continue
            if isinstance(value, list):
                found = [
                    self._edit(each, is_inside or is_function) if isinstance(each, ast.AST) else each for each in value
                ]
                setattr(node, name, found)
            elif isinstance(value, ast.AST):
                setattr(node, name, self._edit(value, is_inside or is_function))
        return self._numbered(node) if is_inside and isinstance(node, ast.expr) and _asks(node) else node

    def _numbered(self, node: ast.expr) -> ast.expr:
        self.lines.append(node.lineno)
        number = ast.Constant(len(self.lines) - 1)
        return ast.copy_location(ast.Call(ast.Name(SEEN, ast.Load()), [number, node], []), node)


def _asks(node: ast.expr) -> bool:
    """May this expression say what an object is?"""
    match node:
        case ast.Call() | ast.Compare() | ast.Subscript(ctx=ast.Load()):
            return True
        case ast.Attribute(attr=name, ctx=ast.Load()):
            return name.startswith("__")
    return False


def _is_equal(one: Foreign, other: Foreign) -> bool:
    if _is_function(one) and _is_function(other):
        return str(one.__qualname__) == str(other.__qualname__)
    if isinstance(one, type) and isinstance(other, type):
        return one.__qualname__ == other.__qualname__
    return type(one) is type(other) and bool(one == other or one != one)


def _is_function(value: Foreign) -> bool:
    return callable(value) and not isinstance(value, type) and isinstance(getattr(value, "__qualname__", None), str)
