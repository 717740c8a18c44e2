"""States of optimizers that are dropped: each turn of a loop updates with the first one, while the parameters go on.

for x in xs:
    updates, _ = tx.update(gradients(params, x), state, params)     `state` is the same in each turn
    params = optax.apply_updates(params, updates)

def step(params, state, x): ...             effect: `params` is updated, once, with `state`
for x in xs: params, _ = step(params, state, x)

def step(params, state, x):
    updates, new = tx.update(gradients(params, x), state, params)
    return optax.apply_updates(params, updates), state              nobody reads `new`

updates, _ = self.tx.update(g, self.state, self.params)
self.params = optax.apply_updates(self.params, updates)             of two fields of an object the one goes on

for x in xs:
    state = tx.init(params)                                         each turn forgets what the one before has learnt,
    updates, state = tx.update(gradients(params, x), state, params) although it is bound to the same name

It matters for optimizers that remember something of the gradients, and where turns bind the one name and not the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.compilation.eager import loops_around
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.optimizers import update_needs
from flake8_jax.analysis.checks.contracts.returned import returns_of
from flake8_jax.analysis.checks.contracts.unpacked import check_whole
from flake8_jax.analysis.checks.keys.repetition import loop_around
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.contracts import ALIKE
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import only_target
from flake8_jax.lazy_dataclasses import dataclass, replace

STATE, UPDATES = "state", "updates"
FIELDS = (ops.Attr, ops.Item)
REPLACING = frozenset(("replace", "_replace"))
"""The methods of records that copy them with other fields."""


@dataclass(frozen=True, slots=True)
class UpdatesOnce(LatentEvidence):
    """A function makes new ones of `params`, once, by an optimizer that remembers things in `state`."""

    asks: ClassVar = "`{0.op}` updates `{0.params.path}`", "a loop that goes on with the parameters alone"
    op: ops.Call
    room: ClassVar = "act"
    state: Input
    params: Input

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where a loop of the caller goes on with the parameters alone."""
        if site.frame.is_expected:
            return
        found = _turns_with(site, self.state, self.params)
        if found is not None:
            yield _stale(site.op, phrase(self.op.func), *found, site.chain)
            return
        state, params = site.resolve(self.state), site.resolve(self.params)
        if state is None or params is None or state.input is None or params.input is None:
            return
        if loops_around(site.frame, site.op):
            return
        yield replace(self, state=state.input, params=params.input)


def note_update(frame: Frame, op: ops.Call, base: Value, arguments: Arguments) -> None:
    """Note the state with which an optimizer is called that remembers things in it."""
    state = arguments.get(1, STATE)
    if state is not None and not arguments.is_open and ALIKE in update_needs(frame, base):
        frame.program.remembered[op] = state


def check_applied_updates(frame: Frame, op: Op, arguments: Arguments) -> None:
    """Report updates applied in a loop that keeps the state of its optimizer, or in a pair with their state."""
    updates, params = arguments.get(1, UPDATES), arguments.written(0)
    if updates is not None and check_whole(frame, arguments.written(1, UPDATES) or op, updates):
        return
    made = updates.made_by if updates is not None else None
    held = frame.program.remembered.get(made) if made is not None else None
    if type(made) is not ops.Call or held is None or params is None or frame.context.is_prepared:
        return
    state = made.args[1] if len(made.args) > 1 else next(value for name, value in made.keywords if name == STATE)
    if not chains_of(frame.function).holds(made):
        return
    loops = [loop for loop in loops_around(frame, made) if loop in loops_around(frame, op)]
    loop = chains_of(frame.function).loop_renewing(loops, state, params)
    if loop is not None:
        report(frame, _stale(made, phrase(made.func), loop, state, params))
    elif (begun := _begun_anew(chains_of(frame.function), made, op, state, params, loops)) is not None:
        report(frame, begun)
    elif (beside := _left_beside(chains_of(frame.function), made, op, state, params)) is not None:
        report(frame, beside)
    elif type(state) is ops.Name and _hands_back(frame, made, op, state):
        text = phrase(state)
        said = f"nobody reads the new state that `{phrase(made.func)}` gives, and `{text}` is handed back"
        report(frame, breaking(made, f"{said} with new parameters", "hand back the new state"))
    elif not frame.iterations and frame.parent is not None:
        renewed = peek(frame, params)
        if renewed is not None and held.input is not None and renewed.input is not None:
            leave(frame, UpdatesOnce(made, held.input, renewed.input))


def _begun_anew(
    chains: Chains, update: ops.Call, applied: Op, state: Op, params: Op, loops: Iterable[Op]
) -> Finding | None:
    """A state that each turn of a loop makes, although the update binds a new one to its name, while the parameters go
    on.
    """
    second = _bound_to_state(chains.parents.get(update))
    is_kept = type(state) is ops.Name and second is not None and second.name == state.name
    made = chains.found_by(state) if type(state) is ops.Name and is_kept and _is_unread(chains, update) else None
    begins = chains.statement_of(made) if type(made) is ops.Name else None
    value = begins.value if type(begins) is ops.Store else None
    bound = chains.parents.get(applied)
    target = bound.targets[0] if type(bound) is ops.Store else None
    if not _is_init(value) or begins is None or type(target) is not ops.Name:
        return None
    if not any(read is params for read in chains.uses_of(target)):
        return None
    loop = next((one for one in loops if one in chains.way_to(begins)), None)
    if loop is None:
        return None
    turn = loop_around(loop, loop.anchor.origin.shown)
    said = (
        f"`{phrase(state)}` is made anew on line {begins.anchor.line} in each turn of {turn.by} on line {turn.line}, "
        f"while `{phrase(params)}` goes on: what the optimizer remembers is lost"
    )
    return breaking(update, said, "make the state before the loop")


def _is_init(value: Op | None) -> bool:
    return type(value) is ops.Call and type(value.func) is ops.Attr and value.func.name == "init"


def _left_beside(chains: Chains, update: ops.Call, applied: Op, state: Op, params: Op) -> Finding | None:
    """A state in one field of an object whose other field gets the new parameters, where nobody reads the new state."""
    if not isinstance(state, FIELDS) or not isinstance(params, FIELDS) or not _is_unread(chains, update):
        return None
    holder, text = phrase(state.base, LONG), phrase(params, LONG)
    if phrase(params.base, LONG) != holder or chains.stored_to(phrase(state, LONG)):
        return None
    store = chains.parents.get(applied)
    bound = [one for one in store.targets if type(one) is ops.Name] if type(store) is ops.Store else []
    for new in (applied, *(read for one in bound for read in chains.uses_of(one))):
        around = chains.parents.get(new)
        is_stored = type(around) is ops.Store and any(phrase(one, LONG) == text for one in around.targets)
        if is_stored or _is_copied(around, new, holder, state, params):
            said = f"nobody reads the new state that `{phrase(update.func)}` gives: `{phrase(state)}` stays as it is"
            told = f"{said}, while `{phrase(params)}` goes on"
            return breaking(update, told, "keep the new state beside the new parameters")
    return None


def _is_copied(around: Op | None, new: Op, holder: str, state: Op, params: Op) -> bool:
    """Does a call copy the object with these parameters and the state that it has: `state.replace(params=new)`?"""
    if type(around) is not ops.Call or type(state) is not ops.Attr or type(params) is not ops.Attr:
        return False
    func, args = around.func, around.args
    if type(func) is ops.Attr and func.name in REPLACING and not args:
        copied: Op = func.base
    elif len(args) == 1 and imported_name(func) == "dataclasses.replace":
        copied = args[0]
    else:
        return False
    given = dict(around.keywords)
    is_whole = None not in given and state.name not in given
    return is_whole and given.get(params.name) is new and phrase(copied, LONG) == holder


def _hands_back(frame: Frame, update: ops.Call, applied: Op, state: ops.Name) -> bool:
    """Does a function return new parameters and the old state side by side, and leave the new one unread?"""
    chains = chains_of(frame.function)
    if not _is_unread(chains, update):
        return False
    held, store = chains.found_by(state), chains.parents.get(applied)
    bound = [one for one in store.targets if type(one) is ops.Name] if type(store) is ops.Store else []
    new = {applied, *(read for one in bound for read in chains.uses_of(one))}
    for returned in returns_of(frame.function):
        parts = [*_parts(returned.value)]
        is_old = any(type(one) is ops.Name and one.name == state.name and chains.found_by(one) is held for one in parts)
        if is_old and any(one in new for one in parts):
            return True
    return False


def _is_unread(chains: Chains, update: ops.Call) -> bool:
    """Is the second part of what an update gives never read?"""
    around = chains.parents.get(update)
    if type(around) is ops.Item:
        return type(around.index) is ops.Const and around.index.value == 0
    second = _bound_to_state(around)
    return second is not None and not chains.is_captured(second) and not any(True for _ in chains.uses_of(second))


def _bound_to_state(around: Op | None) -> ops.Name | None:
    """The name to which a statement binds the second part of what an update gives."""
    target = only_target(around)
    second = target.parts[1] if type(target) is ops.Unpack and len(target.parts) == 2 else None
    return second if type(second) is ops.Name else None


def _parts(value: Op | None) -> Iterator[Op]:
    """The parts of a tuple or dict, and of those in it, as they are written."""
    if type(value) is ops.BuildDict:
        for _, part in value.items:
            yield from _parts(part)
    elif type(value) is ops.Build and value.kind == "tuple":
        for part in value.parts:
            yield from _parts(part)
    elif value is not None:
        yield value


def _stale(op: Op, update: str, loop: Op, state: Op, params: Op, chain: tuple[Hop, ...] = ()) -> Finding:
    turn = loop_around(loop, loop.anchor.origin.shown)
    said = (
        f"`{update}` gets the same `{phrase(state)}` in each turn of {turn.by} on line {turn.line}, while "
        f"`{phrase(params)}` goes on: what the optimizer remembers is lost"
    )
    return breaking(op, said, f"bind `{phrase(state)}` to the new state in each turn", chain=chain)


def _turns_with(site: CallSite, kept: Input, renewed: Input) -> tuple[Op, Op, Op] | None:
    """The innermost loop of the caller whose turns bind the argument for one input and never that for another, with
    both arguments.
    """
    held, new = site.source_of(kept), site.source_of(renewed)
    if held is None or new is None or kept.parent is not None or renewed.parent is not None:
        return None
    loop = chains_of(site.frame.function).loop_renewing(loops_around(site.frame, site.op), held, new)
    return None if loop is None else (loop, held, new)
