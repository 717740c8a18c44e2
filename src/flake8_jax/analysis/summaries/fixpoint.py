"""Summaries of top-level functions, brought to a fixpoint, independent of caller and depth.

The result of a body run is kept only if it does not depend on the caller.  It does where the run called a function that
was running already (recursion), or was cut off for depth: then it is *provisional*, valid for as long as the function
runs at which it was cut.  Functions that call each other in a cycle are iterated together, each from the results of all
in the iteration before, so that it does not matter where the cycle was entered:

    def even(n): return n == 0 or odd(n - 1)        iteration 0: nothing is known of either
    def odd(n): return n != 0 and even(n - 1)       iteration 1: n must be a bool in each; 2: and the other's results

Functions inside others, and runs for what one call presets, belong to the record of whoever asks: one that calls itself
is run once more with the results of its first run.
A function whose run raises is dropped: its summary is unknown, and those of others in the cycle go on from that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flake8_jax.analysis.callables import FunctionValue, Presets
from flake8_jax.analysis.frame import MAXIMUM_NESTING
from flake8_jax.analysis.isolation import FaultBarrier, place_of, summary_after_fault
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.stacks import is_too_deep, with_room
from flake8_jax.analysis.summaries.arguments_told import plain_arguments
from flake8_jax.analysis.summaries.making import run_body
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import unknown
from flake8_jax.model.faults import Fault

ITERATIONS = 3
LARGE = 32
"""From how many functions in a circle on there is one round less."""

TaskResult = TypeVar("TaskResult")


def summary_of_top_level(function: FunctionValue) -> Summary:
    """The summary of a top-level function."""
    program = function.frame.program
    summary = _known(program, function)
    record = summary.run.record
    if isinstance(record, Record):
        program.record.uses.add(record)
    return summary


def _known(program: Program, function: FunctionValue) -> Summary:
    found = program.summaries.get(function)
    if found is not None:
        return found
    held = program.provisional.get(function)
    if held is not None:
        program.lowest = min(program.lowest, held[1])
        return held[0]
    if program.is_running((function,)):
        return _nothing()
    if is_too_deep(program):
        program.give_up("calls nested too deep")
        return Summary(returns=unknown("calls nested too deep"))
    return with_room(program, lambda: _find_out(program, function))


def summary_in_record(program: Program, function: FunctionValue, presets: Presets) -> Summary:
    """The summary of a function inside another one, or with some parameters preset, for the current record."""
    key = (function, presets)
    if program.is_running(key):
        return _nothing()
    if program.nesting >= MAXIMUM_NESTING:
        program.give_up("calls nested too deep")
        return Summary(returns=unknown("calls nested too deep"))
    activation = program.enter(key)
    program.nesting += 1
    summary = program.record.summaries[key] = run_body(program, function, presets)
    if program.lowest == activation.level:
        program.drop(activation.known)
        summary = program.record.summaries[key] = run_body(program, function, presets)
    program.nesting -= 1
    program.leave(activation)
    if not presets and function.record is program.record:
        function.summary = summary
    return summary


def _find_out(program: Program, function: FunctionValue) -> Summary:
    program.costs.summaries += 1
    activation = program.enter((function,))
    summary = _run(program, function)
    if program.lowest == activation.level:
        circle = {member: _nothing() for member in program.members[activation.known :]}
        circle[function] = _nothing() if circle else summary  # alone, it was run with nothing known of it
        summary = _iterate(program, circle, activation.level)[function]
    if program.leave(activation):
        program.summaries[function] = summary
    else:
        program.provisional[function] = summary, program.lowest
        program.members.append(function)
    return summary


def _nothing() -> Summary:
    return Summary(returns=unknown("recursion"))


def _iterate(program: Program, known: dict[FunctionValue, Summary], level: int) -> dict[FunctionValue, Summary]:
    """Iterate the summaries of a cycle of functions together, from what is known of each; all are kept."""
    rounds = ITERATIONS - (len(known) == 1 or len(known) >= LARGE)
    members = sorted(known, key=lambda f: (f.frame.namespace.file.path, f.function.anchor.line, f.function.qualname))
    for _ in range(rounds):
        program.provisional.update({member: (summary, level) for member, summary in known.items()})
        program.forget(level)
        known = {member: _run(program, member) for member in members}
    for member in members:
        program.provisional.pop(member, None)
    if program.lowest >= level:
        program.summaries.update(known)
    return known


def _run(program: Program, function: FunctionValue) -> Summary:
    """The summary of one run of a top-level function; it is dropped if that raises."""
    found: list[Fault] = []
    with FaultBarrier(program, function.function.title, place_of(function), found.append):
        number = program.dependencies.number_of(plain_arguments(program, function.given))
        record = Record(code=function.function, is_specialized=bool(function.given), given=number)
        summary = in_own_record(program, lambda: run_body(program, function, ()), record)
        record.end()
        return summary
    return summary_after_fault(program, function, found)


def in_own_record(program: Program, task: Callable[[], TaskResult], record: Record | None = None) -> TaskResult:
    """Run a task with a new record and call depth, so that earlier runs do not influence it.

    What it costs is its own, not that of the record around it.
    """
    held, program.record = program.record, record or Record()
    base, begun = program.base, program.costs.ops
    program.base = begun - program.record.ops
    depth, nesting, program.depth, program.nesting = program.depth, program.nesting, 0, 0
    result = task()
    program.depth, program.nesting = depth, nesting
    program.record.ops = program.costs.ops - program.base
    program.base = base + program.costs.ops - begun
    program.record = held
    return result
