"""Reporting events: at once, or left to the calls that take the path.

def loop(body, x, jit):             specialized for `step`: its certain events are certain if `jit` holds
    if jit:
        return lax.while_loop(cond, body, x)
    return body(x)
loop(step, x, jit=not verbose)      a print that `step` makes only if `verbose` is above 0 is never traced

What is certain on a path that an argument decides is *guarded*: if calls of the function are seen, one of them has to
take the path.

def spread(x, n=None):
    if n is None:
        n = int(x.max())            certain under `scan`, for calls that leave `n` out
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flake8_jax.analysis.evidence import HeldFinding, LatentEvidence
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.summaries.unstaged import needs_stages
from flake8_jax.domain.conditions import ALWAYS, Path, assume, parts_of
from flake8_jax.domain.effects import AnyFinding, Effect, Event, EventKey, Finding, Ground, GuardedFinding
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value

LOST = "effects beyond the bound of a function"

MAXIMUM_AROUND = 4
"""How many functions around a function are looked at for the parameter that a path depends on."""


def emit(frame: Frame, key: EventKey, make: Callable[[], Event], when: Path = ALWAYS, ground: Ground = None) -> None:
    """Report an event that holds on the current path and under `when`, unless other code refutes it or its ground."""
    send(frame, Finding(key, make, ground), when)


def leave(frame: Frame, evidence: LatentEvidence, when: Path = ALWAYS) -> None:
    """Add evidence to the effects that callers decide, under the current path and `when`."""
    keep(frame, Effect(evidence, assume(frame.path, when)))


def keep(frame: Frame, effect: Effect) -> None:
    """Keep an effect for the callers; beyond the bound it is counted, and what it lets calls refute is not presumed."""
    effects, evidence = frame.summary.requires.effects, effect.evidence
    if not effects.add(effect) and effects.is_full(evidence.room):
        note_lost(frame)
        frame.program.record.refuted.update(evidence.presumed)


def note_lost(frame: Frame) -> None:
    """Count an effect that callers are not told of, as there are too many."""
    frame.program.record.given_up[LOST] += 1


def send(frame: Frame, finding: AnyFinding, when: Path = ALWAYS) -> None:
    """Report a finding here, or leave it to the callers if the run is specialized or they decide the path."""
    if frame.context.is_unstaged and needs_stages(finding):
        return
    path = assume(frame.path, when)
    decided_by = frame.body if frame.is_specialized else _decider(frame, path)
    function = decided_by.function if decided_by is not None and not frame.is_specialized else None
    if decided_by is None:
        finding.send(frame.program.record)
    elif not decided_by.summary.requires.effects.add(Effect(HeldFinding(finding.key[1], finding, function), path)):
        note_lost(frame)
    elif function is not None:
        frame.program.record.guarded.append(GuardedFinding(finding, function))


def release(record: Record, summary: Summary) -> None:
    """Report the events that a specialized body has left to its calls, if no call came."""
    if not summary.requires.is_applied:
        for held, _ in summary.requires.effects.of(HeldFinding):
            if held.function is None:
                held.finding.send(record)


def uncalled(records: Iterable[Record]) -> Record:
    """The guarded events of functions that are called nowhere in these records."""
    records, found = list(records), Record()
    called = {function for record in records for function, caller in record.callers if caller is not function}
    for record in records:
        for guarded in record.guarded:
            if guarded.function not in called:
                guarded.finding.send(found)
    return found


def _decider(frame: Frame, path: Path) -> Frame | None:
    """The innermost enclosing function whose arguments decide the path; for one that has returned, its closure."""
    inner, around = frame, frame if path else None
    for _ in range(MAXIMUM_AROUND):
        if around is None or around.function.kind == "module":
            return None
        if any(_is_argument(around.summary, part.subject) for fact in path for part in parts_of(fact)):
            return around if not around.is_told else inner if not inner.is_told else None
        inner, around = around, around.parent
    return None


def _is_argument(summary: Summary, subject: Value) -> bool:
    source = subject.input
    if source is not None:
        held = summary.inputs.get(source.name)
        return held is not None and source.root in held.dependences
    return any(value is subject for value in summary.inputs.values())
