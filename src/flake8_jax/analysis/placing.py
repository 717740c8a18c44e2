"""Where reported ops stand: their statement is lowered once more, this time with its syntax nodes.

Ops outlive the trees they are made of, since other files call what they define.  The few that are reported are found
again by counting: the same statement lowered twice gives the same ops in the same order.
"""

from __future__ import annotations

from flake8_jax.analysis.files import File, Unit
from flake8_jax.diagnostic import Span
from flake8_jax.ir.invariants import walk
from flake8_jax.ir.ops import Op
from flake8_jax.ir.scope import Scope
from flake8_jax.syntax import positions
from flake8_jax.syntax.source import SourceFile


class Places:
    """The places of a file's ops in its source."""

    __slots__ = ("_file", "_source", "_twins")

    def __init__(self, file: File, source: SourceFile) -> None:
        self._file = file
        self._source = source
        self._twins: dict[Unit, dict[int, Op]] = {}

    def span(self, op: Op) -> Span:
        """The place of an op."""
        if op.anchor.node is None:
            op = self._attached(op)
        return positions.span(op, self._source)

    def _attached(self, op: Op) -> Op:
        line = op.anchor.origin.line
        unit = next(unit for unit in self._file.units if unit.statement.line == line)
        if unit not in self._twins:
            self._twins[unit] = self._again(unit)
        return self._twins[unit][id(op)]

    def _again(self, unit: Unit) -> dict[int, Op]:
        from flake8_jax.ir.lower import lower_part
        from flake8_jax.ir.lower_top import parted

        assert unit.module is not None
        [(nodes, twins)] = parted(self._source, [unit.statement])
        origin = unit.module.top.anchor.origin
        again = lower_part(nodes, twins, Scope("module", None), origin, keeps=True)
        return {id(op): twin for op, twin in zip(walk(unit.module), walk(again), strict=True)}
