"""Counts lines and columns while libcst writes syntax nodes back as text.

libcst's native parser tells no positions; they come from writing: every node hands its tokens to a state, which here
only counts.  The class that does so is made on demand, so that libcst is not imported before it has something to write.
"""

from __future__ import annotations

from functools import cache
from typing import Any

OWN_PARENTHESES = frozenset({"GeneratorExp", "MatchTuple", "Tuple"})
"""The nodes to which `ast` counts their innermost parentheses."""


def opening(node: Any) -> Any:
    """What begins where `ast` says that a node begins: the node, or the parenthesis that belongs to it."""
    return node.lpar[-1] if type(node).__name__ in OWN_PARENTHESES and node.lpar else node


class Counter:
    """The part of a libcst `CodegenState` that counts; `line` from 1, `column` in characters from 0."""

    line = 1
    column = 0

    def add_token(self, value: str) -> None:
        """Move behind a token."""
        if "\n" in value or "\r" in value:
            lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.line += len(lines) - 1
            self.column = len(lines[-1])
        else:
            self.column += len(value)

    def pop_trailing_newline(self) -> None:
        """Nothing is kept that could be taken back."""


@cache
def state_class(counter: type[Counter]) -> Any:
    """A kind of counter as a libcst state."""
    from libcst._nodes.internal import CodegenState

    return type(counter.__name__, (counter, CodegenState), {})
