"""Dispatch of evaluating, running, calling and summarizing, by kind of op and of value.

Evaluation and calls are mutually recursive across modules.  Each family of ops has a module of its own with a table of
its handlers; `interpretation.py` joins all tables here, once.  A body runs op by op until no path arrives; an
expression op in a body is an expression statement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from flake8_jax.analysis.callables import Arguments, CallMode, FunctionValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.program import Program
from flake8_jax.domain.staging import Dependences
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import UNKNOWN, Kind, Value
from flake8_jax.ir import ops

Evaluator: TypeAlias = Callable[[Frame, Any], Value]
Runner: TypeAlias = Callable[[Frame, Any], object]
Caller: TypeAlias = Callable[[Frame, Any, Value, Arguments, Dependences, CallMode], Value]
Presets: TypeAlias = tuple[tuple[str, Value], ...]
Summarizer: TypeAlias = Callable[[Program, FunctionValue, Presets], Summary]

EVALUATE: dict[type, Evaluator] = {}
RUN: dict[type, Runner] = {}
CALL: dict[Kind, Caller] = {}
SUMMARIZE: list[Summarizer] = []
TOP_LEVEL: list[Callable[[FunctionValue], Summary]] = []


def evaluate(frame: Frame, op: Any) -> Value:
    """The value of an expression op; the state of the frame is updated."""
    frame.program.costs.ops += 1
    return EVALUATE[type(op)](frame, op)


def run(frame: Frame, body: ops.Body) -> None:
    """Run the ops of a body in order, as long as a path arrives."""
    for op in body:
        if frame.state is None:
            return
        frame.program.costs.ops += 1
        runner = RUN.get(type(op))
        if runner is not None:
            runner(frame, op)
        else:
            context = frame.context
            if type(op) is not ops.Const:
                frame.context = replace(context, discarded=op)
            EVALUATE[type(op)](frame, op)
            frame.context = context


def call(
    frame: Frame, op: Any, callee: Value, arguments: Arguments,
    ambient: Dependences | None = None, manner: CallMode = "plain",
) -> Value:  # fmt: skip
    """The result of calling a value.

    `ambient` are the dependences of arrays made in the callee; by default those of the caller.
    """
    caller = CALL.get(callee.kind) or CALL[UNKNOWN]
    inside = frame.ambient if ambient is None else ambient
    if manner != "abstract":
        return caller(frame, op, callee, arguments, inside, manner)
    context, frame.context = frame.context, replace(frame.context, discarded=op)
    result = caller(frame, op, callee, arguments, inside, manner)
    frame.context = context
    return result


def summary_of(program: Program, function: FunctionValue, presets: Presets = ()) -> Summary:
    """The summary of a function, with some parameters preset to callables; computed once for each."""
    if function.is_top_level and not presets:
        return TOP_LEVEL[0](function)
    if function.summary is not None and not presets:
        return function.summary
    found = program.record.summaries.get((function, presets))
    return found if found is not None else SUMMARIZE[0](program, function, presets)
