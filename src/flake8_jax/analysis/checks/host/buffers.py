"""Buffers of NumPy that JAX was handed, filled again before anything waits for JAX.

buf[:] = load(i)                JAX may share the memory of `buf` (aligned), or copy it later (large)
xs.append(jax.device_put(buf))  the hand-over: pending until something waits for values of JAX
buf[:] = load(j)                filled again: what is in `xs` changes, if it is read afterwards
float(step(buf))                waits: nothing is pending then
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import ClassVar, Literal

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evidence import LatentEvidence
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.labels.questions import is_read_after
from flake8_jax.analysis.objects.host_views import VIEWS
from flake8_jax.analysis.objects.pending import PENDING
from flake8_jax.analysis.objects.stated import dtype_of
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.effects import Room
from flake8_jax.domain.host_views import Buffer, BufferPart, HandOver, holder_of
from flake8_jax.domain.kinds import CONTAINERS, NUMPY
from flake8_jax.domain.provenance import Context, Hop, Use
from flake8_jax.domain.resources import DrawSite, Shared, Used, is_compatible, loops_between
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.positions import line_of

COPYING, CONVERTING = "jax.numpy.array", "jax.numpy.asarray"
HANDING = frozenset((COPYING, CONVERTING, "jax.device_put"))
LARGE = 1 << 17
"""How many bytes a buffer has that JAX copies later, and not at once: measured."""

ALL = HandOver()


@dataclass(frozen=True, slots=True)
class HostBufferWritten:
    """NumPy writes into memory that it shares with a JAX array.

    `form`: a read-only "view" of an array, or a buffer that JAX was "handed" and may still read, in an earlier
    iteration of a loop if it `is_earlier`.  `subject` is its text, `call` that of the call that made the view or handed
    the buffer over, at `origin`; `instead` is what to write.
    """

    op: Op
    form: Literal["view", "handed"]
    subject: str
    call: str
    origin: Hop
    is_earlier: bool
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class HandsOver(LatentEvidence):
    """A function hands an input to JAX as a buffer, of which it may read later on what it takes (`how`)."""

    identified_by: ClassVar = attrgetter("source")
    room: ClassVar[Room] = "buffer"
    source: Input
    how: HandOver


def check_handed(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Note a buffer that a function of JAX is handed, unless a copy is asked for."""
    if not arguments.positional or arguments.is_open:
        return
    how = HandOver()
    if name in (COPYING, CONVERTING):
        copy, dtype = arguments.keywords.get("copy"), arguments.get(1, "dtype")
        asked = dtype_of(dtype) if dtype is not None and dtype.payload != NOTHING else ""
        if asked is None or (copy is not None and copy.constant is True):
            return
        how = HandOver(LARGE if name == COPYING or not asked else 0, asked or None)
    note_passed_buffers(frame, op, (arguments.positional[0],), how)


def note_passed_buffers(frame: Frame, op: Op, values: tuple[Value, ...], how: HandOver = ALL) -> None:
    """Note the buffers among values that JAX is handed; inputs are left to callers."""
    if certain(frame.ambient) is not None or frame.state is None:
        return
    for value in values:
        if value.kind in CONTAINERS:
            note_passed_buffers(frame, op, tuple(value.parts), how)
        elif value.input is not None:
            leave(frame, HandsOver(op, value.input, how))
        elif (buffer := _shared_by(value, how)) is not None:
            _note(frame, op, buffer, value is not buffer)
            if (held := holder_of(buffer)) is not None:
                leave(frame, HandsOver(op, held, how))


def _shared_by(value: Value, how: HandOver) -> Value | None:
    """The buffer that JAX may read later on if it is handed a value: it, or for any size what it is the start of."""
    if value.kind is not NUMPY:
        return None
    part = value.payload
    if type(part) is BufferPart and (how.least or not part.is_from_start):
        return None
    buffer = part.buffer if type(part) is BufferPart else value
    return buffer if type(buffer.payload) is Buffer and how.takes(buffer.payload) else None


def _note(frame: Frame, op: Op, buffer: Value, is_part: bool) -> None:
    state = frame.live()
    use = Use(frame.namespace.path, line_of(op), callee_text(op, "JAX"))
    draw = DrawSite(op, code_of(frame))
    used = Used(op, use, state.path, frame.iterations, Shared(holder_of(buffer) or buffer, is_part), draw)
    state.used.add(PENDING, (used,))


def check_refilled(frame: Frame, op: Op, target: Op, base: Value, writing: Op | None = None) -> None:
    """Report a write into a buffer that JAX may still read, if what was made of it is read afterwards.

    It is made by `op`, or by the op `writing` in what that calls.
    """
    place = writing or op
    state = frame.live()
    if type(base.payload) is BufferPart:
        base, target = base.payload.buffer, _around(target)
    pending, shared, is_rest = state.used.get(PENDING), holder_of(base) or base, writing is None and _is_rest(op)
    for used in pending:
        means = used.means
        if type(means) is not Shared or means.buffer is not shared or (means.is_part and is_rest):
            continue
        if not is_compatible(used, state.path) or used.draw is None:
            continue
        loops = loops_between(used, frame.iterations)
        if (used.op is op and not loops) or not is_read_after(used.draw, op, loops[0] if loops else None):
            continue
        emit(frame, (HostBufferWritten, place, ()), _written(place, target, used, bool(loops)))
        state.used.set(PENDING, tuple(one for one in pending if one is not used))
        return


def _is_rest(op: Op) -> bool:
    """Is what is written all from some element on: `buffer[n:]`?"""
    index = op.index if type(op) is ops.Item else None
    return type(index) is ops.Build and index.kind == "slice" and phrase(index.parts[0]) not in ("None", "", "0")


def _around(target: Op) -> Op:
    """The whole array that a part of a buffer belongs to."""
    while type(target) is ops.Item or (type(target) is ops.Attr and target.name in VIEWS):
        target = target.base
    return target


def _written(op: Op, target: Op, used: Used, is_earlier: bool) -> Callable[[], HostBufferWritten]:
    use, name = used.use, phrase(target)
    where = Hop(use.path, use.line, "handed over")
    return lambda: HostBufferWritten(
        op, "handed", name, use.by, where, is_earlier, _instead(used.op, target), Context()
    )  # fmt: skip


@advising(ADVICE, "")
def _instead(handing: Op, target: Op) -> str:
    copying = imported_as(scope_of(handing), "numpy.array")
    if scope_of(handing) is not scope_of(target):
        return f"pass a copy of it to JAX, made by `{copying}`, or fill a new array each time"
    return f"pass a copy, `{copying}({phrase(target)})`, or fill a new array each time"
