"""Rewrites a program into another that means the same: other names, other imports, the hazard in a helper ...

A variant takes a tree (see `marked`) and returns another, or raises `NotApplicable` with the reason.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from tests.rules.marked import code_of, codes_in, mark

Function = ast.FunctionDef


class NotApplicable(Exception):
    """The variant does not exist for this program; the message says why."""


# All names of the user's are renamed.


class _Renaming(ast.NodeTransformer):
    """Renames what the program binds, keywords of its own functions and names in `static_argnames` included.

    Attributes keep their names, and so do methods, fields, builtins and what is passed by keyword to other callables.
    """

    def __init__(self, names: dict[str, str], classes: dict[str, ast.ClassDef], functions: set[str]) -> None:
        self.names = names
        self.classes = classes
        self.functions = functions

    def new(self, name: str) -> str:
        return self.names.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.new(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.new(node.arg)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.new(node.name)
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.name = self.new(node.name)
        return self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        node.name = node.name and self.new(node.name)
        return self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> ast.AST:
        node.name = node.name and self.new(node.name)
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = list(map(self.new, node.names))
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        node.names = list(map(self.new, node.names))
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        attributes = {name: name for name in _attributes(node)}
        body = node.body
        node.body = []
        self.generic_visit(node)
        node.body = [self._member(member, attributes) for member in body]
        node.name = self.new(node.name)
        return node

    def _member(self, member: ast.stmt, attributes: dict[str, str]) -> ast.stmt:
        if isinstance(member, FUNCTIONS):
            name = member.name
            self.visit(member)
            member.name = name
        elif isinstance(member, ast.Assign | ast.AnnAssign):
            _Renaming(self.names | attributes, self.classes, self.functions).generic_visit(member)
        else:
            self.visit(member)
        return member

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if "partial" in (getattr(function, "id", ""), getattr(function, "attr", "")) and node.args:
            function = node.args[0]
        own = isinstance(function, ast.Name) and function.id in self.functions and self._takes_names(function.id)
        for keyword in node.keywords:
            if own and keyword.arg:
                keyword.arg = self.new(keyword.arg)
            if keyword.arg in ("static_argnames", "donate_argnames"):
                for constant in ast.walk(keyword.value):
                    if isinstance(constant, ast.Constant):
                        constant.value = self.new(str(constant.value))
        return self.generic_visit(node)

    def _takes_names(self, name: str) -> bool:
        """Are the keywords of a call parameters, not fields?"""
        return name not in self.classes or "__init__" in _attributes(self.classes[name])


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
KEPT = re.compile("target|^_$|^traces$")
"""That a network is copied on purpose, a value thrown away, or that traces are counted, is known by the name alone."""


def renamed(tree: ast.Module) -> ast.Module:
    """Every name that the program binds gets one that says nothing."""
    nodes = list(ast.walk(tree))
    imports = {alias.asname or alias.name for node in nodes if isinstance(node, IMPORTS) for alias in node.names}
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in nodes if isinstance(node, FUNCTIONS)} | set(classes) | _named_lambdas(nodes)
    calls = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") not in functions]
    others = [call for call in calls if _dotted(call.func, dict.fromkeys(imports, "")) is None]
    kept = imports | {str(keyword.arg) for call in others for keyword in call.keywords} | set(dir(builtins))
    kept |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    bound = dict.fromkeys(name for node in nodes for name in _bound(node))
    names = [name for name in bound if name not in kept and not KEPT.search(name)]
    if not names:
        raise NotApplicable("binds no names")
    changed = _Renaming({name: f"name_{number}" for number, name in enumerate(names)}, classes, functions).visit(tree)
    assert isinstance(changed, ast.Module)
    return changed


def _bound(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
    return []


def _named_lambdas(nodes: Iterable[ast.AST]) -> set[str]:
    made = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)]
    return {name for node in made for name in _names_bound(node)}


def _attributes(node: ast.ClassDef) -> set[str]:
    """The names that a class body binds."""
    own = {member.name for member in node.body if isinstance(member, FUNCTIONS)}
    stores = [member for member in node.body if isinstance(member, ast.Assign | ast.AnnAssign)]
    return own | {name for member in stores for name in _names_bound(member)}


# Imports in another style.

IMPORTS = (ast.Import, ast.ImportFrom)
MODULES = {
    "asyncio": "aio", "collections": "coll", "contextlib": "ctx", "dataclasses": "dc", "enum": "enums", "equinox": "eq",
    "flax": "fl", "flax.linen": "linen", "flax.nnx": "nx", "flax.struct": "structs", "functools": "ft", "io": "streams",
    "itertools": "its", "jax": "jx", "jax.experimental": "experiments", "jax.experimental.checkify": "checking",
    "jax.experimental.pallas": "pallas", "jax.lax": "lx", "jax.nn": "neural", "jax.numpy": "xp", "jax.random": "rnd",
    "jaxtyping": "jt", "logging": "logs", "math": "m", "numpy": "onp", "operator": "op", "optax": "ox", "sys": "system",
    "types": "kinds", "typing": "hints", "warnings": "cautions",
}  # fmt: skip


class _Importing(ast.NodeTransformer):
    """Writes every reference to something imported in another style, and collects the imports that it needs."""

    def __init__(self, imported: dict[str, str], style: Callable[[str, str], tuple[str, str]]) -> None:
        self.imported = imported
        self.style = style
        self.needed: dict[str, None] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """What a function binds or imports itself is left alone in it."""
        outer = self.imported
        inner = list(ast.walk(node))
        own = {name for found in inner for name in _bound(found)}
        own |= {alias.asname or alias.name for found in inner if isinstance(found, IMPORTS) for alias in found.names}
        self.imported = {name: dotted for name, dotted in outer.items() if name not in own}
        self.generic_visit(node)
        self.imported = outer
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        dotted = _dotted(node, self.imported)
        return self._written(dotted) if dotted else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._written(self.imported[node.id]) if node.id in self.imported else node

    def _written(self, dotted: str) -> ast.expr:
        module = max((name for name in MODULES if f"{dotted}.".startswith(f"{name}.")), key=len, default="")
        if not module:
            raise NotApplicable(f"imports {dotted}")
        statement, written = self.style(module, dotted[len(module) + 1 :])
        self.needed[statement] = None
        return ast.parse(written, mode="eval").body


def _dotted(node: ast.expr, imported: dict[str, str]) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in imported:
        return None
    return ".".join([imported[node.id], *reversed(parts)])


def _imported(tree: ast.Module) -> dict[str, str]:
    """The dotted name for which each imported name stands."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _with_imports(tree: ast.Module, style: Callable[[str, str], tuple[str, str]]) -> ast.Module:
    importing = _Importing(_imported(tree), style)
    body = [importing.visit(node) for node in tree.body if not isinstance(node, IMPORTS)]
    return ast.Module(ast.parse("\n".join(importing.needed)).body + body, [])


def aliased_modules(tree: ast.Module) -> ast.Module:
    """`from jax import numpy as xp` and `xp.zeros`."""

    def style(module: str, member: str) -> tuple[str, str]:
        parent, _, last = module.rpartition(".")
        alias = MODULES[module]
        statement = f"from {parent} import {last} as {alias}" if parent else f"import {module} as {alias}"
        return statement, f"{alias}.{member}" if member else alias

    return _with_imports(tree, style)


def full_names(tree: ast.Module) -> ast.Module:
    """`import jax.numpy` and `jax.numpy.zeros`."""
    return _with_imports(tree, lambda module, member: (f"import {module}", f"{module}.{member}".rstrip(".")))


def imported_members(tree: ast.Module) -> ast.Module:
    """`from jax.numpy import zeros` and `zeros`."""
    meant = dict.fromkeys(chain(dir(builtins), *map(_bound, ast.walk(tree))), "")

    def style(module: str, member: str) -> tuple[str, str]:
        if not member:
            raise NotApplicable(f"uses the module {module} itself")
        name, _, rest = member.partition(".")
        local = name if meant.setdefault(name, module) == module else f"{name}_of_{MODULES[module]}"
        statement = f"from {module} import {name}" + (f" as {local}" if local != name else "")
        return statement, f"{local}.{rest}" if rest else local

    return _with_imports(tree, style)


# What is at fault moves into a helper.


def into_helper(tree: ast.Module) -> ast.Module:
    """The hazard stands in a helper function."""
    return _outlined(tree, levels=1)


def into_helper_two_levels_down(tree: ast.Module) -> ast.Module:
    """The hazard stands in a helper that a helper calls."""
    return _outlined(tree, levels=2)


def _outlined(tree: ast.Module, levels: int) -> ast.Module:
    """The bodies of functions, else of lambdas, else the statements of the module: those marked, or all if none is."""
    wanted = bool(codes_in(tree))
    functions = [node for node in tree.body if isinstance(node, Function) and (codes_in(node) or not wanted)]
    lambdas = [node for node in tree.body if _lambdas(node)]
    body: list[ast.stmt] = []
    code: str | None = None
    left = len(tree.body)
    for number, node in enumerate(tree.body):
        if code_of(node):
            code = code_of(node)
            continue
        if isinstance(node, Function) and node in functions:
            body += _body_outlined(node, levels)
        elif not functions and node in lambdas and (code or not wanted):
            body += _lambdas_outlined(node, levels, number, _marks(code))
        elif not functions and not lambdas and isinstance(node, SIMPLE) and (code or not wanted):
            body += _statement_outlined(node, tree, levels, number, _marks(code))
        else:
            body += [*_marks(code), node]
            left -= 1 + bool(code)
        code = None
    if not left:
        raise NotApplicable("has nothing to move")
    return ast.Module(body, [])


SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Delete)


def _marks(code: str | None) -> list[ast.stmt]:
    return [mark("below", code)] if code else []


def _chain(name: str, arguments: ast.arguments, body: list[ast.stmt], levels: int) -> tuple[list[ast.stmt], ast.Call]:
    """A helper with this body, as many functions above it as there are levels, and the call of the uppermost."""
    if arguments.defaults or arguments.kw_defaults:
        arguments = copy.deepcopy(arguments)
        arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    made: list[ast.stmt] = []
    call = None
    for level in range(levels):
        own = f"{name}_{level}"
        made.append(_define(own, arguments, body if call is None else [ast.Return(call)]))
        call = _call(own, arguments)
    assert call is not None
    return made, call


def _define(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    made = ast.parse(f"def {name}(): pass").body[0]
    assert isinstance(made, Function)
    made.args, made.body = arguments, body
    return made


def _call(name: str, arguments: ast.arguments) -> ast.Call:
    values: list[ast.expr] = [_name(arg.arg) for arg in [*arguments.posonlyargs, *arguments.args]]
    values += [ast.Starred(_name(arguments.vararg.arg), ast.Load())] if arguments.vararg else []
    keywords = [ast.keyword(arg.arg, _name(arg.arg)) for arg in arguments.kwonlyargs]
    keywords += [ast.keyword(None, _name(arguments.kwarg.arg))] if arguments.kwarg else []
    return ast.Call(_name(name), values, keywords)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _body_outlined(node: ast.FunctionDef, levels: int) -> list[ast.stmt]:
    made, call = _chain(f"inner_of_{node.name}", node.args, node.body, levels)
    outer = copy.copy(node)
    outer.body = [ast.Return(call)]
    return [*made, outer]


def _lambdas(node: ast.stmt) -> list[ast.Lambda]:
    if isinstance(node, Function | ast.ClassDef):
        return []
    return [inner for inner in ast.walk(node) if isinstance(inner, ast.Lambda)]


def _lambdas_outlined(node: ast.stmt, levels: int, number: int, marks: list[ast.stmt]) -> list[ast.stmt]:
    """Each lambda calls a helper that has its body; the statement's mark moves to the helpers."""
    helpers: list[ast.stmt] = []
    for count, found in enumerate(_lambdas(node)):
        body = [*copy.deepcopy(marks), ast.Return(found.body)]
        made, found.body = _chain(f"inner_{number}_{count}", found.args, body, levels)
        helpers += made
    return [*helpers, node]


def _statement_outlined(
    node: ast.stmt, tree: ast.Module, levels: int, number: int, marks: list[ast.stmt]
) -> list[ast.stmt]:
    """A helper takes what the statement reads and returns what it binds; its call takes the place.  Both are marked."""
    inner = list(ast.walk(node))
    targets = [found.target for found in inner if isinstance(found, ast.comprehension)]
    own = {target.id for target in targets if isinstance(target, ast.Name)}
    called = {found.func.id for found in inner if isinstance(found, ast.Call) and isinstance(found.func, ast.Name)}
    bound = [name for name in dict.fromkeys(_names_bound(node)) if name not in own]
    read = [found.id for found in inner if isinstance(found, ast.Name) and isinstance(found.ctx, ast.Load)]
    read += bound if isinstance(node, ast.AugAssign) else []
    made_here = {name for other in tree.body if isinstance(other, SIMPLE) for name in _names_bound(other)}
    needed = [name for name in dict.fromkeys(read) if name in made_here - called - own]
    arguments = ast.arguments([], [ast.arg(name) for name in needed], None, [], [], None, [])
    body = [*marks, node, *(ast.parse(f"return {', '.join(bound)}").body if bound else [])]
    made, call = _chain(f"inner_{number}", arguments, body, levels)
    used = ast.parse(f"{', '.join(bound)} = None" if bound else "None").body[0]
    assert isinstance(used, ast.Assign | ast.Expr)
    used.value = call
    return [*made, *copy.deepcopy(marks), used]


def _names_bound(node: ast.stmt) -> Iterable[str]:
    return (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store))


# Decorator and call form change places.


def other_form(tree: ast.Module) -> ast.Module:
    """`@jit def f` becomes `f = jit(f)`; `f = jit(lambda ...)` becomes `@jit def f`."""
    body: list[ast.stmt] = []
    left = len(tree.body)
    for node in tree.body:
        if isinstance(node, Function) and node.decorator_list:
            body += _called_instead(node)
        elif decorated := _decorated_instead(node):
            if body and code_of(body[-1]):
                decorated[-1].body.insert(0, body.pop())
            body += decorated
        else:
            body.append(node)
            left -= 1
    if not left:
        raise NotApplicable("has neither decorators nor transformed lambdas")
    return ast.Module([*ast.parse("import functools").body, *body], [])


def _called_instead(node: ast.FunctionDef) -> list[ast.stmt]:
    value: ast.expr = _name(node.name)
    for decorator in reversed(node.decorator_list):
        match decorator:
            case ast.Call(ast.Name("partial") | ast.Attribute(attr="partial"), [function, *rest], keywords):
                value = ast.Call(function, [value, *rest], keywords)
            case _:
                value = ast.Call(decorator, [value], [])
    plain = copy.copy(node)
    plain.decorator_list = []
    return [plain, ast.Assign([ast.Name(node.name, ast.Store())], value, lineno=0)]


def _decorated_instead(node: ast.stmt) -> list[ast.FunctionDef]:
    match node:
        case ast.Assign([ast.Name(name)], ast.Call(function, [ast.Lambda(arguments, body)], keywords)):
            made = _define(name, arguments, [ast.Return(body)])
            partial = ast.Attribute(_name("functools"), "partial", ast.Load())
            made.decorator_list = [ast.Call(partial, [function], keywords) if keywords else function]
            return [made]
    return []


# The program stands in a function or a method.


def in_function(tree: ast.Module) -> ast.Module:
    """Everything but the imports stands in `main()`."""
    imports, rest = _parted(tree)
    return ast.Module([*imports, _define("main", _no_arguments(), rest), *ast.parse("main()").body], [])


def in_method(tree: ast.Module) -> ast.Module:
    """Everything but the imports stands in a method."""
    imports, rest = _parted(tree)
    made = ast.parse("class Program:\n    def run(self): pass\nProgram().run()").body
    assert isinstance(made[0], ast.ClassDef)
    method = made[0].body[0]
    assert isinstance(method, Function)
    method.body = rest
    return ast.Module([*imports, *made], [])


def _parted(tree: ast.Module) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The imports, with the marks before them, and the rest, of which there is some."""
    below = [*tree.body[1:], None]
    imports = [
        node for node, next_one in zip(tree.body, below)
        if isinstance(node, IMPORTS) or (code_of(node) and isinstance(next_one, IMPORTS))
    ]  # fmt: skip
    rest = [node for node in tree.body if node not in imports]
    if not rest:
        raise NotApplicable("imports, and does nothing else")
    return imports, rest


def _no_arguments() -> ast.arguments:
    return ast.arguments([], [], None, [], [], None, [])


VARIANTS: Sequence[Callable[[ast.Module], ast.Module]] = (
    renamed, aliased_modules, full_names, imported_members, into_helper, into_helper_two_levels_down, other_form,
    in_function, in_method,
)  # fmt: skip
