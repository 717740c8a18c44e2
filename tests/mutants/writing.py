"""Mutations of how a program is written: its bytes, characters, tokens, names, lines and depths."""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
from random import Random

from tests.mutants.grammar import FILLERS
from tests.mutants.material import Material
from tests.mutants.texts import Text

ODD = (
    "\0", "\x0c", "\x0b", "\x1c", "\x85", "\xa0", "\xad", "\ufeff", "\u2028", "\u2029", "\u200b", "\u200e", "\u202e",
    "\u0301",
    "\U0001f600", "\U00010400", "\ufb01", "\u2163", "\uff08", "\uff0c", "\xb2", "\xe9", "\\", "\\\n", "\r", "\r\n",
    "\t", "'", '"',
    '"""', "'''", "#", "(", ")", "[", "]", "{", "}", "{{", "`", "$", "?", "!", "@", ";", ":", ":=", "->", "...", "*",
    "**",
    "\\N{DIGIT ONE}", "\\x", "\\u12", "f'", "rb'", "0x", "1_", "1e", "0777", "%s", "{}", "# type: ignore", "# noqa",
    "# jax: ignore",
)  # fmt: skip
COMMENTS = (
    "# jax: ignore", "# jax: ignore[JAX101]", "# jax: ignore[JAX101,, x]", "# noqa", "# noqa: JAX401,E501",
    "# flake8: noqa: JAX1",
    "# jax: ignore[JAX401] -- why", "# jax:ignore-file", "# fmt: off", "# type: int", "#", "#!x",
    "# \U0001f600 \u202e", "#\t\x0c",
    "# jax: ignore[all]", "# coding: latin-1", "# JAX: IGNORE [ jax-101 ]", "# jax: ignore[JAX101] # noqa: JAX101",
)  # fmt: skip
NAMES = (
    "\u03b8", "\u03c3_\u00b2".replace("\u00b2", "2"), "\ufb01", "\U0001d4cd", "\uff4a\uff41\uff58", "e\u0301", "\xe9",
    "\u4e2d", "\u212b", "\u017f",
    "_", "__", "jax", "jnp", "self", "len", "print", "match", "case", "type", "x" * 200, "\u2163", "\u1e9e", "\u0130",
    "\xaa", "key",
)  # fmt: skip
KEYWORDS = (*keyword.kwlist, *keyword.softkwlist)
WORDS = re.compile(r"[^\W\d]\w*")


def bytes_changed(text: Text, dice: Random, material: Material) -> bytes | None:
    """One to three bytes are dropped, doubled, or become others."""
    data = bytearray(text.text.encode("utf-8", "surrogatepass"))
    for _ in range(dice.randint(1, 3)):
        if not data:
            return None
        at = dice.randrange(len(data))
        data[at : at + dice.randint(0, 2)] = bytes(dice.randrange(256) for _ in range(dice.randint(0, 2)))
    return bytes(data)


def characters(text: Text, dice: Random, material: Material) -> str | None:
    """A character that few programs have is put somewhere, or some are cut out."""
    at = dice.randint(0, len(text.text))
    cut = dice.choice((0, 0, 1, dice.randint(1, 20)))
    return text.text[:at] + dice.choice((*ODD, "")) + text.text[at + cut :]


def in_strings(text: Text, dice: Random, material: Material) -> str | None:
    """A character that few programs have is put into a text or behind a line: most of it is still Python."""
    strings = [place for place, token in text.tokens if token[-1:] in "'\"" and len(token) > 1]
    if not strings:
        return None
    begin, end = dice.choice(strings)
    at = dice.randint(min(begin + 1, end - 1), end - 1)
    return text.text[:at] + dice.choice(ODD) + text.text[at:]


def tokens(text: Text, dice: Random, material: Material) -> str | None:
    """A token is dropped, doubled, swapped with another, or becomes one of another program."""
    if len(text.tokens) < 2:
        return None
    (place, token), (other, that) = dice.sample(text.tokens, 2)
    foreign = [token for _, token in Text(material.program(dice)).tokens] or [token]
    changes = (
        [(place, "")], [(place, f"{token} {token}")], [(place, that), (other, token)], [(place, dice.choice(foreign))],
    )  # fmt: skip
    return text.with_places(dice.choice(changes))


def _one_token(text: Text, dice: Random, old: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    found = [place for place, token in text.tokens if token in old]
    return text.with_places([(dice.choice(found), dice.choice(new))]) if found else None


def operators(text: Text, dice: Random, material: Material) -> str | None:
    """An operator becomes another of its sort."""
    arithmetic, comparing = tuple(FILLERS["o"]), tuple(FILLERS["q"])
    signs = tuple(f"{sign}=" for sign in arithmetic)
    sorts = [
        arithmetic,
        comparing,
        (*signs, "="),
        ("and", "or"),
        ("not", "-", "+", "~"),
        (",", ";", ":"),
        ("(", "["),
        (".", ""),
    ]
    dice.shuffle(sorts)
    return next((found for sort in sorts if (found := _one_token(text, dice, sort, sort)) is not None), None)


def keywords(text: Text, dice: Random, material: Material) -> str | None:
    """A keyword becomes another."""
    return _one_token(text, dice, KEYWORDS, KEYWORDS)


def literals(text: Text, dice: Random, material: Material) -> str | None:
    """A literal becomes another."""
    found = text.nodes(ast.Constant, ast.JoinedStr)
    return text.with_nodes([(dice.choice(found), dice.choice(FILLERS["l"]))]) if found else None


def _renamed(text: Text, old: str, new: str) -> str:
    return text.with_places((place, new) for place, token in text.tokens if token == old)


def names_beyond_ascii(text: Text, dice: Random, material: Material) -> str | None:
    """A name becomes an odd one everywhere, or here and there: with letters that Python takes to be others, say."""
    found = sorted({token for _, token in text.tokens if token.isidentifier() and not keyword.iskeyword(token)})
    if not found:
        return None
    old, new = dice.choice(found), dice.choice(NAMES)
    if dice.random() < 0.3 and old.isascii():
        # The same name to Python, spelled in letters that look mathematical.
        new = "".join(chr(0x1D41A + ord(c) - ord("a")) if c.islower() else c for c in old)
        assert unicodedata.normalize("NFKC", new) == old
        places = [place for place, token in text.tokens if token == old]
        return text.with_places((place, new) for place in dice.sample(places, dice.randint(1, len(places))))
    return _renamed(text, old, new)


def names_swapped(text: Text, dice: Random, material: Material) -> str | None:
    """A name is read or bound in place of another, once or everywhere."""
    found = text.nodes(ast.Name, ast.arg, ast.alias)
    names = sorted({WORDS.findall(text.of(node))[0] for node in found if WORDS.match(text.of(node))})
    if len(names) < 2:
        return None
    if dice.random() < 0.4:
        return _renamed(text, *dice.sample(names, 2))
    node = dice.choice(text.nodes(ast.Name) or found)
    return text.with_nodes([(node, dice.choice(names))])


def indentation(text: Text, dice: Random, material: Material) -> str | None:
    """Some lines are moved in or out, or their spaces become tabs."""
    if not text.lines:
        return None
    first = dice.randrange(len(text.lines))
    end = min(len(text.lines), first + dice.choice((1, 1, 2, 5, 100)))
    ways = (
        lambda line: f"    {line}", lambda line: line.removeprefix("    "), lambda line: line.replace("    ", "\t"),
        lambda line: f" {line}", lambda line: line.replace("    ", " "), lambda line: f"\x0c{line}", str.lstrip,
    )  # fmt: skip
    way = dice.choice(ways)
    if dice.random() < 0.5:
        first, end = 0, len(text.lines)
        way = dice.choice(ways[2:5:2])
    return text.with_lines(first, end, [way(line) for line in text.lines[first:end]])


def line_ends(text: Text, dice: Random, material: Material) -> str | None:
    """Lines end otherwise, are joined, have comments or odd blanks behind them, or the last one does not end."""
    lines = text.lines
    if not lines:
        return None
    at = dice.randrange(len(lines))
    bare = lines[at].rstrip("\r\n")
    way = dice.randrange(8)
    if way == 0:
        return text.text.replace("\n", "\r\n")
    if way == 1:
        return text.text.replace("\n", "\r")
    if way == 2:
        return "".join(line.rstrip("\r\n") + dice.choice(("\n", "\r\n", "\r")) for line in lines)
    if way == 3:
        return text.text.rstrip("\n") + dice.choice(("", "  ", "\\", "#", "\n\n\x0c\n"))
    if way == 4:
        return text.with_lines(at, at + 1, [f"{bare}  {dice.choice(COMMENTS)}"])
    if way == 5:
        return text.with_lines(at, at, [dice.choice(COMMENTS), dice.choice(("", "\x0c", "   ", "\t"))])
    if way == 6:
        return text.with_lines(
            at, at + 1, [dice.choice((f"{bare};", f"{bare}; pass", f"{bare}\t ; x = 1 ;", f"\x0c{bare}"))]
        )
    return _broken(text, dice)


def _broken(text: Text, dice: Random) -> str | None:
    """A line is broken before a token, with or without a backslash."""
    if not text.tokens:
        return None
    (at, _), _ = dice.choice(text.tokens)
    return text.text[:at] + dice.choice(("\\\n", "\\\n", "\n", "  # why\n", "\\\r\n    ")) + text.text[at:]
