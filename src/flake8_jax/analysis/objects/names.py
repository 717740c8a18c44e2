"""Name lookup: locals, captured variables, globals, builtins, imports of other files.

A global that is bound once has that value; one that is bound again somewhere is a fresh unknown in every function that
reads it, because it is not known which binding was the last.  An import is followed when its name is first read.
"""

from __future__ import annotations

import sys
from math import inf

from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.objects import access
from flake8_jax.domain.conditions import on_path
from flake8_jax.domain.kinds import API, CHANGING_PARTS, IMPORTED, LISTS_AND_DICTS, MUTABLE_DATA
from flake8_jax.domain.state import GROWN, VERSION, HeapStep, State
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.scope import Scope
from flake8_jax.syntax.policies import EXCHANGED_MODULES


def read_name(frame: Frame, op: ops.Name) -> Value:
    """The current value of a name."""
    state = frame.state
    if state is not None:
        found = state.names.get(op.name)
        if found is not None and found.ways:
            return on_path(state.path, found)
        if found is not None:
            return found if found.kind is not IMPORTED else follow(frame, found)
    binding = op.scope.lookup(op.name)
    owner = binding.owner
    if owner is None:
        return _builtin(frame, op)
    if owner.kind == "module":
        return _global(frame, op)
    return _captured(frame, op, owner)


def _may_be_bound_later(around: Function, inside: Function, name: str) -> bool:
    """May a variable of a function be bound again once another is made in it: below, in a loop, or elsewhere?"""
    stores, last = _last_bound(chains_of(around), name)
    held = around.scope.names.get(name)
    if held is None or stores < held.stores:  # it may be one of a function further out, which `nonlocal` names
        return True
    return last >= inside.anchor.line


@searched_for
def _last_bound(chains: Chains, name: str) -> tuple[int, float]:
    """How many statements of a body bind a name, and the line of the last of them; infinite if one is in a loop."""
    stores = [statement for _, statement in chains.stored_to(name)]
    if any(type(op) is ops.Loop for statement in stores for op in chains.way_to(statement)):
        return len(stores), inf
    return len(stores), max((statement.anchor.line for statement in stores), default=0)


def follow(frame: Frame, imported: Value) -> Value:
    """The value of an import."""
    found = imported.payload.value() if isinstance(imported.payload, ImportTarget) else imported
    if found.kind in CHANGING_PARTS:
        frame.summary.outside.found[found] = None
    return found


def _builtin(frame: Frame, op: ops.Name) -> Value:
    table, linked = frame.program.table, frame.program.linked
    for star in op.scope.module.stars:
        module = star.lstrip(".")
        found = linked.starred(frame.namespace.file.path, len(star) - len(module), module, op.name)
        if found is not None:
            return follow(frame, found)
        qualified = f"{module}.{op.name}"
        if table.function(qualified) or table.transform(qualified) or table.is_namespace(qualified):
            return access.api(frame, qualified)
    if op.name in sys.stdlib_module_names or table.is_namespace(op.name):
        return note_unknown(frame, "name of a module that nothing imports", op)
    return access.api(frame, op.name)


def _global(frame: Frame, op: ops.Name) -> Value:
    file, is_outermost, around = frame.namespace.file, frame.parent is None, frame.body
    found = file.value(op.name, around.unit if around.parent is None else None)
    if found is None:
        return note_unknown(frame, "global that is not bound yet", op)
    is_imported = found.kind is IMPORTED
    if is_imported:
        found = follow(frame, found)
    if is_outermost or frame.state is None:
        return found
    if op.name in EXCHANGED_MODULES and found.kind is API and found.name == "numpy":
        return rebound_global(frame, op.name, op)
    if op.name in file.changing or (is_imported and found.kind in MUTABLE_DATA):  # which any file may change
        frame.program.interpreter.hooks.variable_read(frame, op, found)
    if file.is_open(op.name, found, frame.function.anchor.line):
        return rebound_global(frame, op.name, op)
    if found.kind in CHANGING_PARTS:
        frame.summary.outside.found[found] = None
        if found.kind in LISTS_AND_DICTS and not found.parts and (found, VERSION) not in frame.state.heap:
            frame.state.invalidate(found)  # it was made empty to be filled
    return found


def rebound_global(frame: Frame, name: str, op: Op) -> Value:
    """The value of a global that is bound in several places, the same in the whole run of a function."""
    state, world = frame.live(), frame.namespace.rebound_globals
    held = state.heap.get((world, name))
    if held is None:
        held = note_unknown(frame, "global bound in several places", op)
        state.set_part(world, name, held)
        frame.summary.outside.rebound[held] = (world, name)
    return held


def rebound_now(frame: Frame, global_: tuple[Value, str], op: Op) -> Value | None:
    """What a global that a callee reads is bound to at this call."""
    world, name = global_
    if world is not frame.namespace.rebound_globals or frame.state is None:
        return None
    return frame.state.names.get(name) if frame.parent is None else rebound_global(frame, name, op)


def current_value(frame: Frame, value: Value) -> Value:
    """The current value of a global at the module's own top level, given its final value; functions read that."""
    known = frame.program.linked.globals.get(value)
    if known is None:
        return value
    namespace, name = known
    if namespace is not frame.namespace or frame.parent is not None or frame.state is None:
        return value
    return frame.state.names.get(name) or value


def is_bound(frame: Frame, value: Value) -> bool:
    """Is a value still bound to a visible name, or still a part of its only owner?"""
    for around in frame.outwards():
        if around.state is not None and value in around.state.names.held():
            return True
    if value in frame.program.linked.globals:
        return True
    owners = frame.program.record.projections.holding(value)
    return len(owners) == 1 and _holds(frame.live(), *owners[0])


def _holds(state: State, owner: Value, step: HeapStep) -> bool:
    """Does an object still have the part that was read from this version of it?"""
    now = [base for (base, what), version in state.heap.items() if what == VERSION and version is owner]
    if not now and state.version(owner) is owner:
        now = [owner]
    return any((base, step) not in state.heap for base in now)


def _captured(frame: Frame, op: ops.Name, owner: Scope) -> Value:
    inside, around = frame, frame.parent
    while around is not None:
        if around.function.scope is owner or _has_rebound(around, op.name):
            break
        inside, around = around, around.parent
    if around is None or around.state is None:
        return note_unknown(frame, "captured after its function ended" if around else "name without a frame", op)
    found = around.state.names.get(op.name)
    if found is None:
        return note_unknown(frame, "captured before it is bound", op)
    if found.kind is IMPORTED:
        return follow(frame, found)
    frame.summary.outside.captured[op.name] = found
    is_changed = owner.names[op.name].stores > 1 and _may_be_bound_later(around.function, inside.function, op.name)
    if is_changed or op.name in frame.namespace.file.changing:
        frame.program.interpreter.hooks.variable_read(frame, op, found)
    if found.kind in CHANGING_PARTS:
        frame.summary.outside.found[found] = None
        _note_filled(frame, around.state, found)
    return found


def _note_filled(frame: Frame, outside: State, value: Value) -> None:
    """Note of a container that the code around has filled since it was made, that its parts are others now."""
    inside = frame.state
    if not outside.heap or inside is None or inside is outside:
        return
    for step in (VERSION, GROWN):
        held = outside.heap.get((value, step))
        if held is not None and (value, step) not in inside.heap:
            inside.set_part(value, step, held)


def _has_rebound(frame: Frame, name: str) -> bool:
    """Has a run bound a name of the function around it?"""
    return name in frame.function.scope.nonlocals and frame.state is not None and name in frame.state.names


def bind_name(frame: Frame, op: ops.Name, value: Value) -> None:
    """Bind a name: in this frame, or in the one given by `global` or `nonlocal`."""
    scope, name = frame.function.scope, op.name
    if not scope.globals and not scope.nonlocals:
        pass
    elif name in scope.globals:
        frame.summary.writes.rebound[name] = None
        frame.live().set_part(frame.namespace.rebound_globals, name, value)
        return
    elif name in scope.nonlocals:
        frame.summary.writes.rebound[name] = None
    frame.live().names[name] = value


def rebind_outside(frame: Frame, defined_in: Frame | None, name: str) -> None:
    """Make a name unknown that a called function binds in its surroundings."""
    caller: Frame | None = frame
    while caller is not None and caller is not defined_in:
        if caller.state is not None and _has_rebound(caller, name):
            caller.state.names[name] = note_unknown(frame, "written by a nested function")
        caller = caller.parent
    for around in defined_in.outwards() if defined_in is not None else ():
        if around.state is not None and name in around.state.names and around.parent is not None:
            if not around.has_ended:
                around.state.names[name] = note_unknown(frame, "written by a nested function")
            if around is not frame:
                frame.summary.writes.rebound[name] = None
            return
    world = (defined_in or frame).namespace.rebound_globals
    if frame.state is not None:
        frame.state.heap.pop((world, name), None)
    if world is not frame.namespace.rebound_globals:
        return
    frame.summary.writes.rebound[name] = None
    if frame.parent is None and frame.state is not None and name in frame.state.names:
        frame.state.names[name] = note_unknown(frame, "written by a function")
