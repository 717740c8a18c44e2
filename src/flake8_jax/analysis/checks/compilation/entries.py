"""Dicts that get an entry of another key on each turn of a loop, and so another structure.

state = {"w": w}
for i in range(n):
    state[f"extra_{i}"] = x         a new key, whatever else becomes of the dict
    state = update(state)
for i in range(n):
    state["step"] = x               the same key: silent
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.compilation.counting import counted, given_to
from flake8_jax.analysis.frame import Frame
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, searched_for
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import names_in, targets_of, within


def extending_loop(frame: Frame, chains: Chains, source: ops.Name, loops: tuple[Op, ...]) -> Op | None:
    """The loop that puts another entry into a dict on each turn."""
    starts, others = _starts(chains, source.name)
    way = chains.way_to(source)
    if len(starts) != 1 or not all(one in way for one in others):
        return None
    ((start, first),) = starts
    is_only = len(chains.stored_to(source.name)) == 1
    added = [(key, at) for key, at in _added(chains, source.name) if type(key) is not ops.Const]
    is_plain = all(type(one) is str and one.isalpha() for one in first)
    for loop in reversed(loops):
        if not all(_is_on_each_turn(chains, at, loop, way) for _, at in added):
            continue
        is_before = loop not in chains.way_to(start)
        if is_before and is_only and not first and any(names_in(key) & _bound_by(loop) for key, _ in added):
            return loop
        lines = range(start.anchor.line, source.anchor.line)
        new = (key for key, at in added if (is_before or at.anchor.line in lines) and _tells(frame, key, loop))
        if is_plain and any(True for _ in new):
            return loop
    return None


@searched_for
def _starts(chains: Chains, name: str) -> tuple[list[tuple[ops.Store, tuple[object, ...]]], list[Op]]:
    """The statements that bind a name to a dict, each with its keys, and the others that do not add entries to one."""
    starts: list[tuple[ops.Store, tuple[object, ...]]] = []
    others: list[Op] = []
    for store in dict.fromkeys(one for _, one in chains.stored_to(name)):
        keys = _keys_at_first(given_to(name, store)) if type(store) is ops.Store else None
        if type(store) is ops.Store and keys is not None:
            starts.append((store, keys))
        elif not _adds_to(store, name):
            others.append(store)
    return starts, others


def _keys_at_first(value: Op | None) -> tuple[object, ...] | None:
    """The keys of a dict display or of `dict(...)`, if all are written out."""
    match value:
        case ops.BuildDict(items=items):
            keys = [key.value for key, _ in items if type(key) is ops.Const]
            return (*keys,) if len(keys) == len(items) else None
        case ops.Call(func=ops.Name(name="dict"), args=(), keywords=keywords):
            names = [name for name, _ in keywords if name is not None]
            return (*names,) if len(names) == len(keywords) else None
    return None


def _added(chains: Chains, name: str) -> Iterator[tuple[Op, Op]]:
    """The keys that are put into a dict, or taken from it by `del`, each with the statement or call."""
    for target, store in chains.items_of(name):
        yield target.index, store
    for call in chains.called_on(name):
        method = call.func.name if type(call.func) is ops.Attr else ""
        if method == "setdefault" and call.args:
            yield call.args[0], call
        if method == "update" and len(call.args) == 1 and type(call.args[0]) is ops.BuildDict:
            yield from ((key, call) for key, _ in call.args[0].items if key is not None)
    for _, store in chains.stored_to(name):
        if _adds_to(store, name) and type(store) is ops.Store and store.value is not None:
            for display in (inner for inner in within(store.value) if type(inner) is ops.BuildDict):
                yield from ((key, store) for key, _ in display.items if key is not None)


def _adds_to(store: Op, name: str) -> bool:
    """Is it `state = {**state, key: value}`, `state = state | {key: value}` or `state |= {key: value}`?"""
    match store:
        case ops.Store(value=ops.BuildDict(items=items)):
            return any(key is None and type(value) is ops.Name and value.name == name for key, value in items)
        case ops.Store(value=ops.Operate(operator="|", operands=(ops.Name(name=base), ops.BuildDict()))):
            return base == name
    return False


def _is_on_each_turn(chains: Chains, at: Op, loop: Op, way: list[Op]) -> bool:
    """Does a statement in a loop run on each turn, at least where the op runs to which there is a way?"""
    inside = chains.way_to(at)
    if type(at) is ops.Delete or loop not in inside:
        return False
    return all(type(one) is not ops.Branch or one in way for one in inside[inside.index(loop) :])


def _tells(frame: Frame, key: Op, loop: Op) -> bool:
    """Is a key another one for each number of a loop: the number, a tuple or a text that it stands in?"""
    match key:
        case ops.Build(kind="tuple" | "text" | "format", parts=parts):
            return any(_tells(frame, part, loop) for part in parts)
        case ops.Call(func=ops.Name(name="str" | "repr"), args=args):
            return any(_tells(frame, argument, loop) for argument in args)
        case ops.Call(func=ops.Attr(base=ops.Const(value=str()), name="format"), args=args):
            return any(_tells(frame, argument, loop) for argument in args)
        case ops.Operate(operator="+" | "%", operands=(ops.Const(value=str()), text)):
            return _tells(frame, text, loop)
    return counted(frame, key, (loop,)) is not None


def _bound_by(loop: Op) -> set[str]:
    return {target.name for target in targets_of(loop)}
