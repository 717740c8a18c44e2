"""One mutant by its number: a program cut out of a file, or derived, and changed in one to three ways."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from tests.mutants import expressions, grammar, statements, writing
from tests.mutants.material import Material
from tests.mutants.texts import Text

Mutation = Callable[[Text, Random, Material], "str | bytes | None"]
MAIN, AID = "main.py", "aid.py"
DERIVED = "derived"
CUT_IN_TWO = "cut in two files"
TRIALS = 20

MUTATIONS: Mapping[str, tuple[Mutation, int]] = {
    "bytes": (writing.bytes_changed, 2),
    "characters": (writing.characters, 3),
    "characters in texts": (writing.in_strings, 2),
    "tokens": (writing.tokens, 4),
    "operators": (writing.operators, 5),
    "keywords": (writing.keywords, 3),
    "literals": (writing.literals, 5),
    "names beyond ASCII": (writing.names_beyond_ascii, 4),
    "names swapped": (writing.names_swapped, 6),
    "indentation": (writing.indentation, 4),
    "line ends and comments": (writing.line_ends, 4),
    "statements dropped": (statements.dropped, 4),
    "statements doubled": (statements.doubled, 5),
    "statements moved": (statements.moved, 6),
    "statements of another program": (statements.from_elsewhere, 5),
    "statements derived": (statements.generated, 5),
    "statements in blocks": (statements.in_block, 6),
    "statements in another form": (statements.other_form, 6),
    "operations as statements": (statements.in_place, 6),
    "nested deeper": (statements.nested, 4),
    "decorators": (statements.decorated, 5),
    "expressions replaced": (expressions.replaced, 6),
    "expressions derived": (expressions.generated, 6),
    "expressions in others": (expressions.in_expression, 6),
    "arguments": (expressions.arguments, 6),
    "parameters": (expressions.parameters, 5),
    "targets": (expressions.targets, 5),
}
"""Each kind of mutation, and how often it is made beside the others."""

NAMES = tuple(MUTATIONS)
WEIGHTS = tuple(weight for _, weight in MUTATIONS.values())
KINDS = (*NAMES, DERIVED, CUT_IN_TWO)


@dataclass(frozen=True, slots=True)
class Mutant:
    """Its number, how it was made, and its one or two files."""

    number: int
    kinds: tuple[str, ...]
    files: Mapping[str, bytes]


def mutant(number: int, material: Material) -> Mutant:
    """The mutant of a number; the same for the same files and the same version of Python."""
    dice = Random(number)
    if dice.random() < 0.2:
        text, kinds = grammar.program(dice), [DERIVED]
    else:
        text, kinds = material.program(dice), []
    changed: str | bytes = text
    for _ in range(dice.choice((0, 0, 1) if kinds else (1, 1, 1, 2, 2, 3))):
        found = _changed(Text(text), dice, material)
        if found is None:
            break
        kind, changed = found
        kinds.append(kind)
        if isinstance(changed, bytes):
            return Mutant(number, tuple(kinds), {MAIN: changed})
        text = changed
    files = _cut_in_two(text, dice) if dice.random() < 0.08 else None
    if files is not None:
        kinds.append(CUT_IN_TWO)
    files = files or {MAIN: text}
    return Mutant(number, tuple(kinds), {name: each.encode("utf-8", "surrogatepass") for name, each in files.items()})


def _changed(text: Text, dice: Random, material: Material) -> tuple[str, str | bytes] | None:
    """A mutation that changes the text, and what it makes of it."""
    for name in dice.choices(NAMES, WEIGHTS, k=TRIALS):
        new = MUTATIONS[name][0](text, dice, material)
        if new is not None and new not in (text.text, text.text.encode("utf-8", "surrogatepass")):
            return name, new
    return None


def _cut_in_two(text: str, dice: Random) -> dict[str, str] | None:
    """The first statements as a file of its own, from which the others import what it binds."""
    whole = Text(text)
    if whole.tree is None or len(whole.tree.body) < 3:
        return None
    imports = [
        block for block in whole.blocks if isinstance(block.node, ast.Import | ast.ImportFrom) and not block.indent
    ]
    others = [block for block in whole.blocks if block.node in whole.tree.body and block not in imports]
    if len(others) < 2:
        return None
    cut = others[dice.randrange(1, len(others))].first
    head = "".join(line for block in imports for line in whole.lines[block.first : block.end])
    names = [
        getattr(block.node, "name", None) or whole.of(getattr(block.node, "targets", [block.node])[0])
        for block in others
        if block.first < cut and isinstance(block.node, ast.FunctionDef | ast.ClassDef | ast.Assign)
    ]
    names = [name for name in dict.fromkeys(names) if name.isidentifier()]
    form = dice.choice(
        ("import aid\nfrom aid import {}\n", "from aid import {}\n", "from aid import *\nimport aid as {}\n")
    )
    link = form.format(", ".join(names) if names and "*" not in form else (names or ["aid"])[0])
    return {AID: "".join(whole.lines[:cut]), MAIN: head + link + "".join(whole.lines[cut:])}
