"""A family of generated programs: the same shape at every size, so that the work of judging it can be seen to grow.

A family writes the files of its program of a given size.  What varies with the size stands in `each`; size 0 is what
every size has around it, and is subtracted from what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import TypeAlias

Files: TypeAlias = Mapping[str, str]
"""The texts of a program by their paths."""

FILE = "program.py"


@dataclass(frozen=True, slots=True)
class Family:
    """Programs of one shape.  `small` is its size in the slice that always runs, if it is there, `large` in the command."""

    name: str
    write: Callable[[int], Files]
    small: int | None
    large: int


FAMILIES: dict[str, Family] = {}
"""All families by name; the modules of `tests.growth.families` fill it."""


def family(small: int, large: int) -> Callable[[Callable[[int], str]], Callable[[int], str]]:
    """Make a family of a function that writes the only file of a program; its name is the function's."""

    def made(write: Callable[[int], str]) -> Callable[[int], str]:
        add(write.__name__, lambda size: {FILE: write(size)}, small, large)
        return write

    return made


def folder(small: int, large: int) -> Callable[[Callable[[int], Files]], Callable[[int], Files]]:
    """Make a family of a function that writes all files of a program."""

    def made(write: Callable[[int], Files]) -> Callable[[int], Files]:
        add(write.__name__, write, small, large)
        return write

    return made


def add(name: str, write: Callable[[int], Files], small: int | None, large: int) -> None:
    """Make a family; `small` is None for one that the command alone measures."""
    if name in FAMILIES:
        raise ValueError(f"two families are called {name}")
    FAMILIES[name] = Family(name, write, small, large)


def each(size: int, line: Callable[[int], str], depth: int = 0) -> str:
    """What a program says once for each of its parts, one below the other, as deep as the code around it."""
    return indent("\n".join(dedent(line(number)).strip("\n") for number in range(size)), "    " * depth)


def text(*parts: str) -> str:
    """A file of some pieces; one that begins with a new line is written as deep as the code around it."""
    return "\n".join(dedent(part).strip("\n") if part.startswith("\n") else part for part in parts) + "\n"
