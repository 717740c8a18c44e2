"""Imports that give a module of JAX the usual name of the library that it is like.

import jax.numpy as np          `np` is read as NumPy
import numpy as arrays
import jax.numpy as arrays      `arrays` was NumPy before
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.diagnostic import Span
from flake8_jax.syntax.index import BRACKETS, GAP, LINE

if TYPE_CHECKING:
    from flake8_jax.syntax.source import SourceFile

LIKE = {"jax.numpy": "numpy"}
OF_JAX = "jax."
USUAL = {"numpy": frozenset(("numpy", "np", "onp"))}

RENAMED = compiled(r"numpy[\s\\]+as[\s\\]+(\w+)")
"""What an import of either library binds to another name."""
TAKING = compiled(rf"from\s+jax\s+import\b{GAP}(?:{BRACKETS}|({LINE}))")
TAKEN = compiled(r"\bnumpy\b")
"""An import that takes something from JAX, and the module among it."""


@dataclass(frozen=True, slots=True)
class NamesakeImported:
    """An import binds a `name` to a `module` though it is read as `meant`.

    `is_rebound`: another import of the same body binds the name to that one.
    """

    span: Span
    name: str
    module: str
    meant: str
    is_rebound: bool


def namesakes(source: SourceFile) -> Iterator[NamesakeImported]:
    """The imports anywhere in a file that mislead by the name that they bind."""
    for scope in ast.walk(source.tree) if _may_mislead(source.text) else ():
        body = getattr(scope, "body", None)
        if not isinstance(body, list):
            continue
        bound = [found for node in body for found in _bound(node)]
        held = {(name, module) for _, name, module in bound}
        for alias, name, module in bound:
            meant = LIKE.get(module, "")
            is_rebound = (name, meant) in held
            if meant and (is_rebound or name in USUAL[meant]):
                span = Span(alias.lineno, alias.col_offset, alias.end_lineno or alias.lineno, alias.end_col_offset or 0)
                yield NamesakeImported(span, name, module, meant, is_rebound)


def _may_mislead(text: str) -> bool:
    """May an import in a text bind a usual name to the other module, or one name twice?  The tree need not be asked of
    most texts.
    """
    renamed = [(match[1], text.endswith(OF_JAX, 0, match.start())) for match in RENAMED.finditer(text)]
    is_usual = any(is_of_jax and name in USUAL["numpy"] for name, is_of_jax in renamed)
    is_taken = any(TAKEN.search(match[0]) for match in TAKING.finditer(text))
    return is_taken or is_usual or len({name for name, _ in renamed}) < len(renamed)


def _bound(node: ast.stmt) -> Iterator[tuple[ast.alias, str, str]]:
    """What an import binds: the place, the name, the module."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        home = f"{node.module}." if isinstance(node, ast.ImportFrom) and not node.level else ""
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            is_whole = alias.asname is not None or isinstance(node, ast.ImportFrom)
            yield alias, name, f"{home}{alias.name}" if is_whole else name
