"""Files that are written anew: in their encoding, in one step, and only if nobody else has changed them."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import tokenize
from contextlib import suppress
from pathlib import Path

from flake8_jax.syntax.source import SourceFile, decode


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


def rewritten(source: SourceFile, text: str, data: bytes) -> bytes:
    """The contents of a file after a change of the text that was read of it: of a notebook, whose text is made of its
    cells, those alone are changed.  Raises `NotFixed`.
    """
    if source.cells is None:
        mark = decode(data)[:1] if decode(data).startswith("\ufeff") else ""
        return encoded(mark + text, data)
    from flake8_jax.syntax.notebooks import CellsLost, written

    raw = decode(data)
    try:
        return encoded(written(raw, text), data)
    except CellsLost as error:
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
