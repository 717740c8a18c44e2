"""What is forgotten when nobody knows what happened.

An unknown call neither uses up nor traces anything, but it may have changed every mutable object it could reach: the receiver,
the arguments, what they hold, what is captured or global.  From then on these hold something else than before.
"""

from __future__ import annotations

from typing import Any

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import API, CLASS, DICT, INPUT, INSTANCE, LIST, MUTABLE, OBJECT, TUPLE, UNKNOWN, Value

HOLDING = frozenset((INSTANCE, DICT, LIST, OBJECT))
MAXIMUM_DEPTH = 3


def call_unknown(frame: Frame, op: Any, callee: Value, arguments: Arguments) -> Value:
    """A call of something that nobody knows.  A class that is handed in alone comes back: decorators of classes do so."""
    positional = arguments.positional
    if len(positional) == 1 and positional[0].kind is CLASS:
        return positional[0]
    if callee.kind is INPUT and isinstance(callee.data, Input):
        frame.signature.applies.add(callee.data)
    if callee.kind is not API:
        forget(frame, callee)
    for value in positional:
        forget(frame, value)
    for value in arguments.keywords.values():
        forget(frame, value)
    forget_reachable(frame)
    return lost(frame, "call of an unknown function", op)


def forget(frame: Frame, value: Value, depth: int = 0) -> None:
    """Nothing is known any more of what a mutable object holds, nor of what its known parts hold."""
    kind = value.kind
    if kind not in MUTABLE and kind is not TUPLE:
        return
    if kind is UNKNOWN and value not in frame.program.projected:
        return
    if kind is INSTANCE and value.data.is_frozen:
        return
    frame.live().forget(value)
    source = value.data if kind is INPUT else None
    if kind is INSTANCE:
        source = next((d for d in value.dependences if type(d) is Input), None)
    if isinstance(source, Input):
        frame.signature.forgets.add(source)
    if value.parts and depth < MAXIMUM_DEPTH:
        for part in value.parts.values() if isinstance(value.parts, dict) else value.parts:
            forget(frame, part, depth + 1)


def forget_reachable(frame: Frame) -> None:
    """Other code may have run: what globals and captured names hold may have changed."""
    state = frame.live()
    if not state.held and not state.used:
        return
    for value in (*frame.program.globals.values(), *frame.signature.captures.values()):
        if value.kind in HOLDING:
            state.forget(value)
