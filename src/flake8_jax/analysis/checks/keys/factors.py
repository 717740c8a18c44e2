"""Factors of noise that may be 0, so that nobody sees what is drawn.

x + scale * sqrt(dt) * normal(key)          a use of the key if `scale` is not 0: callers decide
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import implied_facts, peek
from flake8_jax.domain.conditions import Fact, Path
from flake8_jax.domain.constants import OPEN
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op


def if_counted(frame: Frame, draw: Op) -> Path:
    """The path on which no factor of what is drawn is 0, as far as callers decide."""
    facts: list[Fact] = []
    for factor in _factors(frame, draw):
        value = peek(frame, factor)
        if value is not None and value.input is not None and value.constant is OPEN:
            facts += implied_facts(frame, Fact("truth", value.original, None, True))
    return tuple(facts)


def _factors(frame: Frame, draw: Op) -> Iterator[Op]:
    """The names and attributes by which what is drawn is multiplied at once."""
    parents = chains_of(frame.function).parents
    below, waiting = draw, list[Op]()
    while type(around := parents.get(below)) is ops.Operate and around.operator == "*":
        waiting += [one for one in around.operands if one is not below]
        below = around
    for one in waiting:  # grows while it is gone through
        if type(one) is ops.Operate and one.operator == "*":
            waiting += one.operands
        elif type(one) in (ops.Name, ops.Attr):
            yield one
