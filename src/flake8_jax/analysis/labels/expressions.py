"""Expressions: which labels are in the value of an op."""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.labels.callees import is_zero
from flake8_jax.analysis.labels.calls import flow_of_call, test_of
from flake8_jax.analysis.labels.flows import (
    NOTHING,
    Flow,
    any_item,
    below,
    changed,
    chosen,
    data,
    masked,
    mixed,
    part,
    united,
)
from flake8_jax.analysis.labels.passes import Pass, entered
from flake8_jax.analysis.labels.statements import assign, assign_item, flows_of_items
from flake8_jax.analysis.labels.tables import SHAPE_ATTRIBUTES
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def flow_of(walk: Pass, op: Op) -> Flow:
    """The labels in the value of an expression, those that it makes itself included."""
    walk.found.ops += 1
    evaluator = EVALUATORS.get(type(op))
    return walk.note_met(evaluator(walk, op)) if evaluator is not None else NOTHING


def _name(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Name)
    binding = op.scope.lookup(op.name)
    function = walk.functions.get(binding)
    if function is not None:
        return mixed(entered(walk, walk.code.local(function), {}, op))
    return walk.lookup(binding)


def _attribute(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Attr)
    flow = walk.flow_of(walk, op.base)
    if op.name in SHAPE_ATTRIBUTES:
        flow = changed(flow, lambda placement: placement if placement.steps else None)
    return part(flow, (".", op.name))


def _item(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Item)
    flow = walk.flow_of(walk, op.base)
    index = data(walk.flow_of(walk, op.index))
    if type(op.index) is ops.Const:
        return united(part(flow, ("[]", op.index.value)), index)
    if type(op.index) is ops.Build:
        return united(mixed(flow), index)
    return united(any_item(flow), index)


def _build(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Build)
    found: list[Flow] = []
    for place, one in enumerate(op.parts):
        flow = walk.flow_of(walk, one)
        if flow:
            is_placed = op.kind in ("tuple", "list") and type(one) is not ops.Star
            found.append(below(("[]", place), flow) if is_placed else mixed(flow))
    return united(*found)


def _build_dict(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.BuildDict)
    found: Flow = NOTHING
    for key, value in op.items:
        flow = walk.flow_of(walk, value)
        if key is None:
            found = united(found, flow)
            continue
        walk.flow_of(walk, key)
        if type(key) is ops.Const:
            step = ("[]", key.value)
            found = changed(found, lambda placement, step=step: placement if placement.steps[:1] != (step,) else None)  # type: ignore[misc]
            found = united(found, below(step, flow))
        else:
            found = united(found, mixed(flow))
    return found


def _computed(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, (ops.Operate, ops.Logic))
    found = mixed(*[walk.flow_of(walk, operand) for operand in op.operands])
    if found and isinstance(op, ops.Operate) and op.operator == "*":
        if any(is_zero(walk.code, operand) for operand in op.operands):
            return NOTHING
        for operand in op.operands:
            mask = test_of(operand, True)
            found = found if mask is None or type(operand) is ops.Name else masked(found, mask)
    return found


def _compare(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Compare)
    flows = [walk.flow_of(walk, operand) for operand in op.operands]
    return NOTHING if set(op.operators) <= {"is", "is not"} else data(*flows)


def _choose(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Choose)
    walk.read(walk.flow_of(walk, op.test))
    flag = walk.code.flag(op.test)
    if flag is not None:
        return walk.flow_of(walk, op.body if flag else op.orelse)
    return chosen(op, (walk.flow_of(walk, op.body), walk.flow_of(walk, op.orelse)))


def _closure(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Closure)
    return mixed(entered(walk, walk.code.local(op.function), {}, op))


def _gather(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Gather)
    for clause in op.clauses:
        assign_item(walk, clause.target, flows_of_items(walk, clause.target, clause.source))
        for test in clause.tests:
            walk.read(walk.flow_of(walk, test))
    made = mixed(*[walk.flow_of(walk, element) for element in op.element])
    if op.kind == "set":
        walk.read(made)
    return made


def _inner(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Star)
    return walk.flow_of(walk, op.value)


def _suspend(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Suspend)
    if op.value is not None:
        walk.read(walk.flow_of(walk, op.value))
    return NOTHING


def _matches(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Matches)
    return mixed(walk.flow_of(walk, op.subject))


def _walrus(walk: Pass, op: Op) -> Flow:
    assert isinstance(op, ops.Store)
    flow = walk.flow_of(walk, op.value) if op.value is not None else NOTHING
    for target in op.targets:
        assign(walk, target, flow)
    return flow


EVALUATORS: dict[type[Op], Callable[[Pass, Op], Flow]] = {
    ops.Name: _name, ops.Attr: _attribute, ops.Item: _item, ops.Build: _build, ops.BuildDict: _build_dict,
    ops.Operate: _computed, ops.Logic: _computed, ops.Compare: _compare, ops.Choose: _choose, ops.Closure: _closure,
    ops.Gather: _gather, ops.Star: _inner, ops.Suspend: _suspend, ops.Matches: _matches, ops.Store: _walrus,
    ops.Call: flow_of_call,
}  # fmt: skip
