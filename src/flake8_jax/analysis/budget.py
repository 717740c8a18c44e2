"""The budget of a record: how many ops it may cost for each op of the code that it is of.

A body is run once for its summary.  What makes an analysis dear is running bodies again: for the callables that a call
presets, and for the classes that it passes.  Each of these is bounded, but they multiply: functions that take callables
and hand them on to each other are run for all combinations.

    def both(f, x): return f(x) + f(-x)             both(sin, x), both(lambda t: both(g, t), x), ...

So each record has an account.  It pays for the ops that are run for it, and for the specializations that it asks for;
these have accounts of their own, and are charged to whoever asks, each once, whether they were made for it or were
there before.  A run begins only if the account covers what its body will cost; else the call gets the general summary.
All of that is counted in ops, never in seconds, and nothing in it depends on what others asked before: so results are
the same on every machine, in every order of files and in any number of processes.  The pass over the labels of a body
needs no account: each body is passed once, whoever asks.

As each record pays at most its allowance and what was begun within it, a program costs at most a multiple of its ops.
What a file asks of other files is records, too, each bounded by its own code; the lines of its callers that are run,
or asked for what they hand on, are bounded by its own lines (`modules/callers.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flake8_jax.ir.ops import Function
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.analysis.program import Program
    from flake8_jax.analysis.record import Record


@dataclass(frozen=True, slots=True)
class Allowance:
    """What an account may hold for another run to begin: so many ops, and `rate` for each op of the code."""

    free: int
    rate: int

    def covers(self, cost: int, size: int) -> bool:
        """Is a cost within it?"""
        return cost <= self.free + self.rate * size


FOR_CALLABLES = Allowance(150, 2)
"""Runs for the callables of a call: there are as many as there are lambdas in a program, and few tell more."""

FOR_CLASSES = Allowance(1_500, 5)
"""Runs for the classes, records and numbers of arguments: they are shared by all calls that pass the same."""

INSIDE = Allowance(300, 1)
"""Runs in a run for classes: what such a run asks for is paid by whoever asked for it, too."""

FOR_CALLERS = Allowance(10_000, 2)
"""Lines of the callers of a file, for each line of the file."""

STEP_OF_FILES = 256
"""In steps of so many lines it is counted how long a file is: where its callers are more than are run, a line that is
added to it gives way to none of them but seldom.
"""

LEAST_STEP = 32
"""In steps of so many ops at least it is counted what runs cost that are charged to others."""

SPENT = "specialization beyond the budget"
MANY = "more specializations than are run"


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
    """What the current record has cost so far, in ops that were run."""
    return program.costs.ops - program.base + program.record.charged


def is_beyond(program: Program, function: Function, allowance: Allowance) -> bool:
    """Would another run of a function be beyond the budget of the current record?  If so, that is counted, and the
    record depends on the body; a run has to ask for what it depends on.
    """
    record, cost = program.record, spent(program) + in_steps(size_of(function))
    if record.is_specialized:
        allowance = INSIDE
    if cost <= allowance.free or not LIMITS.are_kept:
        return False
    if record.code is not None and allowance.covers(cost, size_of(record.code)):
        record.code.read  # noqa: B018
        return False
    record.unknowns[SPENT] += 1
    function.read  # noqa: B018
    return True


def is_too_many(record: Record, is_so: bool) -> bool:
    """Is a bound on the number of runs reached?  If so, that is counted."""
    if is_so:
        record.unknowns[MANY] += 1
    return is_so


def is_overrun(lines: int, size: int) -> bool:
    """Are so many lines of callers more than may be asked for a file of some size?"""
    return LIMITS.are_kept and room_for_callers(lines, size) < 0


def room_for_callers(lines: int, size: int) -> int:
    """How many lines of callers more may be asked for, for a file of some size."""
    steps = (size + STEP_OF_FILES // 2) // STEP_OF_FILES
    return FOR_CALLERS.free + FOR_CALLERS.rate * STEP_OF_FILES * steps - lines


def charge(program: Program, other: Record) -> None:
    """Let the current record pay for a specialization with a record of its own, once."""
    record = program.record
    if other is not record and other not in record.paid:
        record.paid.add(other)
        record.charged += cost_of(other)


def cost_of(record: Record) -> int:
    """What is charged for a run with a record of its own: what the function tells by it."""
    return in_steps(record.ops + record.charged)


def in_steps(cost: int) -> int:
    """About a cost: in steps of a quarter to half of it, of 32 at least, which a line more in a body seldom passes."""
    step = max(LEAST_STEP, 1 << max(0, cost.bit_length() - 2))
    return (cost + step // 2) // step * step or step // 2


def size_of(function: Function) -> int:
    """How many ops a function has, with those inside it; of a class, the methods of which have accounts of their own,
    those of its own statements.
    """
    read = function.inner
    if not read.size:
        own = sum(1 for op in read.ops for _ in within(op))
        is_apart = function.kind == "class" and function.outermost is None
        read.size = own + (0 if is_apart else sum(map(size_of, read.functions))) or 1
    return read.size
