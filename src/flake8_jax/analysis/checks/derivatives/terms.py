"""Expressions as terms: what an expression computes of what its function is handed, whatever it is written with.

    r = jnp.linalg.norm(x)
    safe = r > 0
    jnp.where(safe, 1.0 / r, 0.0)       the arm: 1.0 / norm(x);  the test: norm(x) > 0

Names that one store binds are followed to what it binds, calls of functions that only return an expression to that.  So
two spellings of one computation are equal terms.  What is not followed is a leaf, equal to itself alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import SHAPE_ATTRIBUTES
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import API, FUNCTION
from flake8_jax.domain.staging import NONE, Dependences, unite
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, value_bound
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import parts
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.lazy_patterns import compiled

Head: TypeAlias = Literal["leaf", "const", "call", "operate", "compare", "attr", "item", "keyword", "build"]

OPERATORS = {
    "add": "+", "subtract": "-", "sub": "-", "multiply": "*", "mul": "*", "divide": "/", "div": "/", "true_divide": "/",
    "power": "**", "pow": "**", "float_power": "**", "integer_pow": "**", "negative": "-", "neg": "-",
    "logical_and": "&", "bitwise_and": "&", "logical_or": "|", "bitwise_or": "|", "logical_not": "~",
    "bitwise_not": "~", "invert": "~",
}  # fmt: skip
COMPARISONS = {
    "greater": ">", "gt": ">", "greater_equal": ">=", "ge": ">=", "less": "<", "lt": "<", "less_equal": "<=",
    "le": "<=", "equal": "==", "eq": "==", "not_equal": "!=", "ne": "!=",
}  # fmt: skip
"""Functions of `jax.numpy` and `jax.lax` that are operators."""

SPELLED = {"abs": "jax.numpy.abs", "jax.numpy.absolute": "jax.numpy.abs", "jax.numpy.fabs": "jax.numpy.abs",
           "jax.lax.abs": "jax.numpy.abs", "jax.lax.max": "jax.numpy.maximum", "max": "jax.numpy.maximum",
           "jax.lax.min": "jax.numpy.minimum", "min": "jax.numpy.minimum"}  # fmt: skip
CONVERTING = frozenset(("astype", "asarray", "array", "convert_element_type", "float32", "float64", "float"))
WHOLE = compiled(r"\bu?int\d*\b|\bbool")
"""A type of which nothing has a derivative."""

PRODUCTS = frozenset(("dot", "vdot", "inner"))
MODULES = ("jax.numpy.", "jax.lax.")
STOPPING = "stop_gradient"
DISCRETE = frozenset((
    STOPPING, "argmax", "argmin", "argsort", "sign", "floor", "ceil", "round", "rint", "trunc", "isnan", "isinf",
    "isfinite", "isclose", "any", "all", "searchsorted", "argwhere", "nonzero", "one_hot", "zeros_like", "ones_like",
    "zeros", "ones", "shape", "ndim", "size", "len", "count_nonzero", "logical_xor", "array_equal", "heaviside",
    "digitize", "categorical", "bernoulli", "randint", "poisson", "geometric", "bits",
))  # fmt: skip
"""The last names of functions of whose arguments no derivative is taken."""

LOGICAL = frozenset(("&", "|", "~", "^", "//"))
BINDING = frozenset(("assign", "annotate", "augment", "walrus"))
MAXIMUM_TERMS, MAXIMUM_CALLS, MAXIMUM_NAMES = 160, 4, 5
"""How many terms are read for one question, through how many calls, and how many names one after the other."""


@dataclass(frozen=True, slots=True)
class Term:
    """A computation: its `head`, what tells it from others of that head, and its parts.

    `op` is where it is written, which `is_here`: in the body that asks; `value` is what is known of a leaf.
    """

    head: Head
    key: Hashable
    parts: tuple[Term, ...] = ()
    op: Op | None = field(default=None, compare=False)
    value: Value | None = field(default=None, compare=False)
    is_here: bool = field(default=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the function of a library that is called, else ""."""
        return self.key if self.head == "call" and isinstance(self.key, str) else ""

    @property
    def last(self) -> str:
        """The last part of that name."""
        return self.key.rpartition(".")[2] if self.head == "call" and isinstance(self.key, str) else ""

    @property
    def number(self) -> float | None:
        """The number, if it is one that is known."""
        is_number = self.head == "const" and isinstance(self.key, (int, float)) and not isinstance(self.key, bool)
        return float(self.key) if is_number else None  # type: ignore[arg-type]

    @property
    def arguments(self) -> tuple[Term, ...]:
        """The positional arguments, or operands."""
        return tuple([part for part in self.parts if part.head != "keyword"])

    def keyword(self, name: str) -> Term | None:
        """The argument that is passed by this keyword."""
        return next((part.parts[0] for part in self.parts if part.head == "keyword" and part.key == name), None)

    def within(self) -> Iterator[Term]:
        """It and all of its parts."""
        yield self
        for part in self.parts:
            yield from part.within()


@dataclass(frozen=True, slots=True, eq=False)
class _Code:
    """The body that is read, the frame in which its other names are looked up, and what its parameters stand for."""

    function: Function
    around: Frame
    given: dict[str, Term]
    depth: int = 0


class Reader:
    """Reads the expressions of one body as terms."""

    def __init__(self, frame: Frame) -> None:
        self.home = _Code(frame.function, frame, {})
        self.known: dict[tuple[_Code, Op], Term] = {}
        self.count = 0
        self.names = 0

    def read(self, op: Op) -> Term:
        """The term of an expression of the body."""
        return self._term(op, self.home)

    def _term(self, op: Op, code: _Code) -> Term:
        key = (code, op)
        found = self.known.get(key)
        if found is None:
            self.count += 1
            found = self.known[key] = self._leaf(op, code) if self.count > MAXIMUM_TERMS else self._made(op, code)
        return found

    def _made(self, op: Op, code: _Code) -> Term:
        match op:
            case ops.Name():
                return self._named(op, code)
            case ops.Const(value=value):
                return self._new("const", value, (), op, code)
            case ops.Call():
                return self._called(op, code)
            case ops.Store(value=value, kind="walrus") if value is not None:
                return self._term(value, code)
            case ops.Attr(base=base, name=name):
                held = peek(code.around, op) if self._is_plain(base, code) else None
                return self._new("attr", name, (self._term(base, code),), op, code, held)
            case ops.Item(base=base, index=index):
                held = peek(code.around, op) if type(index) is ops.Const and self._is_plain(base, code) else None
                return self._new("item", "", (self._term(base, code), self._term(index, code)), op, code, held)
            case ops.Build(kind=kind, parts=held) if kind in ("tuple", "list", "slice"):
                return self._new("build", kind, tuple([self._term(one, code) for one in held]), op, code)
            case ops.Operate(operator=sign, operands=operands):
                held_parts = tuple([self._term(operand, code) for operand in operands])
                return self._operated(sign, held_parts, op, code)
            case ops.Logic(operator=sign, operands=operands):
                held_parts = tuple([self._term(operand, code) for operand in operands])
                return self._new("operate", "&" if sign == "and" else "|", held_parts, op, code)
            case ops.Compare(operators=(sign,), operands=operands):
                return self._new("compare", sign, tuple([self._term(operand, code) for operand in operands]), op, code)
        return self._leaf(op, code)

    def _new(
        self, head: Head, key: Hashable, held: tuple[Term, ...], op: Op, code: _Code, value: Value | None = None
    ) -> Term:
        if head == "const":
            key = (type(key).__name__, key) if not isinstance(key, (int, float)) or isinstance(key, bool) else key
        return Term(head, key, held, op, value, code is self.home)

    def _leaf(self, op: Op, code: _Code) -> Term:
        held = () if self.count > MAXIMUM_TERMS else tuple([self._term(part, code) for part in parts(op)])
        return self._new("leaf", op, held, op, code, _looked_up(code.around, op) if code is self.home else None)

    def _is_plain(self, base: Op, code: _Code) -> bool:
        """Is it a name, or a part of one, that the frame can look up?"""
        while type(base) is ops.Attr or (type(base) is ops.Item and type(base.index) is ops.Const):
            base = base.base
        return type(base) is ops.Name and not (code is not self.home and base.name in code.given)

    def _named(self, op: ops.Name, code: _Code) -> Term:
        binding = op.scope.lookup(op.name)
        is_handed = binding.is_parameter and binding.stores == 1
        if binding.owner is code.function.scope and not is_handed:
            chains = chains_of(code.function)
            found = chains.found_by(op)
            if type(found) is ops.Name:
                bound = _bound_to(found, chains.statement_of(found)) if self.names < MAXIMUM_NAMES else None
                return self._behind(bound, code) if bound is not None else self._held(op, found, code)
            if found is not None:
                return self._held(op, found, code)
        if binding.owner is code.function.scope and op.name in code.given:
            return code.given[op.name]
        return self._held(op, binding, code)

    def _behind(self, bound: Op, code: _Code) -> Term:
        self.names += 1
        found = self._term(bound, code)
        self.names -= 1
        return found

    def _held(self, op: ops.Name, key: Hashable, code: _Code) -> Term:
        value = peek(code.around, op) if code.around.state is not None or code is not self.home else None
        number = value.constant if value is not None else None
        if isinstance(number, (int, float)):
            return self._new("const", number, (), op, code)
        return self._new("leaf", key, (), op, code, value)

    def _operated(self, sign: str, held: tuple[Term, ...], op: Op, code: _Code) -> Term:
        if len(held) == 1:
            number = held[0].number
            if sign == "-" and number is not None:
                return self._new("const", -number, (), op, code)
            if sign == "+":
                return held[0]
            return self._new("operate", "~" if sign == "not" else sign, held, op, code)
        if len(held) == 2 and held[0] == held[1] and sign == "*":
            return self._new("operate", "**", (held[0], self._new("const", 2, (), op, code)), op, code)
        if len(held) == 2 and held[0] == held[1] and sign == "@":
            return self._summed_squares(held[0], op, code)
        return self._new("operate", sign, held, op, code)

    def _summed_squares(self, one: Term, op: Op, code: _Code) -> Term:
        square = self._new("operate", "**", (one, self._new("const", 2, (), op, code)), op, code)
        return self._new("call", "jax.numpy.sum", (square,), op, code)

    def _called(self, op: ops.Call, code: _Code) -> Term:
        if ops.Star in map(type, op.args) or None in [name for name, _ in op.keywords]:
            return self._leaf(op, code)
        callee = peek(code.around, op.func) if self._is_plain(op.func, code) else None
        given = tuple([self._term(argument, code) for argument in op.args])
        named = tuple([self._new("keyword", name, (self._term(one, code),), one, code) for name, one in op.keywords])
        if callee is not None and callee.kind is API:
            name = code.around.program.table.canonical(callee.name)
            return self._of_library(SPELLED.get(name, name), given, named, op, code)
        if callee is not None and callee.kind is FUNCTION and isinstance(callee.payload, FunctionValue):
            inner = self._inlined(callee.payload, given, named, code)
            return inner if inner is not None else self._new("call", op, (*given, *named), op, code)
        if type(op.func) is ops.Attr:
            base = self._term(op.func.base, code)
            return self._of_library(f"jax.numpy.{op.func.name}", (base, *given), named, op, code)
        return self._new("call", op, (*given, *named), op, code)

    def _of_library(
        self, name: str, given: tuple[Term, ...], named: tuple[Term, ...], op: ops.Call, code: _Code
    ) -> Term:
        last = name.rpartition(".")[2]
        if name.startswith(MODULES) and given:
            if last in CONVERTING:
                is_whole = any(term.op and WHOLE.search(phrase(term.op)) for term in (*given[1:], *named))
                is_number = is_whole and given[0].head != "compare"
                return self._new("call", "jax.numpy.trunc", given[:1], op, code) if is_number else given[0]
            if last == "square":
                return self._operated("*", (given[0], given[0]), op, code)
            if last in PRODUCTS and len(given) == 2 and given[0] == given[1]:
                return self._summed_squares(given[0], op, code)
            if last in OPERATORS:
                return self._operated(OPERATORS[last], given, op, code)
            if last in COMPARISONS and len(given) == 2:
                return self._new("compare", COMPARISONS[last], given, op, code)
        return self._new("call", name, (*given, *named), op, code)

    def _inlined(
        self, found: FunctionValue, given: tuple[Term, ...], named: tuple[Term, ...], code: _Code
    ) -> Term | None:
        """What a function returns that only computes an expression."""
        parameters = found.function.parameters
        returned = returned_by(found.function)
        is_plain = all(parameter.kind in ("normal", "positional", "keyword") for parameter in parameters)
        if returned is None or not is_plain or len(given) > len(parameters) or code.depth >= MAXIMUM_CALLS:
            return None
        handed = {one.name: term for one, term in zip(parameters, given, strict=False)}
        handed.update({str(term.key): term.parts[0] for term in named})
        inner = _Code(found.function, found.frame, handed, code.depth + 1)
        for parameter in parameters:
            if parameter.name not in handed:
                default = found.defaults.get(parameter.name)
                number = default.constant if default is not None else None
                if not isinstance(number, (int, float)) or parameter.default is None:
                    return None
                handed[parameter.name] = self._new("const", number, (), parameter.default, inner)
        return self._term(returned, inner)


def returned_by(function: Function) -> Op | None:
    """What a function returns, if it only binds names before that."""
    if function.is_generator or function.is_async or not function.body:
        return None
    *before, last = function.body
    if any(type(one) not in (ops.Store, ops.Const) for one in before):
        return None
    if type(last) is ops.Leave:
        return last.value if last.kind == "return" else None
    return last if function.kind == "lambda" else None


def _bound_to(name: ops.Name, statement: Op | None) -> Op | None:
    """What a statement binds to a name, if it is written there."""
    if type(statement) is not ops.Store or statement.kind not in BINDING:
        return None
    return value_bound(statement, name.name)


def _looked_up(frame: Frame, op: Op) -> Value | None:
    return peek(frame, op) if type(op) in (ops.Name, ops.Attr) and frame.state is not None else None


def moved_by(term: Term) -> Dependences:
    """The dependences by which a term has a derivative: not those of comparisons, or where it is stopped."""
    if term.head in ("compare", "const") or (term.head == "call" and term.last in DISCRETE):
        return NONE
    if term.head == "operate" and term.key in LOGICAL:
        return NONE
    if term.head == "attr" and term.key in SHAPE_ATTRIBUTES:
        return NONE
    if term.value is not None:
        return NONE if term.value.dtype in ("bool", "int32") else dependences_of(term.value)
    found: Dependences = NONE
    for part in term.parts:
        found = unite(found, moved_by(part))
    return found


def is_stopped(frame: Frame, op: Op) -> bool:
    """Is an expression a constant for derivatives, as it is written?"""
    if type(op) is ops.Const:
        return True
    term = Reader(frame).read(op)
    return term.head != "leaf" and not moved_by(term)
