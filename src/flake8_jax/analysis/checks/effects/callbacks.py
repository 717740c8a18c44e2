"""What traced code only keeps for the functions that the host runs in its turns.

start = time.time()                             read once per trace, as the start of what is timed
def log(loss):
    print(loss, time.time() - start)            read here alone, at run time
jax.debug.callback(log, loss)
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.scope import Binding
from flake8_jax.ir.walking import functions_in

HOST = "host"
"""The stage of what a callback runs."""


def is_kept_for_callbacks(frame: Frame, op: Op) -> bool:
    """Is what an op gives bound to names that only callbacks read?"""
    chains = chains_of(frame.function)
    statement = next((one for one in reversed(chains.way_to(op)) if type(one) is ops.Store), None)
    if statement is None or not all(type(target) is ops.Name for target in statement.targets):
        return False
    for target in statement.targets:
        if type(target) is not ops.Name or any(True for _ in chains.uses_of(target)):
            return False
        binding = target.scope.lookup(target.name)
        readers = [one for one in functions_in(frame.function) if binding in chains_of(one).loaded]
        if not readers or not all(_is_callback(frame, reader) for reader in readers):
            return False
    return True


def _is_callback(frame: Frame, function: Function) -> bool:
    """Is a function only handed to what has the host run it?"""
    around = [frame.function, *functions_in(frame.function)]
    home = next((one for one in around if function in one.functions), None)
    binding = home.scope.names.get(function.name) if home is not None else None
    uses = [use for one in around for use in _uses(one, function.name, binding)] if binding is not None else []
    return bool(uses) and all(_is_host(frame, use) for use in uses)


def _uses(function: Function, name: str, binding: Binding) -> Iterator[Op | None]:
    """What stands around each read of a name in a body."""
    chains = chains_of(function)
    stored = {target for target, _ in chains.stores}
    for read in chains.names.get(name, ()):
        if read not in stored and read.scope.lookup(name) is binding:
            yield chains.parents.get(read)


def _is_host(frame: Frame, op: Op | None) -> bool:
    transform = frame.program.table.transform(imported_name(op.func)) if type(op) is ops.Call else None
    return transform is not None and transform.stage == HOST
