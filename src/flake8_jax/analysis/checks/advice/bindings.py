"""What statements bind, what they read before that, and what is read behind them: what a function in their place has
to be given and to give back.

    n = n + 1               reads and binds `n`
    half = n / 2            binds `half`, which is given back only where something behind reads it
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.layout import FUNCTIONS, LOOPS, Layout

ODD = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions that bind or leave."""


@dataclass(slots=True)
class Bindings:
    """The names that statements bind, in order; those bound in any case; those read before they are bound; what is
    printed.
    """

    names: dict[str, None]
    always: set[str]
    exposed: set[str]
    prints: list[ast.Call] = field(default_factory=list)

    def inside(self) -> Bindings:
        """Those of a block that may not run."""
        return Bindings(self.names, set(self.always), self.exposed, self.prints)


def bindings_of(statements: Sequence[ast.stmt]) -> Bindings | None:
    """What statements bind; None if they do more: leave, store in objects, call for an effect."""
    found = Bindings({}, set(), set())
    return found if follow(statements, found) else None


def follow(statements: Sequence[ast.stmt], found: Bindings) -> bool:
    """Note what statements bind behind others; False if they do more."""
    return all(_follow(statement, found, is_in_loop=False) for statement in statements)


def _follow(statement: ast.stmt, found: Bindings, is_in_loop: bool) -> bool:
    match statement:
        case ast.Assign(targets=targets, value=value):
            return read(value, found) and all(_bind(target, found) for target in targets)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            return read(value, found) and _bind(target, found)
        case ast.AugAssign(target=ast.Name(id=name) as target, value=value):
            if name not in found.always:
                found.exposed.add(name)
            return read(value, found) and _bind(target, found)
        case ast.If(test=test, body=body, orelse=orelse):
            if not read(test, found):
                return False
            ways = [found.inside(), found.inside()]
            known = [all(_follow(one, way, is_in_loop) for one in block) for block, way in zip((body, orelse), ways)]
            found.always |= ways[0].always & ways[1].always
            return all(known)
        case ast.For(target=target, iter=turns, body=body, orelse=[]):
            inner = found.inside()
            return read(turns, found) and _bind(target, inner) and all(_follow(one, inner, True) for one in body)
        case ast.While(test=test, body=body, orelse=[]):
            inner = found.inside()
            return read(test, found) and all(_follow(one, inner, True) for one in body)
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), keywords=[]) as call):
            found.prints.append(call)
            return read(call, found)
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Break() | ast.Continue():
            return is_in_loop
    return False


def read(value: ast.expr, found: Bindings) -> bool:
    """Note what an expression looks up; False if it binds or leaves."""
    for node in ast.walk(value):
        if isinstance(node, ODD):
            return False
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in found.always:
            found.exposed.add(node.id)
    return True


def _bind(target: ast.expr, found: Bindings) -> bool:
    names = list(names_in(target))
    found.names.update(dict.fromkeys(names))
    found.always.update(names)
    return "" not in names


def names_in(target: ast.expr) -> Iterator[str]:
    """The names of a target; "" for what is none."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from names_in(element)
    else:
        yield target.id if isinstance(target, ast.Name) else ""


def is_read_behind(layout: Layout, statement: ast.stmt, name: str) -> bool:
    """May a value that a statement binds to a name be looked up behind it?"""
    frame = layout.frame(statement)
    if not isinstance(frame, FUNCTIONS) or (frame, name) in layout.captured:
        return True
    inner: ast.AST = statement
    while inner is not frame:
        if not isinstance(inner, ast.stmt):
            inner = layout.parents[inner]
            continue
        block = layout.blocks[inner]
        siblings: list[ast.stmt] = getattr(block.owner, block.name)
        used = _first_use(siblings[siblings.index(inner) + 1 :], name)
        if used is not None:
            return used
        if isinstance(block.owner, LOOPS) and block.name == "body" and _is_read_anew(block.owner, name):
            return True
        if isinstance(block.owner, (ast.Try, ast.ExceptHandler)) and _reads(block.owner, name):
            return True
        inner = block.owner
    return False


def _is_read_anew(loop: ast.AST, name: str) -> bool:
    """Does the next turn of a loop look a name up before it binds it?"""
    if isinstance(loop, ast.While) and _reads(loop.test, name):
        return True
    if isinstance(loop, (ast.For, ast.AsyncFor)) and name in names_in(loop.target):
        return False
    return _first_use(getattr(loop, "body", []), name) is True


def _first_use(statements: Iterable[ast.stmt], name: str) -> bool | None:
    """Is a name read first or bound first?  None if neither is certain and it is not read."""
    for statement in statements:
        if isinstance(statement, ast.Assign):
            if _reads(statement.value, name) or any(_reads(target, name) for target in statement.targets):
                return True
            if any(name in names_in(target) for target in statement.targets):
                return False
        elif isinstance(statement, ast.If):
            if _reads(statement.test, name):
                return True
            ways = [_first_use(block, name) for block in (statement.body, statement.orelse)]
            if True in ways:
                return True
            if ways == [False, False]:
                return False
        elif isinstance(statement, (ast.For, ast.While)):
            is_bound = isinstance(statement, ast.For) and name in names_in(statement.target)
            is_asked = _reads(statement.iter if isinstance(statement, ast.For) else statement.test, name)
            if is_asked or (not is_bound and _first_use(statement.body, name)) or _first_use(statement.orelse, name):
                return True
        elif _reads(statement, name):
            return True
        elif isinstance(statement, (ast.Return, ast.Raise)):
            return False
    return None


def _reads(node: ast.AST, name: str) -> bool:
    """Is a name looked up in a node?"""
    return any(
        (isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load))
        or (isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name) and one.target.id == name)
        for one in ast.walk(node)
    )


def bound_before(layout: Layout, statement: ast.stmt) -> set[str]:
    """The names that are bound in any case where a statement begins."""
    frame = layout.frame(statement)
    arguments = getattr(frame, "args", None)
    found: set[str] = set()
    if isinstance(arguments, ast.arguments):
        given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        found.update(argument.arg for argument in given if argument is not None)
    for around in layout.way(statement):
        if around is frame:
            break
        if isinstance(around, ast.stmt):
            block = layout.blocks[around]
            siblings: list[ast.stmt] = getattr(block.owner, block.name)
            found |= _bound_by(layout, siblings[: siblings.index(around)])
        if isinstance(around, (ast.For, ast.AsyncFor)) and around is not statement:
            found.update(names_in(around.target))
    return found


def _bound_by(layout: Layout, statements: Iterable[ast.stmt]) -> set[str]:
    """The names that statements bind where they do not leave."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.Assign):
            found.update(name for target in statement.targets for name in names_in(target))
        elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)) and statement.value is not None:
            found.update(names_in(statement.target))
        elif isinstance(statement, ast.If):
            found |= _bound_in_each_arm(layout, statement)
        elif isinstance(statement, ast.With):
            found |= _bound_by(layout, statement.body)
        elif isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            found.add(statement.name)
    return found


def _bound_in_each_arm(layout: Layout, branch: ast.If) -> set[str]:
    """The names that a branch binds whichever arm is run, found once."""
    found = layout.memo.get(("bound", branch))
    if not isinstance(found, set):
        arms = [block for block in (branch.body, branch.orelse) if not block or not _leaves(block)]
        found = set.intersection(*[_bound_by(layout, block) for block in arms]) if arms else set()
        layout.memo["bound", branch] = found
    return found


def _leaves(block: Sequence[ast.stmt]) -> bool:
    return isinstance(block[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
