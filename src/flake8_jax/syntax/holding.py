"""In which statements of a file words stand: a question that is answered by their numbers, and asks for no more code.

def fill(): TABLE["a"] = relu     0     TABLE: 0 and 2, of which 0 has the pattern of what fills a table
def relu(x): ...                  1     relu: 0 and 1
def show(): return TABLE          2

A line that is added to a body changes no answer unless it holds one of the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import blake2b
from marshal import dumps
from sys import intern
from typing import TypeAlias

from flake8_jax.syntax.code import code_of
from flake8_jax.syntax.index import ASCII_WORD, DIGEST, WORD, Index
from flake8_jax.syntax.source import SourceFile

SoughtWords: TypeAlias = "tuple[str, frozenset[str]]"
"""What is looked for: statements with one of some words, whose code has a pattern; an empty one all has."""


class Holding:
    """The statements of a text by the words in their code."""

    __slots__ = ("_code_of", "_found", "_words")

    def __init__(self, number: int, code_of_statement: Callable[[int], str]) -> None:
        self._code_of = code_of_statement
        self._words: dict[str, int] = {}
        self._found: dict[tuple[frozenset[str], str], list[int]] = {}
        for each in range(number):
            for word in words_in(code_of_statement(each)):
                self._words[word] = self._words.get(word, 0) | 1 << each

    def numbers(self, words: Collection[str], pattern: str = "") -> list[int]:
        """The statements that hold one of the words, in order, and have the pattern."""
        key = frozenset(words), pattern
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._numbers_of(key[0], pattern)
        return found

    def _numbers_of(self, words: frozenset[str], pattern: str) -> list[int]:
        bits = 0
        for word in self._words.keys() & words:
            bits |= self._words[word]
        found = list(_numbers(bits))
        return [number for number in found if self._has(number, pattern)] if pattern else found

    def answer(self, sought: Iterable[SoughtWords]) -> bytes:
        """A digest of which statements hold each of the words, and have the pattern."""
        rows = list[tuple[str, str, int]]()
        for pattern, words in sought:
            for word in sorted(self._words.keys() & words):
                bits = self._words[word]
                if pattern:
                    bits = sum(1 << number for number in _numbers(bits) if self._has(number, pattern))
                rows += [(pattern, word, bits)] if bits else []
        return blake2b(dumps(rows, 2), digest_size=DIGEST).digest()

    def _has(self, number: int, pattern: str) -> bool:
        return re.search(pattern, self._code_of(number)) is not None


def holding_of(text: str, index: Index) -> Holding:
    """The statements of a text with an index."""
    code = code_of(text)
    lines = SourceFile(index.path, code.text).lines
    return Holding(len(index.statements), lambda number: index.statements[number].text(lines))


def words_in(text: str) -> frozenset[str]:
    """The words of a text, interned."""
    return frozenset(map(intern, (ASCII_WORD if text.isascii() else WORD).findall(text)))


def _numbers(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
