"""States of optimizers that were made of other parameters than they are updated with.

state = tx.init(params["w"])                    the state holds trees like `params["w"]`
tx.update(grads, state)                         where the gradients are by all of `params`: refused

actor_state, critic_state = tx.init(actor), tx.init(critic)
tx.update(critic_grads, actor_state)            the same, if their trees differ

Where the state was made, the op tells that made it; so a call of the function that updates it decides, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.foreign_values import foreign_value
from flake8_jax.analysis.checks.contracts.optimizers import update_needs
from flake8_jax.analysis.checks.contracts.structure import TypeComparison, described
from flake8_jax.analysis.checks.contracts.variables import form_of_variables
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.contracts import ALIKE, StateMade, VariablesForm
from flake8_jax.domain.constants import spelled
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import DICT, INPUT, LISTS_AND_DICTS, OBJECT, TREE_NODES, TUPLE, Kind
from flake8_jax.domain.payload import Elements, Entries
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, field, replace

UPDATES, STATE = "updates", "state"
MAXIMUM_DEPTH = 4
LAYERS: dict[VariablesForm, str] = {"variables": "all variables", "collection": "one collection of the variables"}


@dataclass(frozen=True, slots=True)
class NeedsState(Need):
    """An optimizer's state must be made of trees like the gradients; inputs decide which, by the optimizer or not.

    `tx`: the input that is the optimizer, while it is not known to be one that remembers trees.
    """

    asks: ClassVar = "`{0.op.func}` needs a state of the same tree as the gradients", "one of other parameters"
    op: ops.Call
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    tx: Input | None
    state: Input
    grads: Value = field(compare=False)

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a state of another tree."""
        tx, actual = self.tx, site.resolve(self.state)
        if actual is None:
            return
        if tx is not None:
            optimizer = site.resolve(tx)
            is_alike = optimizer is not None and ALIKE in update_needs(site.frame, optimizer)
            tx = None if is_alike or optimizer is None else optimizer.input
            if not is_alike and tx is None:
                return
        grads, made = site.value(self.grads), state_made(site.frame, actual)
        if made is not None and tx is None:
            layers = form_of_variables(site.frame, made.params), form_of_variables(site.frame, grads)
            comparison = TypeComparison(site.frame.program.table, site.frame.live().contents)
            said = _difference(made.params, grads, comparison) or _layers(*layers)
            if said:
                yield _unlike(self.op, made, said, site.chain)
        elif (behind := actual.input) is not None:
            held = frozenset(one for one in (behind, tx) if one is not None)
            yield replace(self, dependences=held, tx=tx, state=behind, grads=grads)


def check_state(frame: Frame, op: ops.Call, base: Value, name: str, arguments: Arguments) -> None:
    """Note what a state is made of; report an update of one that was made of another tree."""
    if arguments.is_open or frame.context.is_prepared:
        return
    if name == "init" and len(arguments.values()) == 1:
        _note(frame, op, base, arguments.values()[0])
    elif name == "update":
        _check(frame, op, base, arguments)


def _note(frame: Frame, op: ops.Call, base: Value, params: Value) -> None:
    if base.kind is not OBJECT and base.kind is not INPUT:
        return
    kept = frame.program.states.get(op)
    is_same = kept is None or kept.params is params
    written = (op.args or tuple(one for _, one in op.keywords))[0]
    tree = _written_out(frame, params) if is_same else Value(INPUT)
    frame.program.states[op] = StateMade(frame.function, tree, phrase(written), op)
    foreign = foreign_value(frame.program.table, params, frame.live()) if ALIKE in update_needs(frame, base) else None
    if foreign is not None and foreign.library:
        split = frame.program.table.filtering("*", foreign.library).rpartition(".")[0]
        said = f"`{phrase(written)}` is {foreign.text}, of which `{phrase(op.func)}` can make no state"
        report(frame, breaking(written, said, f"pass its arrays alone, as `{split}.filter` gives them"))


def _check(frame: Frame, op: ops.Call, base: Value, arguments: Arguments) -> None:
    grads, state = arguments.get(0, UPDATES), arguments.get(1, STATE)
    if grads is None or state is None:
        return
    tx = base.input if base.kind is INPUT else None
    if tx is None and ALIKE not in update_needs(frame, base):
        return
    around, like = frame.program.resembling.get(grads.made_by, (None, grads)) if grads.made_by else (None, grads)
    grads = like if around is frame.function and grads.kind is INPUT else grads
    made = state_made(frame, state)
    if made is not None and tx is None:
        layers = form_of_variables(frame, made.params), form_of_variables(frame, grads)
        comparison = TypeComparison(frame.program.table, frame.live().contents)
        said = _difference(made.params, grads, comparison) or _layers(*layers)
        if said:
            report(frame, _unlike(op, made, said))
    elif state.input is not None and frame.parent is not None:
        held = frozenset(one for one in (state.input, tx) if one is not None)
        leave(frame, NeedsState(op, held, tx, state.input, grads))


def state_made(frame: Frame, value: Value) -> StateMade | None:
    """What a state was made of, if a call in this function, or in the module, made it."""
    made = frame.program.states.get(value.made_by) if value.made_by is not None and value.kind is OBJECT else None
    is_around = made is not None and any(around.function is made.function for around in frame.outwards())
    return made if is_around else None


def _written_out(frame: Frame, value: Value, depth: int = 0) -> Value:
    """A tree, with the sizes of those lists and dicts alone that are written out and have not been changed since."""
    payload = value.payload
    is_kept = isinstance(value.made_by, (ops.Build, ops.BuildDict)) and frame.live().contents(value) is value
    if value.kind not in TREE_NODES or not isinstance(payload, (Elements, Entries)):
        return value
    if depth > MAXIMUM_DEPTH or not (is_kept or value.kind is TUPLE):
        return Value(value.kind, value.dependences, None, value.made_by)
    if isinstance(payload, Entries):
        entries = {key: _written_out(frame, part, depth + 1) for key, part in payload.parts.items()}
        return Value(DICT, value.dependences, Entries(entries), value.made_by)
    parts = None if payload.parts is None else tuple(_written_out(frame, part, depth + 1) for part in payload.parts)
    return Value(value.kind, value.dependences, None if parts is None else Elements(parts), value.made_by)


def _difference(params: Value, grads: Value, comparison: TypeComparison) -> str:
    """How the trees differ, in words; "" where they may be alike."""
    given = comparison.contents(grads)
    if params.kind is DICT and given.kind is DICT:
        mine, others = params.entries, given.entries
        extra = [key for key in others or () if mine is not None and key not in mine]
        if extra:
            return f"{described(params)}, and the gradients have {', '.join(map(spelled, extra))}, too"
        pairs = ((mine[key], part) for key, part in (others or {}).items()) if mine is not None else iter(())
        return next((said for pair in pairs if (said := _difference(*pair, comparison))), "")
    is_sized = given.kind in LISTS_AND_DICTS
    found = comparison.difference(params, Value(given.kind) if is_sized else given, promotes=True)
    return f"{found.before}, and the gradients are {found.after}" if found and found.aspect == "structure" else ""


def _layers(made: VariablesForm | None, given: VariablesForm | None) -> str:
    if made is None or given is None or made == given or not LAYERS.keys() >= {made, given}:
        return ""
    return f"{LAYERS[made]}, and the gradients are by {LAYERS[given]}"


def _unlike(op: ops.Call, made: StateMade, said: str, chain: tuple[Hop, ...] = ()) -> Finding:
    text, line = made.text, made.op.anchor.line
    state = phrase(op.args[1]) if len(op.args) > 1 else STATE
    told = f"`{phrase(op.func)}` gets `{state}`, which was made of `{text}` on line {line}: {said}"
    return breaking(op, told, "make the state of the parameters that are updated", chain=chain)
