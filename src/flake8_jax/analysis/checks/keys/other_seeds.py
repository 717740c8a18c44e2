"""Another number for a key that is made once more of the same one.

first = random.key(0)
again = random.key(0)       use `random.key(1)`; the next one, if there is a third, gets 2
"""

from __future__ import annotations

import ast
import re
from itertools import count, islice

from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.ir.ops import Op
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.positions import unpacked


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
    made = [(int(one[1]), one.start()) for one in re.finditer(rf"{re.escape(maker)}\(\s*(\d+)\s*\)", source.text)]
    used = {number for number, _ in made}
    lines = [source.text.count("\n", 0, start) + 1 for number, start in made if number == seed.value]
    before = sum(line < call.lineno for line in lines)
    free = (number for number in count(seed.value + 1) if number not in used)
    other = next(islice(free, max(before - 1, 0), None))
    return Remedy(f"use `{maker}({other})`, or {words}", words, (layout.replaced(seed, str(other)),))
