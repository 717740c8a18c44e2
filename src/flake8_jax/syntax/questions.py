"""What other files can ask of a file, as bits of a number, and whether two versions of it answer alike.

def scale(x): ...       a statement: its definition, without the bodies of functions; its code, with these; what is
                        written there, comments and all; the body of one function in it, of a class one method;
                        of a class which attributes its methods store; how long it is, about; what a function tells by
                        its summary
SIZE = 3                the head: all but the bodies of functions and classes, asked by whoever opens the file
cache[x] = scale(x)     what is changed: the names that some statement changes
                        the code: all but comments and empty lines; the text: whatever stands in it, where

Which statements hold a word is asked apart from these (`holding.py`), for its answer is none of the file's index.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.syntax.index import BODIES, Index, Statement

HEAD, CHANGED, CODE, FIRST = 1, 2, 4, 8
TEXT = -1
"""All of these, and what no other question asks: comments, lines."""

MOST_BODIES = 60
"""So many functions of a statement are told apart; who asks for one after these asks for the statement."""


def of_definition(index: Index, number: int) -> int:
    """What asks for the code of a function but its body, or of a class but the bodies of its methods."""
    return _asked_of(index, number, 0)


def of_statement(index: Index, number: int) -> int:
    """What asks for the code of one statement."""
    return _asked_of(index, number, 1)


def of_text(index: Index, number: int) -> int:
    """What asks for the text of one statement, with its comments."""
    return _asked_of(index, number, 2)


def of_stored(index: Index, number: int) -> int:
    """What asks for the attributes that the methods of a class store."""
    return _asked_of(index, number, 3)


def of_weight(index: Index, number: int) -> int:
    """What asks how much of the bound of a search for callers one statement takes."""
    return _asked_of(index, number, 4)


def of_body(index: Index, number: int, body: int) -> int:
    """What asks for the body of a function in a statement, by its number there."""
    return _asked_of(index, number, 5 + 2 * body) if body < MOST_BODIES else of_statement(index, number)


def of_told(index: Index, number: int, body: int) -> int:
    """What asks for what the function of a body tells others; no text says that, but the same body tells the same."""
    return _asked_of(index, number, 6 + 2 * body) if body < MOST_BODIES else of_statement(index, number)


def told_in(asked: int, index: Index) -> Iterator[tuple[int, int, int]]:
    """The questions for what functions tell, each with the number of its statement and of its body there."""
    many = len(index.statements)
    rest = asked >> FIRST.bit_length() - 1 + 6 * many if many else 0
    while rest > 0:
        lowest = rest & -rest
        rest ^= lowest
        layer, number = divmod(lowest.bit_length() - 1, many)
        if layer % 2 == 0:
            yield of_told(index, number, layer // 2), number, layer // 2


def told_anew(asked: int, answer: bytes, before: Index, now: Index) -> tuple[int, bytes]:
    """Of some questions for what functions tell those of functions that have another body now, with the digests that
    were their answers.  What the others tell depends on what is asked as well by whoever asks them: if all of that is
    answered as before, they tell what they told.
    """
    anew, kept = 0, list[bytes]()
    size = len(answer) // max(1, asked.bit_count())
    for place, (asking, number, body) in enumerate(told_in(asked, before)):
        one, other = before.statements[number], now.statements[number]
        if one.definition != other.definition or one.bodies[body][1] != other.bodies[body][1]:
            anew |= asking
            kept.append(answer[place * size : (place + 1) * size])
    return anew, b"".join(kept)


def weighed(asked: int, before: Index, now: Index) -> tuple[int, int]:
    """Of some questions those how much statements weigh of which the answer is another one now, and how much more that
    is; texts of which the heads differ have other statements, and are not compared.
    """
    bits = more = 0
    if before.head == now.head:
        for number, (one, other) in enumerate(zip(before.statements, now.statements, strict=True)):
            bit = of_weight(before, number)
            if asked & bit and one.weight != other.weight:
                bits |= bit
                more += other.weight - one.weight
    return bits, more


def _asked_of(index: Index, number: int, layer: int) -> int:
    """A bit for each statement, layer by layer: while the head of a file stays as it is, it has as many statements."""
    return FIRST << len(index.statements) * layer + number


def answer_alike(asked: int, one: Index | None, other: Index | None) -> bool:
    """Do two versions of a file answer alike what was asked?  Of a text that is not known, nothing is."""
    if asked == TEXT or one is None or other is None or one.head != other.head:
        return False
    if asked & CHANGED and one.changed != other.changed:
        return False
    both = enumerate(zip(one.statements, other.statements, strict=True))  # the heads have as many
    return not any(
        asked & of_text(one, number) or (statement.code != now.code and _is_affected(asked, one, number, now))
        for number, (statement, now) in both
        if statement.written != now.written
    )


def _is_affected(asked: int, index: Index, number: int, now: Statement) -> bool:
    """Was something asked of a statement, of which the code is another one now, that it answers otherwise?"""
    statement = index.statements[number]
    bodies = [of_body(index, number, body) | of_told(index, number, body) for body in range(len(statement.bodies))]
    if statement.definition == now.definition:
        both = zip(bodies, statement.bodies, now.bodies, strict=True)  # their definitions have as many
        bodies = [asking for asking, (_, body), (_, other) in both if body != other]
    else:
        bodies.append(of_definition(index, number))
    if statement.stored != now.stored:
        bodies.append(of_stored(index, number))
    if statement.weight != now.weight:
        bodies.append(of_weight(index, number))
    return bool(asked & (CODE | of_statement(index, number))) or any(asked & asking for asking in bodies)


def changed_bodies(one: Index, other: Index) -> frozenset[int] | None:
    """The functions and classes that two versions of a file have in another text, or on other lines; None if more of it
    differs than these.
    """
    if one.head != other.head:
        return None
    both = enumerate(zip(one.statements, other.statements, strict=True))
    found = [number for number, (before, now) in both if (before.line, before.written) != (now.line, now.written)]
    return frozenset(found) if all(one.statements[number].kind in BODIES for number in found) else None


def is_asked_of(asked: int, index: Index, numbers: frozenset[int]) -> bool:
    """Is a single question one that some statements answer in whole or in part?  A definition is made anew with the
    bodies of its functions.
    """
    if asked in (HEAD, CHANGED):
        return False
    return asked in (CODE, TEXT) or (asked.bit_length() - FIRST.bit_length()) % len(index.statements) in numbers
