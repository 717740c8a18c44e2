"""A new key that lies unused beside one that is used up and goes on: it is meant to go on.

    noise, key = draw(key0)         `draw` returns the new key
    return noise, key0              return noise, key
"""

from __future__ import annotations

import ast

from flake8_jax.analysis.checks.naming import names_key
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.ir.ops import Op
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.layout import Layout, begin, end
from flake8_jax.syntax.positions import unpacked


@advising(ADVICE, None)
def fresh_instead(op: Op, by: str, words: str) -> Remedy | None:
    """The new key that the call at `op`, an argument of it, returns beside its result, in the place of the old one.

    It is the only name like a key that the call binds, nobody reads it, and the old key is read once afterwards.
    """
    layout = op.anchor.origin.source.layout
    old = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    statement = layout.statement(old) if isinstance(old, ast.Name) else None
    if not isinstance(old, ast.Name) or not isinstance(statement, ast.Assign):
        return None
    if not _is_argument(layout, old, statement):
        return None
    target, frame = statement.targets[0], layout.frame(old)
    named = [one.id for one in getattr(target, "elts", ()) if isinstance(one, ast.Name) and names_key(one.id)]
    if len(statement.targets) != 1 or len(named) != 1 or named[0] == old.id:
        return None
    new = named[0]
    is_bound_twice = len(layout.stores.get((frame, new), ())) > 1
    if is_bound_twice or (frame, new) in layout.reads or (frame, new) in layout.captured:
        return None
    later = [one for one in layout.reads.get((frame, old.id), ()) if begin(one) > end(statement)]
    if len(later) != 1:
        return None
    said = f"on line {begin(later[0])[0]} use `{new}`, which `{by}` returns"
    return Remedy(said, words, (layout.replaced(later[0], new),))


def _is_argument(layout: Layout, key: ast.Name, statement: ast.Assign) -> bool:
    call = statement.value
    return isinstance(call, ast.Call) and layout.parents.get(key) in (call, *call.keywords)
