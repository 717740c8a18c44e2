"""House style that a reader should not have to watch over: sizes, names, and nothing of anyone's machine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "fixtures", "examples", "docs", ".ci")
FILES = sorted(
    path
    for path in [*ROOT.glob("*.*"), *(found for folder in FOLDERS for found in (ROOT / folder).rglob("*"))]
    if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
)
MODULES = sorted((ROOT / "src").rglob("*.py"))
BANNED = {"base", "common", "handler", "helper", "helpers", "manager", "misc", "util", "utils"}
HOSTS = ("pyp" + "i.org", "pythonhosted" + ".org", "registry.npm" + "js", "deb.deb" + "ian.org")
PLACES = re.compile(r"(?<![\w.])/(?:work|root|home|Users|opt)/\w|[A-Z]:\\\\?Users")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_are_small_and_say_what_they_are_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree)
    assert text.count("\n") <= 400
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > 50]
    assert long == []


MOST_IN_A_FOLDER, MOST_AT_THE_ROOT = 25, 8


def test_folders_are_small() -> None:
    package = ROOT / "src" / "flake8_jax"
    counts = {folder: len(list(folder.glob("*.py"))) for folder in {path.parent for path in MODULES}}
    assert counts.pop(package) <= MOST_AT_THE_ROOT
    counts.pop(package / "rules")  # a rule is one file, and there are many
    assert {name_of(folder): count for folder, count in counts.items() if count > MOST_IN_A_FOLDER} == {}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_names_say_something(path: Path) -> None:
    assert path.stem not in BANNED


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nothing_of_a_machine_or_a_registry(path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    assert [host for host in HOSTS if host in text] == []
    assert PLACES.findall(text) == []
