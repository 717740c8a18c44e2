"""Control flow of bodies: stores, branches and exits; states are copied where paths part.

They are joined where paths meet.  `frame.state` is None from the point where no path arrives (after `return`, `raise`,
`break`, `continue`) to the next join.  Loops are in `loops.py`, try and with in `exceptions.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.callables import FieldFactory, Wrapped
from flake8_jax.analysis.checks.at_views import need_no_view
from flake8_jax.analysis.checks.compilation.donated_reads import check_returned_arms, check_returned_buffers
from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.contracts.frozen import check_stored
from flake8_jax.analysis.checks.contracts.lost_updates import check_store
from flake8_jax.analysis.checks.contracts.mapped_writes import check_item
from flake8_jax.analysis.checks.contracts.setup_fields import check_changed
from flake8_jax.analysis.checks.contracts.static_containers import check_attribute
from flake8_jax.analysis.checks.contracts.unpacked import check_unpacked
from flake8_jax.analysis.checks.effects.outer_writes import is_declared_container, note_name, note_part
from flake8_jax.analysis.checks.host.waits import wait_for
from flake8_jax.analysis.checks.host.writes import check_unlocking, need_writable
from flake8_jax.analysis.checks.indexing import need_host_item
from flake8_jax.analysis.checks.keys.advancing import check_returned
from flake8_jax.analysis.checks.keys.not_keys import check_names
from flake8_jax.analysis.checks.mutation import need_mutable
from flake8_jax.analysis.checks.numpy_only import need_settable
from flake8_jax.analysis.checks.rebound import check_rebound
from flake8_jax.analysis.checks.references import check_plain_store, need_no_reference
from flake8_jax.analysis.checks.startup.late import ENVIRONMENT, note_environment_set
from flake8_jax.analysis.checks.startup.spelling import SETTINGS, check_assigned
from flake8_jax.analysis.evaluate.decisions import decided, of_library
from flake8_jax.analysis.evaluate.first_turns import outcome_in_first_turn
from flake8_jax.analysis.evaluator import OpEvaluator, OpRunner, evaluate, run
from flake8_jax.analysis.frame import DEFINING, PLAIN, Frame, names_copy, note_unknown
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.array_evidence import indexes_array, note_array
from flake8_jax.analysis.objects.classes import of_annotation, states_host_default
from flake8_jax.analysis.objects.names import bind_name
from flake8_jax.analysis.objects.narrowing import Narrowed, facts_of, narrow, note_tests, widen
from flake8_jax.analysis.objects.steps import index_step
from flake8_jax.analysis.summaries.unstaged import note_uncalled
from flake8_jax.domain.conditions import Path, assume, common_facts, facts_added, is_impossible
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.key_parts import KeyMix
from flake8_jax.domain.kinds import API, KEYS, LIST, MAY_BE_REFERENCE, NUMPY, STATIC
from flake8_jax.domain.payload import SliceOf
from flake8_jax.domain.resources import is_compatible
from flake8_jax.domain.state import State, join_states
from flake8_jax.domain.value import Value, join_on_paths
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import replace

NAMED_FROM_HERE = "dataclasses.KW_ONLY"
"""The type of what stands before the fields of a class that are passed by name."""

UNPLACED = {"kw_only": True, "init": False}
"""The options of a field that its constructor does not take by its place."""


def run_store(frame: Frame, op: ops.Store) -> Value:
    """Bind a value to targets; returns it (a walrus is an expression)."""
    declared = _declared(frame, op, op.annotation) if op.annotation is not None else None
    if op.value is None:
        if declared is not None and type(op.targets[0]) is ops.Name and frame.function.kind != "class":
            bind_name(frame, op.targets[0], declared)
        return declared or note_unknown(frame, "declared only", op)
    context = frame.context
    target = op.targets[0]
    is_defining, makes_copy = op.kind == "def", isinstance(target, (ops.Name, ops.Attr)) and names_copy(target.name)
    if is_defining is not context.is_defining or makes_copy is not context.makes_copy:
        is_plain = context is PLAIN and not makes_copy
        frame.context = DEFINING if is_plain else replace(context, is_defining=is_defining, makes_copy=makes_copy)
    value = evaluate(frame, op.value)
    frame.context = context
    note_tests(frame, op.value, value)
    if type(value.payload) is FieldFactory and frame.owner is not None and type(target) is ops.Name:
        frame.owner.factories[target.name] = value.payload.factory
    is_field = frame.function.kind == "class" and states_host_default(op.value)
    if declared is not None and value.kind.value in ("unknown", "input") and not is_field:
        value = declared
    if op.kind == "augment":
        check_rebound(frame, op, value)
    elif op.kind == "assign" and frame.namespace.file.makes_references:
        check_plain_store(frame, op, value)
    for target in op.targets:
        assign(frame, target, value, op)
    return value


def _declared(frame: Frame, op: ops.Store, stated: Op) -> Value | None:
    annotation = evaluate(frame, stated)
    target = op.targets[0]
    owner = frame.owner if frame.function.kind == "class" else None
    if owner is not None and annotation.kind is API and annotation.name == NAMED_FROM_HERE:
        owner.is_by_name = True
    elif owner is not None and type(target) is ops.Name and not _is_of_class(stated):
        owner.annotations[target.name] = annotation
        if owner.is_by_name or _is_unplaced(op.value):
            owner.unplaced.add(target.name)
    return of_annotation(frame, annotation)


def _is_unplaced(declared: Op | None) -> bool:
    """Is a field declared so that its constructor takes it by name only, or not: `field(kw_only=True)`?"""
    return type(declared) is ops.Call and any(
        type(value) is ops.Const and UNPLACED.get(name or "") is value.value for name, value in declared.keywords
    )


def _is_of_class(stated: Op) -> bool:
    """Does an annotation say that a name is the class's own: `ClassVar[int]`?  It is no field."""
    named = stated.base if type(stated) is ops.Item else stated
    return (type(named) is ops.Name or type(named) is ops.Attr) and named.name == "ClassVar"


def assign(frame: Frame, target: Op, value: Value, op: Op) -> None:
    """Store a value to one target."""
    if type(target) is ops.Name:
        if type(op) is ops.Store and op.kind == "augment" and value.kind is NUMPY:
            need_writable(frame, target, target, evaluate(frame, target), is_rebound=True)
        bind_name(frame, target, value)
        note_name(frame, target, value, op)
    elif type(target) is ops.Attr:
        base = evaluate(frame, target.base)
        if target.name == "writeable":
            check_unlocking(frame, target, base, value)
        need_settable(frame, base, target, op)
        check_stored(frame, base, target, op)
        check_attribute(frame, base, target, op, value)
        check_store(frame, target, base)
        if base.kind is not API:
            access.write(frame, base, (".", target.name), value)
        elif base.name == SETTINGS:
            check_assigned(frame, op, target.name)
        note_part(frame, target, base, value, op)
    elif type(target) is ops.Item:
        _assign_item(frame, target, value, op)
    elif type(target) is ops.Unpack:
        starred = [place for place, part in enumerate(target.parts) if type(part) is ops.Star]
        is_wrapped = type(value.payload) is Wrapped
        if type(op) is ops.Store and (is_wrapped or op.value in frame.results) and target in op.targets:
            check_unpacked(frame, target, op, value)
        if value.kind is KEYS:
            check_names(frame, target, value, op)
        parts = access.unpack(frame, value, len(target.parts), starred[0] if starred else None, op)
        for part, one in zip(target.parts, parts, strict=True):
            assign(frame, part, one, op)
    elif type(target) is ops.Star:
        assign(frame, target.value, value, op)


def _assign_item(frame: Frame, target: ops.Item, value: Value, op: Op) -> None:
    base = evaluate(frame, target.base)
    index = evaluate(frame, target.index)
    if indexes_array(index) and not is_declared_container(frame, target.base):
        note_array(frame, base)
    check_changed(frame, op, target.base, base)
    augmented = type(op) is ops.Store and op.kind == "augment"
    if not augmented:  # where it is updated in place, it is read first
        need_no_view(frame, base, target, "assign", op)
    sign = op.value.operator if type(op) is ops.Store and augmented and type(op.value) is ops.Operate else ""
    if not _is_text(target.index, index):
        need_mutable(frame, target, base, op, "augment" if augmented else "assign", sign)
        if base.kind is NUMPY:
            wait_for(frame, value)
        need_writable(frame, target, target.base, base)
    if base.kind is API and base.name == ENVIRONMENT and isinstance(index.constant, str):
        note_environment_set(frame, op, index.constant, value)
    need_host_item(frame, target, base, index, value, op)
    is_whole = base.kind in MAY_BE_REFERENCE and (index.constant is ... or type(index.payload) is SliceOf)
    if is_whole and type(op) is ops.Store and op.value is not None and not augmented:
        need_no_reference(frame, op.value, value, "stored", phrase(target.base))
    if base.kind in MAY_BE_REFERENCE:
        check_item(frame, target, base, index, value)
        check_store(frame, target, base)
    access.write(frame, base, index_step(index), value)
    note_part(frame, target, base, value, op)


def _is_text(source: Op, index: Value) -> bool:
    """Is an index a text, so that what it is about is no array, whatever an annotation says?"""
    made = index.made_by or source
    return isinstance(index.constant, str) or (type(made) is ops.Build and made.kind == "text")


def _delete(frame: Frame, op: ops.Delete) -> None:
    for target in op.targets:
        _delete_target(frame, target, op)


def _delete_target(frame: Frame, target: Op, op: ops.Delete) -> None:
    if type(target) is ops.Name:
        frame.live().names.unbind(target.name)
    elif type(target) is ops.Item:
        base, index = evaluate(frame, target.base), evaluate(frame, target.index)
        need_no_view(frame, base, target, "delete", op)
        if not _is_text(target.index, index):
            need_mutable(frame, target, base, op, "delete")
        access.write(frame, base, index_step(index), note_unknown(frame, "deleted", target))
        if base.kind is LIST:
            frame.live().invalidate(base)  # what stands behind it moves up
        note_part(frame, target, base, note_unknown(frame, "deleted", target), op)
    elif type(target) is ops.Attr:
        base = evaluate(frame, target.base)
        access.write(frame, base, (".", target.name), note_unknown(frame, "deleted", target))
    elif type(target) is ops.Unpack:
        for part in target.parts:
            _delete_target(frame, part, op)


def _branch(frame: Frame, op: ops.Branch) -> None:
    if type(op.test) is ops.Const:
        run(frame, op.body if op.test.value else op.orelse)
        return
    value = evaluate(frame, op.test)
    asked = op.test.operands[-1] if op.kind == "case" and isinstance(op.test, ops.Logic) else op.test
    need_concrete(frame, value, asked, op.kind, op, op.test)
    chosen = of_library(frame, op.test)
    if chosen is not None:
        note_uncalled(frame, op, not chosen)
    split(frame, op.test, value, lambda: _arm(frame, op, op.body), lambda: _arm(frame, op, op.orelse))


def _arm(frame: Frame, op: ops.Branch, body: ops.Body) -> None:
    """Run one branch of a test; the test is a check where the branch only leads to an error."""
    exits = frame.exits
    ways = len(exits.returned), len(exits.breaks), len(exits.continues)
    run(frame, body)
    if frame.state is None and ways == (len(exits.returned), len(exits.breaks), len(exits.continues)):
        frame.summary.run.checks[op.test] = None


def split(frame: Frame, test: Op, value: Value, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
    """Run both branches of a test, each in its own state, and join the states.

    A branch that a constant or an earlier test excludes is not run.
    """
    known = decided(frame, test, value)
    before = frame.live()
    apart = before.copy()
    facts = {outcome: facts_of(frame, test, outcome) for outcome in (True, False)}
    paths = [assume(before.path, facts[outcome]) for outcome in (True, False)]
    if known is None and is_impossible(paths[0]) is not is_impossible(paths[1]):
        known = is_impossible(paths[1])
    narrowed: Narrowed = []
    if known is False:
        frame.state = None
    else:
        before.path = paths[0]
        narrowed = narrow(frame, test, True, facts[True])
        then()
    first, frame.state = frame.state, apart
    if known is True:
        frame.state = None
    else:
        apart.path = paths[1]
        narrowed += narrow(frame, test, False, facts[False])
        otherwise()
    if first is not None and frame.state is not None:
        kept = [one for one in narrowed if not _is_none_or_renewed(one, first, frame.state)]
        widen(first, kept)
        widen(frame.state, kept)
        begins = outcome_in_first_turn(frame, test)
        if begins is not None:
            frame.state = _one_way(frame, *((first, frame.state) if begins else (frame.state, first)))
            return
    frame.state = join_states(first, frame.state)


def _is_none_or_renewed(narrowed: tuple[str, Value, Value], first: State, other: State) -> bool:
    """Is a name None on one of two ways, and bound anew on the other, so that nothing is left of its value from before?

    if key is not None:
        key, _ = split(key)
    """
    name, before, narrower = narrowed
    held = [state.names.get(name) for state in (first, other)]
    return narrower.payload == NOTHING and narrower in held and before not in held and None not in held


def _one_way(frame: Frame, taken: State, other: State) -> State:
    """The state after a test that has one outcome in the first turn of a loop: what the other arm does comes later."""
    frame.parted.add(frame.iterations[-1][0])
    taken.path = common_facts(taken.path, other.path)
    return taken


def fork(frame: Frame, test: Op, known: Value, body: Op, orelse: Op) -> Value:
    """The value of `a if test else b`: the join of both values, or one of them where the test is `known`."""
    found: list[tuple[Value, Path]] = []

    def way(op: Op) -> Callable[[], None]:
        def go() -> None:
            value = evaluate(frame, op)
            if not frame.live().is_over:
                found.append((value, frame.path))

        return go

    split(frame, test, known, way(body), way(orelse))
    state = frame.state
    if len(found) < 2:
        return found[0][0] if found else note_unknown(frame, "neither way is taken", test)
    (first, path), (second, other) = found
    shared = common_facts(path, other)
    joined = join_on_paths((first, second), (facts_added(path, shared), facts_added(other, shared)))
    if joined is not first and state is not None and not isinstance(joined.payload, KeyMix):
        ways = (first, path), (second, other)  # what is done with the one value on the way to the other is no use of it
        uses = tuple(use for value, taken in ways for use in state.used.get(value) if is_compatible(use, taken))
        if uses:
            state.used.set(joined, uses)
    return joined


def _leave(frame: Frame, op: ops.Leave) -> None:
    value = evaluate(frame, op.value) if op.value is not None else Value(STATIC, payload=NOTHING)
    if op.cause is not None:
        evaluate(frame, op.cause)
    state = frame.live()
    if state.is_over:
        return
    if op.kind == "return":
        value = state.contents(value)
        check_returned(frame, op, value)
        check_returned_buffers(frame, op, value)
        if op.value is not None:
            note_tests(frame, op.value, value)
        frame.exits.returned.append((value, state))
    elif op.kind == "break":
        frame.exits.breaks.append(state)
    elif op.kind == "continue":
        frame.exits.continues.append(state)
    else:
        frame.exits.is_unimplemented |= value.name == "NotImplementedError"
        if frame.exits.caught:
            frame.exits.caught[-1].append(state.copy())
    frame.state = None


def _choose(frame: Frame, op: ops.Choose) -> Value:
    if type(op.test) is ops.Const:
        return evaluate(frame, op.body if op.test.value else op.orelse)
    known = evaluate(frame, op.test)
    need_concrete(frame, known, op.test, "ternary", op)
    check_returned_arms(frame, op)
    return fork(frame, op.test, known, op.body, op.orelse)


EVALUATES: dict[type[Op], OpEvaluator] = {ops.Store: run_store, ops.Choose: _choose}
RUNS: dict[type[Op], OpRunner] = {ops.Store: run_store, ops.Branch: _branch, ops.Leave: _leave, ops.Delete: _delete}
