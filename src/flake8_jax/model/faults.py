"""Defects of this tool itself, kept small: what raises costs the piece that was being made, is collected, and is told.

    with collecting(found.append):                          found: the fix of JAX107, line 12, ValueError: ...
        with Isolated("the fix of JAX107", path, 12):       what raises in here ends here
            fix = make()                                    and `fix` stays what it was before

A piece is as large as what can be left out without making the rest wrong: a fix, an advice, the notes of a finding; a
finding; a function, a statement, a caller (`analysis/isolation.py` puts the state of the analysis back there).  Where
nobody collects, what raises goes on: nothing is ever dropped in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field

SHOWN = 40
"""How many calls are shown of where an error was raised, the innermost ones."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A piece that was dropped, because making it raised.

    `what` was made, for `line` of the file `path`; `error` is the exception in one line, `trace` where it was raised.
    """

    what: str
    path: str
    line: int
    error: str
    trace: str = field(default="", compare=False, repr=False)


Taker: TypeAlias = Callable[[Fault], None]

_taker: ContextVar[Taker | None] = ContextVar("taker", default=None)


@contextmanager
def collecting(take: Taker) -> Iterator[None]:
    """Let what is dropped meanwhile be taken; an inner collector takes it alone."""
    held = _taker.set(take)
    try:
        yield
    finally:
        _taker.reset(held)


class Isolated:
    """Ends what raises in its body, for whoever collects it, or for `take`."""

    __slots__ = ("_line", "_path", "_take", "_what")

    def __init__(self, what: str, path: str, line: int, take: Taker | None = None) -> None:
        self._what = what
        self._path = path
        self._line = line
        self._take = take

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None or not is_contained(error):
            return False
        take = self._take or _taker.get()
        if take is not None:
            take(fault_of(error, self._what, self._path, self._line))
        return take is not None


def is_contained(error: BaseException) -> bool:
    """May an error end with the piece that raised it?

    One that ends the run may not, and where memory is out the whole file is given up, and its memory with it.
    """
    return isinstance(error, Exception) and not isinstance(error, MemoryError)


def fault_of(error: BaseException, what: str, path: str, line: int) -> Fault:
    """The fault that an error is."""
    return Fault(what, path, line, told(error), traced(error))


def told(error: BaseException) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def traced(error: BaseException) -> str:
    """Where an error was raised."""
    from traceback import format_exception

    return "".join(format_exception(type(error), error, error.__traceback__, limit=-SHOWN))
