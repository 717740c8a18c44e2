"""How long a slice is, where its bounds are traced, and the function of JAX that cuts a piece of that length.

x[i : i + 3]                     dynamic_slice_in_dim(x, i, 3)
x[i * n : (i + 1) * n]           dynamic_slice_in_dim(x, i * n, n)
end = start + n; x[start:end]    dynamic_slice_in_dim(x, start, n)
x[:, i - 3 : i]                  dynamic_slice_in_dim(x, i - 3, 3, axis=1)

Both bounds are read as sums of products of names, the one is taken from the other, and what is left is the length if
it is one product.  A name that is bound once, to a sum or product, is read as that.
"""

from __future__ import annotations

import ast
from collections import Counter

from flake8_jax.ir.ops import Op
from flake8_jax.syntax.layout import Layout
from flake8_jax.syntax.positions import unpacked

ROUNDS = 3
"""Through so many assignments a bound is followed."""

MOST_TERMS = 12
"""A bound of more terms is not read."""

Sum = Counter[tuple[str, ...]]
"""How often each product of names stands in a sum; the empty product is the number 1."""


def length_of(layout: Layout, piece: ast.Slice) -> str:
    """The length of a slice as an expression of its file; "" if the difference of its bounds is no single product."""
    if piece.lower is None or piece.upper is None or piece.step is not None:
        return ""
    lower, upper = _sum_of(layout, piece.lower, ROUNDS), _sum_of(layout, piece.upper, ROUNDS)
    if lower is None or upper is None:
        return ""
    terms = [(names, times) for names, times in _joined(upper, lower, -1).items() if times]
    if len(terms) != 1 or terms[0][1] <= 0:
        return ""
    names, times = terms[0]
    if times == 1 and len(names) == 1:
        return names[0]
    factors = [f"({name})" if " " in name and "(" not in name else name for name in names]
    return " * ".join([*([str(times)] if times != 1 or not names else []), *factors])


def length_at(op: Op) -> str:
    """The length of the slice that an op is a bound of; "" if it is of none, or of none that is known."""
    layout = op.anchor.origin.source.layout
    bound = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    piece = layout.parents.get(bound) if bound is not None else None
    return length_of(layout, piece) if isinstance(piece, ast.Slice) else ""


def axis_of(index: ast.expr) -> tuple[ast.Slice, str] | None:
    """The only slice of an index that has bounds, and the option that names its axis: of `[:, i:j]` it is `axis=1`.

    None where another axis is indexed, too.
    """
    if isinstance(index, ast.Slice):
        return index, ""
    parts = index.elts if isinstance(index, ast.Tuple) else []
    cut = [(place, one) for place, one in enumerate(parts) if not _is_whole(one)]
    if len(cut) != 1 or not isinstance(piece := cut[0][1], ast.Slice):
        return None
    place = cut[0][0]
    is_behind = any(isinstance(one, ast.Constant) for one in parts[:place])
    axis = place - len(parts) if is_behind else place
    return piece, f", axis={axis}" if axis else ""


def _is_whole(part: ast.expr) -> bool:
    """Does a part of an index take all of its axis, or of the axes that it stands for?"""
    if isinstance(part, ast.Slice):
        return part.lower is None and part.upper is None and part.step is None
    return isinstance(part, ast.Constant) and part.value is ...


def _sum_of(layout: Layout, node: ast.expr, rounds: int) -> Sum | None:
    match node:
        case ast.Constant(value=int(number)):
            return Counter({(): int(number)})
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            one = _sum_of(layout, operand, rounds)
            return _joined(Counter(), one, -1) if one is not None else None
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as operator, right=right):
            first, second = _sum_of(layout, left, rounds), _sum_of(layout, right, rounds)
            if first is None or second is None or len(first) * len(second) > MOST_TERMS:
                return None
            if isinstance(operator, ast.Mult):
                return _product(first, second)
            return _joined(first, second, 1 if isinstance(operator, ast.Add) else -1)
        case ast.Name():
            return _of_name(layout, node, rounds)
        case ast.Attribute() | ast.Subscript() | ast.BinOp() | ast.Call():
            return Counter({(layout.text(node),): 1})
    return None


def _of_name(layout: Layout, node: ast.Name, rounds: int) -> Sum | None:
    """What a name stands for: the sum or product that it is bound to, if it is bound once, else itself."""
    stores = layout.stores.get((layout.frame(node), node.id), [])
    store = layout.parents.get(stores[0]) if len(stores) == 1 else None
    if not isinstance(store, ast.Assign) or store.targets != stores or _times_bound(layout, node) > 1:
        return Counter({(node.id,): 1})
    if rounds and _is_steady(layout, store):
        return _sum_of(layout, store.value, rounds - 1)
    return Counter({(node.id,): 1})


def _is_steady(layout: Layout, store: ast.Assign) -> bool:
    """Is a sum or product bound, of names that stay what they were?"""
    value = store.value
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, (ast.Add, ast.Sub, ast.Mult)):
        return False
    names = (one for one in ast.walk(value) if isinstance(one, ast.Name))
    return all(_times_bound(layout, name) <= 1 for name in names)


def _times_bound(layout: Layout, node: ast.Name) -> int:
    """How often a name is bound in its function, as an argument, too."""
    frame = layout.frame(node)
    arguments = getattr(frame, "args", None)
    given = [one for one in ast.walk(arguments) if isinstance(one, ast.arg)] if arguments is not None else []
    return len(layout.stores.get((frame, node.id), ())) + any(one.arg == node.id for one in given)


def _joined(first: Sum, second: Sum, sign: int) -> Sum:
    joined = Counter(first)
    for names, times in second.items():
        joined[names] += sign * times
    return joined


def _product(first: Sum, second: Sum) -> Sum:
    found: Sum = Counter()
    for names, times in first.items():
        for others, again in second.items():
            found[tuple(sorted((*names, *others)))] += times * again
    return found
