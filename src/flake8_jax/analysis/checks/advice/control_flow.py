"""Branches and loops as functions that JAX calls, where no selection can stand in their place.

    if x > 0:               def true_fun(x):
        y = f(x)                y = f(x)
        x = y * 2               x = y * 2
                                return x

                            x = jax.lax.cond(x > 0, true_fun, lambda x: x, x)

The lines of a body stay as they are, in a function that is given what it binds and reads, and gives back what is read
behind it.  So what is to be changed in these lines can be changed at once.  A body that leaves, stores in objects or
calls for an effect is no such function.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Sequence

from flake8_jax.analysis.checks.advice.arrays import ArrayWriter
from flake8_jax.analysis.checks.advice.bindings import Bindings, bindings_of, bound_before, is_read_behind
from flake8_jax.analysis.checks.advice.kinds import kinds_of, last_name
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.diagnostic import Edit, Remedy, Span
from flake8_jax.syntax.layout import FUNCTIONS, Layout

LONGEST = 90
MOST_LINES = 120
MOST_NAMES = 16
ARMS = ("first_arm", "second_arm", "third_arm", "fourth_arm", "fifth_arm")
COLON = compiled(r"\s*\)*\s*:")
ELSE = compiled(r"(\s*)else\s*:")
ACTING = frozenset((
    "append", "extend", "insert", "remove", "pop", "popitem", "update", "setdefault", "add", "discard",
    "clear", "write", "log", "info", "debug", "warning", "next", "input", "open",
))  # fmt: skip
"""Functions that are called for what they do."""

BOUNDS = {"max": "maximum", "min": "minimum"}
NO_GRADIENT = "which has no reverse-mode gradient"


def of_branch(writer: ArrayWriter, root: ast.If) -> Remedy | None:
    """The arms of a branch as functions, one of which `lax.cond` calls."""
    layout, cond = writer.layout, writer.name("jax.lax.cond")
    tests, bodies = arms_of(layout, root)
    truths = [writer.truth(test) for test in tests]
    found = [bindings_of(body) for body in bodies]
    bindings = [one for one in found if one is not None]
    if not cond or not all(truths) or len(bindings) < len(found) or len(tests) >= len(ARMS):
        return None
    names = list(dict.fromkeys(name for binding in bindings for name in binding.names))
    known, has_else = bound_before(layout, root), len(bodies) > len(tests)
    given_back = [name for name in names if is_read_behind(layout, root, name)]
    ways = bindings if has_else else [*bindings, Bindings({}, set(), set())]
    given = [name for name in names if _is_given(name, name in given_back, ways)]
    if not known.issuperset(given) or not _may_carry(writer, root, given_back):
        return None
    beside = beside_it(writer, root, [call for binding in bindings for call in binding.prints], given_back)
    return ArmFunctions(writer, root, truths, bodies, given_back, given).remedy(beside) if beside is not None else None


def _is_given(name: str, is_given_back: bool, ways: Sequence[Bindings]) -> bool:
    """Does a function need the value that a name had before?"""
    is_left = is_given_back and not all(name in way.always for way in ways)
    return is_left or any(name in way.names and name in way.exposed for way in ways)


class ArmFunctions:
    """The texts of a branch whose arms are functions."""

    def __init__(
        self, writer: ArrayWriter, root: ast.If, truths: list[str], bodies: list[list[ast.stmt]],
        given_back: list[str], given: list[str],
    ) -> None:  # fmt: skip
        self.writer, self.root, self.truths, self.bodies = writer, root, truths, bodies
        self.given_back, self.given = given_back, given
        wanted = ("true_fun", "false_fun") if len(truths) == 1 else ARMS
        frame = writer.layout.frame(root)
        self.functions = [writer.layout.free(frame, (name,), set()) for name in wanted[: len(bodies)]]

    def remedy(self, beside: Sequence[Edit]) -> Remedy | None:
        """The edits, and those beside them."""
        layout, indent = self.writer.layout, indent_of(self.writer.layout, self.root)
        result = ", ".join(self.given_back)
        headers = [self.header(name) for name in self.functions]
        returns = [f"{indent_of(layout, body[0])}return {result}" for body in self.bodies]
        edits: list[Edit | None] = []
        for number, (body, header) in enumerate(zip(self.bodies, headers)):
            span = header_of(layout, self.root, body, number, len(self.truths))
            before = f"{returns[number - 1]}\n\n" if number else ""
            edits.append(Edit(span, f"{before}{header}") if span is not None else None)
        call = f"{result} = {self.call()}"
        edits.append(behind(layout, self.bodies[-1][-1], f"{returns[-1]}\n\n{indent}{call}\n"))
        return remedy_of([*edits, *beside], self.said(call))

    def header(self, name: str) -> str:
        """The header of one of the functions."""
        return f"{indent_of(self.writer.layout, self.root)}def {name}({', '.join(self.given)}):"

    def call(self) -> str:
        """The call that chooses between the functions."""
        given = ", ".join(self.given)
        last = self.functions[-1] if len(self.functions) > len(self.truths) else self.same()
        text, cond = last, self.writer.name("jax.lax.cond")
        for number in reversed(range(len(self.truths))):
            text = f"{cond}({self.truths[number]}, {self.functions[number]}, {text}{', ' * bool(given)}{given})"
            text = f"lambda {given}: {text}" if number else text
        return text.replace("lambda :", "lambda:")

    def same(self) -> str:
        """A function that gives back what it is given."""
        result = ", ".join(self.given_back)
        if self.given == self.given_back and len(self.given) > 1:
            return "lambda *same: same"
        return f"lambda {', '.join(self.given)}: {result if len(self.given_back) == 1 else f'({result})'}"

    def said(self, call: str) -> str:
        """What to write, in short."""
        cond, many = self.writer.name("jax.lax.cond"), len(self.given_back)
        if len(call) <= LONGEST:
            return f"use `{call}`, with its arms as functions"
        returned = f"the {many} names that are read later" if many > 1 else f"`{self.given_back[0]}`"
        return f"choose by `{self.truths[0]}` with `{cond}`, its arms as functions that return {returned}"


def of_loop(writer: ArrayWriter, loop: ast.While | ast.For) -> Remedy | None:
    """The turn of a loop as a function, which `lax.while_loop` or `lax.fori_loop` calls."""
    layout, found = writer.layout, bindings_of(loop.body)
    if found is None or loop.orelse:
        return None
    asked: set[str] = set()
    if isinstance(loop, ast.While):
        asked = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name)}
    read = found.exposed | asked
    carried = [name for name in found.names if name in read or is_read_behind(layout, loop, name)]
    if not carried or not bound_before(layout, loop).issuperset(carried) or not _may_carry(writer, loop, carried):
        return None
    beside = beside_it(writer, loop, found.prints, carried)
    made = _while(writer, loop, carried, asked) if isinstance(loop, ast.While) else _for(writer, loop, carried)
    return replace(made, edits=(*made.edits, *beside)) if made is not None and beside is not None else None


def _while(writer: ArrayWriter, loop: ast.While, carried: list[str], asked: set[str]) -> Remedy | None:
    layout, call, truth = writer.layout, writer.name("jax.lax.while_loop"), writer.truth(loop.test)
    indent, inner = indent_of(layout, loop), indent_of(layout, loop.body[0])
    span = _header(layout, loop, loop.test, loop.body)
    if not call or not truth or span is None:
        return None
    name, begin, result, state = _carry(layout, loop, carried, inner)
    unpacked = ", ".join(one if one in asked else "_" for one in carried)
    first = f"{inner}{unpacked} = {name}\n" if len(carried) > 1 else ""
    condition, body = (layout.free(layout.frame(loop), (one,), set()) for one in ("cond_fun", "body_fun"))
    head = f"{indent}def {condition}({name}):\n{first}{inner}return {truth}\n\n{indent}def {body}({name}):{begin}"
    text = f"{call}({condition}, {body}, {state})"
    last = behind(layout, loop.body[-1], f"{inner}return {result}\n\n{indent}{result} = {text}\n")
    return remedy_of([Edit(span, head), last], _said_of_loop(f"{call}({condition}, {body}, ", state))


def _for(writer: ArrayWriter, loop: ast.For, carried: list[str]) -> Remedy | None:
    layout, call, turns = writer.layout, writer.name("jax.lax.fori_loop"), loop.iter
    indent, inner = indent_of(layout, loop), indent_of(layout, loop.body[0])
    span = _header(layout, loop, turns, loop.body)
    if not isinstance(turns, ast.Call) or turns.keywords or not isinstance(loop.target, ast.Name) or span is None:
        return None
    bounds = [writer.text(argument) for argument in turns.args]
    target = loop.target.id
    is_read = is_read_behind(layout, loop, target) or target in carried
    if not call or not all(bounds) or not 1 <= len(bounds) <= 2 or is_read:
        return None
    name, begin, result, state = _carry(layout, loop, carried, inner)
    body = layout.free(layout.frame(loop), ("body_fun",), set())
    limits = ", ".join(["0", *bounds][-2:])
    last = behind(
        layout, loop.body[-1], f"{inner}return {result}\n\n{indent}{result} = {call}({limits}, {body}, {state})\n"
    )
    edits = [Edit(span, f"{indent}def {body}({target}, {name}):{begin}"), last]
    return remedy_of(edits, _said_of_loop(f"{call}({limits}, {body}, ", state))


def _carry(layout: Layout, loop: ast.stmt, carried: list[str], inner: str) -> tuple[str, str, str, str]:
    """The parameter of the function of a loop, how it begins, what it returns, and what the loop starts with."""
    result = ", ".join(carried)
    if len(carried) == 1:
        return result, "", result, result
    name = layout.free(layout.frame(loop), ("carry", "state"), set())
    return name, f"\n{inner}{result} = {name}", result, f"({result})"


def _said_of_loop(call: str, state: str) -> str:
    text = f"{call}{state})"
    if len(text) <= LONGEST:
        return f"use `{text}`, {NO_GRADIENT}"
    return f"use `{call}carry)`, {NO_GRADIENT}"


def beside_it(
    writer: ArrayWriter, statement: ast.stmt, prints: Sequence[ast.Call], results: Iterable[str]
) -> list[Edit] | None:
    """What is to be changed beside the statement: what it prints, and bounds of counts that become arrays."""
    layout, show = writer.layout, writer.name("jax.debug.print")
    shown = [_shown(writer, call) for call in prints]
    if shown and (not show or not all(shown)):
        return None
    edits = [layout.replaced(call, f"{show}({text})") for call, text in zip(prints, shown)]
    kinds = kinds_of(layout, layout.frame(statement))
    for call in (call for name in results if kinds.is_number(name) for call in _bounded(layout, kinds.frame, name)):
        function = writer.name(f"jax.numpy.{BOUNDS[call.func.id]}")  # type: ignore[attr-defined]
        if not function:
            return None
        edits.append(layout.replaced(call.func, function))
    return edits


def _bounded(layout: Layout, frame: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of `max` and `min` on a name and another number."""
    for read in layout.reads.get((frame, name), ()):
        around = layout.parents.get(read)
        if not isinstance(around, ast.Call) or len(around.args) != 2 or around.keywords or read not in around.args:
            continue
        if isinstance(around.func, ast.Name) and around.func.id in BOUNDS:
            yield around


def _shown(writer: ArrayWriter, call: ast.Call) -> str:
    """The arguments with which `jax.debug.print` prints the same; "" where that is not plain."""
    template, values = [], []
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            template.append(argument.value.replace("{", "{{").replace("}", "}}"))
        elif writer.is_numeric(argument):
            template.append("{}")
            values.append(writer.text(argument))
    text = json.dumps(" ".join(template), ensure_ascii=False)
    return ", ".join([text, *values]) if len(template) == len(call.args) > 0 and all(values) else ""


def arms_of(layout: Layout, root: ast.If) -> tuple[list[ast.expr], list[list[ast.stmt]]]:
    """The tests of a branch, and its arms, that without a test last."""
    tests, bodies = [root.test], [root.body]
    orelse = root.orelse
    while len(orelse) == 1 and isinstance(orelse[0], ast.If) and layout.is_elif(orelse[0]):
        tests.append(orelse[0].test)
        bodies.append(orelse[0].body)
        orelse = orelse[0].orelse
    return tests, [*bodies, orelse] if orelse else bodies


def _may_carry(writer: ArrayWriter, statement: ast.stmt, results: Sequence[str]) -> bool:
    """May the body of a statement be traced as a function of its own that gives back some names?"""
    kinds = kinds_of(writer.layout, writer.layout.frame(statement))
    if not 0 < len(results) <= MOST_NAMES or not may_move(writer, statement):
        return False
    return kinds.are_arrays(results) and not any(map(kinds.differ, results))


def may_move(writer: ArrayWriter, statement: ast.stmt) -> bool:
    """May a statement, or a part of it, stand in a function inside that is traced by itself?"""
    layout = writer.layout
    frame, size = layout.frame(statement), (statement.end_lineno or 0) - statement.lineno
    if not isinstance(frame, FUNCTIONS) or size > MOST_LINES or _has_globals(layout, frame):
        return False
    if not writer.is_pure(statement):
        return False
    is_of_module = _is_of_module(layout, frame)
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            if last_name(node.func) in ACTING and not writer.is_of_jax(node.func):
                return False
            if is_of_module and not writer.is_of_jax(node.func) and not isinstance(node.func, ast.Name):
                return False
    return True


def _is_of_module(layout: Layout, frame: ast.AST) -> bool:
    """Is it a function of a module of Flax or the like, whose parameters are made while it is called?"""
    classes = [one for one in layout.way(frame) if isinstance(one, ast.ClassDef)]
    return any(last_name(base) == "Module" for class_ in classes for base in class_.bases)


def _has_globals(layout: Layout, frame: ast.AST) -> bool:
    found = layout.memo.get(("globals", frame))
    if found is None:
        found = any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in ast.walk(frame))
        layout.memo["globals", frame] = found
    return bool(found)


def indent_of(layout: Layout, statement: ast.stmt) -> str:
    """What stands in front of a statement."""
    return layout.lines[statement.lineno - 1][: statement.col_offset]


def header_of(layout: Layout, root: ast.If, body: list[ast.stmt], number: int, tests: int) -> Span | None:
    """The header of an arm: its lines up to the colon."""
    if number < tests:
        owner = layout.blocks[body[0]].owner
        return _header(layout, owner, owner.test, body) if isinstance(owner, ast.If) else None
    for line in range(body[0].lineno - 1, root.lineno, -1):
        found = ELSE.match(layout.lines[line - 1])
        if found is not None:
            return Span(line, 0, line, found.end()) if len(found[1]) == root.col_offset else None
        if layout.lines[line - 1].strip() and not layout.lines[line - 1].lstrip().startswith("#"):
            break
    return None


def _header(layout: Layout, statement: ast.stmt, last: ast.expr, body: list[ast.stmt]) -> Span | None:
    """The header of a statement that ends in an expression."""
    ends = layout.span(last)
    line, column = ends.end_line, ends.end_column
    if indent_of(layout, statement).strip() or indent_of(layout, body[0]).strip() or not layout.text(last):
        return None
    for number in range(line, min(line + 2, body[0].lineno)):
        found = COLON.match(layout.lines[number - 1], column if number == line else 0)
        if found is not None:
            return Span(statement.lineno, 0, number, found.end())
        if layout.lines[number - 1][column if number == line else 0 :].strip():
            break
    return None


def behind(layout: Layout, statement: ast.stmt, text: str) -> Edit | None:
    """The edit that writes lines behind a statement."""
    span = layout.span(statement)
    rest = layout.lines[span.end_line - 1][span.end_column :].strip()
    return Edit(Span(span.end_line + 1, 0, span.end_line + 1, 0), text) if not rest or rest.startswith("#") else None


def remedy_of(edits: Sequence[Edit | None], said: str) -> Remedy | None:
    """The remedy of edits, all of which are known."""
    known = tuple(edit for edit in edits if edit is not None)
    return Remedy(said, "", known) if len(known) == len(edits) else None
