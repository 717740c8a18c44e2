"""Compiled functions of whose traces there is nothing to say.

fast = jax.jit(measure)             nothing reads `fast`: a trial that was left
for model in models:
    measure(model)                  runs without a trace, so that what it asks of values it gets

run = jax.jit(lambda n: jnp.zeros(n))
with pytest.raises(TypeError):
    run(3)                          the only call, and its error is what is asked for
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Wrapped, underlying
from flake8_jax.analysis.evaluate.exceptions import is_to_raise
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of


def is_uncalled(frame: Frame, wrapped: Value) -> bool:
    """Is a function compiled for a name of the module that nothing reads, while the file calls it under its own?"""
    function, made = underlying(wrapped), wrapped.made_by
    is_plain = type(wrapped.payload) is Wrapped and wrapped.payload.applied.transform.is_compiled
    if frame.function.kind != "module" or not is_plain or function is None or made is None:
        return False
    chains = chains_of(frame.function)
    statement = chains.parents.get(made)
    target = statement.targets[0] if type(statement) is ops.Store and len(statement.targets) == 1 else None
    if type(target) is not ops.Name or not _is_called(chains, function.function.name):
        return False
    binding = target.scope.lookup(target.name)
    return binding not in chains.loaded and binding not in chains.captured


def _is_called(chains: Chains, name: str) -> bool:
    """Does a statement of the module call what has this name?"""
    for read in chains.names.get(name, ()):
        around = chains.parents.get(read)
        if type(around) is ops.Call and around.func is read:
            return True
    return False


def is_refused_only(frame: Frame, wrapped: Value) -> bool:
    """Is a function transformed for calls alone of which each is expected to raise?"""
    made = wrapped.made_by
    chains = chains_of(frame.function)
    statement = chains.parents.get(made) if made is not None else None
    target = statement.targets[0] if type(statement) is ops.Store and len(statement.targets) == 1 else None
    if type(target) is not ops.Name or target.scope.lookup(target.name) in chains.captured:
        return False
    uses = list(chains.uses_of(target))
    return bool(uses) and all(_is_refused(frame, chains, use) for use in uses)


def _is_refused(frame: Frame, chains: Chains, read: ops.Name) -> bool:
    """Is it the function of a call that is expected to raise?"""
    around = chains.parents.get(read)
    return type(around) is ops.Call and around.func is read and is_to_raise(frame, around)
