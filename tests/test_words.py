"""The words of the package: each name stands for one thing, and what is public is introduced by a short sentence."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "flake8_jax"
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
TREES = {module: ast.parse((SOURCE / module).read_text(encoding="utf-8")) for module in MODULES}
CAMEL_CASE = re.compile(r"_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")

# Names that are still defined more than once, and the folders that define them.
PENDING = {
    "Import": ["analysis", "syntax"],
    "Kind": ["domain", "model", "syntax"],
    "Manner": ["analysis", "analysis"],
    "Report": ["model", "rules"],
    "Result": ["analysis", "syntax"],
    "Store": ["cache", "ir"],
}

# Folders whose docstrings have been shortened.
FOLDERS = ("api", "runtime")
MAXIMUM_WORDS = 20
DOCUMENTED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SHORT = [module for module in MODULES if module.split("/")[0] in FOLDERS]


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


def public_docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The docstrings of a module and of its public classes, functions and methods, by name."""
    yield "", ast.get_docstring(tree) or ""
    waiting = [("", tree.body)]
    while waiting:
        outer, body = waiting.pop()
        for node in body:
            if isinstance(node, DOCUMENTED) and not node.name.startswith("_"):
                yield f"{outer}{node.name}", ast.get_docstring(node) or ""
                if isinstance(node, ast.ClassDef):
                    waiting.append((f"{outer}{node.name}.", node.body))


def words_of_first_sentence(docstring: str) -> int:
    """How many words the first sentence of a docstring has; quoted code is one word."""
    paragraph = re.sub(r"`[^`]*`", "code", docstring.split("\n\n")[0])
    sentence = re.split(r"(?<=[.?!])\s", paragraph)[0]
    return sum(any(map(str.isalnum, word)) for word in sentence.split())


def test_no_two_types_share_a_name() -> None:
    assert duplicates(TREES) == PENDING


@pytest.mark.parametrize("module", SHORT)
def test_first_sentences_are_short(module: str) -> None:
    counts = {name: words_of_first_sentence(text) for name, text in public_docstrings(TREES[module])}
    assert {name: count for name, count in counts.items() if count > MAXIMUM_WORDS} == {}


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


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("", 0),
        ("The names of a row.", 5),
        ("The names of a row.  They are sorted.", 5),
        ("Is `jax.numpy.sin(x) + 1` a call?  Yes.", 4),
        ("Calls of `f` - and their\nvalues:\n\n    f(x)   and more", 6),
    ],
)
def test_words_of_a_first_sentence_are_counted(docstring: str, expected: int) -> None:
    assert words_of_first_sentence(docstring) == expected
