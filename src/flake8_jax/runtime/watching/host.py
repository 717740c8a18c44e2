"""Observes requests to the host: clocks, entropy, environment, files, input and output.

    open("log.txt", "a")      file, by Python's audit hook
    time.time()               clock, by a stand-in for the function that notes and passes on
    print(x)                  stdout, by a stand-in for the stream

A stand-in is found by `from time import time` too, since a fixture is imported while it is in place.
"""

from __future__ import annotations

import builtins
import datetime
import functools
import logging
import os
import pdb
import random
import secrets
import sys
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import ModuleType

from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign

LEAST_GIVEN = {"asctime": 1, "ctime": 1, "gmtime": 1, "localtime": 1, "strftime": 2}
"""With so many arguments a function asks no clock: it converts what it is given."""

HostListener = Callable[[str, str], None]

FUNCTIONS: Mapping[str, tuple[tuple[ModuleType | type, tuple[str, ...]], ...]] = {
    "clock": (
        (
            time,
            (
                "time",
                "time_ns",
                "monotonic",
                "monotonic_ns",
                "perf_counter",
                "perf_counter_ns",
                "process_time",
                "process_time_ns",
                "thread_time",
                "thread_time_ns",
                "localtime",
                "gmtime",
                "ctime",
                "asctime",
                "strftime",
                "sleep",
            ),
        ),
    ),
    "entropy": (
        (os, ("urandom", "getrandom")),
        (random, ("_urandom",)),
        (uuid, ("uuid1", "uuid4")),
        (secrets, ("token_bytes", "token_hex", "token_urlsafe", "randbits", "choice", "randbelow")),
    ),
    "environment": ((type(os.environ), ("__getitem__", "__setitem__", "__delitem__")),),
    "stdin": ((builtins, ("input",)),),
}

EVENTS: Mapping[str, str] = {
    "open": "file",
    "os.chmod": "file",
    "os.link": "file",
    "os.listdir": "file",
    "os.mkdir": "file",
    "os.remove": "file",
    "os.rename": "file",
    "os.rmdir": "file",
    "os.scandir": "file",
    "os.symlink": "file",
    "os.truncate": "file",
    "os.utime": "file",
    "sqlite3.connect": "file",
    "os.putenv": "environment",
    "os.unsetenv": "environment",
    "os.exec": "process",
    "os.posix_spawn": "process",
    "os.spawn": "process",
    "os.system": "process",
    "subprocess.Popen": "process",
    "socket.bind": "network",
    "socket.connect": "network",
    "socket.getaddrinfo": "network",
    "socket.sendto": "network",
}


@contextmanager
def noting(note: HostListener) -> Iterator[None]:
    """Call `note` with a kind and a detail for each request to the host."""
    with ExitStack() as stack:
        for kind, places in FUNCTIONS.items():
            for place, names in places:
                for name in names:
                    if hasattr(place, name):
                        real = getattr(place, name)
                        stack.enter_context(changed(place, **{name: _stand_in(real, kind, note)}))
        moments, days = (datetime.datetime, ("now", "utcnow", "today")), (datetime.date, ("today",))
        stack.enter_context(changed(datetime, datetime=_dated(*moments, note), date=_dated(*days, note)))
        stack.enter_context(changed(sys, breakpointhook=_debugger("breakpoint", note)))
        stack.enter_context(changed(pdb, set_trace=_debugger("set_trace", note)))
        stack.enter_context(changed(warnings, warn=_warn(warnings.warn, note)))
        stack.enter_context(changed(logging.Logger, handle=_handle(logging.Logger.handle, note)))
        stack.enter_context(_kept_handlers())
        streams = ("stdout", "stderr", "stdin")
        stack.enter_context(changed(sys, **{name: _Stream(name, getattr(sys, name), note) for name in streams}))
        stack.enter_context(_audited(note))
        yield


def _stand_in(real: Foreign, kind: str, note: HostListener) -> Foreign:
    @functools.wraps(real)
    def call(*arguments: Foreign, **keywords: Foreign) -> Foreign:
        if len(arguments) < LEAST_GIVEN.get(real.__name__, len(arguments) + 1):
            note(kind, real.__name__)
        return real(*arguments, **keywords)

    return call


def _debugger(name: str, note: HostListener) -> Foreign:
    """A debugger that nobody sits at: it notes that it was asked for, and goes on."""

    def stop(*_: Foreign, **__: Foreign) -> None:
        note("debugger", name)

    return stop


def _dated(real: Foreign, names: tuple[str, ...], note: HostListener) -> Foreign:
    """A class of dates that notes its reading of the clock, and takes every date for one of its own."""

    class DateMeta(type(real)):  # type: ignore[misc]
        def __instancecheck__(cls, thing: object) -> bool:
            return isinstance(thing, real)

    def reading(name: str) -> Foreign:
        def read(cls: Foreign, *arguments: Foreign, **keywords: Foreign) -> Foreign:
            note("clock", name)
            return getattr(real, name)(*arguments, **keywords)

        return classmethod(read)

    return DateMeta(real.__name__, (real,), {"__module__": real.__module__, **{name: reading(name) for name in names}})


def _warn(real: Foreign, note: HostListener) -> Foreign:
    @functools.wraps(real)
    def warn(
        message: Foreign, category: Foreign = None, stacklevel: int = 1, *rest: Foreign, **keywords: Foreign
    ) -> Foreign:
        note("warning", str(message))
        return real(message, category, stacklevel + 1, *rest, **keywords)

    return warn


def _handle(real: Foreign, note: HostListener) -> Foreign:
    @functools.wraps(real)
    def handle(logger: logging.Logger, record: logging.LogRecord) -> None:
        if record.name.split(".")[0] not in ("jax", "absl"):
            try:
                text = record.getMessage()
            except Exception:
                text = str(record.msg)
            note("log", text)
        real(logger, record)

    return handle


@contextmanager
def _kept_handlers() -> Iterator[None]:
    """`logging.warning` gives the root logger a handler, for the stream that happens to be there."""
    before = list(logging.root.handlers)
    try:
        yield
    finally:
        logging.root.handlers[:] = before


class _Stream:
    """A standard stream: notes what is written; what is read from it is an endless list of ones."""

    def __init__(self, kind: str, real: Foreign, note: HostListener) -> None:
        """Stand for a real stream."""
        self._kind = kind
        self._real = real
        self._note = note

    def write(self, text: str) -> int:
        self._note(self._kind, text)
        return len(text)

    def writelines(self, lines: Foreign) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        pass

    def readline(self, size: int = -1) -> str:
        self._note(self._kind, "readline")
        return "1\n"

    def read(self, size: int = -1) -> str:
        self._note(self._kind, "read")
        return "1\n"

    def readlines(self, size: int = -1) -> list[str]:
        return [self.readline()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.readlines())

    def __getattr__(self, name: str) -> Foreign:
        return getattr(self._real, name)


_listeners: list[HostListener] = []


@contextmanager
def _audited(note: HostListener) -> Iterator[None]:
    _install_hook()
    _listeners.append(note)
    try:
        yield
    finally:
        _listeners.remove(note)


@functools.cache
def _install_hook() -> None:
    """A hook stays for the life of the process; without listeners it does nothing."""
    sys.addaudithook(_heard)


def _heard(event: str, arguments: tuple[Foreign, ...]) -> None:
    if _listeners and event in EVENTS:
        for listen in _listeners:
            listen(EVENTS[event], f"{event} {arguments[0]!r}"[:100])
