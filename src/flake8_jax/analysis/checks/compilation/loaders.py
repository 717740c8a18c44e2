"""Loaders of libraries that keep a last batch which is shorter than the others, unless they are told to drop it.

    DataLoader(data, batch_size=64, shuffle=True)           keeps it
    tf.data.Dataset.from_tensor_slices(x).batch(64)         keeps it
    data.repeat().batch(64)                                 has no last batch
    DataLoader(data, 64, drop_last=True)                    drops it

By which argument a loader is told, the table says (`[batches]`).
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import underlying
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.api.batching import Batching
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import within

DEEPEST = 12
"""How many calls of methods are followed from a data set to what made it."""

ENDLESS = frozenset(("cache_forever", "repeat"))
OTHER = frozenset(("batch_sampler", "collate_fn", "sampler"))
"""Arguments that decide otherwise which elements a batch has."""


def keeps_last(frame: Frame, chains: Chains, source: Op) -> str | None:
    """The argument by which the loader that a loop runs through could be told to drop its last batch."""
    steps = [*_steps(frame, chains, source)]
    root = imported_name(steps[-1].func) if steps else ""
    for number, step in enumerate(steps):
        name = step.func.name if type(step.func) is ops.Attr and step is not steps[-1] else ""
        stated = frame.program.table.batching(root, name)
        if stated is None:
            continue
        later = (one.func.name for one in steps[number + 1 :] if type(one.func) is ops.Attr)
        if not _may_be_shorter(step, stated) or any(one in ENDLESS for one in later):
            return None
        return stated.dropping
    return None


def _steps(frame: Frame, chains: Chains, source: Op) -> Iterator[ops.Call]:
    """The calls of methods that lead to what a loop runs through, the last one first, and the call that begins them."""
    for _ in range(DEEPEST):
        if isinstance(source, (ops.Attr, ops.Name)):
            found = _made_by(frame, chains, source)
            if found is None:
                return
            source, chains = found
        source, chains = _returned(frame, source, chains)
        if type(source) is not ops.Call:
            return
        yield source
        name = imported_name(source.func)
        if not name and type(source.func) is ops.Attr:
            source = source.func.base
        elif source.args and name.rpartition(".")[2] == "as_numpy":
            source = source.args[0]
        else:
            return


def _made_by(frame: Frame, chains: Chains, name: ops.Attr | ops.Name) -> tuple[Op, Chains] | None:
    """The expression that a name was bound to, with the chains of the body in which it stands."""
    if type(name) is ops.Name and chains.holds(name):
        definition = chains.found_by(name)
        store = chains.statement_of(definition) if type(definition) is ops.Name else None
        if type(store) is ops.Store and store.kind == "assign" and store.value is not None:
            return (store.value, chains) if any(target is definition for target in store.targets) else None
        if definition is not None:
            return None
    value = peek(frame, name)
    if value is None or value.made_by is None:
        return None
    return value.made_by, chains


def _returned(frame: Frame, made_by: Op, chains: Chains) -> tuple[Op, Chains]:
    """What a function of this project returns, where an expression calls one; else the expression."""
    called = peek(frame, made_by.func) if type(made_by) is ops.Call and chains.holds(made_by) else None
    found = underlying(called) if called is not None else None
    if found is None or found.function.is_generator:
        return made_by, chains
    returned = [
        one.value
        for statement in found.function.body
        for one in within(statement)
        if type(one) is ops.Leave and one.kind == "return" and one.value is not None
    ]
    return (returned[0], chains_of(found.function)) if len(returned) == 1 else (made_by, chains)


def _may_be_shorter(call: ops.Call, batching: Batching) -> bool:
    """Does a call make batches of several elements, and not say that the last one is dropped?"""
    given = dict(call.keywords)
    if None in given or any(type(one) is ops.Star for one in call.args) or not OTHER.isdisjoint(given):
        return False
    size = _argument(call, batching.size, batching.size_place)
    dropping = _argument(call, batching.dropping, batching.dropping_place)
    if size is None or (type(size) is ops.Const and size.value in (None, 1)):
        return False
    return dropping is None or (type(dropping) is ops.Const and dropping.value is False)


def _argument(call: ops.Call, name: str, place: int) -> Op | None:
    by_name = next((value for word, value in call.keywords if word == name), None)
    return call.args[place] if place < len(call.args) else by_name
