"""What SIGINT (Ctrl-C) and SIGTERM do to the process of a command line, and to its worker processes.

The first signal raises `KeyboardInterrupt`, with the exit status that says so, wherever the command line is: on the way
out, worker processes are killed and temporary files and folders are removed.  The next Ctrl-C changes nothing, because
that takes no time.  Where nobody could hear of the exception (in a `__del__`, in a callback of an import), the process
ends at once.

A worker process has nothing to clean up, and dies of either signal where it stands, and with the process that started
it, whatever ended that.  What is written whole or not at all is written while both are held back.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

SIGNALS = (signal.SIGINT, signal.SIGTERM)
FATAL = 128
"""The exit status of a process that a signal ended is this and the signal's number, as a shell has it."""


def catch() -> None:
    """Make the two signals end this process in order."""
    sys.unraisablehook = _end_at_once
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as whoever started this process wants it
            signal.signal(number, _interrupt)


def let_go() -> None:
    """Have the system end this process where it stands, if either signal comes: there is nothing to clean up."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def status_of(interrupt: KeyboardInterrupt) -> int:
    """The exit status that says what ended a process."""
    return int(interrupt.args[0]) if interrupt.args else FATAL + signal.SIGINT


@contextmanager
def held() -> Iterator[None]:
    """Hold both signals back, where the system can; they come when this ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def become_worker() -> None:
    """In a process that was started with the signals held: die of them, and with the process that started it."""
    from multiprocessing import parent_process
    from threading import Thread

    let_go()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    parent = parent_process()
    if parent is not None:
        Thread(target=_follow, args=(parent.join,), daemon=True).start()


def _follow(wait: Callable[[], None]) -> NoReturn:
    """End this process when the other one ends."""
    wait()
    os._exit(FATAL)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise KeyboardInterrupt(FATAL + number)


def _end_at_once(ignored: UnraisableHookArgs) -> None:
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        os._exit(status_of(ignored.exc_value))
    sys.__unraisablehook__(ignored)
