"""Tests that the first turn of a loop decides, since the name that counts its turns is known there.

    for i in range(n):                  the first turn: i is 0
        if i % 10 == 0:                 is true there, whatever comes later
            key, sub = split(key)       so the key from before the loop ...
        x = normal(key)                 ... does not get here

Both arms are run all the same, for what is to be said in them; only the state in which the other arm ends goes no
further.
"""

from __future__ import annotations

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evaluate.decisions import COMPARING
from flake8_jax.analysis.frame import Frame
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import number_written

COUNTING_FROM = {"range": 0, "trange": 0, "tqdm.trange": 0, "tqdm.auto.trange": 0}
"""What counts up from its first argument, or from 0 where it has one."""

SHOWING_PROGRESS = frozenset(("tqdm", "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.rich.tqdm", "rich.progress.track"))
"""What hands on the items of its first argument."""


def outcome_in_first_turn(frame: Frame, test: Op) -> bool | None:
    """The outcome of a test in the first turn of the innermost loop, while that turn is run; None if it is open.

    Nothing is decided in the first turn of a loop around, after which inner loops are run again.
    """
    if not frame.iterations:
        return None
    *around, (loop, turn) = frame.iterations
    if turn != 1 or any(outer == 1 for _, outer in around):
        return None
    counter = _counter(frame, loop) if type(loop) is ops.Loop and loop.kind == "for" else None
    return _outcome(test, *counter) if counter is not None else None


def _counter(frame: Frame, loop: ops.Loop) -> tuple[str, int] | None:
    """The name that counts the turns of a loop, and its first number."""
    source, target = loop.source, loop.target
    if type(source) is not ops.Call or any(type(argument) is ops.Star for argument in source.args):
        return None
    called = imported_name(source.func)
    while called in SHOWING_PROGRESS and source.args and type(source.args[0]) is ops.Call:
        source = source.args[0]
        called = imported_name(source.func)
    if called == "enumerate" and type(target) is ops.Unpack and len(target.parts) == 2:
        target = target.parts[0]
        start = source.args[1] if len(source.args) > 1 else dict(source.keywords).get("start")
    elif called in COUNTING_FROM and source.args:
        start = source.args[0] if len(source.args) > 1 else None
    else:
        return None
    first = 0 if start is None else number_written(start)
    if first is None or type(target) is not ops.Name or len(chains_of(frame.function).stored_in(target.name, loop)) > 1:
        return None
    return target.name, first


def _outcome(test: Op, name: str, number: int) -> bool | None:
    if type(test) is ops.Operate and test.operator == "not":
        outcome = _outcome(test.operands[0], name, number)
        return None if outcome is None else not outcome
    if type(test) is ops.Logic:
        outcomes = [_outcome(operand, name, number) for operand in test.operands]
        ending = test.operator == "or"
        return ending if ending in outcomes else None if None in outcomes else not ending
    if type(test) is ops.Compare and len(test.operands) == 2:
        one, other = (_number(operand, name, number) for operand in test.operands)
        compare = COMPARING.get(test.operators[0])
        return compare(one, other) if compare is not None and one is not None and other is not None else None
    known = _number(test, name, number)
    return bool(known) if known is not None and type(test) is not ops.Const else None


def _number(op: Op, name: str, number: int) -> int | None:
    """What an expression of the counting name is: 0 has no remainder, whatever it is divided by."""
    if type(op) is ops.Name:
        return number if op.name == name else None
    if type(op) is not ops.Operate or len(op.operands) != 2:
        return number_written(op)
    one, other = (_number(operand, name, number) for operand in op.operands)
    if op.operator == "%" and one is not None:
        return 0 if one == 0 else one % other if other else None
    if one is None or other is None:
        return None
    return one + other if op.operator == "+" else one - other if op.operator == "-" else None
