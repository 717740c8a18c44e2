"""The ops of the intermediate representation, as plain data.

An expression op stands for a value, a statement op for an effect on names, objects or control.
A *body* is a tuple of ops; an expression op that stands in a body is an expression statement.
Structure is kept (`Branch`, `Loop`, `Try` hold their bodies), so that joins happen where bodies end:

    @jax.jit                    Store([Name f], Call(Attr(Name jax, jit), [Closure f]), "def")
    def f(x):                   f: Branch(Compare([>], [Name x, Const 0]),
        if x > 0:                         [Leave("return", Name x)],
            return x                      [])

Every op knows the statement or header it stands in (`anchor`, with its line) and the place of its node in Python's tree
(`place`, see `syntax/positions.py`; 0 for what has no text of its own).  Ops are the bulk of what lives while files are
judged: they are slotted but not frozen, because a frozen dataclass takes about four times as long to make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from flake8_jax.ir.parts import Anchor as Anchor
from flake8_jax.ir.parts import Clause as Clause
from flake8_jax.ir.parts import Handler as Handler
from flake8_jax.ir.parts import Host as Host
from flake8_jax.ir.parts import Origin as Origin
from flake8_jax.ir.parts import Pattern as Pattern
from flake8_jax.lazy_dataclasses import dataclass, field

if TYPE_CHECKING:
    from flake8_jax.ir.scope import Scope


class Op:
    """An op of any kind."""

    __slots__: tuple[str, ...] = ()

    anchor: Anchor
    place: int


@dataclass(slots=True, eq=False)
class Const(Op):
    """A literal: None, bool, number, string, bytes or Ellipsis."""

    anchor: Anchor
    place: int
    value: Host


@dataclass(slots=True, eq=False)
class Name(Op):
    """A name, read or (as a target) written; `scope` is the scope of the lookup."""

    anchor: Anchor
    place: int
    name: str
    scope: Scope


@dataclass(slots=True, eq=False)
class Attr(Op):
    """`base.name`, read or written."""

    anchor: Anchor
    place: int
    base: Op
    name: str


@dataclass(slots=True, eq=False)
class Item(Op):
    """`base[index]`, read or written; several indices are a tuple, `a:b:c` is a slice (see `Build`)."""

    anchor: Anchor
    place: int
    base: Op
    index: Op


@dataclass(slots=True, eq=False)
class Call(Op):
    """`func(*args, **keywords)`; `Star` in `args` is `*x`, the keyword `None` is `**x`.  Decorators become calls."""

    anchor: Anchor
    place: int
    func: Op
    args: tuple[Op, ...]
    keywords: tuple[tuple[str | None, Op], ...]


@dataclass(slots=True, eq=False)
class Star(Op):
    """`*value` in a call, a display or an unpacking target."""

    anchor: Anchor
    place: int
    value: Op


BuildKind: TypeAlias = Literal["list", "tuple", "set", "slice", "text", "format"]


@dataclass(slots=True, eq=False)
class Build(Op):
    """A display, a slice `a:b:c`, or the interpolated values of an f-string.

    A slice has three parts; absent ones are Const None.  A value with a format specification is a `format` of one part.
    """

    anchor: Anchor
    place: int
    kind: BuildKind
    parts: tuple[Op, ...]


@dataclass(slots=True, eq=False)
class BuildDict(Op):
    """A dict display; the key `None` is `**value`."""

    anchor: Anchor
    place: int
    items: tuple[tuple[Op | None, Op], ...]


@dataclass(slots=True, eq=False)
class Operate(Op):
    """A unary (`not`, `+`, `-`, `~`) or binary (`+`, `@`, `//` ...) operator; `in_place` for `x += y`."""

    anchor: Anchor
    place: int
    operator: str
    operands: tuple[Op, ...]
    in_place: bool = False


@dataclass(slots=True, eq=False)
class Compare(Op):
    """A comparison, chained if there is more than one operator (`<`, `==`, `is`, `is not`, `in`, `not in` ...)."""

    anchor: Anchor
    place: int
    operators: tuple[str, ...]
    operands: tuple[Op, ...]


@dataclass(slots=True, eq=False)
class Logic(Op):
    """`and` or `or` over two or more operands (`a and b and c` is one op)."""

    anchor: Anchor
    place: int
    operator: Literal["and", "or"]
    operands: tuple[Op, ...]


@dataclass(slots=True, eq=False)
class Choose(Op):
    """`body if test else orelse`."""

    anchor: Anchor
    place: int
    test: Op
    body: Op
    orelse: Op


@dataclass(slots=True, eq=False)
class Closure(Op):
    """The function object created by a `def` or `lambda`."""

    anchor: Anchor
    place: int
    function: Function


@dataclass(slots=True, eq=False)
class Gather(Op):
    """A comprehension: its clauses, outermost first, and its element (key and value for a dict)."""

    anchor: Anchor
    place: int
    kind: Literal["list", "set", "dict", "generator"]
    element: tuple[Op, ...]
    clauses: tuple[Clause, ...]


@dataclass(slots=True, eq=False)
class Suspend(Op):
    """`await`, `yield` or `yield from`: control leaves the function and returns later."""

    anchor: Anchor
    place: int
    kind: Literal["await", "yield", "yield from"]
    value: Op | None


@dataclass(slots=True, eq=False)
class Matches(Op):
    """A test whether the subject matches the pattern.  It binds the pattern's captures if so."""

    anchor: Anchor
    place: int
    subject: Op
    pattern: Pattern


@dataclass(slots=True, eq=False)
class Imported(Op):
    """The object yielded by an import.  `qualified` is the dotted name as written, `level` the leading dots, `module`
    what is imported for it, `a.b` in both of the following.

    `import a.b` yields `a` and binds it; `import a.b as c` and `from a import b as c` yield `a.b`.
    A star import stands in the body unbound, with a qualified name that ends in `.*` (also noted in its scope).
    """

    anchor: Anchor
    place: int
    qualified: str
    level: int
    module: str = ""


@dataclass(slots=True, eq=False)
class MakeClass(Op):
    """The class object created by a `class` statement; `body.kind` is "class"."""

    anchor: Anchor
    place: int
    bases: tuple[Op, ...]
    keywords: tuple[tuple[str | None, Op], ...]
    body: Function


@dataclass(slots=True, eq=False)
class Unpack(Op):
    """A tuple or list target; at most one part is a `Star`."""

    anchor: Anchor
    place: int
    parts: tuple[Target, ...]


StoreKind: TypeAlias = Literal["assign", "annotate", "augment", "walrus", "import", "def", "class", "match"]


@dataclass(slots=True, eq=False)
class Store(Op):
    """Bind or store a value to each target, left to right.  A walrus is a `Store` in an expression and yields its
    value.

    `value` is None for a bare annotation.  `x += y` is `Store([x], Operate("+", [x, y], in_place), "augment")`.
    """

    anchor: Anchor
    place: int
    targets: tuple[Target, ...]
    value: Op | None
    kind: StoreKind
    annotation: Op | None = None


@dataclass(slots=True, eq=False)
class Delete(Op):
    """A deletion of names, attributes or items."""

    anchor: Anchor
    place: int
    targets: tuple[Target, ...]


@dataclass(slots=True, eq=False)
class Branch(Op):
    """`if`, `elif`, one `case` of a match, or `assert` (empty body; the `orelse` raises)."""

    anchor: Anchor
    place: int
    kind: Literal["if", "elif", "case", "assert"]
    test: Op
    body: Body
    orelse: Body


@dataclass(slots=True, eq=False)
class Loop(Op):
    """`for target in source` or `while source` (then `target` is None)."""

    anchor: Anchor
    place: int
    kind: Literal["for", "while"]
    target: Target | None
    source: Op
    body: Body
    orelse: Body
    is_async: bool = False


@dataclass(slots=True, eq=False)
class Try(Op):
    """`try` with its handlers (`except*` included), `else` and `finally`."""

    anchor: Anchor
    place: int
    body: Body
    handlers: tuple[Handler, ...]
    orelse: Body
    final: Body


@dataclass(slots=True, eq=False)
class With(Op):
    """`with manager as target:`; several managers are nested `With`s."""

    anchor: Anchor
    place: int
    manager: Op
    target: Target | None
    body: Body
    is_async: bool


@dataclass(slots=True, eq=False)
class Leave(Op):
    """`return`, `raise`, `break` or `continue`; for `raise x from y`, `cause` is y."""

    anchor: Anchor
    place: int
    kind: Literal["return", "raise", "break", "continue"]
    value: Op | None
    cause: Op | None = None


@dataclass(slots=True, eq=False)
class Other(Op):
    """Unsupported syntax, with the reason; counted, and `Unknown` to the analysis."""

    anchor: Anchor
    place: int
    reason: str
    parts: tuple[Op, ...] = ()


OPS: frozenset[type[Op]] = frozenset((
    Const, Name, Attr, Item, Call, Star, Build, BuildDict, Operate, Compare, Logic, Choose, Closure, Gather,
    Suspend, Matches, Imported, MakeClass, Unpack, Store, Delete, Branch, Loop, Try, With, Leave, Other,
))  # fmt: skip
"""Every kind of op.  `Op` is their base and no union: mypy compares all members of a union wherever one of them is told
apart, which took half of its time for the package.
"""
Target: TypeAlias = Name | Attr | Item | Unpack | Star
Body: TypeAlias = tuple[Op, ...]

ParameterKind: TypeAlias = Literal["positional", "normal", "varargs", "keyword", "varkw"]


@dataclass(slots=True, eq=False)
class Parameter:
    """A parameter; its default and annotation are evaluated at the function's definition."""

    name: str
    kind: ParameterKind
    default: Op | None
    annotation: Op | None
    place: int = 0


@dataclass(slots=True, eq=False)
class FunctionBody:
    """What stands in a function: its ops, the functions made directly inside it, in order, and whether it yields.

    `chains` are what `ir/chains.py` finds, and `size` is the number of its ops, with those inside, once asked.
    """

    ops: Body = ()
    functions: list[Function] = field(default_factory=list)
    is_generator: bool = False
    chains: object = field(default=None, repr=False)
    size: int = 0


@dataclass(slots=True, eq=False)
class Function:
    """A unit of code with its own names: a module, class body, def or lambda.

    `qualname` is as Python's (`Model.step`, `train.<locals>.body`); the module's is "<module>".
    `inner` is what stands in it, without noting that anybody looks; `outermost` the `def` around it that is in no
    other, which may be itself; `signature` is what it may be called with, once asked.
    """

    name: str
    qualname: str
    kind: Literal["module", "class", "def", "lambda"]
    anchor: Anchor
    parameters: tuple[Parameter, ...]
    returns: Op | None
    inner: FunctionBody
    scope: Scope
    outermost: Function | None = None
    is_async: bool = False
    signature: object = field(default=None, repr=False)

    @property
    def read(self) -> FunctionBody:
        """What stands in it, for who depends on that: who runs the `def` alone depends on the definition."""
        origin = self.anchor.origin
        if origin.home is not None and self.kind in ("def", "lambda"):
            origin.home.note_body(origin.number, self.outermost.anchor.line if self.outermost is not None else 0)
        return self.inner

    def note_told(self, given: int = 0) -> None:
        """Note that somebody depends on what the `def` that it stands in, or is, tells others, run for arguments with
        this number.
        """
        origin = self.anchor.origin
        if origin.home is not None and self.kind in ("def", "lambda"):
            line = self.outermost.anchor.line if self.outermost is not None else 0
            origin.home.note_told(origin.number, line, given)

    @property
    def body(self) -> Body:
        """Its ops."""
        return self.read.ops

    @property
    def functions(self) -> list[Function]:
        """The functions made directly inside it, in order."""
        return self.read.functions

    @property
    def is_generator(self) -> bool:
        """Does it yield?"""
        self.note_told()
        return self.inner.is_generator

    @property
    def title(self) -> str:
        """How texts call it."""
        if self.kind == "module":
            return "the module"
        return f"the lambda of line {self.anchor.line}" if self.kind == "lambda" else f"`{self.qualname}`"

    @property
    def is_empty(self) -> bool:
        """Is there nothing in its body but `pass`, `...`, a docstring, `return None`, or that it is not implemented?"""
        self.note_told()
        return self.kind == "def" and not self.is_async and all(map(_says_nothing, self.inner.ops))

    @property
    def is_declared_only(self) -> bool:
        """Is its body `...`, which is written where another one is meant?"""
        return self.is_empty and any(type(op) is Const and op.value is ... for op in self.inner.ops)


def _says_nothing(op: Op) -> bool:
    if type(op) is Const:
        return True
    value = op.value if type(op) is Leave and op.kind in ("raise", "return") else None
    if type(value) is Call:
        value = value.func
    if type(value) is Const and value.value is None:
        return True
    return type(value) is Name and value.name in ("NotImplementedError", "NotImplemented")


@dataclass(slots=True, eq=False)
class Module:
    """A lowered file: its top-level function, all functions below it in order, and counts of unsupported syntax.

    `noted` are imports and what may be a use of what was imported: attributes of a name, and its calls.
    """

    path: str
    top: Function
    functions: list[Function]
    others: dict[str, int]
    noted: list[Op] = field(default_factory=list)
