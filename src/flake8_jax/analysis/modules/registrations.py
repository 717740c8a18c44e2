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
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.modules.callers import MAXIMUM_FILES
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.questions import CODE

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.ir import ops

REGISTERS = compiled(r"\bregister_(?:pytree_\w+|dataclass|static)\b")
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


def is_named(function: ops.Function, own: str, search: Search | None) -> bool:
    """Is a function named beside its `def`, in its own text or in a file that imports it?  So it may be if not all of
    these files are known, and one that Python or a test runner calls by itself.
    """
    if function.name.startswith(("__", "test")):
        return True
    name = re.compile(rf"\b{function.name}\b")
    texts = importing_texts(search, function.anchor.origin.path) if search is not None else ()
    return len(name.findall(own)) > 1 or any(text is None or name.search(text) is not None for text, _ in texts)


def importing_texts(search: Search, home: str) -> Iterator[tuple[str | None, bool]]:
    """The texts of the files that import one, and whether they do so directly; None where not all of them are known."""
    if search.project.is_truncated:
        yield None, True
    waiting, seen = [home], {home}
    while waiting:
        imported = waiting.pop()
        for path in search.importers_of(imported):
            if path in seen:
                continue
            if len(seen) > MAXIMUM_FILES:
                yield None, False
                return
            seen.add(path)
            search.looked.add(path)
            search.home.linked.program.note(path, CODE)
            yield search.project.text(path) or "", imported == home
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
