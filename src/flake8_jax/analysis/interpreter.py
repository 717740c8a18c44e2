"""The interpreter of ops over abstract values: the tables of all families, tied together once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flake8_jax.analysis.callables import FunctionValue, Presets
from flake8_jax.analysis.calls import definitions, dispatch
from flake8_jax.analysis.calls.transforms import run_roots
from flake8_jax.analysis.checks.effects.caches import note_property
from flake8_jax.analysis.checks.effects.frozen_reads import note_read
from flake8_jax.analysis.checks.keys.handed_over import pass_keys_to_unknown
from flake8_jax.analysis.evaluate import (
    comprehensions,
    control,
    displays,
    exceptions,
    expressions,
    loops,
    matching,
)
from flake8_jax.analysis.frame import Hooks, OpEvaluator, OpRunner, ValueCaller
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.summaries import fixpoint
from flake8_jax.domain.kinds import Kind
from flake8_jax.domain.summary import Summary
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpInterpreter:
    """What evaluates and runs each class of op, calls each kind of value, and makes summaries."""

    evaluators: Mapping[type[Op], OpEvaluator]
    runners: Mapping[type[Op], OpRunner]
    callers: Mapping[Kind, ValueCaller]
    summarize: Callable[[Program, FunctionValue, Presets], Summary]
    summarize_top_level: Callable[[FunctionValue], Summary]
    hooks: Hooks


FAMILIES = (expressions, displays, control, comprehensions, matching, definitions, dispatch)
INTERPRETER = OpInterpreter(
    {op: evaluate for family in FAMILIES for op, evaluate in family.EVALUATES.items()},
    {**control.RUNS, **loops.RUNS, **exceptions.RUNS},
    dispatch.CALLS,
    fixpoint.summary_in_record,
    fixpoint.summary_of_top_level,
    Hooks(run_roots, note_read, note_property, pass_keys_to_unknown),
)
