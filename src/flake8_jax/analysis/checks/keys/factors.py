"""Whether what is drawn counts: not if a factor of it is 0, or if a layer is told to have no noise.

x + scale * sqrt(dt) * normal(key)          a use of the key if `scale` is not 0: callers decide
drop(x, key=key, inference=inference)       one if `inference` is false
nn.Dropout(0.0)(x, key=key)                 none
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import RATES, WITHOUT_NOISE
from flake8_jax.analysis.objects.narrowing import implied_facts, peek
from flake8_jax.domain.conditions import Fact, Path
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import OBJECT
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op

DROPOUT = ".Dropout"
"""How the names of layers end that only drop."""


def if_counted(frame: Frame, draw: Op) -> Path | None:
    """The path on which what a library draws counts, as far as callers decide; None if it never does."""
    facts: list[Fact] = []
    conditions = [(factor, True) for factor in _factors(frame, draw)]
    for name, option in dict(_options(frame, draw)).items():
        if type(option) is ops.Const:
            if option.value is WITHOUT_NOISE.get(name) or (name in RATES and option.value == 0):
                return None
        elif name in WITHOUT_NOISE:
            conditions.append((option, not WITHOUT_NOISE[name]))
    for asked, holds in conditions:
        value = peek(frame, asked)
        if value is not None and value.input is not None and value.constant is OPEN:
            facts += implied_facts(frame, Fact("truth", value.original, None, holds))
    return tuple(facts)


def _options(frame: Frame, draw: Op) -> Iterator[tuple[str, Op]]:
    """The options of a layer: constants where it was made, and those of the call, which count more."""
    if type(draw) is not ops.Call:
        return
    layer = peek(frame, draw.func) if isinstance(draw.func, (ops.Name, ops.Attr)) else None
    made_by = layer.made_by if layer is not None and layer.kind is OBJECT else draw.func
    if type(made_by) is ops.Call and imported_name(made_by.func).endswith(DROPOUT):
        given = [*zip(RATES, made_by.args[:1], strict=False), *made_by.keywords]
        yield from ((name, option) for name, option in given if name is not None and type(option) is ops.Const)
    yield from ((name, option) for name, option in draw.keywords if name in WITHOUT_NOISE)


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
