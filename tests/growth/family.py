"""Families of generated programs: one shape at every size, so that the work of judging it can be seen to grow.

Most are written as texts, in the files of the folder `families`:

    == chain_of_names 40 500           a family, its size where all are measured, and its size for the command
    def step(x):
        x0 = x
        | x$j = x$i + 1                these lines stand there once for each of the parts,
        return x$n                     one below the other
    def other(${p$i, }last):           and this piece within its line
        return last

`$i` is the number of a part, counted from 0, `$j` that of the next, `$n` how many there are; `$(i/2)` and `$(i+3%n)`
are computed from the left.  What stands above the first family of a file stands above each program.  A program of many
files says `-- pack/m$i.py` above each; with a `$` in it, there is such a file for each of the parts.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

Files: TypeAlias = Mapping[str, str]
"""The texts of a program by their paths."""

FILE = "program.py"

_FAMILY = re.compile(r"^== (\w+) (\d+) (\d+)\n", re.MULTILINE)
_PATH = re.compile(r"^-- (\S+)\n", re.MULTILINE)
_PIECE = re.compile(r"\$\{([^{}]*)\}")
_NUMBER = re.compile(r"\$(?:([ijn])|\(([in](?:[-+/%]\w+)+)\))")
_STEP = re.compile(r"([-+/%])(\w+)")
_COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip
_EACH = re.compile(r"^( *)\|(?: |$)")


@dataclass(frozen=True, slots=True)
class Family:
    """Programs of one shape.

    `small` is the size in the slice that always runs, if it is there, `large` the smallest of the command.
    """

    name: str
    write: Callable[[int], Files]
    small: int | None
    large: int


def read(path: Path) -> Iterator[Family]:
    """The families of a file."""
    head, *parts = _FAMILY.split(path.read_text(encoding="utf-8"))
    for name, small, large, text in zip(*(iter(parts),) * 4):
        yield Family(name, partial(written, head, text), int(small), int(large))


def written(head: str, text: str, size: int) -> Files:
    """The files of a program of a size."""
    _, *parts = _PATH.split(text)
    if not parts:
        return {FILE: f"{head}{_filled(text, size)}"}
    found: dict[str, str] = {}
    for path, body in zip(*(iter(parts),) * 2):
        for number in range(size) if "$" in path else [None]:
            found[_numbered(path, number, size)] = f"{head}{_filled(body, size, number)}" if body.strip() else ""
    return found


def _filled(text: str, size: int, number: int | None = None) -> str:
    """A text with what stands in it for each part; `number` is that of a file that is there for each part itself."""
    lines: list[str] = []
    for is_each, group in groupby(text.splitlines(), key=lambda line: _EACH.match(line) is not None):
        if is_each:
            block = [_EACH.sub(r"\1", line) for line in group]
            lines += [_numbered(line, part, size) for part in range(size) for line in block]
        else:
            lines += [_numbered(_pieced(line, size), number, size) for line in group]
    return "\n".join(lines) + "\n"


def _pieced(line: str, size: int) -> str:
    return _PIECE.sub(lambda found: "".join(_numbered(found[1], part, size) for part in range(size)), line)


def _numbered(text: str, number: int | None, size: int) -> str:
    """A text with its numbers; raises `ValueError` where one of a part stands outside of all parts."""

    def value(name: str) -> int:
        if name == "n":
            return size
        if not name.isdigit() and number is None:
            raise ValueError(f"${name} outside of a part: {text}")
        return int(name) if name.isdigit() else (number or 0) + (name == "j")

    def computed(found: re.Match[str]) -> str:
        words = found[1] or found[2]
        result = value(words[0])
        for sign, word in _STEP.findall(words):
            result = _COMPUTED[sign](result, value(word))
        return str(result)

    return _NUMBER.sub(computed, text)
