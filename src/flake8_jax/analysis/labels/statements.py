"""Statements: where labels are bound, replaced, tested and returned.

A loop is taken to run: a path on which its body never ran is no evidence.  It is passed twice, and calls in it have
other labels in the second iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from flake8_jax.analysis.labels.bodies import Reads, joined, reads_of
from flake8_jax.analysis.labels.callees import Code, value_of
from flake8_jax.analysis.labels.flows import (
    NOTHING,
    Flow,
    Trail,
    any_item,
    below,
    changed,
    each_item,
    items,
    keys_only,
    mixed,
    others_only,
    skeleton,
    united,
    without,
)
from flake8_jax.analysis.labels.passes import Held, NamedPart, Pass, copy, ended_early, entered, join_environments
from flake8_jax.analysis.labels.refilling import is_refilled
from flake8_jax.domain.kinds import API
from flake8_jax.ir import ops
from flake8_jax.ir.chains import bindings_in, bindings_of, chains_of, searched_once
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.scope import Binding
from flake8_jax.ir.walking import path_root, statements_in, targets_in, within
from flake8_jax.syntax.policies import PLACEHOLDER_NAME

ItemFlow: TypeAlias = "Flow | tuple[Flow, ...]"
"""The labels in an item of what a loop runs through: all, or those of each part of its target."""

CONSTRUCTOR = "__init__"
PARTS = frozenset((".", "[]"))
COMPOUND = frozenset((ops.Branch, ops.Loop, ops.Try, ops.With))


def run(walk: Pass, body: Body) -> None:
    """Pass over the ops of a body in order, as far as a path arrives."""
    for op in body:
        if walk.held is None:
            return
        if walk.is_over:
            walk.found.is_beyond = True
            walk.held = None
            return
        runner = RUNNERS.get(type(op))
        if runner is not None:
            walk.found.ops += 1
            runner(walk, op)
        else:
            _expression(walk, op)
        details = walk.found.details
        if details is not None and type(op) not in COMPOUND:
            details.ended[op.anchor] = len(details.log)


def _expression(walk: Pass, op: Op) -> None:
    walk.statement = op
    flow = walk.flow_of(walk, op)
    walk.statement = None
    if type(op) is ops.Call and type(op.func) is ops.Attr:
        _keep_in_receiver(walk, op.func, flow)
        if flow and op.func.name == CONSTRUCTOR:
            _keep_in_object(walk, flow)


def _store(walk: Pass, op: Op) -> None:
    assert isinstance(op, ops.Store)
    if op.value is None:
        return
    function = _function_in(op.value)
    if function is not None and type(op.targets[0]) is ops.Name:
        named = op.targets[0]
        walk.functions[named.scope.lookup(named.name)] = function
        return
    flow = walk.flow_of(walk, op.value)
    if walk.found.details is not None:
        walk.found.details.note_stored(op, flow)
    for target in op.targets:
        if type(target) is ops.Attr and is_refilled(walk.code, target.base, target.name, op.value):
            _empty(walk, target.base)
        assign(walk, target, flow)
        if type(op.value) is ops.Call:
            walk.found.bound.setdefault(op.value, []).append(frozenset(bindings_of(target)))


def _empty(walk: Pass, owner: Op) -> None:
    """Leave what a name holds as a skeleton that is filled anew."""
    if type(owner) is ops.Name and walk.held is not None:
        binding = owner.scope.lookup(owner.name)
        walk.bind(binding, skeleton(walk.lookup(binding), _is_new_object(walk, owner)))


def _function_in(op: Op) -> Function | None:
    """The function that a `def`, with its decorators, or a lambda defines."""
    while type(op) is ops.Call and op.args:
        op = op.args[-1]
    return op.function if type(op) is ops.Closure else None


def assign(walk: Pass, target: Op, flow: Flow) -> None:
    """Store a value to a target."""
    if type(target) is ops.Name:
        _bind(walk, target, flow)
    elif type(target) is ops.Star:
        assign(walk, target.value, mixed(flow))
    elif type(target) is ops.Unpack:
        for one, held in zip(target.parts, items(flow, len(target.parts)), strict=True):
            assign(walk, one, mixed(any_item(flow)) if type(one) is ops.Star else held)
    elif isinstance(target, (ops.Attr, ops.Item)):
        _store_part(walk, target, flow)


def flows_of_items(walk: Pass, target: Op | None, source: Op) -> ItemFlow:
    """The labels in the items of what a loop runs through, by the parts of its target where `zip` or `enumerate` gives
    each its own.
    """
    parts = target.parts if type(target) is ops.Unpack else ()
    name = source.func.name if type(source) is ops.Call and type(source.func) is ops.Name else ""
    given = source.args if type(source) is ops.Call and not source.keywords else ()
    is_plain = bool(parts) and not any(type(one) is ops.Star for one in (*parts, *given))
    if name == "zip" and is_plain and len(parts) == len(given) and _is_builtin(source):
        return tuple(each_item(walk.flow_of(walk, one)) for one in given)
    if name == "enumerate" and is_plain and len(parts) == 2 and given and _is_builtin(source):
        return NOTHING, each_item(walk.flow_of(walk, given[0]))
    return each_item(walk.flow_of(walk, source))


def _is_builtin(call: Op) -> bool:
    func = call.func if type(call) is ops.Call else None
    return type(func) is ops.Name and func.scope.lookup(func.name).owner is None


def assign_item(walk: Pass, target: Op, held: ItemFlow) -> None:
    """Store the item of a turn to the target of a loop."""
    if not isinstance(held, tuple):
        assign(walk, target, held)
        return
    assert type(target) is ops.Unpack
    for one, flow in zip(target.parts, held, strict=True):
        assign(walk, one, flow)


def _bind(walk: Pass, target: ops.Name, flow: Flow) -> None:
    scope = walk.code.function.scope
    if target.name in scope.globals or target.name in scope.nonlocals:
        walk.read(flow)
    if flow and PLACEHOLDER_NAME.search(target.name):
        flow = keys_only(flow)
    walk.bind(target.scope.lookup(target.name), flow)


def _store_part(walk: Pass, target: ops.Attr | ops.Item, flow: Flow) -> None:
    """Replace a part; what is stored into an object of somebody else is read there."""
    if walk.held is None:
        return
    root, place = path_root(target), place_of(target)
    is_own = root is not None and (_is_own(walk, root) or _is_new_object(walk, root))
    if not is_own:
        walk.read(flow)
    if place is None:
        if is_own and root is not None:
            _put_into(walk, root, flow)
        return
    binding, steps = place
    kept = without(walk.lookup(binding), steps)
    for step in reversed(steps):
        flow = below(step, flow)
    walk.bind(binding, united(kept, flow))


def _put_into(walk: Pass, name: ops.Name, flow: Flow) -> None:
    """Put a value into what a name holds, at no known place."""
    binding = name.scope.lookup(name.name)
    walk.bind(binding, united(walk.lookup(binding), mixed(flow)))


def _is_new_object(walk: Pass, name: ops.Name) -> bool:
    """Is it the object that a constructor makes?"""
    function = walk.code.function
    return function.name == CONSTRUCTOR and bool(function.parameters) and name.name == function.parameters[0].name


def _keep_in_object(walk: Pass, flow: Flow) -> None:
    """Keep what the constructor of a base class stores in the object, at no known place; others read it there."""
    function = walk.code.function
    if function.name != CONSTRUCTOR or not function.parameters:
        walk.read(flow)
    elif walk.held is not None:
        binding = function.scope.names[function.parameters[0].name]
        walk.bind(binding, united(walk.lookup(binding), mixed(flow)))


def _hand_back_object(walk: Pass) -> None:
    """Hand back what the object holds at the end of a constructor."""
    function = walk.code.function
    if function.name != CONSTRUCTOR or not function.parameters:
        return
    binding = function.scope.names[function.parameters[0].name]
    for state in (*([walk.held] if walk.held is not None else ()), *walk.waiting.ends):
        walk.hand_back(mixed(state.get(binding, NOTHING)))
    walk.note_met(walk.found.returned)


def _keep_in_receiver(walk: Pass, method: ops.Attr, flow: Flow) -> None:
    """Keep what a method draws of which nobody takes the result: it is in the object, other than in a module."""
    root, callee = path_root(method.base), value_of(walk.code, method)
    is_of_library = callee is not None and callee.kind is API
    if root is not None and walk.held is not None and _is_own(walk, root) and not is_of_library:
        _put_into(walk, root, flow)


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


def _is_own(walk: Pass, name: ops.Name) -> bool:
    """Is it a local name that is bound to something in this function?"""
    binding = name.scope.lookup(name.name)
    return binding.owner is walk.code.function.scope and not binding.is_parameter


def _delete(walk: Pass, op: Op) -> None:
    assert isinstance(op, ops.Delete)
    for target in op.targets:
        assign(walk, target, NOTHING)


def _branch(walk: Pass, op: Op) -> None:
    assert isinstance(op, ops.Branch)
    walk.read(walk.flow_of(walk, op.test))
    flag = walk.code.flag(op.test)
    if flag is not None:
        walk.run(walk, op.body if flag else op.orelse)
        return
    before, arms = copy(walk.held), walk.arms
    walk.enter_arm(op, True)
    walk.run(walk, op.body)
    after, walk.held, walk.arms = walk.held, before, arms
    walk.enter_arm(op, False)
    walk.run(walk, op.orelse)
    walk.arms = arms
    if (after is None) != (walk.held is None):
        walk.enter_arm(op, after is not None)
    walk.held = join_environments(after, walk.held, op if not walk.loops else None)


def _loop(walk: Pass, op: Op) -> None:
    assert isinstance(op, ops.Loop)
    waiting, turned = walk.waiting, walk.turned
    outer = waiting.breaks, waiting.continues
    items_of_turn = flows_of_items(walk, op.target, op.source)
    is_endless = op.kind == "while" and type(op.source) is ops.Const and bool(op.source.value)
    left: list[tuple[Held | None, list[Held]]] = []
    for iteration in range(2):
        if walk.held is None:
            break
        walk.turned = turned | {op} if iteration else turned
        waiting.breaks, waiting.continues = [], []
        if op.target is None:
            walk.read(walk.flow_of(walk, op.source))
        else:
            assign_item(walk, op.target, items_of_turn)
        walk.loops += 1
        walk.run(walk, op.body)
        walk.loops -= 1
        for state in waiting.continues:
            walk.held = join_environments(walk.held, state)
        left.append((copy(walk.held), waiting.breaks))
    walk.turned = turned
    first, second = left[0], left[-1]
    walk.held = None if is_endless else ended_early(first[0], second[0], op)
    walk.run(walk, op.orelse)
    walk.held = join_environments(walk.held, ended_early(_met(first[1]), _met(second[1]), op))
    waiting.breaks, waiting.continues = outer


def _met(states: list[Held]) -> Held | None:
    found: Held | None = None
    for state in states:
        found = join_environments(found, state)
    return found


def _try(walk: Pass, op: Op) -> None:
    assert isinstance(op, ops.Try)
    raised = copy(walk.held)
    outer, walk.waiting.raised = walk.waiting.raised, []
    walk.run(walk, op.body)
    for state in (walk.held, *walk.waiting.raised):
        raised = raised if state is None else join_environments(raised, state)
    walk.waiting.raised = outer
    walk.run(walk, op.orelse)
    after = walk.held
    for handler in op.handlers:
        walk.held = copy(raised)
        walk.run(walk, handler.body)
        after = join_environments(after, walk.held)
    walk.held = after if after is not None else copy(raised)
    walk.run(walk, op.final)
    walk.held = walk.held if after is not None else None


def _with(walk: Pass, op: Op) -> None:
    assert isinstance(op, ops.With)
    flow = walk.flow_of(walk, op.manager)
    if op.target is not None:
        assign(walk, op.target, flow)
    walk.run(walk, op.body)


def _leave(walk: Pass, op: Op) -> None:
    assert isinstance(op, ops.Leave)
    flow = walk.flow_of(walk, op.value) if op.value is not None else NOTHING
    waiting, state = walk.waiting, walk.held or {}
    if op.kind == "return":
        walk.hand_back(flow)
        waiting.ends.append(state)
    elif op.kind == "break":
        waiting.breaks.append(state)
    elif op.kind == "continue":
        waiting.continues.append(state)
    else:
        waiting.raised.append(state)
    walk.held = None


def end(walk: Pass) -> None:
    """Note what the names hold at the end that others read, and what nobody looks up."""
    found, function = walk.found, walk.code.function
    _note_unused(walk)
    _hand_back_object(walk)
    if function.kind not in ("module", "class"):
        return
    chains = chains_of(function)
    loaded = chains.loaded
    published: list[Reads] = []
    for name, flow in (walk.held or {}).items():
        if flow and name.owner is function.scope and not name.name.startswith("_"):
            seen = _computed_of(flow) if _is_of_script(function, name) else flow
            published.append(reads_of(others_only(seen) if name in loaded else seen, walk.arms))
    found.published = joined(published)
    held = {name for name, flow in (walk.held or {}).items() if flow}
    if held:
        _end_module(walk, function, held)


def _is_of_script(module: Function, name: Binding) -> bool:
    """Is a name that the module looks up bound only where it is run as a script, so that nobody imports it?"""
    chains = chains_of(module)
    if name not in chains.loaded:
        return False
    if does_work(module):
        return True
    return all(runs_as_script(chains.way_to(statement)[0]) for _, statement in chains.stored_to(name.name))


def _computed_of(flow: Flow) -> Flow:
    """The labels of what was computed of results, without the results and their parts: a script is run for what it
    does.
    """
    return changed(flow, lambda placement: placement if placement.steps or _is_computed(placement.trail) else None)


def _is_computed(trail: Trail) -> bool:
    return any(kind not in PARTS for kind, _ in trail)


def runs_as_script(statement: Op) -> bool:
    """Is it `if __name__ == "__main__":`?"""
    test = statement.test if type(statement) is ops.Branch else None
    asked = test.operands if type(test) is ops.Compare else ()
    return any(type(operand) is ops.Name and operand.name == "__name__" for operand in asked)


@searched_once
def does_work(module: Function) -> bool:
    """Does a module print something where it is imported, or compute in turns, as a script does?

    One that tests whether it is run as a script is there to be imported, too.
    """
    return module.kind == "module" and _works(module.body) and not any(map(runs_as_script, module.body))


def _works(body: Body) -> bool:
    return any(_is_work(op) for op in body)


def _is_work(op: Op) -> bool:
    match op:
        case ops.Loop(body=inner):
            return any(type(one) is ops.Store and _computes(one) for one in statements_in(inner))
        case ops.Call(func=ops.Name(name="print")):
            return True
        case ops.Branch(body=inner, orelse=other):
            return _works((*inner, *other))
        case ops.With(body=inner):
            return _works(inner)
    return False


def _computes(statement: ops.Store) -> bool:
    """Is what a call gives bound to a name?"""
    names = [part for target in statement.targets for part in targets_in(target) if type(part) is ops.Name]
    return bool(names) and any(type(inner) is ops.Call for inner in within(statement))


def _note_unused(walk: Pass) -> None:
    """Note results that are bound to names which nothing looks up: code that is not finished."""
    chains = chains_of(walk.code.function)
    states = [*([walk.held] if walk.held else []), *walk.waiting.ends]
    captured = chains.captured if walk.found.bound else frozenset[Binding]()
    for op, bound in walk.found.bound.items():
        unused = {
            name
            for names in bound
            if names.isdisjoint(chains.loaded) and names.isdisjoint(captured)
            for name in names
            if not name.name.startswith("_")
        }
        flows = [state[name] for state in states for name in unused if state.get(name)]
        if flows:
            walk.found.unused[op] = joined(reads_of(flow, walk.arms) for flow in flows)


def _end_module(walk: Pass, function: Function, held: set[Binding]) -> None:
    """Ask the functions of a module for the globals that they read."""
    for inner in function.functions:
        if inner.kind in ("def", "lambda") and not held.isdisjoint(bindings_in(inner)):
            walk.read(entered(walk, Code(inner, walk.code.around), {}, inner.anchor))
        _end_module(walk, inner, held)


RUNNERS: dict[type[Op], Callable[[Pass, Op], None]] = {
    ops.Store: _store, ops.Delete: _delete, ops.Branch: _branch, ops.Loop: _loop, ops.Try: _try, ops.With: _with,
    ops.Leave: _leave,
}  # fmt: skip
