"""Liveness analysis of local names: finds dead stores, assignments that no path reads afterwards.

    def add_bias(x):
        y = x            read below
        x += 1           nobody reads `x` from here on
        return y

Sets of live names are carried backwards through a function's statements; a loop is turned until they grow no more.
Whatever is hard to follow keeps a name alive: a nested function that reads it, `del`, `global`, `locals()`, a handler.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from flake8_jax.runtime.watching.rewriting import SCOPES

LiveNames: TypeAlias = "frozenset[str]"
BindingStatement: TypeAlias = "ast.Assign | ast.AnnAssign | ast.AugAssign"
NONE: LiveNames = frozenset()
_LOOKS_AT_ALL = {"locals", "vars", "eval", "exec", "dir"}


def unread(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[BindingStatement]:
    """The statements of a function whose targets are all local names and never read afterwards."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    if names & _LOOKS_AT_ALL:
        return []
    flow = _Flow(_kept(function))
    flow.block(function.body, NONE)
    return [statement for statement, is_live in flow.bindings.values() if not is_live]


def targets(statement: ast.stmt) -> list[str] | None:
    """The plain names that an assignment binds; None if it stores anywhere else."""
    match statement:
        case ast.Assign(targets=places):
            found = places
        case ast.AugAssign(target=place) | ast.AnnAssign(target=place):
            found = [place]
        case _:
            return None
    every = [node for place in found for node in _parts(place)]
    names = [node.id for node in every if isinstance(node, ast.Name)]
    return names if len(names) == len(every) else None


@dataclass(slots=True)
class _Flow:
    """Names that are always live, those a handler may read, where `break` and `continue` go, and what was found."""

    kept: LiveNames
    rescued: LiveNames = NONE
    leaves: LiveNames = NONE
    turns: LiveNames = NONE
    bindings: dict[int, tuple[BindingStatement, bool]] = field(default_factory=dict)

    def block(self, statements: Sequence[ast.stmt], live: LiveNames) -> LiveNames:
        """The names that are live before some statements, from those after them."""
        for statement in reversed(statements):
            live = self._statement(statement, live)
        return live

    def _statement(self, statement: ast.stmt, live: LiveNames) -> LiveNames:
        match statement:
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign():
                return self._binding(statement, live)
            case ast.If(test=test, body=body, orelse=other):
                return _reads(test) | self.block(body, live) | self.block(other, live)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(statement, live)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                return self.block(body, live) | _reads(*items)
            case ast.Try():
                return self._try(statement, live)
            case ast.Match(subject=subject, cases=cases):
                arms = [self.block(case.body, live) | _reads(case.pattern, case.guard) for case in cases]
                return live.union(_reads(subject), *arms)
            case ast.Return() | ast.Raise():
                return _reads(statement)
            case ast.Break():
                return self.leaves
            case ast.Continue():
                return self.turns
        return live | _reads(statement)

    def _binding(self, statement: BindingStatement, live: LiveNames) -> LiveNames:
        names = targets(statement)
        if names is None or statement.value is None:
            return live | _reads(statement)
        is_live = bool(set(names) & (live | self.kept | self.rescued))
        self.bindings[id(statement)] = (statement, is_live)
        before = live - frozenset(names) | _reads(statement.value)
        return before | frozenset(names) if isinstance(statement, ast.AugAssign) else before

    def _loop(self, loop: ast.For | ast.AsyncFor | ast.While, live: LiveNames) -> LiveNames:
        head = loop.test if isinstance(loop, ast.While) else loop.target
        bound = NONE if isinstance(loop, ast.While) else _stores(loop.target)
        around = self.leaves, self.turns
        start = self.block(loop.orelse, live) | _reads(head)
        known: LiveNames | None = None
        grown = start
        while grown != known:
            known = grown
            self.leaves, self.turns = live, known
            grown = known | (self.block(loop.body, known) - bound)
        self.leaves, self.turns = around
        return grown if isinstance(loop, ast.While) else grown | _reads(loop.iter)

    def _try(self, statement: ast.Try, live: LiveNames) -> LiveNames:
        after = self.block(statement.finalbody, live)
        handlers = NONE.union(*(self.block(each.body, after) | _reads(each.type) for each in statement.handlers))
        outside = self.rescued
        self.rescued |= handlers | after
        before = self.block(statement.body, self.block(statement.orelse, after) | handlers)
        self.rescued = outside
        return before | handlers


def _parts(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [part for element in target.elts for part in _parts(element)]
    return _parts(target.value) if isinstance(target, ast.Starred) else [target]


def _reads(*nodes: ast.AST | None) -> LiveNames:
    found = (each for node in nodes if node is not None for each in ast.walk(node))
    return frozenset(
        each.id for each in found if isinstance(each, ast.Name) and isinstance(each.ctx, (ast.Load, ast.Del))
    )


def _stores(node: ast.AST) -> LiveNames:
    return frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _kept(function: ast.FunctionDef | ast.AsyncFunctionDef) -> LiveNames:
    """Names that a nested scope reads or that are not local."""
    inner = [node for node in ast.walk(function) if isinstance(node, SCOPES) and node is not function]
    kept = _reads(*inner)
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            kept |= frozenset(node.names)
    return kept
