"""Expressions of Python as expressions of arrays, written from the text of a file.

x > 0 and y > 0         (x > 0) & (y > 0)
not done                jnp.logical_not(done)
a if x > 0 else b       jnp.where(x > 0, a, b)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from flake8_jax.analysis.checks.naming import imported_as
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.layout import FUNCTIONS, Layout
from flake8_jax.syntax.policies import LIBRARY_NAMES

ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)
ENCLOSED = (ast.Yield, ast.YieldFrom, ast.NamedExpr)
"""What stands in parentheses, which are no part of it."""

LOOSE = (ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda)
"""What a comparison takes apart, and `not` too."""

LAZY = ("haiku", "flax.linen")
"""The libraries whose modules make their parameters while they are called for the first time."""

ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
STATEFUL = (*LAZY, "flax.nnx")

STEEP = frozenset((
    "log", "log1p", "log2", "log10", "sqrt", "power", "float_power", "arccos", "arcsin", "reciprocal", "norm",
))  # fmt: skip
"""Functions whose gradient is infinite or NaN where a test may keep their value out of a selection."""


@dataclass(frozen=True, slots=True, eq=False)
class ArrayWriter:
    """Writes expressions with the names that a scope has for the functions of JAX."""

    layout: Layout
    scope: Scope | None

    def name(self, dotted: str) -> str:
        """A name of a library; "" if the file does not import it."""
        known = self.layout.memo.get(("name", self.scope, dotted))
        if isinstance(known, str):
            return known
        found = imported_as(self.scope, dotted)
        first = found.partition(".")[0]
        is_imported = self.scope is not None and self.scope.lookup(first).owner is not None
        self.layout.memo["name", self.scope, dotted] = found = found if is_imported else ""
        return found

    def is_imported(self, node: ast.AST) -> bool:
        """Is it an imported name, or an attribute below one: `np.fft.rfft`?"""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and self.scope is not None and bool(self.scope.lookup(node.id).imported)

    def shared_library(self, node: ast.AST) -> str:
        """The name of the library of arrays that the function around is given, so that it serves others, too; or ""."""
        around = self.layout.frame(node)
        known = self.layout.memo.get(("library", around))
        if not isinstance(known, str):
            bases = (one.value for one in ast.walk(around) if isinstance(one, ast.Attribute))
            named = (one.id for one in bases if isinstance(one, ast.Name) and one.id in LIBRARY_NAMES)
            known = self.layout.memo["library", around] = next(filter(self._is_handed_in, named), "")
        return known

    def _is_handed_in(self, name: str) -> bool:
        binding = self.scope.lookup(name) if self.scope is not None else None
        owner = binding.owner if binding is not None and not binding.imported else None
        return owner is not None and owner.kind == "function"

    def text(self, node: ast.expr) -> str:
        """The text of an expression on one line, in parentheses if it needs some everywhere; "" if it takes more."""
        found = self.layout.text(node)
        return "" if "\n" in found else f"({found})" if isinstance(node, ENCLOSED) else found

    def atom(self, node: ast.expr) -> str:
        """The text of an expression, in parentheses where an operator would take it apart."""
        text = self.text(node)
        return text if not text or isinstance(node, ATOMS) else f"({text})"

    def truth(self, test: ast.expr) -> str:
        """A test as an array of truths; "" if that is not known."""
        match test:
            case ast.BoolOp(op=sign, values=values):
                return self._joined("and" if isinstance(sign, ast.And) else "or", values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner, function = self.truth(operand), self.name("jax.numpy.logical_not")
                return f"{function}({inner})" if inner and function else ""
            case ast.Compare(left=left, ops=signs, comparators=others):
                return self._compared(test, left, signs, others)
            case ast.Call(func=ast.Name(id="bool"), args=[inner_test], keywords=[]):
                return self.truth(inner_test)
        return self.text(test)

    def value(self, node: ast.expr) -> str:
        """The value of `and`, `or`, `not` and chains: that of an operand, where these are no truths."""
        if not isinstance(node, ast.BoolOp) or is_truth(node):
            return self.truth(node)
        where, texts = self.name("jax.numpy.where"), [self.text(one) for one in node.values]
        if len(texts) != 2 or not where or not all(texts) or not all(map(self.is_numeric, node.values)):
            return ""
        first, second = texts
        test = self.truth(node.values[0])
        pair = (second, first) if isinstance(node.op, ast.And) else (first, second)
        return f"{where}({test}, {', '.join(pair)})" if test else ""

    def _joined(self, sign: str, values: list[ast.expr]) -> str:
        texts = [self.truth(value) for value in values]
        if not all(texts):
            return ""
        if all(isinstance(value, ast.Compare) and len(value.ops) == 1 for value in values):
            return (" & " if sign == "and" else " | ").join(f"({text})" for text in texts)
        function = self.name(f"jax.numpy.logical_{sign}")
        found = texts[0]
        for text in texts[1:]:
            found = f"{function}({found}, {text})"
        return found if function else ""

    def _compared(self, test: ast.expr, left: ast.expr, signs: list[ast.cmpop], others: list[ast.expr]) -> str:
        if any(isinstance(sign, (ast.Is, ast.IsNot)) for sign in signs):
            return ""
        if len(signs) == 1 and isinstance(signs[0], (ast.In, ast.NotIn)):
            items = others[0].elts if isinstance(others[0], (ast.List, ast.Tuple, ast.Set)) else others
            if any(map(is_no_element, (left, *items))):
                return self.text(test)  # of the host: it stays what it is
            found = self.contained(left, others[0])
            function = self.name("jax.numpy.logical_not")
            return found if isinstance(signs[0], ast.In) else f"{function}({found})" if found and function else ""
        if len(signs) == 1:
            return self.text(test)
        if any(isinstance(node, (*ENCLOSED, ast.Await)) for part in others[:-1] for node in ast.walk(part)):
            return ""  # it would be done twice
        parts = list(map(self._operand, [left, *others]))
        pairs = [f"({a} {SIGNS[type(sign)]} {b})" for a, sign, b in zip(parts, signs, parts[1:])]
        return " & ".join(pairs) if all(parts) else ""

    def _operand(self, node: ast.expr) -> str:
        """The text of an operand of a comparison."""
        text = self.text(node)
        return f"({text})" if text and (isinstance(node, LOOSE) or _is_not(node)) else text

    def contained(self, element: ast.expr, sequence: ast.expr) -> str:
        """Whether an element is in a sequence."""
        isin, make = self.name("jax.numpy.isin"), self.name("jax.numpy.array")
        given = self.text(sequence)
        if isinstance(sequence, (ast.List, ast.Tuple, ast.Set)):
            texts = [self.text(one) for one in sequence.elts]
            given = f"{make}([{', '.join(texts)}])" if all(texts) and make else ""
        elif not isinstance(sequence, (ast.Name, ast.Attribute)):
            return ""
        return f"{isin}({self.text(element)}, {given})" if isin and given and self.text(element) else ""

    def selected(self, test: ast.expr, then: ast.expr | str, otherwise: ast.expr | str) -> str:
        """A selection between two values, by a test; "" if it is not known that both may be computed.

        A divisor that the test keeps from 0 is 1 where it is not used, so that the gradient has no NaN.
        """
        where, truth = self.name("jax.numpy.where"), self.truth(test)
        one, other = self._arm(test, truth, then, True), self._arm(test, truth, otherwise, False)
        are_arrays = any(self._is_number(arm) for arm in (then, otherwise)) or {one, other} <= self._ordered(test)
        if where and truth and one and other and are_arrays:
            return f"{where}({truth}, {one}, {other})"
        return self._branched(truth, then, otherwise)

    def _ordered(self, test: ast.expr) -> set[str]:
        """The names that a test compares by their order, which are numbers: `x > limit`."""
        if not isinstance(test, ast.Compare) or not all(isinstance(sign, ORDER) for sign in test.ops):
            return set()
        return {one.id for one in (test.left, *test.comparators) if isinstance(one, ast.Name)}

    def _is_number(self, arm: ast.expr | str) -> bool:
        if isinstance(arm, str):
            return " " in arm and not arm.startswith(self.name("jax.lax.cond") or " ")
        return is_number(arm, self)

    def _branched(self, truth: str, then: ast.expr | str, otherwise: ast.expr | str) -> str:
        """A call of `lax.cond`, which computes one of two values of whatever kind."""
        cond = self.name("jax.lax.cond")
        one, other = (arm if isinstance(arm, str) else self.text(arm) for arm in (then, otherwise))
        are_plain = all(isinstance(arm, str) or (_is_plain(arm) and self.is_pure(arm)) for arm in (then, otherwise))
        if not (cond and truth and one and other and are_plain):
            return ""
        return f"{cond}({truth}, lambda: {one}, lambda: {other})"

    def _arm(self, test: ast.expr, truth: str, arm: ast.expr | str, is_then: bool) -> str:
        if isinstance(arm, str):
            return arm
        if not self.is_numeric(arm):
            return ""
        asked = _names(test)
        risky = [one for one in _steep(arm) if asked & _names(one)]
        text = self.text(arm)
        if not risky or not text:
            return text
        (divisor, *more) = risky
        if more or not isinstance(divisor, ast.Name) or not self._divides(divisor):
            return ""
        where, begin = self.name("jax.numpy.where"), divisor.col_offset - arm.col_offset
        data = text.encode()
        if isinstance(arm, ast.BinOp) and text.startswith("(") and arm.left.col_offset > arm.col_offset:
            return ""
        pair = f"{divisor.id}, 1" if is_then else f"1, {divisor.id}"
        safe = f"{where}({truth}, {pair})".encode()
        return (data[:begin] + safe + data[begin + len(divisor.id.encode()) :]).decode()

    def _divides(self, divisor: ast.expr) -> bool:
        around = self.layout.parents.get(divisor)
        return isinstance(around, ast.BinOp) and isinstance(around.op, ast.Div) and around.right is divisor

    def is_steep(self, name: ast.Name) -> bool:
        """Was a name bound to what has no gradient at 0, a norm say?"""
        key = "steep", self._binding(name), name.id
        known = self.layout.memo.get(key)
        if known is None:
            known = self.layout.memo[key] = any(
                isinstance(one, ast.Call) and isinstance(one.func, (ast.Attribute, ast.Name)) and called(one) in STEEP
                for value in self.bound_to(name) for one in ast.walk(value)
            )  # fmt: skip
        return bool(known)

    def bound_to(self, name: ast.Name) -> Iterator[ast.expr]:
        """What is assigned to a name, in the innermost function around it that binds it, or in the file."""
        layout = self.layout
        for store in layout.stores.get((self._binding(name), name.id), ()):
            around = layout.parents.get(store)
            if isinstance(around, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and around.value is not None:
                yield around.value

    def _binding(self, name: ast.Name) -> ast.AST:
        """The innermost function around a name that binds it, or the file."""
        layout, inner = self.layout, self.layout.frame(name)
        return next((frame for frame in layout.way(inner) if layout.stores.get((frame, name.id))), inner)

    def is_numeric(self, node: ast.expr) -> bool:
        """May an expression be computed although it is not needed, and is it a number or an array?"""
        match node:
            case ast.Constant(value=value):
                return type(value) in (int, float, bool)
            case ast.Name():
                return True
            case ast.Attribute(value=inner):
                return self.is_numeric(inner)
            case ast.Subscript(value=inner):
                return self.is_numeric(inner)
            case ast.BinOp(left=left, right=right):
                return self.is_numeric(left) and self.is_numeric(right)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
                return self.is_numeric(inner)
            case ast.Compare(left=left, comparators=others):
                return all(map(self.is_numeric, (left, *others)))
            case ast.Call(func=func, args=args, keywords=keywords):
                return self.is_of_jax(func) and all(map(self._is_given, (*args, *(each.value for each in keywords))))
        return False

    def _is_given(self, node: ast.expr) -> bool:
        return self.is_numeric(node) or isinstance(node, (ast.Tuple, ast.List, ast.Constant))

    def is_pure(self, node: ast.AST) -> bool:
        """Is nothing called in it of libraries whose modules keep state of a trace, which `lax.cond` would not see?"""
        begins = [f"{home}." for name in STATEFUL if (home := self.name(name))]
        if (receiver := self._module_around(node)) != "":
            begins.append(f"{receiver}.")
        calls = [self.layout.text(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)] if begins else []
        return not any(call.startswith(begin) for begin in begins for call in calls)

    def _module_around(self, node: ast.AST) -> str:
        """What a method calls its object, if that is a module that makes its parameters in a call; else ""."""
        known = [base for name in LAZY if (base := self.name(f"{name}.Module"))]
        inner: ast.AST = node
        for around in self.layout.way(node) if known else ():
            if isinstance(around, ast.ClassDef):
                arguments = inner.args.args if isinstance(inner, FUNCTIONS) else []
                return arguments[0].arg if arguments and any(self.text(one) in known for one in around.bases) else ""
            inner = around if isinstance(around, FUNCTIONS) else inner
        return ""

    def is_of_jax(self, func: ast.expr) -> bool:
        """Is it a function of JAX that only computes?"""
        text = self.layout.text(func)
        homes = (self.name(home) for home in ("jax.numpy", "jax.lax", "jax.nn", "jax.scipy"))
        return any(home and text.startswith(f"{home}.") for home in homes) and "\n" not in text


SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def is_number(node: ast.expr, writer: ArrayWriter) -> bool:
    """Is an expression evidently a number or an array?"""
    match node:
        case ast.Constant(value=value):
            return type(value) in (int, float)
        case ast.BinOp():
            return writer.is_numeric(node)
        case ast.UnaryOp(op=ast.USub()):
            return True
        case ast.Call(func=func):
            return writer.is_of_jax(func)
    return False


def _is_plain(node: ast.expr) -> bool:
    """Is it neither text nor None, and does it bind nothing?"""
    if isinstance(node, ast.Constant):
        return type(node.value) is float
    odd = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.JoinedStr)
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.UnaryOp)) and not any(
        isinstance(one, odd) for one in ast.walk(node)
    )


def is_no_element(node: ast.expr) -> bool:
    """Is it written out as something that no array can hold: a text, None, or a collection?"""
    is_odd = isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes, type(None)))
    return is_odd or isinstance(node, (ast.JoinedStr, ast.Dict, ast.Set))


def is_truth(node: ast.expr) -> bool:
    """Is an expression a truth, or an array of truths?"""
    match node:
        case ast.BoolOp(values=values):
            return all(map(is_truth, values))
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("any", "all") or name.startswith(("is", "logical_"))
        case ast.Call(func=ast.Name(id="bool" | "any" | "all" | "isinstance")):
            return True
    return False


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def called(call: ast.Call) -> str:
    """The last word of the name that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _steep(arm: ast.expr) -> Iterator[ast.expr]:
    """The divisors and other parts of an expression whose gradient may be NaN."""
    for node in ast.walk(arm):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)):
            is_power = isinstance(node.op, ast.Pow)
            is_plain = is_power and isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)
            if not is_plain:
                yield node.left if is_power else node.right
        elif isinstance(node, ast.Call) and called(node) in STEEP:
            yield from node.args
