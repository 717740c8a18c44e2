"""Colours of a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["path", "code", "gutter", "mark", "note", "title", "added", "removed"]

_COLOURS: dict[Part, str] = {
    "path": "1", "code": "1;31", "gutter": "34", "mark": "1;31", "note": "36", "title": "1;32", "added": "32",
    "removed": "31",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """Whether parts of the text have colours."""

    is_coloured: bool = False

    def __call__(self, part: Part, text: str) -> str:
        """A part of the text in its colour."""
        return f"\033[{_COLOURS[part]}m{text}\033[0m" if self.is_coloured and text else text
