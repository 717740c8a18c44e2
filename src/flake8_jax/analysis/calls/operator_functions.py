"""Operators that are called as functions: `operator.lt(x, 0)`, `functools.reduce(operator.and_, checks)`."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.compilation.work import note_work
from flake8_jax.analysis.checks.concrete import ConcreteForm, need_concrete
from flake8_jax.analysis.evaluate.arithmetic import binary, unary
from flake8_jax.analysis.evaluate.expressions import comparison
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.operators import ARITHMETIC, COMPARING
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import SEQUENCES, STATIC
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

KEYWORDS = frozenset(("and", "or"))
"""What `operator` writes with an underscore behind it."""
SIGNS = {f"operator.{name}{'_' * (name in KEYWORDS)}": sign for sign, name in (ARITHMETIC | COMPARING).items()}
OF_ONE = {"operator.neg": "-", "operator.pos": "+", "operator.invert": "~", "operator.inv": "~"}
TRUTHS: dict[str, ConcreteForm] = {"operator.not_": "not", "operator.truth": "bool"}


def operated(frame: Frame, op: Op, name: str, arguments: Arguments) -> Value | None:
    """The result of an operator that is called by its name in `operator`; None for any other name.

    What is made of a sequence and something else is not told.
    """
    given, sources = arguments.positional, arguments.ops
    if not isinstance(op, ops.Call) or arguments.is_open:
        return None
    if name in TRUTHS and len(given) == 1:
        need_concrete(frame, given[0], (sources[0] if sources else None) or op, TRUTHS[name], op, op)
        return Value(STATIC, NONE, OPEN, op)
    if name in OF_ONE and len(given) == 1:
        return note_work(frame, unary(frame, op, OF_ONE[name], given[0]))
    sign = SIGNS.get(name)
    if sign is None or len(given) != 2 or (given[0].kind in SEQUENCES) != (given[1].kind in SEQUENCES):
        return None
    is_comparison = sign in COMPARING
    made = comparison(frame, op, op, sign, *given, op, op) if is_comparison else binary(frame, op, sign, *given)
    return note_work(frame, made)
