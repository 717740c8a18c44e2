"""The ops that stand in an op: directly, or at any depth; the names, statements and targets among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flake8_jax.ir.ops import (
    OPS,
    Attr,
    Body,
    Branch,
    Const,
    Delete,
    Function,
    Gather,
    Item,
    Leave,
    Loop,
    Name,
    Op,
    Operate,
    Star,
    Store,
    Try,
    Unpack,
    With,
)
from flake8_jax.ir.parts import Clause, Handler, Pattern

EFFECTS = frozenset((Branch, Delete, Leave, Loop, Try, With))
"""Statements that are no expressions, and bind nothing."""

NODE_TYPES: frozenset[type[Op | Clause | Handler | Pattern]] = OPS | {Clause, Handler, Pattern}
OPAQUE = frozenset(
    ("anchor", "place", "scope", "function", "kind", "name", "operator", "operators", "qualified", "in_place")
)
NAMED = frozenset((Handler,))
"""Parts whose `name` is an op."""

FIELDS: dict[type, tuple[str, ...]] = {
    each: tuple(name for name in each.__slots__ if name not in OPAQUE or (name == "name" and each in NAMED))
    for each in NODE_TYPES - {Const}
} | {Const: ()}
"""What may hold ops, by the class of op or part."""


def parts(op: Op | Clause | Handler | Pattern) -> list[Op]:
    """The ops that stand directly in an op, without the bodies of functions."""
    found: list[Op] = []
    for name in FIELDS[type(op)]:
        held = getattr(op, name)
        if type(held) in OPS:
            found.append(held)
        elif held is not None:
            _gather(held, found)
    return found


def _gather(held: object, found: list[Op]) -> None:
    if type(held) is tuple:
        for one in held:
            if type(one) in OPS:
                found.append(one)
            else:
                _gather(one, found)
    elif isinstance(held, (Clause, Handler, Pattern)):
        found += parts(held)


def path_root(op: Op) -> Name | None:
    """The name with which an access path begins: the `a` of `a.b[0].c`."""
    while isinstance(op, (Attr, Item)):
        op = op.base
    return op if type(op) is Name else None


def dotted_root(op: Op) -> Op:
    """What stands before all attributes: the `a[0]` of `a[0].b.c`."""
    while type(op) is Attr:
        op = op.base
    return op


def within(op: Op) -> Iterator[Op]:
    """An op and all ops in it, without the bodies of functions."""
    waiting = [op]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(parts(one))


def inside(function: Function) -> Iterator[Op]:
    """Every op of a function's head and body exactly once, without those of inner functions."""
    seen: set[Op] = set()
    head = [function.returns, *(part for one in function.parameters for part in (one.default, one.annotation))]
    for op in (*head, *function.body):
        for part in within(op) if op is not None else ():
            if part not in seen:
                seen.add(part)
                yield part


def names_in(op: Op) -> set[str]:
    """The names that stand in an op."""
    return {inner.name for inner in within(op) if type(inner) is Name}


def statements_in(body: Iterable[Op]) -> Iterator[Op]:
    """The statements of a body, at any depth."""
    for op in body:
        yield op
        for block in blocks_in(op):
            yield from statements_in(block)


def blocks_in(op: Op) -> tuple[Body, ...]:
    """The bodies in a statement, in order."""
    match op:
        case Branch(body=body, orelse=orelse) | Loop(body=body, orelse=orelse):
            return body, orelse
        case With(body=body):
            return (body,)
        case Try(body=body, handlers=handlers, orelse=orelse, final=final):
            return body, *(handler.body for handler in handlers), orelse, final
    return ()


def returns_in(body: Iterable[Op]) -> Iterator[Leave]:
    """The returns of a body, in order."""
    return (op for op in statements_in(body) if type(op) is Leave and op.kind == "return")


def only_target(statement: Op | None) -> Op | None:
    """The target to which alone a statement binds a value."""
    return statement.targets[0] if type(statement) is Store and len(statement.targets) == 1 else None


def targets_in(target: Op | None) -> Iterator[Op]:
    """The names, attributes and items that a target is unpacked into."""
    if type(target) is Unpack:
        for part in target.parts:
            yield from targets_in(part)
    elif type(target) is Star:
        yield from targets_in(target.value)
    elif target is not None:
        yield target


def targets_of(loop: Op) -> Iterator[Name]:
    """The names that a loop or comprehension binds to what it runs through."""
    for _, target in gone_through(loop):
        yield from (inner for inner in within(target) if type(inner) is Name)


def gone_through(loop: Op) -> Iterator[tuple[Op, Op]]:
    """What a loop or comprehension runs through, each with the target that is bound to its elements."""
    if type(loop) is Loop and loop.source is not None and loop.target is not None:
        yield loop.source, loop.target
    elif type(loop) is Gather:
        yield from ((clause.source, clause.target) for clause in loop.clauses)


def functions_in(function: Function) -> Iterator[Function]:
    """The functions made in one, at any depth."""
    for inner in function.functions:
        yield inner
        yield from functions_in(inner)


def number_written(op: Op) -> int | None:
    """The integer that an op is, with its sign."""
    if type(op) is Operate and op.operator == "-" and len(op.operands) == 1:
        number = number_written(op.operands[0])
        return None if number is None else -number
    return op.value if type(op) is Const and type(op.value) is int else None
