"""The code of a text: what is left of it without its comments, on the same lines.

    scale = 2  # of the weights         scale = 2
    # nothing else is kept
    names = "#"                         names = "#"

Strings are told from comments by a pattern, not by Python's tokenizer, which takes a hundred times as long.  Where the
pattern may be wrong, and where a comment says something to the analysis (it divides the cells of a notebook, it states
requirements), there is no code apart from the text.
"""

from __future__ import annotations

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.magics import MARK

_PIECE = compiled(
    r'"""[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"""' + r"|'''[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"' + r"|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'" + r"|#[^\n]*"
)
"""A string or a comment."""

_TELLING = compiled(rf"%%|In\[|///|jupytext|get_ipython|{MARK}")
"""What stands in comments that say something to the analysis."""


@dataclass(frozen=True, slots=True)
class CodeText:
    """The text without its comments, and the numbers of the lines that begin inside of a string.

    `is_apart`: comments and empty lines were told from the rest; else the text is the whole one.
    """

    text: str
    inside: frozenset[int]
    is_apart: bool

    def lines_of(self, first: int, last: int, lines: list[str]) -> list[str]:
        """The lines from one to another that hold something, given all lines of the text."""
        kept = list[str]()
        for number in range(first, last + 1):
            line = lines[number - 1]
            is_empty = not line or line.isspace()
            if not is_empty or number in self.inside or (number > first and lines[number - 2].endswith("\\")):
                kept.append(line)
        return kept


def code_of(text: str) -> CodeText:
    """The code of a text."""
    whole = CodeText(text, frozenset(), is_apart=False)
    if "\r" in text or text.startswith("#!"):
        return whole
    kept, inside, last, line = list[str](), set[int](), 0, 1
    for match in _PIECE.finditer(text):
        start, end = match.span()
        line += text.count("\n", last, start)
        kept.append(text[last:start])
        piece = match[0]
        if piece[0] == "#":
            if _TELLING.search(piece) is not None:
                return whole
            kept[-1] = kept[-1].rstrip(" \t")
        else:
            if "{" in piece and not _is_whole(text, start, piece):
                return whole
            kept.append(piece)
            below = piece.count("\n")
            inside.update(range(line + 1, line + below + 1))
            line += below
        last = end
    kept.append(text[last:])
    return CodeText("".join(kept), frozenset(inside), is_apart=True)


def _is_whole(text: str, start: int, piece: str) -> bool:
    """Is a string no part of one that goes on after the quotes of a string inside it, as in `f"{d["#"]}"`?"""
    is_formatted = start > 0 and text[start - 1] in "fFtTrR"
    return not is_formatted or piece.count("{") == piece.count("}")
