"""The headers of the blocks around a line, by indentation: found in one pass over a file for all that ask.

if a:
    x = 1
else:           the headers around `y`: `else`, and `if a`, whose arm it is
    y = 2
"""

from __future__ import annotations

from functools import lru_cache

from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.source import SourceFile

OPENING = compiled(r"(if|elif|else|while|with|case)\b")
CLOSING = ("#", ")")
"""How lines begin that stand in a block whatever their indentation is."""

NOWHERE = -1


def headers_around(source: SourceFile, line: int, first: int) -> list[str]:
    """The headers around a line that stand on no line before the first: of an `else`, those of the other arms too."""
    outer, arms = _above(source)
    own = source.lines[line - 1].lstrip()
    found, at = [_header(own)] if OPENING.match(own) else [], outer[line - 1]
    while at >= first - 1:
        text = source.lines[at].lstrip()
        opening = OPENING.match(text)
        found += [_header(text)] if opening is not None else []
        is_arm = opening is not None and opening[1] in ("else", "elif")
        at = arms[at] if is_arm and arms[at] != NOWHERE else outer[at]
    return found


def _header(text: str) -> str:
    return text.partition(":")[0]


@lru_cache(maxsize=2)
def _above(source: SourceFile) -> tuple[list[int], list[int]]:
    """For each line, counted from 0: the last line before it that is less indented, and in its block the last `if` or
    `elif` of the same indentation.
    """
    outer, arms = [], []
    open_blocks: list[tuple[int, int, int]] = []
    for number, line in enumerate(source.lines):
        text = line.lstrip()
        indent = len(line) - len(text)
        around = len(open_blocks)
        while around and open_blocks[around - 1][0] >= indent:
            around -= 1
        is_met = around < len(open_blocks) and open_blocks[around][0] == indent
        arm = open_blocks[around][2] if is_met else NOWHERE
        outer.append(open_blocks[around - 1][1] if around else NOWHERE)
        arms.append(arm)
        if text and not text.startswith(CLOSING):
            opening = OPENING.match(text)
            is_test = opening is not None and opening[1] in ("if", "elif")
            open_blocks[around:] = [(indent, number, number if is_test else arm)]
    return outer, arms
