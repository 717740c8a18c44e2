"""Colours and links of a terminal."""

from __future__ import annotations

from typing import Literal, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass

Part: TypeAlias = Literal["path", "code", "gutter", "mark", "note", "title", "added", "removed"]

_COLOURS: dict[Part, str] = {
    "path": "1", "code": "1;31", "gutter": "34", "mark": "1;31", "note": "36", "title": "1;32", "added": "32",
    "removed": "31",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """Whether parts of the text have colours, and from where the addresses of rules' pages start, if anywhere."""

    is_coloured: bool = False
    docs_url: str | None = None

    def __call__(self, part: Part, text: str) -> str:
        """A part of the text in its colour."""
        return f"\033[{_COLOURS[part]}m{text}\033[0m" if self.is_coloured and text else text

    def address(self, code: str) -> str:
        """The address of a rule's page; empty if no option says where the pages are."""
        return f"{self.docs_url.rstrip('/')}/rules/{code}.html" if self.docs_url else ""

    def code(self, code: str) -> str:
        """The code of a finding, which on a terminal leads to the page of its rule."""
        return self.link(self("code", code), self.address(code))

    def link(self, text: str, address: str) -> str:
        """A text that leads to an address, by OSC 8, where there are colours."""
        return f"\033]8;;{address}\033\\{text}\033]8;;\033\\" if self.is_coloured and address else text
