"""Runs a function in a forked child process and sends its result or exception back over a pipe.  Whatever the function
does to its process stays there.

    in_child(lambda: jax.devices()[0].platform, seconds=30)       "cpu"; the parent still has no backend
    in_child(lambda: os.abort(), seconds=30)                      Died: the child was killed by SIGABRT

The child leaves by `os._exit`: nothing that the parent wanted done at its own end (atexit, finally, buffered output) is
done twice.  It stands in a session of its own, so that what it starts ends with it.  A process whose JAX backend runs
has threads that a fork would lose: there, and on systems that cannot fork, nothing is run.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NoReturn, TypeAlias, TypeVar

from flake8_jax.runtime.sightings import Unsupported

T = TypeVar("T")
Error: TypeAlias = "tuple[BaseException, tuple[int, ...]]"
STANDARD = (0, 1, 2)

_inside = False


class Died(Exception):
    """The child ended without an answer: a signal, or an exit; the message says which."""


class TooLate(Exception):
    """The child did not answer in time, and was killed."""


class Raised(Exception):
    """An exception of the child that cannot be pickled; the message is its traceback."""


def in_child(task: Callable[[], T], *, seconds: float) -> T:
    """Run `task` in a forked child and return its result; what it raises there is raised here.

    Results are pickled.  Raises `Died` or `TooLate` if no answer comes, `Unsupported` where forking is not safe.
    """
    _require_fork()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX and Python warn of forks: no backend has been started
        child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(task, writing)
    os.close(writing)
    try:
        answer = _received(reading, time.monotonic() + seconds)
    except BaseException:
        _end(child)
        raise
    finally:
        os.close(reading)
    if answer is None:
        _end(child)
        raise TooLate(f"no answer in {seconds:g} s")
    status = os.waitpid(child, 0)[1]
    _kill(child)
    try:
        value, error = pickle.loads(answer)
    except (EOFError, pickle.UnpicklingError):  # nothing, or the beginning of an answer
        raise Died(_how(status)) from None
    if error is not None:
        raise error
    return value  # type: ignore[no-any-return]


def portable(errors: Iterable[Error]) -> list[Error]:
    """Errors in a form that can be pickled. Those that cannot are reduced to name and message."""
    return [(error if _is_portable(error) else _renamed(error), chain) for error, chain in errors]


def _is_portable(error: BaseException) -> bool:
    try:
        return type(pickle.loads(pickle.dumps(error))) is type(error)
    except Exception:
        return False


def _renamed(error: BaseException) -> BaseException:
    return Raised(f"{type(error).__name__}: {error}")


def _require_fork() -> None:
    from flake8_jax.runtime import compat

    if not hasattr(os, "fork"):
        raise Unsupported("this system cannot fork a process")
    if "jax" in sys.modules and compat.backend_is_started():
        raise Unsupported("a process whose JAX backend is started cannot be forked")


def _answer(task: Callable[[], T], writing: int) -> NoReturn:
    """In the child: run the task, send what comes of it, and leave."""
    global _inside
    try:
        if not _inside:  # a child's child stays in its group
            os.setsid()
        _inside = True
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        _mute()
        data = _sealed(task)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)


def _mute() -> None:
    faulthandler.disable()  # it may know another way out
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in STANDARD:
        os.dup2(nowhere, number)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  they last as long as the child
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _sealed(task: Callable[[], T]) -> bytes:
    try:
        return pickle.dumps((task(), None))
    except BaseException as error:
        return _sealed_error(error)


def _sealed_error(error: BaseException) -> bytes:
    if _is_portable(error):
        return pickle.dumps((None, error))
    return pickle.dumps((None, Raised("".join(traceback.format_exception(type(error), error, error.__traceback__)))))


def _received(reading: int, deadline: float) -> bytes | None:
    """All that the child wrote, None if time ran out."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return None
        part = os.read(reading, 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _end(child: int) -> None:
    """Kill the child and what it started."""
    _kill(child)
    try:
        os.kill(child, signal.SIGKILL)
    finally:
        os.waitpid(child, 0)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # empty, or never its own
        os.killpg(group, signal.SIGKILL)


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"the child was killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"the child left with status {os.WEXITSTATUS(status)} and no answer"
