"""Random edits of Python files, as people make them: each leaves a file that Python can parse."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Sequence
from functools import partial

from flake8_jax.syntax.index import WORD

Lines = list[str]
Edit = Callable[[Lines, random.Random], Lines | None]

SHADOWED = ("print", "len", "range", "jnp", "jax", "np", "isinstance")


def edit(text: str, others: Sequence[str], dice: random.Random) -> tuple[str, str] | None:
    """One random edit of a text: its name and the new text, None if it led to nothing.  `others` are modules."""
    edits: dict[str, Edit] = {**EDITS, "a name of another file is used": partial(_use, others)}
    name = dice.choice(list(edits))
    lines = edits[name](text.split("\n"), dice)
    changed = "\n".join(lines) if lines is not None else text
    if changed == text:
        return None
    try:
        ast.parse(changed)
    except (SyntaxError, ValueError):
        return None
    return name, changed


def _tops(lines: Lines) -> list[tuple[int, int]]:
    """The first and last line of each top-level statement, from 0; the last is excluded."""
    body = ast.parse("\n".join(lines)).body
    firsts = [min([node.lineno, *[one.lineno for one in getattr(node, "decorator_list", [])]]) for node in body]
    return [(first - 1, node.end_lineno or first) for first, node in zip(firsts, body, strict=True)]


def bodies(lines: Lines) -> list[ast.FunctionDef]:
    """The functions of a text of which the body begins on a line of its own."""
    nodes = ast.walk(ast.parse("\n".join(lines)))
    found = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return [node for node in found if node.body[0].lineno > node.lineno]


def _comment(lines: Lines, dice: random.Random) -> Lines | None:
    first, _ = dice.choice(_tops(lines) or [(0, 0)])
    return [*lines[:first], "# a note", "", *lines[first:]]


def _words(lines: Lines, dice: random.Random) -> Lines | None:
    numbers = [number for number, line in enumerate(lines) if line.lstrip().startswith("#")]
    if not numbers:
        return None
    number = dice.choice(numbers)
    return [*lines[:number], f"{lines[number]} once more", *lines[number + 1 :]]


def _behind(lines: Lines, dice: random.Random) -> Lines | None:
    number = dice.randrange(len(lines))
    said = dice.choice(("# a note", "# jax: ignore", "# noqa", "# it says jit(x) and train"))
    return [*lines[:number], f"{lines[number]}  {said}", *lines[number + 1 :]]


def _space(lines: Lines, dice: random.Random) -> Lines | None:
    number = dice.randrange(len(lines))
    return [*lines[:number], "", *lines[number:]]


def _signature(lines: Lines, dice: random.Random) -> Lines | None:
    text = "\n".join(lines)
    heads = [*re.finditer(r"\bdef \w+\(", text)]
    if not heads:
        return None
    head, added = dice.choice(heads), dice.choice(("extra=None, *, ", "first, ", "*rest, "))
    return (text[: head.end()] + added + text[head.end() :]).split("\n")


def _constant(lines: Lines, dice: random.Random) -> Lines | None:
    text = "\n".join(lines)
    numbers = [*re.finditer(r"(?<![\w.])\d+(?![\w.])", text)]
    if not numbers:
        return None
    number = dice.choice(numbers)
    return (text[: number.start()] + str(int(number[0]) + 1) + text[number.end() :]).split("\n")


def _added(lines: Lines, dice: random.Random) -> Lines | None:
    nodes = bodies(lines)
    if not nodes:
        return None
    return with_line(lines, dice.choice(nodes), "added = 1")


def with_line(lines: Lines, function: ast.FunctionDef, added: str) -> Lines:
    """A text with a line more before the last statement of a function."""
    last = function.body[-1]
    return [*lines[: last.lineno - 1], f"{' ' * last.col_offset}{added}", *lines[last.lineno - 1 :]]


def _end(lines: Lines, dice: random.Random) -> Lines | None:
    return [*lines, "# the end"]


def _remove(lines: Lines, dice: random.Random) -> Lines | None:
    first, last = dice.choice(_tops(lines) or [(0, 0)])
    return lines[:first] + lines[last:]


def _twice(lines: Lines, dice: random.Random) -> Lines | None:
    first, last = dice.choice(_tops(lines) or [(0, 0)])
    return lines[:last] + lines[first:last] + lines[last:]


def _swap(lines: Lines, dice: random.Random) -> Lines | None:
    tops = _tops(lines)
    if len(tops) < 2:
        return None
    number = dice.randrange(len(tops) - 1)
    (a, b), (c, d) = tops[number], tops[number + 1]
    return lines[:a] + lines[c:d] + lines[b:c] + lines[a:b] + lines[d:]


def _pass(lines: Lines, dice: random.Random) -> Lines | None:
    inside = [number for node in bodies(lines) for number in range(node.body[0].lineno - 1, node.end_lineno or 0)]
    number = dice.choice(inside) if inside else None
    if number is None:
        return None
    indent = len(lines[number]) - len(lines[number].lstrip())
    return [*lines[:number], " " * indent + "pass", *lines[number + 1 :]]


def _insert(lines: Lines, dice: random.Random) -> Lines | None:
    nodes = [node for node in bodies(lines) if node.args.args]
    if not nodes:
        return None
    node = dice.choice(nodes)
    name = node.args.args[-1].arg
    added = dice.choice((
        f"if {name} > 0: pass", f"{name}[0] = 1", f"print({name})", f"{name} = list({name})", "import jax.numpy as jnp",
        f"return {name}", f"{name} = None", f"import jax; jax.random.normal({name}); jax.random.normal({name})",
    ))  # fmt: skip
    number = node.body[0].lineno - 1
    return [*lines[:number], " " * node.body[0].col_offset + added, *lines[number:]]


def _jitted(lines: Lines, dice: random.Random) -> Lines | None:
    tops = [node.name for node in ast.parse("\n".join(lines)).body if isinstance(node, ast.FunctionDef)]
    return [*lines, "import jax", f"_jitted = jax.jit({dice.choice(tops)})"] if tops else None


def _other_name(lines: Lines, dice: random.Random) -> Lines | None:
    tops = [node.name for node in ast.parse("\n".join(lines)).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    if not tops:
        return None
    name = dice.choice(tops)
    return re.sub(rf"\b{name}\b", f"{name}_other", "\n".join(lines)).split("\n")


def _shadow(lines: Lines, dice: random.Random) -> Lines | None:
    words = sorted(set(WORD.findall("\n".join(lines))) - {"self"})
    name = dice.choice((*SHADOWED, dice.choice(words)) if words else SHADOWED)
    value = dice.choice(("None", "lambda *a, **k: a", "[1, 2]", "3"))
    first = dice.choice([(len(lines), 0), *_tops(lines)])[0]
    return [*lines[:first], f"{name} = {value}", *lines[first:]]


def _global(lines: Lines, dice: random.Random) -> Lines | None:
    words = sorted(set(WORD.findall("\n".join(lines))))
    name = dice.choice(words) if words else "x"
    return [*lines, "def _changes():", f"    global {name}", f"    {name} = 1"]


def _import(lines: Lines, dice: random.Random) -> Lines | None:
    tops = [first for first, _ in _tops(lines) if lines[first].startswith(("import ", "from "))]
    if not tops:
        return None
    first = dice.choice(tops)
    changed = dice.choice((lines[first].replace("jax.numpy", "numpy"), lines[first] + "  # noqa", "import os", ""))
    return [*lines[:first], changed, *lines[first + 1 :]]


def _use(others: Sequence[str], lines: Lines, dice: random.Random) -> Lines | None:
    module = dice.choice(others) if others else None
    if module is None:
        return None
    added = dice.choice((f"from {module} import *", f"import {module}", f"import {module} as jnp"))
    first = dice.choice([(len(lines), 0), *_tops(lines)])[0]
    if any("__future__" in line for line in lines[first:]):
        return None
    return [*lines[:first], added, *lines[first:]]


EDITS: dict[str, Edit] = {
    "a comment": _comment, "a comment at the end": _end, "a statement is removed": _remove,
    "a statement stands twice": _twice, "two statements change places": _swap, "a line becomes pass": _pass,
    "a line is put into a function": _insert, "a function is jitted": _jitted, "a name is changed": _other_name,
    "words of a comment": _words, "a comment behind a line": _behind, "an empty line": _space,
    "a signature": _signature, "a constant": _constant, "a line is added to a function": _added,
    "a name is bound once more": _shadow, "a name becomes global": _global, "an import is changed": _import,
}  # fmt: skip
