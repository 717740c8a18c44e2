"""What a name holds when it is read: a local, something captured, a global, a builtin.

A global that is bound once is what it was bound to; one that is bound again somewhere holds a fresh unknown in every
function that reads it, because nobody knows which binding it meets.
"""

from __future__ import annotations

from flake8_jax.analysis import access
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.domain.value import (
    API,
    CLASS,
    DICT,
    FUNCTION,
    INSTANCE,
    LIST,
    OBJECT,
    PARTIAL,
    UNKNOWN,
    Value,
)
from flake8_jax.ir import ops
from flake8_jax.ir.scope import Binding, Scope

DEFINITE = frozenset((API, CLASS, FUNCTION, PARTIAL))
HOLDING = frozenset((INSTANCE, DICT, LIST, OBJECT, UNKNOWN))


def read_name(frame: Frame, op: ops.Name) -> Value:
    """The value that a name holds here."""
    state = frame.state
    if state is not None:
        found = state.names.get(op.name)
        if found is not None:
            return found
    binding = op.scope.lookup(op.name)
    owner = binding.owner
    if owner is None:
        return _builtin(frame, op)
    if owner.kind == "module":
        return _global(frame, op, binding)
    return _captured(frame, op, owner)


def _builtin(frame: Frame, op: ops.Name) -> Value:
    table = frame.program.table
    for module in op.scope.module.stars:
        qualified = f"{module}.{op.name}"
        if table.function(qualified) or table.transform(qualified) or table.is_namespace(qualified):
            return access.api(frame, qualified)
    return access.api(frame, op.name)


def _global(frame: Frame, op: ops.Name, binding: Binding) -> Value:
    program = frame.program
    found = program.globals.get(op.name)
    if found is None:
        return lost(frame, "global that is not bound yet", op)
    if frame is program.module or frame.state is None:
        return found
    if binding.stores > 1 and (op.name in program.rebound or found.kind not in DEFINITE):
        place = (program.world, op.name)
        held = frame.state.held.get(place)
        if held is None:
            held = frame.state.held[place] = lost(frame, "global bound in several places", op)
        return held
    if found.kind in HOLDING:
        frame.signature.around.add(found)
    return found


def _captured(frame: Frame, op: ops.Name, owner: Scope) -> Value:
    around = frame.parent
    while around is not None:
        if around.function.scope is owner:
            break
        around = around.parent
    if around is None or around.state is None:
        return lost(frame, "captured after its function ended" if around else "name without a frame", op)
    found = around.state.names.get(op.name)
    if found is None:
        return lost(frame, "captured before it is bound", op)
    frame.signature.captures[op.name] = found
    if found.kind in HOLDING:
        frame.signature.around.add(found)
    return found


def bind_name(frame: Frame, op: ops.Name, value: Value) -> None:
    """Bind a name: in this frame, or where `global` or `nonlocal` say."""
    scope, name = frame.function.scope, op.name
    if frame is frame.program.module and op.scope is scope:
        bind_global(frame, name, value)
    elif not scope.globals and not scope.nonlocals:
        pass
    elif name in scope.globals:
        bind_global(frame, name, value)
        frame.signature.rebinds.add(name)
        frame.live().held[(frame.program.world, name)] = value
        return
    elif name in scope.nonlocals:
        frame.signature.rebinds.add(name)
        return
    frame.live().names[name] = value


def bind_global(frame: Frame, name: str, value: Value) -> None:
    """Note what the module binds to a name; `rebound` are the names that hold different kinds of thing."""
    known = frame.program.globals.get(name)
    if known is not None and known is not value and (known.kind is not value.kind or known.data != value.data):
        frame.program.rebound.add(name)
    frame.program.globals[name] = value


def rebind_outside(frame: Frame, defined_in: Frame | None, name: str) -> None:
    """A function that binds a name of its surroundings was called: nobody knows what the name holds now."""
    around = defined_in
    while around is not None:
        if around.state is not None and name in around.state.names and around is not frame.program.module:
            around.state.names[name] = lost(frame, "written by a nested function")
            if around is not frame:
                frame.signature.rebinds.add(name)
            return
        around = around.parent
    frame.signature.rebinds.add(name)
    if frame.state is not None:
        frame.state.held.pop((frame.program.world, name), None)
    module = frame.program.module
    if module is not None and module.state is not None and name in module.state.names and frame is module:
        module.state.names[name] = lost(frame, "written by a function")
