"""The scope of a file's top level, made of the index of its statements."""

from __future__ import annotations

from flake8_jax.ir.scope import Scope
from flake8_jax.syntax.index import Index


def scope_of(index: Index) -> Scope:
    """The names that a file binds, with what imports bind them to."""
    scope = Scope("module", None)
    for name in (*index.names, *index.globals):
        scope.declare(name)
    for statement in index.statements:
        for name in statement.binds:
            scope.declare(name)
        for level, module, name, new in statement.imports:
            bound, dotted = import_binding(level, module, name, new)
            if name != "*":
                scope.names[bound].imported = _only(index, bound, "." * level + dotted)
    scope.stars = ["." * level + module for level, module in index.stars]
    return scope


def import_binding(level: int, module: str, name: str, new: str | None) -> tuple[str, str]:
    """The name that an import binds, and the dotted name of what it binds it to."""
    bound = new or (name if module or level else name.partition(".")[0])
    dotted = name if module or level or new else bound
    return bound, f"{module}.{dotted}" if module else dotted


def _only(index: Index, name: str, dotted: str) -> str | None:
    """The dotted name that all statements import a name as; None if one binds it otherwise."""
    for number in index.names.get(name, ()):
        statement = index.statements[number]
        bindings = [(one[0], *import_binding(*one)) for one in statement.imports]
        found = {"." * level + target for level, bound, target in bindings if bound == name}
        if found != {dotted}:
            return None
    return None if name in index.globals else dotted
