"""Modules of Flax that are called as functions where nothing binds them to their variables.

net = Net()
variables = net.init(key, x)        shows that it is bound to none
net(x)                              refused: `net.apply(variables, x)` is meant

Within the methods of another module a module is bound by the one around, so that only what has nothing around counts:
one that the function, or one around, makes and initialises itself, or that is called at the top of a file.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.submodules import bound_by, has_parts
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.kinds import OBJECTS
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of

INITIALISING = frozenset(("init", "init_with_output"))


def check_unbound(frame: Frame, op: ops.Call, callee: Value) -> None:
    """Report the call of a module itself that is initialised beside it, or that no function stands around."""
    func = op.func
    if type(func) is not ops.Name or callee.kind not in OBJECTS or type(callee.made_by) is not ops.Call:
        return
    is_named = is_initialised(frame, func.name)
    if _is_of_module(frame, callee) and (is_named or frame.parent is None):
        said = f"`{func.name}(...)` calls a module of Flax that is bound to no variables"
        gives = "gave" if is_named else "gives"
        report(frame, breaking(op, said, f"call `{func.name}.apply` with the variables that `init` {gives}"))


def is_misnamed(frame: Frame, callee: Value) -> bool:
    """Is what is called a module by its annotation alone, in code where none can be bound?  It is a function then.

    def energy(model: Net, params, x):      callers pass `net.apply`
        return model(params, x)
    """
    held = callee.payload
    if not isinstance(held, InstanceOf) or callee.made_by is not None or bound_by(frame, held.owner) is None:
        return False
    return not any(around.owner is not None and bound_by(frame, around.owner) for around in frame.outwards())


def _is_of_module(frame: Frame, callee: Value) -> bool:
    """Is it a module of Flax that has variables?"""
    held = callee.payload
    if isinstance(held, InstanceOf):
        return bound_by(frame, held.owner) is not None and has_parts(frame, held.owner)
    return frame.program.table.is_part(callee.name)


def is_initialised(frame: Frame, name: str) -> bool:
    """Does the function that makes a module initialise it, and is that the only one of this name there?"""
    for around in frame.outwards():
        chains = chains_of(around.function)
        if around.owner is not None:
            return False
        stores = chains.stored_to(name)
        if stores:
            called = chains.called_on(name)
            return len(stores) == 1 and any(_is_initialising(one) for one in called)
    return False


def _is_initialising(call: ops.Call) -> bool:
    return type(call.func) is ops.Attr and call.func.name in INITIALISING
