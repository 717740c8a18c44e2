"""Keys that a function may do without: where such a key may still be None, a plain split of it would raise.

    def noisy(x, rng=None):
        if rng is not None:                 in front of this line nobody knows whether there is a key
            x = x + normal(rng, x.shape)    in front of this one there is one
"""

from __future__ import annotations

import ast

from flake8_jax.syntax.layout import FUNCTIONS, Block, Layout, NodePlace, begin

LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
UNSURE = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension)

MOST = 16
"""How many reads of a key are asked what they hand it to, or what they ask of it."""

ASKING = frozenset(("get", "pop"))
"""Methods of a mapping that give None where it has no such key."""


def may_be_none(layout: Layout, frame: ast.AST, key: str, statement: ast.stmt, first: ast.expr, split: str) -> bool:
    """May a key of a function be None in front of a statement, as its default or tests of it say?

    `first` is its first read there, `split` how the file calls what splits keys: a draw that is made in any case shows
    that there is a key.
    """
    if not _is_optional(layout, frame, key) or _is_drawn_from(layout, statement, first, split.rpartition(".")[0]):
        return False
    settled = _settled(layout, frame, key)
    for around in layout.way(statement):
        if around is frame:
            break
        if not isinstance(around, ast.stmt) or around not in layout.blocks:
            continue
        block = layout.blocks[around]
        if settled.get(block, begin(around)) < begin(around):
            return False
        if isinstance(block.owner, ast.If) and _says_key(layout, block.owner.test, key, block.name == "body"):
            return False
    return True


def _is_optional(layout: Layout, frame: ast.AST, key: str) -> bool:
    """Is None the default of a parameter of this name, or is it asked whether the key is None?"""
    known = layout.memo.get(("optional", frame, key))
    if not isinstance(known, bool):
        reads = layout.reads.get((frame, key), ())
        known = _is_left_out(frame, key) or any(_is_compared(layout.parents[read]) for read in reads)
        known = known or any(_is_tested_below(layout, read) for read in reads[:MOST])
        layout.memo["optional", frame, key] = known
    return known


def _is_left_out(frame: ast.AST, key: str) -> bool:
    """Is None the default of a parameter, or among what its annotation allows?"""
    if not isinstance(frame, FUNCTIONS):
        return False
    given = [*frame.args.posonlyargs, *frame.args.args]
    defaults = [*zip(given[::-1], frame.args.defaults[::-1]), *zip(frame.args.kwonlyargs, frame.args.kw_defaults)]
    if any(one.arg == key and default is not None and _is_none(default) for one, default in defaults):
        return True
    return any(one.arg == key and _allows_none(one.annotation) for one in (*given, *frame.args.kwonlyargs))


def _allows_none(annotation: ast.expr | None) -> bool:
    """Does an annotation say `Optional[...]` or `... | None`?"""
    if isinstance(annotation, ast.Subscript):
        named = annotation.value
        return (named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")) == "Optional"
    return isinstance(annotation, ast.BinOp) and any(map(_is_none, (annotation.left, annotation.right)))


def _is_tested_below(layout: Layout, read: ast.expr) -> bool:
    """Is a key handed to a function of the file that asks whether it is None?"""
    around = layout.parents[read]
    call = layout.parents[around] if isinstance(around, ast.keyword) else around
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return False
    function = functions_by_name(layout).get(call.func.id)
    if not isinstance(function, FUNCTIONS):
        return False
    taken = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(around, ast.keyword):
        name = around.arg or ""
    else:
        place = call.args.index(read) if read in call.args else len(taken)
        name = taken[place] if place < len(taken) else ""
    return any(_is_compared(layout.parents[one]) for one in layout.reads.get((function, name), ())[:MOST])


def functions_by_name(layout: Layout) -> dict[str, ast.AST]:
    """The functions of a file by their names, found once."""
    known = layout.memo.get("functions")
    if isinstance(known, dict):
        return known
    found: dict[str, ast.AST] = {one.name: one for one in layout.blocks if isinstance(one, FUNCTIONS)}
    layout.memo["functions"] = found
    return found


def _is_compared(around: ast.AST) -> bool:
    """Is an expression a comparison with None?"""
    return isinstance(around, ast.Compare) and any(map(_is_none, around.comparators))


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _says_key(layout: Layout, test: ast.expr, key: str, holds: bool) -> bool:
    """Is there a key, if a test holds, or if it does not?"""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _says_key(layout, test.operand, key, not holds)
    if isinstance(test, ast.BoolOp):
        is_each_known = isinstance(test.op, ast.And if holds else ast.Or)
        return is_each_known and any(_says_key(layout, one, key, holds) for one in test.values)
    if isinstance(test, ast.Compare):
        is_other = isinstance(test.ops[0], (ast.IsNot, ast.NotEq))
        return _is_compared(test) and is_other is holds and layout.text(test.left) == key
    return holds and isinstance(test, (ast.Name, ast.Attribute, ast.Subscript)) and layout.text(test) == key


def _settled(layout: Layout, frame: ast.AST, key: str) -> dict[Block, NodePlace]:
    """Where statements of each block first see to it that there is a key: they bind one, or go on with one alone."""
    known = layout.memo.get(("settled", frame, key))
    if isinstance(known, dict):
        return known
    found: dict[Block, NodePlace] = {}
    for node in (*layout.stores.get((frame, key), ()), *layout.reads.get((frame, key), ())):
        statement = layout.statement(node)
        if statement is not None and _binds(layout, key, statement, node):
            _note(layout, found, statement)
            owner, name = layout.blocks[statement].owner, layout.blocks[statement].name
            if isinstance(owner, ast.If) and name == "body" and _says_key(layout, owner.test, key, holds=False):
                _note(layout, found, owner)
        elif isinstance(statement, (ast.Assert, ast.If)) and _asks_for(layout, key, statement):
            _note(layout, found, statement)
    layout.memo["settled", frame, key] = found
    return found


def _asks_for(layout: Layout, key: str, statement: ast.Assert | ast.If) -> bool:
    """Does nothing go on behind a test where there is no key?"""
    if isinstance(statement, ast.Assert):
        return _says_key(layout, statement.test, key, holds=True)
    return isinstance(statement.body[-1], LEAVING) and _says_key(layout, statement.test, key, holds=False)


def _note(layout: Layout, found: dict[Block, NodePlace], statement: ast.stmt) -> None:
    block = layout.blocks[statement]
    found[block] = min(found.get(block, begin(statement)), begin(statement))


def _binds(layout: Layout, key: str, statement: ast.stmt, node: ast.AST) -> bool:
    """Does a statement bind a name to something else than None?"""
    is_store = isinstance(getattr(node, "ctx", None), ast.Store)
    return is_store and isinstance(statement, ast.Assign) and not _may_give_none(layout, key, statement.value)


def _may_give_none(layout: Layout, key: str, value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        arms = ((value.body, True), (value.orelse, False))
        return any(
            _may_give_none(layout, key, arm)
            and not (layout.text(arm) == key and _says_key(layout, value.test, key, holds))
            for arm, holds in arms
        )
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Attribute) and value.func.attr in ASKING
    if isinstance(value, ast.BinOp):
        return _may_give_none(layout, key, value.left)
    return isinstance(value, (ast.Name, ast.Attribute, ast.Tuple, ast.Constant))


def _is_drawn_from(layout: Layout, statement: ast.stmt, read: ast.expr, module: str) -> bool:
    """Does a statement draw from a key whatever holds?"""
    around = layout.parents.get(read)
    if not module or layout.statement(read) is not statement or not isinstance(around, ast.Call):
        return False
    between = (one for one in layout.way(read) if begin(one) >= begin(statement))
    return read in around.args and layout.text(around.func).startswith(module) and not any(
        isinstance(one, UNSURE) for one in between
    )
