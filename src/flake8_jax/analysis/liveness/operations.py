"""Expressions: which products are in the value of an op."""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.liveness.callees import Code
from flake8_jax.analysis.liveness.calls import products_of_call, test_of
from flake8_jax.analysis.liveness.flow import Flow, enter
from flake8_jax.analysis.liveness.products import (
    NO_PRODUCTS,
    Products,
    any_item,
    below,
    chosen,
    come_together,
    data,
    each_item,
    keys_or_data,
    masked,
    part,
)
from flake8_jax.analysis.liveness.statements import assign
from flake8_jax.analysis.liveness.tables import SHAPE_ATTRIBUTES
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def products_of(flow: Flow, op: Op) -> Products:
    """The products in the value of an expression, those that it makes itself included."""
    flow.ops += 1
    evaluator = EVALUATORS.get(type(op))
    found = evaluator(flow, op) if evaluator is not None else NO_PRODUCTS
    flow.has_met = flow.has_met or come_together(found)
    made = flow.made.get(op)
    if made is None:
        return found
    flow.visited.add(op)
    return found | made


def _name(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Name)
    binding = op.scope.lookup(op.name)
    function = flow.functions.get(binding)
    if function is not None and function not in flow.running:
        return keys_or_data(enter(flow, Code(function, flow.code.around), {}))
    return flow.held.get(binding, NO_PRODUCTS) if flow.held else NO_PRODUCTS


def _attribute(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Attr)
    held = flow.products_of(flow, op.base)
    if op.name in SHAPE_ATTRIBUTES:
        held = frozenset(one for one in held if one.steps)
    return part(held, (".", op.name))


def _item(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Item)
    held = flow.products_of(flow, op.base)
    index = data(flow.products_of(flow, op.index))
    if type(op.index) is ops.Const:
        return part(held, ("[]", op.index.value)) | index
    if type(op.index) is ops.Build:
        return keys_or_data(held) | index
    return any_item(held) | index


def _build(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Build)
    found = NO_PRODUCTS
    for place, one in enumerate(op.parts):
        held = flow.products_of(flow, one)
        if held:
            is_placed = op.kind in ("tuple", "list") and type(one) is not ops.Star
            found |= below(("[]", place), held) if is_placed else keys_or_data(held)
    return found


def _build_dict(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.BuildDict)
    found = NO_PRODUCTS
    for key, value in op.items:
        held = flow.products_of(flow, value)
        if key is not None:
            flow.products_of(flow, key)
            is_placed = type(key) is ops.Const
            step = ("[]", key.value if type(key) is ops.Const else None)
            found = frozenset(one for one in found if one.steps[:1] != (step,)) if is_placed else found
            found |= below(step, held) if is_placed else keys_or_data(held)
        else:
            found |= held
    return found


def _computed(flow: Flow, op: Op) -> Products:
    assert isinstance(op, (ops.Operate, ops.Logic))
    held = [flow.products_of(flow, operand) for operand in op.operands]
    found = keys_or_data(one for products in held for one in products)
    if found and isinstance(op, ops.Operate) and op.operator == "*":
        if any(type(operand) is ops.Const and operand.value == 0 for operand in op.operands):
            return NO_PRODUCTS
        for operand in op.operands:
            mask = test_of(operand, True)
            found = found if mask is None or type(operand) is ops.Name else masked(found, mask)
    return found


def _compare(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Compare)
    held = [flow.products_of(flow, operand) for operand in op.operands]
    if set(op.operators) <= {"is", "is not"}:
        return NO_PRODUCTS
    return data(one for products in held for one in products)


def _choose(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Choose)
    flow.read(flow.products_of(flow, op.test))
    return chosen((flow.products_of(flow, op.body), flow.products_of(flow, op.orelse)))


def _closure(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Closure)
    return keys_or_data(enter(flow, Code(op.function, flow.code.around), {}))


def _gather(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Gather)
    for clause in op.clauses:
        assign(flow, clause.target, each_item(flow.products_of(flow, clause.source)))
        for test in clause.tests:
            flow.read(flow.products_of(flow, test))
    made = keys_or_data(one for element in op.element for one in flow.products_of(flow, element))
    if op.kind == "set":
        flow.read(made)
    return made


def _inner(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Star)
    return flow.products_of(flow, op.value)


def _suspend(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Suspend)
    if op.value is not None:
        flow.read(flow.products_of(flow, op.value))
    return NO_PRODUCTS


def _matches(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Matches)
    return keys_or_data(flow.products_of(flow, op.subject))


def _walrus(flow: Flow, op: Op) -> Products:
    assert isinstance(op, ops.Store)
    held = flow.products_of(flow, op.value) if op.value is not None else NO_PRODUCTS
    for target in op.targets:
        assign(flow, target, held)
    return held


EVALUATORS: dict[type[Op], Callable[[Flow, Op], Products]] = {
    ops.Name: _name, ops.Attr: _attribute, ops.Item: _item, ops.Build: _build, ops.BuildDict: _build_dict,
    ops.Operate: _computed, ops.Logic: _computed, ops.Compare: _compare, ops.Choose: _choose, ops.Closure: _closure,
    ops.Gather: _gather, ops.Star: _inner, ops.Suspend: _suspend, ops.Matches: _matches, ops.Store: _walrus,
    ops.Call: products_of_call,
}  # fmt: skip
