"""Which nodes of Python's tree stand in a node, without those that only say how: contexts and operators.

x[0] += f(y)        in the AugAssign: the Subscript, the Call; neither the `+` nor that the Subscript is stored into
"""

from __future__ import annotations

import ast

SAYING = frozenset(
    ("arg", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "op", "ops", "simple", "tag")
)
"""The fields that hold no other nodes."""

FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
"""What `fields_of` has found."""


def fields_of(node: ast.AST) -> tuple[str, ...]:
    """The fields of a node that may hold nodes."""
    found = FIELDS.get(type(node))
    if found is None:
        found = FIELDS[type(node)] = tuple(name for name in node._fields if name not in SAYING)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes that stand directly in a node, in order."""
    found: list[ast.AST] = []
    for name in fields_of(node):
        held = getattr(node, name, None)
        if type(held) is list:
            found += [one for one in held if isinstance(one, ast.AST)]
        elif isinstance(held, ast.AST):
            found.append(held)
    return found
