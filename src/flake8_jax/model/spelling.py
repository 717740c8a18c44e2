"""The nearest right spelling of a word that is not known, for errors."""

from __future__ import annotations

import os
from collections.abc import Iterable

SEVERAL = 10
ALIKE = 0.6
"""How much of two words must agree for one to be a misspelling of the other."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like another; None if none is.

    Of words that are alike, one with the same beginning is best, then one with most letters in the same places, then
    the first by name.
    """
    from difflib import get_close_matches

    spelt = {each.lower(): each for each in known}
    found = get_close_matches(word.lower(), sorted(spelt), SEVERAL, ALIKE)
    return spelt[max(sorted(found), key=lambda each: _alike(each, word.lower()))] if found else None


def _alike(one: str, other: str) -> tuple[int, int]:
    """With how many equal letters two words begin, and how many they have in the same places."""
    same = [a == b for a, b in zip(one, other)]
    return same.index(False) if False in same else len(same), sum(same)


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of an error about a word: the nearest known one, else all of them."""
    words = sorted(known)
    found = nearest(word, words)
    return f"did you mean {found}?" if found is not None else f"there are {', '.join(words)}"


def nearest_path(path: str) -> str | None:
    """The existing path that is most like one that does not exist: its first missing part is exchanged."""
    head, tail = os.path.split(path.rstrip(os.sep))
    missing = tail
    while head and not os.path.isdir(head):
        head, missing = os.path.split(head)
    try:
        found = nearest(missing, os.listdir(head or "."))
    except OSError:
        return None
    return os.path.join(head, found) if found is not None else None
