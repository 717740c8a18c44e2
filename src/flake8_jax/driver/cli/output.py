"""What every subcommand writes: text as UTF-8, notes and errors in one line."""

from __future__ import annotations

import sys

CLEAN, FOUND, FAILED = 0, 1, 2


def write(text: str) -> None:
    """Write to standard output as UTF-8, whatever the locale, as flake8 does."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def note(text: str) -> None:
    """Write a note to standard error."""
    print(f"flake8-jax: note: {text}", file=sys.stderr)


def failed(message: str) -> int:
    """Write an error to standard error; gives the exit status of a wrong use."""
    print(f"flake8-jax: error: {message}", file=sys.stderr)
    return FAILED
