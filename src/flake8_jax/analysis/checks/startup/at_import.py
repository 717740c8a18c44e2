"""Computations when a module is imported: the first one starts JAX's backend for whoever imports the module.

TABLE = jnp.arange(3)                   at the top of a module
class Layer: scale = jnp.ones(2)        in a class of it
def f(x, shift=jnp.zeros(2)): ...       in a default
WINDOW = _window(4)                     in a function that is called there

Of a statement the first call that starts something is told.  What runs at the top of a script is meant to.
"""

from __future__ import annotations

from dataclasses import dataclass

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.provenance import Context, Use
from flake8_jax.ir.ops import Call, Op

OF_NUMPY = frozenset(
    ("arange", "array", "asarray", "empty", "eye", "full", "identity", "linspace", "log", "ones", "sqrt", "zeros")
)
"""What NumPy makes alike."""


@dataclass(frozen=True, slots=True)
class ComputedAtImport:
    """A call at the top of a library's module starts the backend.

    `use` says by what, within callees, `instead` what to do.
    """

    op: Op
    use: Use
    instead: str
    context: Context


def check_import_time(frame: Frame, op: Op, use: Use) -> None:
    """Report a call that starts the backend when its module is imported; of a script that is nothing to be said."""
    if frame.began is op.anchor:
        return
    around: Frame | None = frame
    while around is not None:
        if around.function.kind not in ("module", "class"):
            return
        around = around.parent
    frame.began = op.anchor
    event = ComputedAtImport(op, use, _instead(op), Context())
    emit(frame, (ComputedAtImport, op, ()), lambda: event)


def _instead(op: Op) -> str:
    """What to do instead: NumPy has most of what makes constants, and keys are handed in."""
    name = imported_name(op.func) if type(op) is Call else ""
    module, _, last = name.rpartition(".")
    if module == "jax.numpy" and last in OF_NUMPY:
        return f"use `np.{last}`, or make it in a function"
    return "take the key as an argument" if module == "jax.random" else "move it into a function that is called later"
