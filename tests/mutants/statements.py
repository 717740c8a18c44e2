"""Mutations of statements: dropped, doubled, moved to where others stand, wrapped, nested, in another form."""

from __future__ import annotations

import ast
from random import Random

from tests.mutants.grammar import DECORATORS, STATEMENTS, derived, filled, known, wrapped
from tests.mutants.material import Material
from tests.mutants.texts import Block, Text, moved_in

WRAPPING = [form for form in STATEMENTS if "<b>" in form.text]
DEEPEST = 25
Function = ast.FunctionDef | ast.AsyncFunctionDef


def _is_alone(text: Text, block: Block) -> bool:
    """Would a block be empty without this statement?"""
    before = text.lines[block.first - 1].split("#")[0].rstrip() if block.first else ""
    after = next((line for line in text.lines[block.end :] if line.strip()), "")
    return before.endswith(":") and not after.startswith(block.indent or "\0")


def dropped(text: Text, dice: Random, material: Material) -> str | None:
    """A statement is missing."""
    if not text.blocks:
        return None
    block = dice.choice(text.blocks)
    return text.with_lines(block.first, block.end, [f"{block.indent}pass"] if _is_alone(text, block) else [])


def doubled(text: Text, dice: Random, material: Material) -> str | None:
    """A statement stands there twice, or many times."""
    if not text.blocks:
        return None
    block = dice.choice(text.blocks)
    lines = text.lines[block.first : block.end]
    times = dice.choice((1, 1, 1, 2, 9)) if len(lines) < 8 else 1
    return text.with_lines(block.end, block.end, lines * times)


def moved(text: Text, dice: Random, material: Material) -> str | None:
    """A statement stands where another one does, perhaps in another function."""
    if len(text.blocks) < 2:
        return None
    block, to = dice.sample(text.blocks, 2)
    lines = moved_in(text.plain(block), to.indent)
    if dice.random() < 0.5 and (to.end <= block.first or block.end <= to.first):
        back = moved_in(text.plain(to), block.indent)
        first, second = sorted([(block.first, block.end, back), (to.first, to.end, lines)])
        return Text(text.with_lines(*second)).with_lines(*first)
    inserted = text.with_lines(to.first, to.first, lines)
    if to.first > block.first or _is_alone(text, block):
        return inserted
    return Text(inserted).with_lines(block.first + len(lines), block.end + len(lines), [])


def from_elsewhere(text: Text, dice: Random, material: Material) -> str | None:
    """A statement of another program stands before one of these, or in its place."""
    other = Text(material.program(dice))
    if not text.blocks or not other.blocks:
        return None
    block, to = dice.choice(other.blocks), dice.choice(text.blocks)
    end = dice.choice((to.first, to.end))
    return text.with_lines(to.first, end, moved_in(other.plain(block), to.indent))


def generated(text: Text, dice: Random, material: Material) -> str | None:
    """A derived statement stands before one of these, or in its place."""
    if not text.blocks:
        return None
    to = dice.choice(text.blocks)
    lines = derived("s", dice, 3).splitlines()
    return text.with_lines(to.first, dice.choice((to.first, to.end)), moved_in(lines, to.indent))


def in_block(text: Text, dice: Random, material: Material) -> str | None:
    """A statement stands in a `try`, `with`, `match`, loop, function or class, once or many times."""
    if not text.blocks:
        return None
    block = dice.choice(text.blocks)
    inner = "".join(text.plain(block)).rstrip("\r\n")
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        inner = wrapped(inner, "b", WRAPPING, dice)
    return text.with_lines(block.first, block.end, moved_in(inner.splitlines(), block.indent))


def nested(text: Text, dice: Random, material: Material) -> str | None:
    """A statement stands deep in blocks of one kind, or an expression in brackets, calls or operators."""
    times = dice.randint(2, DEEPEST)
    if dice.random() < 0.5:
        found = text.nodes(ast.expr)
        if not found:
            return None
        node = dice.choice(found)
        begin, end = dice.choice(
            (("(", ")"), ("[", "]"), ("f(", ")"), ("-", ""), ("lambda: ", ""), ("not ", ""), ("", "[0]"), ("", ".T"),
            ("", " + x"),
             ("jax.jit(", ")"), ("{'a': ", "}"), ("x if x else ", ""), ("", "()"), ("jnp.sum(", ")"), ("(x := ", ")"),
             ("jax.vmap(lambda x: ", ")(x)"), ("[", " for x in x]")),
        )  # fmt: skip
        return text.with_nodes([(node, f"({begin * times}{text.of(node)}{end * times})")])
    if not text.blocks:
        return None
    block = dice.choice(text.blocks)
    head = dice.choice(
        ("if x:", "for x in xs:", "while x:", "with x:", "def f(x):", "class K:", "def f(x, g=f):", "if f(x):",
        "async def f(x):",
         "for i in range(3):", "@jax.jit\ndef f(x):")
    )  # fmt: skip
    lines: list[str] = []
    for depth in range(min(times, 15)):
        lines += moved_in(head.split("\n"), " " * depth)
    lines += moved_in(text.plain(block), " " * min(times, 15))
    return text.with_lines(block.first, block.end, moved_in(lines, block.indent))


def decorated(text: Text, dice: Random, material: Material) -> str | None:
    """A decorator is added, taken away, or moved to another function or class."""
    blocks = [block for block in text.blocks if isinstance(block.node, Function | ast.ClassDef)]
    if not blocks:
        return None
    block, way = dice.choice(blocks), dice.randrange(3)
    decorators: list[ast.expr] = getattr(block.node, "decorator_list", [])
    if way == 0 and decorators:
        line = dice.choice(decorators).lineno - 1
        return text.with_lines(line, line + 1, [])
    if way == 1 and decorators:
        new = text.of(dice.choice(decorators))
        block = dice.choice(blocks)
    else:
        new = filled(dice.choice(known(DECORATORS)), dice, 2)
    return text.with_lines(block.first, block.first, [f"{block.indent}@{new}"])


def other_form(text: Text, dice: Random, material: Material) -> str | None:
    """A binding is written in another form: annotated, augmented, chained, starred, by walrus, `for` or `with`."""
    found = text.nodes(ast.Assign)
    if not found:
        return None
    node = dice.choice(found)
    target, value = text.of(node.targets[0]), text.of(node.value)
    forms = (
        f"{target}: {derived('h', dice)} = {value}", f"{target} {derived('o', dice)}= {value}",
        f"({target} := {value})",
        f"{derived('t', dice, 1)} = {target} = {value}", f"*{target}, = {value}", f"{target}, = {value}",
        f"({target}) = {value}",
        f"{value} = {target}", f"del {target}", f"global {target}", f"return {value}", f"yield {value}",
        f"{target} = await {value}",
        f"for {target} in {value}: pass", f"with {value} as {target}: pass", f"import {target}",
        f"{target} = yield {value}",
        f"{target} = lambda: {value}", f"{target} = [{target} for {target} in {value}]", f"assert {value}, {target}",
        f"{target}[0] = {value}", f"{target}.x = {value}", f"{target} = {target} = {value}", f"{target} = {value},",
        f"print({value})",
        f"if ({target} := {value}): pass", f"{target}: {value}", f"raise {value}", f"{target} = *{value}, 1",
        f"{value}",
    )  # fmt: skip
    return text.with_nodes([(node, dice.choice(forms))])


IN_PLACE = (
    "{left} {sign}= {right}", "{left} {sign}= {right}", "{left}: int = {left} {sign} {right}",
    "({left} := {left} {sign} {right})",
    "{left} = {left} = {left} {sign} {right}", "{left}, y = {left} {sign} {right}, 1",
    "({left}) = ({left}\n{sign} {right})",
    "for {left} in ({left} {sign} {right}): f({left})", "with f({left} {sign} {right}) as {left}: f({left})",
    "match {left} {sign} {right}:\n    case {left}: f({left})", "{left} {sign}= {right}; {left} {sign}= {right}",
    "if x: {left} {sign}= {right}", "f(*({left} {sign} {right}), **{left})", "f'{{{left} {sign} {right}}}'",
    "@f({left} {sign} {right})\ndef g(x={left} {sign} {right}): return lambda x={left} {sign} {right}: x",
    "return [{left} {sign} {right} for x in x if {left} {sign} {right}]",
)  # fmt: skip
"""Where an operation may stand: what a rule says of one is said, and repaired, in each of these."""


def in_place(text: Text, dice: Random, material: Material) -> str | None:
    """An operation or a call on a name becomes a statement before it that binds the name: `key + 1`, `key += 1`."""
    found = [
        (block, node)
        for block in text.blocks
        if not hasattr(block.node, "body")
        for node in ast.walk(block.node)
        if isinstance(node, ast.BinOp | ast.Call) and isinstance(getattr(node, "left", None) or _first(node), ast.Name)
    ]
    if not found:
        return None
    block, node = dice.choice(found)
    left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.args[0], node)
    written = {"left": text.of(left), "right": text.of(right), "sign": dice.choice(("+", "*", "-", "@", "|", "**"))}
    lines = dice.choice(IN_PLACE).format(**written).split("\n")
    return text.with_lines(block.first, dice.choice((block.first, block.end)), moved_in(lines, block.indent))


def _first(node: ast.AST) -> ast.expr | None:
    """The first argument of a call."""
    return node.args[0] if isinstance(node, ast.Call) and node.args else None
