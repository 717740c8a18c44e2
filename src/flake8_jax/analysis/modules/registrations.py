"""Registrations of classes as pytrees in files that import theirs.

    models.py (judged)                      trees.py
    class Model:                            from models import Model
        @jax.jit                            jax.tree_util.register_static(Model)
        def apply(self, x): ...             `Model` is a pytree, whichever file runs first

What these files run is not asked: one that names the class, and a function that registers, may register it; so may one
that hands the class to a function.  Files that import a package get the class from files that import its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.modules.callers import MAXIMUM_FILES
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.questions import CODE

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.ir import ops

REGISTERS = compiled(r"\bregister_(?:pytree_\w+|dataclass|static)\b")
WORD = compiled(r"\w+")
RULES = compiled(r"\bdef[vj][vj]ps?\b")
ASKING = frozenset(("cast", "isinstance", "issubclass", "super"))
"""Functions that take a class and leave it alone."""


def may_be_registered_elsewhere(owner: ops.Function, search: Search | None, by: re.Pattern[str] = REGISTERS) -> bool:
    """May a file that imports the one of a class register it, or state the rule of a function?

    So it may if not all of these files are known.
    """
    if search is None:
        return False
    texts = importing_texts(search, owner.anchor.origin.path)
    return any(text is None or _may_register(text, owner.name, is_near, by) for text, is_near in texts)


def named(functions: Collection[ops.Function], own: str, search: Search | None) -> set[ops.Function]:
    """The functions of a file that are named beside their `def`, in its own text or in a file that imports it.

    So they may be if not all of these files are known, and Python or a test runner calls some by itself.  Of a class
    that nobody names either, such as one that is still written, nothing is told.
    """
    if not functions:
        return set()
    words = Counter(WORD.findall(own))
    home = next(iter(functions)).anchor.origin.path
    for text, _ in importing_texts(search, home) if search is not None else ():
        if text is None:
            return {*functions}
        words.update(WORD.findall(text))
    return {
        one for one in functions
        if one.name.startswith(("__", "test")) or words[one.name] > 1 or _is_unused(one, words)
    }  # fmt: skip


def _is_unused(function: ops.Function, words: Counter[str]) -> bool:
    """Is it a method of a class that nobody names beside its `class`?"""
    _, _, owner = function.qualname.rpartition(".")[0].rpartition(".")
    return bool(owner) and words[owner] < 2


def importing_texts(search: Search, home: str) -> Iterator[tuple[str | None, bool]]:
    """The texts of the files that import one, and whether they do so directly; None where not all of them are known."""
    direct = {*search.importers_of(home)}
    for path in importing_files(search, home):
        yield (search.project.text(path) or "" if path is not None else None), path is None or path in direct


def importing_files(search: Search, home: str) -> Iterator[str | None]:
    """The files that import one, through however many others; None where not all of them are known."""
    if search.project.is_truncated:
        yield None
    waiting, seen = [home], {home}
    while waiting:
        for path in search.importers_of(waiting.pop()):
            if path in seen:
                continue
            if len(seen) > MAXIMUM_FILES:
                yield None
                return
            seen.add(path)
            search.looked.add(path)
            search.home.linked.program.note(path, CODE)
            yield path
            waiting.append(path)


def _may_register(text: str, name: str, is_near: bool, by: re.Pattern[str]) -> bool:
    """May a file register a class?  One that imports the class's file may do so without naming it: `vars(models)`."""
    if by.search(text) is not None and (is_near or re.search(rf"\b{name}\b", text) is not None):
        return True
    if by is RULES:
        return False
    names = "|".join((name, *re.findall(rf"\b{name} as (\w+)", text)))
    handed = re.finditer(rf"\b(?<!class )(\w+)\((?:[^()]*,)?\s*(?:\w+\.)*(?:{names})\s*[,)]", text)
    return any(call.group(1) not in ASKING for call in handed)
