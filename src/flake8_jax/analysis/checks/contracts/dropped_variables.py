"""New variables of a network that come back from a run and that nobody reads: the old statistics go on.

def loss(params):
    y, new = state.apply_fn(variables, x, train=True, mutable=["batch_stats"])
    return ((y - target) ** 2).mean(), new
(value, new), grads = jax.value_and_grad(loss, has_aux=True)(state.params)
state = state.apply_gradients(grads=grads)                  and `new` is lost
state.apply_gradients(grads=grads, batch_stats=new["batch_stats"])          so it is kept

They are followed by their names: out of the function that runs the network, and through the derivative that the
function around takes of it.  Who calls them `_` drops them on purpose, as where a discriminator only judges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.returned import returns_of
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.syntax.policies import EVALUATING_FUNCTION

STATISTICS = frozenset(("batch_stats", "spectral_stats"))
"""The collections by which a network remembers what it was trained on."""

RUNNING = frozenset(("apply", "apply_fn"))
AUXILIARY, MUTABLE = "has_aux", "mutable"
WITH_VALUE, DERIVATIVE = "value_and_grad", "grad"
"""How the names of transforms end that take derivatives."""

TuplePlace: TypeAlias = tuple[int, ...]
"""Where something lies in a tuple of tuples."""


def check_dropped(frame: Frame, op: ops.Call) -> None:
    """Report a run of a network whose new statistics are named and never read."""
    kept = sorted(_collections(dict(op.keywords).get(MUTABLE)) & STATISTICS)
    is_run = type(op.func) is ops.Attr and op.func.name in RUNNING
    if not kept or not is_run or frame.is_expected or EVALUATING_FUNCTION.match(frame.function.name):
        return
    chains = chains_of(frame.function)
    new, outer = _part(_target_of(chains, op), (1,)), chains_of(frame.parent.function) if frame.parent else None
    if type(new) is not ops.Name or outer is None:
        return
    reads, name = [*chains.uses_of(new)], frame.function.name
    lost = [(chains, new)] if any(_differentiates(outer.parents.get(one)) for one in outer.names.get(name, ())) else []
    if reads:
        path = _path_returned(frame.function, reads)
        lost = [*_taken(outer, name, path[1:])] if path[:1] == (1,) else []
    if lost and all(_is_lost(around, name) for around, name in lost):
        said = f"`{phrase(op.func)}` gives new `{kept[0]}`, and nobody reads `{lost[0][1].name}`, which gets them"
        report(frame, breaking(op, f"{said}: the old ones go on", "put them into the state"))


def _collections(mutable: Op | None) -> set[str]:
    """The names of the collections that a run may change, as they are written."""
    parts = mutable.parts if type(mutable) is ops.Build else (mutable,)
    return {part.value for part in parts if type(part) is ops.Const and isinstance(part.value, str)}


def _target_of(chains: Chains, op: Op) -> Op | None:
    """What a statement binds to the value of an op, if to one target."""
    store = chains.parents.get(op)
    return store.targets[0] if type(store) is ops.Store and len(store.targets) == 1 and store.value is op else None


def _part(target: Op | None, path: TuplePlace) -> Op | None:
    """What is bound to a part of a tuple; None where that is not said."""
    for place in path:
        if type(target) is not ops.Unpack or len(target.parts) <= place or ops.Star in map(type, target.parts):
            return None
        target = target.parts[place]
    return target


def _is_lost(chains: Chains, name: ops.Name) -> bool:
    """Has a name that says that it is wanted no reads?"""
    is_local = not chains.is_captured(name) and name.scope.kind == "function"
    return is_local and bool(name.name.strip("_")) and next(chains.uses_of(name), None) is None


def _path_returned(function: Function, reads: list[ops.Name]) -> TuplePlace:
    """Where in what a function returns a value lies, if all that reads it is that; () where it does more."""
    returned = {path for one in returns_of(function) if one.value is not None for path in _paths(one.value, reads, ())}
    count = sum(read in within(one) for one in returns_of(function) for read in reads)
    return returned.pop() if len(returned) == 1 and count == len(reads) else ()


def _paths(value: Op, reads: list[ops.Name], path: TuplePlace) -> Iterator[TuplePlace]:
    if value in reads:
        yield path
    elif type(value) is ops.Build and value.kind == "tuple":
        for place, part in enumerate(value.parts):
            yield from _paths(part, reads, (*path, place))
    elif any(one in reads for one in within(value)):
        yield ()


def _taken(chains: Chains, name: str, path: TuplePlace) -> Iterator[tuple[Chains, ops.Name]]:
    """The names that get what a function returns beside its value, of which derivatives are taken; none if it is read
    otherwise.
    """
    found: list[Op | None] = []
    for read in chains.names.get(name, ()):
        made = chains.parents.get(read)
        if type(made) is ops.Store:
            continue
        if type(made) is not ops.Call or made.args[:1] != (read,) or not _gives_more(made):
            return
        place: TuplePlace = (0, 1) if imported_name(made.func).endswith(WITH_VALUE) else (1,)
        for call in _calls_of(chains, made):
            target = _target_of(chains, call) if call is not None else None
            found.append(_part(target, (*place, *path)))
    names = [one for one in found if type(one) is ops.Name]
    if len(names) == len(found):
        yield from ((chains, one) for one in names)


def _differentiates(made: Op | None) -> bool:
    return type(made) is ops.Call and imported_name(made.func).endswith(DERIVATIVE)


def _gives_more(made: ops.Call) -> bool:
    """Is it a derivative of a function that gives something beside its value?"""
    told = dict(made.keywords).get(AUXILIARY)
    return _differentiates(made) and type(told) is ops.Const and told.value is True


def _calls_of(chains: Chains, made: ops.Call) -> Iterator[Op | None]:
    """The calls of a function that a call makes, at once or by a name; None for other uses."""
    around = chains.parents.get(made)
    if type(around) is ops.Call and around.func is made:
        yield around
        return
    name = _target_of(chains, made)
    for read in chains.uses_of(name) if type(name) is ops.Name else ():
        call = chains.parents.get(read)
        yield call if type(call) is ops.Call and call.func is read else None
