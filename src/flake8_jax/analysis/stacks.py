"""Room for functions that ask for each other: where many do, the innermost go on in a thread with a stack of its own.

    def f0(x): return f1(x)         the summary of f0 needs that of f1, which needs that of f2, ...: some twenty calls
    def f1(x): return f2(x)         of the interpreter for each, all of which wait

One thread runs at a time, so that nothing is shared: it is a longer stack, no parallel work.  A chain that is cut off
would leave results that hold for one caller only, and cost its length for each function in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flake8_jax.analysis.program import Program
from flake8_jax.syntax.depth import with_own_stack

ON_ONE_STACK = 150
"""How many functions that stand alone, and statements of files, may wait for each other on one stack."""

MAXIMUM_DEPTH = 64 * ON_ONE_STACK
"""How many may wait in all: enough for files of 10,000 lines, each a call of the next."""

STACK = 8 * 1024 * 1024
"""What systems give to a process, so that as much fits as there."""

Waited = TypeVar("Waited")


def is_too_deep(program: Program) -> bool:
    """Would one more nested computation exceed what the current stack has room for?"""
    return len(program.running) >= MAXIMUM_DEPTH


def with_room(program: Program, task: Callable[[], Waited]) -> Waited:
    """Run a task on this stack, or on another one if this is full."""
    begun, depth = program.floor, len(program.running)
    if depth - begun < ON_ONE_STACK:
        return task()
    program.floor = depth
    try:
        return with_own_stack(task, STACK)
    finally:
        program.floor = begun
