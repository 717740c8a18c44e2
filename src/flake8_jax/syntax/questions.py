"""What other files can ask of a file, as bits of a number, and whether two versions of it answer alike.

def scale(x): ...       a statement: its code            8, 32, 128 ... by its number
                        what is written there, comments and all: 16, 64, 256 ...
SIZE = 3                the head: all but the bodies of functions and classes, asked by whoever opens the file
cache[x] = scale(x)     what is changed: the names that some statement changes
                        the code: all but comments and empty lines; the text: whatever stands in it, where

Which statements hold a word is asked apart from these (`holding.py`), for its answer is none of the file's index.
"""

from __future__ import annotations

from flake8_jax.syntax.index import BODIES, Index

HEAD, CHANGED, CODE, FIRST = 1, 2, 4, 8
TEXT = -1
"""All of these, and what no other question asks: comments, lines."""


def of_statement(number: int) -> int:
    """What asks for the code of one statement."""
    return FIRST << 2 * number


def of_text(number: int) -> int:
    """What asks for the text of one statement, with its comments."""
    return FIRST << 2 * number + 1


def is_of_text(asked: int) -> bool:
    """Is a single question one for the text of a statement?"""
    return asked >= FIRST and asked.bit_length() % 2 != FIRST.bit_length() % 2


def answer_alike(asked: int, one: Index | None, other: Index | None) -> bool:
    """Do two versions of a file answer alike what was asked?  Of a text that is not known, nothing is."""
    if asked == TEXT or one is None or other is None or one.head != other.head:
        return False
    if asked & CHANGED and one.changed != other.changed:
        return False
    both = zip(one.statements, other.statements, strict=True)  # the heads have as many
    return all(
        statement.written == now.written
        or not (asked & of_text(number) or (statement.code != now.code and asked & (CODE | of_statement(number))))
        for number, (statement, now) in enumerate(both)
    )


def changed_bodies(one: Index, other: Index) -> frozenset[int] | None:
    """The functions and classes that two versions of a file have in another text, or on other lines; None if more of it
    differs than these.
    """
    if one.head != other.head:
        return None
    both = enumerate(zip(one.statements, other.statements, strict=True))
    found = [number for number, (before, now) in both if (before.line, before.written) != (now.line, now.written)]
    return frozenset(found) if all(one.statements[number].kind in BODIES for number in found) else None


def is_asked_of(asked: int, numbers: frozenset[int]) -> bool:
    """Is a single question one that some statements answer in whole or in part?"""
    if asked in (HEAD, CHANGED):
        return False
    return asked in (CODE, TEXT) or (asked.bit_length() - FIRST.bit_length()) // 2 in numbers
