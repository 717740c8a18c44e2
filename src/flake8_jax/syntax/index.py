"""The top-level bindings and imports of a file, read without running it and without libcst."""

from __future__ import annotations

import ast
import marshal
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from flake8_jax.digests import blake2b
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.changing import changed_names
from flake8_jax.syntax.code import CodeText, code_of
from flake8_jax.syntax.source import SourceFile, collector_paused, names_jax, parsed

__all__ = ["ASCII_WORD", "BRACKETS", "GAP", "LINE", "WORD", "Import", "Index", "Statement", "index_of", "read_imports"]

StatementKind: TypeAlias = Literal["def", "class", "import", "main", "other"]

WORD = compiled(r"[^\W\d]\w*")
"""A name, or a word in a string or comment."""

ASCII_WORD = compiled(r"[A-Za-z_]\w*", re.ASCII)
"""The same in a text of ASCII alone, found in half the time."""

_GLOBAL = compiled(r"\bglobal\b")
# No text matches in two ways, so that nothing is tried twice. A comment between brackets may hold a bracket.
GAP = r"[ \t\f]*(?:\\\r?\n[ \t\f]*)*"
LINE = r"[^\n\r;#\\]*(?:\\\r?\n[^\n\r;#\\]*)*"
BRACKETS = r"\(([^)#]*(?:#[^\n\r]*[\n\r][^)#]*)*)\)"
_DOTS = rf"{GAP}(?:\.{GAP})*"
_NAME = rf"\w+(?:{GAP}\.{GAP}\w+)*"
_FROM = rf"from\b({_DOTS})({_NAME})?{GAP}\bimport\b{GAP}(?:{BRACKETS}|({LINE}))"
_STATEMENT = compiled(rf"[\n\r;:]{GAP}(?:import\b({LINE})|{_FROM})")
_ITEM = compiled(r"\s*(\*|\w+(?:\s*\.\s*\w+)*)(?:\s+as\s+\w+)?\s*")
_COMMENT_OR_JOIN = compiled(r"#[^\n\r]*|\\\r?\n")
_SPACE = compiled(r"\s+")
DIGEST = 8
"""The bytes of a digest."""

BODIES = frozenset(("def", "class"))
"""The statements with bodies that other files know by what they say of them alone."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

REFERENCES = ("pallas", "new_ref", "array_ref", "mutable_array", "run_state", "AbstractRef")
"""The words without one of which a file makes no references."""

_CHANGERS = {"append", "clear", "extend", "insert", "pop", "remove", "__iadd__", "__setitem__", "__delitem__"}


STEPS = ((64, 8), (256, 32), (1 << 30, 128))
"""Below how many lines of a statement its weight is counted in which steps."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One top-level statement; several on one line count as one.

    `main` is `if __name__ == "__main__":` without an `else`. Lines count from 1 and take the decorators in. `binds`
    are the names that it binds in the module, also in blocks and by `:=`, but not those bound inside functions,
    classes and comprehensions; `del` counts as binding, as it does for Python.
    `imports` has, of an import, the dots, module, name and new name of each: `from ..a import b as c` is
    (2, "a", "b", "c"), `import a.b` is (0, "", "a.b", None).  `size` is the number of its lines that hold code, `code`
    a digest of these, `written` one of its text, comments among it; `definition` is one of its code without the bodies
    of the functions in it; `bodies` are digests of these, each with the number of lines above its `def`; `stored` is
    one of the attributes of names that the functions in a class store, and of the bodies that may set them by name.
    """

    kind: StatementKind
    line: int
    end_line: int
    binds: tuple[str, ...]
    imports: tuple[tuple[int, str, str, str | None], ...] = ()
    size: int = 0
    code: bytes = b""
    written: bytes = b""
    definition: bytes = b""
    bodies: tuple[tuple[int, bytes], ...] = ()
    stored: bytes = b""

    @property
    def weight(self) -> int:
        """Its size as searches for callers count it; that of a function or class in steps, which a line more seldom
        passes.
        """
        if self.kind not in BODIES:
            return self.size
        step = next(step for most, step in STEPS if self.size < most)
        return (self.size + step // 2) // step * step or step // 2

    def body_at(self, line: int) -> int | None:
        """The number of the body of a function that begins on a line; None if there is none that stands apart."""
        number = bisect_left(self.bodies, (line - self.line, b""))
        return number if number < len(self.bodies) and self.bodies[number][0] == line - self.line else None

    def below(self, line: int) -> tuple[int, int]:
        """How many functions begin down to a line, and how far it is below the last of them, or below the first line:
        what stands in the body of another one does not count.
        """
        number = bisect_left(self.bodies, (line - self.line + 1, b""))
        return number, line - self.line - (self.bodies[number - 1][0] if number else 0)

    def text(self, lines: Sequence[str]) -> str:
        """Its source text, given the lines of the file."""
        return "\n".join(lines[self.line - 1 : self.end_line])


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name.  `from ..a import b` is (2, "a", "b"), `import a.b` is (0, "a.b", None); a star is "*"."""

    level: int
    module: str
    name: str | None

    @property
    def dotted(self) -> str:
        """The dotted name of the imported object; for a star import, of the module."""
        return ".".join(part for part in (self.module, self.name) if part and part != "*")


@dataclass(frozen=True, slots=True)
class Index:
    """The top-level bindings of a file.

    `names` leads from a name to the numbers of the statements that bind it, in order; what stands below
    `if __name__ == "__main__":` does not count. `stars` are (level, module) of the star imports. `exports` is `__all__`
    where it is made of literals, else None; that it is there but not literal shows by `"__all__" in names`. `globals`
    are the names that some function declares `global`, `changed` those that some statement changes (`changing.py`).
    `head` is a digest of all of the file but its comments and what stands inside of its functions and classes.
    """

    path: str
    statements: tuple[Statement, ...]
    names: Mapping[str, tuple[int, ...]]
    stars: tuple[tuple[int, str], ...]
    exports: tuple[str, ...] | None
    globals: frozenset[str]
    changed: frozenset[str] = frozenset()
    head: bytes = b""

    @property
    def code(self) -> bytes:
        """The digests of the code of all statements."""
        return b"".join(statement.code for statement in self.statements)


def packed(index: Index) -> tuple[Any, ...]:
    """An index as plain data for serialization, without its path."""
    statements = [tuple(getattr(statement, name) for name in Statement.__slots__) for statement in index.statements]
    names = sorted(index.globals), sorted(index.changed)
    return statements, dict(index.names), index.stars, index.exports, *names, index.head


def unpacked(path: str, data: tuple[Any, ...]) -> Index:
    """The inverse of `packed`."""
    statements, names, stars, exports, declared, changed, head = data
    made = tuple(Statement(*statement) for statement in statements)
    return Index(path, made, names, stars, exports, frozenset(declared), frozenset(changed), head)


def index_of(path: str, text: str, tree: ast.Module | None = None) -> Index | None:
    """The index of a text; None if the running Python cannot parse it.  `tree` is its syntax tree, if already
    parsed.
    """
    with collector_paused():  # the tree is gone before it goes on, and need not be searched
        return _index_of(SourceFile(path, text), tree)


def read_imports(text: str) -> tuple[Import, ...]:
    """All imports of a text, without duplicates.  They are matched by a pattern, so examples in docstrings count
    too.
    """
    found: dict[Import, None] = {}
    if "import" in text:
        for match in _STATEMENT.finditer("\n" + text):
            modules, dots, module, bracketed, names = match.groups()
            if modules is not None:
                found.update((Import(0, name, None), None) for name in _items(modules))
                continue
            level, module = dots.count("."), _SPACE.sub("", _COMMENT_OR_JOIN.sub("", module or ""))
            if level or module:
                written = _items(names if bracketed is None else bracketed)
                found.update((Import(level, module, name), None) for name in written if "." not in name)
    return tuple(found)


def _index_of(source: SourceFile, tree: ast.Module | None) -> Index | None:
    text = source.text
    tree = tree or parsed(text)
    if tree is None:
        return None
    body, code = tree.body, code_of(text)
    lines = code.text.split("\n") if code.is_apart else source.lines
    statements = tuple(_with_code(each, code, lines, source, nodes) for each, nodes in _statements(body, source))
    kept = [node for node in body if not _is_main(node)]
    stars, exports = tuple(_stars(kept)) if "*" in text else (), _exports(kept) if "__all__" in text else None
    declared = frozenset(_globals(body)) if "global" in text and _GLOBAL.search(text) else frozenset[str]()
    head = _head(statements, (stars, exports, sorted(declared), names_jax(text)), code)
    return Index(
        source.path, statements, _numbers(statements), stars, exports, declared, changed_names(code.text), head
    )


def _with_code(
    statement: Statement, code: CodeText, lines: list[str], source: SourceFile, nodes: Sequence[ast.stmt]
) -> Statement:
    """A statement with the size of its code, and the digests of this, of its text, and of its definition and bodies."""
    kept = code.lines_of(statement.line, statement.end_line, lines)
    definition = of_code = digest_of_lines(kept)
    own = source.lines[statement.line - 1 : statement.end_line]
    written = digest_of_lines(own) if own != kept else of_code
    bodies, stored = list[tuple[int, bytes]](), of_code
    if statement.kind in BODIES and code.is_apart:
        defining, line = list[str](), statement.line
        for above, first, last in _bodies(nodes, source):
            defining += code.lines_of(line, first - 1, lines)
            body = code.lines_of(first, last, lines)
            bodies.append((above - statement.line, digest_of_lines(body)))
            line = last + 1
        definition = digest_of_lines([*defining, *code.lines_of(line, statement.end_line, lines)])
        if statement.kind == "class":
            sets = any("setattr" in line for line in own)
            stored = digest_of_lines([*_stored(nodes), *(_setting(nodes) if sets else ())])
    return replace(
        statement, size=len(kept), code=of_code, written=written, definition=definition, bodies=tuple(bodies),
        stored=stored,
    )  # fmt: skip


def _stored(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """The functions and classes in some statements, and the attributes of names that they store, in order, with what is
    stored if it is a constant.
    """
    for node in _blocks(nodes, with_scopes=True):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield f"def {node.name}"
        held = getattr(node, "value", None)
        constant = f" {held.value!r}" if isinstance(held, ast.Constant) else ""
        targets = [*getattr(node, "targets", ()), getattr(node, "target", None)]
        targets += [item.optional_vars for item in getattr(node, "items", ())]
        for target in targets:
            yield from (f"{attribute}{constant}" for attribute in _attributes(target))


def _setting(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """The loops in some statements that set attributes by name, and other statements that do."""
    for node in _blocks(nodes, with_scopes=True):
        is_whole = isinstance(node, (ast.For, ast.AsyncFor, ast.While)) or not getattr(node, "body", ())
        parts = [node] if is_whole else [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        for part in parts:
            if any(isinstance(one, ast.Name) and one.id == "setattr" for one in ast.walk(part)):
                yield ast.dump(part)


def _attributes(target: ast.expr | None) -> Iterator[str]:
    match target:
        case ast.Attribute(ast.Name(holder), name):
            yield f"{holder}.{name}"
        case ast.Starred(value):
            yield from _attributes(value)
        case ast.Tuple(parts) | ast.List(parts):
            for part in parts:
                yield from _attributes(part)


def _bodies(nodes: Iterable[ast.stmt], source: SourceFile) -> Iterator[tuple[int, int, int]]:
    """The lines of the functions in some statements that are in no other: of the `def`, and the first and last of the
    body, if it stands on lines of its own.
    """
    for node in _blocks(nodes, with_scopes=False, with_classes=True):
        if isinstance(node, FUNCTIONS):
            first = node.body[0]
            if not source.lines[first.lineno - 1][: first.col_offset].strip():
                yield node.lineno, _first_line(first, source), node.end_lineno or first.lineno


def digest_of_lines(lines: Sequence[str]) -> bytes:
    """A digest of some lines."""
    return blake2b("\n".join(lines).encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


def _head(statements: Sequence[Statement], names: tuple[Any, ...], code: CodeText) -> bytes:
    """The digest of a file without the bodies of its functions and classes."""
    told = [(each.kind, each.binds, each.imports, b"" if each.kind in BODIES else each.code) for each in statements]
    text = code.text
    words = [word in text for word in REFERENCES], "__main__" in text
    whole = b"" if code.is_apart else text.encode("utf-8", "surrogatepass")
    return blake2b(marshal.dumps((told, names, words, whole), 2), digest_size=DIGEST).digest()


def _items(written: str) -> list[str]:
    """The names of a list; none of them if something is no name, so that this is prose."""
    items = [item for item in _COMMENT_OR_JOIN.sub(" ", written).split(",") if not item.isspace()]
    matches = [_ITEM.fullmatch(item) for item in items if item]
    return [_SPACE.sub("", match[1]) for match in matches if match is not None] if all(matches) else []


def _statements(body: Sequence[ast.stmt], source: SourceFile) -> Iterator[tuple[Statement, Sequence[ast.stmt]]]:
    """The statements of a file, with their nodes; those that share a line are one."""
    has_walrus = ":=" in source.text
    kind: StatementKind = "other"
    names: tuple[str, ...] = ()
    nodes: list[ast.stmt] = []
    line = end = 0
    for node in body:
        first, own, bound = _first_line(node, source), _kind(node), tuple(dict.fromkeys(_bound(node, has_walrus)))
        is_joined = line and source.lines[end - 1].endswith("\\")  # `a = 1; \`, and on below
        if line and (first <= end or is_joined):
            kind, names = kind if kind == own else "other", tuple(dict.fromkeys(names + bound))
            nodes.append(node)
        else:
            if line:
                yield _statement(kind, line, end, names, nodes), nodes
            kind, line, names, nodes = own, first, bound, [node]
        end = node.end_lineno or first
    if line:
        yield _statement(kind, line, end, names, nodes), nodes


def _statement(
    kind: StatementKind, line: int, end: int, names: tuple[str, ...], nodes: Sequence[ast.stmt]
) -> Statement:
    imports = tuple(one for node in nodes for one in _imported(node)) if kind == "import" else ()
    return Statement(kind, line, end, names, imports)


def _imported(node: ast.stmt) -> Iterator[tuple[int, str, str, str | None]]:
    """The dots, module, name and new name of each that an import statement imports."""
    if isinstance(node, ast.Import):
        yield from ((0, "", alias.name, alias.asname) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((node.level, node.module or "", alias.name, alias.asname) for alias in node.names)


def _kind(node: ast.stmt) -> StatementKind:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return "def"
    if isinstance(node, ast.ClassDef):
        return "class"
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return "import"
    return "main" if _is_main(node) else "other"


def _is_main(node: ast.stmt) -> bool:
    match node:
        case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]), _, []):
            return True
        case ast.If(ast.Compare(ast.Constant("__main__"), [ast.Eq()], [ast.Name("__name__")]), _, []):
            return True
    return False


def _first_line(node: ast.stmt, source: SourceFile) -> int:
    """The line where a statement begins; an `@` may stand lines above what `ast` calls the decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    if not decorators:
        return node.lineno
    line = decorators[0].lineno
    while line > 1 and not source.lines[line - 1].lstrip().startswith("@"):
        line -= 1
    return line


def _bound(statement: ast.stmt, has_walrus: bool) -> Iterator[str]:
    """The names that a statement binds in the module, in order, some of them more than once."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names if alias.name != "*")
        else:
            name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
            if isinstance(name, str):  # a function, class, handler or pattern
                yield name
            stack += reversed(list(_parts(node, has_walrus)))


def _parts(node: ast.AST, has_walrus: bool) -> Iterable[ast.AST]:
    """The parts of a node that may bind names in the same scope: without `:=`, no expression but a target does."""
    around: Sequence[ast.AST | None]
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            around = (*node.decorator_list, node.args, node.returns)
        case ast.ClassDef():
            around = (*node.decorator_list, *node.bases, *node.keywords)
        case ast.Lambda():
            around = (node.args,)
        case ast.comprehension():
            around = (node.iter, *node.ifs)
        case ast.AnnAssign(value=None):
            return ()
        case _ if type(node).__name__ == "TypeAlias":  # new in Python 3.12
            return (node.name,)  # type: ignore[attr-defined]
        case _:
            parts = ast.iter_child_nodes(node)
            return (part for part in parts if has_walrus or not isinstance(part, ast.expr) or _is_target(part))
    return (part for part in around if part is not None) if has_walrus else ()


def _is_target(node: ast.expr) -> bool:
    return not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _numbers(statements: Sequence[Statement]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for number, statement in enumerate(statements):
        if statement.kind != "main":
            for name in statement.binds:
                found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


def _blocks(body: Iterable[ast.stmt], with_scopes: bool, with_classes: bool = False) -> Iterator[ast.AST]:
    """The statements of a block and of those in it, in order; with or without those of functions and classes."""
    closed = FUNCTIONS if with_classes else (*FUNCTIONS, ast.ClassDef)
    stack: list[ast.AST] = []
    stack += reversed([*body])
    while stack:
        node = stack.pop()
        yield node
        if with_scopes or not isinstance(node, closed):
            for part in ("finalbody", "orelse", "handlers", "cases", "body"):
                stack += reversed(getattr(node, part, ()))


def _stars(body: Iterable[ast.stmt]) -> Iterator[tuple[int, str]]:
    for node in _blocks(body, with_scopes=False):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield node.level, node.module or ""


def _globals(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in _blocks(body, with_scopes=True):
        if isinstance(node, ast.Global):
            yield from node.names


def _exports(body: Iterable[ast.stmt]) -> tuple[str, ...] | None:
    found: tuple[str, ...] | None = None
    for node in body:
        match node:
            case (
                ast.Assign(targets=[ast.Name("__all__")], value=ast.expr() as value)
                | ast.AnnAssign(target=ast.Name("__all__"), value=ast.expr() as value)
            ):
                found = ()
            case ast.AnnAssign(target=ast.Name("__all__")):
                continue
            case ast.AugAssign(target=ast.Name("__all__"), op=ast.Add(), value=value):
                pass
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("__all__"), "extend"), [value], [])):
                pass
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("__all__"), "append"), [value], [])):
                value = ast.List([value])
            case _:
                if _changes_exports(node):
                    return None
                continue
        more = _texts(value)
        if found is None or more is None:
            return None
        found += more
    return found


def _texts(node: ast.expr) -> tuple[str, ...] | None:
    """The strings of a list or tuple that is written out, in one part or in several with `+` between."""
    found: tuple[str, ...] = ()
    stack = [node]
    while stack:
        match stack.pop():
            case ast.BinOp(left, ast.Add(), right):
                stack += [right, left]
            case ast.List(parts) | ast.Tuple(parts):
                values = [part.value for part in parts if isinstance(part, ast.Constant)]
                found += tuple(value for value in values if isinstance(value, str))
                if len(values) < len(parts) or not all(isinstance(value, str) for value in values):
                    return None
            case _:
                return None
    return found


def _changes_exports(statement: ast.stmt) -> bool:
    """May a statement change `__all__` in a way that is not followed: under a condition, by `remove`, item by item?"""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    for node in ast.walk(statement):
        match node:
            case ast.Name("__all__", ast.Store() | ast.Del()):
                return True
            case ast.Subscript(ast.Name("__all__"), _, ast.Store() | ast.Del()):
                return True
            case ast.Attribute(ast.Name("__all__"), name) if name in _CHANGERS:
                return True
    return False
