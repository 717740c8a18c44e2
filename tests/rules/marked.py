"""Programs whose offending lines stay marked while the program is rewritten.

A mark is a comment `# JAX101`, or an expectation, at the end of a line.  In the tree it is a statement of its own, a
string: before a simple statement ("below"), or first in the body of a header ("above"), so that it moves with what
it marks.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from typing import Any

COMMENT = re.compile(r"# (JAX\d{3})(?:$|:| \S+:)")
MARK = re.compile(r"@(above|below) (JAX\d{3})")


def parse(text: str) -> ast.Module:
    """The tree of a text, with its marks in it."""
    tree = ast.parse(text)
    tree.body = _with_marks(tree.body, _marks_of(text))
    return tree


@cache
def _marks_of(text: str) -> dict[int, str]:
    """The code that marks each marked line of a text."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {token.start[0]: COMMENT.match(token.string) for token in tokens if token.type == tokenize.COMMENT}
    return {line: found[1] for line, found in comments.items() if found}


def show(tree: ast.Module) -> tuple[str, dict[int, str]]:
    """The text of a tree without its marks, and the code that marks each marked line."""
    lines: list[str] = []
    marks: dict[int, str] = {}
    below = ""
    for text in ast.unparse(tree).splitlines():
        found = MARK.search(text)
        if found is None:
            lines.append(text)
            if below:
                marks[len(lines)] = below
            below = ""
        elif found[1] == "below":
            below = found[2]
        else:
            line = len(lines)
            marks[line] = found[2]
            while line > 1 and lines[line - 2].lstrip().startswith("@"):
                line -= 1
                marks[line] = found[2]
    return "\n".join(lines) + "\n", marks


def mark(side: str, code: str) -> ast.Expr:
    """The statement that is a mark."""
    return ast.Expr(ast.Constant(f"@{side} {code}"))


def code_of(statement: ast.AST) -> str | None:
    """The code, if the statement is a mark."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        found = MARK.fullmatch(str(statement.value.value))
        return found[2] if found else None
    return None


def codes_in(node: ast.AST) -> list[str]:
    """The codes of the marks below a node."""
    return [code for inner in ast.walk(node) if (code := code_of(inner))]


def _with_marks(body: list[ast.stmt], marks: dict[int, str]) -> list[ast.stmt]:
    marked: list[ast.stmt] = []
    for statement in body:
        headers = _headers(statement)
        if not headers:
            code = _code(marks, statement.lineno, statement.end_lineno or statement.lineno)
            marked += [mark("below", code)] if code else []
        for header, line in headers:
            code = _code(marks, line, _start(header.body[0]) - 1)
            above: list[ast.stmt] = [mark("above", code)] if code else []
            header.body = above + _with_marks(header.body, marks)
        for name in ("orelse", "finalbody"):
            if getattr(statement, name, None):
                setattr(statement, name, _with_marks(getattr(statement, name), marks))
        marked.append(statement)
    return marked


def _headers(statement: Any) -> list[tuple[Any, int]]:
    """The statement, its handlers or its cases, whichever have a body, with the lines that they start on."""
    own = [(statement, _start(statement))] if getattr(statement, "body", None) else []
    handlers = [(handler, handler.lineno) for handler in getattr(statement, "handlers", ())]
    return own + handlers + [(case, case.pattern.lineno) for case in getattr(statement, "cases", ())]


def _start(statement: Any) -> int:
    """The first line of a statement, its decorators with it."""
    lines: list[int] = [one.lineno for one in (statement, *getattr(statement, "decorator_list", ()))]
    return min(lines)


def _code(marks: dict[int, str], first: int, last: int) -> str | None:
    return next((marks[line] for line in range(first, last + 1) if line in marks), None)
