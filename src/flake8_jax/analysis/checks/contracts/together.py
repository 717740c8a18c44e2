"""An integer or float taken together with a truth before it is compared: `&` binds closer than `<`.

t < limit & active                      t < (limit & active): with `active` true and `limit` 10, `t < 0`
x > 0.5 & valid                         a float and a truth: JAX refuses them
n & 1 == 0                              nothing: two integers are meant
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.checks.contracts.judging import OperandFault
from flake8_jax.analysis.checks.contracts.operands import OperandRefused
from flake8_jax.analysis.checks.contracts.seen import SeenLeaf, inputs_in, leaves_of, resolved
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import CallSite, CertainEvent, Need, OutcomeAtCall
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import unpacked

JOINING = frozenset(("&", "|"))
COMPARING = frozenset(("<", "<=", ">", ">=", "==", "!="))
NOUNS = {"int": "an integer", "float": "a float"}


@dataclass(frozen=True, slots=True)
class NeedsAlike(Need):
    """What is taken together before it is compared must not be a number and a truth."""

    harmless: ClassVar[frozenset[Kind]] = frozenset()
    compare: ops.Compare
    operands: tuple[tuple[str, tuple[SeenLeaf, ...]], ...]

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a number and a truth; what the caller gets, it leaves to its own callers."""
        operands = tuple((name, resolved(site, seen)) for name, seen in self.operands)
        sort = _number_beside_truth(operands)
        if sort:
            make = partial(_event, self.op, self.compare, sort, Context(None, site.chain))
            yield CertainEvent((OperandRefused, self.op, "together"), make)
        elif (rest := inputs_in(operands)) and not _is_settled(operands):
            yield replace(self, dependences=frozenset(rest), operands=operands)

    def explanation(self) -> tuple[str, str]:
        """The open question and the finding that would follow, as texts for `flake8-jax explain`."""
        return f"`{phrase(self.op)}` is taken together before it is compared", "a number and a truth"


def check_together(frame: Frame, joined: ops.Operate, values: tuple[Value, Value]) -> None:
    """Report an operand of a comparison that takes a number and a truth together; of inputs, callers are told."""
    if joined.operator not in JOINING or frame.context.is_prepared:
        return
    state = frame.live()
    operands = tuple(
        (side, tuple(leaves_of(value, state))) for side, value in zip(("left", "right"), values, strict=True)
    )
    sort = _number_beside_truth(operands)
    rest = inputs_in(operands) if not sort and frame.parent is not None and not _is_settled(operands) else ()
    op = chains_of(frame.function).parents.get(joined) if sort or rest else None
    if type(op) is not ops.Compare or not _is_operand(joined, op):
        return
    if sort:
        emit(frame, (OperandRefused, joined, "together"), partial(_event, joined, op, sort, Context()))
    else:
        leave(frame, NeedsAlike(joined, frozenset(rest), op, operands))


def _is_operand(joined: ops.Operate, op: ops.Compare) -> bool:
    """Is it one of two that are compared, and in no parentheses?"""
    if not COMPARING.issuperset(op.operators) or len(op.operands) != 2 or len(joined.operands) != 2:
        return False
    return joined in op.operands and not _is_enclosed(joined, joined is op.operands[0])


def _is_enclosed(op: Op, is_first: bool) -> bool:
    """Does an operand stand in parentheses: a first one before one that closes, another behind one that opens?"""
    line, column, end_line, end_column = unpacked(op.place)
    lines = op.anchor.origin.source.lines
    if is_first:
        return lines[end_line - 1].encode()[end_column:].lstrip().startswith(b")")
    return lines[line - 1].encode()[:column].rstrip().endswith(b"(")


def _number_beside_truth(operands: tuple[tuple[str, tuple[SeenLeaf, ...]], ...]) -> str:
    """The sort of the number that stands beside a truth; "" where it is not known."""
    sorts = [seen[0].sort if len(seen) == 1 else "" for _, seen in operands]
    other = next((sort for sort in sorts if sort in NOUNS), "")
    return other if "bool" in sorts else ""


def _is_settled(operands: tuple[tuple[str, tuple[SeenLeaf, ...]], ...]) -> bool:
    """Is the sort of number of all operands known, so that no caller can change the answer?"""
    return all(len(seen) == 1 and seen[0].sort for _, seen in operands)


def _event(joined: Op, op: ops.Compare, sort: str, context: Context) -> OperandRefused:
    assert type(joined) is ops.Operate
    sign, is_second = op.operators[0], joined is op.operands[1]
    near, others = _nearest(joined, is_first=is_second)
    pieces: tuple[Piece, ...]
    if is_second:
        pieces = ("(", Quoted(op.operands[0], 60), f" {sign} ", Quoted(near, 60), ")", *others)
    else:
        pieces = (*others, "(", Quoted(near, 60), f" {sign} ", Quoted(op.operands[1], 60), ")")
    rewrite = unsafe(Rewrite((ChangedOp(op, pieces),)))
    fault = OperandFault("together", "", NOUNS[sort], sign)
    instead, words = f"use `{spelt(*pieces)}`", "write the comparison in parentheses"
    return OperandRefused(joined, fault, phrase(joined), joined.operator, instead, words, context, rewrite)


def _operand(op: Op, is_first: bool) -> Quoted:
    """An operand that is joined, in its parentheses."""
    return Quoted(op, 60, "owner" if type(op) is ops.Operate and _is_enclosed(op, is_first) else "argument")


def _nearest(joined: Op, is_first: bool) -> tuple[Op, tuple[Piece, ...]]:
    """Of what a chain of `&` and `|` joins, what stands next to the comparison, and how the rest goes on from it."""
    near, others = joined, tuple[Piece, ...]()
    while type(near) is ops.Operate and near.operator in JOINING and len(near.operands) == 2:
        if others and _is_enclosed(near, not is_first):
            break
        sign, (first, second) = near.operator, near.operands
        if is_first:
            near, others = first, (f" {sign} ", _operand(second, False), *others)
        else:
            near, others = second, (*others, _operand(first, True), f" {sign} ")
    return near, others
