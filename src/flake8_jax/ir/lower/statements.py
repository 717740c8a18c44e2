"""Lowers simple statements and assignment targets, binding names in their scopes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from flake8_jax.ir.building import add_exports, literal_names
from flake8_jax.ir.lower.annotations import lower_annotation
from flake8_jax.ir.lower.cursor import EXPRESSIONS, OPERATORS, STATEMENTS, TARGETS, Cursor, other
from flake8_jax.ir.lower.expressions import lower_attribute, lower_subscript
from flake8_jax.ir.ops import Branch, Delete, Imported, Leave, Name, Op, Operate, Star, Store, Target, Unpack
from flake8_jax.ir.scope import Scope


def bound_name(name: str, node: object, c: Cursor) -> Name:
    """A name bound here; its place is the whole node if it has none of its own."""
    c.scope.bind(name)
    return Name(c.anchor, c.at(node), name, c.scope)


def target_name(node: ast.Name, c: Cursor) -> Name:
    """Lower a name as an assignment target."""
    return bound_name(node.id, node, c)


def target_unpack(node: ast.Tuple | ast.List, c: Cursor) -> Unpack:
    """Lower `a, *b` or `[a, b]` as an assignment target."""
    return Unpack(c.anchor, c.at(node), tuple([TARGETS[type(part)](part, c) for part in node.elts]))


def target_star(node: ast.Starred, c: Cursor) -> Star:
    """Lower `*rest` as an assignment target."""
    return Star(c.anchor, c.at(node), TARGETS[type(node.value)](node.value, c))


def lower_expression(node: ast.Expr, c: Cursor, out: list[Op]) -> None:
    """Lower an expression statement."""
    out.append(EXPRESSIONS[type(node.value)](node.value, c))


def lower_assign(node: ast.Assign, c: Cursor, out: list[Op]) -> None:
    """Lower `a = b = value`."""
    value = EXPRESSIONS[type(node.value)](node.value, c)
    targets = tuple([TARGETS[type(part)](part, c) for part in node.targets])
    out.append(Store(c.anchor, c.at(node), targets, value, "assign"))
    first = targets[0]
    if type(first) is Name and first.name == "__all__":
        c.scope.exports = literal_names(value)


def lower_annotated(node: ast.AnnAssign, c: Cursor, out: list[Op]) -> None:
    """Lower `name: annotation = value`; without a value it only makes the name local."""
    annotation = lower_annotation(node.annotation, c)
    target: Target
    if node.value is not None:
        value = EXPRESSIONS[type(node.value)](node.value, c)
        target = TARGETS[type(node.target)](node.target, c)
        out.append(Store(c.anchor, c.at(node), (target,), value, "annotate", annotation))
        if type(target) is Name and target.name == "__all__":
            c.scope.exports = literal_names(value)
        return
    if isinstance(node.target, ast.Name):
        c.scope.declare(node.target.id)
        target = Name(c.anchor, c.at(node.target), node.target.id, c.scope)
    else:
        target = TARGETS[type(node.target)](node.target, c)
    out.append(Store(c.anchor, c.at(node), (target,), None, "annotate", annotation))


def lower_augmented(node: ast.AugAssign, c: Cursor, out: list[Op]) -> None:
    """Lower `x += y`; the target and the first operand are the same op, evaluated once."""
    target = TARGETS[type(node.target)](node.target, c)
    value = EXPRESSIONS[type(node.value)](node.value, c)
    result = Operate(c.anchor, c.at(node), OPERATORS[type(node.op)], (target, value), True)
    out.append(Store(c.anchor, c.at(node), (target,), result, "augment"))
    if type(target) is Name and target.name == "__all__":
        add_exports(c.scope, value)


def _store_import(
    node: ast.alias, bound: str, qualified: str, level: int, module: str, c: Cursor, out: list[Op]
) -> None:  # fmt: skip
    c.scope.bind(bound, imported="." * level + qualified)
    target = Name(c.anchor, c.at(node), bound, c.scope)
    value = Imported(c.anchor, c.at(node), qualified, level, module)
    if not level:
        c.noted.append(value)
        c.names |= {bound}
    out.append(Store(c.anchor, c.at(node), (target,), value, "import"))


def lower_import(node: ast.Import, c: Cursor, out: list[Op]) -> None:
    """Lower an import statement.  `import a.b` binds and yields `a`; `import a.b as c` binds `c` and yields `a.b`."""
    for alias in node.names:
        top = alias.name.partition(".")[0]
        _store_import(alias, alias.asname or top, alias.name if alias.asname else top, 0, alias.name, c, out)


def lower_import_from(node: ast.ImportFrom, c: Cursor, out: list[Op]) -> None:
    """Lower `from ..a import b as c`."""
    level, prefix = node.level, f"{node.module}." if node.module else ""
    for alias in node.names:
        if alias.name == "*":
            c.scope.stars.append("." * level + prefix.rstrip("."))
            out.append(Imported(c.anchor, c.at(alias), f"{prefix}*", level, node.module or ""))
        else:
            _store_import(alias, alias.asname or alias.name, prefix + alias.name, level, node.module or "", c, out)


def lower_delete(node: ast.Delete, c: Cursor, out: list[Op]) -> None:
    """Lower `del a, b[0]`; parentheses group without meaning."""
    targets: list[Target] = []
    stack: list[ast.expr] = list(reversed(node.targets))
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.Tuple, ast.List)):
            stack.extend(reversed(part.elts))
        elif isinstance(part, ast.Name):
            c.scope.declare(part.id)
            targets.append(Name(c.anchor, c.at(part), part.id, c.scope))
        else:
            targets.append(TARGETS[type(part)](part, c))
    out.append(Delete(c.anchor, c.at(node), tuple(targets)))


def lower_assert(node: ast.Assert, c: Cursor, out: list[Op]) -> None:
    """Lower `assert test, message` to a branch with a raise in its `orelse`."""
    test = EXPRESSIONS[type(node.test)](node.test, c)
    raised = Leave(c.anchor, c.at(node), "raise", _optional(node.msg, c))
    out.append(Branch(c.anchor, c.at(node), "assert", test, (), (raised,)))


def lower_return(node: ast.Return, c: Cursor, out: list[Op]) -> None:
    """Lower `return value`."""
    out.append(Leave(c.anchor, c.at(node), "return", _optional(node.value, c)))


def lower_break(node: ast.Break, c: Cursor, out: list[Op]) -> None:
    """Lower `break`."""
    out.append(Leave(c.anchor, c.at(node), "break", None))


def lower_continue(node: ast.Continue, c: Cursor, out: list[Op]) -> None:
    """Lower `continue`."""
    out.append(Leave(c.anchor, c.at(node), "continue", None))


def lower_pass(node: ast.Pass, c: Cursor, out: list[Op]) -> None:
    """Lower `pass` to nothing."""


def _optional(node: ast.expr | None, c: Cursor) -> Op | None:
    return None if node is None else EXPRESSIONS[type(node)](node, c)


def lower_raise(node: ast.Raise, c: Cursor, out: list[Op]) -> None:
    """Lower `raise value from cause`."""
    value = _optional(node.exc, c)
    out.append(Leave(c.anchor, c.at(node), "raise", value, _optional(node.cause, c)))


def lower_global(node: ast.Global, c: Cursor, out: list[Op]) -> None:
    """Handle `global a, b`: no op, but later accesses mean the module's names."""
    if c.scope.kind != "module":
        c.scope.globals |= {*node.names}


def lower_nonlocal(node: ast.Nonlocal, c: Cursor, out: list[Op]) -> None:
    """Handle `nonlocal a, b`: no op, but later accesses mean an enclosing function's names."""
    c.scope.nonlocals |= {*node.names}


def lower_type_alias(node: Any, c: Cursor, out: list[Op]) -> None:
    """Lower `type Name[T] = value`, whose value is evaluated lazily."""
    outer = c.scope
    target = target_name(node.name, c)
    c.scope = type_scope(node.type_params, outer)
    value = EXPRESSIONS[type(node.value)](node.value, c)
    c.scope = outer
    out.append(Store(c.anchor, c.at(node), (target,), other(node, c, "type alias", (value,)), "assign"))


def type_scope(parameters: Sequence[Any], parent: Scope) -> Scope:
    """The scope of type parameters; their bounds are evaluated lazily and have no ops."""
    if not parameters:
        return parent
    scope = Scope("types", parent)
    for parameter in parameters:
        scope.bind(parameter.name)
    return scope


def lower_unknown_statement(node: ast.AST, c: Cursor, out: list[Op]) -> None:
    """Lower a statement without a corresponding op to `Other`."""
    out.append(other(node, c, type(node).__name__))


TARGETS.update(
    {
        ast.Attribute: lower_attribute,
        ast.List: target_unpack,
        ast.Name: target_name,
        ast.Starred: target_star,
        ast.Subscript: lower_subscript,
        ast.Tuple: target_unpack,
    }
)
STATEMENTS.update(
    {
        ast.AnnAssign: lower_annotated,
        ast.Assert: lower_assert,
        ast.Assign: lower_assign,
        ast.AugAssign: lower_augmented,
        ast.Break: lower_break,
        ast.Continue: lower_continue,
        ast.Delete: lower_delete,
        ast.Expr: lower_expression,
        ast.Global: lower_global,
        ast.Import: lower_import,
        ast.ImportFrom: lower_import_from,
        ast.Nonlocal: lower_nonlocal,
        ast.Pass: lower_pass,
        ast.Raise: lower_raise,
        ast.Return: lower_return,
    }
)
if hasattr(ast, "TypeAlias"):
    STATEMENTS[ast.TypeAlias] = lower_type_alias
