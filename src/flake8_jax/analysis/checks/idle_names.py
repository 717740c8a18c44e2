"""Names of a module that nothing in the file reads: what they are bound to is of no account yet."""

from __future__ import annotations

import re

from flake8_jax.ir.ops import Op

BOUND = re.compile(r"(\w+) = ")


def is_idle(op: Op) -> bool:
    """Does the line of an op bind a global name that stands nowhere else in the file?"""
    text = op.anchor.origin.source.text
    line = text.splitlines()[op.anchor.line - 1 : op.anchor.line]
    bound = BOUND.match(line[0]) if line else None
    return bound is not None and len(re.findall(rf"\b{bound[1]}\b", text)) == 1
