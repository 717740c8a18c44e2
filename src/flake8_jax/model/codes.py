"""The codes and names of all rules, read from the names of their files: no rule is imported for them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pkgutil import iter_modules

from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.spelling import nearest

UNJUDGED, UNJUDGED_NAME = "JAX000", "analysis-gave-up"
UNUSED = "JAX002"
FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "rules")
LONGEST_FAMILY = 4

_MODULE = compiled(r"(jax\d{3})_(\w+)")


@cache
def names() -> Mapping[str, str]:
    """The name of every rule, by its code."""
    found = (_MODULE.fullmatch(module.name) for module in iter_modules([FOLDER]))
    return {UNJUDGED: UNJUDGED_NAME} | {
        match[1].upper(): match[2].replace("_", "-") for match in found if match is not None
    }


def starts_a_code(word: str) -> bool:
    """Is a word a code, or the beginning of one?"""
    return bool(word) and any(code.startswith(word) for code in names())


def code_of(word: str) -> str | None:
    """The code, or beginning of codes, that a word stands for: in small letters, too, and by the name of a rule."""
    found = next((code for code, name in names().items() if name == word.lower()), word.upper())
    return found if starts_a_code(found) else None


def nearest_code(word: str) -> str | None:
    """The code or family that a word probably means, which may be a rule's name; None if none is near."""
    codes = {name: code for code, name in names().items()}
    if word.lower() in codes:
        return codes[word.lower()]
    families = {"JAX", *(code[:4] for code in names())} if len(word) <= LONGEST_FAMILY else ()
    found = nearest(word, {*names(), *families, *codes})
    return codes.get(found, found) if found is not None else None
