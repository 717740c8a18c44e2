"""How far JAX has come: calls that start its backend, and arrays and keys that are made.

jax.random.key(0)           the backend has started, a key is there
step(x)                     `step` is jitted: started
main()                      `main` does one of these: started, by what is called in it
jax.jit(f), jnp.float32     nothing

What gives an array or a key starts the backend, and else what `api/startup.toml` names; nothing that is traced does.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, ClassValue, FunctionValue, Partial, Wrapped
from flake8_jax.analysis.checks.startup.at_import import check_import_time
from flake8_jax.analysis.checks.startup.late import set_in
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluator import call, summary_of
from flake8_jax.analysis.evidence import LatentEvidence
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry, declared_fields, lookup, placed_fields
from flake8_jax.analysis.objects.parameters import argument_for
from flake8_jax.api import startup
from flake8_jax.domain.conditions import Path, assume
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.effects import Room
from flake8_jax.domain.kinds import ARRAYS_AND_KEYS, CONTAINERS, FUNCTIONS, PARTIAL
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.staging import Dependences, certain
from flake8_jax.domain.startup import MAXIMUM_STEPS, PhaseReached, SettingMade, StartPhase, StartStep, added
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass

INEXACT = ("float", "complex")


@dataclass(frozen=True, slots=True)
class Starts(LatentEvidence):
    """A step by which a function brings JAX further, or sets it up."""

    identified_by: ClassVar = attrgetter("__class__")
    room: ClassVar[Room] = "start"
    paths: ClassVar[int] = MAXIMUM_STEPS
    is_each_kept: ClassVar[bool] = True
    step: StartStep


def note_library_call(
    frame: Frame, op: Op, name: str, arguments: Arguments, result: Value, ambient: Dependences
) -> None:
    """Note what a call of something of a library does to start JAX, whoever calls it: `map`, a partial, a decorator."""
    if not name.startswith("jax.") or frame.state is None or certain(ambient) is not None:
        return
    if name in startup.read().starting or (_holds(result) and not _is_abstract(frame, name)):
        reach(frame, "started", op, Use(frame.namespace.path, op.anchor.line, callee_text(op, name)))
        _note_made(frame, op, name, arguments, result)


def note_call(frame: Frame, op: Op, callee: Value) -> None:
    """Note what a call of a transformed function does to start JAX."""
    if callee.kind in FUNCTIONS and frame.state is not None and certain(frame.ambient) is None and _runs(callee):
        by = phrase(op.func) if type(op) is ops.Call else "it"
        reach(frame, "started", op, Use(frame.namespace.path, op.anchor.line, by))


def note_constructed(frame: Frame, op: Op, owner: ClassValue, arguments: Arguments) -> None:
    """Note what starts JAX when an object is made of its fields: their factories, and `__post_init__`."""
    if frame.state is None or lookup(owner, "__init__") is not None or certain(frame.ambient) is not None:
        return
    classes = ancestry(owner)[::-1]
    given = placed_fields(owner)[: len(arguments.positional)]
    names = [name for name in declared_fields(owner) if name not in given]
    factories = {name: factory for each in classes for name, factory in each.factories.items() if name in names}
    runs = [factory for name, factory in factories.items() if name not in arguments.keywords]
    if (method := lookup(owner, "__post_init__")) is not None:
        runs.append(method)
    for run in runs:
        if isinstance(run.payload, FunctionValue):
            note_run(frame, op, run.payload, owner.function.name)
        elif run.kind is PARTIAL:
            call(frame, op, run, Arguments())


def note_run(frame: Frame, op: Op, function: FunctionValue, by: str) -> None:
    """Note what a function does to start JAX, whatever it is handed, where it is run at a call of something else."""
    if frame.state is not None and certain(frame.ambient) is None:
        steps = summary_of(frame.program, function).requires.effects.of(Starts)
        repeat_steps(frame, op, [(one.step, ()) for one, _ in steps if not one.step.path], by)


def reach(frame: Frame, phase: StartPhase, op: Op, use: Use, value: Value | None = None, when: Path = ()) -> None:
    """Note a step on the current path and under `when`."""
    state = frame.live()
    if len(state.started) < MAXIMUM_STEPS:
        step = PhaseReached(phase, op, use, assume(state.path, when), frame.iterations, value)
        state.started = added(state.started, (step,))
    if phase == "started" and frame.function.kind != "def":
        check_import_time(frame, op, use)


def repeat_steps(frame: Frame, op: Op, steps: Iterable[tuple[StartStep, Path]], by: str) -> None:
    """Repeat what a callee does to start JAX or to set it up, in its order; each step on a path of the caller."""
    steps = list(steps)
    beside = tuple(step for step, _ in steps)
    for step, when in steps:
        use = Use(frame.namespace.path, op.anchor.line, by, within=step.use)
        if isinstance(step, SettingMade):
            set_in(frame, op, step.setting, use, when, beside)
        elif step.file:
            note_import(frame, op, step.file, step.use, when)
        elif step.phase in ("imported", "started"):
            reach(frame, step.phase, op, use, when=when)


def note_imported(frame: Frame, op: ops.Imported) -> None:
    """Note that JAX is imported, or a file of the project, which may do anything."""
    if frame.state is None:
        return
    path = frame.namespace.file.path
    for step in frame.program.linked.steps_of_import(path, frame.namespace.path, op):
        if isinstance(step, PhaseReached) and not step.file:
            reach(frame, step.phase, op, step.use)
        elif isinstance(step, PhaseReached):
            note_import(frame, op, step.file, step.use)


def note_import(frame: Frame, op: Op, path: str, use: Use, when: Path = ()) -> None:
    """Note that a file of the project is imported, which may do anything."""
    state = frame.live()
    step = PhaseReached("imported", op, use, assume(state.path, when), frame.iterations, file=path)
    state.started = added(state.started, (step,))


def _holds(value: Value) -> bool:
    if value.kind in CONTAINERS:
        return any(part.kind in ARRAYS_AND_KEYS for part in value.parts)
    return value.kind in ARRAYS_AND_KEYS


def _is_abstract(frame: Frame, name: str) -> bool:
    transform = frame.program.table.known(name).transform
    return transform is not None and transform.abstract


def _runs(callee: Value) -> bool:
    """Is it a transformed function, which computes when it is called?"""
    payload = callee.payload
    while isinstance(payload, Partial):
        payload = payload.callee.payload
    if not isinstance(payload, Wrapped):
        return False
    transform = payload.applied.transform
    return transform.is_compiled or (transform.stage in ("mapped", "differentiated") and not transform.abstract)


def _note_made(frame: Frame, op: Op, name: str, arguments: Arguments, result: Value) -> None:
    known = startup.read()
    use = Use(frame.namespace.path, op.anchor.line, callee_text(op, name))
    if name in known.keys:
        reach(frame, "keyed", op, use, result)
    elif name in known.widths and isinstance(result.dtype, str) and result.dtype.startswith(INEXACT):
        function = frame.program.table.function(name)
        given = argument_for(function, arguments, "dtype") if function is not None else None
        if given is None or given.payload == NOTHING:
            reach(frame, "made", op, use, result)
