"""Functions of the project that start work of JAX, and wait for nothing: a clock around their calls is read too early.

def run(): step(x)          `step` is jitted: its result is dropped, and nothing of it is returned

What a function calls on every path is looked up in its body while a clock runs, and not before.
"""

from __future__ import annotations

from itertools import chain, islice

from flake8_jax.analysis.callables import FunctionValue, runs_compiled, underlying, waits_itself
from flake8_jax.analysis.checks.compilation.eager import bound_to
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.kinds import FUNCTIONS
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of

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
    chains = chains_of(function.function)
    for op in islice(chain(function.function.body, chains.parents), MAXIMUM_OPS):
        func = op.func if type(op) is ops.Call else None
        if type(func) is not ops.Name or func.name in function.function.scope.names:
            continue
        callee = bound_to(function.frame, func.name)
        if callee is None or not starts_compiled(frame, callee, depth + 1):
            continue
        if function.function.kind == "lambda" or not any(chains.tests_on(chains.way_to(op))):
            return True
    return False
