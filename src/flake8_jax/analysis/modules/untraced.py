"""Functions of a file that nobody is seen to trace, and what in them breaks once somebody does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.checks.breaking import BreaksUnderTrace, breaks_under_trace
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.record import Record
from flake8_jax.domain.effects import EventKey
from flake8_jax.ir.ops import Function, Op

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.files import File

PROGRAMS = frozenset(("main",))
"""Names of functions that are programs, which nobody traces."""


def breaking(
    file: File, records: Iterable[Record], traced: Collection[Function | None], told: Iterable[Op]
) -> Iterator[tuple[EventKey, BreaksUnderTrace]]:
    """The hazards in functions of a library's file that nobody is seen to trace, apart from lines already reported."""
    if any(unit.statement.kind == "main" for unit in file.units):
        return
    known = set(told)
    for made in dict.fromkeys(made for record in records for made in record.functions if made.is_top_level):
        function = made.function
        if function in traced or function.name in PROGRAMS or function.anchor.origin.path != file.path:
            continue
        for question, event in breaks_under_trace(made, summary_of(file.linked.program, made)):
            if question not in known and event.op not in known:
                yield (BreaksUnderTrace, question, ()), event
