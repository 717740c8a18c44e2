"""A file's syntax tree cut into its top-level statements, as the index of the file counts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from flake8_jax.syntax.index import Statement
from flake8_jax.syntax.source import SourceFile


def parted(source: SourceFile, statements: Sequence[Statement]) -> list[tuple[list[cst.CSTNode], list[Any]]]:
    """The syntax nodes of some statements, in order, with their twins."""
    nodes, twins = source.module.body, source.twin.body
    found: list[tuple[list[cst.CSTNode], list[Any]]] = [([], []) for _ in statements]
    at = number = 0
    for node in nodes:
        count = len(node.body) if isinstance(node, cst.SimpleStatementLine) else 1
        mine = twins[at : at + count]
        at += count
        while number < len(statements) and statements[number].end_line < mine[0].lineno:
            number += 1
        if number < len(statements) and statements[number].line <= mine[0].lineno:
            found[number][0].append(node)
            found[number][1].extend(mine)
    return found
