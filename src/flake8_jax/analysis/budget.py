"""The budget of a record: how many ops it may cost for each op of the code that it is of.

A body is run once for its summary.  What makes an analysis dear is running bodies again: for the callables that a call
presets, for the classes that it passes, and walking them for each question of liveness.  Each of these is bounded, but
they multiply: functions that take callables and hand them on to each other are run for all combinations.

    def both(f, x): return f(x) + f(-x)             both(sin, x), both(lambda t: both(g, t), x), ...

So each record has an account.  It pays for the ops that are run for it and the ops that are walked, and for the
specializations that it asks for; these have accounts of their own and are charged to whoever asks, each once, whether
they were made for it or were there before.  Once the account is above `FREE + RATE * size`, calls get the general
summary, and questions of liveness are answered in favour of the code.  All of that is counted in ops, never in
seconds, and nothing in it depends on what was asked before by others: so results are the same on every machine, in
every order of files and in any number of processes.

As each record pays at most its allowance and what was begun within it, a program costs at most a multiple of its ops.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flake8_jax.ir.ops import Function
from flake8_jax.ir.walking import within

if TYPE_CHECKING:
    from flake8_jax.analysis.program import Program
    from flake8_jax.analysis.record import Record

FREE, RATE = 150, 2
FREE_INSIDE, RATE_INSIDE = 100, 1
"""The allowance of a record, and that of a specialization, which is a part of the account of who asks for it."""

SPENT = "specialization beyond the budget"
UNANSWERED = "liveness beyond the budget"


@dataclass(slots=True)
class Limits:
    """Are budgets kept?  Growth is measured without them."""

    are_kept: bool = True


LIMITS = Limits()


@contextmanager
def without_budgets() -> Iterator[None]:
    """Run without budgets, to see what they would hide."""
    LIMITS.are_kept = False
    try:
        yield
    finally:
        LIMITS.are_kept = True


def spent(program: Program) -> int:
    """What the current record has cost so far, in ops."""
    return program.costs.ops - program.base + program.record.charged


def is_beyond(program: Program, function: Function) -> bool:
    """Would another run of a function be beyond the budget of the current record?  If so, that is counted."""
    record, cost = program.record, spent(program) + size_of(function)
    free, rate = (FREE_INSIDE, RATE_INSIDE) if record.is_specialized else (FREE, RATE)
    if cost <= free or not LIMITS.are_kept:
        return False
    if not record.size and record.code is not None:
        record.size = size_of(record.code)
    if cost <= free + rate * record.size:
        return False
    record.unknowns[SPENT] += 1
    return True


def charge(program: Program, other: Record) -> None:
    """Let the current record pay for a specialization with a record of its own, once."""
    record = program.record
    if other is not record and other not in record.paid:
        record.paid.add(other)
        record.charged += other.ops + other.charged


def size_of(function: Function) -> int:
    """How many ops a function has, with those inside it."""
    if not function.size:
        own = sum(1 for op in function.body for _ in within(op))
        function.size = own + sum(map(size_of, function.functions)) or 1
    return function.size
