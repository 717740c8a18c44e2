"""Python as text: decoded, divided into lines, parsed by Python's own parser."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings

from flake8_jax.lazy_patterns import compiled

NEWLINE = compiled(r"\r\n|\r|\n")


class Unreadable(Exception):
    """A file that cannot be read as text, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def decode(data: bytes) -> str:
    """Decode a Python file by its byte order mark or its PEP 263 cookie; newlines are preserved."""
    try:
        head = data.replace(b"\0", b" ")  # which Python's parser refuses, and since 3.14 `detect_encoding` does, too
        encoding, _ = tokenize.detect_encoding(io.BytesIO(head).readline)
        return data.decode(encoding)
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise Unreadable(str(error)) from error


def parsed(text: str) -> ast.Module | None:
    """The tree of Python's own parser; None if it cannot parse the text."""
    try:
        return parse_quietly(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parse_quietly(text: str) -> ast.Module:
    """The tree of Python's own parser, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape is another linter's business
        return ast.parse(text)
