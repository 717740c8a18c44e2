"""What a variable that a closure captures holds at one of its calls.

def make(rng):
    def draw(): return normal(rng)      captures `rng` of one call of `make`
    return draw
a, b = make(k1), make(k2)               `make` has ended: the variable has the value that it had then
rng = k3; a()                           and is no other variable of that name, whoever calls
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.staging import Input
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
    frame: Frame | None = site.frame if not site.is_owned(source) else None
    while frame is not None:
        for name, value in frame.summary.inputs.items():
            if source in value.dependences:
                return captured_now(site, name, value)
        frame = frame.parent
    return None


def is_lost(site: Substitution, name: str) -> bool:
    """Does a call bind a variable again that nobody follows, since the function around has ended?"""
    if name not in site.summary.writes.rebound:
        return False
    frame = _holder(site, name)
    return frame is not None and frame.has_ended


def _holder(site: Substitution, name: str) -> Frame | None:
    """The frame in which a captured variable is bound: that of the caller if it has bound it again."""
    frame: Frame | None = site.frame
    while frame is not None:
        if frame is site.around or (name in frame.function.scope.nonlocals and _has(frame, name)):
            break
        frame = frame.parent
    frame = frame if frame is not None else site.around
    while frame is not None and not _has(frame, name):
        frame = frame.parent
    return frame


def _has(frame: Frame, name: str) -> bool:
    return frame.state is not None and name in frame.state.names


def _if_known(site: Substitution, value: Value) -> Value | None:
    """A value, unless it is an input of a function that has ended."""
    source = value.input
    while source is not None and source.parent is not None:
        source = source.parent
    frame: Frame | None = site.frame
    while frame is not None and source is not None:
        if any(source in one.dependences or one.input is source for one in frame.summary.inputs.values()):
            return value
        frame = frame.parent
    return value if source is None else None
