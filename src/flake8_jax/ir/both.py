"""Lowers what `ast` and libcst call by the same names: one function serves the nodes of either.

A cursor tells what differs: its tables, the sign of an operator, and what an op keeps of its node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from flake8_jax.ir.ops import Anchor, Branch, Choose, Leave, Op, Operate, Star


class Cursor(Protocol):
    """What lowering from either tree has in common."""

    anchor: Anchor

    def kept(self, node: object) -> object:
        """What an op keeps of its node."""

    def sign(self, node: Any) -> str:
        """The sign of the operator of a binary operation."""

    def lower(self, node: Any) -> Op:
        """The ops of an expression."""


def lower_binary(node: Any, c: Cursor) -> Operate:
    """`x + y`; the left spine of a long sum is followed without recursion."""
    kind, spine = type(node), []
    left = node.left
    while type(left) is kind:
        spine.append(node)
        node = left
        left = node.left
    value = c.lower(left)
    while True:
        value = Operate(c.anchor, c.kept(node), c.sign(node), (value, c.lower(node.right)))
        if not spine:
            return value
        node = spine.pop()


def lower_choice(node: Any, c: Cursor) -> Choose:
    """`body if test else orelse`."""
    test, body = c.lower(node.test), c.lower(node.body)
    return Choose(c.anchor, c.kept(node), test, body, c.lower(node.orelse))


def lower_star(node: Any, c: Cursor) -> Star:
    """`*value` where it stands as an expression of its own."""
    return Star(c.anchor, c.kept(node), c.lower(node.value))


def lower_assert(node: Any, c: Cursor, out: list[Op]) -> None:
    """`assert test, message`: a branch whose other side raises."""
    test = c.lower(node.test)
    raised = Leave(c.anchor, c.kept(node), "raise", None if node.msg is None else c.lower(node.msg))
    out.append(Branch(c.anchor, c.kept(node), "assert", test, (), (raised,)))


def lower_return(node: Any, c: Cursor, out: list[Op]) -> None:
    """`return value`."""
    out.append(Leave(c.anchor, c.kept(node), "return", None if node.value is None else c.lower(node.value)))


def lower_exit(kind: Literal["break", "continue"]) -> Callable[[Any, Cursor, list[Op]], None]:
    """`break` or `continue`."""

    def lower(node: Any, c: Cursor, out: list[Op]) -> None:
        out.append(Leave(c.anchor, c.kept(node), kind, None))

    return lower


def lower_pass(node: object, c: Cursor, out: list[Op]) -> None:
    """`pass` does nothing."""
