"""Constant folding, within limits: what raises or becomes too large is not known.

A program may compute anything from its constants, and the analysis follows it without failing and without taking long:

    range(1, 2, 3, 4)       raises: OPEN
    x = (x, x)              forty times over: a tuple of which the parts are not known
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flake8_jax.domain.value import CONTAINERS, OPEN

LARGE = 1 << 64
MOST_PARTS = 1 << 16
DEEPEST = 32

Parts = TypeVar("Parts", bound="tuple[Any, ...] | dict[Any, Any]")


def fold(compute: Callable[..., Any], *constants: Any) -> Any:
    """The result of a computation with constants; `OPEN` if one is open or large, or if Python raises."""
    for constant in constants:
        if constant is OPEN or (type(constant) is int and not -LARGE < constant < LARGE):
            return OPEN
    try:
        return compute(*constants)
    except Exception:  # whatever the program does wrong is its own business
        return OPEN


def spelled(constant: object) -> str:
    """The text of a constant; dots for a large one."""
    text = fold(repr, constant)
    return "..." if text is OPEN else text


def bounded(parts: Parts) -> Parts | None:
    """The parts of a container; None if they are too many, or nested too deep."""
    return parts if _left(parts, MOST_PARTS, DEEPEST) >= 0 else None


def _left(parts: Any, room: int, depth: int) -> int:
    """How many parts there is room for behind these; negative if these are too many."""
    room -= len(parts)
    if room < 0 or not depth:
        return -1
    for part in parts.values() if isinstance(parts, dict) else parts:
        if part.parts and part.kind in CONTAINERS:
            room = _left(part.parts, room, depth - 1)
            if room < 0:
                break
    return room
