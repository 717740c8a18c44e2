"""Counters of loops, and the numbers that they have: of `range`, `arange`, `enumerate` and traced loops.

for i in range(3): fold_in(key, i)          0, 1, 2
for i in range(n): fold_in(key, i + 1)      1, 2 at least, unless the loop hardly runs
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.affine import Affine
from flake8_jax.domain.staging import Token
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

Numbers: TypeAlias = range
COUNTING = frozenset(("arange", "range"))
LEAST = 2
"""So many turns a loop is taken to have whose length is not known."""

MOST = 64
SHIFTING = frozenset("+-*")
NONE = range(0)


def note_affine(frame: Frame, op: ops.Operate, left: Value, right: Value, made: Value) -> Value:
    """Remember of the result of an operator by how much it differs from an operand; returns the result."""
    if op.operator not in SHIFTING:
        return made
    first, second = left.constant, right.constant
    if type(second) is int and type(first) is not int:
        known = affine_of(frame, left)
        by = second
    elif type(first) is int and type(second) is not int:
        known = affine_of(frame, right)
        by = first
        if op.operator == "-":
            known, by = known.times(-1), -first
    else:
        return made
    frame.program.record.affine[made] = (
        known.times(by) if op.operator == "*" else known.plus(-by if op.operator == "-" else by)
    )
    return made


def counts(value: Value) -> bool:
    """Is a value the counter of a loop, of which some numbers are known?"""
    return bool(_of_counter(value))


def affine_of(frame: Frame, value: Value) -> Affine:
    """A number in terms of the number that it was computed from."""
    value = value.original
    return frame.program.record.affine.get(value) or Affine(value)


def are_alike(one: Hashable, other: Hashable) -> bool:
    """Are two data for keys equal, for one number of a counter at least?"""
    if one == other:
        return True
    first, second = numbers_of(one), numbers_of(other)
    return bool(first) and bool(second) and not set(first).isdisjoint(second)


def numbers_of(data: Hashable) -> Numbers:
    """The numbers that data for keys surely has in some iteration; none where they are not known."""
    if type(data) is int:
        return range(data, data + 1)
    if isinstance(data, Affine):
        base = _of_counter(data.number)
        if not base or not data.factor:
            return NONE
        step = base.step * data.factor
        return range(data.at(base[0]), data.at(base[0]) + step * len(base), step)
    return _of_counter(data) if isinstance(data, Value) else NONE


def is_counter_of(data: Hashable, loop: Op) -> bool:
    """Does data for keys count the iterations of a loop?"""
    number = data.number if isinstance(data, Affine) else data
    if not isinstance(number, Value) or number.made_by is None:
        return False
    if type(loop) is ops.Gather:
        return number.made_by is loop or any(number.made_by is clause.source for clause in loop.clauses)
    return number.made_by is loop or (type(loop) is ops.Loop and number.made_by is loop.source)


def _of_counter(number: Value) -> Numbers:
    made_by = number.made_by
    if type(made_by) is ops.Loop:
        return _counted(made_by.source)
    if type(made_by) is ops.Gather:
        return _counted(made_by.clauses[0].source) if len(made_by.clauses) == 1 else NONE
    if type(made_by) is ops.Call:
        if _is_enumerated(made_by):
            return range(LEAST)
        return next(filter(None, map(_counted, (made_by, *made_by.args))), NONE)
    if type(made_by) is ops.Operate:
        return NONE
    return (
        range(LEAST)
        if any(isinstance(dependence, Token) and dependence.is_index for dependence in number.dependences)
        else NONE
    )


def _is_enumerated(call: ops.Call) -> bool:
    """Is it a call of `enumerate` that counts from 0?"""
    return type(call.func) is ops.Name and call.func.name == "enumerate" and len(call.args) == 1 and not call.keywords


def _counted(source: Op) -> Numbers:
    """The numbers that `range` or `arange` gives, the first two where the last is not known."""
    if type(source) is not ops.Call or type(source.func) not in (ops.Name, ops.Attr):
        return NONE
    if getattr(source.func, "name", "") not in COUNTING or len(source.args) > 2 or source.keywords:
        return NONE
    given = [argument.value if type(argument) is ops.Const else None for argument in source.args]
    start = 0 if len(given) == 1 else given[0] if given else None
    if type(start) is not int:
        return NONE
    stop = given[-1] if type(given[-1]) is int else start + LEAST
    return range(start, min(stop, start + MOST))
