"""An integer or float taken together with a truth before it is compared: `&` binds closer than `<`.

t < limit & active                      t < (limit & active): with `active` true and `limit` 10, `t < 0`
x > 0.5 & valid                         a float and a truth: JAX refuses them
n & 1 == 0                              nothing: two integers are meant
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.checks.contracts.contract import inputs_in
from flake8_jax.analysis.checks.contracts.judging import OperandFault
from flake8_jax.analysis.checks.contracts.operands import OperandRefused
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.dtypes import sort_of
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.lazy_dataclasses import dataclass, field, replace
from flake8_jax.syntax.positions import unpacked

JOINING = frozenset(("&", "|"))
COMPARING = frozenset(("<", "<=", ">", ">=", "==", "!="))
NOUNS = {"int": "an integer", "float": "a float"}


@dataclass(frozen=True, slots=True)
class NeedsAlike(Need):
    """What is taken together before it is compared must not be a number and a truth."""

    asks: ClassVar = "`{0.op}` is taken together before it is compared", "a number and a truth"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    compare: ops.Compare
    values: tuple[Value, ...] = field(compare=False)

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a number and a truth; what the caller gets, it leaves to its own callers."""
        values = tuple(map(site.value, self.values))
        sort = _number_beside_truth(values)
        if sort:
            make = partial(_event, self.op, self.compare, sort, Context(None, site.chain))
            yield Finding((OperandRefused, self.op, "together"), make)
        elif (rest := inputs_in(values)) and not _is_settled(values):
            yield replace(self, dependences=rest, values=values)


def check_together(frame: Frame, joined: ops.Operate, values: tuple[Value, Value]) -> None:
    """Report an operand of a comparison that takes a number and a truth together; of inputs, callers are told."""
    if frame.context.is_prepared:
        return
    sort = _number_beside_truth(values)
    rest = inputs_in(values) if not sort and frame.parent is not None and not _is_settled(values) else None
    op = chains_of(frame.function).parents.get(joined) if sort or rest else None
    if type(op) is not ops.Compare or not _is_operand(joined, op) or _is_of_bits(joined, op):
        return
    if sort:
        emit(frame, (OperandRefused, joined, "together"), partial(_event, joined, op, sort, Context()))
    elif rest:
        leave(frame, NeedsAlike(joined, rest, op, values))


def _is_operand(joined: ops.Operate, op: ops.Compare) -> bool:
    """Is it one of two that are compared, and in no parentheses?"""
    if not COMPARING.issuperset(op.operators) or len(op.operands) != 2 or len(joined.operands) != 2:
        return False
    return joined in op.operands and not _is_enclosed(joined, joined is op.operands[0])


def _is_of_bits(joined: ops.Operate, op: ops.Compare) -> bool:
    """Is one bit taken together with a truth, and asked whether it is set: the same answer in both readings?"""
    against = op.operands[1] if joined is op.operands[0] else op.operands[0]
    asked = (op.operators[0], against.value) if type(against) is ops.Const else None
    return asked in (("==", 1), ("!=", 0)) and any(map(_is_bit, joined.operands))


def _is_bit(op: Op) -> bool:
    """Is it the last bit of a number, or what is left of it by two?"""
    if type(op) is not ops.Operate or len(op.operands) != 2 or type(op.operands[1]) is not ops.Const:
        return False
    return (op.operator, op.operands[1].value) in (("&", 1), ("%", 2))


def _is_enclosed(op: Op, is_first: bool) -> bool:
    """Does an operand stand in parentheses: a first one before one that closes, another behind one that opens?"""
    line, column, end_line, end_column = unpacked(op.place)
    lines = op.anchor.origin.source.lines
    if is_first:
        return lines[end_line - 1].encode()[end_column:].lstrip().startswith(b")")
    return lines[line - 1].encode()[:column].rstrip().endswith(b"(")


def _number_beside_truth(values: tuple[Value, ...]) -> str:
    """The sort of the number that stands beside a truth; "" where it is not known."""
    sorts = list(map(sort_of, values))
    other = next((sort for sort in sorts if sort in NOUNS), "")
    return other if "bool" in sorts else ""


def _is_settled(values: tuple[Value, ...]) -> bool:
    """Is the sort of number of all operands known, so that no caller can change the answer?"""
    return all(map(sort_of, values))


def _event(joined: Op, op: ops.Compare, sort: str, context: Context) -> OperandRefused:
    assert type(joined) is ops.Operate
    sign, is_second = op.operators[0], joined is op.operands[1]
    near, others = _nearest(joined, is_first=is_second)
    pieces: tuple[Piece, ...]
    if is_second:
        pieces = ("(", Quoted(op.operands[0], 60), f" {sign} ", _operand(near, is_second), ")", *others)
    else:
        pieces = (*others, "(", _operand(near, is_second), f" {sign} ", Quoted(op.operands[1], 60), ")")
    rewrite = unsafe(Rewrite((ChangedOp(op, pieces),)))
    fault = OperandFault("together", "", NOUNS[sort], sign)
    instead, words = f"use `{spelt(*pieces)}`", "write the comparison in parentheses"
    return OperandRefused(joined, fault, phrase(joined), joined.operator, instead, words, context, rewrite)


def _operand(op: Op, is_first: bool) -> Quoted:
    """An operand that is joined, in its parentheses."""
    return Quoted(op, 60, "owner" if _is_enclosed(op, is_first) else "argument")


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
