"""What a variable that a closure captures holds at one of its calls.

def make(rng):
    def draw(): return normal(rng)      captures `rng` of one call of `make`
    return draw
a, b = make(k1), make(k2)               `make` has ended: the variable has the value that it had then
rng = k3; a()                           and is no other variable of that name, whoever calls

def make(log):                          `make(False)` is noted where it is called, and by who hands the closure on:
    def step(x):                        what was given there decides the path of `step` wherever that is called
        if log: ...
    return step
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.callables import underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.payload import Step
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value

if TYPE_CHECKING:
    from flake8_jax.analysis.summaries.substitution import Substitution


def captured_now(site: Substitution, name: str, then: Value) -> Value:
    """The current value of a captured name; the caller captures it as well, unless it is its own."""
    frame = _holder(site, name)
    if frame is None or frame.has_ended or frame.state is None:
        return then
    found = frame.state.names[name]
    if frame is not site.frame and frame.parent is not None:
        site.frame.summary.outside.captured.setdefault(name, found)
    return found


def captured_input(site: Substitution, source: Input) -> Value | None:
    """The current value of a captured input of an enclosing function; None where that has ended."""
    captured = site.summary.outside.captured
    for name, value in captured.items():
        if value.payload is source:
            return _if_known(site, captured_now(site, name, value))
    for name, value in captured.items():  # declared as an array, not computed
        if source in value.dependences and value.made_by is None:
            return _if_known(site, captured_now(site, name, value))
    for frame in site.frame.outwards() if not site.is_owned(source) else ():
        for name, value in frame.summary.inputs.items():
            if source in value.dependences:
                return captured_now(site, name, value)
    return None


def note_given(site: Substitution) -> None:
    """Note the arguments of a call that makes closures, and of the makers of closures that it passes on."""
    summary, outside = site.summary, site.frame.summary.outside
    made = [*_closures(summary)]
    if not made:
        return
    for parameter, values in summary.outside.given.items():
        for value in values:
            outside.give(parameter, site.value(value))
    if summary in made:
        for source, name in site.owned.items():
            if source.parent is None and name in site.bound:
                outside.give(source, site.bound[name])
        for name, value in summary.inputs.items():
            if not value.dependences and name in site.bound:
                outside.give(value, site.bound[name])


def _closures(summary: Summary) -> Iterator[Summary]:
    """The summaries of the functions that made what a call hands out: in its result, or stored into its inputs."""
    for value in (summary.returns, *summary.writes.parts.values()):
        for one in (value, *value.parts) if value is not None else ():
            function = underlying(one)
            if function is not None and function.frame.has_ended:
                yield function.frame.summary


def given_to_maker(site: Substitution, subject: Value) -> Value | None:
    """The argument, or a part of it, that was passed to the function that made the closure which is called now."""
    found = all_given_to_maker(site, subject)
    is_same = len(found) == 1 or (found and found[0].constant is not OPEN and len({one.constant for one in found}) == 1)
    return found[0] if is_same else None


def all_given_to_maker(site: Substitution, subject: Value) -> list[Value]:
    """What was passed to that function in all of its calls, of which one has made the closure."""
    around = [frame.summary.outside.given for frame in site.frame.outwards() if frame.summary.outside.given]
    if not around:
        return []
    source = site.source(subject)
    root, steps = (source.root, source.steps) if source is not None else (subject, ())
    given = next((given for given in around if root in given), None)
    return [_below(site, value, steps) for value in given[root]] if given is not None else []


def _below(site: Substitution, value: Value, steps: tuple[Step, ...]) -> Value:
    for step in steps:
        value = access.read(site.frame, value, step, site.op)
    return value


def is_rebound_unseen(site: Substitution, name: str) -> bool:
    """Does the call rebind a variable of a function that has returned, so that nobody follows its value?"""
    if name not in site.summary.writes.rebound:
        return False
    frame = _holder(site, name)
    return frame is not None and frame.has_ended


def _holder(site: Substitution, name: str) -> Frame | None:
    """The frame in which a captured variable is bound: that of the caller if it has bound it again."""
    made_in = site.function.frame
    begin = (
        frame for frame in site.frame.outwards()
        if frame is made_in or (name in frame.function.scope.nonlocals and _has(frame, name))
    )  # fmt: skip
    return next((frame for frame in next(begin, made_in).outwards() if _has(frame, name)), None)


def _has(frame: Frame, name: str) -> bool:
    return frame.state is not None and name in frame.state.names


def _if_known(site: Substitution, value: Value) -> Value | None:
    """A value, unless it is an input of a function that has ended."""
    if value.input is None:
        return value
    root = value.input.root
    inputs = (one for frame in site.frame.outwards() for one in frame.summary.inputs.values())
    return value if any(root in one.dependences or one.input is root for one in inputs) else None
