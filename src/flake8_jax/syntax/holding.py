"""In which statements of a file words stand: a question that is answered by their numbers, and asks for no more code.

def fill(): TABLE["a"] = relu     0     TABLE: 0 and 2, of which 0 has the pattern of what fills a table
def relu(x): ...                  1     relu: 0 and 1
def show(): return TABLE          2

A line that is added to a body changes no answer unless it holds one of the words.  Where no pattern is asked for, it is
told in which function of a statement they stand, for a search runs the methods of a class that name what it looks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from marshal import dumps
from sys import intern
from typing import TypeAlias

from flake8_jax.digests import blake2b
from flake8_jax.syntax.code import code_of
from flake8_jax.syntax.index import ASCII_WORD, DIGEST, WORD, Index
from flake8_jax.syntax.source import SourceFile

SoughtWords: TypeAlias = "tuple[str, frozenset[str]]"
"""What is looked for: statements with one of some words, whose code has a pattern; an empty one all has."""


class Holding:
    """The statements of a text by the words in their code, which stand on `lines` without comments.

    Words are counted by parts of statements: what stands above the first function in one, and each function with what
    follows it.  The lines are asked for again where a pattern is looked for: not all of them need to be kept for that.
    """

    __slots__ = ("_found", "_index", "_lines", "_parts", "_words")

    def __init__(self, index: Index, lines_of_text: Callable[[], Sequence[str]]) -> None:
        self._index = index
        self._lines = lines_of_text
        lines = lines_of_text()
        self._words: dict[str, int] = {}
        self._parts: list[tuple[int, int]] = []
        self._found: dict[tuple[frozenset[str], str], list[int]] = {}
        for number, statement in enumerate(index.statements):
            above = statement.line - 1
            ends = above, *(above + below for below, _ in statement.bodies), statement.end_line
            for part, (first, last) in enumerate(pairwise(ends)):
                bit = 1 << len(self._parts)
                self._parts.append((number, part))
                for word in words_in("\n".join(lines[first:last])):
                    self._words[word] = self._words.get(word, 0) | bit

    def numbers(self, words: Collection[str], pattern: str = "") -> list[int]:
        """The statements that hold one of the words, in order, and have the pattern."""
        key = frozenset(self._words.keys() & words), pattern
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._numbers_of(key[0], pattern)
        return found

    def parts(self, words: Collection[str]) -> Iterator[tuple[int, int | None]]:
        """The parts that hold one of the words: the statement and the function in it, None for what is above all."""
        bits = 0
        for word in self._words.keys() & words:
            bits |= self._words[word]
        for number, part in map(self._parts.__getitem__, _ones(bits)):
            yield number, part - 1 if part else None

    def _numbers_of(self, words: frozenset[str], pattern: str) -> list[int]:
        bits = 0
        for word in words:
            bits |= self._words[word]
        found = self._statements(bits)
        return [number for number in found if self._has(number, pattern)] if pattern else found

    def answer(self, sought: Iterable[SoughtWords]) -> bytes:
        """A digest of which parts hold each of the words; where there is a pattern, which statements that have it."""
        rows = list[tuple[str, str, list[int] | list[tuple[int, int]]]]()
        for pattern, words in sought:
            for word in sorted(self._words.keys() & words):
                bits = self._words[word]
                if not pattern:
                    rows.append((pattern, word, [self._parts[part] for part in _ones(bits)]))
                elif having := [number for number in self._statements(bits) if self._has(number, pattern)]:
                    rows.append((pattern, word, having))
        return blake2b(dumps(rows, 2), digest_size=DIGEST).digest()

    def _statements(self, bits: int) -> list[int]:
        """The statements of some parts, in order."""
        return list(dict.fromkeys(self._parts[part][0] for part in _ones(bits)))

    def _has(self, number: int, pattern: str) -> bool:
        return re.search(pattern, self._index.statements[number].text(self._lines())) is not None


def holding_of(text: str, index: Index) -> Holding:
    """The statements of a text with an index."""
    source = SourceFile(index.path, code_of(text).text)
    return Holding(index, lambda: source.lines)


def words_in(text: str) -> frozenset[str]:
    """The words of a text, interned."""
    return frozenset(map(intern, (ASCII_WORD if text.isascii() else WORD).findall(text)))


def _ones(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
