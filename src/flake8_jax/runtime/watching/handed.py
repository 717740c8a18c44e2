"""Detects keys that one call or display passes on twice, by giving the second receiver another key.

    model.apply(x, rngs={
        "params": key,
        "dropout": key,          line 3; the run with `another(key)` here has no reuse: it comes from this line
    })

The draws themselves stand in the model, each on a line of its own that does nothing wrong.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from flake8_jax.runtime import loading
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.ledger import KeyLedger
from flake8_jax.runtime.watching.others import other_key
from flake8_jax.runtime.watching.reuse import Reuse, reuses

ANOTHER = "__another_key__"
MOST = 6

ReuseIdentity: TypeAlias = "tuple[str, tuple[int, ...], str, tuple[int, ...]]"


def identity(reuse: Reuse) -> ReuseIdentity:
    """The identity of a reuse, equal in another run of the same program."""
    return reuse.first.operation, reuse.first.lines, reuse.second.operation, reuse.second.lines


def handed_twice(trial: Trial, seen: Sequence[Reuse]) -> dict[ReuseIdentity, int]:
    """The lines that pass a key on a second time, for reuses caused by that."""
    tree = loading.slice_of(trial.fixture, trial.case) if seen else ast.Module([], [])
    tree = trial.edit(tree) if trial.edit and seen else tree
    found: dict[ReuseIdentity, int] = {}
    for number, again in enumerate(list(_again(tree))[:MOST]):
        left = _left(trial, number)
        for reuse in seen if left is not None else ():
            if identity(reuse) not in (left or ()):
                found.setdefault(identity(reuse), again.lineno)
    return found


def _left(trial: Trial, number: int) -> set[ReuseIdentity] | None:
    """The reuses when the taker of this number is given another key; None if it took none."""
    given: list[object] = []

    def another(value: Foreign) -> Foreign:
        other = other_key(value)
        if other is None:
            return value
        given.append(other)
        return other

    ledger = KeyLedger(trial.path)
    before = len(trial.errors)
    with trial.run(
        ledger, edit=lambda tree: _Replaced(list(_again(tree))[number]).edit(tree), given={ANOTHER: another}
    ):
        left = {identity(reuse) for reuse in reuses(ledger.draws())}
    del trial.errors[before:]
    return left if given else None


def _again(tree: ast.Module) -> Iterator[ast.expr]:
    """Each expression that a call or display holds once more."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Call, ast.Dict, ast.List, ast.Tuple, ast.Set)):
            before: set[str] = set()
            for part in _parts(node):
                if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Load):
                    if ast.dump(part) in before:
                        yield part
                    before.add(ast.dump(part))


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """What a call or display holds itself, or in displays in it."""
    match node:
        case ast.Call(args=args, keywords=keywords):
            held = [*args, *(keyword.value for keyword in keywords)]
        case ast.Dict(values=values):
            held = values
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            held = elts
        case _:
            held = []
    for part in held:
        yield part
        if not isinstance(part, ast.Call):
            yield from _parts(part)


class _Replaced(ast.NodeTransformer):
    """Gives another key to one expression."""

    def __init__(self, which: ast.expr) -> None:
        self._which = which

    def edit(self, tree: ast.Module) -> ast.Module:
        """The module, with the key replaced."""
        self.visit(tree)
        return tree

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self._which:
            call = ast.Call(ast.Name(ANOTHER, ast.Load()), [self._which], [])
            return ast.copy_location(call, node)
        return super().generic_visit(node)
