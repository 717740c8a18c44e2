"""What one file of a library says of its names, as plain data: found by its tree alone.

from jax._src.core import Tracer as Tracer      BoundName("import", ("jax._src.core", "Tracer"))
def sum(a, axis=None, *, dtype=None): ...       BoundName("def", parameters="a, axis=, *, dtype=")
del _core                                       the name is not there afterwards
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from flake8_jax.runtime.measuring.releases.messages import (
    Explained,
    Warned,
    deprecations_of,
    explained,
    said,
    text_of,
    warned,
)

BoundNameKind: TypeAlias = Literal["import", "module", "def", "class", "alias", "value", "gone"]
KEEPING = frozenset((
    "jit", "partial", "implements", "_wraps", "wraps", "export", "set_module", "api_boundary", "custom_jvp", "cache",
    "lru_cache", "custom_jvp_call", "contextmanager", "jax_boundary", "named_call", "deprecated", "typing_extensions",
    "util", "profiler", "annotate_function", "staticmethod", "custom_vjp", "custom_gradient", "weakref_lru_cache",
    "no_type_check", "final", "overload", "public",
))  # fmt: skip
"""Decorators that leave the parameters of a function as they are."""
MAKES_SETTINGS = re.compile(rb"(?:_state|_flag|DEFINE_\w+)\(")
MAKING = re.compile(r"_state$|_flag$|^DEFINE_")
PRESENT = frozenset(("property", "functools.cached_property", "cached_property", "abstractproperty"))


@dataclass(frozen=True, slots=True)
class BoundName:
    """What a name of a module is bound to.

    `target` is the module and name that it was imported from, or the dotted name of an alias; `parameters` are those of
    a function or of a class's initializer, None where nothing is known; `warned` is what calling it says; `members`
    are the names of a class, or the keys of a dict, `bases` its bases as they are written.  A property that only
    raises is "gone".
    """

    kind: BoundNameKind
    target: tuple[str, str] = ("", "")
    is_public: bool = False
    parameters: str | None = None
    warned: tuple[Warned, ...] = ()
    members: tuple[tuple[str, BoundName], ...] = ()
    bases: tuple[str, ...] = ()


@dataclass(slots=True)
class FileFacts:
    """What a file of a library binds at its top, in the order in which it runs.

    `stars` are the modules that it takes all names of; `explained` are the names that it keeps behind a `__getattr__`,
    each with what it says and what it gives; `deleted` are names that it binds and deletes, which those may give;
    `answers` are other names that such a function speaks of; `settings` are the options of `jax.config` that it makes;
    `is_open`: other names may be there, too.  `warned` is what importing the file says.
    """

    names: dict[str, BoundName] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    exports: tuple[str, ...] | None = None
    deleted: dict[str, BoundName] = field(default_factory=dict)
    explained: dict[str, Explained] = field(default_factory=dict)
    answers: set[str] = field(default_factory=set)
    settings: set[str] = field(default_factory=set)
    is_open: bool = False
    warned: str = ""


def facts_of(text: bytes, module: str, is_package: bool) -> FileFacts:
    """Read a file of a library; one that is no Python of today binds what nobody knows."""
    found = FileFacts()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        found.is_open = True
        return found
    _Reader(found, module, is_package).run(tree.body)
    if MAKES_SETTINGS.search(text):
        found.settings = set(_settings(tree))
    return found


def _settings(tree: ast.Module) -> Iterator[str]:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and MAKING.search(_last(node))):
        named = [keyword.value for keyword in call.keywords if keyword.arg == "name"]
        for given in (*call.args[:1], *named):
            if isinstance(given, ast.Constant) and re.fullmatch(r"jax_\w+", str(given.value)):
                yield str(given.value)


class _Reader:
    def __init__(self, found: FileFacts, module: str, is_package: bool) -> None:
        self.found = found
        self.module = module
        self.package = module if is_package else module.rpartition(".")[0]
        self.constants: dict[str, str] = {}

    def run(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        names = self.found.names
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    if alias.asname:
                        names[alias.asname] = BoundName("module", (alias.name, ""), _is_same(alias))
                    else:
                        root = alias.name.partition(".")[0]
                        names[root] = BoundName("module", (root, ""))
            case ast.ImportFrom():
                self.imported(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node)
            case ast.ClassDef():
                names[node.name] = class_of(node)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self.assigned(target, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self.assigned(target, value)
            case ast.AugAssign(target=ast.Name(id="__all__"), value=value):
                self.found.exports = (*(self.found.exports or ()), *_strings(value))
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name) and target.id in names:
                        self.found.deleted[target.id] = names.pop(target.id)
            case ast.If(test=test, body=body, orelse=orelse):
                self.run([] if _is_of_types(test) else body)
                self.run(orelse)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                self.run([*body, *orelse, *final])
                for handler in handlers:
                    self.run(handler.body)
            case ast.With(body=body):
                self.run(body)
            case ast.For(body=body):
                self.looped(node)
                self.run([one for one in body if isinstance(one, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.If))])
            case ast.Expr(value=ast.Call() as call):
                self.called(call)

    def imported(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            parts = self.package.split(".")
            around = parts[: len(parts) - node.level + 1]
            module = ".".join((*around, *((module,) if module else ())))
        for alias in node.names:
            if alias.name == "*":
                self.found.stars.append(module)
            else:
                name = alias.asname or alias.name
                self.found.names[name] = BoundName("import", (module, alias.name), _is_same(alias))

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name == "__getattr__":
            self.found.explained |= explained(node, self.constants)
            self.found.answers |= {text for one in ast.walk(node) for text in _asked_for(one)}
            self.found.is_open |= not (self.found.explained or self.found.answers)
            return
        self.found.names[node.name] = function_of(node)

    def assigned(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id="__all__"):
                self.found.exports = tuple(_strings(value))
            case ast.Name(id="__getattr__"):
                if not (self.found.explained or isinstance(value, ast.Call)):
                    self.found.is_open = True
            case ast.Name(id=name):
                if "deprecat" in name and isinstance(value, (ast.Dict, ast.Call, ast.DictComp)):
                    self.found.explained |= deprecations_of(value, self.constants)
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    self.constants[name] = value.value
                before = self.found.names.get(name)
                is_decorated = isinstance(value, ast.Call) and name in map(_dotted, value.args)
                if before is None or before.kind not in ("class", "def") or not is_decorated:
                    dotted = _dotted(value)
                    self.found.names[name] = BoundName("alias", (dotted, "")) if dotted else _displayed(value)
                elif before.kind == "def":
                    self.found.names[name] = replace(before, parameters=None)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self.assigned(part, ast.Constant(None))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))) if "deprecat" in name:
                both = ast.Dict(keys=[ast.Constant(key)], values=[value])
                self.found.explained |= deprecations_of(both, self.constants)
            case ast.Subscript(value=ast.Call(func=ast.Name(id="globals")), slice=ast.Constant(value=str(name))):
                self.found.names[name] = BoundName("value")
            case ast.Subscript(value=ast.Call(func=ast.Name(id="globals"))):
                self.found.is_open = True

    def looped(self, node: ast.For) -> None:
        for one in ast.walk(node):
            match one:
                case ast.Subscript(value=ast.Call(func=ast.Name(id="globals"))) | ast.Call(func=ast.Name(id="setattr")):
                    self.found.is_open = True
                case ast.Name(id="exec"):
                    self.found.is_open = True

    def called(self, call: ast.Call) -> None:
        said = text_of(call.args[0], self.constants) if call.args else ""
        match call.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="globals")), attr="update"):
                self.found.is_open = True
            case ast.Attribute(attr="warn") | ast.Name(id="warn" | "_warn") if "deprecat" in said.lower():
                self.found.warned = said
            case ast.Attribute(value=ast.Name(id="__all__"), attr="extend" | "append") if call.args:
                self.found.exports = (*(self.found.exports or ()), *_strings(call.args[0]))


def function_of(node: ast.FunctionDef | ast.AsyncFunctionDef, is_method: bool = False) -> BoundName:
    """What a definition binds."""
    names = [_last(decorator) for decorator in node.decorator_list]
    is_known = all(name in KEEPING or "deprecat" in name.lower() for name in names)
    is_bound = is_method and "staticmethod" not in names
    return BoundName("def", parameters=parameters_of(node.args, is_bound) if is_known else None, warned=warned(node))


def class_of(node: ast.ClassDef) -> BoundName:
    """What a class statement binds: its members, and the parameters of its initializer if it has one."""
    members: dict[str, BoundName] = {}
    for statement in node.body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                is_property = any(_last(decorator) in PRESENT for decorator in statement.decorator_list)
                members[statement.name] = _property(statement) if is_property else function_of(statement, True)
            case ast.Assign(targets=targets):
                members |= {target.id: BoundName("value") for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                members[name] = BoundName("value")
    made = members.get("__init__")
    bases = tuple(filter(None, map(_dotted, node.bases)))
    is_plain = not node.decorator_list and not node.keywords
    return BoundName(
        "class", parameters=made.parameters if made and is_plain else None, warned=made.warned if made else (),
        members=tuple(sorted(members.items())), bases=bases if len(bases) == len(node.bases) else (*bases, "?"),
    )  # fmt: skip


def _property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> BoundName:
    match node.body:
        case [*_, ast.Raise(exc=ast.Call(func=ast.Name(id="AttributeError"), args=[message, *_]))]:
            return BoundName("gone", warned=(Warned("", said(text_of(message))),))
    return BoundName("value", warned=warned(node))


def _displayed(node: ast.expr) -> BoundName:
    """A value; of a dict whose keys are names, its entries."""
    if not isinstance(node, ast.Dict):
        return BoundName("value")
    both = zip(node.keys, node.values, strict=True)
    entries = ((str(key.value), _dotted(value)) for key, value in both if isinstance(key, ast.Constant))
    return BoundName("value", members=tuple((key, BoundName("alias", (dotted, ""))) for key, dotted in entries))


def parameters_of(found: ast.arguments, is_method: bool = False) -> str:
    """Parameters as text: names, a `=` behind those with a default, `/` and `*` as Python writes them."""
    parts: list[str] = []
    positional = [*found.posonlyargs, *found.args]
    first_default = len(positional) - len(found.defaults)
    for place, one in enumerate(positional):
        parts.append(one.arg + ("=" if place >= first_default else ""))
        if place + 1 == len(found.posonlyargs):
            parts.append("/")
    if is_method:
        parts = parts[2:] if parts[1:2] == ["/"] else parts[1:]
    if found.vararg:
        parts.append(f"*{found.vararg.arg}")
    elif found.kwonlyargs:
        parts.append("*")
    parts += [
        one.arg + ("" if default is None else "=")
        for one, default in zip(found.kwonlyargs, found.kw_defaults, strict=True)
    ]
    return ", ".join((*parts, *((f"**{found.kwarg.arg}",) if found.kwarg else ())))


def _is_same(alias: ast.alias) -> bool:
    return alias.asname is not None and alias.asname == alias.name.rpartition(".")[2]


def _is_of_types(test: ast.expr) -> bool:
    return _last(test) == "TYPE_CHECKING"


def _last(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _dotted(node: ast.expr) -> str:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join((node.id, *names[::-1])) if isinstance(node, ast.Name) else ""


def _strings(node: ast.expr) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _asked_for(node: ast.AST) -> Iterator[str]:
    """The names that a `__getattr__` compares with what it is asked for."""
    if isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            yield from (text for text in _strings(side) if text.isidentifier())
