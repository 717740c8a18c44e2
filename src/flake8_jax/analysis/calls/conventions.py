"""Methods of libraries' objects that use up a key by convention, whatever else they do.

d = distrax.Normal(0.0, 1.0)            an object of distrax, which inherits `sample(*, seed)`
d.sample(seed=key)                      `key` is used up
hk.transform(net).init(key, x)          so it is by what a transform makes of a function
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.calls.results import result_of
from flake8_jax.analysis.checks.keys.initial_values import has_constant_parameters
from flake8_jax.analysis.checks.keys.uses import consume
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import INITIALIZERS
from flake8_jax.analysis.objects.invalidation import invalidate
from flake8_jax.analysis.objects.parameters import pairs
from flake8_jax.domain.resources import ByFunction
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op


def by_convention(
    frame: Frame, op: Op, base: Value, classes: Iterable[str], name: str, arguments: Arguments
) -> Value | None:  # fmt: skip
    """The result of a method that uses up a key; None if no class has one of this name."""
    row = next((row for class_ in classes if (row := frame.program.table.using_keys(class_, name)) is not None), None)
    if row is None:
        return None
    is_drawn_from = name not in INITIALIZERS or not has_constant_parameters(base)
    for parameter, value, source in pairs(row, arguments):
        if parameter.key == "sink" and is_drawn_from:
            for entry in (frame.live().contents(value).entries or {"": value}).values():
                consume(frame, entry, op, source, callee_text(op, _short(row.name)), means=ByFunction(row.name))
        elif parameter.key != "sink":
            invalidate(frame, value)
    invalidate(frame, base)
    return result_of(frame, op, row, arguments, frame.ambient)


def _short(name: str) -> str:
    """The name of a method, of a class where its instance is called."""
    head, _, last = name.rpartition(".")
    return last if last != "__call__" else head.rpartition(".")[2]
