"""A text cut into words, strings and brackets by the rules of the newest Python, whichever Python runs.

An f-string may hold its own quotes, lines and comments in its fields:

    f"{a["b"]}" + c     the string `f"{a["b"]}"` with the field `a["b"]`, the sign `+`, the name `c`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

WordKind: TypeAlias = Literal["name", "number", "string", "sign", "open", "close", "line"]

WORD = compiled(
    r"(?P<space>[ \t\f]+|\\(?:\r\n|\r|\n)|#[^\r\n]*)|(?P<line>\r\n|\r|\n)"
    r"|(?P<quote>(?:[rR]?[bB]|[bB]?[rR]|[uU]|[rR]?[fFtT]|[fFtT]?[rR])?(?:'''|\"\"\"|'|\"))"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\.?\d[\w.]*)|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<sign>->|:=|==|!=|<=|>=|\*\*=?|//=?|<<=?|>>=?|[-+*/%@&|^]=|\.\.\.|[-+*/%@&|^~<>=.,:;!])"
)
CLOSES = {"(": ")", "[": "]", "{": "}"}


class Odd(Exception):
    """The text cannot be cut into words, or holds what no Python has."""


@dataclass(frozen=True, slots=True)
class SourceWord:
    """A piece of a text: where it begins and ends.

    Of a string with fields, their texts, and the string without them and without its prefix.
    """

    kind: WordKind
    begin: int
    end: int
    text: str
    fields: tuple[str, ...] = ()
    literal: str = ""

    @property
    def prefix(self) -> str:
        """The letters before the quotes of a string, in lower case."""
        return re.split("['\"]", self.text, maxsplit=1)[0].lower() if self.kind == "string" else ""


def words_of(text: str) -> Iterator[SourceWord]:
    """The words of a text, without space and comments; lines inside brackets end no statement, and are left out.

    Raises `Odd`.
    """
    place = depth = 0
    while place < len(text):
        word, end = _word(text, place)
        if word is not None:
            depth += (word.kind == "open") - (word.kind == "close")
            if word.kind != "line" or depth <= 0:
                yield word
        place = end


def _word(text: str, place: int) -> tuple[SourceWord | None, int]:
    """The word at a place, None for space, and where it ends."""
    match = WORD.match(text, place)
    if match is None:
        raise Odd
    if match["space"] is not None:
        return None, match.end()
    if match["quote"] is None:
        kind: WordKind = (
            "line" if match["line"] else "name" if match["name"] else "number" if match["number"]
            else "open" if match["open"] else "close" if match["close"] else "sign"
        )  # fmt: skip
        return SourceWord(kind, place, match.end(), match[0]), match.end()
    prefix, quote = re.split("(?=['\"])", match[0], maxsplit=1)
    has_fields = not {"f", "t"}.isdisjoint(prefix.lower())
    if not has_fields:
        end = _plain_string(text, match.end(), quote)
        return SourceWord("string", place, end, text[place:end]), end
    fields: list[str] = []
    end, literal = _string(text, match.end(), quote, "r" in prefix.lower(), fields)
    return SourceWord("string", place, end, text[place:end], tuple(fields), f"{quote}{literal}{quote}"), end


def _plain_string(text: str, place: int, quote: str) -> int:
    """Where a string ends whose content begins at a place."""
    while not text.startswith(quote, place):
        if place >= len(text) or (len(quote) == 1 and text[place] in "\r\n"):
            raise Odd
        place += (3 if text.startswith("\\\r\n", place) else 2) if text[place] == "\\" else 1
    return place + len(quote)


def _string(text: str, place: int, quote: str, is_raw: bool, fields: list[str]) -> tuple[int, str]:
    """Where a string with fields ends whose content begins at a place, and what it holds beside them."""
    literal = ""
    while not text.startswith(quote, place):
        if place >= len(text) or (len(quote) == 1 and text[place] in "\r\n"):
            raise Odd
        begin = place
        if text[place] == "{" and not text.startswith("{{", place):
            place = _field(text, place + 1, quote, is_raw, fields)
            continue
        if text[place] == "\\":
            place = _escape(text, place, is_raw)
        elif text[place] in "{}":
            if text[place] * 2 != text[place : place + 2]:
                raise Odd
            place += 2
        else:
            place += 1
        literal += text[begin:place]
    return place + len(quote), literal


def _escape(text: str, place: int, is_raw: bool) -> int:
    if text.startswith("\\N{", place) and not is_raw:
        end = text.find("}", place)
        if end < 0:
            raise Odd
        return end + 1
    return place + (1 if text.startswith(("\\{", "\\}"), place) else 3 if text.startswith("\\\r\n", place) else 2)


def _field(text: str, place: int, quote: str, is_raw: bool, fields: list[str]) -> int:
    """Where a field ends whose expression begins at a place, the closing brace included."""
    begin, depth, end = place, 0, -1
    last = ""
    while end < 0:
        if place >= len(text):
            raise Odd
        if depth == 0 and text[place] in "!:}" and not text.startswith("!=", place):
            end = place
            break
        word, place = _word(text, place)
        if word is not None:
            depth += (word.kind == "open") - (word.kind == "close")
            last = word.text if word.kind != "line" else last
            if depth < 0:
                raise Odd
    expression = text[begin:end]
    fields.append(expression.rstrip()[:-1] if last == "=" else expression)
    if not fields[-1].strip():
        raise Odd
    return _behind(text, end, quote, is_raw, fields)


def _behind(text: str, place: int, quote: str, is_raw: bool, fields: list[str]) -> int:
    """Where a field ends of which only the conversion and the format are left."""
    if text[place] == "!":
        conversion = re.compile(r"![ \t]*[rsa][ \t]*(?=[:}])").match(text, place)
        if conversion is None:
            raise Odd
        place = conversion.end()
    if text[place] == "}":
        return place + 1
    place += 1
    while not text.startswith("}", place):
        if place >= len(text) or text.startswith(quote, place) or (len(quote) == 1 and text[place] in "\r\n"):
            raise Odd
        if text[place] == "{":
            place = _field(text, place + 1, quote, is_raw, fields)
        else:
            place = _escape(text, place, is_raw) if text[place] == "\\" else place + 1
    return place + 1


def depths_of(words: Sequence[SourceWord]) -> list[int]:
    """In how many brackets each word stands; a closing one counts itself out."""
    found, depth = [], 0
    for word in words:
        depth += (word.kind == "open") - (word.kind == "close")
        found.append(depth)
    return found


def check_brackets(words: Sequence[SourceWord]) -> None:
    """Raise `Odd` if a bracket is not closed, or closed by another kind."""
    waiting: list[str] = []
    for word in words:
        if word.kind == "open":
            waiting.append(CLOSES[word.text])
        elif word.kind == "close" and (not waiting or waiting.pop() != word.text):
            raise Odd
    if waiting:
        raise Odd
