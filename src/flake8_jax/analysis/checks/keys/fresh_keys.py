"""A new key that lies unused beside one that is used up and goes on: it is meant to go on.

noise, key = draw(key0)         `draw` returns the new key
return noise, key0              return noise, key

key, sub = split(carry.key)
return Carry(carry.key, x)      return Carry(key, x)

key, sub = split(self.key)      self.key, sub = split(self.key)

x, key = carry                  the body of a loop: `key` is the new one from here on,
key, sub = split(key)
return x, key0                  return x, key
"""

from __future__ import annotations

import ast

from flake8_jax.analysis.checks.naming import names_key
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.ir.ops import Op
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.layout import FUNCTIONS, Layout, begin, end
from flake8_jax.syntax.positions import unpacked

SPELLED = (ast.Name, ast.Attribute, ast.Subscript)


@advising(ADVICE, None)
def fresh_instead(op: Op, by: str, words: str, is_kept: bool) -> Remedy | None:
    """The new key that the call at `op`, an argument of it, returns beside its result, in the place of the old one.

    It is the only name like a key that the call binds, nobody reads it, and the old key is read once afterwards; of one
    that an object holds, which `is_kept` there as it was, it is the only name that nobody reads.
    """
    layout = op.anchor.origin.source.layout
    old = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    statement = layout.statement(old) if isinstance(old, SPELLED) else None
    if not isinstance(old, SPELLED) or not isinstance(statement, ast.Assign):
        return None
    if not _is_argument(layout, old, statement):
        return None
    target, frame = statement.targets[0], layout.frame(old)
    key = layout.text(old)
    if isinstance(old, ast.Name) and any(_is_name(one, key) for one in getattr(target, "elts", ())):
        return _carried_on(layout, old, statement, words)
    parts = [one for one in getattr(target, "elts", ()) if isinstance(one, ast.Name)]
    unread = [one for one in parts if _is_unread(layout, frame, one.id)]
    later = [read for read in layout.reads.get((frame, key), ()) if begin(read) > end(statement)]
    if len(statement.targets) != 1 or ((frame, key) in layout.stores and not isinstance(old, ast.Name)):
        return None
    if is_kept:
        is_plain = isinstance(old, ast.Attribute) and len(unread) == 1 and not later
        return _kept(layout, target, unread[0], key, words) if is_plain else None
    named = [one for one in parts if names_key(one.id)]
    is_split = by.endswith("split") and len(parts) == len(getattr(target, "elts", ())) and len(unread) == 1
    is_used_below = len(later) == 1 and unread == named
    if is_split and not is_used_below and isinstance(old, ast.Name) and _is_own(layout, frame, key):
        return _kept(layout, target, unread[0], key, words)
    if len(named) != 1 or named[0] not in unread or len(later) != 1:
        return None
    said = f"on line {begin(later[0])[0]} use `{named[0].id}`, which `{by}` returns"
    return Remedy(said, words, (layout.replaced(later[0], named[0].id),))


def _is_own(layout: Layout, frame: ast.AST, key: str) -> bool:
    """Is it a name of the function itself, so that it can be bound anew there?"""
    is_bound = any(isinstance(one, ast.Name) for one in layout.stores.get((frame, key), ()))
    if is_bound or not isinstance(frame, FUNCTIONS):
        return is_bound
    return any(one.arg == key for one in (*frame.args.posonlyargs, *frame.args.args, *frame.args.kwonlyargs))


def _is_unread(layout: Layout, frame: ast.AST, name: str) -> bool:
    """Is a name bound once in a function, unless it says that nobody reads it, and read by nobody?"""
    is_read = (frame, name) in layout.reads or (frame, name) in layout.captured
    return not is_read and (name == "_" or len(layout.stores.get((frame, name), ())) == 1)


def _kept(layout: Layout, target: ast.expr, unread: ast.Name, key: str, words: str) -> Remedy:
    """The new key that nobody reads, stored where the object holds the old one."""
    bound = ", ".join(key if part is unread else layout.text(part) for part in getattr(target, "elts", ()))
    return Remedy(f"bind `{bound}` there", words, (layout.replaced(unread, key),))


def _carried_on(layout: Layout, old: ast.Name, statement: ast.Assign, words: str) -> Remedy | None:
    """The new key that takes the name of the old one, at the place in what is returned where that came in.

    Another key stands there, which is bound around the function, and nobody reads the new one.
    """
    frame = layout.frame(old)
    if any(begin(read) > end(statement) for read in layout.reads.get((frame, old.id), ())):
        return None
    place = _place_in(layout, frame, old.id)
    returned = [node.value for node in ast.walk(frame) if isinstance(node, ast.Return) and layout.frame(node) is frame]
    if place is None or len(returned) != 1 or not isinstance(returned[0], ast.Tuple):
        return None
    parts = returned[0].elts
    stale = parts[place] if place < len(parts) and not any(isinstance(part, ast.Starred) for part in parts) else None
    if stale is None or not _is_stale(layout, frame, stale, place):
        return None
    said = f"return `{old.id}`, the new key, in place of `{layout.text(stale)}` on line {stale.lineno}"
    return Remedy(said, words, (layout.replaced(stale, old.id),))


def _is_stale(layout: Layout, frame: ast.AST, key: ast.expr, place: int) -> bool:
    """Is it a key from around the function, or the part of the carry that came in at this place?"""
    if isinstance(key, ast.Subscript):
        return isinstance(key.value, ast.Name) and isinstance(key.slice, ast.Constant) and key.slice.value == place
    return isinstance(key, ast.Name) and names_key(key.id) and (frame, key.id) not in layout.stores


def _place_in(layout: Layout, frame: ast.AST, name: str) -> int | None:
    """The place of a name in the first tuple of names that binds it."""
    for store in sorted(layout.stores.get((frame, name), ()), key=begin):
        around = layout.parents.get(store)
        return around.elts.index(store) if isinstance(around, ast.Tuple) and isinstance(store, ast.expr) else None
    return None


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_argument(layout: Layout, key: ast.expr, statement: ast.Assign) -> bool:
    call = statement.value
    return isinstance(call, ast.Call) and layout.parents.get(key) in (call, *call.keywords)
