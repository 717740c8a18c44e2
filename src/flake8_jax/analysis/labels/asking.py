"""The labels of a body, passed once, whoever asks.

They depend on the code and on what its names stand for, not on the state of a frame; so they are kept by these:

    def make(config):               the general run of `make`, and its runs for other configurations
        def train(key): ...         share the labels of `train`; a run for another callable that
        return train                `train` could call has labels of its own

Functions that call each other are passed within one another: what is found of such a function on the way depends
on the one that was asked for, and is kept only until that is done.
"""

from __future__ import annotations

from collections.abc import Hashable

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.bodies import BodyLabels, PassDetails
from flake8_jax.analysis.labels.callees import Code
from flake8_jax.analysis.labels.expressions import flow_of
from flake8_jax.analysis.labels.flows import Placement
from flake8_jax.analysis.labels.passes import Pass
from flake8_jax.analysis.labels.statements import end, run
from flake8_jax.analysis.program import NEVER, Program
from flake8_jax.analysis.record import Record
from flake8_jax.domain.kinds import NAMED_IN_CALLS
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.scope import Binding
from flake8_jax.lazy_dataclasses import dataclass, field


@dataclass(slots=True)
class Answer:
    """The labels of a body, the record of what was looked up, and the outermost running body that they depend on."""

    labels: BodyLabels
    record: Record
    lowest: int = NEVER


@dataclass(slots=True)
class LabelsAsked:
    """The bodies whose labels are being computed now, by depth, and provisional results that depend on them."""

    running: dict[Hashable, int] = field(default_factory=dict)
    provisional: dict[Hashable, Answer] = field(default_factory=dict)
    lowest: int = NEVER


def labels_asked(code: Code) -> BodyLabels:
    """The labels of a body of which something is asked."""
    labels = _labels_of(code, LabelsAsked())
    assert labels is not None
    return labels


def detailed(code: Code) -> BodyLabels:
    """The labels of a body with what few questions ask, for which it is passed once more."""
    labels = labels_asked(code)
    if labels.detailed is None:
        program = code.around.program
        with program.tracking(Record()):  # what it looks up, the first pass has looked up
            labels.detailed = _pass(code, LabelsAsked(), PassDetails())
        program.costs.walked += labels.detailed.ops
    return labels.detailed


def _key(code: Code) -> Hashable:
    return code.function, _meaning(code.around), code.owner, code.flags


def _meaning(frame: Frame) -> Hashable:
    """What decides to which functions the names in a frame refer: the key under which labels are cached."""
    if frame.parent is None:
        return frame.namespace
    named = (
        tuple(preset for preset in frame.presets if preset[1].kind in NAMED_IN_CALLS) if frame.is_specialized else ()
    )
    return frame.function, named, _meaning(frame.parent)


def _labels_of(code: Code, asked: LabelsAsked) -> BodyLabels | None:
    """The labels of a body; None while it is passed itself."""
    program, key = code.around.program, _key(code)
    depth = asked.running.get(key)
    if depth is not None:
        asked.lowest = min(asked.lowest, depth)
        return None
    answer = program.answers.get(key) or asked.provisional.get(key)
    if not isinstance(answer, Answer):
        answer = _passed(code, key, asked)
    asked.lowest = min(asked.lowest, answer.lowest)
    program.record.uses.add(answer.record)
    return answer.labels


def _passed(code: Code, key: Hashable, asked: LabelsAsked) -> Answer:
    """Pass over a body, and keep what was found for as long as it holds."""
    program, outer, depth = code.around.program, asked.lowest, len(asked.running)
    base, begun = program.base, program.costs.ops
    asked.running[key], asked.lowest = depth, NEVER
    with program.tracking(Record()):
        answer = Answer(_pass(code, asked), program.record)
    del asked.running[key]
    program.costs.walked += answer.labels.ops
    program.base = base + program.costs.ops - begun
    if asked.lowest < depth:
        answer.lowest = asked.lowest
        asked.provisional[key] = answer
    else:
        program.answers[key] = answer
        asked.provisional = {one: held for one, held in asked.provisional.items() if held.lowest < depth}
    asked.lowest = outer
    return answer


def _pass(code: Code, asked: LabelsAsked, details: PassDetails | None = None) -> BodyLabels:
    found = BodyLabels(code.function, details=details)
    walk = Pass(code, found, flow_of, run, lambda callee: _labels_of(callee, asked), _globals_of(code.around))
    for parameter in code.function.parameters:
        binding = code.function.scope.names.get(parameter.name)
        if binding is not None and walk.held is not None:
            walk.held[binding] = {Placement(): found.input(binding)}
    run(walk, code.function.body)
    if not found.is_beyond:
        end(walk)
    return found


def _globals_of(frame: Frame) -> frozenset[Binding]:
    """The names of a module that its own statements bind to something else than functions."""
    frame = frame.module
    program: Program = frame.program
    known = program.answers.get(frame.function)
    if not isinstance(known, frozenset):
        stores = chains_of(frame.function).stores
        known = program.answers[frame.function] = frozenset(
            target.scope.lookup(target.name)
            for target, statement in stores
            if type(target) is ops.Name and not (type(statement) is ops.Store and _makes_function(statement.value))
        )
    return known


def _makes_function(value: ops.Op | None) -> bool:
    while type(value) is ops.Call and value.args:
        value = value.args[-1]
    return isinstance(value, (ops.Closure, ops.MakeClass, ops.Imported))
