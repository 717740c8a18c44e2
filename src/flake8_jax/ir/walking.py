"""The ops that stand in an op: directly, or at any depth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from flake8_jax.ir.ops import Attr, Const, Item, Name, Op
from flake8_jax.ir.parts import Clause, Handler, Pattern

NODE_TYPES = frozenset((*get_args(Op), Clause, Handler, Pattern))
OPS = NODE_TYPES - {Clause, Handler, Pattern}
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
