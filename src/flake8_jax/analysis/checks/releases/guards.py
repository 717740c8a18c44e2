"""Where code is prepared for several releases: what stands there is for one of them, and says nothing of the others.

try:                                    the import may fail: all of the `try` is left alone
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map
if jax.__version_info__ >= (0, 4, 25):  it was asked which release this is, or what it has (`hasattr`)
    ...
if "jax_x" in jax.config.values:        or whether it has the very name that is used
    ...
NEW = hasattr(jax, "tree")              so was it where a name that says so is tested: `if NEW:`, which may be bound
                                        in another file of the project: `if compat.NEW:`
if not hasattr(self, "rng"):            this asks an object what it has, not a library: it is about `rng` alone
    ...
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.policies import VERSION_NAME
from flake8_jax.syntax.source import SourceFile

if TYPE_CHECKING:
    from flake8_jax.ir.parts import HomeFile

GuardPlace: TypeAlias = "tuple[int, int]"

AskedOfReleases: TypeAlias = "tuple[bool, frozenset[str], frozenset[str]]"
"""Whether an expression asks for a release, the names of which it asks whether they are there, and the dotted names in
it that imports begin: what they are bound to in another file may say which release this is.
"""
NO_NAMES = frozenset[str]()
NOTHING_ASKED: AskedOfReleases = (False, NO_NAMES, NO_NAMES)
MAXIMUM_IMPORTS = 3
"""Through so many imports a name is followed to where it is bound."""

ASKED_OF = frozenset(("hasattr", "getattr"))
"""Functions that ask their first argument for what their second one names."""
ASKING = frozenset(("hasattr", "getattr", "find_spec", "importorskip", "signature", "dir", "vars", "has_attr"))
TYPES = "TYPE_CHECKING"
EXPECTED = frozenset((
    "ImportError", "ModuleNotFoundError", "AttributeError", "TypeError", "Exception", "BaseException", "NameError",
    "DeprecationWarning",
))  # fmt: skip
EXPECTING = frozenset((
    "suppress", "raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex",
    "deprecated_call", "catch_warnings",
))  # fmt: skip
_MAY_ASK = compiled(rf"{'|'.join(sorted(ASKING))}|{TYPES}|\btry\b|(?i:version|legacy|compat|(?<![a-z])ver(?![a-z]))")
"""What stands in a file that asks which release there is; most have none of it."""

IMPORTS = ast.Import, ast.ImportFrom
BLOCKS = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))


class Guards:
    """The stretches of a file where other releases are expected, looked for from the top down to a place."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self._tree, self._text = tree, text
        self._name = ""
        self._home: HomeFile | None = None
        self._blocks: dict[int, _Block] = {}
        self._asked: dict[ast.AST, AskedOfReleases] = {}
        self._defers = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)

    @cached_property
    def _bound(self) -> _Bound:
        if _MAY_ASK.search(self._text):
            return _Bound(self._tree)
        return _Bound(ast.Module([node for node in self._tree.body if isinstance(node, IMPORTS)], []))

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The attributes that the file sets itself."""
        return frozenset(_replaced(self._tree))

    def hold(self, place: GuardPlace, name: str, home: HomeFile | None = None) -> bool:
        """Is a place, a line and a column in bytes, in one of the stretches, where a name stands?

        `home` knows where names are bound that the file imports from its project.
        """
        self._name, self._home = name.rpartition(".")[2], home
        return self._in_body(self._tree.body, place)

    def _in_body(self, body: Sequence[ast.stmt], place: GuardPlace) -> bool:
        block = self._blocks.get(id(body))
        if block is None:
            block = self._blocks[id(body)] = _Block(body, [_start(node) for node in body])
            for number, node in enumerate(body):
                block.note(number, self._ends_block(node))
        number = bisect_right(block.starts, place) - 1
        if number < 0:
            return False
        is_inside = place < _end(body[number])
        if block.is_ended(number if is_inside else number + 1, self._name, self._is_flag_elsewhere):
            return True
        return is_inside and self._in_statement(body[number], place)

    def _in_statement(self, node: ast.stmt, place: GuardPlace) -> bool:
        match node:
            case ast.If(test=test) | ast.While(test=test) if self.asks(test):
                return True
            case ast.Try() if any(_expects(handler) for handler in node.handlers):
                return True
            case ast.With() | ast.AsyncWith() if any(_last(item.context_expr) in EXPECTING for item in node.items):
                return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if any(self.asks(decorator) for decorator in node.decorator_list):
                    return True
        for name, value in ast.iter_fields(node):
            if name in BLOCKS:
                bodies = [one.body for one in value] if name in ("handlers", "cases") else [value]
                inside = (body for body in bodies if body and _start(body[0]) <= place < _end(body[-1]))
                if any(self._in_body(body, place) for body in inside):
                    return True
            elif self._in_expressions(name, value, place):
                return True
        return False

    def _in_expressions(self, name: str, value: object, place: GuardPlace) -> bool:
        for part in value if isinstance(value, list) else [value]:
            if not isinstance(part, ast.AST) or (hasattr(part, "lineno") and not _holds(part, place)):
                continue
            if name in ("annotation", "returns") and (self._defers or _is_quoted(part)):
                return True
            for one in ast.walk(part):
                is_asked = isinstance(one, ast.IfExp) and self.asks(one.test)
                is_asked = is_asked or (isinstance(one, ast.BoolOp) and any(map(self.asks, one.values)))
                hint = one.annotation if isinstance(one, ast.arg) else None
                is_deferred = hint is not None and (self._defers or _is_quoted(hint))
                if (is_asked or is_deferred) and _holds(one, place):
                    return True
        return False

    def _ends_block(self, node: ast.stmt) -> AskedOfReleases:
        """Is what follows run under some releases alone, or only where some names are?"""
        match node:
            case ast.If(test=test, body=[*_, ast.Return() | ast.Raise() | ast.Continue()]):
                return self._asked_by(test)
            case ast.Assert(test=test):
                return self._asked_by(test)
            case ast.Expr(value=ast.Call() as call) if _last(call) == "importorskip":
                return True, NO_NAMES, NO_NAMES
            case ast.Expr(value=ast.Call() as call) if _last(call) in ("skip", "skipTest"):
                return self._asked_by(call)
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                return self._asked_by(value)
        return NOTHING_ASKED

    def asks(self, test: ast.AST) -> bool:
        """Does an expression ask for a release, or for what one has?"""
        is_asked, names, imported = self._asked_by(test)
        return is_asked or self._name in names or any(map(self._is_flag_elsewhere, imported))

    def is_flag(self, name: str) -> bool:
        """Does a name that the file binds say which release this is?"""
        return self._bound.is_flag(name)

    def _is_flag_elsewhere(self, dotted: str) -> bool:
        return self._home is not None and _is_flag_elsewhere(self._home, dotted, MAXIMUM_IMPORTS)

    def _asked_by(self, test: ast.AST) -> AskedOfReleases:
        found = self._asked.get(test)
        if found is None:
            found = self._asked[test] = self._bound.asked_by(list(ast.walk(test)))
        return found


@lru_cache(maxsize=4)
def guards_of(source: SourceFile) -> Guards:
    """The guards of a file, found once."""
    return Guards(source.tree, source.text)


def _is_flag_elsewhere(home: HomeFile, dotted: str, further: int) -> bool:
    """Does a dotted name, begun by an import, say which release this is, by what another file of the project binds?"""
    found = home.imported_from(dotted) if further else None
    if found is None:
        return False
    file, name = found
    return guards_of(file.plain).is_flag(name) or _is_flag_elsewhere(file, name, further - 1)


def asks_of_release(name: str) -> bool:
    """Is it the name of what says which release this is, or what it has?"""
    return name == TYPES or name in ASKING or VERSION_NAME.search(name) is not None


def _asks(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return asks_of_release(name)
    return False


def _looked_up(node: ast.AST) -> Iterator[str]:
    """The name of which it is asked whether it is among others: `"jax_x" in jax.config.values`."""
    match node:
        case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In() | ast.NotIn()]):
            yield name


class _Block:
    """A body: where its statements begin, and behind which of them it is run under some releases alone."""

    __slots__ = ("_ended", "_imported", "_named", "body", "starts")

    def __init__(self, body: Sequence[ast.stmt], starts: list[GuardPlace]) -> None:
        self.body, self.starts = body, starts  # what is held keeps its identity
        self._ended: int | None = None
        self._named: dict[str, int] = {}
        self._imported: dict[str, int] = {}

    def note(self, number: int, asked: AskedOfReleases) -> None:
        """Note what a statement asks, after which its block may end."""
        is_asked, names, imported = asked
        if is_asked and self._ended is None:
            self._ended = number
        for name in names:
            self._named.setdefault(name, number)
        for dotted in imported:
            self._imported.setdefault(dotted, number)

    def is_ended(self, number: int, name: str, is_flag: Callable[[str], bool]) -> bool:
        """Is a statement behind one that ends the block, for a name?"""
        return any(end is not None and end < number for end in (self._ended, self._named.get(name))) or any(
            end < number and is_flag(dotted) for dotted, end in self._imported.items()
        )


class _Bound:
    """What the names of a file are bound to, and which of them say which release this is: those bound to what asks for
    it, or to a name that does, and those bound in a `try` whose import may fail.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._values: dict[str, list[ast.AST]] = {}
        self._tried: set[str] = set()
        self._known: dict[tuple[str, int], bool] = {}
        self._imported = frozenset(
            (each.asname or each.name).partition(".")[0]
            for node in ast.walk(tree) if isinstance(node, IMPORTS) for each in node.names
        )  # fmt: skip
        for node in _statements(tree.body):
            self._note(node)

    def asked_by(self, nodes: Sequence[ast.AST]) -> AskedOfReleases:
        """Do parts of an expression ask for a release, and the names of which they ask whether they are there."""
        of_objects = {one: name for node in nodes for one, name in self._asked_of_object(node)}
        is_asked = self._ask(nodes, of_objects) or any(
            isinstance(one, ast.Name) and self.is_flag(one.id) for one in nodes
        )
        names = frozenset(name for node in nodes for name in _looked_up(node)).union(of_objects.values())
        return is_asked, names, NO_NAMES if is_asked else frozenset(self._begun_by_imports(nodes))

    def _begun_by_imports(self, nodes: Sequence[ast.AST]) -> Iterator[str]:
        """The dotted names of which an import binds the first, or may bind it, as one of a star."""
        for node in nodes:
            dotted = _dotted(node)
            if dotted and not self._imported.isdisjoint((dotted.partition(".")[0], "*")):
                yield dotted

    def _ask(self, nodes: Iterable[ast.AST], of_objects: Container[ast.AST]) -> bool:
        return any(_asks(one) for one in nodes if one not in of_objects)

    def _asked_of_object(self, node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
        """The function by which a call asks what no import binds, and so is no library, for a name, and that name."""
        match node:
            case ast.Call(func=ast.Name(id=asking) as function, args=[of, ast.Constant(value=str(name)), *_]) if (
                asking in ASKED_OF
            ):
                while isinstance(of, ast.Attribute):
                    of = of.value
                if isinstance(of, ast.Name) and of.id not in self._imported:
                    yield function, name

    def _note(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    for one in ast.walk(target):
                        if isinstance(one, ast.Name):
                            self._values.setdefault(one.id, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                self._values.setdefault(name, []).append(value)
            case ast.FunctionDef(name=name, body=[*_, ast.Return(value=value)]) if value is not None:
                self._values.setdefault(name, []).append(value)
            case ast.Try(handlers=handlers) if any(_expects(handler) for handler in handlers) and any(
                isinstance(one, IMPORTS) for one in node.body
            ):
                for one in _statements([node]):
                    if isinstance(one, ast.Assign) and isinstance(one.value, (ast.Constant, ast.Name)):
                        self._tried |= {target.id for target in one.targets if isinstance(target, ast.Name)}

    def is_flag(self, name: str, further: int = 2) -> bool:
        """Does a name say which release this is, itself or through so many further names that it is made of?"""
        found = self._known.get((name, further))
        if found is None:
            inside = [one for value in self._values.get(name, ()) for one in ast.walk(value)]
            of_objects = {one for node in inside for one, _ in self._asked_of_object(node)}
            found = name in self._tried or self._ask(inside, of_objects)
            if not found and further:
                names = {one.id for one in inside if isinstance(one, ast.Name)}
                found = any(self.is_flag(one, further - 1) for one in names)
            self._known[(name, further)] = found
        return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements in a body, at any depth."""
    for node in body:
        yield node
        for name in BLOCKS.intersection(node._fields):
            inside = getattr(node, name)
            for one in [part.body for part in inside] if name in ("handlers", "cases") else [inside]:
                yield from _statements(one)


def _replaced(tree: ast.Module) -> Iterator[str]:
    """The attributes that a file sets itself, which then are there: `jax.tree_map = jax.tree_util.tree_map`."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets):
                yield from (target.attr for target in targets if isinstance(target, ast.Attribute))
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), *_]):
                yield name


def _expects(handler: ast.ExceptHandler) -> bool:
    """Does a handler expect that something is missing, and go on?"""
    if handler.type is None:
        names = ["BaseException"]
    else:
        names = [_last(one) for one in ast.walk(handler.type) if isinstance(one, (ast.Name, ast.Attribute))]
    is_raised = any(isinstance(one, ast.Raise) and one.exc is None for one in handler.body)
    return not is_raised and not EXPECTED.isdisjoint(names)


def _last(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _dotted(node: ast.AST) -> str:
    """The names of `a.b`; "" for other expressions."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(names))) if isinstance(node, ast.Name) else ""


def _holds(node: ast.AST, place: GuardPlace) -> bool:
    return _start(node) <= place < _end(node)


def _is_quoted(hint: ast.AST) -> bool:
    """Is an annotation a text, of which Python asks for nothing?"""
    return isinstance(hint, ast.Constant) and isinstance(hint.value, str)


def _start(node: ast.AST) -> GuardPlace:
    decorators = getattr(node, "decorator_list", None)
    first: ast.expr = decorators[0] if decorators else node  # type: ignore[assignment]  # or a statement
    return first.lineno, first.col_offset


def _end(node: ast.AST) -> GuardPlace:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]  # as above
