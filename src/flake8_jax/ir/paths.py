"""The way from a body down to an op, and the tests that decide whether it is taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.parts import Clause, Handler

OPS = frozenset(get_args(Op))
PARTS = frozenset((Clause, Handler))
OPAQUE = frozenset(("anchor", "place", "scope", "function"))


def parts(op: Op | Clause | Handler) -> Iterator[Op]:
    """The ops that stand directly in an op, without the bodies of functions."""
    for name in type(op).__slots__:
        if name not in OPAQUE:
            yield from _ops_in(getattr(op, name))


def _ops_in(held: object) -> Iterator[Op]:
    if type(held) in OPS:
        yield held  # type: ignore[misc]
    elif type(held) is tuple:
        for one in held:
            yield from _ops_in(one)
    elif isinstance(held, (Clause, Handler)):
        yield from parts(held)


def within(op: Op) -> Iterator[Op]:
    """An op and all ops in it, without the bodies of functions."""
    yield op
    for part in parts(op):
        yield from within(part)


def names_in(function: Function) -> dict[str, list[tuple[Op, ops.Name]]]:
    """The names in the body of a function, each with the statement that it stands in."""
    found: dict[str, list[tuple[Op, ops.Name]]] = {}
    for statement in function.body:
        for one in within(statement):
            if type(one) is ops.Name:
                found.setdefault(one.name, []).append((statement, one))
    return found


def way_to(body: Body, op: Op) -> list[Op]:
    """The ops from a body down to one of them, outermost first; empty if it stands elsewhere."""
    for one in body:
        if one.anchor.line <= op.anchor.line and (found := _down(one, op)):
            return found
    return []


def _down(outer: Op, op: Op) -> list[Op]:
    if outer is op:
        return [op]
    for part in parts(outer):
        if found := _down(part, op):
            return [outer, *found]
    return []


def tests_on(body: Body, way: list[Op]) -> Iterator[Op]:
    """The tests that decide whether a way from a body is taken to its end."""
    yield from _exits_before(body, way[0])
    for outer, inner in pairwise(way):
        yield from _tests_between(outer, inner)


def _tests_between(outer: Op, inner: Op) -> Iterator[Op]:
    match outer:
        case ops.Branch(test=test, body=body, orelse=orelse):
            if inner is not test:
                yield test
                yield from _exits_before(body if inner in body else orelse, inner)
        case ops.Choose(test=test) if inner is not test:
            yield test
        case ops.Logic(operands=operands):
            yield from operands[: _place(operands, inner)]
        case ops.Gather(clauses=clauses):
            yield from (test for clause in clauses for test in clause.tests if test is not inner)
        case ops.Loop(kind=kind, source=source, body=body) if inner is not source:
            if kind == "while":
                yield source
            yield from _exits_before(body, inner)
        case ops.Try(body=body, orelse=orelse, final=final):
            for each in (body, orelse, final):
                yield from _exits_before(each, inner) if inner in each else ()
        case ops.With(body=body):
            yield from _exits_before(body, inner)


def _place(row: tuple[Op, ...], op: Op) -> int:
    return next((place for place, one in enumerate(row) if one is op), 0)


def _exits_before(body: Body, op: Op) -> Iterator[Op]:
    """The tests above an op in its body that may have left it."""
    for earlier in body[: _place(body, op)]:
        for inner in within(earlier):
            if type(inner) is ops.Branch and any(type(one) is ops.Leave for one in within(inner)):
                yield inner.test
