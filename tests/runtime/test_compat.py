"""Every private name of JAX that is used works on the JAX at hand, and stands in one module."""

from __future__ import annotations

import ast

import pytest

from flake8_jax.runtime import compat, compat_checks
from tests.support.sources import MODULES, parsed


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


def private_names(tree: ast.Module) -> list[str]:
    """What a module imports of JAX's private modules, or names in a string that is no docstring."""
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    imported += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    quoted = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, DOCUMENTED)}
    return [name for name in [*imported, *(text for text in quoted if text not in docstrings)] if "._src" in name]


READING = {"runtime/measuring/releases/arrays"}
"""Modules that read private files of packages as text, and import nothing of them."""


def test_private_names_stand_nowhere_else() -> None:
    others = [name for name in MODULES if name not in READING]
    modules = [name for name in others if name.startswith("runtime/") and "/compat" not in name]
    offenders = [f"{name}: {text}" for name in modules for text in private_names(parsed(name))]
    assert not offenders, "\n".join(offenders)
    assert private_names(parsed("runtime/compat"))


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
