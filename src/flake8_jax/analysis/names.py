"""What a name holds when it is read: a local, something captured, a global, a builtin.

A global that is bound once is what it was bound to; one that is bound again somewhere holds a fresh unknown in every
function that reads it, because nobody knows which binding it meets.
"""

from __future__ import annotations

from flake8_jax.analysis import access
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.domain.value import API, CLASS, FUNCTION, PARTIAL, Value
from flake8_jax.ir import ops
from flake8_jax.ir.scope import Binding, Scope

DEFINITE = frozenset((API, CLASS, FUNCTION, PARTIAL))


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
    if binding.stores > 1 and frame is not program.module:
        if op.name not in program.rebound and found.kind in DEFINITE:
            return found
        memo = program.projections.get((found, (".global", frame)))
        if memo is None:
            memo = program.projections[(found, (".global", frame))] = lost(frame, "global bound in several places", op)
        return memo
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
    return found


def bind_name(frame: Frame, op: ops.Name, value: Value) -> None:
    """Bind a name: in this frame, or where `global` or `nonlocal` say."""
    scope, name = op.scope, op.name
    if frame is frame.program.module and scope.kind != "comprehension":
        bind_global(frame, name, value)
    elif name in scope.frame.globals:
        bind_global(frame, name, value)
        return
    elif name in scope.frame.nonlocals:
        _bind_nonlocal(frame, name, value)
        return
    frame.live().names[name] = value


def bind_global(frame: Frame, name: str, value: Value) -> None:
    """Note what the module binds to a name; `rebound` are the names that hold different kinds of thing."""
    known = frame.program.globals.get(name)
    if known is not None and known is not value and (known.kind is not value.kind or known.data != value.data):
        frame.program.rebound.add(name)
    frame.program.globals[name] = value


def _bind_nonlocal(frame: Frame, name: str, value: Value) -> None:
    around = frame.parent
    while around is not None:
        if around.state is not None and name in around.state.names:
            around.state.names[name] = lost(frame, "written by a nested function", value.made_by)
            return
        around = around.parent
