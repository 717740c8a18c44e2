"""Which Python a text needs that the running one cannot parse, by the grammar that it uses.

A version is named on evidence only: what is newer than the running Python is written as older Python has it, version by
version, and what then can be parsed needed just that version.  A text with an error of another kind stays an error.

    type Pair[T] = tuple[T, T]      Pair: tuple[T, T]       can be parsed: Python 3.12
    type Pair[T] = = tuple[T, T]    Pair: = tuple[T, T]     cannot: invalid syntax

So each replacement must be no more permissive than what it stands for; where it is, what is left is looked up in the
tree.  Lines stay where they are.

| since | what | written as |
|---|---|---|
| 3.11 | `except* E:` | `except E:`, if all handlers of a `try` are so |
| 3.11 | `x[*a]`, `*args: *Ts` | `x[_:=a]`, `*args: -Ts` |
| 3.12 | `type X[T] = v` | `X: v`, if that is all of it |
| 3.12, 3.13 with a default | `def f[T: int](x)`, `class C[T]` | `def f(x)`, `class C`, if each parameter is one |
| 3.12 | an f-string with its quotes, backslashes or comments in fields | `""`, if each field is an expression |
| 3.14 | `t"..."` | `()`, if each field is an expression |
| 3.14 | `except A, B:` | `except (A, B):`, unless it reads like the `except A, e:` of Python 2 |
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.source import NEWLINE, parsed
from flake8_jax.syntax.words import Odd, SourceWord, check_brackets, depths_of, words_of

PythonVersion: TypeAlias = "tuple[int, int]"

RUNNING: PythonVersion = (sys.version_info.major, sys.version_info.minor)
NEWER: Sequence[PythonVersion] = ((3, 11), (3, 12), (3, 13), (3, 14))
"""The versions with a grammar that an older supported Python cannot read."""

PYTHON_2 = compiled(r"[a-z_]\w*$")
"""How the second of two classes reads that are not in parentheses, if it is the name that Python 2 binds there."""


@dataclass(slots=True)
class Older:
    """A text as older Python has it: pieces that are replaced, by where they begin and end, and what the tree of the
    result must show of their lines.
    """

    text: str
    since: PythonVersion
    upto: PythonVersion
    pieces: list[tuple[int, int, str]] = field(default_factory=list)
    groups: set[int] = field(default_factory=set)
    aliases: set[int] = field(default_factory=set)

    def covers(self, version: PythonVersion) -> bool:
        """Is it a version whose grammar is to be replaced?"""
        return self.since < version <= self.upto

    def replace(self, begin: int, end: int, new: str) -> None:
        """Replace a piece; the lines in it are kept, as continued ones."""
        self.pieces.append((begin, end, new + " \\\n" * _lines(self.text[begin:end])))

    def line(self, place: int) -> int:
        """The line of a place."""
        return _lines(self.text[:place]) + 1

    def written(self) -> str:
        """The text with all pieces replaced; those inside another one go with it."""
        out, done = [], 0
        for begin, end, new in sorted(self.pieces, key=lambda one: (one[0], -one[1])):
            if begin >= done:
                out += [self.text[done:begin], new]
                done = end
        return "".join([*out, self.text[done:]])

    def is_what_it_stands_for(self, tree: ast.Module) -> bool:
        """Does the tree show that the replaced pieces were what they were taken for?"""
        for node in ast.walk(tree):
            if isinstance(node, ast.Try):
                found = [each.lineno in self.groups for each in node.handlers]
                if any(found) and not (all(found) and all(each.type is not None for each in node.handlers)):
                    return False
            if isinstance(node, ast.stmt) and node.lineno in self.aliases and _assigns(node):
                return False
        return True


def _assigns(node: ast.stmt) -> bool:
    """Is it `X: v = w`?"""
    return isinstance(node, ast.AnnAssign) and node.value is not None


def _lines(text: str) -> int:
    """How many lines end in a text."""
    return len(NEWLINE.findall(text))


def version_needed(text: str, running: PythonVersion = RUNNING) -> PythonVersion | None:
    """The first version after the running one that can read a text, as far as its grammar shows."""
    for version in NEWER:
        if version > running and _reads(text, running, version):
            return version
    return None


def _reads(text: str, running: PythonVersion, version: PythonVersion) -> bool:
    try:
        older = _as_older(text, running, version)
    except (Odd, RecursionError):
        return False
    tree = parsed(older.written()) if older.pieces else None
    return tree is not None and older.is_what_it_stands_for(tree)


def _as_older(text: str, since: PythonVersion, upto: PythonVersion) -> Older:
    """A text, with what is newer than one version and not newer than another written as before."""
    older, words = Older(text, since, upto), list(words_of(text))
    check_brackets(words)
    for number, (word, depth) in enumerate(zip(words, depths_of(words))):
        before = words[number - 1] if number else None
        is_first = before is None or before.kind == "line" or (before.text in (";", ":") and not depth)
        if word.kind == "string":
            _replace_string(older, word, before, words[number + 1 : number + 2])
        elif word.text == "type" and is_first:
            _replace_alias(older, words, number)
        elif word.text in ("def", "class"):
            _replace_parameters(older, words, number + 2)
        elif word.text == "except" and is_first:
            _replace_handler(older, words, number)
        elif word.text == "*" and before is not None:
            _replace_star(older, words, number)
    return older


def _replace_string(older: Older, word: SourceWord, before: SourceWord | None, after: Sequence[SourceWord]) -> None:
    """An f-string of Python 3.12, or a string of templates."""
    is_template = "t" in word.prefix
    if not is_template and "f" not in word.prefix:
        return
    if is_template:
        beside = [one for one in (before, *after) if one is not None and one.kind == "string"]
        if any("t" not in one.prefix for one in beside):
            raise Odd
        is_newer = older.covers((3, 14))
    else:
        is_newer = older.covers((3, 12)) and parsed(word.text) is None
    if not is_newer:
        return
    literal = f"{word.prefix.strip('ft')}{word.literal}"
    if parsed(literal) is None or not all(_is_expression(one, older) for one in word.fields):
        raise Odd
    inside = "\n" * _lines(word.text)
    older.pieces.append((word.begin, word.end, f"({inside})" if is_template else f'"""{inside}"""'))


def _is_expression(text: str, older: Older) -> bool:
    """Is the text of a field an expression, for a Python of the later version?"""
    if all(word.kind == "line" for word in words_of(text)):
        return False
    within = _as_older(f"({text}\n)", older.since, older.upto)
    return parsed(within.written()) is not None


def _replace_alias(older: Older, words: Sequence[SourceWord], number: int) -> None:
    """`type X = v` and `type X[T] = v`: the name, then an annotation."""
    name, behind = _at(words, number + 1), number + 2
    if name is None or name.kind != "name" or iskeyword(name.text):
        return
    parameters = _parameters(older, words, behind)
    if parameters is not None:
        behind = parameters[0] + 1
    sign = _at(words, behind)
    if sign is None or sign.text != "=":
        return
    if not older.covers(parameters[1] if parameters is not None else (3, 12)):
        return
    older.replace(words[number].begin, name.begin, "")
    older.replace(name.end, sign.end, ": ")
    older.aliases.add(older.line(name.begin))


def _replace_parameters(older: Older, words: Sequence[SourceWord], number: int) -> None:
    """`[T]` behind the name of a function or class."""
    found = _parameters(older, words, number)
    if found is not None and older.covers(found[1]):
        older.replace(words[number].begin, words[found[0]].end, " ")


def _parameters(older: Older, words: Sequence[SourceWord], number: int) -> tuple[int, PythonVersion] | None:
    """Of parameters of types that begin at a word: the word that they end with, and the version that has them."""
    first = _at(words, number)
    if first is None or first.text != "[":
        return None
    end = _closing(words, number)
    *parts, last = _parts(older.text, words, number + 1, end)
    if any(word.kind != "line" for word in words_of(last)) or not parts:  # else a comma stands behind the others
        parts.append(last)
    return end, max(_version_of(part, older) for part in parts)


def _version_of(part: str, older: Older) -> PythonVersion:
    """The version that has a parameter of types: 3.13 if it has a default."""
    words = [word for word in words_of(part) if word.kind != "line"]
    if not words or words[-1].text in ("*", "**"):
        raise Odd
    stars = words[0].text if words[0].text in ("*", "**") else ""
    name, *rest = words[1:] if stars else words
    if name.kind != "name" or iskeyword(name.text) or (rest and rest[0].text not in (":", "=")):
        raise Odd
    if any(word.text == ":=" and not depth for word, depth in zip(rest, depths_of(rest))):
        raise Odd
    default = next((word for word, depth in zip(rest, depths_of(rest)) if word.text == "=" and not depth), None)
    if rest and rest[0].text == ":":
        bound = part[rest[0].end : default.begin if default is not None else len(part)]
        if stars or not _is_expression(bound, older):
            raise Odd
    if default is None:
        return 3, 12
    value = part[default.end :].strip()
    if not _is_expression(value.removeprefix("*") if stars == "*" else value, older):
        raise Odd
    return 3, 13


def _replace_handler(older: Older, words: Sequence[SourceWord], number: int) -> None:
    """`except* E:`, and classes without parentheses."""
    star, first = _at(words, number + 1), number + 1
    if star is not None and star.text == "*":
        if older.covers((3, 11)):
            older.replace(star.begin, star.end, " ")
            older.groups.add(older.line(words[number].begin))
        first += 1
    depth, end = 0, first
    while end < len(words) and (depth or words[end].text != ":"):
        if words[end].kind == "line" and not depth:
            return
        depth += (words[end].kind == "open") - (words[end].kind == "close")
        end += 1
    classes = [part.strip() for part in _parts(older.text, words, first, end)]
    if len(classes) < 2 or not older.covers((3, 14)):
        return
    if len(classes) == 2 and PYTHON_2.match(classes[1]):
        return
    if not all(re.fullmatch(r"[\w.]+|.*[)\]]", class_, re.DOTALL) for class_ in classes if class_) or not classes[0]:
        return
    older.pieces += [(words[first].begin, words[first].begin, "("), (words[end - 1].end, words[end - 1].end, ")")]


def _replace_star(older: Older, words: Sequence[SourceWord], number: int) -> None:
    """`x[*a]` and `*args: *Ts`."""
    if not older.covers((3, 11)):
        return
    star, before = words[number], words[number - 1]
    around = _opening(words, number) if before.text in ("[", ",", ":") else None
    if around is None:
        return
    owner = _at(words, around - 1)
    if before.text == ":":
        of_arguments = [word.text for word in words[max(0, number - 4) : number]]
        is_parameter = words[around].text == "(" and "def" in [word.text for word in words[max(0, around - 2) : around]]
        if is_parameter and of_arguments[0] in ("(", ",") and of_arguments[1] == "*":
            older.pieces.append((star.begin, star.end, "-"))
    elif words[around].text == "[" and owner is not None and _is_value(owner):
        older.pieces.append((star.begin, star.end, "_:="))


def _opening(words: Sequence[SourceWord], number: int) -> int | None:
    """The bracket that a word stands in."""
    depth = 0
    for place in range(number - 1, -1, -1):
        depth += (words[place].kind == "close") - (words[place].kind == "open")
        if depth < 0:
            return place
    return None


def _is_value(word: SourceWord) -> bool:
    """Does a bracket behind a word hold an index?"""
    return word.text in (")", "]") or word.kind == "string" or (word.kind == "name" and not iskeyword(word.text))


def _at(words: Sequence[SourceWord], number: int) -> SourceWord | None:
    return words[number] if 0 <= number < len(words) else None


def _closing(words: Sequence[SourceWord], number: int) -> int:
    depth = 0
    for place in range(number, len(words)):
        depth += (words[place].kind == "open") - (words[place].kind == "close")
        if not depth:
            return place
    raise Odd


def _parts(text: str, words: Sequence[SourceWord], first: int, end: int) -> Iterator[str]:
    """The texts between the commas of some words, those inside brackets apart."""
    begin = words[first].begin if first < len(words) else len(text)
    for word, depth in zip(words[first:end], depths_of(words[first:end])):
        if word.text == "," and not depth:
            yield text[begin : word.begin]
            begin = word.end
    yield text[begin : words[end].begin if end < len(words) else len(text)]
