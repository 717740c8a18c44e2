"""What makes Python wait for values of JAX: after that, no buffer of NumPy is read behind its back.

float(loss), print(loss), np.asarray(x)     the value is needed
jax.block_until_ready(x)                    waited for
log(loss)                                   a function nobody knows may wait
eqx.filter_jit(step)(x)                     its call waits, too
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, runs_compiled, waits_itself
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.pending import PENDING, TICKING
from flake8_jax.domain.clocks import ClockRead
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    CLASS,
    COMPUTED,
    CONTAINERS,
    FUNCTION,
    INPUT,
    INSTANCE,
    MAY_BE_ARRAY_OR_UNKNOWN,
    METHOD,
    PARTIAL,
    UNKNOWN,
)
from flake8_jax.domain.payload import MethodOf
from flake8_jax.domain.resources import Compiles, Ticks, Used, WaitedSince
from flake8_jax.domain.staging import certain
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Attr, Call, Op
from flake8_jax.lazy_dataclasses import replace

WAITING = frozenset(
    ("jax.block_until_ready", "jax.device_get", "jax.effects_barrier", "jax.numpy.save", "jax.numpy.savez")
)
WAITING_METHODS = frozenset(("block_until_ready", "item", "tolist", "tobytes", "__array__", "result", "join", "wait"))
INSPECTING = frozenset((
    "dict", "enumerate", "getattr", "hasattr", "id", "isinstance", "iter", "len", "list", "next", "range", "reversed",
    "slice", "super", "tqdm.auto.tqdm", "tqdm.tqdm", "tuple", "type", "zip",
))  # fmt: skip
"""The functions of Python, and around its iterables, that need no value of an array."""

WAITED = WaitedSince()


def wait_for(frame: Frame, value: Value) -> None:
    """Note that the value of an array is needed here, if it is one; an argument was there before all that runs here.

    What an argument gives, at each turn of a loop through it, may have been made since, but of no buffer of this code.
    """
    kind = value.kind
    if (kind not in MAY_BE_ARRAY_OR_UNKNOWN and kind not in CONTAINERS) or not may_be_array(value):
        return
    if kind is INPUT:
        frame.summary.requires.waits_for_inputs = True
        if value.input is None:
            _settle(frame, (value,))
        elif value.input.parent is not None and frame.state is not None:
            _settle_clocks(frame, (value,))
    else:
        wait(frame, (value,))


def may_be_array(value: Value) -> bool:
    """May a value be an array of JAX, or hold one?"""
    if value.kind in CONTAINERS:
        is_empty = value.elements == () or value.entries == {}
        return (not value.parts and not is_empty) or any(may_be_array(part) for part in value.parts)
    return value.kind in MAY_BE_ARRAY_OR_UNKNOWN and type(value.payload) is not ClockRead


def note_call(frame: Frame, func: Op, callee: Value, base: Value | None, arguments: Arguments) -> None:
    """Note a call that may wait for values: of its arguments, or of the object whose method it is."""
    is_told = frame.parent is None or frame.summary.requires.waits
    if frame.state is None or (is_told and not _is_pending(frame.state)):
        return
    if callee.kind is UNKNOWN and base is not None and type(func) is Attr and func.name in WAITING_METHODS:
        wait_for(frame, base)
    if callee.kind is API:
        name = callee.name
        if name in WAITING or any(
            argument.kind is API and argument.name in WAITING for argument in arguments.positional
        ):
            wait(frame, tuple(arguments.values()))
        if name in INSPECTING or name.startswith("jax.") or _only_computes(frame, name):
            return
    elif (callee.kind in (FUNCTION, PARTIAL, CLASS, INSTANCE) and callee.payload is not None) or runs_compiled(callee):
        return
    elif callee.kind is METHOD and type(callee.payload) is MethodOf:
        name = callee.payload.name
        if name in WAITING_METHODS and base is not None:
            wait_for(frame, base)
        if callee.payload.base.kind in (*CONTAINERS, ARRAY, COMPUTED):
            return
    for value in arguments.values():
        wait_for(frame, value)


def note_return(frame: Frame, callee: Value) -> None:
    """Note that a call has returned: what it was is done, if it is what waits for it."""
    if frame.state is not None and certain(frame.ambient) is None and waits_itself(callee):
        wait(frame)


def _is_pending(state: State) -> bool:
    return PENDING in state.used or TICKING in state.used


def _only_computes(frame: Frame, name: str) -> bool:
    return frame.program.table.is_computation(name) and not name.startswith(("numpy.", "scipy."))


def wait(frame: Frame, values: tuple[Value, ...] = ()) -> None:
    """Note that all values are waited for here, or these."""
    frame.summary.requires.waits = True
    _settle(frame, values)


def _settle(frame: Frame, values: tuple[Value, ...] = ()) -> None:
    if frame.state is None:
        return
    frame.state.used.forget(PENDING)
    _settle_clocks(frame, values)


def _settle_clocks(frame: Frame, values: tuple[Value, ...]) -> None:
    used = frame.live().used
    for one in used.by_value.get(TICKING, ()):
        if type(one.means) is not Ticks:
            continue
        known = used.get(one.means.reading)
        if len(known) == 1 and type(known[0].means) is WaitedSince:
            continue
        if not (values and all(_is_before(frame, each, one) for each in values)):
            kept = (each for each in known if type(each.means) is Compiles)
            used.set(one.means.reading, (*kept, replace(one, means=WAITED)))


def _is_before(frame: Frame, value: Value, ticks: Used) -> bool:
    """Was an array made before a clock was read, so that what was started since is not waited for with it?"""
    made_by = value.made_by
    if type(made_by) is Call and type(made_by.func) is Attr and made_by.func.name in WAITING_METHODS:
        receiver = peek(frame, made_by.func.base)
        made_by = receiver.made_by if receiver is not None else None
    if value.kind is not ARRAY or made_by is None or frame.iterations or ticks.iterations:
        return False
    holds = chains_of(frame.function).holds
    return holds(made_by) and holds(ticks.op) and made_by.anchor.line < ticks.op.anchor.line
