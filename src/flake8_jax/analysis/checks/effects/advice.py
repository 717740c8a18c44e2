"""What to write in place of a call that asks or changes the host in traced code."""

from __future__ import annotations

from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.api.host import HostKind
from flake8_jax.ir.ops import Op


def instead_of(op: Op, kind: HostKind) -> str:
    """What to write instead, by what the call does."""
    scope = scope_of(op)
    match kind:
        case "clock" | "environment" | "read" | "input":
            return "read it outside, and pass the value in as an argument"
        case "random" | "draw":
            return f"draw with a key that is passed in, by `{imported_as(scope, 'jax.random')}`, or pass the number in"
        case "turn":
            return "take the item outside, and pass it in as an argument"
        case "debugger":
            return f"use `{imported_as(scope, 'jax.debug.breakpoint')}()`"
        case "sleep":
            return "wait outside of the traced function"
        case "progress":
            return "count outside, around the calls"
        case "metric":
            return f"return the values and log them outside, or use `{imported_as(scope, 'jax.debug.callback')}`"
    return f"do it outside, or in a function given to `{imported_as(scope, 'jax.experimental.io_callback')}`"
