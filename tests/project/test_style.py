"""House style that a reader should not have to watch over: names, docstrings, and nothing of anyone's machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.sources import MODULES, files, parsed

BANNED = {"base", "common", "handler", "helper", "helpers", "manager", "misc", "util", "utils"}
HOSTS = ("pyp" + "i.org", "pythonhosted" + ".org", "registry.npm" + "js", "deb.deb" + "ian.org")
PLACES = re.compile(r"(?<![\w.])/(?:work|root|home|Users|opt)/\w|[A-Z]:\\\\?Users")


def test_names_say_something() -> None:
    offenders = [name for name in files() if Path(name).stem in BANNED]
    assert not offenders, "\n".join(offenders)


def test_nothing_of_a_machine_or_a_registry() -> None:
    offenders = [
        f"{name}: {found}"
        for name, text in files().items()
        for found in [*(host for host in HOSTS if host in text), *PLACES.findall(text)]
    ]
    assert not offenders, "\n".join(offenders)


def undocumented(node: ast.Module | ast.ClassDef, name: str) -> Iterator[str]:
    """What is public in a module or class and has no docstring, with dotted names, and itself if it has none."""
    if not ast.get_docstring(node):
        yield name
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and inner.name[0] != "_":
            inside = f"{name}.{inner.name}"
            if isinstance(inner, ast.ClassDef):
                yield from undocumented(inner, inside)
            elif not ast.get_docstring(inner):
                yield inside


def test_what_is_public_says_what_it_is_for() -> None:
    offenders = [name for module in MODULES for name in undocumented(parsed(module), module)]
    assert not offenders, "\n".join(offenders)


def test_what_lacks_a_docstring_is_found() -> None:
    text = '"""A module."""\nclass C:\n    def f(self): ...\n    def g(self):\n        "Said."\n    def _h(self): ...\n'
    assert list(undocumented(ast.parse(text), "m")) == ["m.C", "m.C.f"]
    assert list(undocumented(ast.parse(""), "m")) == ["m"]
