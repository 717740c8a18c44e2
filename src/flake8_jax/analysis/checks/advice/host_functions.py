"""NumPy's functions in the place of those of `jax.numpy`, for a computation on values of the host."""

from __future__ import annotations

import ast

from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import imported_name, scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.rewrite import ChangedOp, Rewrite
from flake8_jax.syntax.layout import Layout
from flake8_jax.syntax.positions import unpacked

ROUNDS = 3
"""Through so many names a number is followed."""

ALIKE = frozenset((
    "abs", "add", "arange", "argmax", "argmin", "array", "asarray", "ceil", "clip", "cumprod", "cumsum", "divide",
    "exp", "exp2", "floor", "floor_divide", "linspace", "log", "log10", "log2", "max", "maximum", "mean", "min",
    "minimum", "mod", "multiply", "ones", "power", "prod", "rint", "round", "sign", "sort", "sqrt", "square",
    "subtract", "sum", "where", "zeros",
))  # fmt: skip
"""The functions of `jax.numpy` that NumPy has under the same name, with the same meaning for numbers."""


TYPES = frozenset((
    "bool_", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
))  # fmt: skip
"""The types of `jax.numpy` that NumPy has under the same name."""


@advising(ADVICE, None)
def on_the_host(op: Op) -> Rewrite | None:
    """The changes that make a written computation one of NumPy; None where not all of it is written there."""
    changes: list[ChangedOp] = []
    return Rewrite(tuple(changes)) if _collect(op, changes) and changes else None


def _collect(op: Op, changes: list[ChangedOp]) -> bool:
    """Collect the changes of the functions in an expression; False where a part of it is made elsewhere."""
    match op:
        case ops.Const():
            return True
        case ops.Name():
            layout = op.anchor.origin.source.layout
            node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
            return node is not None and is_of_shapes(layout, node, ROUNDS)
        case ops.Attr(name="shape" | "ndim" | "size"):
            return True
        case ops.Item(base=ops.Attr(name="shape"), index=ops.Const() | ops.Build(kind="slice") | ops.Operate()):
            return True
        case ops.Operate(operands=parts) | ops.Compare(operands=parts):
            return all(_collect(part, changes) for part in parts)
        case ops.Build(parts=parts):
            return all(_collect(part, changes) for part in parts)
        case ops.Call(func=ops.Name(name="len" | "int" | "float" | "min" | "max"), args=(_, *_), keywords=()):
            return True
        case ops.Call(func=func, args=args, keywords=keywords):
            return _collect_call(func, args, changes) and all(_collect_type(*keyword, changes) for keyword in keywords)
    return False


def is_of_shapes(layout: Layout, node: ast.expr, rounds: int) -> bool:
    """Is a number made of constants, of shapes and of lengths, by arithmetic; a name, bound once to such a number?"""
    match node:
        case ast.Constant(value=int() | float()) | ast.Attribute(attr="ndim" | "size"):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
        case ast.Call(func=ast.Name(id="len")):
            return True
        case ast.BinOp(left=left, right=right):
            return is_of_shapes(layout, left, rounds) and is_of_shapes(layout, right, rounds)
        case ast.UnaryOp(operand=operand):
            return is_of_shapes(layout, operand, rounds)
        case ast.Name(id=name):
            stores = layout.stores.get((layout.frame(node), name), [])
            target = stores[0] if len(stores) == 1 and rounds else None
            bound = layout.parents.get(target) if target is not None else None
            if isinstance(bound, ast.Tuple):  # rows, columns = x.shape
                unpacked_by = layout.parents.get(bound)
                value = unpacked_by.value if isinstance(unpacked_by, ast.Assign) else None
                return isinstance(value, ast.Attribute) and value.attr == "shape"
            is_alone = isinstance(bound, ast.Assign) and bound.targets == [target]
            return is_alone and isinstance(bound, ast.Assign) and is_of_shapes(layout, bound.value, rounds - 1)
    return False


def _collect_type(name: str | None, value: Op, changes: list[ChangedOp]) -> bool:
    """Collect the change of a type that a call is given by name; False for what else it is given so."""
    module, _, last = imported_name(value).rpartition(".")
    if name != "dtype" or module != "jax.numpy" or last not in TYPES:
        return name == "dtype" and isinstance(value, ops.Name) and value.name in ("int", "float", "bool")
    changes.append(ChangedOp(value, (library_name(scope_of(value), f"numpy.{last}"),)))
    return True


def _collect_call(func: Op, args: tuple[Op, ...], changes: list[ChangedOp]) -> bool:
    name = imported_name(func)
    module, _, last = name.rpartition(".")
    if module == "jax.numpy" and last in ALIKE:
        changes.append(ChangedOp(func, (library_name(scope_of(func), f"numpy.{last}"),)))
        return all(_collect(argument, changes) for argument in args)
    if type(func) is ops.Attr and not name:  # a method of the array that is made there
        return _collect(func.base, changes) and all(_is_static(argument) for argument in args)
    return False


def _is_static(op: Op) -> bool:
    return type(op) in (ops.Const, ops.Name)
