"""The interpreter of ops over abstract values: dispatch tables of all families of ops.

A body runs op by op until no path arrives; an expression op in a body is an expression statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flake8_jax.analysis.callables import Arguments, CallMode, FunctionValue, Presets
from flake8_jax.analysis.calls import dispatch
from flake8_jax.analysis.evaluate import (
    comprehensions,
    control,
    displays,
    exceptions,
    expressions,
    loops,
    matching,
)
from flake8_jax.analysis.evaluator import OpEvaluator, OpRunner, ValueCaller, evaluate
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.summaries import fixpoint, making
from flake8_jax.domain.staging import Dependences
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import UNKNOWN, Kind, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Op


@dataclass(frozen=True, slots=True)
class OpInterpreter:
    """Dispatch of evaluating and running on the class of op, of calls on the kind of value."""

    evaluators: Mapping[type[Op], OpEvaluator]
    runners: Mapping[type[Op], OpRunner]
    callers: Mapping[Kind, ValueCaller]

    def evaluate(self, frame: Frame, op: Op) -> Value:
        """The value of an expression op."""
        frame.program.costs.ops += 1
        return self.evaluators[type(op)](frame, op)  # type: ignore[arg-type]  # tables go by the class of the op

    def run(self, frame: Frame, body: Body) -> None:
        """Run the ops of a body in order, as long as a path arrives."""
        for op in body:
            if frame.state is None:
                return
            runner = self.runners.get(type(op))
            if runner is not None:
                frame.program.costs.ops += 1
                runner(frame, op)  # type: ignore[arg-type]  # tables go by the class of the op
                continue
            context = frame.context
            if type(op) is not ops.Const:
                frame.context = replace(context, discarded=op)
            evaluate(frame, op)
            frame.context = context

    def call(
        self, frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode
    ) -> Value:
        """Call a value; an abstract call discards its result."""
        caller = self.callers.get(callee.kind) or self.callers[UNKNOWN]
        if mode != "abstract":
            return caller(frame, op, callee, arguments, ambient, mode)
        context, frame.context = frame.context, replace(frame.context, discarded=op)
        result = caller(frame, op, callee, arguments, ambient, mode)
        frame.context = context
        return result

    def summarize(self, program: Program, function: FunctionValue, presets: Presets) -> Summary:
        """Make the summary of a function by running its body."""
        return making.summarize(program, function, presets)

    def summarize_top_level(self, function: FunctionValue) -> Summary:
        """Make the summary of a top-level function, up to a fixpoint."""
        return fixpoint.summary_of_top_level(function)


FAMILIES = (expressions, displays, control, comprehensions, matching, making, dispatch)
INTERPRETER = OpInterpreter(
    {op: evaluate for family in FAMILIES for op, evaluate in family.EVALUATES.items()},
    {**control.RUNS, **loops.RUNS, **exceptions.RUNS},
    dispatch.CALLS,
)
