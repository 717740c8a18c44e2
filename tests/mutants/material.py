"""Small programs, cut out of files: their imports and some statements that stand together."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from math import sqrt
from pathlib import Path
from random import Random

from flake8_jax.syntax.source import Unreadable, decode, names_jax, parsed
from tests.mutants.texts import LINE, ended

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "fixtures", ROOT / "examples")
MOST_LINES = 40
"""Statements are taken until there are so many lines; one statement may have twice as many."""


class Material:
    """Files to cut programs out of, read as they are drawn: the larger the more often."""

    def __init__(self, folders: Iterable[Path] = FOLDERS) -> None:
        self._paths = sorted(path for folder in folders for path in folder.rglob("*.py") if path.is_file())
        self._weights = list(accumulate(sqrt(path.stat().st_size) for path in self._paths))

    def program(self, dice: Random) -> str:
        """The imports of a file with one to many of its statements."""
        while True:
            cut = _cut(dice.choices(self._paths, cum_weights=self._weights)[0])
            if cut is not None:
                break
        imports, statements = cut
        if not names_jax(imports):
            imports += "import jax\n"  # a file that does not name JAX is not looked at
        if not statements:
            return imports
        start = end = dice.randrange(len(statements))
        most = dice.randint(1, MOST_LINES)
        while end < len(statements) and sum(text.count("\n") for text in statements[start : end + 1]) <= most:
            end += 1
        return imports + "\n".join(statements[start : max(end, start + 1)])


@cache
def _cut(path: Path) -> tuple[str, list[str]] | None:
    """A file's imports, and its other statements that are not too long; None if it cannot be parsed."""
    try:
        text = decode(path.read_bytes())
    except (OSError, Unreadable):
        return None
    tree = parsed(text)
    if tree is None:
        return None
    lines = LINE.findall(text)
    imports, statements = "", []
    for node in tree.body:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        piece = "".join(map(ended, lines[first - 1 : node.end_lineno]))
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports += piece
        elif piece.count("\n") <= 2 * MOST_LINES:
            statements.append(piece)
    return imports, statements
