"""Arrays of zeros, and 0 itself, by what made them: a function of a library, or a helper that returns what it gives."""

from __future__ import annotations

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import CERTAIN_ARRAYS
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops

ZEROS, FILLED = frozenset(("zeros", "zeros_like")), frozenset(("full", "full_like"))
MODULES = frozenset(("jax.numpy", "numpy", "jax.lax"))
MAXIMUM_HELPERS = 3


def are_zeros(frame: Frame, value: Value, depth: int = 0) -> bool:
    """Is it an array that was made of zeros, and never changed, or the number 0?"""
    made = value.made_by
    if type(made) is ops.Const:
        return isinstance(made.value, (int, float)) and made.value == 0
    if type(made) is not ops.Call or value.kind not in CERTAIN_ARRAYS:
        return False
    module, _, name = imported_name(made.func).rpartition(".")
    if module in MODULES:
        filled = made.args[1] if name in FILLED and len(made.args) > 1 else None
        return name in ZEROS or (type(filled) is ops.Const and filled.value == 0)
    helper = peek(frame, made.func) if depth < MAXIMUM_HELPERS else None
    if helper is None or type(helper.payload) is not FunctionValue:
        return False
    returned = summary_of(frame.program, helper.payload).returns
    return returned is not None and are_zeros(helper.payload.frame, returned, depth + 1)
