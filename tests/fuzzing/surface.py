"""What the text of a program shows without running it: lines on which a report is no false alarm, or is due."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import TypeAlias

from tests.fuzzing.terms import MARK, Place

SEEDS = frozenset(("PRNGKey", "key"))
Trees: TypeAlias = Mapping[str, ast.Module]


class Invalid(Exception):
    """A program that does not run, or has too many paths."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What Python makes of a program's files."""

    trees: Trees
    codes: Mapping[str, CodeType]


@dataclass(frozen=True, slots=True)
class Surface:
    """Lines that throw a derivation away; that bind names which nobody reads, so that a reader may be still to come;
    on which any report is welcome; which name one key twice in a dict; and which make keys of the numbers of a loop,
    again in each iteration of another one.
    """

    thrown_away: frozenset[Place] = frozenset()
    idle: frozenset[Place] = frozenset()
    allowed: frozenset[Place] = frozenset()
    displays: frozenset[Place] = frozenset()
    enumerated: frozenset[Place] = frozenset()


NOTHING = Surface()


def parsed(texts: Mapping[str, str]) -> Parsed:
    """The trees and the code of a program; raises `Invalid`."""
    try:
        trees = {name: ast.parse(text) for name, text in texts.items()}
        codes = {name: compile(tree, f"{MARK}{name}", "exec") for name, tree in trees.items()}
    except SyntaxError as error:
        raise Invalid(str(error)) from error
    if any(index not in text for text in texts.values() for index in _counters(text)):
        raise Invalid("endless")
    return Parsed(trees, codes)


def _counters(text: str) -> list[str]:
    """What each while of a file must hold, to end."""
    return [f"{index} += 1" for index in re.findall(r"while (\w+) <", text)]


def surface(trees: Trees) -> Surface:
    """The lines that matter in the text of a program."""
    displays = frozenset(_displays(trees))
    allowed = displays.union(_defaults(trees), _salted(trees))
    return Surface(
        frozenset(_thrown_away(trees)), frozenset(_idle(trees)), allowed, displays, frozenset(_enumerated(trees))
    )


def _thrown_away(trees: Trees) -> Iterator[Place]:
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                function = node.value.func
                if isinstance(function, ast.Attribute) and function.attr in ("split", "fold_in"):
                    yield name, node.lineno


def _idle(trees: Trees) -> Iterator[Place]:
    """Lines that bind a name which is read nowhere, and those of a module itself, whose names others may read."""
    for name, tree in trees.items():
        nodes = list(ast.walk(tree))
        read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
        local = {id(inner) for function in functions for inner in ast.walk(function)}
        for node in nodes:
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
                continue
            if node.targets[0].id not in read or id(node) not in local:
                yield name, node.lineno


def _defaults(trees: Trees) -> Iterator[Place]:
    """Lines on which a key is the default of a parameter."""
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                for default in node.args.defaults:
                    if isinstance(default, ast.Call):
                        yield name, default.lineno


def _salted(trees: Trees) -> Iterator[Place]:
    """Lines on which a key is derived with the hash of a text: in each run another, whatever it is used for."""
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fold_in":
                inner = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
                if any(isinstance(each, ast.Name) and each.id == "hash" for each in inner):
                    yield name, node.lineno


def _displays(trees: Trees) -> Iterator[Place]:
    """Lines on which a dict of several expressions is made: one key may stand there twice, under whatever names.

    All of an rngs dict is used, whatever is read here.
    """
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                values = node.values
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
                values = [keyword.value for keyword in node.keywords]
            else:
                continue
            if len(values) > 1 and not any(isinstance(value, ast.Constant) for value in values):
                yield name, node.lineno


def _enumerated(trees: Trees) -> Iterator[Place]:
    """Lines in a loop around which another one runs, where keys are made of numbers that the inner one counts."""
    for name, tree in trees.items():
        for outer in ast.walk(tree):
            for inner in ast.walk(outer) if isinstance(outer, ast.For) else ():
                if inner is not outer and isinstance(inner, ast.For) and isinstance(inner.target, ast.Name):
                    yield from ((name, line) for line in _seeded_by(inner, inner.target.id))


def _seeded_by(loop: ast.For, index: str) -> Iterator[int]:
    for node in ast.walk(loop):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in SEEDS:
            continue
        if any(isinstance(one, ast.Name) and one.id == index for one in ast.walk(node)):
            yield node.lineno
