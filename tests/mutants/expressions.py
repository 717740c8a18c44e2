"""Mutations of expressions: swapped, replaced, wrapped; arguments and parameters in another order, starred, named."""

from __future__ import annotations

import ast
from random import Random
from typing import TypeAlias

from tests.mutants.grammar import EXPRESSIONS, PARAMETERS, TARGETS, derived, filled, known, wrapped
from tests.mutants.material import Material
from tests.mutants.texts import Text

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def _expressions(text: Text) -> list[ast.expr]:
    """Expressions that are read."""
    inside = {id(part) for node in text.nodes(ast.JoinedStr) for part in ast.walk(node) if part is not node}
    return [
        node
        for node in text.nodes(ast.expr)
        if isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        and id(node) not in inside
        and not isinstance(node, ast.Slice | ast.Starred)
    ]


def replaced(text: Text, dice: Random, material: Material) -> str | None:
    """An expression stands in place of another of the program, or of another program."""
    found = _expressions(text)
    source = text if dice.random() < 0.6 else Text(material.program(dice))
    others = _expressions(source)
    if not found or not others:
        return None
    return text.with_nodes([(dice.choice(found), f"({source.of(dice.choice(others))})")])


def generated(text: Text, dice: Random, material: Material) -> str | None:
    """A derived expression stands in place of one of these."""
    found = _expressions(text)
    return text.with_nodes([(dice.choice(found), derived("e", dice, 3))]) if found else None


def in_expression(text: Text, dice: Random, material: Material) -> str | None:
    """An expression stands in another, as an operand, an argument, an element, a default, a condition, an index."""
    found = _expressions(text)
    if not found:
        return None
    node = dice.choice(found)
    new = f"({text.of(node)})" if not isinstance(node, ast.Name) else text.of(node)
    for _ in range(dice.choice((1, 1, 2))):
        new = wrapped(new, "e", EXPRESSIONS, dice)
    return text.with_nodes([(node, f"({new})")])


def arguments(text: Text, dice: Random, material: Material) -> str | None:
    """The arguments of a call stand in another order, some of them starred, named, doubled or missing."""
    calls = [node for node in text.nodes(ast.Call) if node.args or node.keywords]
    if not calls:
        return None
    call = dice.choice(calls)
    texts = [text.of(node) for node in (*call.args, *call.keywords)]
    dice.shuffle(texts)
    ways = (
        "{}",
        "{}",
        "{}",
        "*{}",
        "**{}",
        "x={}",
        "key={}",
        "f({})",
        "[{}]",
        "{}, {}",
        "*[{}]",
        "**dict(x={})",
        "({} for x in x)",
    )
    new = [dice.choice(ways).replace("{}", each) for each in texts]
    if dice.random() < 0.3:
        new.pop()
    if dice.random() < 0.7:  # positions before names, so that it is parsed
        new.sort(key=lambda each: (each.startswith("**"), "=" in each.split("(")[0]))
    return text.with_nodes([(call, f"{text.of(call.func)}({', '.join(new)})")])


def parameters(text: Text, dice: Random, material: Material) -> str | None:
    """The parameters of a function stand in another order, with stars, slashes and defaults, or are others."""
    kinds: tuple[type[Function], ...] = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    found = [node for kind in kinds for node in text.nodes(kind) if node.args.args]
    if not found:
        return None
    node = dice.choice(found)
    first, last = node.args.args[0], node.args.args[-1]
    begin, end = text.places(first)[0], text.places(last)[1]
    if node.args.defaults:
        end = max(end, text.places(node.args.defaults[-1])[1])
    names = [each.arg for each in node.args.args]
    way = dice.randrange(5)
    if way == 0:
        dice.shuffle(names)
    elif way == 1:
        names.insert(dice.randint(1, len(names)), dice.choice(("/", "*", "*xs", "**kw", "*, z=1")))
    elif way == 2:
        names = [*names[:-1], f"{names[-1]}={derived('e', dice, 1)}"]
    elif way == 3:
        names = [filled(dice.choice(known(PARAMETERS[1:])), dice, 1)]
    else:
        names.pop(dice.randrange(len(names)))
    return text.with_places([((begin, end), ", ".join(names))])


def targets(text: Text, dice: Random, material: Material) -> str | None:
    """What is bound is another target: an item, an attribute, some names, or an expression."""
    found = [node for node in text.nodes(ast.expr) if isinstance(getattr(node, "ctx", None), ast.Store)]
    if not found:
        return None
    node = dice.choice(found)
    new = filled(dice.choice(TARGETS), dice, 2)
    return text.with_nodes(
        [(node, dice.choice((new, new, f"{text.of(node)}[0]", f"{text.of(node)}.x", f"({text.of(node)}, *{new})")))]
    )
