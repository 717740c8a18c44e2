"""Evaluating, running, calling and summarizing: the recursion between the families of ops.

Each family of ops has a module of its own; all of them call these functions, which look up what to do in the tables of
the program's `Interpreter`.  So no family imports another one for its recursion.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, CallMode, FunctionValue, Presets
from flake8_jax.analysis.frame import Frame, OpEvaluator, OpRunner, ValueCaller
from flake8_jax.analysis.program import Program
from flake8_jax.domain.kinds import UNKNOWN
from flake8_jax.domain.staging import Dependences
from flake8_jax.domain.state import State
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Body, Compare, Logic, Matches, Op, Operate
from flake8_jax.lazy_dataclasses import replace

__all__ = [
    "OpEvaluator", "OpRunner", "ValueCaller", "call", "evaluate", "evaluate_within", "question_around", "run",
    "summary_of",
]  # fmt: skip

TESTS: frozenset[type[Op]] = frozenset((Compare, Logic, Matches))
"""The ops that ask for truths of their own."""


def evaluate(frame: Frame, op: Op) -> Value:
    """The value of an expression op; the current state takes over its effects."""
    program = frame.program
    program.costs.ops += 1
    return program.interpreter.evaluators[type(op)](frame, op)  # type: ignore[arg-type]  # it is of the key's class


def run(frame: Frame, body: Body) -> None:
    """Run the ops of a body in order, as far as a path arrives.

    An expression op in a body is an expression statement: its value is discarded.
    """
    program = frame.program
    runners = program.interpreter.runners
    for op in body:
        if frame.state is None:
            return
        runner = runners.get(type(op))
        if runner is not None:
            program.costs.ops += 1
            runner(frame, op)  # type: ignore[arg-type]  # it is of the key's class
        else:
            frame.discarded = op
            evaluate(frame, op)
        if frame.state is not None and frame.state.is_over:
            _end(frame, frame.state)


def _end(frame: Frame, state: State) -> None:
    """End the current path: a handler of an enclosing `try` may continue from its state."""
    state.is_over, frame.state = False, None
    if frame.exits.caught:
        frame.exits.caught[-1].append(state.copy())


def call(
    frame: Frame, op: Op, callee: Value, arguments: Arguments,
    ambient: Dependences | None = None, mode: CallMode = "plain",
) -> Value:  # fmt: skip
    """Call a value.

    Arrays made inside depend on `ambient`, as those made here if it is not given.  An abstract call discards its
    result.
    """
    callers = frame.program.interpreter.callers
    caller = callers.get(callee.kind) or callers[UNKNOWN]
    inside = frame.ambient if ambient is None else ambient
    if mode != "abstract":
        return caller(frame, op, callee, arguments, inside, mode)
    before, frame.discarded = frame.discarded, op
    context, frame.context = frame.context, replace(frame.context, is_for_shapes=True)
    result = caller(frame, op, callee, arguments, inside, mode)
    frame.discarded, frame.context = before, context
    return result


def summary_of(program: Program, function: FunctionValue, presets: Presets = ()) -> Summary:
    """The summary of a function, with some parameters preset to callables; made at most once for each."""
    if not presets:
        is_asked_apart = program.record is not function.record or function in program.summaries
        if function.is_top_level or (is_asked_apart and function.is_independent_of_callers):
            return program.interpreter.summarize_top_level(function)
        if function.summary is not None:
            return function.summary
    found = program.record.summaries.get((function, presets))
    return found if found is not None else program.interpreter.summarize(program, function, presets)


def question_around(frame: Frame, op: Op) -> Op:
    """The whole test that an op is a part of: the op itself, or the outermost test around it."""
    found = frame.context.question
    if found is None:
        return op
    frame.context = replace(frame.context, question=None)
    return found


def evaluate_within(frame: Frame, op: Op, question: Op) -> Value:
    """The value of an operand that is evaluated because the truth of a larger test is asked for."""
    is_part = type(op) in TESTS or (type(op) is Operate and op.operator == "not")
    if not is_part:
        return evaluate(frame, op)
    context = frame.context
    frame.context = replace(context, question=question)
    value = evaluate(frame, op)
    frame.context = context
    return value
