"""Lowers what is stored to: names are bound in their scope on the way."""

from __future__ import annotations

import libcst as cst

from flake8_jax.ir.lower_cursor import TARGETS, Cursor
from flake8_jax.ir.lower_expressions import lower_attribute, lower_subscript
from flake8_jax.ir.ops import Name, Star, Target, Unpack


def target_name(node: cst.Name, c: Cursor) -> Name:
    """A name that is bound here."""
    c.scope.bind(node.value)
    return Name(c.anchor, node, node.value, c.scope)


def target_unpack(node: cst.Tuple | cst.List, c: Cursor) -> Unpack:
    """`a, *b` or `[a, b]`."""
    parts: list[Target] = []
    for element in node.elements:
        part = TARGETS[type(element.value)](element.value, c)
        parts.append(part if type(element) is cst.Element else Star(c.anchor, element, part))
    return Unpack(c.anchor, node, tuple(parts))


def target_star(node: cst.StarredElement, c: Cursor) -> Star:
    """`*rest`."""
    return Star(c.anchor, node, TARGETS[type(node.value)](node.value, c))


TARGETS.update(
    {
        cst.Attribute: lower_attribute,
        cst.List: target_unpack,
        cst.Name: target_name,
        cst.StarredElement: target_star,
        cst.Subscript: lower_subscript,
        cst.Tuple: target_unpack,
    }
)
