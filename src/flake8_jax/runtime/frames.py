"""Locates the program under observation: the fixture's lines on the Python stack.

    case       line 12   c()              chain: (12, 5)
    helper     line 5    normal(key)      line: 5
    jax        ...       _check_prng_key

What jax itself does on a fixture's behalf later, in a callback say, has no line.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from types import FrameType, TracebackType

LIBRARIES = ("jax", "jaxlib", "flax", "equinox", "haiku", "optax")


def stack(path: str, frame: FrameType | None = None) -> tuple[FrameType, ...]:
    """The fixture's frames on the stack, the outermost first."""
    frame = frame or sys._getframe(1)
    found: list[FrameType] = []
    while frame is not None:
        if frame.f_code.co_filename == path:
            found.append(frame)
        frame = frame.f_back
    return tuple(reversed(found))


def chain(path: str, frame: FrameType | None = None) -> tuple[int, ...]:
    """The lines of the fixture's frames on the stack, the outermost first."""
    return tuple(found.f_lineno for found in stack(path, frame or sys._getframe(1)))


def line(path: str, frame: FrameType | None = None) -> int | None:
    """The line of the fixture's innermost frame."""
    frame = frame or sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == path:
            return frame.f_lineno
        frame = frame.f_back
    return None


def own_line(path: str, frame: FrameType | None = None) -> int | None:
    """The line of the fixture's innermost frame, unless frames of JAX or of a library on it are deeper."""
    frame = frame or sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if name == path:
            return frame.f_lineno
        if _is_library(name):
            return None
        frame = frame.f_back
    return None


def error_chain(path: str, error: BaseException) -> tuple[int, ...]:
    """The fixture's lines in an exception's traceback, the outermost first."""
    lines: list[int] = []
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    return tuple(lines)


@lru_cache(maxsize=4096)
def _is_library(filename: str) -> bool:
    _, found, tail = filename.replace("\\", "/").rpartition("-packages/")
    return bool(found) and tail.split("/")[0] in LIBRARIES
