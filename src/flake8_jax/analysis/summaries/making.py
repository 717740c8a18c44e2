"""Running a body once to compute its summary.

A body is run with symbolic inputs; its preconditions, key uses and results are kept in terms of them.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import (
    FunctionValue,
    InstanceOf,
    Presets,
    Tracer,
    stands_for_others,
)
from flake8_jax.analysis.checks.compilation.work import keep_work
from flake8_jax.analysis.checks.keys.advancing import check_kept
from flake8_jax.analysis.checks.keys.constant_keys import check_defaults
from flake8_jax.analysis.checks.purity import only_binds
from flake8_jax.analysis.checks.startup.reaching import Starts
from flake8_jax.analysis.evaluator import run
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.annotations import ARRAY_OF_EITHER_LIBRARY, HOST_TYPES, SCALAR_TYPES, is_array
from flake8_jax.analysis.objects.array_evidence import declare_array
from flake8_jax.analysis.objects.classes import (
    of_annotation,
)
from flake8_jax.analysis.objects.growing import as_grown
from flake8_jax.analysis.objects.library_trees import declare_record, is_record_class
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.summaries.outcomes import outcome_of, outcomes_of
from flake8_jax.analysis.summaries.specialization import generation_of, symbolic_value
from flake8_jax.domain.conditions import Path, facts_added, is_of_arrays
from flake8_jax.domain.constants import NOTHING, OPEN
from flake8_jax.domain.effects import Effect
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    CLASS,
    DICT,
    INPUT,
    INSTANCE,
    KEY,
    LISTS_AND_DICTS,
    NUMBER,
    NUMPY,
    REF,
    STATIC,
    TUPLE,
    UNKNOWN,
)
from flake8_jax.domain.payload import VARARGS, VARKW, reason
from flake8_jax.domain.staging import Ambient, Dependences, Input
from flake8_jax.domain.state import State, join_states
from flake8_jax.domain.summary import BodyRun, Summary
from flake8_jax.domain.value import Value, join_on_paths, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.walking import functions_in
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_SPECIALIZED = 4


def run_body(program: Program, function: FunctionValue, presets: Presets) -> Summary:
    """The summary of one run of a body."""
    program.costs.bodies += 1
    home = function.frame.namespace.file.path
    summary = Summary(ambient=frozenset((Ambient(),)), run=BodyRun(home, program.record, function.function))
    summary.has_effects = not only_binds(function.function)
    around = function.frame
    special = bool(presets or function.given)
    start = State(path=function.path)
    frame = Frame(program, function.function, around, start, summary, function.owner, is_specialized=special)
    frame.generation = generation_of(function, function.given)
    if function.is_unstaged:
        frame.context = replace(frame.context, is_unstaged=True)
    names = frame.live().names
    for parameter in function.function.parameters:
        value = symbolic_value(frame, function, parameter.name, _input(frame, function, parameter))
        summary.inputs[parameter.name] = value
        names[parameter.name] = value
    for name, value in presets:
        names[name] = value
    given = tuple((name, value) for name, value in names.items() if value.kind is not INPUT) if function.given else ()
    frame.presets = (*presets, *given)
    run(frame, function.function.body)
    finish(frame)
    if function.defaults:
        check_defaults(frame, function)
    summary.finish()
    return summary


def _input(frame: Frame, function: FunctionValue, parameter: ops.Parameter) -> Value:
    """The symbolic value of a parameter: of its annotated kind, else of any."""
    source = Input(parameter.name, is_declared=parameter.annotation is not None)
    dependences: Dependences = source.alone
    if parameter.kind == "varargs":
        return Value(TUPLE, dependences, VARARGS)
    if parameter.kind == "varkw":
        return Value(DICT, dependences, VARKW)
    is_first = function.function.parameters[0] is parameter
    if is_first and function.owner is not None and parameter.name not in function.annotations:
        if function.receiver == "instance":
            return Value(INSTANCE, dependences, InstanceOf(function.owner))
        if function.receiver == "class":
            return Value(CLASS, dependences, function.owner)
    annotation = function.annotations.get(parameter.name)
    source.annotation = annotation.name if annotation is not None else ""
    source.is_frozen = bool(frame.program.table.fields(source.annotation))
    if annotation is not None and is_record_class(frame, annotation.name):
        declare_record(frame, source, annotation.name)
    if annotation is not None and ((parameter.name, ()), Tracer()) not in function.given:
        promised = _promised(frame, annotation, dependences)
        if promised is not None:
            return promised
        if is_array(frame, annotation):
            return _array_of_either(frame, annotation, source)
    return Value(INPUT, dependences, source)


def _array_of_either(frame: Frame, annotation: Value, source: Input) -> Value:
    """The value of a parameter that is an array or a number, of JAX or NumPy."""
    frame.summary.uses.arrays[source] = None
    value = Value(INPUT, source.alone, source)
    if annotation.name == ARRAY_OF_EITHER_LIBRARY:
        declare_array(frame, value)
    return value


def _promised(frame: Frame, annotation: Value, dependences: Dependences) -> Value | None:
    if annotation.kind is API and annotation.name in SCALAR_TYPES:
        return Value(NUMBER if annotation.name == "int" else STATIC, payload=OPEN)
    if annotation.kind is API and annotation.name in HOST_TYPES:
        return Value(STATIC, payload=OPEN)
    found = of_annotation(frame, annotation)
    if found is None or found.kind is NUMPY:  # what a trace is handed is a tracer, whatever is written there
        return None
    if found.kind in (ARRAY, KEY, INSTANCE, REF):
        return Value(found.kind, dependences, found.payload)
    return found


def finish(frame: Frame) -> None:
    """End a body: join its results, run its roots."""
    summary = frame.summary
    returned = list(frame.exits.returned)
    if frame.state is not None:
        returned.append((Value(STATIC, payload=NOTHING), frame.state))
    state: State | None = None
    for _, arrived in returned:
        state = join_states(state, arrived)
    value, frame.state = None, state if state is not None else State()
    if returned:
        paths = [facts_added(arrived.path, frame.state.path) for _, arrived in returned]
        values = [_of_array_alone(frame, as_grown(frame, one), path) for (one, _), path in zip(returned, paths)]
        value = join_on_paths(values, paths)
    _settle_writes(frame, frame.state)
    _invalidate_shared(frame, frame.function)
    check_kept(frame)
    frame.has_ended = True
    for step in frame.state.started:
        summary.requires.effects.add(Effect(Starts(step.op, step), step.path))
    keep_work(frame)
    if frame.function.is_generator or frame.function.is_async:
        value = note_unknown(frame, "generator or coroutine")
    is_stub = stands_for_others(frame.function, frame.owner is not None)
    if is_stub or (value is None and frame.owner is not None and frame.exits.is_unimplemented):
        value, summary.has_effects = unknown("not implemented here"), True
    summary.returns = value
    summary.outcome, summary.outcomes = outcome_of(frame, returned), outcomes_of(frame, returned)
    frame.program.interpreter.hooks.run_roots(frame)
    frame.is_told = True


def _of_array_alone(frame: Frame, value: Value, path: Path | None) -> Value:
    """A result of a way on which an argument is an array of JAX: it is traced where that is, of whatever made it.

    if isinstance(x, jax.Array):            callers that hand in arrays of NumPy get none of JAX
        return jnp.abs(x)
    return np.abs(x)
    """
    asked = (fact.subject.input for fact in path or () if fact.holds and is_of_arrays(fact))
    is_alone = any(source is not None and source in value.dependences for source in asked)
    return replace(value, dependences=value.dependences - frame.ambient) if is_alone else value


def _settle_writes(frame: Frame, state: State) -> None:
    """Forget what is stored into an input on some paths only, an array or one of several: it is not there on all."""
    parts = frame.summary.writes.parts
    for (source, step), value in parts.items():
        owner = frame.summary.inputs.get(source.name) if source.parent is None else None
        held = state.heap.get((owner, step)) if owner is not None else None
        if value.kind in LISTS_AND_DICTS and (grown := as_grown(frame, value)) is not value:
            parts[(source, step)] = grown
        is_lost = held is not None and held.kind is UNKNOWN
        if held is not None and is_lost and (value.kind is ARRAY or held.payload is reason("kinds differ")):
            parts[(source, step)] = held


def _invalidate_shared(frame: Frame, function: ops.Function) -> None:
    """Make names unknown that a nested function may bind again at any time."""
    for inner in functions_in(function):
        for name in inner.scope.nonlocals:
            if name in frame.live().names:
                frame.live().names[name] = note_unknown(frame, "written by a nested function")
