"""What to write in place of a call that asks or changes the host in traced code."""

from __future__ import annotations

from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.api.host import HostKind
from flake8_jax.ir.ops import Op

NAMING = ("uuid", "secrets.token", "token_")
"""Functions whose results are names, and no numbers to compute with."""


@advising(ADVICE, "")
def instead_of(op: Op, kind: HostKind, callee: str) -> str:
    """What to write instead, by what the call does."""
    scope = scope_of(op)
    match kind:
        case "clock":
            return "take the time in the caller, after `block_until_ready` of the result"
        case "environment":
            return "read it before tracing, and pass it in as an argument, a static one if it is a text"
        case "read" | "input":
            return "read it before tracing, and pass the value in as an argument"
        case "random" if callee.startswith(NAMING):
            return "make it outside of the traced code, and pass it in if it is a number"
        case "random" | "draw":
            return f"use `{imported_as(scope, 'jax.random')}` with a key that is passed in"
        case "turn":
            return "pass the item in as an argument"
        case "debugger":
            return f"use `{imported_as(scope, 'jax.debug.breakpoint')}()`"
        case "sleep":
            return "delete it, or wait outside"
        case "progress":
            return "delete it, or show the progress of the calls"
        case "metric":
            return f"use `{imported_as(scope, 'jax.debug.callback')}`, or log what is returned"
    return f"use `{imported_as(scope, 'jax.experimental.io_callback')}`, or do it outside"
