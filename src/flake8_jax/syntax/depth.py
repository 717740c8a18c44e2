"""Guards libcst against inputs that crash it or take exponential time: deep nesting, long chains, nested patterns.

libcst's native parser crashes on deep nesting, is quadratic in chains (`a + a + ...`, `a.b().b()...`, `a[0][0]...`) and
doubles its time with each bracket of a `case` pattern or a `del` target.  Python's own parser refuses far less,
so its tree is walked first, without recursion: every statement for its depth, and those whose text holds
enough brackets, dots and operators to hide a deep expression, which are very few, for that of their expressions.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable
from contextvars import copy_context
from itertools import accumulate
from typing import TypeVar

from flake8_jax.call_room import with_room

DEEP = 60
"""Beyond this depth a parse gets a stack of its own."""

DEEPEST = 200
"""The deepest nesting and the longest chain that is parsed at all; two of 16,278 files looked at go beyond."""

LONGEST = 1000
"""The most `elif` of one `if` that are interpreted; Python's tree has each inside of the one before, no reader has."""

BRACKETS_OF_TARGETS = 12
"""The most brackets inside each other in a pattern or a `del`: about 0.1 s."""

STACK = 64 * 1024 * 1024

NEITHER = bytes(set(range(256)) - set(b"([{)]}"))
NO_LINKS = bytes(set(range(256)) - set(b"([{.+-*/%@&|^~<>=:"))
STEPS = bytes(2 if byte in b"([{" else 0 for byte in range(256))
BLOCKS = ("body", "orelse", "finalbody")
PARTED = frozenset(getattr(ast, name) for name in ("Delete", "Match", "Try", "TryStar") if hasattr(ast, name))
OUTSIDE = (ast.stmt, ast.ExceptHandler, ast.match_case)

Result = TypeVar("Result")


class TooDeep(Exception):
    """A text nested or chained too deeply to be parsed safely or in reasonable time."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def bracket_depth(text: str) -> int:
    """The maximal nesting depth of brackets, including brackets in strings and comments."""
    steps = text.encode("utf-8", "surrogatepass").translate(STEPS, NEITHER)
    return max(accumulate(step - 1 for step in steps), default=0)


def depth_of_tree(tree: ast.Module, text: str, lines: list[str], is_for_libcst: bool = True) -> int:
    """The maximal depth of statements, expressions and brackets.  Raises `TooDeep` if it must not be read any further.

    For libcst's parser each `elif` lies inside the one before; all else takes them one after the other.
    """
    ends = [0, *accumulate(map(len, lines))]
    deepest = longest = 0
    stack: list[tuple[list[ast.stmt], int]] = [(tree.body, 1)]
    ladders: dict[ast.stmt, int] = {}
    while stack:
        statements, depth = stack.pop()
        for statement in statements:
            fields = statement.__dict__
            first, last = statement.lineno, statement.end_lineno or statement.lineno
            if "body" in fields:
                last = fields["body"][0].lineno
                stack.extend([(fields[name], depth + 1) for name in BLOCKS if fields.get(name)])
                if not is_for_libcst and type(statement) is ast.If and _is_elif(statement.orelse, lines):
                    stack[-1] = statement.orelse, depth
                    longest = max(longest, ladders.setdefault(statement.orelse[0], ladders.get(statement, 0) + 1))
                decorators = fields.get("decorator_list")
                first = decorators[0].lineno if decorators else first
            if depth > deepest:
                deepest = depth
            if ends[last] - ends[first - 1] > 2 * DEEPEST and _links(lines[first - 1 : last]) > DEEPEST:
                deepest = max(deepest, depth + _depth_of_expressions(statement))
            if type(statement) in PARTED:
                deepest = max(deepest, depth + _depth_of_parts(statement, lines, depth, stack))
        if deepest > DEEPEST:
            raise TooDeep(f"more than {DEEPEST} levels of nesting or links of a chain")
        if longest > LONGEST:
            raise TooDeep(f"more than {LONGEST} `elif` of one `if`")
    return max(deepest, bracket_depth(text))  # Python itself allows 200 brackets; those in strings may add up to more


def _is_elif(orelse: list[ast.stmt], lines: list[str]) -> bool:
    only = orelse[0] if len(orelse) == 1 else None
    return type(only) is ast.If and lines[only.lineno - 1].encode().startswith(b"elif", only.col_offset)


def _links(lines: list[str]) -> int:
    """At least as many as the levels of the deepest expression in a text."""
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return len(text.translate(None, NO_LINKS)) + sum(map(text.count, (b"not", b"else", b"await")))


def _depth_of_parts(statement: ast.stmt, lines: list[str], depth: int, stack: list[tuple[list[ast.stmt], int]]) -> int:
    """The depth below handlers, cases and deletions; their blocks go on the stack."""
    deepest = 0
    if isinstance(statement, ast.Delete):
        _check_brackets(lines[statement.lineno - 1 : statement.end_lineno])
    elif isinstance(statement, ast.Match):
        start = statement.subject.end_lineno or statement.lineno
        for case in statement.cases:
            above, last = lines[start : case.pattern.end_lineno - 1], lines[case.pattern.end_lineno - 1]
            _check_brackets([*above, last[: case.pattern.end_col_offset]])
            deepest = max(deepest, _depth_of_expressions(case))
            stack.append((case.body, depth + 1))
            start = case.body[-1].end_lineno or start
    else:
        for handler in getattr(statement, "handlers", ()):
            deepest = max(deepest, _depth_of_expressions(handler))
            stack.append((handler.body, depth + 1))
    return deepest


def _check_brackets(lines: list[str]) -> None:
    if bracket_depth("\n".join(lines)) > BRACKETS_OF_TARGETS:
        raise TooDeep(f"more than {BRACKETS_OF_TARGETS} brackets inside each other in a pattern or deletion")


def _depth_of_expressions(node: ast.AST) -> int:
    """The depth of the expressions of one statement or header."""
    deepest = 0
    stack: list[tuple[ast.AST, int]] = [(node, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > deepest:
            deepest = depth
        depth += 1
        for child in node.__dict__.values():
            if type(child) is list:
                parts = [part for part in child if isinstance(part, ast.AST) and not isinstance(part, OUTSIDE)]
                stack.extend([(part, depth) for part in parts])
            elif isinstance(child, ast.AST):
                stack.append((child, depth))
    return deepest


def with_own_stack(task: Callable[[], Result], size: int = STACK) -> Result:
    """Run a function in a thread, which has a stack and a count of nested calls of its own; by default one large enough
    for libcst.

    Nothing waits for the thread where the process ends meanwhile.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []

    @with_room
    def run() -> None:
        try:
            outcome.append(task())
        except BaseException as error:
            failure.append(error)

    previous = threading.stack_size(size)
    try:
        thread = threading.Thread(target=copy_context().run, args=(run,), daemon=True)
        thread.start()
    finally:
        threading.stack_size(previous)
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
