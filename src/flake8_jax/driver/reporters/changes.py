"""The difference between two texts as a diff, which keeps their line ends."""

from __future__ import annotations

import os
from collections.abc import Iterator

from flake8_jax.driver.reporters.style import Part, Style
from flake8_jax.syntax.folders import path_from
from flake8_jax.syntax.source import NEWLINE

CUT_OFF = "\n\\ No newline at end of file\n"

_PARTS: dict[str, Part] = {"+": "added", "-": "removed", "@": "gutter"}


def unified(path: str, before: str, after: str, context: int = 3) -> str:
    """The unified diff of a file, with some lines around each change; empty if the texts are the same.

    `git apply` and `patch -p1` take it where the command was run.
    """
    from difflib import unified_diff

    old, new = (f"{side}/{_named(path)}" for side in "ab")
    lines = unified_diff(list(_lines(before)), list(_lines(after)), old, new, n=context, lineterm="\n")
    return "".join(line if line.endswith(("\n", "\r")) else f"{line}{CUT_OFF}" for line in lines)


def _named(path: str) -> str:
    """A path as diffs have it: from the working directory, with a tab behind one that has spaces."""
    name = path_from(path, os.getcwd()).replace(os.sep, "/")
    return f"{name}\t" if " " in name else name


def coloured(diff: str, style: Style) -> Iterator[str]:
    """The lines of a diff in their colours, each with its line end."""
    for line in _lines(diff):
        text = line.rstrip("\r\n")
        yield (style(_PARTS[text[0]], text) if text[:1] in _PARTS else text) + line[len(text) :]


def _lines(text: str) -> Iterator[str]:
    start = 0
    for match in NEWLINE.finditer(text):
        yield text[start : match.end()]
        start = match.end()
    if start < len(text):
        yield text[start:]
