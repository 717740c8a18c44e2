"""What every subcommand writes: text as UTF-8; notes, warnings and errors in one line each."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO

from flake8_jax.driver.interrupts import held

CLEAN, FOUND, FAILED = 0, 1, 2


class NotWritten(Exception):
    """Standard output takes no more; the message says why."""


class FileNotWritten(Exception):
    """A file takes nothing; the message says which and why."""


class WrongUse(Exception):
    """A command line that cannot be run; the message names the mistake."""


def write(text: str) -> None:
    """Write to standard output as UTF-8, whatever the locale, as flake8 does; raises `NotWritten`."""
    write_bytes(encoded(text))


def encoded(text: str) -> bytes:
    """Text as UTF-8.  Names of files are what they are on the disk; what is no text in them is escaped."""
    try:
        data = text.encode("utf-8", "surrogateescape")  # under a locale of ASCII, names in UTF-8 are so escaped
        data.decode("utf-8")
    except UnicodeError:
        data = text.encode("utf-8", "backslashreplace")
    return data


def write_bytes(data: bytes) -> None:
    """Write to standard output; raises `NotWritten`."""
    if sys.stdout is None:
        raise NotWritten("it is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise NotWritten(error.strerror or str(error)) from error


def write_file(path: str, data: bytes) -> None:
    """Write a file, whole even if the run is interrupted; raises `FileNotWritten`."""
    is_file = os.path.isfile(path) or not os.path.exists(path)
    try:
        with held() if is_file else nullcontext():  # else it may be a pipe that nobody reads
            Path(path).write_bytes(data)
    except OSError as error:
        raise FileNotWritten(f"{path} cannot be written: {error.strerror or error}") from error


def flush() -> None:
    """Write what others left to be written; raises `NotWritten`."""
    if sys.stdout is not None:
        write("")


def drop() -> None:
    """Let go of what standard output did not take, so that the interpreter does not try again at its end."""
    _drop(sys.stdout)


def _drop(stream: TextIO | None) -> None:
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(text: str) -> None:
    """Write a line to standard error, if there is one that takes it."""
    try:
        if sys.stderr is not None:
            print(text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def note(text: str) -> None:
    """Say what a user may want to know."""
    _say_as("note", text)


def warn(text: str) -> None:
    """Say why a run may not be what its user thinks."""
    _say_as("warning", text)


def failed(message: str) -> int:
    """Say what is wrong; gives the exit status of a wrong use."""
    _say_as("error", message)
    return FAILED


def _say_as(what: str, text: str) -> None:
    line = text.replace("\n", "\\n").replace("\r", "\\r")
    say(f"flake8-jax: {what}: {line}")
