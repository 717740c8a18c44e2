"""Follows a fixture line by line with Python's trace function, before and after each line.

    def f(x):          line 1      next(frame) before each line, ran(line) after it; what `_g` does is told
        y = _g(x)      line 2      of its own lines, and the rest of line 2 of line 2 again:
        LOG.append(y)  line 3      ran(1), next(2), [ran(2), _g's lines], ran(2), next(3), ran(3)

Only frames of the fixture's file are followed.  JAX runs host callbacks in threads of its own, where Python's trace
function is not set: `following_callbacks` wraps what fixtures give to the public callback functions.  The trace
function that was there (a debugger's, a coverage tool's) is put back.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TypeAlias

from flake8_jax.runtime import compat
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign

TraceFunction: TypeAlias = "Callable[[FrameType, str, Foreign], TraceFunction | None]"

CALLBACKS = (
    ("jax.debug", "callback"),
    ("jax", "pure_callback"),
    ("jax.experimental", "io_callback"),
)

Ran = Callable[["int | None"], None]
Next = Callable[[FrameType], None]


@dataclass(slots=True)
class Stepper:
    """Callbacks for when a line has run (`ran`), before a line runs (`next`), and when a frame is left."""

    path: str
    ran: Ran | None = None
    next: Next | None = None
    left: Next | None = None
    _local: threading.local = field(default_factory=threading.local)

    @contextmanager
    def following(self) -> Iterator[None]:
        """Follow the code that this thread runs, and its callbacks."""
        global _active
        other, _active = _active, self
        try:
            with traced_by(self._entered):
                yield
        finally:
            _active = other

    @property
    def line(self) -> int | None:
        """The current line of this thread's innermost frame of the fixture."""
        stack = self._stack
        return stack[-1][1] if stack else None

    @property
    def is_in_generator(self) -> bool:
        """Is this thread's innermost frame of the fixture a generator's, advanced by its caller?"""
        stack = self._stack
        return bool(stack) and bool(stack[-1][0].f_code.co_flags & inspect.CO_GENERATOR)

    @property
    def _stack(self) -> list[tuple[FrameType, int | None]]:
        found: list[tuple[FrameType, int | None]] | None = getattr(self._local, "stack", None)
        if found is None:
            found = self._local.stack = []
        return found

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Attribute the code that this thread runs for a while to no line. Frames entered meanwhile have their own
        lines."""
        self._tell()
        self._stack.append((sys._getframe(), None))
        try:
            yield
        finally:
            self._tell()
            self._stack.pop()

    def _tell(self) -> None:
        if self.ran is not None:
            self.ran(self.line)

    def _entered(self, frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        if frame.f_code.co_filename != self.path:
            return None
        self._tell()
        self._stack.append((frame, frame.f_lineno))
        return self._stepped

    def _stepped(self, frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        stack = self._stack
        if not stack or stack[-1][0] is not frame:  # a generator into which an exception was thrown
            stack.append((frame, frame.f_lineno))
        if event == "line":
            self._tell()
            stack[-1] = (frame, frame.f_lineno)
            if self.next is not None:
                self.next(frame)
        elif event == "return":
            self._tell()
            stack.pop()
            if self.left is not None:
                self.left(frame)
        return self._stepped


_active: Stepper | None = None


@contextmanager
def traced_by(entered: TraceFunction) -> Iterator[None]:
    """Set Python's trace function in this thread for a while."""
    before = sys.gettrace()
    sys.settrace(entered)
    try:
        yield
    finally:
        sys.settrace(before)


@contextmanager
def following_callbacks() -> Iterator[None]:
    """Let steppers follow the callbacks given to JAX, in whatever thread they run."""
    known: dict[int, tuple[Foreign, Foreign]] = {}
    with ExitStack() as stack:
        for home, name in CALLBACKS:
            place = sys.modules[home]
            stack.enter_context(changed(place, **{name: _with_followed(getattr(place, name), known)}))
        yield


def _with_followed(real: Foreign, known: dict[int, tuple[Foreign, Foreign]]) -> Foreign:
    """A callback function of JAX that follows what it is given, and returns when that has run, unless it is traced."""
    import jax

    @functools.wraps(real)
    def give(callback: Foreign, *arguments: Foreign, **keywords: Foreign) -> Foreign:
        if id(callback) not in known:
            known[id(callback)] = (callback, _followed(callback))
        value = real(known[id(callback)][1], *arguments, **keywords)
        if _active is not None and not compat.is_tracing():
            jax.block_until_ready(value)  # type: ignore[no-untyped-call]
            jax.effects_barrier()  # type: ignore[no-untyped-call]
        return value

    return give


def _followed(callback: Foreign) -> Foreign:
    @functools.wraps(callback, assigned=("__name__", "__qualname__", "__doc__"), updated=())
    def run(*arguments: Foreign, **keywords: Foreign) -> Foreign:
        if _active is None:
            return callback(*arguments, **keywords)
        with _active.aside(), _active.following():
            return callback(*arguments, **keywords)

    return run
