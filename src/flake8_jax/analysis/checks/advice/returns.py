"""The ways to return of a branch as functions, where a selection between two expressions cannot stand in their place.

if x > 0:               def true_fun():
    y = f(x)                y = f(x)
    return y * 2            return y * 2

z = g(x)                def false_fun():
return z - 1                z = g(x)
                            return z - 1

                        return jax.lax.cond(x > 0, true_fun, false_fun)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from flake8_jax.analysis.checks.advice.arrays import ArrayWriter
from flake8_jax.analysis.checks.advice.bindings import Bindings, bound_before, follow, read
from flake8_jax.analysis.checks.advice.control_flow import (
    ARMS,
    ArmFunctions,
    arms_of,
    behind,
    beside_it,
    header_of,
    indent_of,
    may_move,
    remedy_of,
)
from flake8_jax.analysis.checks.advice.kinds import kinds_of
from flake8_jax.model.diagnostic import Edit, Remedy, Span
from flake8_jax.syntax.layout import Layout

LONGEST = 90
MOST = 30
"""How many lines behind a branch are moved."""


def of_returns(writer: ArrayWriter, root: ast.If, rest: Sequence[ast.stmt]) -> Remedy | None:
    """The rewriting of branches that return as a call of `lax.cond` that is returned.

    Each arm of `root`, and the `rest` behind them where there is no `else`, becomes a function of its own; None where
    one does something else than to return, or cannot be moved.
    """
    layout, cond = writer.layout, writer.name("jax.lax.cond")
    tests, bodies = arms_of(layout, root)
    has_else, frame = len(bodies) > len(tests), layout.frame(root)
    if not has_else:
        bodies = [*bodies, list(rest)]
    truths, found = [writer.truth(test) for test in tests], [_returning(body) for body in bodies]
    ways = [one for one in found if one is not None]
    is_end = not rest if has_else else layout.blocks[root].owner is frame and len(tests) == 1
    if not cond or not all(truths) or len(ways) < len(found) or not is_end or len(tests) >= len(ARMS):
        return None
    bindings = [way for way, _ in ways]
    names = dict.fromkeys(name for binding in bindings for name in binding.names)
    given = [name for name in names if any(name in binding.names and name in binding.exposed for binding in bindings)]
    is_known = bound_before(layout, root).issuperset(given)
    is_known = is_known and kinds_of(layout, frame).alike([value for _, values in ways for value in values])
    prints = beside_it(writer, root, [call for binding in bindings for call in binding.prints], ())
    if not is_known or prints is None or not all(may_move(writer, one) for one in (root, *rest)):
        return None
    arms = ArmFunctions(writer, root, truths, bodies, [], given)
    call = f"return {arms.call()}"
    edits = [*_headers(arms), *prints]
    if has_else:
        edits.append(behind(layout, bodies[-1][-1], f"\n{indent_of(layout, root)}{call}\n"))
    else:
        header = arms.header(arms.functions[-1])
        edits.append(_moved(layout, root, rest, header, call) if not bindings[-1].prints else None)
    said = f"use `{call}`, with the ways to return as functions"
    if len(call) > LONGEST:
        said = f"choose by `{truths[0]}` with `{cond}` between functions, one for each way to return"
    return remedy_of(edits, said)


def _returning(body: Sequence[ast.stmt]) -> tuple[Bindings, list[ast.expr]] | None:
    """What statements bind, and what they return in any case; None if they do not, or do more."""
    found = Bindings({}, set(), set())
    values = list(_returned(body, found))
    return (found, [value for value in values if value is not None]) if None not in values else None


def _returned(body: Sequence[ast.stmt], found: Bindings) -> Iterator[ast.expr | None]:
    """What statements return; None for what is no value."""
    last = body[-1] if body and follow(body[:-1], found) else None
    if isinstance(last, ast.Return):
        yield last.value if last.value is not None and read(last.value, found) else None
    elif isinstance(last, ast.If) and read(last.test, found):
        yield from _returned(last.body, found.inside())
        yield from _returned(last.orelse, found.inside())
    else:
        yield None


def _headers(arms: ArmFunctions) -> list[Edit | None]:
    """The edits of the headers of all arms."""
    edits: list[Edit | None] = []
    bodies = arms.bodies if arms.root.orelse else arms.bodies[:-1]
    for number, (body, name) in enumerate(zip(bodies, arms.functions)):
        span = header_of(arms.writer.layout, arms.root, body, number, len(arms.truths))
        text = "\n" * bool(number) + arms.header(name)
        edits.append(Edit(span, text) if span is not None else None)
    return edits


def _moved(layout: Layout, root: ast.If, rest: Sequence[ast.stmt], header: str, call: str) -> Edit | None:
    """The edit that puts statements into a function, and writes a statement behind them."""
    indent, inner = indent_of(layout, root), indent_of(layout, root.body[0])
    begins, ends = layout.span(rest[0]), layout.span(rest[-1])
    lines = layout.lines[begins.line - 1 : ends.end_line]
    is_apart = (root.end_lineno or 0) < begins.line and not layout.lines[ends.end_line - 1][ends.end_column :].strip()
    texts = (node for part in rest for node in ast.walk(part) if isinstance(node, (ast.Constant, ast.JoinedStr)))
    is_shifted = all(text.lineno == text.end_lineno for text in texts)
    if not is_apart or not is_shifted or len(lines) > MOST or not inner.startswith(indent):
        return None
    unit = inner.removeprefix(indent)
    body = "\n".join(f"{unit}{line}".rstrip() for line in lines)
    span = Span(begins.line, 0, ends.end_line, ends.end_column)
    return Edit(span, f"{header}\n{body}\n\n{indent}{call}")
