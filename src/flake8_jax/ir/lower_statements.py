"""Lowers the simple statements: assignments, imports, deletions, assertions and exits."""

from __future__ import annotations

import libcst as cst

from flake8_jax.ir.both import lower_assert, lower_exit, lower_pass, lower_return
from flake8_jax.ir.building import add_exports, literal_names
from flake8_jax.ir.lower_cursor import EXPRESSIONS, OPERATORS, SIMPLE, TARGETS, Cursor, other
from flake8_jax.ir.ops import Delete, Imported, Leave, Name, Op, Operate, Store, Target
from flake8_jax.ir.scope import Scope


def lower_expression(node: cst.Expr, c: Cursor, out: list[Op]) -> None:
    """An expression that stands alone."""
    value = node.value
    out.append(EXPRESSIONS[type(value)](value, c))


def lower_assign(node: cst.Assign, c: Cursor, out: list[Op]) -> None:
    """`a = b = value`."""
    value = EXPRESSIONS[type(node.value)](node.value, c)
    parts = node.targets
    first = TARGETS[type(parts[0].target)](parts[0].target, c)
    targets = (first, *[TARGETS[type(part.target)](part.target, c) for part in parts[1:]]) if parts[1:] else (first,)
    out.append(Store(c.anchor, node, targets, value, "assign"))
    if type(first) is Name and first.name == "__all__":
        c.scope.exports = literal_names(value)


def lower_annotated(node: cst.AnnAssign, c: Cursor, out: list[Op]) -> None:
    """`name: annotation = value`; without a value it only makes the name local."""
    hint = node.annotation.annotation
    annotation = EXPRESSIONS[type(hint)](hint, c)
    target: Target
    if node.value is not None:
        value = EXPRESSIONS[type(node.value)](node.value, c)
        target = TARGETS[type(node.target)](node.target, c)
        out.append(Store(c.anchor, node, (target,), value, "annotate", annotation))
        if type(target) is Name and target.name == "__all__":
            c.scope.exports = literal_names(value)
        return
    if isinstance(node.target, cst.Name):
        c.scope.declare(node.target.value)
        target = Name(c.anchor, node.target, node.target.value, c.scope)
    else:
        target = TARGETS[type(node.target)](node.target, c)
    out.append(Store(c.anchor, node, (target,), None, "annotate", annotation))


def lower_augmented(node: cst.AugAssign, c: Cursor, out: list[Op]) -> None:
    """`x += y`: the target and the first operand are one and the same op, evaluated once."""
    target = TARGETS[type(node.target)](node.target, c)
    value = EXPRESSIONS[type(node.value)](node.value, c)
    result = Operate(c.anchor, node, OPERATORS[type(node.operator)], (target, value), True)
    out.append(Store(c.anchor, node, (target,), result, "augment"))
    if type(target) is Name and target.name == "__all__":
        add_exports(c.scope, value)


def dotted(node: cst.BaseExpression) -> str:
    """The text of a dotted name."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    parts.append(cst.ensure_type(node, cst.Name).value)
    return ".".join(reversed(parts))


def _store_import(alias: cst.ImportAlias, bound: str, qualified: str, level: int, c: Cursor, out: list[Op]) -> None:
    c.scope.bind(bound, imported="." * level + qualified)
    where = alias.asname.name if alias.asname is not None else alias.name
    target = Name(c.anchor, where, bound, c.scope)
    value = Imported(c.anchor, alias, qualified, level)
    out.append(Store(c.anchor, alias, (target,), value, "import"))


def lower_import(node: cst.Import, c: Cursor, out: list[Op]) -> None:
    """`import a.b` binds and yields `a`; `import a.b as c` binds `c` and yields `a.b`."""
    for alias in node.names:
        name = dotted(alias.name)
        if alias.asname is not None:
            _store_import(alias, cst.ensure_type(alias.asname.name, cst.Name).value, name, 0, c, out)
        else:
            top = name.partition(".")[0]
            _store_import(alias, top, top, 0, c, out)


def lower_import_from(node: cst.ImportFrom, c: Cursor, out: list[Op]) -> None:
    """`from ..a import b as c`."""
    level = len(node.relative)
    prefix = f"{dotted(node.module)}." if node.module is not None else ""
    if isinstance(node.names, cst.ImportStar):
        c.scope.stars.append("." * level + prefix.rstrip("."))
        out.append(Imported(c.anchor, node.names, f"{prefix}*", level))
        return
    for alias in node.names:
        name = cst.ensure_type(alias.name, cst.Name).value
        bound = name if alias.asname is None else cst.ensure_type(alias.asname.name, cst.Name).value
        _store_import(alias, bound, prefix + name, level, c, out)


def lower_delete(node: cst.Del, c: Cursor, out: list[Op]) -> None:
    """`del a, b[0]`; parentheses group without meaning."""
    targets: list[Target] = []
    stack: list[cst.BaseExpression] = [node.target]
    while stack:
        part = stack.pop()
        if isinstance(part, (cst.Tuple, cst.List)):
            stack.extend(element.value for element in reversed(part.elements))
        elif isinstance(part, cst.Name):
            c.scope.declare(part.value)
            targets.append(Name(c.anchor, part, part.value, c.scope))
        else:
            targets.append(TARGETS[type(part)](part, c))
    out.append(Delete(c.anchor, node, tuple(targets)))


def lower_raise(node: cst.Raise, c: Cursor, out: list[Op]) -> None:
    """`raise value from cause`."""
    value = None if node.exc is None else EXPRESSIONS[type(node.exc)](node.exc, c)
    cause = None if node.cause is None else EXPRESSIONS[type(node.cause.item)](node.cause.item, c)
    out.append(Leave(c.anchor, node, "raise", value, cause))


def lower_global(node: cst.Global, c: Cursor, out: list[Op]) -> None:
    """`global a, b`: no op, but stores and reads that follow mean the module's names."""
    if c.scope.kind != "module":
        c.scope.globals.update(item.name.value for item in node.names)


def lower_nonlocal(node: cst.Nonlocal, c: Cursor, out: list[Op]) -> None:
    """`nonlocal a, b`: no op, but stores and reads that follow mean an enclosing function's names."""
    c.scope.nonlocals.update(item.name.value for item in node.names)


def lower_type_alias(node: cst.TypeAlias, c: Cursor, out: list[Op]) -> None:
    """`type Name[T] = value`: the value is evaluated only when it is asked for."""
    outer = c.scope
    target = TARGETS[cst.Name](node.name, c)
    c.scope = type_scope(node.type_parameters, outer)
    value = EXPRESSIONS[type(node.value)](node.value, c)
    c.scope = outer
    out.append(Store(c.anchor, node, (target,), other(node, c, "type alias", (value,)), "assign"))


def type_scope(node: cst.TypeParameters | None, parent: Scope) -> Scope:
    """The scope that holds type parameters; their bounds are evaluated lazily and have no ops."""
    if node is None:
        return parent
    scope = Scope("types", parent)
    for parameter in node.params:
        scope.bind(parameter.param.name.value)
    return scope


def lower_unknown_statement(node: cst.CSTNode, c: Cursor, out: list[Op]) -> None:
    """What this version of Python or libcst has and the ops have not."""
    out.append(other(node, c, type(node).__name__))


SIMPLE.update(
    {
        cst.AnnAssign: lower_annotated,
        cst.Assert: lower_assert,
        cst.Assign: lower_assign,
        cst.AugAssign: lower_augmented,
        cst.Break: lower_exit("break"),
        cst.Continue: lower_exit("continue"),
        cst.Del: lower_delete,
        cst.Expr: lower_expression,
        cst.Global: lower_global,
        cst.Import: lower_import,
        cst.ImportFrom: lower_import_from,
        cst.Nonlocal: lower_nonlocal,
        cst.Pass: lower_pass,
        cst.Raise: lower_raise,
        cst.Return: lower_return,
        cst.TypeAlias: lower_type_alias,
    }
)
for lazy, eager in (("LazyImport", cst.Import), ("LazyImportFrom", cst.ImportFrom)):
    if hasattr(cst, lazy):
        SIMPLE[getattr(cst, lazy)] = SIMPLE[eager]
