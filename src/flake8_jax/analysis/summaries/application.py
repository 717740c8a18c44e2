"""Applying the summary of a function at a call site.

    def helper(t):                      precondition: t > 0 is concrete, dependences {t}
        if t > 0: ...
    def step(x): return helper(x * 2)   x * 2 depends on {x}: `step` inherits it, chain (step calls helper)
    jax.jit(step)                       x is a tracer: certain; the event is reported at the `if`, with the chain

The same pass substitutes the result, and repeats writes, and what else is done to the caller's state (`repeated.py`).
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, CallMode, FunctionValue
from flake8_jax.analysis.checks.compilation.constants import note_handed
from flake8_jax.analysis.checks.compilation.donated_reads import check_handed
from flake8_jax.analysis.checks.compilation.twins import note_unjitted
from flake8_jax.analysis.checks.compilation.work import note_work_of_call
from flake8_jax.analysis.checks.contracts.called import is_written
from flake8_jax.analysis.checks.keys.constant_keys import count_default
from flake8_jax.analysis.checks.keys.sinks import Sink
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame, never_returns, note_unknown
from flake8_jax.analysis.isolation import DEFECT
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.array_evidence import note_array
from flake8_jax.analysis.objects.invalidation import call_unknown, invalidate, note_touch
from flake8_jax.analysis.objects.names import current_value, rebind_outside
from flake8_jax.analysis.objects.pending import DONATED
from flake8_jax.analysis.objects.registries import enter_all
from flake8_jax.analysis.summaries.binding import bind, is_refused, leave_open
from flake8_jax.analysis.summaries.captured import note_given
from flake8_jax.analysis.summaries.effects import substitute
from flake8_jax.analysis.summaries.outcomes import note_outcome
from flake8_jax.analysis.summaries.presets import preset
from flake8_jax.analysis.summaries.repeated import repeat_on_host, repeat_uses
from flake8_jax.analysis.summaries.specialization import inherit_uses, specialize
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.analysis.summaries.translation import translated
from flake8_jax.analysis.summaries.unstaged import note_caller
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Dependences, Token, certain
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir.ops import Call, Op

MAXIMUM_CALLS = 30


def apply_summary(
    frame: Frame, op: Op, function: FunctionValue, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value:
    """The result of a call of a function with these arguments."""
    program = frame.program
    if program.depth >= MAXIMUM_CALLS:
        program.give_up("calls nested too deep")
        return unknown("calls nested too deep")
    program.depth += 1
    found = _apply(frame, op, function, arguments, ambient, mode)
    program.depth -= 1
    return found


def _apply(
    frame: Frame, op: Op, function: FunctionValue, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value:
    bound, fits = bind(frame, function, arguments)
    is_suspect = not fits and mode == "plain" and type(op) is Call and is_written(op, arguments)
    if is_suspect and is_refused(function, arguments):
        return unknown("a call that is refused", op)
    if mode == "root":
        leave_open(function, bound)
    called = function
    function, site = _as_called(frame, op, function, bound, ambient)
    if called.defaults:
        sinks = site.summary.requires.effects.of(Sink)
        reached = [sink.target for sink, effect in sinks if translated(site, effect.when) is not None]
        count_default(frame, op, called, bound, reached)
    summary = site.summary
    if summary.is_dropped:
        return call_unknown(frame, op, unknown(DEFECT), arguments)
    is_call = mode != "root" and certain(ambient) is None
    requires = summary.requires
    site.hop = _hop(frame, op, function) if is_call and requires.effects.known else None
    frame.summary.run.callees.append(summary)
    if certain(ambient) is not None:
        frame.program.record.traced.append(summary)
    for source in summary.uses.arrays:
        actual = site.resolve(source)
        if actual is not None:
            note_array(frame, actual)
    if mode != "either":
        requires.is_applied = True
        if mode == "plain":
            note_caller(frame, function)
            if frame.state is not None and DONATED in frame.state.used:
                check_handed(frame, op, function, bound)
        frame.program.costs.ops += requires.effects.count_but("write")
        is_on_host = mode == "host" or frame.context.is_eager
        for effect in requires.effects:
            if not is_on_host or effect.evidence.room == "event":
                substitute(site, effect, site.hop)
    site.conditions.clear()
    site.facts.clear()
    site.subjects.clear()
    if mode in ("plain", "either"):
        repeat_uses(site)
    if mode == "plain":
        repeat_on_host(site)
    if mode != "root":
        _apply_writes(site, function)
        note_given(site)
    inherit_uses(frame, site)
    if summary.returns is None:
        return never_returns(frame, op) if mode == "plain" else unknown("never returns")
    result = site.value(summary.returns)
    if mode == "plain":
        note_handed(site)
        note_unjitted(frame, op, function, note_work_of_call(frame, summary, result, bound.values()))
    return note_outcome(site, result)


def _is_left_by_trace(site: Substitution, function: FunctionValue, kept: Value) -> bool:
    """Is it a tracer of the trace that this call begins, and that is over when the call returns?"""
    begun = {
        dependence for one in site.bound.values() for dependence in one.dependences
        if type(dependence) is Token and dependence.trace.function == function.function.name
    }  # fmt: skip
    return not begun.isdisjoint(kept.dependences)


def _as_called(
    frame: Frame, op: Op, function: FunctionValue, bound: dict[str, Value], ambient: Dependences
) -> tuple[FunctionValue, Substitution]:
    """The function specialized for this call, and its summary with the arguments."""
    general = summary_of(frame.program, function)
    if general.uses.spreads and general.uses.called:  # it is not run for what it calls before all of that is known
        function = specialize(frame, function, Substitution(frame, op, general, bound, ambient, function))
    while True:
        summary = preset(frame, function, summary_of(frame.program, function), bound)
        site = Substitution(frame, op, summary, bound, ambient, function)
        found = specialize(frame, function, site)
        if found is function:
            return function, site
        function = found


def _hop(frame: Frame, op: Op, function: FunctionValue) -> Hop:
    callers = {"def": f"`{frame.name}`", "lambda": "the lambda", "class": f"the class `{frame.name}`"}
    caller = callers.get(frame.function.kind, "the module")
    called = "a lambda" if function.function.kind == "lambda" else f"`{function.function.name}`"
    return Hop(frame.namespace.path, op.anchor.line, f"{caller} calls {called}")


def _apply_writes(site: Substitution, function: FunctionValue) -> None:
    frame = site.frame
    for source in site.summary.writes.invalidated:
        actual = site.resolve(source) or site.outside(source)
        if actual is not None:
            invalidate(frame, actual)
    for (source, step), value in site.summary.writes.parts.items():
        actual = site.resolve(source) or site.outside(source)
        if actual is not None:
            kept = site.value(value) if certain(site.ambient) is None else None
            if kept is None or _is_left_by_trace(site, function, kept):
                kept = note_unknown(frame, "written in traced code")
            access.write(frame, actual, step, kept)
    enter_all(frame, site.summary.writes.entered, site.value)
    for touched in site.summary.writes.touched:
        frame.live().invalidate(current_value(frame, touched))
        note_touch(frame, touched)
    for name in site.summary.writes.rebound:
        rebind_outside(frame, function.frame, name)
