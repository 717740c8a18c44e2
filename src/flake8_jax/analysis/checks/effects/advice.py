"""What to write in place of a call that asks or changes the host in traced code."""

from __future__ import annotations

import ast

from flake8_jax.analysis.checks.advice.kinds import last_name
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.api.host import HostKind
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.syntax.positions import unpacked

NAMING = ("uuid", "secrets.token", "token_")
"""Functions whose results are names, and no numbers to compute with."""

SEEDED = frozenset(("PRNGKey", "key", "seed", "default_rng", "RandomState", "fold_in", "Rngs"))
TEXTS = frozenset(("str", "format", "isoformat", "strftime", "join"))
DATES = frozenset((
    "now", "today", "utcnow", "strftime", "ctime", "asctime", "localtime", "gmtime", "fromtimestamp",
))  # fmt: skip
"""What makes a text of a time, and what gives a date: names of files and runs are made of them."""

WRITING = frozenset(("print", "info", "debug", "warning", "log", "write"))

LONGEST = 60
"""How long an expression may be that is told."""


@advising(ADVICE, "")
def instead_of(op: Op, kind: HostKind, callee: str) -> str:
    """What to write instead, by what the call does."""
    scope = scope_of(op)
    match kind:
        case "clock":
            return _of_clock(op)
        case "environment":
            return "read it before tracing, and pass it in as an argument, a static one if it is a text"
        case "read" | "input":
            return "read it before tracing, and pass the value in as an argument"
        case "random" if callee.startswith(NAMING):
            return "make it outside of the traced code, and pass it in if it is a number"
        case "random" | "draw":
            return f"use `{imported_as(scope, 'jax.random')}` with a key that is passed in"
        case "turn":
            is_one = type(op) is ops.Call
            return "pass the item in as an argument" if is_one else "pass the items in as an argument, as an array"
        case "debugger":
            return f"delete it, or use `{imported_as(scope, 'jax.debug.breakpoint')}()`"
        case "sleep":
            return "delete it, or wait outside"
        case "progress":
            return _of_progress(op)
        case "metric":
            return f"use `{imported_as(scope, 'jax.debug.callback')}`, or log what is returned"
    return f"use `{imported_as(scope, 'jax.experimental.io_callback')}`, or do it outside"


def _of_progress(op: Op) -> str:
    """What to do about a bar: in the header of a loop, what it is given is enough."""
    layout = op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    loop = layout.parents.get(node) if node is not None else None
    is_header = isinstance(loop, (ast.For, ast.comprehension)) and loop.iter is node
    if isinstance(node, ast.Call) and node.args and is_header:
        given = layout.text(node.args[0])
        return f"loop through `{given}` alone" if len(given) <= LONGEST else "loop through what it is given alone"
    return "delete it, or show the progress of the calls"


def _of_clock(op: Op) -> str:
    """What to do about a time: that of a key, of a text that is written out, or of the work itself."""
    if op.place and op.anchor.field is None:
        layout = op.anchor.origin.source.layout
        node = layout.at.get(unpacked(op.place))
        way = layout.way(node) if node is not None else ()
        names = [last_name(one.func) for one in way if isinstance(one, ast.Call)]
        if not SEEDED.isdisjoint(names):
            return "make the key in the caller, and pass it in as an argument"
        if not WRITING.isdisjoint(names):
            return f"write it out by `{imported_as(scope_of(op), 'jax.debug.callback')}`, which runs in each call"
        is_date = isinstance(node, ast.Call) and last_name(node.func) in DATES
        if is_date or not TEXTS.isdisjoint(names):
            return "make it in the caller, and pass in what is made of it; what writes files stays out of traced code"
    return "take times in the caller, before the call and after `block_until_ready` of its result"
