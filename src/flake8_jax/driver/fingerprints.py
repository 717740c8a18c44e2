"""What a finding is recognised by after lines have moved and files have new names.

A fingerprint is of the code, the qualified name of the enclosing function or class, the statement, and how many
findings before it in the file are alike.  The path, the line and the layout are left out:

    class Model:                              code        JAX101
        def sample(self, key):                name        Model.sample
            return normal( key, (3,) )        statement   return normal(key, (3,)), as a tree
"""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from flake8_jax.digests import blake2b
from flake8_jax.driver.sources import Sources
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep

SIZE = 16
"""How many bytes of a digest tell findings apart."""

LONGEST = 120
"""How many characters of a statement are shown."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))
_NO_MATTER = frozenset(("ctx", "kind", "type_comment", "type_ignores"))


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A finding as it is recognised: `digest` is compared, the rest is for people."""

    digest: str
    code: str
    path: str
    function: str
    statement: str


def fingerprints(diagnostics: Iterable[Diagnostic], sources: Sources) -> list[Fingerprint]:
    """The fingerprint of each of some findings, which are sorted."""
    surroundings: dict[str, Surroundings] = {}
    seen: Counter[tuple[str, str, str, str]] = Counter()
    made: list[Fingerprint] = []
    for found in diagnostics:
        if found.path not in surroundings:
            surroundings[found.path] = Surroundings(sources.get(found.path))
        function, key, shown = surroundings[found.path].of(found)
        alike = (found.path, found.code, function, key)
        parts = (found.code, function, key, str(seen[alike]))
        seen[alike] += 1
        digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=SIZE).hexdigest()
        made.append(Fingerprint(digest, found.code, found.path, function, shown))
    return made


class Surroundings:
    """The statements of a file, to find the one around a finding, and the function or class around that."""

    __slots__ = ("_source", "_statements")

    def __init__(self, source: SourceFile | None) -> None:
        self._source = source
        self._statements: list[tuple[ast.stmt, str]] = []
        try:
            tree = source.tree if source is not None else None
        except (NotPython, TooDeep):
            tree = None
        if tree is not None:
            self._statements = list(_statements(tree.body))

    def of(self, found: Diagnostic) -> tuple[str, str, str]:
        """The qualified name around a finding, its statement as a tree, and as it is shown."""
        if found.code == UNJUDGED:  # only its file tells it from others
            return "", f"{os.path.basename(found.path)}: {found.message}", found.message
        if self._source is None:
            return "", found.message, found.message
        statement, function = self._around(found.span)
        if statement is None or found.span.line > _end_of_head(statement):  # a comment, or the head of a part
            if isinstance(statement, _SCOPES):
                function = _joined(function, statement.name)
            key = text = " ".join(self._source.cut(found.span).split())
        else:
            lines = self._source.lines[_first_line(statement) - 1 : _end_of_head(statement)]
            text = " ".join("\n".join(lines).split())
            key = _key(statement, text)
        return function, key, text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."

    def _around(self, span: Span) -> tuple[ast.stmt | None, str]:
        """The innermost statement around the start of a finding, and the qualified name around that."""
        assert self._source is not None
        lines = self._source.lines
        before = lines[span.line - 1][: span.column] if span.line <= len(lines) else ""
        start = span.line, len(before.encode("utf-8", "surrogatepass"))  # Python's tree counts bytes
        found: tuple[ast.stmt | None, str] = None, ""
        for statement, function in self._statements:
            first, last = _first_line(statement), statement.end_lineno or statement.lineno
            column = statement.col_offset if first == statement.lineno else 0
            if (first, column) <= start < (last, statement.end_col_offset or 0):
                found = statement, function  # the last is the innermost
        return found


def _statements(body: Sequence[ast.stmt], around: str = "") -> Iterator[tuple[ast.stmt, str]]:
    """Every statement with the qualified name around it, outer before inner."""
    waiting: list[tuple[ast.stmt, str]] = [(each, around) for each in reversed(body)]
    while waiting:
        statement, function = waiting.pop()
        yield statement, function
        inner = _joined(function, statement.name) if isinstance(statement, _SCOPES) else function
        waiting += [(each, inner) for each in reversed(list(_inside(statement)))]


def _inside(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements of the blocks of a statement."""
    for name in node._fields:
        for each in getattr(node, name) if name in _BLOCKS else ():
            if isinstance(each, ast.stmt):
                yield each
            else:
                yield from _inside(each)


def _first_line(statement: ast.stmt) -> int:
    """The first line of a statement, with its decorators."""
    decorators = statement.decorator_list if isinstance(statement, _SCOPES) else ()
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _joined(function: str, name: str) -> str:
    return f"{function}.{name}" if function else name


def _end_of_head(statement: ast.stmt) -> int:
    """The last line of a statement, without its blocks."""
    first = next(_inside(statement), None)
    if first is None:
        return statement.end_lineno or statement.lineno
    return max(statement.lineno, _first_line(first) - 1)


def _key(statement: ast.stmt, text: str) -> str:
    """What a statement is compared by."""
    try:
        return "".join(_dumped(statement))
    except RecursionError:
        return text


def _dumped(node: object) -> Iterator[str]:
    """A tree as text, the same under every Python: without blocks, positions and what is empty."""
    if isinstance(node, ast.AST):
        yield f"{type(node).__name__}("
        for name in node._fields:
            value = getattr(node, name, None)
            if name in _NO_MATTER or value is None or value == []:
                continue
            if isinstance(node, (ast.stmt, ast.excepthandler)) and name in _BLOCKS:
                continue
            yield f"{name}="
            yield from _dumped(value)
        yield ")"
    elif isinstance(node, list):
        yield "["
        for each in node:
            yield from _dumped(each)
            yield ","
        yield "]"
    else:
        yield repr(node)
