"""What of a tree is certain: how long a list is, and which keys a dict has, only where it is written out.

start = {"n": 0}                    written out, and nothing but the loop gets it: it has one key
fill(start)                         now it may have others
return {"n": n + 1, "x": x}         written out where it is returned
"""

from __future__ import annotations

from flake8_jax.analysis.callables import underlying
from flake8_jax.analysis.checks.contracts.returned import returns_in
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.payload import Elements, Entries
from flake8_jax.domain.value import DICT, LIST, TUPLE, Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op

MAXIMUM_DEPTH = 4


def given_tree(frame: Frame, call: Op, value: Value, depth: int = 0) -> Value:
    """A tree that a call gets, without the sizes of lists and dicts that something else may have changed."""
    payload = value.payload
    is_changed = value.kind in (LIST, DICT) and (
        depth > MAXIMUM_DEPTH or frame.live().contents(value) is not value or not _is_untouched(frame, call, value)
    )
    if is_changed:
        return Value(value.kind, value.dependences, None, value.made_by)
    if type(payload) is Elements and payload.parts is not None:
        parts = tuple(given_tree(frame, call, part, depth + 1) for part in payload.parts)
        return Value(value.kind, value.dependences, Elements(parts, payload.form), value.made_by)
    if type(payload) is Entries:
        entries = {key: given_tree(frame, call, part, depth + 1) for key, part in payload.parts.items()}
        return Value(value.kind, value.dependences, Entries(entries), value.made_by)
    return value


def _is_untouched(frame: Frame, call: Op, value: Value) -> bool:
    """Is a list or dict written out in this function, and does nothing else than the call get or change it?"""
    made = value.made_by
    chains = chains_of(frame.function)
    if not isinstance(made, (ops.Build, ops.BuildDict)) or not chains.holds(made):
        return False
    around = chains.parents.get(made)
    while isinstance(around, (ops.Build, ops.BuildDict)):
        made, around = around, chains.parents.get(around)
    if around is call:
        return True
    statement = around if around is not None else next((one for _, one in chains.stores if _stores(one, made)), None)
    target = statement.targets[0] if type(statement) is ops.Store and statement.targets else None
    if type(target) is not ops.Name or chains.is_captured(target):
        return False
    return all(_only_reads(chains.parents.get(use), call) for use in chains.uses_of(target))


def _stores(statement: Op, value: Op) -> bool:
    return type(statement) is ops.Store and statement.value is value


def _only_reads(user: Op | None, call: Op) -> bool:
    return user is call or type(user) is ops.Item


def returned_tree(function: Value, result: Value) -> Value:
    """A tree that a function returns, without the sizes of lists and dicts that are not written out there."""
    found = underlying(function)
    returned = [one.value for one in returns_in(found.function.body)] if found is not None else []
    return _written(result, returned[0] if len(returned) == 1 else None)


def _written(value: Value, op: Op | None, depth: int = 0) -> Value:
    payload = value.payload
    if depth > MAXIMUM_DEPTH or value.kind not in (LIST, DICT, TUPLE):
        return value
    if type(payload) is Elements and payload.parts is not None:
        written = op.parts if type(op) is ops.Build and len(op.parts) == len(payload.parts) else None
        if value.kind is LIST and (written is None or any(type(one) is ops.Star for one in written)):
            return Value(LIST, value.dependences, None, value.made_by)
        parts = tuple(
            _written(part, written[place] if written else None, depth + 1)
            for place, part in enumerate(payload.parts)
        )
        return Value(value.kind, value.dependences, Elements(parts, payload.form), value.made_by)
    if value.kind is DICT and not (type(op) is ops.BuildDict and len(op.items) == len(value.entries or ())):
        return Value(DICT, value.dependences, None, value.made_by)
    return value
