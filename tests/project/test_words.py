"""One word, one thing: no two classes or type aliases of the package share a name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "flake8_jax"
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
TREES = {module: ast.parse((SOURCE / module).read_text(encoding="utf-8")) for module in MODULES}
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
    assert duplicates(TREES) == {}


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
