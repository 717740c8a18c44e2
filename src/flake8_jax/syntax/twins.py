"""Stands in for Python's own tree where the running Python cannot parse a file that libcst can.

One code generation over the whole module tells where each statement, header, decorator, handler and case begins
and ends; the stand-ins have the fields of `ast` nodes that lowering and positions read, columns in UTF-8 bytes included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import libcst as cst


class Twin:
    """A stand-in for an `ast` node: its place, and the blocks and parts that it holds."""

    def __init__(self, place: tuple[int, int, int, int], **parts: Any) -> None:
        self.lineno, self.col_offset, self.end_lineno, self.end_col_offset = place
        self.__dict__.update(parts)


def stand_in(module: cst.Module) -> Twin:
    """A stand-in for the whole file."""
    raise NotImplementedError
