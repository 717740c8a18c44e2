"""Invalidation: after unknown code has run, the contents of reachable mutable objects are unknown.

An unknown call traces nothing.  It possibly uses up the keys that it receives, and may have changed every mutable
object that it can reach: the receiver, the arguments, their parts, captured variables and globals.  From then on these
have new contents.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import (
    Applied,
    Arguments,
    ClassValue,
    FunctionValue,
    InstanceOf,
    Partial,
    Wrapped,
    layers,
)
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.classes import is_left
from flake8_jax.analysis.objects.names import rebind_outside
from flake8_jax.analysis.objects.pending import PENDING
from flake8_jax.analysis.objects.stated_rules import note_stated
from flake8_jax.api.contracts import STREAMS
from flake8_jax.api.transforms import Argument, Transform
from flake8_jax.domain.kinds import (
    API,
    CHANGEABLE,
    CLASS,
    FUNCTION,
    FUNCTIONS,
    INPUT,
    INSTANCE,
    PARTIAL,
    UNKNOWN,
)
from flake8_jax.domain.payload import Compound
from flake8_jax.domain.staging import Input, in_order
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import parts, within
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_DEPTH = 3
DECORATOR = Transform("a decorator", (), "function", returns=Argument("unknown"))
COMPILING_DECORATOR = Transform("a decorator that may compile", (), "function", returns=Argument("unknown"))
UNSTAGING_DECORATOR = Transform("a decorator below which nothing is staged", (), "function")


def call_unknown(frame: Frame, op: Op, callee: Value, arguments: Arguments) -> Value:
    """The result of an unknown call, with invalidation.

    A decorator of a class returns the class, also one that is called: `Model = registered(Model)`.
    """
    positional = arguments.positional
    if len(positional) == 1 and positional[0].kind is CLASS and keeps_its_name(frame, op, positional[0]):
        return positional[0]
    if frame.context.is_defining and len(positional) == 1 and positional[0].kind is FUNCTION:
        return decorated(frame, op, positional[0])
    frame.program.interpreter.hooks.unknown_called(frame, op, callee, arguments)
    if callee.input is not None:
        frame.summary.uses.note_called(callee.input)
    if callee.kind is not API:
        invalidate(frame, callee)
    for value in positional:
        invalidate(frame, value)
    for name, value in arguments.keywords.items():
        for one in frame.live().contents(value).parts if name == STREAMS else (value,):
            invalidate(frame, one)
    invalidate_reachable(frame)
    return note_unknown(frame, "call of an unknown function", op)


def keeps_its_name(frame: Frame, op: Op, given: Value) -> bool:
    """Is what a call makes of a class bound to the name of the class?"""
    named = given.payload.name if isinstance(given.payload, ClassValue) else None
    for inner in (inner for statement in frame.function.body for inner in within(statement)):
        if type(inner) is ops.Store and _is_made_by(inner.value, op):
            return inner.kind == "class" or any(type(one) is ops.Name and one.name == named for one in inner.targets)
    return False


def _is_made_by(value: Op | None, op: Op) -> bool:
    """Is a value what a call makes, or what another call makes of that, and so on?"""
    waiting = [value]
    while waiting:
        made = waiting.pop()
        if made is op:
            return True
        waiting += parts(made) if type(made) is ops.Call else ()
    return False


def decorated(frame: Frame, op: Op, function: Value, decorator: Transform = DECORATOR) -> Value:
    """The result of an unknown decorator: calls run the function, with an unknown result."""
    applied = Applied(decorator, frame.namespace.path, op.anchor.line, decorator.name)
    return Value(FUNCTION, payload=Wrapped(function, applied), made_by=op)


def cached_by(frame: Frame, op: Op, name: str, arguments: Arguments) -> Value:
    """A function under a cache of Python's, or the decorator with its options."""
    positional = arguments.positional
    if len(positional) == 1 and positional[0].kind in FUNCTIONS:
        return decorated(frame, op, positional[0], replace(DECORATOR, name=name))
    return frame.program.api(name)


def invalidate(frame: Frame, value: Value, depth: int = 0) -> None:
    """Invalidate a mutable object and its known parts."""
    kind = value.kind
    if kind is FUNCTION or kind is PARTIAL:
        _invalidate_through(frame, value)
        return
    if kind not in CHANGEABLE:
        return
    if kind is UNKNOWN and value not in frame.program.record.projected and value not in frame.summary.outside.found:
        return
    payload = value.payload
    if (type(payload) is InstanceOf and payload.owner.is_frozen) or (type(payload) is Input and payload.is_frozen):
        return
    frame.live().invalidate(value)
    note_touch(frame, value)
    if kind is INPUT:
        if type(payload) is Input:
            frame.summary.writes.invalidated[payload] = None
        return
    source = next(iter(in_order(value.dependences)), None) if kind is INSTANCE else None
    if source is not None:
        frame.summary.writes.invalidated[source] = None
    if isinstance(payload, Compound) and depth < MAXIMUM_DEPTH:
        for part in payload.held():
            invalidate(frame, part, depth + 1)


def _invalidate_through(frame: Frame, value: Value) -> None:
    """Invalidate the objects that an escaped function touches, and the receiver of a method."""
    payload = value.payload
    note_stated(frame, value)
    for layer in layers(value):
        if isinstance(layer, Partial):
            for bound in layer.arguments.values():
                invalidate(frame, bound)
        payload = layer.callee.payload
    if isinstance(payload, FunctionValue) and (payload, ()) not in frame.program.running:
        summary = summary_of(frame.program, payload)
        for touched in summary.writes.touched:
            frame.live().invalidate(touched)
            note_touch(frame, touched)
        for name in summary.writes.rebound:
            rebind_outside(frame, payload.frame, name)


def note_touch(frame: Frame, value: Value) -> None:
    """Record in the summary that an object around this function may have been changed."""
    if value in frame.summary.outside.found:
        frame.summary.writes.touched[value] = None


def invalidate_reachable(frame: Frame) -> None:
    """Invalidate globals and captured objects, after other code may have run."""
    state = frame.live()
    if not state.heap and not state.used:
        return
    state.invalidate(frame.namespace.rebound_globals)
    for value in frame.summary.outside.found:
        state.invalidate(value)


def invalidate_everything(frame: Frame, is_paused: bool = False) -> None:
    """Invalidate every object that may be shared, after `await`, `yield` or an unknown context manager.

    Of a generator that `is_paused`, those go on with it at the next turn whose class stores into them no more.
    """
    frame.live().used.forget(PENDING)
    read, outside = frame.program.record.projected, frame.summary.outside.found
    changeable = [
        held for held in frame.live().names.held()
        if held.kind in CHANGEABLE and (held.kind is not UNKNOWN or held in read or held in outside)
    ]  # fmt: skip
    for value in changeable:
        if not (is_paused and isinstance(value.payload, InstanceOf) and is_left(value.payload.owner)):
            invalidate(frame, value)
    invalidate_reachable(frame)
