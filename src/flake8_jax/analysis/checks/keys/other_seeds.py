"""Another number for a key that is made once more of the same one.

first = random.key(0)
again = random.key(0)       use `random.key(1)`; the next one, if there is a third, gets 2
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from functools import lru_cache

from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.positions import unpacked
from flake8_jax.syntax.source import SourceFile


@dataclass(frozen=True, slots=True)
class MadeKeys:
    """The numbers of which a file makes keys, in order, and the lines where it makes one of each.

    `gaps` are the numbers less their places: what grows there are the free numbers in between.
    """

    numbers: list[int]
    gaps: list[int]
    lines: dict[int, list[int]]

    def before(self, number: int, line: int) -> int:
        """On how many lines above another one a key is made of a number."""
        return bisect_left(self.lines.get(number, []), line)

    def free(self, number: int, which: int) -> int:
        """The first, second, ... larger number of which no key is made."""
        below = bisect_left(self.numbers, number + 1)
        return number + which + bisect_left(self.gaps, number + which + 1 - below, below) - below


@lru_cache(maxsize=8)
def _made_by(source: SourceFile, maker: str) -> MadeKeys:
    """The numbers of which a function makes keys in a file."""
    lines: dict[int, list[int]] = {}
    line, start = 1, 0
    for one in re.finditer(rf"{re.escape(maker)}\(\s*(\d+)\s*\)", source.text):
        line, start = line + source.text.count("\n", start, one.start()), one.start()
        lines.setdefault(int(one[1]), []).append(line)
    numbers = sorted(lines)
    return MadeKeys(numbers, [number - place for place, number in enumerate(numbers)], lines)


@advising(ADVICE, None)
def with_another_seed(op: Op, words: str) -> Remedy | None:
    """The remedy that makes a key of a number of which the file makes no other; None where none is written out."""
    source = op.anchor.origin.source
    layout = source.layout
    call = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return None
    (seed,), maker = call.args, layout.text(call.func)
    if not isinstance(seed, ast.Constant) or type(seed.value) is not int:
        return None
    made = _made_by(source, maker)
    other = made.free(seed.value, max(made.before(seed.value, call.lineno), 1))
    return Remedy(f"use `{maker}({other})`, or {words}", words, (layout.replaced(seed, str(other)),))
