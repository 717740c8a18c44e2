"""Loads a case of a fixture as a module of its own, fresh for every run.  It holds what the case reaches, and nothing
else.

    import equinox as eqx        left out: `doubled` does not reach it
    SCALE = 2.0                  kept
    def other(): ...             left out
    def doubled(): ...           kept, on its own line

So a run sees no state that another run has left, a case needs only the libraries that it names, and a large fixture
costs no more than a small one.  Lines, and so tracebacks, are those of the file.  A *repair* replaces marked lines by
the lines of the good twin, so that the hazard on the next marked line can be reached.
"""

from __future__ import annotations

import ast
import copy
import importlib
import itertools
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType

from flake8_jax.runtime.claims import Case, Fixture
from flake8_jax.runtime.slicing import DEFINES, kept

TreeEdit = Callable[[ast.Module], ast.Module]

_numbers = itertools.count()


class Missing(Exception):
    """A library that the case needs is not installed; the message names it."""


def compiled(fixture: Fixture, case: Case, edit: TreeEdit | None = None) -> CodeType:
    """The compiled module with a case and the definitions it reaches, after an optional edit of its tree."""
    tree = slice_of(fixture, case)
    if edit is not None:
        tree = ast.fix_missing_locations(edit(tree))
    if sys.version_info < (3, 11):
        _move_decorated(tree)
    return compile(tree, str(fixture.path), "exec", dont_inherit=True)


def slice_of(fixture: Fixture, case: Case) -> ast.Module:
    """A fresh syntax tree of the definitions that the case reaches, free to be edited."""
    return copy.deepcopy(_slice(fixture, case))


def walked(fixture: Fixture, case: Case) -> Iterator[ast.AST]:
    """The nodes of what a case reaches."""
    return ast.walk(_slice(fixture, case))


@lru_cache(maxsize=64)
def _slice(fixture: Fixture, case: Case) -> ast.Module:
    return sliced(ast.Module(list(_whole(fixture).body), []), case)


@lru_cache(maxsize=8)
def _whole(fixture: Fixture) -> ast.Module:
    """The file's tree, read once; nobody edits it."""
    return fixture.tree()


def _move_decorated(tree: ast.Module) -> None:
    """Let decorators be called on the first one's line, as they are on their own lines in a later Python."""
    for node in ast.walk(tree):
        if isinstance(node, DEFINES) and node.decorator_list:
            node.lineno = node.decorator_list[0].lineno


def load(code: CodeType, given: dict[str, object] | None = None) -> ModuleType:
    """Execute a module's code under a fresh name, with some names predefined; exceptions pass through."""
    module = ModuleType(f"fixture_{next(_numbers)}")
    module.__file__ = code.co_filename
    module.__dict__.update(given or {})
    sys.modules[module.__name__] = module
    exec(code, module.__dict__)
    return module


def unload(module: ModuleType) -> None:
    """Remove a module that `load` made."""
    sys.modules.pop(module.__name__, None)


def function(module: ModuleType, case: Case) -> FunctionType:
    """The case's function in its loaded module."""
    found = module.__dict__[case.name]
    assert isinstance(found, FunctionType)
    return found


def import_libraries(fixture: Fixture, case: Case) -> None:
    """Import what a case imports, before anything is recorded; raises `Missing`."""
    for node in walked(fixture, case):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            _import(name, isinstance(node, ast.ImportFrom) and name != getattr(node, "module", None))


def _import(name: str, may_be_attribute: bool) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        root = name.split(".")[0]
        if not may_be_attribute and (error.name or "").split(".")[0] == root != "jax":
            raise Missing(root) from error
    except Exception:  # the case will meet it again, where it can be judged
        pass


def sliced(tree: ast.Module, case: Case) -> ast.Module:
    """Remove the definitions that the case does not reach."""
    tree.body = kept(tree, case.name)
    return tree
