"""Files that are written anew: in their encoding, in one step, and only if nobody else has changed them."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import tokenize
from contextlib import suppress
from pathlib import Path

from flake8_jax.syntax.source import decode


class NotFixed(Exception):
    """A file that is left as it was; the message says why."""


def encoded(text: str, like: bytes) -> bytes:
    """A text in the encoding of a file, with its byte order mark; raises `NotFixed` if the file could not be kept."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(like).readline)
        if decode(like).encode(encoding) != like:
            raise NotFixed(f"its bytes are not those of a text in {encoding}")
        return text.encode(encoding)
    except UnicodeError as error:
        raise NotFixed(str(error)) from error


def replace_file(path: str, before: bytes, after: bytes) -> None:
    """Replace the contents of a file in one step; raises `NotFixed` if it is not as it was, or cannot be written."""
    target = os.path.realpath(path)  # of a link, what it leads to
    try:
        if not os.access(target, os.W_OK):
            raise NotFixed("it cannot be written")
        handle, temporary = tempfile.mkstemp(prefix=".flake8-jax-", suffix=".tmp", dir=os.path.dirname(target))
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(after)
            shutil.copymode(target, temporary)
            if Path(target).read_bytes() != before:
                raise NotFixed("it was changed meanwhile")
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise NotFixed(error.strerror or str(error)) from error
