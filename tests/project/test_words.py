"""One word, one thing: no two classes or type aliases share a name, and `Any` has one name and one place."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.support.sources import MODULES, parsed

CAMEL_CASE = re.compile(r"_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")


def names_of_types(tree: ast.Module) -> Iterator[str]:
    """The classes and type aliases that a module defines."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                if ast.unparse(annotation).rpartition(".")[2] == "TypeAlias":
                    yield name
            case ast.Assign(targets=targets) if node in tree.body:
                found = [target.id for target in targets if isinstance(target, ast.Name)]
                yield from filter(CAMEL_CASE.fullmatch, found)


def duplicates(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """The names that are defined more than once, and the folder of each definition."""
    folders: defaultdict[str, list[str]] = defaultdict(list)
    for module, tree in trees.items():
        for name in names_of_types(tree):
            folders[name].append(module.split("/")[0])
    return {name: sorted(found) for name, found in folders.items() if len(found) > 1}


def test_no_two_types_share_a_name() -> None:
    offenders = [f"{name} in {', '.join(found)}" for name, found in duplicates({m: parsed(m) for m in MODULES}).items()]
    assert not offenders, "\n".join(offenders)


TWO_MODULES = (
    """
class Twice: ...

class Outer:
    class Inner: ...

Alias: TypeAlias = "int"
Assigned = Callable[[int], None]
CONSTANT = Twice
""",
    """
def outer():
    class Twice: ...
    Assigned = Twice()

Inner = tuple[int]
Alias: typing.TypeAlias = "str"
CONSTANT: int = 1
""",
)


def test_duplicates_are_found_in_any_spelling() -> None:
    trees = {f"{folder}/module.py": ast.parse(text) for folder, text in zip(("one", "two"), TWO_MODULES)}
    assert duplicates(trees) == {name: ["one", "two"] for name in ("Twice", "Inner", "Alias")}


# Where a type must be precise, and the modules there that may name `Any`: a foreign value has an alias, `Foreign`.
PRECISE = ("analysis/", "domain/", "runtime/")
NAMES_ANY = {"runtime/foreign"}


def names_any(tree: ast.Module) -> bool:
    """Does a module import `Any`, under whatever name, or take it from a module?"""
    nodes = list(ast.walk(tree))
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return "Any" in imported | attributes


def test_any_has_one_place() -> None:
    assert {module for module in MODULES if module.startswith(PRECISE) and names_any(parsed(module))} == NAMES_ANY


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("from typing import Any, TypeAlias", True),
        ("from typing import Any as Unknown", True),
        ("import typing as t\n\ndef f(x: t.Any) -> None: ...", True),
        ("from typing import TypeAlias\n\nAnyway: TypeAlias = int", False),
        ("from flake8_jax.runtime.foreign import Foreign\n\nvalue: Foreign = any([])", False),
    ],
)
def test_any_is_found_in_any_spelling(text: str, named: bool) -> None:
    assert names_any(ast.parse(text)) == named
