"""Shrinks a mutant as long as the same problem is left: line by line, then expression by expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from tests.fuzzing.shrink import lines_shrunk
from tests.mutants.judging import judge
from tests.mutants.making import MAIN
from tests.mutants.texts import Text

Shows = Callable[[Mapping[str, str]], bool]
MOST_TRIALS = 3000
SMALLER = ("x", "0")


def shrunk(texts: Mapping[str, str], sort: str) -> dict[str, str]:
    """The smallest program found that still has a problem of a sort."""
    trials = 0

    def shows(smaller: Mapping[str, str]) -> bool:
        nonlocal trials
        trials += 1
        return trials < MOST_TRIALS and any(each.sort == sort for each in judge(smaller).problems)

    found = dict(texts)
    while True:
        smaller = found
        for name in list(smaller):
            smaller = {**smaller, name: lines_shrunk(smaller, name, shows)}
            smaller = {**smaller, name: _expressions_shrunk(smaller, name, shows)}
        smaller = {name: text for name, text in smaller.items() if name == MAIN or text.strip()}
        if smaller == found or not shows(smaller):
            return found
        found = smaller


def _expressions_shrunk(texts: Mapping[str, str], name: str, shows: Shows) -> str:
    """A file with expressions in place of those that hold them, or a plain one, the largest first."""
    found = texts[name]
    done = False
    while not done:
        done = True
        for new in _smaller(Text(found)):
            if shows({**texts, name: new}):
                found, done = new, False
                break
    return found


def _smaller(text: Text) -> list[str]:
    nodes = sorted(text.nodes(ast.expr), key=lambda node: -len(text.of(node)))
    options = []
    for node in nodes:
        parts = [text.of(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        options += [text.with_nodes([(node, new)]) for new in (*parts, *SMALLER) if len(new) < len(text.of(node))]
    return options
