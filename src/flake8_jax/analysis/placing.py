"""Where reported ops stand: their statement is lowered once more, by libcst, with its syntax nodes.

Ops are made of Python's own tree and hold no nodes.  The few that are reported are found again by counting: a statement
gives the same ops in the same order, whichever tree they are made of.
"""

from __future__ import annotations

from flake8_jax.analysis.files import File, Unit
from flake8_jax.diagnostic import Span
from flake8_jax.ir.invariants import walk
from flake8_jax.ir.ops import Op, Origin
from flake8_jax.ir.scope import Scope
from flake8_jax.syntax import positions
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep


class Places:
    """The places of a file's ops in its source."""

    __slots__ = ("_file", "_known", "_source")

    def __init__(self, file: File, source: SourceFile) -> None:
        self._file = file
        self._source = source
        self._known: dict[Unit, tuple[SourceFile, dict[int, Op]]] = {}

    def span(self, op: Op) -> Span:
        """The place of an op; where libcst cannot parse its statement, the line where that begins."""
        if op.anchor.node is not None:
            return positions.span(op, self._source)
        unit = self._unit(op)
        if unit not in self._known:
            try:
                self._known[unit] = self._again(unit)
            except (NotPython, TooDeep):
                line = op.anchor.line
                text = self._source.lines[line - 1]
                return Span(line, len(text) - len(text.lstrip()), line, len(text))
        part, twins = self._known[unit]
        found, above = positions.span(twins[id(op)], part), unit.statement.line - 1
        return Span(found.line + above, found.column, found.end_line + above, found.end_column)

    def _unit(self, op: Op) -> Unit:
        line = op.anchor.origin.line
        return next(unit for unit in self._file.units if unit.statement.line == line)

    def _again(self, unit: Unit) -> tuple[SourceFile, dict[int, Op]]:
        from flake8_jax.ir.lower import lower_within

        assert unit.module is not None
        part = SourceFile(self._file.path, self._file.text(unit) + "\n")
        origin = Origin(self._file.path, self._file.namespace.path, unit.statement.line)
        again = lower_within(part, Scope("module", None), origin)
        return part, {id(op): twin for op, twin in zip(walk(unit.module), walk(again), strict=True)}
