"""Evaluating, running, calling and summarizing, for mutually recursive families of ops.

Each family of ops has a module of its own; all of them call these functions, which delegate to the `Interpreter` of the
program.  So no family imports another one for its recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeAlias

from flake8_jax.analysis.callables import Arguments, CallMode, FunctionValue, Presets
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.program import Program
from flake8_jax.domain.staging import Dependences
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Body, Op

OpEvaluator: TypeAlias = "Callable[[Frame, NoReturn], Value]"
"""Evaluates the ops of one class: tables of them take no op for granted."""

OpRunner: TypeAlias = "Callable[[Frame, NoReturn], Value | None]"
ValueCaller: TypeAlias = Callable[[Frame, Op, Value, Arguments, Dependences, CallMode], Value]


def evaluate(frame: Frame, op: Op) -> Value:
    """The value of an expression op; the state of the frame is updated."""
    return frame.program.interpreter.evaluate(frame, op)


def run(frame: Frame, body: Body) -> None:
    """Run the ops of a body in order, as long as a path arrives."""
    frame.program.interpreter.run(frame, body)


def call(
    frame: Frame, op: Op, callee: Value, arguments: Arguments,
    ambient: Dependences | None = None, mode: CallMode = "plain",
) -> Value:  # fmt: skip
    """The result of calling a value.

    `ambient` are the dependences of arrays made in the callee; by default those of the caller.
    """
    inside = frame.ambient if ambient is None else ambient
    return frame.program.interpreter.call(frame, op, callee, arguments, inside, mode)


def summary_of(program: Program, function: FunctionValue, presets: Presets = ()) -> Summary:
    """The summary of a function, with some parameters preset to callables; computed once for each."""
    if function.is_top_level and not presets:
        return program.interpreter.summarize_top_level(function)
    if function.summary is not None and not presets:
        return function.summary
    found = program.record.summaries.get((function, presets))
    return found if found is not None else program.interpreter.summarize(program, function, presets)
