"""Functions of the project that start work of JAX, and wait for nothing: a clock around their calls is read too early.

def run(): step(x)          `step` is jitted: its result is dropped, and nothing of it is returned

What a function calls on every path is looked up in its body while a clock runs, and not before.
"""

from __future__ import annotations

import builtins
from itertools import chain, islice

from flake8_jax.analysis.callables import FunctionValue, runs_compiled, underlying, waits_itself
from flake8_jax.analysis.checks.compilation.eager import bound_to
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.kinds import FUNCTIONS
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_told, searched_and_told
from flake8_jax.ir.ops import Function

MAXIMUM_OPS, MAXIMUM_CALLS = 300, 3
"""How many ops of a body are looked at, and how many calls down."""


def starts_compiled(frame: Frame, callee: Value, depth: int = 0) -> bool:
    """Does each call of a function run something compiled, for which it does not wait?"""
    if callee.kind not in FUNCTIONS or depth > MAXIMUM_CALLS:
        return False
    if runs_compiled(callee):
        return not waits_itself(callee)
    function = underlying(callee)
    if function is None or function.function.is_generator:
        return False
    requires = summary_of(frame.program, function).requires
    return not requires.waits and not requires.waits_for_inputs and _calls_compiled(frame, function, depth)


def _calls_compiled(frame: Frame, function: FunctionValue, depth: int) -> bool:
    callees = (bound_to(function.frame, name) for name in _called_always(function.function))
    return any(callee is not None and starts_compiled(frame, callee, depth + 1) for callee in callees)


@searched_and_told
def _called_always(function: Function) -> tuple[str, ...]:
    """What a function calls on every path by names that are bound around it."""
    chains, found = chains_told(function), dict[str, None]()
    for op in islice(chain(function.inner.ops, chains.parents), MAXIMUM_OPS):
        func = op.func if type(op) is ops.Call else None
        if type(func) is not ops.Name or func.name in function.scope.names or func.name in found:
            continue
        if hasattr(builtins, func.name) and func.scope.lookup(func.name).owner is None:
            continue
        if function.kind == "lambda" or not any(chains.tests_on(chains.way_to(op))):
            found[func.name] = None
    return tuple(found)
