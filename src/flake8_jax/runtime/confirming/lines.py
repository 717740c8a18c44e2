"""Watches which lines run and which exceptions leave them, by `sys.monitoring`, or before Python 3.12 by a trace
function.

Only code that has a line of a target is followed.  An exception is of the innermost line of the project in its
traceback, as for the phenomenon `raises`: of one that passes through several frames, the deepest has it.

Under `sys.monitoring`, a line is told once; other tools have their own number there.  A trace function there is one
of: where another is set (a coverage tool's, a debugger's), it is left alone, and no line is watched.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import CodeType, FrameType, TracebackType

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.watching.stepping import TraceFunction

TOOL = "flake8-jax"
TAKEN = "another trace function is set, of a coverage tool or a debugger: use Python 3.12 or newer, or leave it out"

LineListener = Callable[[str, int], None]
ExceptionListener = Callable[[str, int, BaseException], None]


@dataclass(slots=True)
class LineWatch:
    """Tells of lines that run (`reached`) and of exceptions that leave them (`raised`), of the `lines` by file.

    `is_own` says whether a file is the project's.
    """

    lines: dict[str, frozenset[int]]
    is_own: Callable[[str], bool]
    reached: LineListener
    raised: ExceptionListener
    _known: dict[int, tuple[CodeType, frozenset[int]]] = field(default_factory=dict)
    _tool: int | None = None
    _is_set: bool = False

    def start(self) -> str | None:
        """Begin to watch; the reason if that is not possible."""
        if not self.lines:
            return None
        if sys.version_info >= (3, 12):
            return self._monitor()
        if sys.gettrace() is not None:
            return TAKEN
        self._is_set = True
        sys.settrace(self._entered)
        threading.settrace(self._entered)
        return None

    def renew(self) -> None:
        """Watch again if a test took the trace function away."""
        if self._is_set and sys.gettrace() is None:
            sys.settrace(self._entered)

    def stop(self) -> None:
        """Watch no longer."""
        if sys.version_info >= (3, 12) and self._tool is not None:
            sys.monitoring.set_events(self._tool, 0)
            sys.monitoring.free_tool_id(self._tool)
            self._tool = None
        if self._is_set:
            self._is_set = False
            if sys.gettrace() == self._entered:
                sys.settrace(None)
            threading.settrace(None)

    def lines_of(self, code: CodeType) -> frozenset[int]:
        """The lines of targets that stand in this code."""
        wanted = self.lines.get(code.co_filename)
        if wanted is None:
            return frozenset()
        if id(code) not in self._known:  # codes of two files may be equal, so their identity is the key
            self._known[id(code)] = code, wanted & {line for _, _, line in code.co_lines() if line is not None}
        return self._known[id(code)][1]

    def _leaves(self, path: str, line: int, error: BaseException, traceback: TracebackType | None) -> None:
        """An exception leaves a line, unless it came there from deeper code of the project."""
        while traceback is not None and (traceback := traceback.tb_next) is not None:
            if self.is_own(traceback.tb_frame.f_code.co_filename):
                return
        self.raised(path, line, error)

    if sys.version_info >= (3, 12):

        def _monitor(self) -> str | None:
            monitoring = sys.monitoring
            free = [number for number in (4, 3, 2, 5) if monitoring.get_tool(number) is None]
            if not free:
                return "every number of `sys.monitoring` is taken"
            self._tool = tool = free[0]
            events = monitoring.events
            monitoring.use_tool_id(tool, TOOL)
            monitoring.register_callback(tool, events.PY_START, self._started)
            monitoring.register_callback(tool, events.LINE, self._line)
            monitoring.register_callback(tool, events.RAISE, self._raise)
            monitoring.set_events(tool, events.PY_START | events.RAISE)
            return None

        def _started(self, code: CodeType, offset: int) -> Foreign:
            if self._tool is not None and self.lines_of(code):
                sys.monitoring.set_local_events(self._tool, code, sys.monitoring.events.LINE)
            return sys.monitoring.DISABLE

        def _line(self, code: CodeType, line: int) -> Foreign:
            if line in self.lines_of(code):
                self.reached(code.co_filename, line)
            return sys.monitoring.DISABLE

        def _raise(self, code: CodeType, offset: int, error: BaseException) -> None:
            if code.co_filename not in self.lines:
                return  # most are JAX's own
            traceback = error.__traceback__
            line = traceback.tb_lineno if traceback is not None and traceback.tb_frame.f_code is code else None
            if line is not None and line in self.lines_of(code):
                self._leaves(code.co_filename, line, error, traceback)

    def _entered(self, frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        code = frame.f_code
        return self._stepped if code.co_filename in self.lines and self.lines_of(code) else None

    def _stepped(self, frame: FrameType, event: str, argument: Foreign) -> TraceFunction | None:
        code = frame.f_code
        if frame.f_lineno in self.lines_of(code):
            if event == "line":
                self.reached(code.co_filename, frame.f_lineno)
            elif event == "exception":
                self._leaves(code.co_filename, frame.f_lineno, argument[1], argument[2])
        return self._stepped


def by_file(places: Iterable[tuple[str, Iterable[int]]]) -> dict[str, frozenset[int]]:
    """The lines of each file."""
    found: dict[str, set[int]] = {}
    for path, lines in places:
        found.setdefault(path, set()).update(lines)
    return {path: frozenset(lines) for path, lines in found.items()}
