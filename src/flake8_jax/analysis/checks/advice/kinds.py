"""Which names of a function hold one number, and of which kind: `lax.cond` and loops of JAX give back what they get.

    n = 0                   an integer
    n = n + (x > 0).sum()   another: `n` can be carried
    total = 0               an integer, but
    total += x.mean()       a float: `lax.cond` and `lax.while_loop` would refuse it

What is asked for its truth is one number, and so is all that it is made of element by element.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.layout import Layout

TYPES = {
    **dict.fromkeys(("int", "int_", "int32"), "int"), **dict.fromkeys(("float", "float_", "float32"), "float"),
    **dict.fromkeys(("bool", "bool_"), "bool"),
}  # fmt: skip
OF_FLOATS = frozenset((
    "exp", "log", "log1p", "expm1", "sqrt", "sin", "cos", "tanh", "sigmoid", "mean", "norm", "uniform", "normal",
    "float", "arctan2", "linspace", "std", "var",
))  # fmt: skip
OF_TRUTHS = frozenset(("any", "all", "isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not", "bool"))
OF_INTEGERS = frozenset(("argmax", "argmin", "len", "int", "argsort", "count_nonzero"))
ALIKE = frozenset((
    "minimum", "maximum", "abs", "clip", "sum", "prod", "max", "min", "where", "select", "square", "dot", "vdot",
))  # fmt: skip
"""Functions whose results are of the kind of their arguments, the first of `where` and `select` left out."""

MAKING = frozenset(("array", "asarray", "arange"))
SHAPING = frozenset(("reshape", "ravel", "flatten", "squeeze", "copy", "transpose"))
ELEMENTWISE = frozenset((
    "exp", "log", "log1p", "expm1", "sqrt", "sin", "cos", "tanh", "sigmoid", "minimum", "maximum", "abs", "clip",
    "where", "square", "isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not", "astype",
))  # fmt: skip
REDUCING = frozenset(("sum", "mean", "max", "min", "prod", "any", "all", "std", "var", "norm", "argmax", "argmin"))
DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.Set)
"""What makes a tree, which is alike to no array."""

OF_HOST = frozenset(("len", "int", "float", "bool", "vdot"))
ROUNDS = 4
UNKNOWN = "unknown"


@dataclass(slots=True, eq=False)
class Kinds:
    """The kinds of the names of a function."""

    layout: Layout
    frame: ast.AST
    scalars: set[str] = field(default_factory=set)
    known: dict[str, str] = field(default_factory=dict)
    bound: dict[str, list[ast.expr | None]] = field(default_factory=dict)

    def differ(self, name: str) -> bool:
        """Are the values of a name evidently, or for a number of Python possibly, not alike?"""
        return self._are_unlike(self._values(name))

    def alike(self, values: Sequence[ast.expr]) -> bool:
        """May expressions stand for results of one function?"""
        if any(isinstance(value, ast.Tuple) for value in values):
            rows = [value.elts for value in values if isinstance(value, ast.Tuple)]
            is_even = len(rows) == len(values) and len({len(row) for row in rows}) == 1
            return is_even and all(self.alike(column) for column in zip(*rows))
        return not any(map(_is_other, values)) and not self._are_unlike(values)

    def _are_unlike(self, values: Sequence[ast.expr | None]) -> bool:
        if len({type(value) if isinstance(value, DISPLAYS) else None for value in values}) > 1:
            return True
        kinds = {UNKNOWN if value is None else self.kind(value) for value in values} - {""}
        known = kinds - {UNKNOWN}
        if len(known) > 1 or (UNKNOWN in kinds and known and known != {"float"}):
            return True
        has_number = any(value is not None and _number(value) is not None for value in values)
        return has_number and not all(value is not None and self.is_scalar(value) for value in values)

    def is_number(self, name: str) -> bool:
        """Is a name evidently bound to numbers of Python alone?"""
        values = self._values(name)
        return bool(values) and all(value is not None and self._is_of_python(value, name) for value in values)

    def _is_of_python(self, value: ast.expr, name: str) -> bool:
        if isinstance(value, ast.BinOp):
            return self._is_of_python(value.left, name) and self._is_of_python(value.right, name)
        return _number(value) is not None or (isinstance(value, ast.Name) and value.id == name)

    def are_arrays(self, names: Iterable[str]) -> bool:
        """Is nothing bound to names that is evidently neither a number nor made of such?"""
        return not any(_is_other(value) for name in names for value in self._values(name))

    def _values(self, name: str) -> list[ast.expr | None]:
        """The expressions that are bound to a name; None for what is none."""
        found = self.bound.get(name)
        if found is None:
            stores = self.layout.stores.get((self.frame, name), ())
            found = self.bound[name] = [self._value(store) for store in stores]
            arguments = getattr(self.frame, "args", None)
            if isinstance(arguments, ast.arguments):
                given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                found += [None for argument in given if argument.arg == name]
        return found

    def _value(self, store: ast.AST) -> ast.expr | None:
        around = self.layout.parents.get(store)
        if isinstance(around, ast.AugAssign) and isinstance(around.target, ast.Name):
            read = ast.Name(around.target.id, ast.Load())
            return ast.BinOp(read, around.op, around.value)
        if isinstance(around, (ast.Assign, ast.AnnAssign)):
            return around.value
        if isinstance(around, ast.Tuple) and isinstance(outer := self.layout.parents.get(around), ast.Assign):
            given = outer.value
            if isinstance(given, ast.Tuple) and len(given.elts) == len(around.elts):
                return given.elts[next(number for number, one in enumerate(around.elts) if one is store)]
        return None

    def kind(self, value: ast.expr) -> str:
        """The kind of numbers of an expression: "" if it is made of itself alone."""
        match value:
            case ast.Constant(value=number):
                return type(number).__name__ if isinstance(number, (int, float)) else UNKNOWN
            case ast.Name(id=name):
                return self._kind_of_name(name)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.UnaryOp(operand=operand):
                return self.kind(operand)
            case ast.IfExp(body=one, orelse=other):
                return self._joined((one, other))
            case ast.BinOp(left=left, op=sign, right=right):
                found = self._joined((left, right))
                return "float" if isinstance(sign, ast.Div) and found in ("int", "bool") else found
            case ast.Call(func=func, args=args, keywords=keywords):
                return self._kind_of_call(func, args) if not keywords else UNKNOWN
        return UNKNOWN

    def _kind_of_name(self, name: str) -> str:
        if name not in self.known:
            self.known[name] = ""
            kinds = {UNKNOWN if value is None else self.kind(value) for value in self._values(name)} - {""}
            self.known[name] = kinds.pop() if len(kinds) == 1 else UNKNOWN
        return self.known[name]

    def _kind_of_call(self, func: ast.expr, args: list[ast.expr]) -> str:
        name = last_name(func)
        if name == "astype" and len(args) == 1:
            given = last_name(args[0])
            return TYPES.get(given, UNKNOWN)
        for kind, functions in (("float", OF_FLOATS), ("bool", OF_TRUTHS), ("int", OF_INTEGERS)):
            if name in functions:
                return kind
        if name in MAKING and args:
            return self._joined(_elements(args[0]) if isinstance(args[0], (ast.List, ast.Tuple)) else args)
        if name in SHAPING and isinstance(func, ast.Attribute):
            return self.kind(func.value)
        if name in ALIKE:
            is_method = isinstance(func, ast.Attribute) and not args
            numbers = args[name in ("where", "select") :] if not is_method else [func.value]  # type: ignore[attr-defined]
            found = self._joined(numbers)
            return "int" if found == "bool" and name in ("sum", "prod") else found
        return UNKNOWN

    def _joined(self, values: Iterable[ast.expr]) -> str:
        kinds = {self.kind(value) for value in values} - {""}
        if UNKNOWN in kinds:
            return "float" if "float" in kinds and not kinds - {"float", UNKNOWN} else UNKNOWN
        return next((one for one in ("float", "int", "bool") if one in kinds), "")

    def is_scalar(self, value: ast.expr) -> bool:
        """Is an expression evidently one number?"""
        match value:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name in self.scalars
            case ast.Attribute(attr=name):
                return name in ("ndim", "size")
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
                return not isinstance(index, ast.Slice)
            case ast.BinOp() | ast.Compare() | ast.UnaryOp() | ast.IfExp():
                return all(map(self.is_scalar, _operands(value)))
            case ast.Call(func=func, args=args, keywords=[]):
                name = last_name(func)
                is_method = isinstance(func, ast.Attribute) and not args
                if name in REDUCING and (is_method or len(args) == 1):
                    return True
                if name in ELEMENTWISE or name == "select":
                    return all(map(self.is_scalar, _operands(value)))
                is_one = name in OF_HOST or (name in ("uniform", "normal") and len(args) == 1)
                return is_one or _called(func) in self.scalars
            case ast.Call(func=func):
                return _called(func) in self.scalars
        return False


def kinds_of(layout: Layout, frame: ast.AST) -> Kinds:
    """The kinds of the names of a function, found once."""
    found = layout.memo.get(("kinds", frame))
    if not isinstance(found, Kinds):
        found = Kinds(layout, frame)
        _find_scalars(found)
        layout.memo["kinds", frame] = found
    return found


def _find_scalars(kinds: Kinds) -> None:
    """What is asked for its truth is one number, what it is made of, and what is made of such."""
    for node in ast.walk(kinds.frame):
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            kinds.scalars.update(_compared(node.test))
    names = {name for frame, name in kinds.layout.stores if frame is kinds.frame}
    for _ in range(ROUNDS):
        before = len(kinds.scalars)
        for name in names:
            values = kinds._values(name)
            if name in kinds.scalars:
                kinds.scalars.update(part for value in values if value is not None for part in _made_of(value))
            elif values:
                kinds.scalars.add(name)
                if not all(value is not None and kinds.is_scalar(value) for value in values):
                    kinds.scalars.remove(name)
        if len(kinds.scalars) == before:
            break


def _compared(test: ast.expr) -> Iterator[str]:
    """The names in the comparisons of a test."""
    if isinstance(test, ast.BoolOp):
        for one in test.values:
            yield from _compared(one)
    elif isinstance(test, ast.UnaryOp):
        yield from _compared(test.operand)
    elif isinstance(test, ast.Compare) and not any(
        isinstance(sign, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for sign in test.ops
    ):
        for one in (test.left, *test.comparators):
            yield from _made_of(one)


def _made_of(value: ast.expr) -> Iterator[str]:
    """The names, and the functions, that a number is made of element by element."""
    if isinstance(value, ast.Name):
        yield value.id
    elif isinstance(value, (ast.BinOp, ast.Compare, ast.UnaryOp)):
        for one in _operands(value):
            yield from _made_of(one)
    elif isinstance(value, ast.Call):
        if last_name(value.func) in ELEMENTWISE:
            for one in _operands(value):
                yield from _made_of(one)
        elif called := _called(value.func):
            yield called


def _operands(value: ast.expr) -> list[ast.expr]:
    match value:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.IfExp(body=one, orelse=other):
            return [one, other]
        case ast.Call(func=ast.Attribute(value=base, attr="astype")):
            return [base]
        case ast.Call(args=args):
            return args
    return []


def _elements(display: ast.expr) -> Iterator[ast.expr]:
    """The elements of nested lists."""
    if isinstance(display, (ast.List, ast.Tuple)):
        for element in display.elts:
            yield from _elements(element)
    else:
        yield display


def last_name(func: ast.expr) -> str:
    """The last name of a function."""
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _called(func: ast.expr) -> str:
    """The results of a function that a name stands for, as if they were a name."""
    return f"{func.id}()" if isinstance(func, ast.Name) else ""


def _number(value: ast.expr) -> object:
    """A number of Python that an expression is; None if it is none."""
    inner = value.operand if isinstance(value, ast.UnaryOp) else value
    return inner.value if isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float)) else None


def _is_other(value: ast.expr | None) -> bool:
    """Is it evidently text, a function, or nothing?"""
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, (int, float, complex))
    return isinstance(value, (ast.JoinedStr, ast.Lambda, ast.Set, ast.GeneratorExp))
