"""Lowers names, operators, calls, subscripts, displays and comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from flake8_jax.ir.lower.cursor import EXPRESSIONS, OPERATORS, TARGETS, Cursor, other
from flake8_jax.ir.ops import (
    Attr,
    Build,
    BuildDict,
    Call,
    Choose,
    Clause,
    Compare,
    Const,
    Gather,
    Item,
    Logic,
    Name,
    Op,
    Operate,
    Star,
    Store,
    Suspend,
)
from flake8_jax.ir.scope import Scope


def lower_name(node: ast.Name, c: Cursor) -> Op:
    """Lower a name."""
    return Name(c.anchor, c.at(node), node.id, c.scope)


def lower_attribute(node: ast.Attribute, c: Cursor) -> Attr:
    """Lower `base.name`; of a name that is noted the whole of `name.one.two` is kept."""
    base = node.value
    value = EXPRESSIONS[type(base)](base, c)
    made = Attr(c.anchor, c.at(node), value, node.attr)
    if type(value) is Name:
        if value.name in c.names:
            c.noted.append(made)
    elif type(value) is Attr and c.noted and c.noted[-1] is value:
        c.noted[-1] = made
    return made


def lower_arguments(
    args: Sequence[ast.expr], keywords: Sequence[ast.keyword], c: Cursor
) -> tuple[tuple[Op, ...], tuple[tuple[str | None, Op], ...]]:
    """Lower the positional and keyword arguments of a call or class statement, in source order."""
    if not keywords:
        return tuple([EXPRESSIONS[type(arg)](arg, c) for arg in args]), ()
    last = args[-1] if args else None
    if type(last) is ast.Starred and _place(last) > _place(keywords[0].value):  # f(k=1, *rest)
        lowered: dict[ast.AST, Op] = {}
        for value in sorted([*args, *[keyword.value for keyword in keywords]], key=_place):
            lowered[value] = EXPRESSIONS[type(value)](value, c)
        return tuple([lowered[arg] for arg in args]), tuple([(word.arg, lowered[word.value]) for word in keywords])
    positional = tuple([EXPRESSIONS[type(arg)](arg, c) for arg in args])
    return positional, tuple([(word.arg, EXPRESSIONS[type(word.value)](word.value, c)) for word in keywords])


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def lower_call(node: ast.Call, c: Cursor) -> Call:
    """Lower `func(*args, **keywords)`; of what is noted the call is kept in the place of the callee."""
    func, noted = node.func, c.noted
    callee = EXPRESSIONS[type(func)](func, c)
    if type(callee) is Name:
        is_noted = callee.name in c.names
    elif is_noted := type(callee) is Attr and bool(noted) and noted[-1] is callee:
        noted.pop()
    args, keywords = lower_arguments(node.args, node.keywords, c)
    made = Call(c.anchor, c.at(node), callee, args, keywords)
    if is_noted:
        noted.append(made)
    return made


def lower_subscript(node: ast.Subscript, c: Cursor) -> Item:
    """Lower `base[index]`."""
    base, index = node.value, node.slice
    value = EXPRESSIONS[type(base)](base, c)
    return Item(c.anchor, c.at(node), value, EXPRESSIONS[type(index)](index, c))


def lower_slice(node: ast.Slice, c: Cursor) -> Build:
    """Lower `start:stop:step` in an index."""
    ends = (node.lower, node.upper, node.step)
    parts = [Const(c.anchor, 0, None) if end is None else EXPRESSIONS[type(end)](end, c) for end in ends]
    return Build(c.anchor, c.at(node), "slice", tuple(parts))


def lower_binary(node: ast.BinOp, c: Cursor) -> Operate:
    """Lower `x + y`; the left spine of a long sum is followed without recursion."""
    spine = []
    left = node.left
    while type(left) is ast.BinOp:
        spine.append(node)
        node = left
        left = node.left
    value = EXPRESSIONS[type(left)](left, c)
    while True:
        right = EXPRESSIONS[type(node.right)](node.right, c)
        result = Operate(c.anchor, c.at(node), OPERATORS[type(node.op)], (value, right))
        if not spine:
            return result
        value, node = result, spine.pop()


def lower_choice(node: ast.IfExp, c: Cursor) -> Choose:
    """Lower `body if test else orelse`."""
    test, body = EXPRESSIONS[type(node.test)](node.test, c), EXPRESSIONS[type(node.body)](node.body, c)
    return Choose(c.anchor, c.at(node), test, body, EXPRESSIONS[type(node.orelse)](node.orelse, c))


def lower_star(node: ast.Starred, c: Cursor) -> Star:
    """Lower `*value` as an expression of its own."""
    return Star(c.anchor, c.at(node), EXPRESSIONS[type(node.value)](node.value, c))


def lower_unary(node: ast.UnaryOp, c: Cursor) -> Operate:
    """Lower `not x`, `-x`, `+x` or `~x`."""
    operand = node.operand
    value = EXPRESSIONS[type(operand)](operand, c)
    return Operate(c.anchor, c.at(node), OPERATORS[type(node.op)], (value,))


def lower_boolean(node: ast.BoolOp, c: Cursor) -> Logic:
    """Lower `a and b and c` to one op."""
    operator: Literal["and", "or"] = "and" if type(node.op) is ast.And else "or"
    return Logic(c.anchor, c.at(node), operator, _each(node.values, c))


def lower_comparison(node: ast.Compare, c: Cursor) -> Compare:
    """Lower `a < b <= c`."""
    operators = tuple([OPERATORS[type(operator)] for operator in node.ops])
    return Compare(c.anchor, c.at(node), operators, _each((node.left, *node.comparators), c))


def lower_await(node: ast.Await, c: Cursor) -> Suspend:
    """Lower `await value`."""
    return Suspend(c.anchor, c.at(node), "await", EXPRESSIONS[type(node.value)](node.value, c))


def lower_yield(node: ast.Yield, c: Cursor) -> Suspend:
    """Lower `yield` or `yield value`, and mark the function as a generator."""
    c.function.inner.is_generator = True
    value = node.value
    return Suspend(c.anchor, c.at(node), "yield", None if value is None else EXPRESSIONS[type(value)](value, c))


def lower_yield_from(node: ast.YieldFrom, c: Cursor) -> Suspend:
    """Lower `yield from value`."""
    c.function.inner.is_generator = True
    return Suspend(c.anchor, c.at(node), "yield from", EXPRESSIONS[type(node.value)](node.value, c))


def lower_walrus(node: ast.NamedExpr, c: Cursor) -> Store:
    """Lower `name := value`; in a comprehension the name belongs to the enclosing frame."""
    value = EXPRESSIONS[type(node.value)](node.value, c)
    name, frame = node.target.id, c.scope.frame
    frame.bind(name)
    return Store(c.anchor, c.at(node), (Name(c.anchor, c.at(node.target), name, frame),), value, "walrus")


def _each(nodes: Sequence[ast.expr], c: Cursor) -> tuple[Op, ...]:
    return tuple([EXPRESSIONS[type(node)](node, c) for node in nodes])


def lower_tuple(node: ast.Tuple, c: Cursor) -> Build:
    """Lower `a, b`, with or without parentheses."""
    return Build(c.anchor, c.at(node), "tuple", _each(node.elts, c))


def lower_list(node: ast.List, c: Cursor) -> Build:
    """Lower `[a, b]`."""
    return Build(c.anchor, c.at(node), "list", _each(node.elts, c))


def lower_set(node: ast.Set, c: Cursor) -> Build:
    """Lower `{a, b}`."""
    return Build(c.anchor, c.at(node), "set", _each(node.elts, c))


def lower_dict(node: ast.Dict, c: Cursor) -> BuildDict:
    """Lower `{key: value, **others}`."""
    items: list[tuple[Op | None, Op]] = []
    for key, value in zip(node.keys, node.values):
        lowered = None if key is None else EXPRESSIONS[type(key)](key, c)
        items.append((lowered, EXPRESSIONS[type(value)](value, c)))
    return BuildDict(c.anchor, c.at(node), tuple(items))


GATHERS: dict[type[ast.AST], Literal["list", "set", "dict", "generator"]] = {
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
    ast.ListComp: "list",
    ast.SetComp: "set",
}


def lower_comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, c: Cursor) -> Gather:
    """Lower a comprehension; only its first source is evaluated in the enclosing scope."""
    outer, inner = c.scope, Scope("comprehension", c.scope)
    clauses: list[Clause] = []
    for clause in node.generators:
        source = EXPRESSIONS[type(clause.iter)](clause.iter, c)
        c.scope = inner
        target = TARGETS[type(clause.target)](clause.target, c)
        clauses.append(Clause(target, source, _each(clause.ifs, c), bool(clause.is_async)))
    element = _each((node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,), c)
    c.scope = outer
    return Gather(c.anchor, c.at(node), GATHERS[type(node)], element, tuple(clauses))


def lower_unknown_expression(node: ast.AST, c: Cursor) -> Op:
    """Lower an expression without a corresponding op to `Other`."""
    return other(node, c, type(node).__name__)


EXPRESSIONS.update(
    {
        ast.Attribute: lower_attribute,
        ast.Await: lower_await,
        ast.BinOp: lower_binary,
        ast.BoolOp: lower_boolean,
        ast.Call: lower_call,
        ast.Compare: lower_comparison,
        ast.Dict: lower_dict,
        ast.DictComp: lower_comprehension,
        ast.GeneratorExp: lower_comprehension,
        ast.IfExp: lower_choice,
        ast.List: lower_list,
        ast.ListComp: lower_comprehension,
        ast.Name: lower_name,
        ast.NamedExpr: lower_walrus,
        ast.Set: lower_set,
        ast.SetComp: lower_comprehension,
        ast.Slice: lower_slice,
        ast.Starred: lower_star,
        ast.Subscript: lower_subscript,
        ast.Tuple: lower_tuple,
        ast.UnaryOp: lower_unary,
        ast.Yield: lower_yield,
        ast.YieldFrom: lower_yield_from,
    }
)
