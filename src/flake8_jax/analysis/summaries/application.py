"""Applying the summary of a function at a call site.

    def helper(t):                      precondition: t > 0 is concrete, dependences {t}
        if t > 0: ...
    def step(x): return helper(x * 2)   x * 2 depends on {x}: `step` inherits it, chain (step calls helper)
    jax.jit(step)                       x is a tracer: certain; the event is reported at the `if`, with the chain

The same pass substitutes the result, lets sinks use up the caller's keys, and repeats writes.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, CallMode, FunctionValue
from flake8_jax.analysis.checks.compilation.donated_reads import check_handed
from flake8_jax.analysis.checks.compilation.donations import Donates, donate_in
from flake8_jax.analysis.checks.compilation.twins import note_unjitted
from flake8_jax.analysis.checks.compilation.work import note_work_of_call
from flake8_jax.analysis.checks.contracts.called import is_written
from flake8_jax.analysis.checks.host.buffers import check_refilled, note_passed_buffers
from flake8_jax.analysis.checks.host.clocks import Elapsed, check_elapsed_in
from flake8_jax.analysis.checks.host.waits import wait, wait_for
from flake8_jax.analysis.checks.host.writes import NeedsWritable
from flake8_jax.analysis.checks.keys.constant_keys import count_default
from flake8_jax.analysis.checks.keys.derivations import ancestors, root_of
from flake8_jax.analysis.checks.keys.origins import input_behind
from flake8_jax.analysis.checks.keys.uses import HiddenDraws, Inside, ReuseForm, UseForm, consume
from flake8_jax.analysis.checks.naming import name_of
from flake8_jax.analysis.checks.startup.reaching import repeat_steps
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame, never_returns, note_unknown
from flake8_jax.analysis.isolation import DEFECT
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.array_evidence import note_array
from flake8_jax.analysis.objects.invalidation import call_unknown, invalidate, note_touch
from flake8_jax.analysis.objects.names import current_value, rebind_outside
from flake8_jax.analysis.objects.pending import DONATED, PENDING, TICKING
from flake8_jax.analysis.objects.registries import enter_all
from flake8_jax.analysis.summaries.binding import bind, is_refused, leave_open
from flake8_jax.analysis.summaries.captured import is_rebound_unseen, note_given
from flake8_jax.analysis.summaries.effects import substitute
from flake8_jax.analysis.summaries.outcomes import note_outcome
from flake8_jax.analysis.summaries.presets import preset
from flake8_jax.analysis.summaries.returned_keys import mark_returned_keys
from flake8_jax.analysis.summaries.seeded_calls import call_seeded
from flake8_jax.analysis.summaries.specialization import inherit_uses, specialize
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.analysis.summaries.translation import carried, translated
from flake8_jax.analysis.summaries.unstaged import note_caller
from flake8_jax.domain.affine import Affine
from flake8_jax.domain.conditions import ALWAYS, Path, facts_shared_by_all
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.key_parts import KeyPart
from flake8_jax.domain.kinds import NUMPY
from flake8_jax.domain.payload import EVERY, AnySlice, Derived
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.resources import ByArgument, DrawSite
from flake8_jax.domain.staging import Dependences, Input, certain, in_order
from flake8_jax.domain.summary import Sink
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir.ops import Attr, Call, Const, Item, Op
from flake8_jax.ir.phrase import phrase

MAXIMUM_CALLS, MAXIMUM_PATHS = 30, 4


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
        sinks = site.summary.requires.sinks
        reached = [sink.target for sink in sinks if translated(site, sink.when) is not None]
        count_default(frame, op, called, bound, reached)
    summary = site.summary
    if summary.is_dropped:
        return call_unknown(frame, op, unknown(DEFECT), arguments)
    is_call = mode != "root" and certain(ambient) is None
    requires = summary.requires
    hop = _hop(frame, op, function) if is_call and (requires.effects or requires.seeded) else None
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
        for effect in requires.effects:
            if mode != "host" or effect.evidence.room == "event":
                substitute(site, effect, hop)
    site.conditions.clear()
    site.facts.clear()
    site.subjects.clear()
    if mode in ("plain", "either"):
        _apply_sinks(site, function)
        if requires.handed_back:
            mark_returned_keys(site, _callee_text(op, function), function.owner is not None)
        if requires.seeded:
            call_seeded(site, function, hop)
    if mode == "plain":
        _apply_buffers(site)
        _apply_steps(site, function)
    if mode != "root":
        _apply_writes(site, function)
        note_given(site)
    inherit_uses(frame, site)
    if summary.returns is None:
        return never_returns(frame, op) if mode == "plain" else unknown("never returns")
    result = site.value(summary.returns)
    if mode == "plain":
        note_unjitted(frame, op, function, note_work_of_call(frame, summary, result, bound.values()))
    return note_outcome(site, result)


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


def _apply_sinks(site: Substitution, function: FunctionValue) -> None:
    if not site.summary.requires.sinks:
        return
    frame, op = site.frame, site.op
    by = _callee_text(op, function)
    found: dict[tuple[Input | Value, Value], list[tuple[Sink, Path]]] = {}
    renewed = site.summary.writes.rebound
    for sink in site.summary.requires.sinks:
        when = carried(site, sink.when)
        if when is None:
            continue
        actual = site.key_outside(sink.target)
        if actual is not None:
            found.setdefault((sink.target, actual), []).append((sink, when))
    for (_, actual), sinks in found.items():
        kept = [one for one in sinks if not one[0].use.is_possible] or sinks
        sink = kept[0][0]
        is_possible = sink.use.is_possible
        hidden = HiddenDraws(_ways(kept), tuple(site.bound.items()), function.owner is not None)
        if isinstance(sink.target, Input):
            place = site.source_of(sink.target)
            path = sink.target.path
            root = site.argument_of(sink.target)
            reuse: ReuseForm = "again" if site.is_owned(sink.target) else "captured"
            if reuse == "captured" and is_rebound_unseen(site, sink.target.name):
                continue
            varies = _varies(sink.target) or (reuse == "captured" and sink.target.name in renewed)
            inside = Inside(path.removeprefix(sink.target.name), path, sink.use, root, varies)
            for means in _means(site, function, sink.target):
                consume(frame, actual, op, place, by, reuse, means, inside, hidden, is_possible)
        else:
            held = site.summary.outside
            captured = next((name for name, value in held.captured.items() if value is sink.target), "")
            name = (
                held.rebound[sink.target][1] if sink.target in held.rebound else captured or name_of(frame, sink.target)
            )
            if is_rebound_unseen(site, captured):
                continue
            root = _argument_behind(site, sink.target)
            varies = name in renewed or (not captured and _is_another(sink.target))
            _, step = held.fields.get(sink.target, (None, None))
            inside = Inside("", name, sink.use, root, varies, str(step[1]) if step is not None else "")
            reuse = "captured" if root is None else "again"
            consume(frame, actual, op, None, by, reuse, None, inside, hidden, is_possible)


def _ways(sinks: list[tuple[Sink, Path]]) -> tuple[UseForm, ...]:
    """The draws of the callee on each path of the caller; if the paths are too many, on the facts that they share."""
    ways: dict[Path, list[DrawSite]] = {}
    for sink, when in sinks:
        ways.setdefault(when, []).extend([sink.draw] if sink.draw is not None else [])
    if len(ways) > MAXIMUM_PATHS or ALWAYS in ways:
        return (UseForm(facts_shared_by_all(ways), tuple(draw for draws in ways.values() for draw in draws)),)
    return tuple(UseForm(when, tuple(draws)) for when, draws in ways.items())


def _means(site: Substitution, function: FunctionValue, target: Input) -> Iterator[ByArgument]:
    """How the callee uses an argument up: twice, if it is a container of one key whose items the callee takes one by
    one.
    """
    run_by = function.function if _is_turn(site.frame, site.op) else None
    yield ByArgument(target.name, run_by)
    if target.parent is not None and target.step == ("[]", EVERY) and site.is_owned(target):
        container = site.resolve(target.parent)
        parts = (container.elements if container is not None else None) or ()
        if len(parts) > 1 and all(part is parts[0] for part in parts):
            yield ByArgument(f"{target.name}, again", run_by)


def _is_turn(frame: Frame, op: Op) -> bool:
    """Does a loop transform run the function here, next to other functions with the same carry?"""
    return bool(frame.repetitions) and frame.repetitions[-1].op is op and frame.repetitions[-1].form == "turn"


def _argument_behind(site: Substitution, key: Value) -> Value | None:
    """The argument that a key was derived from in the function, if it is one."""
    root = root_of(key)
    source = input_behind(root) if root is not None else None
    return site.argument_of(source) if source is not None and site.is_owned(source) else None


def _is_another(key: Value) -> bool:
    """Is it a key that may be different in each call, since data that may differ was folded into it or selected it?"""
    return any(
        (type(ancestor.payload) is Derived and isinstance(ancestor.payload.data, (Affine, Value)))
        or (
            type(ancestor.payload) is KeyPart
            and any(isinstance(at, (Value, NotConstant)) for at in ancestor.payload.positions)
        )
        for ancestor in ancestors(key)
    )


def _varies(source: Input) -> bool:
    """Is it an item at an index that is not a constant?"""
    return any(kind == "[]" and isinstance(index, (Value, NotConstant, AnySlice)) for kind, index in source.steps)


def _callee_text(op: Op, function: FunctionValue) -> str:
    return phrase(op.func) if type(op) is Call else function.function.name


def _apply_buffers(site: Substitution) -> None:
    """Repeat what the callee does with buffers: it fills them, waits for values, and hands them to JAX."""
    frame, op, requires = site.frame, site.op, site.summary.requires
    if certain(site.ambient) is not None:
        return
    if frame.state is not None and PENDING in frame.state.used:
        for needed, effect in requires.effects.of(NeedsWritable):
            if needed.view is None and translated(site, effect.when) is not None:
                _apply_refill(site, needed)
    if frame.state is not None and TICKING in frame.state.used:
        for elapsed, effect in requires.effects.of(Elapsed):
            if not requires.waits and translated(site, effect.when) is not None:
                check_elapsed_in(frame, op, elapsed, site)
    if requires.waits:
        wait(frame)
    if requires.waits_for_inputs:
        for value in site.bound.values():
            wait_for(frame, value)
    if requires.handed and frame.state is not None:
        for donates, effect in requires.effects.of(Donates):
            if translated(site, effect.when) is not None:
                donate_in(frame, op, donates, site)
    if not requires.waits:
        for source, how in requires.handed.items():
            actual = site.resolve(source)
            if actual is not None:
                note_passed_buffers(frame, op, (actual,), how)


def _apply_steps(site: Substitution, function: FunctionValue) -> None:
    """Repeat what the callee does to start JAX, and what it sets."""
    started = site.summary.requires.started
    if started and site.frame.state is not None and certain(site.ambient) is None:
        ways = ((step, translated(site, step.path)) for step in started)
        steps = [(step, when) for step, when in ways if when is not None]
        repeat_steps(site.frame, site.op, steps, _callee_text(site.op, function))


def _apply_refill(site: Substitution, needed: NeedsWritable) -> None:
    """A write into a buffer: at the call that passes it, or for one that an object holds where it is written."""
    for source in in_order(needed.dependences):
        actual, target = site.resolve(source), site.source_of(source)
        if actual is None or actual.kind is not NUMPY:
            continue
        if target is not None:
            check_refilled(site.frame, site.op, target, actual)
        elif site.is_owned(source) and source.parent is not None and not _is_chosen(site.op):
            check_refilled(site.frame, site.op, needed.target, actual, needed.op)


def _is_chosen(op: Op) -> bool:
    """Is the object whose method is called one of several, by an index that may be another the next time?"""
    base = op.func if type(op) is Call else op
    while type(base) is Attr or type(base) is Item:
        if type(base) is Item and type(base.index) is not Const:
            return True
        base = base.base
    return False


def _apply_writes(site: Substitution, function: FunctionValue) -> None:
    frame = site.frame
    for source in site.summary.writes.invalidated:
        actual = site.resolve(source) or site.outside(source)
        if actual is not None:
            invalidate(frame, actual)
    for (source, step), value in site.summary.writes.parts.items():
        actual = site.resolve(source) or site.outside(source)
        if actual is not None:
            kept = site.value(value) if certain(site.ambient) is None else note_unknown(frame, "written in traced code")
            access.write(frame, actual, step, kept)
    enter_all(frame, site.summary.writes.entered, site.value)
    for touched in site.summary.writes.touched:
        frame.live().invalidate(current_value(frame, touched))
        note_touch(frame, touched)
    for name in site.summary.writes.rebound:
        rebind_outside(frame, function.frame, name)
