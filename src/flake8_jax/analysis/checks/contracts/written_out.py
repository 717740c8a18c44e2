"""What of a tree is certain: how long a list is, and which keys a dict has, only where it is written out.

start = {"n": 0}                    written out, and nothing but the loop gets it: it has one key
fill(start)                         now it may have others
return {"n": n + 1, "x": x}         written out where it is returned
return {**c, "x": x}                it has what `c` has, and `x`
new = [a, b]; return new            and so is this
start = first()                     written out where the function returns it
new, y = cell(c, x); return new, y  and this is, too
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flake8_jax.analysis.callables import FunctionValue, underlying
from flake8_jax.analysis.checks.contracts.returned import returns_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import CONTAINERS, DICT, LIST, LISTS_AND_DICTS, TREE_NODES
from flake8_jax.domain.payload import Elements, Entries
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Function, Op

MAXIMUM_DEPTH = 4
CALLING = "__call__"
MAXIMUM_CALLS = 3
"""Through how many calls a tree is followed to where it is written out."""


def given_tree(frame: Frame, call: Op, value: Value, depth: int = 0) -> Value:
    """A tree that a call gets, without the sizes of lists and dicts that something else may have changed."""
    payload, made = value.payload, value.made_by
    if value.kind not in CONTAINERS:
        return value
    is_untouched = (
        depth <= MAXIMUM_DEPTH and frame.live().contents(value) is value and _is_untouched(frame, call, value)
    )
    if is_untouched and type(made) is ops.Call and not is_display(made):
        function = peek(frame, made.func)
        return returned_tree(frame, function, value) if function is not None else _bare(value)
    if value.kind in LISTS_AND_DICTS and not is_untouched:
        return _bare(value)
    if type(payload) is Elements and payload.parts is not None:
        parts = tuple(given_tree(frame, call, part, depth + 1) for part in payload.parts)
        return Value(value.kind, value.dependences, Elements(parts, payload.form), value.made_by)
    if type(payload) is Entries:
        entries = {key: given_tree(frame, call, part, depth + 1) for key, part in payload.parts.items()}
        return Value(value.kind, value.dependences, Entries(entries), value.made_by)
    return value


def _bare(value: Value) -> Value:
    return Value(value.kind, value.dependences, None, value.made_by)


def is_display(op: Op | None) -> bool:
    """Is a tree written out: as a display, or a call of `dict` with names?"""
    if isinstance(op, (ops.Build, ops.BuildDict)):
        return True
    if type(op) is not ops.Call or type(op.func) is not ops.Name or op.func.name != "dict" or op.args:
        return False
    return op.func.scope.lookup("dict").owner is None and all(name is not None for name, _ in op.keywords)


def _is_untouched(frame: Frame, call: Op, value: Value) -> bool:
    """Is a tree made in this function, and does nothing else than the call get or change it?"""
    made, chains = value.made_by, chains_of(frame.function)
    if made is None or not (is_display(made) or type(made) is ops.Call) or not chains.holds(made):
        return False
    around = chains.parents.get(made)
    while is_display(around):
        assert around is not None
        made, around = around, chains.parents.get(around)
    if around is call:
        return True
    statement = around if around is not None else next((one for _, one in chains.stores if _stores(one, made)), None)
    return _is_only_read(chains, statement, call)


def _is_only_read(chains: Chains, statement: Op | None, call: Op | None) -> bool:
    """Does a statement bind a name, whose value is only read, handed to a call, or returned?"""
    target = statement.targets[0] if type(statement) is ops.Store and statement.targets else None
    return type(target) is ops.Name and _is_name_only_read(chains, target, call)


def _is_name_only_read(chains: Chains, target: ops.Name, call: Op | None) -> bool:
    """Is the value that a name is bound to only read, handed to a call, or returned?"""
    is_captured = chains.is_captured(target)
    return not is_captured and all(_only_reads(chains.parents.get(use), call) for use in chains.uses_of(target))


def _stores(statement: Op, value: Op) -> bool:
    return type(statement) is ops.Store and statement.value is value


def _only_reads(user: Op | None, call: Op | None) -> bool:
    is_returned = type(user) is ops.Leave or (call is None and is_display(user))
    return (user is call is not None) or type(user) is ops.Item or is_returned


class Written(NamedTuple):
    """Where a value may be written out: an op of a function, and what was learnt of that function where it ran."""

    op: Op | None
    function: Function
    summary: Callable[[], Summary | None]

    def at(self, op: Op | None) -> Written:
        """Another op of the same function."""
        return self._replace(op=op)


def returned_tree(frame: Frame, function: Value, result: Value) -> Value:
    """A tree that a function returns, without the sizes of lists and dicts that are not written out there."""
    found = underlying(function)
    if found is None or result.kind not in TREE_NODES:
        return result
    return _written(result, _returned(Written(None, found.function, lambda: _summary_of(frame, found))))


def _summary_of(frame: Frame, function: FunctionValue) -> Summary | None:
    """What was learnt of a function that ran in this one."""
    ran = frame.summary.run.callees
    return next((callee for callee in reversed(ran) if callee.run.function is function.function), None)


def _returned(source: Written) -> Written:
    """What a function returns at its only return."""
    returned = [one.value for one in returns_of(source.function)]
    return source.at(returned[0] if len(returned) == 1 else None)


def _followed(source: Written, depth: int = 0) -> Written:
    """The place to which names and calls lead from an op: the display, where the value is written out."""
    place = None
    if type(source.op) is ops.Name and (bound := _bound(source.function, source.op)) is not None:
        source, place = source.at(bound[0]), bound[1]
    op = source.op
    if type(op) is ops.Call and not is_display(op) and not _extends_parameter(op, source.function):
        callee = _called(op, source.summary()) if depth < MAXIMUM_CALLS else None
        source = _followed(_returned(callee), depth + 1) if callee is not None else source.at(None)
    if place is None:
        return source
    parts = source.op.parts if type(source.op) is ops.Build else ()
    is_there = place < len(parts) and not any(type(part) is ops.Star for part in parts)
    return _followed(source.at(parts[place]), depth + 1) if is_there and depth < MAXIMUM_CALLS else source.at(None)


def _called(call: ops.Call, known: Summary | None) -> Written | None:
    """The function that a call runs, if one of its name ran there, or else one by which an object is called."""
    name = call.func.name if isinstance(call.func, (ops.Name, ops.Attr)) else ""
    ran = [(one.run.function, one) for one in known.run.callees] if known is not None else []
    named = {function: one for function, one in ran if function is not None and function.name == name}
    inner = named or {function: one for function, one in ran if function is not None and function.name == CALLING}
    if len(inner) != 1:
        return None
    ((function, learnt),) = inner.items()
    return Written(None, function, lambda: learnt)


def _bound(function: Function, name: ops.Name) -> tuple[Op, int | None] | None:
    """The display or call whose value a name has, if the name is bound once and its value only read; and which item of
    it where a pair, say, is unpacked.
    """
    chains = chains_of(function)
    definition = chains.found_by(name)
    statement = chains.statement_of(definition) if type(definition) is ops.Name else None
    if type(statement) is not ops.Store or type(definition) is not ops.Name:
        return None
    (target, *others), value = statement.targets, statement.value
    place = None
    if type(target) is ops.Unpack and type(value) is ops.Call:
        place = next((at for at, part in enumerate(target.parts) if part is definition), None)
        is_found = place is not None and not any(type(part) is ops.Star for part in target.parts)
    else:
        is_found = target is definition and (is_display(value) or type(value) is ops.Call)
    if others or not is_found or value is None or not _is_name_only_read(chains, definition, None):
        return None
    return value, place


def _written(value: Value, source: Written, depth: int = 0) -> Value:
    payload = value.payload
    if depth > MAXIMUM_DEPTH or value.kind not in TREE_NODES:
        return value
    source = _followed(source)
    op, within = source.op, source.function
    if type(payload) is Elements and payload.parts is not None:
        written = op.parts if type(op) is ops.Build and len(op.parts) == len(payload.parts) else None
        if value.kind is LIST and (written is None or any(type(part) is ops.Star for part in written)):
            return _bare(value)
        parts = tuple(
            _written(part, source.at(written[place] if written else None), depth + 1)
            for place, part in enumerate(payload.parts)
        )
        return Value(value.kind, value.dependences, Elements(parts, payload.form), value.made_by)
    if type(payload) is Entries:
        sources: list[Op | None] = [*_entries_of(op)]
        if _extends_parameter(op, within):
            sources = [None] * len(payload.parts)
        if len(sources) != len(payload.parts):
            return _bare(value)
        entries = {
            key: _written(part, source.at(one), depth + 1)
            for (key, part), one in zip(payload.parts.items(), sources, strict=True)
        }
        return Value(value.kind, value.dependences, Entries(entries), value.made_by)
    return _bare(value) if value.kind is DICT else value


def _extends_parameter(op: Op | None, within: Function) -> bool:
    """Is it `{**c, ...}`, `dict(c, ...)` or `c | {...}` of a parameter?"""
    below: Op | None = None
    if type(op) is ops.BuildDict:
        spread = [value for key, value in op.items if key is None]
        below = spread[0] if len(spread) == 1 and op.items[0][1] is spread[0] else None
    elif type(op) is ops.Call and type(op.func) is ops.Name and op.func.name == "dict" and len(op.args) == 1:
        below = op.args[0]
    elif type(op) is ops.Operate and op.operator == "|" and len(op.operands) == 2:
        below = op.operands[0]
    return type(below) is ops.Name and any(one.name == below.name for one in within.parameters)


def _entries_of(op: Op | None) -> list[Op]:
    """What is written for the entries of a dict, in order."""
    if type(op) is ops.BuildDict:
        return [value for _, value in op.items]
    return [value for _, value in op.keywords] if type(op) is ops.Call and is_display(op) else []
