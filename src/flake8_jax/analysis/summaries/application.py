"""Calling a function of this file: its summary meets the arguments.

    def helper(t):                      demand: t > 0 must be a bool, dependences {t}
        if t > 0: ...
    def step(x): return helper(x * 2)   x * 2 depends on {x}: the demand is latent in `step` too, chain (step
    calls helper)
    jax.jit(step)                       x is a tracer: certain; the event goes out at the `if`, with the chain

The same walk substitutes what the function returns, makes its sinks use up the caller's keys, and repeats its writes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flake8_jax.analysis.callables import Arguments, FunctionValue, Manner, underlying
from flake8_jax.analysis.calls.binding import bind_arguments
from flake8_jax.analysis.checks.demands import (
    concrete_stages,
    is_sequence,
    line_of,
    note_array,
    report_bool,
    report_sequence,
    report_store,
)
from flake8_jax.analysis.checks.effects import MAXIMUM_EFFECTS, report_tracer
from flake8_jax.analysis.checks.events import Context
from flake8_jax.analysis.checks.keys import consume
from flake8_jax.analysis.evaluate.names import present, rebind_outside
from flake8_jax.analysis.evaluator import Presets, summary_of
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.invalidation import invalidate, note_touch
from flake8_jax.analysis.summaries.deferral import pass_out
from flake8_jax.analysis.summaries.making import MAXIMUM_SPECIALIZED
from flake8_jax.analysis.summaries.specialization import pass_on, specialize
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.analysis.summaries.translation import translated
from flake8_jax.domain.conditions import Path, assume, decide
from flake8_jax.domain.folding import spelled
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import NONE, Dependences, Input, Token, certain, in_order
from flake8_jax.domain.summary import Demand, Effect, Summary
from flake8_jax.domain.value import (
    API,
    ARRAY,
    CLASS,
    COMPUTED,
    FUNCTION,
    INPUT,
    INSTANCE,
    KEY,
    KEYS,
    METHOD,
    MODULE,
    NUMBER,
    NUMPY,
    OBJECT,
    PARTIAL,
    REF,
    STATIC,
    UNKNOWN,
    Value,
    unknown,
)
from flake8_jax.ir.show import phrase

CALLABLE = frozenset((FUNCTION, PARTIAL))
VAGUE = frozenset((INPUT, UNKNOWN, COMPUTED))
HARMLESS = frozenset(
    (API, CLASS, FUNCTION, INSTANCE, KEY, KEYS, METHOD, MODULE, NUMBER, NUMPY, OBJECT, PARTIAL, REF, STATIC)
)
"""What no demand is about: neither a tracer, nor an array, nor a sequence, nor a container of such."""

MAXIMUM_CHAIN = 6
MAXIMUM_CALLS = 30


def apply_summary(
    frame: Frame, op: Any, function: FunctionValue, arguments: Arguments,
    ambient: Dependences, manner: Manner,
) -> Value:  # fmt: skip
    """Call a function with these arguments; returns what it returns here."""
    program = frame.program
    if program.depth >= MAXIMUM_CALLS:
        program.give_up("calls nested too deep")
        return unknown("calls nested too deep")
    program.depth += 1
    found = _apply(frame, op, function, arguments, ambient, manner)
    program.depth -= 1
    return found


def _apply(
    frame: Frame, op: Any, function: FunctionValue, arguments: Arguments,
    ambient: Dependences, manner: Manner,
) -> Value:  # fmt: skip
    bound = bind_arguments(frame, function, arguments)
    function, site = _as_called(frame, op, function, bound, ambient)
    summary = site.summary
    is_hop = manner != "root" and not _is_transform_call(ambient) and (summary.demands or summary.effects)
    hop = _hop(frame, op, function) if is_hop else None
    frame.summary.callees.append(summary)
    if certain(ambient) is not None:
        frame.program.record.traced.append(summary)
    for source in summary.arrays:
        actual = site.resolve(source)
        if actual is not None:
            note_array(frame, actual)
    if manner != "host":
        for demand in summary.demands:
            _apply_demand(site, demand, hop)
        for effect in summary.effects:
            _apply_effect(site, effect, hop)
    _apply_held(site)
    if manner == "plain":
        _apply_sinks(site, function)
    if manner != "root":
        _apply_writes(site, function)
    pass_on(frame, site)
    if summary.returns is None:
        return unknown("never returns")
    return site.value(summary.returns)


def _as_called(
    frame: Frame, op: Any, function: FunctionValue, bound: dict[str, Value], ambient: Dependences
) -> tuple[FunctionValue, Substitution]:
    """The function as this call sees it, and its summary beside the arguments."""
    while True:
        summary = _specialize(frame, function, summary_of(frame.program, function), bound)
        site = Substitution(frame, op, summary, bound, ambient)
        found = specialize(frame, function, site)
        if found is function:
            return function, site
        function = found


def _is_transform_call(ambient: Dependences) -> bool:
    return certain(ambient) is not None


def _hop(frame: Frame, op: Any, function: FunctionValue) -> Hop:
    callers = {"def": f"`{frame.name}`", "lambda": "the lambda", "class": f"the class `{frame.name}`"}
    caller = callers.get(frame.function.kind, "the module")
    return Hop(frame.namespace.path, op.anchor.line, f"{caller} calls `{function.function.name}`")


def _specialize(frame: Frame, function: FunctionValue, general: Summary, bound: dict[str, Value]) -> Summary:
    """Where a parameter is called or handed to a transform: the body again, with the callables that are given."""
    makes = _makes_function(general, function)
    if not (general.applies or makes) or frame.program.nesting > 12:
        return general
    names = {source.name for source in general.applies if source.parent is None}
    if makes:
        return _specialized(frame, function, general, tuple((n, v) for n, v in bound.items() if v.kind not in VAGUE))
    presets = tuple(
        (name, value) for name, value in bound.items()
        if name in names and (value.kind in CALLABLE or value.kind is API)
    )  # fmt: skip
    return _specialized(frame, function, general, presets)


def _makes_function(general: Summary, function: FunctionValue) -> bool:
    """Does it give back a function that was made in it, which finds its arguments around it?"""
    made = underlying(general.returns) if general.returns is not None else None
    return made is not None and made.frame.function is function.function


def _specialized(frame: Frame, function: FunctionValue, general: Summary, presets: Presets) -> Summary:
    if not presets:
        return general
    key = (function, presets)
    if key not in frame.program.record.summaries:
        if frame.program.record.specialized[function.function] >= MAXIMUM_SPECIALIZED:
            return general
        frame.program.record.specialized[function.function] += 1
    return summary_of(frame.program, function, presets)


def _apply_demand(site: Substitution, demand: Demand, hop: Hop | None) -> None:
    if _is_harmless(site, demand):
        return
    when = translated(site, demand.when)
    if when is None or _is_asked_about(site, demand):
        return
    chain = demand.chain if hop is None else (hop, *demand.chain)
    if len(chain) > MAXIMUM_CHAIN:
        return
    if demand.what == "bool":
        _apply_bool(site, demand, when, chain)
    else:
        _apply_kind(site, demand, when, chain)


def _is_harmless(site: Substitution, demand: Demand) -> bool:
    """Is what is handed in nothing that the demand could be about, whatever the path?"""
    for dependence in demand.dependences:
        if not isinstance(dependence, Input):
            return False
        actual = site.resolve(dependence)
        if actual is None:
            if not site.is_owned(dependence):
                return False
        elif actual.kind not in HARMLESS and (actual.kind is not UNKNOWN or dependence.is_declared):
            return False
    return True


def _apply_held(site: Substitution) -> None:
    """What the body was run for is certain where this call takes its path."""
    site.summary.is_applied = True
    for key, ways in site.summary.deferred.items():
        for held in ways:
            when = translated(site, held.when)
            if when is not None:
                pass_out(site.frame, key, held.send, when)


def _is_asked_about(site: Substitution, demand: Demand) -> bool:
    """Does the code ask first what its input is, in a way that is not decided here (`hasattr(x, "at")`)?"""
    for fact in demand.when:
        if fact.test in ("asked", "isinstance") and fact.subject.dependences & demand.dependences:
            actual = site.input_value(fact.subject)
            if actual is None or decide(fact, actual) is None:
                return True
    return False


def _apply_bool(site: Substitution, demand: Demand, when: Path, chain: tuple[Hop, ...]) -> None:
    solid, bare = site.dependences(demand.dependences, demand.is_bare)
    token = concrete_stages(solid)
    frame = site.frame
    if token is not None:
        report_bool(frame, demand.op, demand.details[0], Context(token.trace, chain), when)
        return
    rest = solid | bare
    latent = frozenset(d for d in rest if type(d) is not Token)
    if latent:
        frame.summary.demand(
            replace(demand, dependences=rest, is_bare=not solid, when=assume(frame.path, when), chain=chain)
        )


def _apply_kind(site: Substitution, demand: Demand, when: Path, chain: tuple[Hop, ...]) -> None:
    """A demand about what a value is: immutable arrays are not stored into, sequences are not handed to JAX."""
    frame = site.frame
    for dependence in in_order(demand.dependences):
        actual = site.resolve(dependence)
        if actual is None:
            continue
        is_solid = not demand.is_bare or dependence in site.summary.arrays
        held = site.dependences(frozenset((dependence,)), False)[0] if is_solid else NONE
        is_array = actual.kind is ARRAY or (is_solid and certain(held) is not None)
        if demand.what == "mutable" and is_array:
            whence = _handed(actual, site, demand.op)
            report_store(frame, demand.op, demand.details, whence, Context(None, chain), when)
            return
        if demand.what == "beside" and is_array:
            sign, given, whence = demand.details
            report_sequence(frame, demand.op, given, sign, "", None, whence, Context(None, chain), when)
            return
        if demand.what == "array" and is_sequence(actual) and not _is_varargs(actual):
            callee, parameter = demand.details
            given = "shape" if actual.form == "shape" else actual.kind.value
            whence = _handed(actual, site, demand.op)
            context = Context(None, chain)
            report_sequence(frame, demand.op, given, callee, parameter, demand.asker, whence, context, when)
            return
    solid, bare = site.dependences(demand.dependences, demand.is_bare)
    rest: Dependences = frozenset(d for d in solid | bare if isinstance(d, Input))
    if demand.what == "array":
        rest = _handed_on(site, demand.dependences)
    if rest:
        frame.summary.demand(
            replace(demand, dependences=rest, is_bare=not solid, when=assume(frame.path, when), chain=chain)
        )


def _handed_on(site: Substitution, held: Dependences) -> Dependences:
    """The caller's own inputs that it hands on as they are."""
    found = set()
    for dependence in held:
        actual = site.resolve(dependence) if isinstance(dependence, Input) else None
        if actual is not None and actual.input is not None:
            found.add(actual.input)
    return frozenset(found)


def _is_varargs(value: Value) -> bool:
    return value.form == "varargs" and value.elements is None


def _handed(actual: Value, site: Substitution, op: Any) -> str:
    made_by = actual.made_by
    if made_by is None or not hasattr(made_by, "anchor"):
        return f"handed in {line_of(site.op, op)}"
    if hasattr(made_by, "func"):
        return f"made by `{phrase(made_by.func)}` {line_of(made_by, op)}"
    return f"made {line_of(made_by, op)}"


def _apply_effect(site: Substitution, effect: Effect, hop: Hop | None) -> None:
    when = translated(site, effect.when)
    if when is None:
        return
    chain = effect.chain if hop is None else (hop, *effect.chain)
    frame = site.frame
    shown, is_text = _shown(site, effect), effect.is_text and _shows_text(site, effect)
    here = replace(effect, shown=shown, when=assume(frame.path, when), chain=chain, is_text=is_text)
    if report_tracer(frame, here, chain):
        return
    token = certain(site.ambient)
    if is_text and not shown and not effect.when and token is not None and token.stage == "staged":
        text = here, token, chain
        pass_out(frame, ("text", effect.op, chain), lambda program: program.record.texts.append(text), when)
        return
    room = len(frame.summary.effects) < MAXIMUM_EFFECTS and len(chain) <= MAXIMUM_CHAIN
    if room and (shown or is_text):
        frame.summary.effects.append(here)


def _shows_text(site: Substitution, effect: Effect) -> bool:
    """Is what a call shows text, but for what is still not known?"""
    for _, dependences in effect.shown:
        for dependence in dependences:
            actual = site.resolve(dependence) if isinstance(dependence, Input) else None
            if actual is None or actual.kind is INPUT or isinstance(actual.constant, str):
                continue
            return False
    return True


def _shown(site: Substitution, effect: Effect) -> tuple[tuple[Any, Dependences], ...]:
    shown = []
    for source, dependences in effect.shown:
        solid, bare = site.dependences(dependences, True, True)
        if solid or bare:
            shown.append((source, solid | bare))
    return tuple(shown)


def _apply_sinks(site: Substitution, function: FunctionValue) -> None:
    frame, op = site.frame, site.op
    by = _callee_text(op, function)
    done: set[tuple[int, int]] = set()
    for sink in site.summary.sinks:
        if translated(site, sink.when) is None:
            continue
        actual = site.target(sink)
        if actual is None or (id(sink.target), id(actual)) in done:
            continue
        done.add((id(sink.target), id(actual)))
        if isinstance(sink.target, Input):
            place = site.source_of(sink.target)
            consume(frame, actual, op, place, by, "again", f"argument {sink.target.name}", _steps(sink.target))
        else:
            consume(frame, actual, op, None, by, "captured")


def _steps(source: Input) -> str:
    """The text of the access path from a parameter to a part of it."""
    text = ""
    while source.parent is not None and source.step is not None:
        step = source.step
        known = isinstance(step[1], (str, int))
        text = (f".{step[1]}" if step[0] == "." else f"[{spelled(step[1])}]" if known else "[...]") + text
        source = source.parent
    return text


def _callee_text(op: Any, function: FunctionValue) -> str:
    func = getattr(op, "func", None)
    return phrase(func) if func is not None else function.function.name


def _apply_writes(site: Substitution, function: FunctionValue) -> None:
    frame = site.frame
    for source in site.summary.invalidates:
        actual = site.resolve(source)
        if actual is not None:
            invalidate(frame, actual)
    for (source, step), value in site.summary.writes.items():
        actual = site.resolve(source)
        if actual is not None:
            kept = site.value(value) if certain(site.ambient) is None else lost(frame, "written in traced code")
            access.write(frame, actual, step, kept)
    for touched in site.summary.touches:
        frame.live().invalidate(present(frame, touched))
        note_touch(frame, touched)
    for name in site.summary.rebinds:
        rebind_outside(frame, function.frame, name)
