"""Fixes are made wherever a hazard can stand: the hazards of every pair with fixes, put into every form of statement.

    y = jnp.sum([1, 2])     f"{jnp.sum([1, 2])}"     with jnp.sum([1, 2]) as _v: pass     _v = lambda: jnp.sum([1, 2])

Each form gives one text for each pair: in it, every statement that a fix of the pair speaks of is replaced by the form,
with the statement's own expression in it.  All rules judge it, and what they propose is made by the very function of
`fixes/making.py`, around which nothing catches anything: what raises, fails here.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import libcst
import pytest

from flake8_jax.driver.linter import active_rules, diagnosed, events_of_text, interpreted
from flake8_jax.driver.projects import Projects
from flake8_jax.fixes.applying import fix_text
from flake8_jax.fixes.making import fix_of
from flake8_jax.fixes.texts import applicable_together, applied
from flake8_jax.model.diagnostic import Diagnostic, Edit, Fix
from flake8_jax.syntax.positions import Locator
from flake8_jax.syntax.source import SourceFile
from flake8_jax.syntax.suppressions import Suppressions
from tests.fixes.test_pairs import FIXED
from tests.support import slices
from tests.support.expectations import ALL, NOWHERE
from tests.support.slices import Slice

VALUES = {
    "alone": "{e}",
    "alone, with a comment": "{e}  # and why",
    "behind another": "_v = 1; {e}; _w = 2",
    "behind a header": "if _u: {e}",
    "plain": "_v = {e}",
    "parenthesised": "_v = ({e})",
    "twice parenthesised": "_v = (({e}))",
    "over lines": "_v = (  # one\n    {e}  # two\n)",
    "behind a backslash": "_v = \\\n    {e}",
    "chained": "_v = _w = {e}",
    "unpacked": "_v, *_w = {e}",
    "augmented": "_v += {e}",
    "annotated": "_v: object = {e}",
    "as an annotation": "_v: {e} = 1",
    "walrus": "(_v := {e})",
    "walrus in a test": "if (_v := {e}) is None:\n    pass",
    "in a display": "_v = [{e}, ({e},), {{{e}: {e}}}, {{{e}}}]",
    "without brackets": "_v = {e}, 1",
    "with a star": "_v = [*{e}]",
    "starred argument": "_v = max(*{e}, **{e})",
    "argument": "_v = max({e}, key={e})",
    "lone argument": "_v = str({e})",
    "index": "_v = _u[{e}]",
    "slice": "_v = _u[{e}:, ..., :{e}]",
    "target's index": "_u[{e}] = 1",
    "operand on the left": "_v = {e} ** 2",
    "operand on the right": "_v = 2 ** {e}",
    "signed": "_v = -{e}",
    "negated": "_v = not {e}",
    "between words": "_v = 1 if {e} else{e}",
    "compared": "_v = 0 < {e} < 1 or {e} and {e}",
    "owner": "_v = ({e}).T",
    "called": "_v = ({e})(1)",
    "lambda": "_v = lambda: {e}",
    "default of a lambda": "_v = lambda _x={e}: _x",
    "default": "def _f(_x={e}, *, _y={e}) -> {e}:\n    pass",
    "decorator": "@{e}\ndef _f():\n    pass",
    "decorator of a class": "@{e}\nclass _C:\n    pass",
    "decorator in a block": "class _C:\n    @staticmethod\n    @{e}  # why\n    def _f():\n        pass",
    "base": "class _C({e}, metaclass={e}):\n    pass",
    "body of a class": "class _C:\n    v = {e}",
    "comprehension": "_v = [{e} for _ in range(2)]",
    "source of a comprehension": "_v = [_i for _i in {e} if _i]",
    "condition of a comprehension": "_v = {{_i: 1 for _i in range(2) if {e}}}",
    "lone generator": "_v = list({e} for _ in range(2))",
    "f-string": "_v = f'''{{ {e} }}'''",
    "short f-string": "_v = f\"a {{ {e} !r:>3}}\"",
    "f-string that names it": "_v = f'{{ {e} =}}'",
    "f-string of f-strings": "_v = f\"{{f'{{ {e} }}'}}\" 'more' f'{{ {e} }}'",
    "width of a format": "_v = f\"{{1:{{ {e} }}}}\"",
    "with": "with {e}:\n    pass",
    "with, bound": "with {e} as _v, {e} as _w:\n    pass",
    "with, parenthesised": "with ({e}) as _v:\n    pass",
    "match": "match {e}:\n    case 1:\n        pass\n    case _:\n        _v = 1",
    "guard": "match _u:\n    case _ if {e}:\n        pass",
    "case": "match _u:\n    case [1, _x]:\n        {e}\n    case _:\n        _v = {e}",
    "if": "if {e}:\n    pass\nelif {e}:\n    pass",
    "while": "while {e}:\n    break",
    "for": "for _v in {e}:\n    pass",
    "assert": "assert {e}, {e}",
    "raise": "raise {e} from {e}",
    "handler": "try:\n    {e}\nexcept {e} as _v:\n    _w = {e}\nfinally:\n    _v = {e}",
    "return": "return {e}",
    "yield": "_v = yield {e}",
    "yield from": "yield from {e}",
    "statement in a function": "def _f():\n    global _g\n    _g = {e}",
    "in an async function": "async def _f():\n    async with {e} as _v:\n        return await {e}",
}  # fmt: skip
"""The forms for an expression that is read."""

OPERATIONS = {
    "augmented itself": "{a}",
    "augmented itself, with a comment": "{a}  # and why",
    "augmented itself, behind another": "_v = 1; {a}; _w = 2",
    "augmented itself, in a block": "with _u:\n    {a}",
}
"""The forms for an operation on what can be assigned to."""

TARGETS = {
    "plain": "{e} = 1.0",
    "parenthesised": "({e}) = 1.0",
    "over lines": "{e} = (  # one\n    1.0\n)",
    "behind another": "_v = 1; {e} = 2; _w = 2",
    "behind a header": "if _u: {e} = 1.0",
    "chained": "_v = {e} = 1.0",
    "chained the other way": "{e} = _v = 1.0",
    "unpacked": "_v, {e} = 1.0, 2.0",
    "unpacked in brackets": "[_v, *{e}] = 1.0, 2.0",
    "tuple": "{e} = 1.0, 2.0",
    "yield": "{e} = yield 1",
    "walrus": "{e} = (_v := 1.0)",
    "lambda": "{e} = lambda: 1.0",
    "conditional": "{e} = 1.0 if _u else 2.0",
    "annotated": "{e}: float = 1.0",
    "annotated only": "{e}: float",
    "augmented": "{e} += 1.0",
    "augmented by a power": "{e} **= 2.0",
    "augmented by what has no method": "{e} @= _u[0]",
    "augmented by a tuple": "{e} += 1.0, 2.0",
    "for": "for {e} in range(3):\n    pass",
    "comprehension": "_v = [1 for {e} in range(3)]",
    "with": "with open(_u) as {e}:\n    pass",
    "with several": "with (open(_u) as ({e}, _v)):\n    pass",
    "delete": "del {e}",
    "delete several": "del _v, ({e}, _w)",
    "match": "match _u:\n    case [1, _x]:\n        {e} = _x",
    "read": "_v = {e} = {e}",
    "statement in a function": "def _f():\n    {e} = 1.0",
}
"""The forms for an expression that is assigned to."""

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Hazard:
    """A statement that a fix speaks of: its lines, its indentation, and the expression in it; is that a target?"""

    first: int
    last: int
    indentation: str
    expression: str
    is_target: bool


def hazards(text: str, diagnostics: Sequence[Diagnostic]) -> list[Hazard]:
    """The hazards of a text, the statements of which stand on lines of their own."""
    lines, tree = text.splitlines(), ast.parse(text)
    simple = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    found: dict[int, Hazard] = {}
    for one in diagnostics:
        around = [node for node in simple if node.lineno <= one.span.line <= (node.end_lineno or 0)]
        statement = min(around, key=lambda node: (node.end_lineno or 0) - node.lineno, default=None)
        if statement is None or not one.fix:
            continue
        before, after = lines[statement.lineno - 1][: statement.col_offset], lines[(statement.end_lineno or 0) - 1]
        is_alone = not before.strip() and not after[statement.end_col_offset :].partition("#")[0].strip()
        expression = _expression(statement, one, text) if is_alone else None
        if expression is not None:
            last = statement.end_lineno or statement.lineno
            found.setdefault(statement.lineno, Hazard(statement.lineno, last, before, *expression))
    return list(found.values())


def _expression(statement: ast.stmt, one: Diagnostic, text: str) -> tuple[str, bool] | None:
    """The outermost expression of a statement that holds a finding, and whether it is assigned to."""
    place = one.span.line, one.span.column
    if isinstance(statement, ast.AugAssign) and (statement.lineno, statement.col_offset) == place:
        if isinstance(statement.target, ast.Subscript):
            return _cut(text, statement.target), True
        sign = text.splitlines()[statement.lineno - 1][statement.target.end_col_offset :].partition("=")[0]
        return f"{_cut(text, statement.target)}{sign} {_cut(text, statement.value)}", False
    parts = [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.expr)]
    around = [p for p in parts if (p.lineno, p.col_offset) <= place < (p.end_lineno or 0, p.end_col_offset or 0)]
    if place >= (statement.end_lineno or 0, statement.end_col_offset or 0):
        around = parts  # it stands in the comment behind
    if not around:
        return None
    context = getattr(around[0], "ctx", None)
    return _cut(text, around[0]), isinstance(context, (ast.Store, ast.Del))


def _cut(text: str, node: ast.AST) -> str:
    return ast.get_source_segment(text, node) or ""


@cache
def hazards_of(pair: Path, most: int) -> tuple[str, list[Hazard]]:
    """A part of a pair's bad half, and the hazards in it: up to so many of different shapes, and operations."""
    text = (pair / "bad.py").read_text(encoding="utf-8")
    shapes: dict[str, Hazard] = {}
    for one in hazards(text, judged(text).diagnostics):
        shapes.setdefault(shape(one), one)
    kept = [one for number, one in enumerate(shapes.values()) if number < most or as_augmented(one.expression)]
    text = part(text, {one.first for one in kept})
    return text, hazards(text, judged(text).diagnostics)


def shape(hazard: Hazard) -> str:
    """The shape of a hazard's expression: names and values left out, but not what is called."""
    tree = ast.parse(f"({hazard.expression})")
    called = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return f"{[type(node).__name__ for node in ast.walk(tree)]} {called}"


def part(text: str, lines: set[int]) -> str:
    """The definitions of a text that hold some lines, with all that they lead to by name."""
    body = ast.parse(text).body
    of_names: dict[str, list[ast.stmt]] = {}
    for node in body:
        bound = [node.name] if isinstance(node, DEFINITIONS) else names(node)
        for name in bound:
            of_names.setdefault(name, []).append(node)
    waiting = [node for node in body if not isinstance(node, DEFINITIONS)]
    waiting += [node for node in body if any(node.lineno <= line <= (node.end_lineno or 0) for line in lines)]
    kept = set[ast.stmt]()
    while waiting:
        node = waiting.pop()
        if node not in kept:
            kept.add(node)
            waiting += [other for name in names(node) for other in of_names.get(name, ())]
    spans = [(min([node.lineno, *decorators(node)]), node.end_lineno or 0) for node in body if node in kept]
    whole = text.splitlines()
    return "\n".join("\n".join(whole[first - 1 : last]) + "\n" for first, last in spans)


def names(node: ast.AST) -> list[str]:
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]


def decorators(node: ast.stmt) -> list[int]:
    return [each.lineno for each in getattr(node, "decorator_list", ())]


def formed(text: str, found: Sequence[Hazard], wanted: Sequence[str]) -> str:
    """A text whose hazards stand in one form each; one is left as it is where that would be no Python."""
    lines = text.splitlines()
    for one, form in sorted(zip(found, wanted), key=lambda each: -each[0].first):
        expression = one.expression if "\n" not in one.expression or one.is_target else f"({one.expression})"
        written = form.format(e=expression, a=as_augmented(one.expression))
        new = [f"{one.indentation}{line}" for line in written.split("\n")]
        comment = re.search(r"# jax: ignore.*", lines[one.first - 1])
        new = [f"{line}  {comment[0]}" if comment and "\\" not in line else line for line in new]
        if is_python("\n".join(new), one.indentation):
            lines[one.first - 1 : one.last] = new
    return "\n".join(lines) + "\n"


def as_augmented(expression: str) -> str:
    """An operation on what can be assigned to, as an augmented assignment; empty for another expression."""
    tree = ast.parse(f"({expression})", mode="eval").body
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.left, (ast.Name, ast.Attribute, ast.Subscript)):
        return ""
    return ast.unparse(ast.AugAssign(tree.left, tree.op, tree.right))


def is_python(text: str, indentation: str) -> bool:
    """Would a statement be Python, in a function?"""
    head = "".join(f"{' ' * depth}def f():\n" for depth in range(max(1, len(indentation))))
    try:
        ast.parse(head + (text if indentation else f" {text}"))
    except SyntaxError:
        return False
    return True


@dataclass(frozen=True)
class Judged:
    """What all rules say of a text, and the fixes that are made for it."""

    diagnostics: Sequence[Diagnostic]
    fixes: Sequence[Fix]


@cache
def judged(text: str) -> Judged:
    """Judge a text; nothing that raises is caught."""
    source, projects = SourceFile(f"{NOWHERE}/bad.py", text), Projects(ALL)
    file, findings = interpreted(source, projects.linked(source))
    comments, rules = Suppressions(source), active_rules(file, ALL)
    events = [*findings.events, *events_of_text(source, file, findings, comments, rules, ALL)]
    fixes, locator = [], Locator()
    for discovered in rules:
        for event in events if discovered.fix is not None else ():
            if type(event) is discovered.event and discovered.fix is not None:
                rewrite = discovered.fix(event)
                if isinstance(rewrite, Edit):
                    fixes.append(Fix(discovered.rule.fix, "safe", (rewrite,)))
                elif (made := fix_of(rewrite, source, locator)) is not None:
                    fixes.append(made)
    return Judged(comments.without(diagnosed(source, file, events, rules, ALL)), fixes)


def operations(text: str, found: Sequence[Hazard]) -> Iterator[tuple[str, str]]:
    """A text whose hazards that are operations become augmented assignments."""
    alike = [one for one in found if not one.is_target and as_augmented(one.expression)]
    for name, form in OPERATIONS.items() if alike else ():
        yield name, formed(text, alike, [form] * len(alike))


def forms(pair: Path, most: int) -> Iterator[tuple[str, str]]:
    """The texts of a pair in each form: every hazard in the same one."""
    text, found = hazards_of(pair, most)
    yield from operations(text, found)
    for is_target, table in ((False, VALUES), (True, TARGETS)):
        alike = [one for one in found if one.is_target is is_target]
        for name, form in table.items() if alike else ():
            yield name, formed(text, alike, [form] * len(alike))


def mixed_forms(pair: Path, most: int) -> Iterator[tuple[str, str]]:
    """The texts of a pair in which each hazard stands in another form; between them, in all of them."""
    text, found = hazards_of(pair, most)
    yield from operations(text, found)
    for is_target, table in ((False, VALUES), (True, TARGETS)):
        alike = [one for one in found if one.is_target is is_target]
        rest = list(table)
        while alike and rest:
            now, rest = rest[: len(alike)], rest[len(alike) :]
            yield ", ".join(now), formed(text, alike, [table[name] for name in now])


@cache
def mixed() -> list[tuple[Path, str, str]]:
    """Those texts of all pairs, with eight hazards at most."""
    return [(pair, name, text) for pair in FORMED for name, text in mixed_forms(pair, 8)]


def of_mixed(one: tuple[Path, str, str]) -> list[str]:
    """What a text shows: its pair, and each form in it."""
    return [one[0].name, *one[1].split(", ")]


@cache
def taken() -> list[tuple[Path, str, str]]:
    """The texts that this run takes: of each pair every third gates, and of the next pair others."""
    starts = {pair: number % 3 for number, pair in enumerate(FORMED)}
    gating, count = list[int](), Counter[Path]()
    for number, (pair, _, _) in enumerate(mixed()):
        if count[pair] % 3 == starts[pair]:
            gating.append(number)
        count[pair] += 1
    return slices.chosen(mixed(), gating)


def wrong(found: Judged, text: str) -> Iterator[str]:
    """What is wrong with the fixes of a text: for Python each alone, for libcst as many together as can be made."""
    for one in found.fixes:
        if problem := refused(applied(text, one.edits), ast.parse):
            yield f"{[edit.text for edit in one.edits]} on line {one.edits[-1].span.line}: {problem}"
    left = list(found.fixes)
    while left:
        free = list(applicable_together(text, [one.edits for one in left]))
        together = applied(text, [edit for one, is_free in zip(left, free) if is_free for edit in one.edits])
        if not refused(together, ast.parse) and (problem := refused(together, libcst.parse_module)):
            yield f"libcst: {problem}"
        left = [one for one, is_free in zip(left, free) if not is_free]


def unstable(text: str) -> Iterator[str]:
    """What is wrong with a text in which all fixes were made, one after the other."""
    found = fix_text(text, lambda each: judged(each).diagnostics, ("safe", "unsafe"))
    assert found is not None
    yield from filter(None, (refused(found.text, parse) for parse in (ast.parse, libcst.parse_module)))
    again = fix_text(found.text, lambda each: judged(each).diagnostics, ("safe", "unsafe"))
    if again is None or again.text != found.text:
        yield "a second run changes it again"


def refused(text: str, parse: Callable[[str], object]) -> str:
    """Why a text is no Python for Python or libcst; empty if it is."""
    try:
        parse(text)
    except (SyntaxError, libcst.ParserSyntaxError) as error:
        return str(error) or type(error).__name__
    return ""


LEAST = {
    "jax002_unused_suppression": 40, "jax101_key_reused": 9, "jax103_key_not_advanced": 8,
    "jax106_key_derivation_discarded": 3, "jax107_not_a_key": 35, "jax201_item_assignment": 3,
    "jax202_result_discarded": 4, "jax203_sequence_as_array": 30, "jax208_at_misused": 70,
    "jax301_print_in_traced": 20, "jax406_flag_not_static": 15, "jax408_jnp_on_static": 20,
    "jax502_unhashable_static": 25, "jax503_static_name_unknown": 20, "jax506_used_after_donation": 15,
    "jax602_body_signature": 20, "jax606_branch_called": 25, "jax608_custom_rule_incomplete": 15,
    "jax609_result_misunpacked": 50, "jax610_not_jittable": 25, "jax613_operands_of_control_flow": 30,
    "jax614_library_contract": 45, "jax701_nan_gradient": 1, "jax702_timing_without_block": 15,
    "jax801_removed_api": 20, "jax802_deprecated_api": 20,
}  # fmt: skip
"""How many fixes are made in the forms of each pair that gate, so that the test does not pass for want of any."""


OF_DECORATORS = frozenset(("jax507_self_traced",))
"""The pairs whose fixes change decorators, which are no statements."""

OF_PROJECTS = frozenset(("jax803_newer_than_required",))
"""The pairs whose fixes depend on what a project requires, which a statement alone does not say."""

FORMED = [pair for pair in FIXED if pair.name not in OF_DECORATORS | OF_PROJECTS]


def test_each_pair_with_fixes_has_a_floor() -> None:
    assert {pair.name for pair in FIXED} == LEAST.keys() | OF_DECORATORS | OF_PROJECTS


@pytest.mark.slow
@slices.sliced
@pytest.mark.parametrize("pair", FORMED, ids=lambda pair: pair.name)
def test_fixes_are_made_in_every_form_of_statement(pair: Path) -> None:
    """What they make is Python."""
    offenders, made = [], 0
    for name, text in [(name, text) for home, name, text in taken() if home == pair]:
        try:
            found = judged(text)
            offenders += [f"{name}: {problem}" for problem in wrong(found, text)]
        except Exception as error:
            offenders.append(f"{name}: {type(error).__name__}: {error}")
        else:
            made += len(found.fixes)
    assert "\n".join(offenders) == ""
    assert made >= LEAST[pair.name] or slices.asked() is Slice.ROTATING


@pytest.mark.slow
@slices.sliced
def test_what_fixes_make_of_mixed_forms_stays_as_it_is() -> None:
    offenders = []
    for pair, name, text in slices.taken(mixed(), of_mixed, daily=20):
        try:
            offenders += [f"{pair.name}, {name}: {problem}" for problem in unstable(text)]
        except Exception as error:
            offenders.append(f"{pair.name}, {name}: {type(error).__name__}: {error}")
    assert "\n".join(offenders) == ""


def alike() -> list[tuple[Path, str, str]]:
    """The texts of all pairs in each form, with the pair and the form."""
    return [(pair, name, text) for pair in FIXED for name, text in forms(pair, 8)]


@pytest.mark.slow
@slices.sliced
def test_what_fixes_make_of_one_form_is_python() -> None:
    offenders = []
    for pair, name, text in slices.taken(alike(), lambda one: [one[0].name, one[1]], daily=20, most=30):
        try:
            offenders += [f"{pair.name}, {name}: {problem}" for problem in wrong(judged(text), text)]
        except Exception as error:
            offenders.append(f"{pair.name}, {name}: {type(error).__name__}: {error}")
    assert "\n".join(offenders) == ""
