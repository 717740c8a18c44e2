"""Every private name of JAX that is used works on the JAX at hand, and stands in one module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from flake8_jax.runtime import compat, compat_checks

RUNTIME = Path(__file__).parents[2] / "src" / "flake8_jax" / "runtime"
MODULES = sorted(path for path in RUNTIME.rglob("*.py") if not path.name.startswith("compat"))


@pytest.mark.parametrize(("name", "check"), compat_checks.PRIVATE, ids=[name for name, _ in compat_checks.PRIVATE])
def test_a_private_name_does_what_it_is_used_for(name: str, check: compat_checks.Check) -> None:
    pytest.importorskip("jax")
    check()


def test_each_has_a_self_test() -> None:
    functions = {
        name
        for name, found in vars(compat).items()
        if callable(found) and getattr(found, "__module__", "") == compat.__name__ and not name.startswith("_")
    }
    assert functions == {name for name, _ in compat_checks.PRIVATE}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_private_names_stand_nowhere_else(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    imported += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    quoted = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, DOCUMENTED)}
    named = [name for name in [*imported, *(text for text in quoted if text not in docstrings)] if "._src" in name]
    assert named == []


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
