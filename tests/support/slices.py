"""The part of a long run that stands for the whole: another one after every change, the same one for the same files."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
ROOT = Path(__file__).parents[2]


def part(number: int) -> str:
    """A part such as `2/6`, as `verify --part` has it; `FLAKE8_JAX_PART=1/1` runs the whole."""
    return os.environ.get("FLAKE8_JAX_PART", f"{1 + digest() % number}/{number}")


def of(items: Sequence[T], number: int) -> Sequence[T]:
    """One in so many of some items, by the same part."""
    first, step = map(int, part(number).split("/"))
    return items[first - 1 :: step]


@cache
def digest() -> int:
    """A number that depends on the texts of the package and of the fixtures."""
    files = sorted((*ROOT.glob("src/**/*.py"), *ROOT.glob("fixtures/**/*.py")))
    found = 0
    for file in files:
        found = zlib.crc32(file.read_bytes(), found)
    return found
