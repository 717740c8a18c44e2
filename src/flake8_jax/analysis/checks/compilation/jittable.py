"""Whether a function can be jitted as it stands, as far as its text tells: for advice to jit it.

def rollout(self, rhs, x0):         `self` is no array, nor is what it calls
    ys = lax.scan(body, x0, None)
    print(ys[-1])                   printed once a trace
    return np.array(ys)             needs values on the host
"""

from __future__ import annotations

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function
from flake8_jax.ir.walking import within

OF_HOST = frozenset(("numpy", "time", "logging", "os", "pathlib", "json", "pickle", "tqdm", "matplotlib", "wandb"))
"""Modules whose functions need values, or do what jitted code does once."""

BUILTINS_OF_HOST = frozenset(("float", "int", "bool", "print", "open", "input"))
METHODS_OF_HOST = frozenset(("item", "tolist", "block_until_ready"))


def can_be_jitted(function: Function) -> bool:
    """Does nothing in a function speak against jitting it: no object or function among its parameters, no host code?"""
    chains = chains_of(function)
    names = [parameter.name for parameter in function.parameters]
    if function.kind != "def" or function.is_async or (names and names[0] in ("self", "cls")):
        return False
    if any(chains.called_on(name) or _has_attributes(function, name) for name in names):
        return False
    inside = (op for statement in function.body for op in within(statement))
    return not any(type(op) is ops.Call and _is_of_host(op, names) for op in inside)


def _has_attributes(function: Function, name: str) -> bool:
    """Is an attribute of a parameter read, as of an object?  Arrays have shapes, and trees entries."""
    chains = chains_of(function)
    around = (chains.parents.get(read) for read in chains.names.get(name, ()))
    return any(type(op) is ops.Attr and op.name not in ("shape", "ndim", "dtype", "size", "T", "at") for op in around)


def _is_of_host(call: ops.Call, parameters: list[str]) -> bool:
    if type(call.func) is ops.Name and call.func.name in parameters:
        return True
    if type(call.func) is ops.Attr and call.func.name in METHODS_OF_HOST:
        return True
    name = imported_name(call.func)
    return name in BUILTINS_OF_HOST or name.partition(".")[0] in OF_HOST
