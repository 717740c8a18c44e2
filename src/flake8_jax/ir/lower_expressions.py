"""Lowers names, operators, calls, subscripts, displays and comprehensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import libcst as cst

from flake8_jax.ir.both import lower_binary, lower_choice, lower_star
from flake8_jax.ir.lower_cursor import EXPRESSIONS, OPERATORS, TARGETS, Cursor, other
from flake8_jax.ir.ops import (
    Attr,
    Build,
    BuildDict,
    Call,
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

SINGLETONS = {"True": True, "False": False, "None": None}


def lower_name(node: cst.Name, c: Cursor) -> Op:
    """A name, or one of the three constants that libcst calls names."""
    name = node.value
    if name in SINGLETONS:
        return Const(c.anchor, node, SINGLETONS[name])
    return Name(c.anchor, node, name, c.scope)


def lower_attribute(node: cst.Attribute, c: Cursor) -> Attr:
    """`base.name`."""
    base = node.value
    return Attr(c.anchor, node, EXPRESSIONS[type(base)](base, c), node.attr.value)


def lower_arguments(args: Sequence[cst.Arg], c: Cursor) -> tuple[tuple[Op, ...], tuple[tuple[str | None, Op], ...]]:
    """Positional arguments and keywords of a call or a class statement."""
    positional: list[Op] = []
    keywords: list[tuple[str | None, Op]] = []
    for arg in args:
        value = arg.value
        op = EXPRESSIONS[type(value)](value, c)
        if arg.keyword is not None:
            keywords.append((arg.keyword.value, op))
        elif not arg.star:
            positional.append(op)
        elif arg.star == "*":
            positional.append(Star(c.anchor, arg, op))
        else:
            keywords.append((None, op))
    return tuple(positional), tuple(keywords)


def lower_call(node: cst.Call, c: Cursor) -> Call:
    """`func(*args, **keywords)`."""
    func = node.func
    callee = EXPRESSIONS[type(func)](func, c)
    args, keywords = lower_arguments(node.args, c)
    return Call(c.anchor, node, callee, args, keywords)


def lower_subscript(node: cst.Subscript, c: Cursor) -> Item:
    """`base[index]`; more than one index, a trailing comma or a star make a tuple of it."""
    value = node.value
    base = EXPRESSIONS[type(value)](value, c)
    elements = node.slice
    first = elements[0]
    index = _index(first.slice, c)
    if len(elements) > 1 or type(first.comma) is cst.Comma or type(index) is Star:
        rest = tuple([_index(element.slice, c) for element in elements[1:]])
        index = Build(c.anchor, elements, "tuple", (index, *rest), False)
    return Item(c.anchor, node, base, index)


def _index(node: cst.BaseSlice, c: Cursor) -> Op:
    if type(node) is cst.Index:
        op = EXPRESSIONS[type(node.value)](node.value, c)
        return op if node.star is None else Star(c.anchor, node, op)
    assert isinstance(node, cst.Slice)
    ends = (node.lower, node.upper, node.step)
    parts = [Const(c.anchor, None, None) if end is None else EXPRESSIONS[type(end)](end, c) for end in ends]
    return Build(c.anchor, node, "slice", tuple(parts))


def lower_unary(node: cst.UnaryOperation, c: Cursor) -> Operate:
    """`not x`, `-x`, `+x` or `~x`."""
    operand = node.expression
    value = EXPRESSIONS[type(operand)](operand, c)
    return Operate(c.anchor, node, OPERATORS[type(node.operator)], (value,))


def lower_boolean(node: cst.BooleanOperation, c: Cursor) -> Logic:
    """`a and b and c` as one op; parentheses around a part keep it apart."""
    kind = type(node.operator)
    operands = [node.right]
    left = node.left
    while type(left) is cst.BooleanOperation and type(left.operator) is kind and not left.lpar:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    operands.reverse()
    operator: Literal["and", "or"] = "and" if kind is cst.And else "or"
    parts = tuple([EXPRESSIONS[type(operand)](operand, c) for operand in operands])
    return Logic(c.anchor, node, operator, parts)


def lower_comparison(node: cst.Comparison, c: Cursor) -> Compare:
    """`a < b <= c`."""
    left = node.left
    operands = [EXPRESSIONS[type(left)](left, c)]
    operators: list[str] = []
    for target in node.comparisons:
        operator = OPERATORS.get(type(target.operator))
        operators.append(operator or _spelled_operator(target.operator))
        right = target.comparator
        operands.append(EXPRESSIONS[type(right)](right, c))
    return Compare(c.anchor, node, tuple(operators), tuple(operands))


def _spelled_operator(operator: cst.BaseCompOp) -> str:
    if isinstance(operator, cst.Is):
        return "is"
    if isinstance(operator, cst.IsNot):
        return "is not"
    return "not in" if isinstance(operator, cst.NotIn) else "!="


def lower_await(node: cst.Await, c: Cursor) -> Suspend:
    """`await value`."""
    value = node.expression
    return Suspend(c.anchor, node, "await", EXPRESSIONS[type(value)](value, c))


def lower_yield(node: cst.Yield, c: Cursor) -> Suspend:
    """`yield`, `yield value` or `yield from value`; makes its function a generator."""
    c.function.is_generator = True
    value = node.value
    if value is None:
        return Suspend(c.anchor, node, "yield", None)
    if isinstance(value, cst.From):
        return Suspend(c.anchor, node, "yield from", EXPRESSIONS[type(value.item)](value.item, c))
    return Suspend(c.anchor, node, "yield", EXPRESSIONS[type(value)](value, c))


def lower_walrus(node: cst.NamedExpr, c: Cursor) -> Store:
    """`name := value`: inside a comprehension the name belongs to the frame around it."""
    value = EXPRESSIONS[type(node.value)](node.value, c)
    name = cst.ensure_type(node.target, cst.Name).value
    frame = c.scope.frame
    frame.bind(name)
    return Store(c.anchor, node, (Name(c.anchor, node.target, name, frame),), value, "walrus")


def _elements(elements: Sequence[cst.BaseElement], c: Cursor) -> tuple[Op, ...]:
    ops: list[Op] = []
    for element in elements:
        value = element.value
        op = EXPRESSIONS[type(value)](value, c)
        ops.append(op if type(element) is cst.Element else Star(c.anchor, element, op))
    return tuple(ops)


def lower_tuple(node: cst.Tuple, c: Cursor) -> Build:
    """`a, b`, with or without parentheses."""
    return Build(c.anchor, node, "tuple", _elements(node.elements, c), bool(node.lpar))


def lower_list(node: cst.List, c: Cursor) -> Build:
    """`[a, b]`."""
    return Build(c.anchor, node, "list", _elements(node.elements, c))


def lower_set(node: cst.Set, c: Cursor) -> Build:
    """`{a, b}`."""
    return Build(c.anchor, node, "set", _elements(node.elements, c))


def lower_dict(node: cst.Dict, c: Cursor) -> BuildDict:
    """`{key: value, **others}`."""
    items: list[tuple[Op | None, Op]] = []
    for element in node.elements:
        key = EXPRESSIONS[type(element.key)](element.key, c) if isinstance(element, cst.DictElement) else None
        items.append((key, EXPRESSIONS[type(element.value)](element.value, c)))
    return BuildDict(c.anchor, node, tuple(items))


GATHERS: dict[type[cst.CSTNode], Literal["list", "set", "dict", "generator"]] = {
    cst.DictComp: "dict",
    cst.GeneratorExp: "generator",
    cst.ListComp: "list",
    cst.SetComp: "set",
}


def lower_comprehension(node: cst.BaseComp, c: Cursor) -> Gather:
    """A comprehension: the first source is evaluated outside, all else in a scope of its own."""
    outer = c.scope
    clause: cst.CompFor | None = node.for_in
    clauses: list[Clause] = []
    inner = Scope("comprehension", outer)
    while clause is not None:
        source = EXPRESSIONS[type(clause.iter)](clause.iter, c)
        c.scope = inner
        target = TARGETS[type(clause.target)](clause.target, c)
        tests = tuple([EXPRESSIONS[type(part.test)](part.test, c) for part in clause.ifs])
        clauses.append(Clause(target, source, tests, clause.asynchronous is not None))
        clause = clause.inner_for_in
    element: tuple[Op, ...]
    if isinstance(node, cst.DictComp):
        element = (EXPRESSIONS[type(node.key)](node.key, c), EXPRESSIONS[type(node.value)](node.value, c))
    else:
        assert isinstance(node, cst.BaseSimpleComp)
        element = (EXPRESSIONS[type(node.elt)](node.elt, c),)
    c.scope = outer
    return Gather(c.anchor, node, GATHERS[type(node)], element, tuple(clauses))


def lower_unknown_expression(node: cst.CSTNode, c: Cursor) -> Op:
    """What this version of Python or libcst has and the ops have not."""
    return other(node, c, type(node).__name__)


EXPRESSIONS.update(
    {
        cst.Attribute: lower_attribute,
        cst.Await: lower_await,
        cst.BinaryOperation: lower_binary,
        cst.BooleanOperation: lower_boolean,
        cst.Call: lower_call,
        cst.Comparison: lower_comparison,
        cst.Dict: lower_dict,
        cst.DictComp: lower_comprehension,
        cst.GeneratorExp: lower_comprehension,
        cst.IfExp: lower_choice,
        cst.List: lower_list,
        cst.ListComp: lower_comprehension,
        cst.Name: lower_name,
        cst.NamedExpr: lower_walrus,
        cst.Set: lower_set,
        cst.SetComp: lower_comprehension,
        cst.StarredElement: lower_star,
        cst.Subscript: lower_subscript,
        cst.Tuple: lower_tuple,
        cst.UnaryOperation: lower_unary,
        cst.Yield: lower_yield,
    }
)
