"""Functions that are called as they are, where the same function, jitted, lies beside them.

update_jit = jax.jit(update)
for batch in batches:
    params = update(params, batch)          each operation is a call of JAX: `update_jit` makes one of all

class Agent:
    def __init__(self):
        self._update = jax.jit(self.update)
    def train(self, batches):
        for batch in batches:
            self.update(batch)              the same

Who calls both in one body, or reads a clock, compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import ClassValue, Fields, FunctionValue, InstanceOf, Partial, Wrapped
from flake8_jax.analysis.checks.compilation.eager import eager, long_loops, loops_around, report_eager
from flake8_jax.analysis.checks.compilation.eager_loops import EagerLoop
from flake8_jax.analysis.checks.keys.repetition import loop_around
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import fields_of
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.pending import TICKING
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import EventKey, Room
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass

LEAST = 3
"""How many array operations a function makes that is worth compiling."""


@dataclass(frozen=True, slots=True)
class CallsUnjitted(LatentEvidence):
    """A call of a function, of which `twin` is the same, jitted; callers may make it in a loop."""

    asks: ClassVar = "`{0.callee}` is not jitted, and `{0.twin}` is", "a call in a loop"
    room: ClassVar[Room] = "cost"
    paths: ClassVar[int] = 1
    callee: str
    twin: str

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in a loop of a caller that nothing traces."""
        if certain(site.ambient) is not None or len(site.chain) == len(site.effect.chain):
            return
        loop = next(iter(reversed((*long_loops(site.frame, site.op),))), None)
        if loop is not None:
            yield from eager(*_event(self.op, self.callee, self.twin, loop, site.chain))
        elif not loops_around(site.frame, site.op):
            yield self


def note_unjitted(frame: Frame, op: Op, function: FunctionValue, operations: int) -> None:
    """Report a call of a function in a loop, or leave it to callers, if the same function is there, jitted."""
    if operations < LEAST or type(op) is not ops.Call or certain(frame.ambient) is not None:
        return
    if frame.context.is_unstaged or frame.context.is_for_shapes or (frame.parent is None and not frame.iterations):
        return
    twin = _twin_of(frame, op.func, function)
    if not twin or _is_compiled(peek(frame, op.func)) or (frame.state is not None and TICKING in frame.state.used):
        return
    loops = long_loops(frame, op)
    if loops:
        report_eager(frame, *_event(op, phrase(op.func), twin, loops[-1]))
    elif not frame.iterations:
        leave(frame, CallsUnjitted(op, phrase(op.func), twin))


def _event(
    op: Op, callee: str, twin: str, loop: Op, chain: tuple[Hop, ...] = ()
) -> tuple[EventKey, Callable[[], EagerLoop]]:
    repeat, instead = loop_around(loop, loop.anchor.origin.shown), f"call `{twin}`, which is the same function, jitted"
    make = partial(EagerLoop, op, "unjitted", "", 0, callee, instead, Context(None, chain), repeat)
    return (EagerLoop, op, ()), make


def _twin_of(frame: Frame, func: Op, function: FunctionValue) -> str:
    """The expression by which the jitted version of the same function can be called; "" if there is none, or it is used
    here too.
    """
    if type(func) is ops.Attr:
        return _attribute_of(frame, func, function)
    if type(func) is not ops.Name:
        return ""
    names = frame.namespace.file.names_for_jitted(func.name)
    chains = chains_of(frame.function)
    made = chains.made_from(func.name)
    for name in (*made, *names):
        if name in chains.names and name not in made:
            continue
        held = frame.live().names.get(name) or (frame.namespace.file.value(name) if name in names else None)
        if held is not None and _is_jitted(held, function):
            return name if not _is_called(frame, name) else ""
    return ""


def _is_called(frame: Frame, name: str) -> bool:
    """Is a function called in this body, or in the script that this is a statement of?"""
    chains = chains_of(frame.function)
    called = (chains.parents.get(one) for one in chains.names.get(name, ()))
    if any(type(one) is ops.Call for one in called):
        return True
    return frame.parent is None and frame.namespace.file.names_elsewhere(name)


def _attribute_of(frame: Frame, func: ops.Attr, function: FunctionValue) -> str:
    """The attribute of an object that holds one of its methods, jitted."""
    base = peek(frame, func.base)
    owner = function.owner
    if base is None or owner is None or not (base.input is not None or isinstance(base.payload, InstanceOf)):
        return ""
    for name, held in _compiled_in(owner, fields_of(frame, owner)):
        if name not in (func.name, "__call__") and _is_jitted(held, function):  # to call an object is `__call__`
            called = (method.func for method in chains_of(frame.function).methods)
            is_called = any(type(one) is ops.Attr and one.name == name for one in called)
            return f"{phrase(func.base)}.{name}" if not is_called else ""
    return ""


def _compiled_in(owner: ClassValue, fields: Fields) -> list[tuple[str, Value]]:
    """The fields and attributes of a class that hold something transformed, found again if there are more of them."""
    known, many = owner.transformed, len(owner.attributes)
    if known is None or known[0] is not fields or known[1] != many:
        held = (*fields.stored.items(), *owner.attributes.items())
        known = owner.transformed = fields, many, [one for one in held if type(one[1].payload) is Wrapped]
    return known[2]


def _is_compiled(value: Value | None) -> bool:
    """Is it jitted, also below arguments that are bound?"""
    while value is not None and isinstance(value.payload, Partial):
        value = value.payload.callee
    wrapped = value.payload if value is not None else None
    return type(wrapped) is Wrapped and wrapped.applied.transform.is_compiled


def _is_jitted(value: Value, function: FunctionValue) -> bool:
    """Is a value this very function, or the same method, jitted?"""
    wrapped = value.payload
    if type(wrapped) is not Wrapped or not wrapped.applied.transform.is_compiled:
        return False
    inner = wrapped.callee.payload
    if isinstance(inner, Partial) and len(inner.arguments.values()) == 1 and inner.arguments.positional:
        inner = inner.callee.payload
    return isinstance(inner, FunctionValue) and inner.function is function.function
