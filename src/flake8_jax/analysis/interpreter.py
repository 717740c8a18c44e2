"""A whole file: its module body first, then every function in it, then what was wrapped.

`interpret` gives the events of a lowered file.  Functions are met where they are called; those that nobody calls are
run at the end, because what is wrong in them for certain is wrong whoever calls them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flake8_jax.analysis import (
    calls,
    comprehensions,
    control,
    dispatch,
    displays,
    expressions,
    guarded,
    loops,
    matching,
    summary,
)
from flake8_jax.analysis.dispatch import run, signature_of
from flake8_jax.analysis.effects import report_text
from flake8_jax.analysis.events import Event
from flake8_jax.analysis.frame import Frame, Program
from flake8_jax.analysis.keys import emit_displays
from flake8_jax.analysis.transforms import run_roots
from flake8_jax.api.table import Table
from flake8_jax.domain.signature import Signature
from flake8_jax.domain.state import State
from flake8_jax.ir.ops import Module

RECURSION = 12_000

for family in (expressions, displays, control, comprehensions, matching, summary, calls):
    dispatch.EVALUATE.update(family.EVALUATES)
for family in (control, loops, guarded):
    dispatch.RUN.update(family.RUNS)
dispatch.CALL.update(calls.CALLS)
dispatch.SUMMARISE.append(summary.summarise)


@dataclass(frozen=True, slots=True)
class Findings:
    """What running a file over abstract values found out.

    `events` for the rules; `unknowns` counts why values were not known, `given_up` what was not run, `reached` the
    kinds of values that traced code hands to library functions with a row.
    """

    events: list[Event]
    unknowns: Counter[str]
    given_up: Counter[str]
    reached: Counter[str]


def interpret(module: Module, table: Table) -> Findings:
    """The events of a lowered file, in the order they were found."""
    program = Program(module.path, table)
    frame = Frame(program, module.top, None, State(), Signature())
    program.module = frame
    with deep_recursion():
        run(frame, module.top.body)
        if frame.state is None:
            frame.state = State()
        run_roots(frame)
        for function in program.functions:
            signature_of(program, function)
        while program.roots:
            run_roots(program.roots[0][1])
        _texts(frame)
    emit_displays(program)
    findings = Findings(program.events, program.unknowns, program.given_up, _reached(program))
    program.release()
    return findings


def _reached(program: Program) -> Counter[str]:
    """What reaches library functions in traced code: in what was called under a trace, and in what that calls."""
    reached: Counter[str] = Counter()
    waiting, seen = list(program.traced), set()
    while waiting:
        signature = waiting.pop()
        if id(signature) not in seen:
            seen.add(id(signature))
            reached += signature.reached
            waiting.extend(signature.callees)
    return reached


def _texts(frame: Frame) -> None:
    program = frame.program
    for effect, token, chain in program.texts:
        calls = program.calls[(token.trace.function, token.trace.line)]
        if calls > 1:
            report_text(frame, effect, token, calls, chain)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Expressions nest, and calls nest in them: room for both."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
