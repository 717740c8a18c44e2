"""Statements: where products are bound, replaced, tested and returned.

A loop is taken to run: a path on which its body never ran is no evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flake8_jax.analysis.liveness.callees import Code
from flake8_jax.analysis.liveness.flow import Flow, Held, NamedPart, Waiting, copy, enter, meet
from flake8_jax.analysis.liveness.products import (
    NO_PRODUCTS,
    Products,
    any_item,
    below,
    come_together,
    each_item,
    keys_or_data,
    part,
    without,
)
from flake8_jax.analysis.liveness.tables import PLACEHOLDER
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.scope import Binding

CONSTRUCTOR = "__init__"


def run(flow: Flow, body: Body) -> None:
    """Walk over the ops of a body in order, as far as a path arrives; what is not concerned is passed by."""
    chains, making = chains_of(flow.code.function), flow.making
    named, decisive, bits = chains.named, chains.decisive, chains.bits
    hot = flow.hot(bits)
    for op in body:
        if flow.held is None:
            return
        if not named[op] & hot and op not in making and op not in decisive:
            continue
        if flow.is_over:
            flow.read_everything()
            flow.held = None
            return
        runner = RUNNERS.get(type(op))
        if runner is not None:
            flow.ops += 1
            runner(flow, op)
        else:
            flow.statement = op
            held = flow.products_of(flow, op)
            flow.statement = None
            if op in flow.made and type(op) is ops.Call and type(op.func) is ops.Attr:
                _keep_in_receiver(flow, op.func, held)
            if held and type(op) is ops.Call and type(op.func) is ops.Attr and op.func.name == CONSTRUCTOR:
                _keep_in_object(flow, held)
        hot = flow.hot(bits)


def _store(flow: Flow, op: Op) -> None:
    assert isinstance(op, ops.Store)
    if op.value is None:
        return
    function = _function_in(op.value)
    if function is not None and type(op.targets[0]) is ops.Name:
        named = op.targets[0]
        flow.functions[named.scope.lookup(named.name)] = function
        return
    held = flow.products_of(flow, op.value)
    for target in op.targets:
        assign(flow, target, held)
        if op.value in flow.made:
            flow.plain.append(frozenset(names_in(target)))


def names_in(target: Op) -> Iterator[Binding]:
    """The names that a target binds."""
    if type(target) is ops.Name:
        yield target.scope.lookup(target.name)
    for one in target.parts if type(target) is ops.Unpack else ():
        yield from names_in(one)


def _function_in(op: Op) -> Function | None:
    """The function that a `def`, with its decorators, or a lambda defines."""
    while type(op) is ops.Call and op.args:
        op = op.args[-1]
    return op.function if type(op) is ops.Closure else None


def assign(flow: Flow, target: Op, held: Products) -> None:
    """Store products to a target."""
    if type(target) is ops.Name:
        _bind(flow, target, held)
    elif type(target) is ops.Star:
        assign(flow, target.value, keys_or_data(held))
    elif type(target) is ops.Unpack:
        for place, one in enumerate(target.parts):
            assign(flow, one, keys_or_data(any_item(held)) if type(one) is ops.Star else part(held, ("[]", place)))
    elif isinstance(target, (ops.Attr, ops.Item)):
        _store_part(flow, target, held)


def _bind(flow: Flow, target: ops.Name, held: Products) -> None:
    scope = flow.code.function.scope
    if target.name in scope.globals or target.name in scope.nonlocals:
        flow.read(held)
    if held and PLACEHOLDER.search(target.name):
        held = frozenset(one for one in held if one.is_key)
    flow.set_name(target.scope.lookup(target.name), held)


def _store_part(flow: Flow, target: ops.Attr | ops.Item, held: Products) -> None:
    """Replace a part; what is stored into an object of somebody else is read there."""
    place = place_of(target)
    if _is_of_new_object(flow, target):
        _keep_in_object(flow, held)
        return
    if place is None or flow.held is None:
        root = _root(target)
        if root is None or not _is_own(flow, root):
            flow.read(held)
        elif flow.held is not None:
            binding = root.scope.lookup(root.name)
            flow.set_name(binding, flow.held.get(binding, NO_PRODUCTS) | keys_or_data(held))
        return
    binding, steps = place
    kept = without(flow.held.get(binding, NO_PRODUCTS), steps)
    root = _root(target)
    if root is None or not _is_own(flow, root):
        flow.read(held)
    for step in reversed(steps):
        held = below(step, held)
    flow.set_name(binding, kept | held)


def _is_of_new_object(flow: Flow, target: Op) -> bool:
    """Is it a field of the object that a constructor makes?"""
    function = flow.code.function
    if function.name != CONSTRUCTOR or not function.parameters:
        return False
    root = _root(target)
    return root is not None and root.name == function.parameters[0].name


def _keep_in_object(flow: Flow, held: Products) -> None:
    """Keep what a constructor stores in its object: what it makes is the object."""
    flow.kept |= keys_or_data(held)
    flow.has_met = flow.has_met or come_together(flow.kept)
    if flow.is_asked:
        flow.read(held)
    else:
        flow.waiting.returned |= keys_or_data(held)


def _keep_in_receiver(flow: Flow, method: ops.Attr, held: Products) -> None:
    """Keep what a method draws of which nobody takes the result: it is in the object."""
    root = _root(method.base)
    if root is not None and flow.held is not None and _is_own(flow, root):
        binding = root.scope.lookup(root.name)
        flow.set_name(binding, flow.held.get(binding, NO_PRODUCTS) | keys_or_data(held))


def place_of(op: Op) -> NamedPart | None:
    """The name and the constant steps that an op spells out."""
    if type(op) is ops.Name:
        return op.scope.lookup(op.name), ()
    if type(op) is ops.Attr:
        around = place_of(op.base)
        return None if around is None else (around[0], (*around[1], (".", op.name)))
    if type(op) is ops.Item and type(op.index) is ops.Const:
        around = place_of(op.base)
        return None if around is None else (around[0], (*around[1], ("[]", op.index.value)))
    return None


def _root(op: Op) -> ops.Name | None:
    while isinstance(op, (ops.Attr, ops.Item)):
        op = op.base
    return op if type(op) is ops.Name else None


def _is_own(flow: Flow, name: ops.Name) -> bool:
    """Is it a local name that is bound to something in this function?"""
    binding = name.scope.lookup(name.name)
    return binding.owner is flow.code.function.scope and not binding.is_parameter


def _delete(flow: Flow, op: Op) -> None:
    assert isinstance(op, ops.Delete)
    for target in op.targets:
        assign(flow, target, NO_PRODUCTS)


def _branch(flow: Flow, op: Op) -> None:
    assert isinstance(op, ops.Branch)
    flow.read(flow.products_of(flow, op.test))
    before, arms = copy(flow.held), flow.arms
    flow.enter_arm(op, True)
    flow.run(flow, op.body)
    after, flow.held, flow.arms = flow.held, before, arms
    flow.enter_arm(op, False)
    flow.run(flow, op.orelse)
    flow.arms = arms
    if (after is None) != (flow.held is None):
        flow.enter_arm(op, after is not None)
    flow.held = meet(after, flow.held, op if not flow.loops and flow.is_asked else None)


def _loop(flow: Flow, op: Op) -> None:
    assert isinstance(op, ops.Loop)
    breaks, continues = flow.waiting.breaks, flow.waiting.continues
    flow.waiting.breaks = []
    ends: list[Held | None] = []
    source = flow.products_of(flow, op.source)
    made = flow.made
    for iteration in range(2):
        if flow.held is None:
            break
        if iteration and op is flow.loop:
            flow.made, ends, flow.waiting.breaks = flow.again, [], []
        flow.waiting.continues = []
        if op.target is None:
            flow.read(flow.products_of(flow, op.source))
        else:
            assign(flow, op.target, each_item(source))
        flow.loops += 1
        flow.run(flow, op.body)
        flow.loops -= 1
        for state in flow.waiting.continues:
            flow.held = meet(flow.held, state)
        ends.append(copy(flow.held))
    flow.made = made
    is_endless = op.kind == "while" and type(op.source) is ops.Const and bool(op.source.value)
    flow.held = None
    for end in ends if not is_endless else ():
        flow.held = meet(flow.held, end)
    flow.run(flow, op.orelse)
    for state in flow.waiting.breaks:
        flow.held = meet(flow.held, state)
    flow.waiting.breaks, flow.waiting.continues = breaks, continues


def _try(flow: Flow, op: Op) -> None:
    assert isinstance(op, ops.Try)
    raised = copy(flow.held)
    outer, flow.waiting.raised = flow.waiting.raised, []
    flow.run(flow, op.body)
    for state in (flow.held, *flow.waiting.raised):
        raised = raised if state is None else meet(raised, state)
    flow.waiting.raised = outer
    flow.run(flow, op.orelse)
    after = flow.held
    for handler in op.handlers:
        flow.held = copy(raised)
        flow.run(flow, handler.body)
        after = meet(after, flow.held)
    flow.held = after if after is not None else copy(raised)
    flow.run(flow, op.final)
    flow.held = flow.held if after is not None else None


def _with(flow: Flow, op: Op) -> None:
    assert isinstance(op, ops.With)
    held = flow.products_of(flow, op.manager)
    if op.target is not None:
        assign(flow, op.target, held)
    flow.run(flow, op.body)


def _leave(flow: Flow, op: Op) -> None:
    assert isinstance(op, ops.Leave)
    held = flow.products_of(flow, op.value) if op.value is not None else NO_PRODUCTS
    waiting: Waiting = flow.waiting
    state = flow.held or {}
    if op.kind == "return":
        if flow.is_asked:
            flow.read(held)
        waiting.returned |= held
        waiting.ends.append(state)
    elif op.kind == "break":
        waiting.breaks.append(state)
    elif op.kind == "continue":
        waiting.continues.append(state)
    else:
        waiting.raised.append(state)
    flow.held = None


def read_unused(flow: Flow) -> None:
    """Take results to be read whose own names nothing looks up: code that is not finished."""
    chains = chains_of(flow.code.function)
    unused = {
        name
        for names in flow.plain
        if names.isdisjoint(chains.loaded) and names.isdisjoint(chains.captured)
        for name in names
    }
    for state in (flow.held, *flow.waiting.ends):
        for name, held in (state or {}).items():
            if name in unused and not name.name.startswith("_"):
                flow.read(held)


def end_module(flow: Flow, function: Function) -> None:
    """Ask the functions of a module for the globals that they read."""
    if not any(flow.held.values() if flow.held else ()):
        return
    for inner in function.functions:
        if inner.kind in ("def", "lambda"):
            flow.read(enter(flow, Code(inner, flow.code.around), {}))
        end_module(flow, inner)


RUNNERS: dict[type[Op], Callable[[Flow, Op], None]] = {
    ops.Store: _store, ops.Delete: _delete, ops.Branch: _branch, ops.Loop: _loop, ops.Try: _try, ops.With: _with,
    ops.Leave: _leave,
}  # fmt: skip
