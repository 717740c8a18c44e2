"""Formats of numbers in texts: `"%.2f" % x` and `"{:.2f}".format(x)` need values, `%s` and `{}` do not."""

from __future__ import annotations

from string import Formatter

from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.kinds import CONTAINERS
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_patterns import compiled

PERCENT = compiled(r"%(?:\(\w+\))?[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?([a-zA-Z%])")
NUMERIC = frozenset("diouxXeEfFgGc")


def need_numbers(frame: Frame, text: str, value: Value, op: ops.Operate) -> None:
    """Require that what `%` puts into a text as a number is concrete."""
    if frame.context.is_output:
        return
    wanted = [found for found in PERCENT.findall(text) if found != "%"]
    source = op.operands[1]
    if value.kind not in CONTAINERS:
        if wanted and wanted[0] in NUMERIC:
            need_concrete(frame, value, source, "format", op)
        return
    places = source.parts if type(source) is ops.Build else ()
    for letter, part, place in zip(wanted, value.elements or (), places, strict=False):
        if letter in NUMERIC:
            need_concrete(frame, part, place, "format", op)


def need_formatted(frame: Frame, text: str, values: tuple[Value, ...], sources: tuple[Op | None, ...], op: Op) -> None:
    """Require that what `str.format` puts into a text by a format specification is concrete."""
    if frame.context.is_output:
        return
    try:
        fields = [(name, spec) for _, name, spec, conversion in Formatter().parse(text) if name is not None]
    except ValueError:
        return
    for number, (name, spec) in enumerate(fields):
        place = int(name) if name.isdigit() else number if not name else len(values)
        if spec and place < len(values):
            source = sources[place] if place < len(sources) else None
            need_concrete(frame, values[place], source or op, "format", op)
